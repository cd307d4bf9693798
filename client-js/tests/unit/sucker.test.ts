/** So Long Sucker's board: piles and their places, reading choices and sections, a round's history. */
import { describe, expect, test } from 'vitest'
import { lineText, piecesText } from '../../src/app/table/lines.ts'
import type { TableView } from '../../src/app/tableview.svelte.ts'
import type { Values } from '../../src/app/words.ts'
import { fallNews, fallOf, fallPieces, nextPieces, putOut } from '../../src/games/sucker/fall.ts'
import { newsFor } from '../../src/games/sucker/news.ts'
import { fitsIn, owedBy, owedIn, repliesIn } from '../../src/games/sucker/owed.ts'
import { SuckerSelection } from '../../src/games/sucker/selection.svelte.ts'
import {
  formatArguments,
  formatConfirm,
  formatKind,
  formatOutlook,
  formatPile,
  sayings,
  sentenceOf,
} from '../../src/games/sucker/format.ts'
import {
  among,
  amounts,
  backOn,
  captureCard,
  cardsOf,
  chipsOf,
  counted,
  curves,
  ended,
  heldBy,
  layersOf,
  lives,
  outlookOf,
  playable,
  standing,
  type Sections,
} from '../../src/games/sucker/selectors.ts'
import { texts } from '../../src/games/sucker/words.ts'
import talk from '../../../games/sucker/texts/en.json' with { type: 'json' }
import pacts from '../../../tests/games/sucker/pacts.json' with { type: 'json' }
import { matters } from '../../src/games/sucker/options.ts'
import type {
  Choice,
  AudienceLine,
  PromiseInfo,
  SuckerDeed,
  SuckerPileView,
  SuckerResult,
  TalkMessage,
} from '../../src/sdk/wire.gen.ts'

const pick = (...of: number[]): Choice['fields'][string] => ({ type: 'one_of', of })
const range = (most: number): Choice['fields'][string] => ({ type: 'range', least: 1, most })
const NAMES = ['Ann', 'Bo', 'Cy', 'Dee']
const view = { nameOf: (seat: number) => NAMES[seat] ?? '' } as unknown as TableView

/** [R, B, R] among four players, with two colours missing: B would decide. */
const pile: SuckerPileView = {
  id: 2,
  chips: [0, 1, 0],
  tops: [2, 1, null, null],
  missing: [2, 3],
  decides: 1,
  outlook: [
    ['capture', [0]],
    ['free', [2, 3]],
    ['free', [3]],
    ['free', [2]],
  ],
}

test('one’s own chips are called one’s own where one of them may die', () => {
  const mine = { nameOf: view.nameOf, seat: 0 } as unknown as TableView
  const killing = (colour: number): string | null =>
    formatConfirm(mine, { choice: { move: { move: 'kill', colour } }, colour } as unknown as SuckerSelection)
  expect([killing(0), killing(1)]).toEqual(['Kill one of your own chips', 'Kill one of Bo’s chips'])
})

describe('hands', () => {
  const hands = {
    chips: [
      [3, 2],
      [0, 0],
    ],
    dead: [0, 1],
  }
  test('hold chips by colour', () => {
    expect([chipsOf(hands, 0, 1), chipsOf(hands, 1, 1), chipsOf(hands, 5, 0)]).toEqual([2, 0, 0])
    expect([heldBy(hands, 0), heldBy(hands, 1), heldBy(hands, 5)]).toEqual([5, 0, 0])
  })
})

describe('choices', () => {
  const places: readonly Choice[] = [
    { move: 'place', fields: { colour: pick(0, 2) } },
    { move: 'place', fields: { colour: pick(0, 2), pile: pick(1, 4) } },
    { move: 'place', fields: { colour: pick(2), pile: pick(4), card: pick(3) } },
  ]

  test('say what a field may be, and how many of each colour may go', () => {
    expect([...among(places, 'pile')]).toEqual([1, 4])
    expect([...among(places, 'colour')]).toEqual([0, 2])
    expect([
      ...amounts([
        { move: 'transfer', fields: { colour: pick(1), count: range(3), to: pick(2) } },
        { move: 'transfer', fields: { colour: pick(3), count: range(1), to: pick(2) } },
      ]),
    ]).toEqual([
      [1, 3],
      [3, 1],
    ])
    expect([...counted([2, 5], (colour) => colour * 2)]).toEqual([
      [2, 4],
      [5, 10],
    ])
  })

  test('name the capture card that goes with a placing, and with no other', () => {
    expect([captureCard(places, 2, 4), captureCard(places, 2, 1), captureCard(places, 0, 4)]).toEqual([
      3,
      null,
      null,
    ])
  })

  test('name the cards that may be played, and the colours of tribute', () => {
    expect([
      ...playable([
        { move: 'playCard', fields: { card: pick(0) } },
        { move: 'playCard', fields: { card: pick(2), colour: pick(1, 3) } },
      ]),
    ]).toEqual([
      [0, []],
      [2, [1, 3]],
    ])
  })
})

describe('a choice', () => {
  /** A seat that is asked to place a chip while `prompted`; `answer` delivers the verdict on its move. */
  function seat(colours: readonly number[] = [0, 2]): {
    view: TableView
    prompted: boolean
    answer: (verdict: { code: string | null }) => void
  } {
    const table = {
      prompted: true,
      answer: (_: { code: string | null }): void => undefined,
      view: {
        status: 'running',
        acts: true,
        answer: { is: 'none' },
        seat: 0,
        prompt: (kind: string) => (table.prompted && kind === 'turn' ? { id: 'turn-1' } : undefined),
        choices: (_: string, move: string) =>
          table.prompted && move === 'place' ? [{ move: 'place', fields: { colour: pick(...colours) } }] : [],
        gameSection: () => null,
        do: () => new Promise((resolve) => (table.answer = resolve)),
      } as unknown as TableView,
    }
    return table
  }
  const chosen = ({ view }: { view: TableView }): SuckerSelection => {
    const selection = new SuckerSelection(view)
    selection.chooseColour(2)
    selection.chooseSpot('new')
    selection.forecast = { is: 'shown', preview: {} as never }
    return selection
  }

  test('keeps the only chip to place when it is pressed again, but not one of several', () => {
    const only = new SuckerSelection(seat([2]).view)
    only.chooseSpot('new')
    only.chooseColour(2)
    expect(only.colour).toBe(2)
    const several = new SuckerSelection(seat().view)
    several.chooseColour(2)
    several.chooseColour(2)
    expect(several.colour).toBeNull()
  })

  test('is cleared once it has counted, even if the turn is over by then', async () => {
    const table = seat()
    const selection = chosen(table)
    const done = selection.confirm()
    table.prompted = false
    table.answer({ code: null })
    await done
    table.prompted = true
    expect([selection.colour, selection.spot]).toEqual([null, null])
  })

  test('stays when it was refused, and another made meanwhile stays when the first has counted', async () => {
    const table = seat()
    const refused = chosen(table)
    const first = refused.confirm()
    table.answer({ code: 'NO_PILE' })
    await first
    expect([refused.colour, refused.spot]).toEqual([2, 'new'])
    const quick = chosen(table)
    const second = quick.confirm()
    quick.chooseColour(0)
    table.answer({ code: null })
    await second
    expect([quick.colour, quick.spot]).toEqual([0, 'new'])
  })
})

describe('piles', () => {
  test('have chips that count, lie under others of their colour, or are of somebody who is out', () => {
    const layers = layersOf([0, 1, 2, 0], [3, 1, null, null], 1, [true, true, false, true])
    expect(layers.map(({ weight }) => weight)).toEqual(['under', 'top', 'dead', 'top'])
    expect(layers.map(({ decides }) => decides)).toEqual([false, true, false, false])
  })

  test('say what a chip leads to, on a new pile too', () => {
    const piles = { piles: [pile], fresh: [['free', [1, 2, 3]]] as SuckerPileView['outlook'] }
    expect(outlookOf(piles, 2, 0)).toEqual(['capture', [0]])
    expect(outlookOf(piles, 'new', 0)).toEqual(['free', [1, 2, 3]])
    expect([outlookOf(piles, 9, 0), outlookOf(piles, 'new', 3)]).toEqual([null, null])
  })

  test('are described from the bottom to the top', () => {
    expect(formatPile(view, pile, 0)).toBe(
      'Pile 3, 3 chips, bottom first: Ann, Bo, and Ann. Missing: Cy and Dee. ' +
        'Ann’s chip here would capture the pile.',
    )
    expect(formatPile(view, { ...pile, missing: [] }, null)).toContain('All colours are in.')
    expect(formatOutlook(view, ['forced', [1]], 0)).toBe('With Ann’s chip here, Bo is next.')
    expect(formatOutlook(view, ['free', [3]], 0)).toBe('With Ann’s chip here, Dee is next.')
    expect(formatOutlook(view, ['free', [2, 3]], 0)).toBe(
      'Whoever puts Ann’s chip here picks the next player: one of Cy and Dee.',
    )
    expect(formatOutlook(view, ['dies', []], 0)).toBe('With Ann’s chip here, the pile dies.')
    const own = { ...view, seat: 0 } as unknown as TableView
    expect(formatOutlook({ ...own, nameOf: view.nameOf } as TableView, ['forced', [1]], 0)).toBe(
      'If you play here, Bo is next.',
    )
  })
})

describe('giving the turn', () => {
  const give = (piles: readonly SuckerPileView[], chips: readonly (readonly number[])[]): string => {
    const sections = {
      piles: { piles },
      hands: { chips },
      stage: { phase: 'choose', alive: chips.map(() => true) },
    } as unknown as Sections
    const selection = {
      to: 1,
      choice: { move: { move: 'giveMove', to: 1 } },
      forecast: { is: 'shown', preview: { needy: null, falls: [], card: null, ends: false } },
    } as unknown as SuckerSelection
    const mine = { nameOf: view.nameOf, seat: 0 } as unknown as TableView
    return sayings(mine, sections, selection)
      .map((each) => piecesText(mine, each))
      .join(' ')
  }
  const sends: SuckerPileView = {
    ...pile,
    outlook: [
      ['capture', [0]],
      ['forced', [0]],
      ['free', [3]],
      ['free', [2]],
    ],
  }
  const none = [0, 0, 0, 0]

  test('warns whoever has no chips of a pile that sends it back', () => {
    const alone =
      'Bo plays next. Bo can put you out by placing on pile 3: you have no chips, and nobody could help.'
    const helped = 'Bo plays next. Bo can make you next by placing on pile 3, and you have no chips.'
    expect(give([sends], [none, [0, 2, 0, 0], [0, 0, 1, 0]])).toBe(alone)
    expect(give([sends], [none, [0, 2, 0, 0], [1, 0, 1, 0]])).toBe(helped)
    expect(give([sends], [none, [0, 2, 1, 0]])).toBe(helped) // Bo holds a prisoner, which would go elsewhere
    const prisoner = {
      ...sends,
      outlook: [...sends.outlook.slice(0, 2), ['forced', [0]], ['free', [2]]],
    } as const
    expect(give([prisoner], [none, [0, 0, 1, 0]])).toBe(alone) // Bo's only prisoner would be placed
    expect(give([prisoner], [none, [0, 0, 2, 0]])).toBe(helped)
    expect(give([prisoner], [none, [0, 1, 1, 0]])).toBe(alone) // one of the two ways leaves no prisoner
    expect(
      give(
        [sends],
        [
          [1, 0, 0, 0],
          [0, 2, 0, 0],
        ],
      ),
    ).toBe('Bo plays next.')
    expect(give([sends], [none, [0, 0, 2, 0]])).toBe('Bo plays next.') // with Cy's chips, it goes to Dee
    expect(give([pile], [none, [0, 2, 0, 0]])).toBe('Bo plays next.')
  })
})

describe('the way of the move', () => {
  test('shows where it goes back to: the last time that seat had it', () => {
    expect(backOn({ seats: [0, 1, 0, 2, 3], earlier: 0, back: 0 })).toBe(2)
    expect(backOn({ seats: [3], earlier: 0, back: 0 })).toBeNull()
    expect(backOn({ seats: [0, 1], earlier: 0, back: null })).toBeNull()
    expect(backOn({ seats: [2, 0], earlier: 0, back: 0 })).toBeNull()
  })
})

describe('cards', () => {
  test('are known to those who may know them; held ones come first', () => {
    const cards = {
      left: 3,
      cards: [
        [0, 1, 2, 'played', 'return'],
        [1, 2, 0, 'held', null],
        [2, 3, 1, 'held', null],
      ],
    } as const
    const mine = { row: [], enemy: null, ally: null, over: [], under: [], kinds: [[1, 'tribute']] } as const
    expect(cardsOf({ cards, mine }).map(({ id, kind }) => [id, kind])).toEqual([
      [1, 'tribute'],
      [2, null],
      [0, 'return'],
    ])
    expect(cardsOf({}).length).toBe(0)
    expect([formatKind('return'), formatKind(null)]).toEqual(['Return', 'Unknown'])
  })
})

describe('a round that is over', () => {
  const deeds: readonly SuckerDeed[] = [
    ['place', 0, 0, 0, [6, 7]],
    ['place', 1, 1, 0, [6, 6]],
    ['place', 0, 0, 1, [5, 6]],
    ['capture', 1, 0, 0, [5, 7]],
    ['dies', 0, null, 1, [5, 7]],
    ['fall', 0, null, null, [0, 7]],
  ]

  test('is shown as what each player held after each step', () => {
    expect(curves([7, 7], deeds)).toEqual([
      [7, 6, 6, 5, 5, 5, 0],
      [7, 7, 6, 6, 7, 7, 7],
    ])
  })

  test('and as what became of each pile', () => {
    expect(lives(deeds)).toEqual([
      {
        pile: 0,
        chips: [
          { step: 1, seat: 0, colour: 0 },
          { step: 2, seat: 1, colour: 1 },
        ],
        end: { step: 4, seat: 1 },
      },
      { pile: 1, chips: [{ step: 3, seat: 0, colour: 0 }], end: { step: 5, seat: null } },
    ])
    expect(lives([['place', 0, 0, 0, []]])[0]?.end).toBeNull()
  })

  test.each([
    [[3], 'alone'],
    [[3, 1], 'both'],
    [[], 'none'],
    [[1], 'other'],
  ] as const)('is won by %j: %s', (winners, as) => {
    expect(ended({ survivor: 3, out: [0, 2, 1], winners } as unknown as SuckerResult)).toBe(as)
  })
})

describe('words', () => {
  test('put the arguments of a line in words: colours stay seats, piles count from 1', () => {
    expect(formatArguments({ seat: 1, colour: 2, pile: 0 })).toEqual({ seat: 1, colour: 2, pile: 1 })
    expect(formatArguments({ seat: 1, other: 0, kind: 'tribute' })).toMatchObject({ kind: 'Tribute' })
    expect(formatArguments({ seat: 1, enemy: 0, ally: 3 })).toEqual({ seat: 1, enemy: 0, ally: 3 })
    expect(formatArguments({ seats: [1, 2] })).toEqual({ seats: [1, 2] })
  })
})

/** A case of pacts.json: the log around a proposal of table time 1000 by seat 0, and the pacts that can still be agreed to. */
interface Pact {
  readonly lines?: readonly (readonly [key: string, args: AudienceLine[2], at: number])[]
  readonly promises?: readonly unknown[]
  readonly stands: readonly string[]
}

type Step = readonly (readonly [key: string, args: AudienceLine[2]])[]

/** Bo's view of a log in which all lines of a step have the same time. */
function after(...steps: Step[]): TableView {
  const lines = steps
    .flatMap((step, at) => step.map(([key, args]) => [key, args, at] as const))
    .map(([key, args, at], number): AudienceLine => [
      number,
      key.includes('.') ? key : `sucker.${key}`,
      args,
      at,
    ])
  return {
    ...view,
    seat: 1,
    seats: NAMES.map((name, number) => ({ name, number })),
    game: {
      texts,
      sentence: sentenceOf,
      formatArguments: (_: string, values: Values) => formatArguments(values),
    },
    state: { lines, talk: [] },
    prompt: () => undefined,
  } as unknown as TableView
}

describe('news beside the board', () => {
  const news = (...steps: Step[]): readonly string[] => {
    const seen = after(...steps)
    return newsFor(seen).map((line) => lineText(seen, line))
  }
  const own: Step = [['opened', { seat: 1, colour: 1, pile: 0 }]]
  const other: Step = [['opened', { seat: 3, colour: 3, pile: 4 }]]
  const gift: Step = [['transferred', { seat: 0, other: 1, colour: 2, count: 2 }]]
  const late: Step = [
    ['auto', { seat: 3 }],
    ['opened', { seat: 3, colour: 3, pile: 4 }],
  ]

  test('report what others did to one’s things, until one acts oneself', () => {
    const GIVEN = 'Ann gave Bo 2 of Cy’s chips.'
    expect(news(own, gift)).toEqual([GIVEN])
    expect(news(own, gift, other, other)).toEqual([GIVEN])
    expect(news(own, gift, other, own)).toEqual([])
    expect(news(own, gift, other, other, other, other)).toEqual([]) // by then, it is old
    expect(news([['transferred', { seat: 0, other: 3, colour: 1, count: 1 }]])).toEqual([])
    expect(newsFor({ ...after(gift), seat: null } as unknown as TableView)).toEqual([])
  })

  test('report older gifts to whoever decides about a rescue, and nothing else that is old', () => {
    const kill: Step = [['killed', { seat: 2, colour: 1, count: 3 }]]
    const told = (kind: string, ...steps: Step[]): readonly string[] => {
      const seen = { ...after(...steps), prompt: (of: string) => (of === kind ? {} : undefined) }
      return newsFor(seen as unknown as TableView).map((line) => lineText(after(), line))
    }
    const old = [own, kill, gift, other, other, other, other]
    expect(told('rescue', ...old)).toEqual(['Ann gave Bo 2 of Cy’s chips.'])
    expect(told('turn', ...old)).toEqual([])
    expect(told('rescue', ...old, own)).toEqual([])
  })

  test.each([
    [['killed', { seat: 2, colour: 1, count: 3 }], 'Cy killed one of your chips and took 3 others.'],
    [['killedPrisoners', { seat: 2, colour: 1, count: 1 }], 'Cy killed a prisoner: one of Bo’s chips.'],
    [
      ['capturedByCard', { seat: 2, other: 1, pile: 0 }],
      'Cy captured pile 1 with a blackmail card naming Bo.',
    ],
    [
      ['returned', { seat: 2, other: 1, count: 2 }],
      'Cy played return: Bo got 2 chips back, and one of them died.',
    ],
    [
      ['tribute', { seat: 2, other: 1, colour: 0, count: 1 }],
      'Cy played tribute: Bo handed over one of Ann’s chips.',
    ],
    [['cardKind', { seat: 2, other: 1, kind: 'return' }], 'Cy’s card naming Bo: Return.'],
  ] as const)('tell of %j', (line, said) => {
    const [key, { ...args }] = line
    expect(news([line])).toEqual([said])
    expect(news([[key, { ...args, ...('other' in args ? { other: 3 } : { colour: 3 }) }]])).toEqual([])
    expect(news([[key, { ...args, seat: 1 }]])).toEqual([])
  })

  test('report what the clock did for another player, until something else happens', () => {
    const SAID = ['Dee ran out of time.', 'Dee started pile 5 with one of Dee’s chips.']
    expect(news(own, late)).toEqual(SAID)
    expect(news(own, [late[0] ?? ['auto', {}], ['timeControl.away', { seat: 3 }], ...late.slice(1)])).toEqual(
      SAID,
    )
    expect(news(own, late, other)).toEqual([])
    expect(news(own, late, gift)).toEqual(['Ann gave Bo 2 of Cy’s chips.'])
  })

  test('report what the clock did for oneself, until one acts oneself', () => {
    const played: Step = [
      ['auto', { seat: 1 }],
      ['opened', { seat: 1, colour: 1, pile: 0 }],
      ['gave', { seat: 1, other: 0 }],
    ]
    const SAID = ['Bo ran out of time.', 'Bo started pile 1 with one of Bo’s chips.']
    expect(news(played)).toEqual(SAID)
    expect(news(gift, played, other)).toEqual(['Ann gave Bo 2 of Cy’s chips.', ...SAID])
    expect(news(played, other, own)).toEqual([])
  })

  test('report for whom the clock refused, and the result', () => {
    const fall: Step = [
      ['autoRefused', { seats: [0, 1] }],
      ['fell', { seat: 2 }],
      ['back', { seat: 3 }],
    ]
    expect(news(own, [['needy', { seat: 2 }]], fall, other)).toEqual([
      'Ann and Bo ran out of time, so they refused to help.',
      'Cy was eliminated. So long, sucker.',
    ])
  })

  test('are few: items without room are left out whole, the oldest first', () => {
    expect(
      news(
        gift,
        gift,
        [
          ['auto', { seat: 1 }],
          ['opened', { seat: 1, colour: 1, pile: 0 }],
        ],
        gift,
      ),
    ).toEqual([
      'Bo ran out of time.',
      'Bo started pile 1 with one of Bo’s chips.',
      'Ann gave Bo 2 of Cy’s chips.',
    ])
    expect(
      news(
        [
          ['auto', { seat: 1 }],
          ['kept', { seat: 1 }],
        ],
        gift,
        gift,
      ),
    ).toHaveLength(2)
  })

  test('are none when a round begins', () => {
    expect(news(gift, [['began', { round: 2, seat: 0 }]])).toEqual([])
  })
})

describe('a refusal', () => {
  /** The text of the refusal among these lines. */
  const said = (...lines: Step): string | undefined => {
    const seen = after(...lines.map((line) => [line]))
    return seen.state.lines.filter(([, key]) => key !== 'sucker.needy').map((line) => lineText(seen, line))[0]
  }

  test('by the player in need is reported as playing no card', () => {
    expect(said(['needy', { seat: 2 }], ['refused', { seat: 2 }])).toBe('Cy played no card.')
    expect(said(['needy', { seat: 2 }], ['refused', { seat: 0 }])).toBe('Ann refused to help.')
    expect(said(['needy', { seat: 2 }], ['needy', { seat: 0 }], ['refused', { seat: 2 }])).toBe(
      'Cy refused to help.',
    )
    expect(said(['needy', { seat: 2 }], ['refused', { seat: 2 }], ['needy', { seat: 0 }])).toBe(
      'Cy played no card.',
    )
    expect(said(['refused', { seat: 2 }])).toBe('Cy refused to help.')
  })

  test('by the clock is called one only if all of them could help', () => {
    expect(said(['needy', { seat: 2 }], ['autoRefused', { seats: [0, 2] }])).toBe(
      'Ann and Cy ran out of time, so they gave no answer.',
    )
    expect(said(['needy', { seat: 2 }], ['autoRefused', { seats: [0, 3] }])).toBe(
      'Ann and Dee ran out of time, so they refused to help.',
    )
  })
})

describe('a bot’s word on a deal', () => {
  const message = (phrase: string, args: Record<string, number>): TalkMessage =>
    ({ channel: 'table', at: 0, name: '', seat: 2, bot: true, phrase, args }) as unknown as TalkMessage

  test('offers one’s own half as a promise to the bot', () => {
    expect(owedBy(1, message('sucker.bot.expectPile.1', { to: 1, pile: 3 }))).toEqual({
      kind: 'spare_pile',
      terms: { pile: 3 },
      to: [2],
    })
    expect(owedBy(1, message('sucker.bot.expectPact.2', { to: 1 }))).toEqual({
      kind: 'save',
      terms: {},
      to: [2],
    })
  })

  test('offers nothing to others, or where it does not name the pile', () => {
    expect(owedBy(0, message('sucker.bot.expectPact.2', { to: 1 }))).toBe(null)
    expect(owedBy(1, message('sucker.bot.expectPile.1', { to: 1 }))).toBe(null)
    expect(owedBy(1, message('sucker.bot.yes.1', { to: 1 }))).toBe(null)
  })

  test('offers nothing once the round is over', () => {
    const offered = (...steps: Step[]): boolean =>
      owedIn(after(...steps), message('sucker.bot.expectPile.1', { to: 1, pile: 3 })) !== null
    const began: Step = [['began', { round: 2, seat: 0 }]]
    expect(offered()).toBe(true)
    expect(offered(began)).toBe(true) // with the message, or before it
    expect(offered([], began)).toBe(false)
  })

  /** A table where seat 2 chooses who is next, and what was said there. */
  const hearing = (
    talk: readonly TalkMessage[],
    changes: Record<string, unknown> = {},
    lines: readonly AudienceLine[] = [],
    promises: readonly unknown[] = [],
  ): TableView => {
    const sections: Record<string, unknown> = {
      stage: { phase: 'choose', mover: 2, alive: [true, true, true, true], ...changes },
      piles: { piles: [{ ...pile, id: 3 }] },
      hands: { chips: NAMES.map((_, seat) => NAMES.map((__, colour) => Number(seat === colour))) },
      trail: {},
      match: {},
    }
    const seen = after()
    return {
      ...seen,
      state: { lines, talk, sections: { ...sections, ...changes } },
      gameSection: (_: string, name: string) => sections[name],
      section: (name: string) => (name === 'promises' ? { promises } : undefined),
    } as unknown as TableView
  }
  const answer = (phrase: string): TalkMessage =>
    ({ channel: 'table', at: 1, name: '', seat: 1, bot: false, phrase }) as unknown as TalkMessage

  test('has answers under it while it is the last proposal to this seat, and holds', () => {
    const offer = message('sucker.bot.offerTurnBack.1', { to: 1 })
    expect(repliesIn(hearing([offer]), offer)).toEqual(both)
    expect(fitsIn(hearing([offer]), 'sucker.say.deal')).toBe(true)
    expect(repliesIn(hearing([offer], { mover: 3 }), offer)).toEqual([])
    expect(repliesIn(hearing([offer], { phase: 'turn' }), offer)).toEqual([])
    expect(repliesIn(hearing([offer, answer('sucker.say.noDeal')]), offer)).toEqual([])
    const other = message('sucker.bot.pact.1', { to: 1 })
    expect(repliesIn(hearing([offer, other]), offer)).toEqual([])
    expect(repliesIn(hearing([offer, other]), other)).toEqual(both)
    expect(repliesIn(hearing([message('sucker.bot.pact.1', { to: 0 })]), other)).toEqual([])
    expect(fitsIn(hearing([]), 'sucker.say.deal')).toBe(false)
    expect(fitsIn(hearing([]), 'sucker.say.trustMe')).toBe(true)
  })

  const both = ['sucker.say.deal', 'sucker.say.noDeal']

  test('has none once the bot would not keep to it', () => {
    const truce = message('sucker.bot.pactSpare.1', { to: 1 })
    const line = (key: string, args: Record<string, number | string>, at = 5): AudienceLine => [
      at,
      key.includes('.') ? key : `sucker.${key}`,
      args,
      at,
    ]
    const after = (...lines: AudienceLine[]): readonly string[] =>
      repliesIn(hearing([truce], {}, lines), truce)
    const placed = line('placed', { seat: 1, colour: 1, pile: 3 })
    expect(after()).toEqual(both)
    expect(after(placed, line('placed', { seat: 0, colour: 0, pile: 3 }))).toEqual(both)
    expect(after(placed, line('opened', { seat: 1, colour: 1, pile: 4 }))).toEqual([])
    expect(after(line('killed', { seat: 1, colour: 2, count: 1 }))).toEqual([])
    expect(after(line('killed', { seat: 1, colour: 3, count: 1 }))).toEqual(both)
    expect(after(line('killed', { seat: 1, colour: 2, count: 1 }, 0))).toEqual(both) // before it was said
    expect(after(line('needy', { seat: 2 }), line('refused', { seat: 1 }))).toEqual([])
    expect(after(line('gave', { seat: 1, other: 2 }), line('needy', { seat: 2 }))).toEqual([])
    expect(after(line('gave', { seat: 1, other: 2 }))).toEqual(both)
    const broken = { id: 'p', by: 1, to: [2], kind: 'save', judgement: 'broken' }
    const lines = [line('promise.broken', { seat: 1, promise: 'p' })]
    expect(repliesIn(hearing([truce], {}, lines, [broken]), truce)).toEqual([])
  })

  test.each(pacts)('has answers only as long as they count for the bot: $name', (shared) => {
    const { lines = [], promises = [], stands } = shared as unknown as Pact
    const log = lines.map(([key, args, at], index): AudienceLine => [index, key, args, at])
    const [bot, at] = [0, 1_000]
    const offered = ['pact', 'pactSpare', 'pactTurn'].filter((intent) => {
      const said = { ...message(`sucker.bot.${intent}.1`, { to: 1 }), seat: bot, at }
      return repliesIn(hearing([said], { mover: bot }, log, promises), said).length > 0
    })
    expect(offered).toEqual(stands)
  })

  test('has none if the bot has no room for its part, or the turn would go to somebody without chips', () => {
    const swap = message('sucker.bot.pactTurn.1', { to: 1 })
    const truce = message('sucker.bot.pactSpare.1', { to: 1 })
    const open = (kind: string, to: number): unknown => ({ id: `${kind}${to}`, by: 2, to: [to], kind })
    const after = (said: TalkMessage, ...promises: unknown[]): readonly string[] =>
      repliesIn(hearing([said], {}, [], promises), said)
    const full = [open('save', 0), open('save', 1), open('save', 3)]
    expect(after(truce, ...full)).toEqual([])
    expect(after(truce, ...full.slice(1), open('spare_chips', 1))).toEqual(both) // it has made its part
    expect(after(truce, open('pass_move', 3))).toEqual(both)
    expect(after(swap, open('pass_move', 3))).toEqual([])
    expect(after(swap, open('pass_move', 1))).toEqual(both)
    const without = (seat: number, said: TalkMessage): readonly string[] => {
      const chips = NAMES.map((_, each) => [Number(each !== seat)])
      const seen = hearing([said])
      return repliesIn(
        {
          ...seen,
          gameSection: (_: 'sucker', name: 'stage') =>
            (name as string) === 'hands' ? { chips } : seen.gameSection(_, name),
        } as unknown as TableView,
        said,
      )
    }
    expect([without(1, swap), without(2, swap), without(0, swap)]).toEqual([[], [], both])
    expect(without(2, truce)).toEqual(both)
  })

  test('to everybody about the turn is answered by asking for it, if this seat may get it', () => {
    const invited = message('sucker.bot.invite.1', {})
    const open = { next: [1, 3] }
    expect(repliesIn(hearing([invited], open), invited)).toEqual(['sucker.say.giveMeTheMove'])
    expect(repliesIn(hearing([invited], { next: [3] }), invited)).toEqual([])
    expect(repliesIn(hearing([invited], { ...open, phase: 'turn' }), invited)).toEqual([])
    expect(repliesIn(hearing([invited, answer('sucker.say.noDeal')], open), invited)).toEqual([])
  })

  test('has phrases only about what can still happen', () => {
    const fitting = (changes: Record<string, unknown>): string =>
      ['giveMeTheMove', 'iGiveYouTheMove', 'rescueMe', 'iWillRescueYou', 'trustMe', 'thanks']
        .filter((key) => fitsIn(hearing([], changes), `sucker.say.${key}`))
        .join(' ')
    expect(fitting({})).toBe('giveMeTheMove trustMe thanks')
    expect(fitting({ mover: 1 })).toBe('iGiveYouTheMove trustMe thanks')
    expect(fitting({ mover: 1, phase: 'rescue' })).toBe('rescueMe trustMe thanks')
    expect(fitting({ phase: 'rescue' })).toBe('giveMeTheMove iWillRescueYou trustMe thanks')
    expect(fitting({ phase: 'end' })).toBe('thanks')
  })

  test('is followed by one’s half after a Deal, whether or not the bot names it', () => {
    const offer = message('sucker.bot.offerTurnBack.1', { to: 1 })
    const half = { kind: 'pass_move', terms: {}, to: [2] }
    expect(owedIn(hearing([offer]), offer)).toBe(null)
    expect(owedIn(hearing([offer, answer('sucker.say.deal')], { phase: 'turn' }), offer)).toEqual(half)
    expect(owedIn(hearing([offer, answer('sucker.say.noDeal')]), offer)).toBe(null)
    const named = message('sucker.bot.expectTurn.1', { to: 1 })
    const talk = [offer, answer('sucker.say.deal'), named]
    expect(owedIn(hearing(talk), offer)).toBe(null)
    expect(owedIn(hearing(talk), named)).toEqual(half)
    const late = message('sucker.bot.tooLate.1', { to: 1 })
    const deal = answer('sucker.say.deal')
    expect(owedIn(hearing([offer, deal, late]), offer)).toBe(null)
    const other = answer('sucker.say.trustMe')
    expect(owedIn(hearing([offer, deal, other, late], { phase: 'turn' }), offer)).toEqual(half)
  })

  test('is known in all its wordings', () => {
    const words = Object.keys(talk.remarks).filter((key) => key.startsWith('sucker.bot.expect'))
    expect(words.length).toBeGreaterThan(10)
    for (const key of words) expect(owedBy(1, message(key, { to: 1, pile: 0 })), key).not.toBe(null)
  })
})

describe('a broken promise to save somebody', () => {
  const promise = { id: 'p', kind: 'save', by: 0, to: [2] } as unknown as PromiseInfo
  const broken: Step[number] = ['promise.broken', { seat: 0, promise: 'p' }]

  test('says whom it put out', () => {
    const seen = after([['refused', { seat: 0 }], ['fell', { seat: 2 }], broken])
    expect(putOut(seen, promise)).toBe('Breaking it knocked Cy out.')
    expect(putOut({ ...seen, seat: 2 } as unknown as TableView, promise)).toBe('Breaking it knocked you out.')
  })

  test('says nothing if nobody fell by it', () => {
    expect(putOut(after([['rescued', { seat: 2 }], broken]), promise)).toBeNull()
    expect(putOut(after([broken], [['fell', { seat: 2 }]]), promise)).toBeNull()
    expect(putOut(after([['fell', { seat: 3 }], broken]), promise)).toBeNull()
    expect(putOut(after([['fell', { seat: 2 }], broken]), { ...promise, kind: 'pass_move' })).toBeNull()
  })
})

describe('one’s own elimination', () => {
  /** Why Bo, seat 1, is out after these lines; null if Bo is not. */
  const why = (...lines: Step): string | null => {
    const seen = after(...lines.map((line) => [line]))
    const fall = fallOf(seen.state.lines, 1)
    return fall && read(fallPieces(fall))
  }
  const read = (sentences: ReturnType<typeof fallPieces>): string =>
    sentences.map((each) => piecesText({ ...view, seat: 1 } as TableView, each)).join(' ')
  /** What follows for Bo, seat 1, in this phase of the first round. */
  const next = (rounds: number, mover: number | null, out: readonly number[], ally?: number): string =>
    read(
      nextPieces(
        {
          stage: { mover },
          match: { rounds, results: mover === null ? [{ out, rows: [[0], [1]] }] : [] },
          ...(ally === undefined ? {} : { mine: { ally } }),
        } as unknown as Sections,
        1,
      ),
    )
  const needy: Step[number] = ['needy', { seat: 1 }]
  const fell: Step[number] = ['fell', { seat: 1 }]

  test('says who gave the turn, and who did not help', () => {
    expect(
      why(
        ['gave', { seat: 2, other: 1 }],
        needy,
        ['refused', { seat: 0 }],
        ['relented', { seat: 0 }],
        ['refused', { seat: 2 }],
        ['refused', { seat: 1 }],
        ['autoRefused', { seats: [0] }],
        fell,
        ['back', { seat: 2 }],
        ['gave', { seat: 2, other: 3 }],
      ),
    ).toBe('Cy gave you the turn, and you had no chips. Cy and Ann could have saved you, but did not.')
  })

  test.each([
    [['only', { seat: 2, other: 1 }], 'Only your colour was missing, so the turn was yours'],
    [['forced', { seat: 1 }], 'The pile gave you the turn'],
    [['back', { seat: 1 }], 'The turn went back to you'],
    [['kept', { seat: 1 }], 'You kept the turn'],
    [['killedPrisoners', { seat: 1, colour: 2, count: 1 }], 'It was your turn'],
  ] as const)('after %j says how the turn came', (line, said) => {
    expect(why(['gave', { seat: 2, other: 1 }], ['forced', { seat: 0 }], [...line], fell)).toMatch(
      new RegExp(`^${said}, and you had no chips( left)?. Nobody had a prisoner to save you with.$`),
    )
  })

  test('says nothing about help if the lines before it are gone', () => {
    expect(why(fell)).toBe('You had the turn but no chips.')
    expect(why(['refused', { seat: 2 }], fell)).toBe('You had the turn but no chips.')
    expect(why(needy, ['refused', { seat: 2 }], fell)).toBe(
      'You had the turn but no chips. Cy could have saved you, but did not.',
    )
    expect(why(['began', { round: 1, seat: 0 }], fell)).toBe(
      'You had the turn but no chips. Nobody had a prisoner to save you with.',
    )
  })

  test('stands on the stage until the next move', () => {
    const fate = (...steps: Step[]): string | null => fallNews(after(...steps).state.lines, 1)
    const refused: Step = [['autoRefused', { seats: [0] }], fell, ['back', { seat: 2 }]]
    const said = 'You are out: nobody helped.'
    expect(fate([needy], refused)).toBe(said)
    expect(fate([needy], refused, [['promise.made', { promise: 'p' }]])).toBe(said)
    expect(fate([needy], refused, [['gave', { seat: 2, other: 3 }]])).toBe(null)
    expect(fate([['forced', { seat: 1 }], fell])).toBe('You are out: nobody could help.')
    expect(fate([fell])).toBe(null)
  })

  test('has consequences that do not depend on the log', () => {
    expect(read(fallPieces(null))).toBe('')
    expect(next(1, 0, [1])).toBe('You can no longer win.')
    expect(next(1, 0, [1], 2)).toMatch(/^You can no longer win: Cy, your ally, could only/)
    expect(next(2, 0, [1])).toMatch(
      /^You can no longer win this round\. You get new chips in the next round\.$/,
    )
    expect(next(1, null, [1, 2, 3])).toMatch(/^Of those eliminated, only the last one can win/)
    expect(next(1, null, [2, 3, 1])).toBe('')
    expect(next(2, null, [2, 3, 1])).toBe('You get new chips in the next round.')
  })

  test('is over with the round', () => {
    expect(why(needy, fell, ['began', { round: 2, seat: 0 }])).toBe(null)
    expect(why(needy, ['rescued', { seat: 1 }], ['fell', { seat: 2 }])).toBe(null)
  })

  test('is told as such in the log', () => {
    const seen = { ...after([fell], [['fell', { seat: 2 }]]), seat: 1 } as TableView
    expect(seen.state.lines.map((line) => lineText(seen, line))).toEqual([
      'You were eliminated. So long, sucker.',
      'Cy was eliminated. So long, sucker.',
    ])
  })
})

describe('the secret row', () => {
  test('begins with the enemy and ends with the ally', () => {
    expect([2, 0, 4, 1].map((_, place, row) => standing(row, place))).toEqual([
      'enemy',
      'neutral',
      'neutral',
      'ally',
    ])
  })
})

describe('the form of a new table', () => {
  test('asks nothing about blackmail or a next round where there is none', () => {
    const prompted = (values: Readonly<Record<string, unknown>>): readonly string[] =>
      ['blindAlly', 'blackmailFaces', 'selfBlackmail', 'deadCards', 'firstPlayer', 'chipAdjust'].filter(
        (option) => matters(option, values),
      )
    expect(prompted({ blackmail: true, rounds: 3, blindAlly: true })).toHaveLength(6)
    expect(prompted({ blackmail: false, rounds: 1, blindAlly: false })).toEqual(['blindAlly'])
    expect(prompted({ blackmail: false, rounds: 3, blindAlly: false })).toEqual(['blindAlly', 'firstPlayer'])
  })
})
