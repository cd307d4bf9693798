/** Every game's ending: the closest moment and what decided it, in finished games. */
import { describe, expect, test } from 'vitest'
import { leadingSince, runnersUp, type Ending } from '../../src/app/endings.ts'
import { callsYou, piecesText } from '../../src/app/table/lines.ts'
import type { TableView } from '../../src/app/tableview.svelte.ts'
import { endingOf as endAlmost } from '../../src/games/almost/ending.ts'
import { wordsOf } from '../../src/games/almost/honesty.ts'
import { endingOf as endShares } from '../../src/games/shares/ending.ts'
import { endingOf as endSubdivision } from '../../src/games/subdivision/ending.ts'
import { endingOf as endSucker } from '../../src/games/sucker/ending.ts'
import { endingOf as endTakeover } from '../../src/games/takeover/ending.ts'
import type { AlmostRow, SuckerDeed, SuckerMatch, SuckerResult } from '../../src/sdk/wire.gen.ts'
import { endOf } from './playthrough.ts'

const NAMES = ['Ann', 'Bo', 'Cy', 'Dee', 'Eve', 'Fay']
const view = { nameOf: (seat: number) => NAMES[seat] ?? '' } as unknown as TableView

/** The closest moment and what decided the game, as text. */
function sentences({ closest, decided }: Ending): readonly (string | null)[] {
  return [closest, decided].map((pieces) => pieces && piecesText(view, pieces))
}

describe('scores', () => {
  test('have runners-up with a margin, unless everybody won', () => {
    expect(runnersUp([7, 9, 7, 2], [1])).toEqual({ seats: [0, 2], margin: 2 })
    expect(runnersUp([5, 5], [0, 1])).toBeNull()
  })

  test('are led since the first of the last rounds in which exactly the winners led', () => {
    const standings = [
      [1, 0],
      [1, 1],
      [1, 2],
      [1, 3],
    ]
    expect(leadingSince(standings, [1])).toBe(3)
    expect(leadingSince(standings.slice(0, 2), [0, 1])).toBe(2)
    expect(leadingSince(standings.slice(0, 1), [0])).toBe(1)
    expect(leadingSince(standings, [0])).toBeNull()
  })
})

describe('Almost', () => {
  const finished = (name: string): readonly (string | null)[] => {
    const { sections, winners } = endOf('almost', name)
    return sentences(endAlmost(sections, winners))
  }
  /** Rounds to a target of ten; the winner of each is the seat alone with the lowest number. */
  const target = (rounds: readonly (readonly [bids: readonly number[], winner: number | null])[]): Ending => {
    const rows = rounds.map(([bids, winner]): AlmostRow => ({
      bids,
      winner,
      missed: [],
      promised: bids.map(() => null),
    }))
    const points = (rows[0]?.bids ?? []).map((_, seat) =>
      rows.reduce((sum, row) => sum + (row.winner === seat ? (row.bids[seat] ?? 0) : 0), 0),
    )
    const { sections } = endOf('almost', 'bots')
    const winners = [...points.keys()].filter((seat) => (points[seat] ?? 0) >= 10)
    return endAlmost({ stage: sections.stage, score: { ...sections.score, rows, points } }, winners)
  }

  test('names how narrowly the last winner made it, and the round in which they did', () => {
    expect(finished('almost')).toEqual([null, 'Ann reached 10 points by picking 10 in round 1.'])
    expect(finished('bots')).toEqual([null, 'Ann reached 10 points by picking 10 in round 3.'])
  })

  test('names the clash that cost somebody the game', () => {
    expect(finished('banbury_bots')).toEqual([
      'Ann, Bo, and Cy finished level.',
      'Ann, Bo, and Cy led from round 3 to the end.',
    ])
    expect(sentences(target([[[4, 4, 10], 2]]))[0]).toBeNull()
    expect(
      sentences(
        target([
          [[1, 2, 3], 0],
          [[9, 10, 10], 0],
        ]),
      )[0],
    ).toBeNull() // Ann’s 10 points are what decided it
    expect(
      sentences(
        target([
          [[4, 9, 10], 0],
          [[6, 6, 7], 2],
        ]),
      )[0],
    ).toBe('In round 2, Ann and Bo both picked 6. If only Ann had picked it, Ann would have won the game.')
  })

  test('of a Banbury says who was a round ahead, and since when', () => {
    expect(finished('away')).toEqual([
      'Ann won just 1 round more than Cy.',
      'Ann led from round 3 to the end.',
    ])
  })

  test('that nobody won says how far they fell short, and why', () => {
    expect(
      sentences(
        target([
          [[3, 3, 3], null],
          [[9, 10, 10], 0],
        ]),
      ),
    ).toEqual([
      'Ann fell just 1 point short of 10.',
      'In 1 of 2 rounds, no number was unique, so nobody scored.',
    ])
    expect(
      sentences(
        target([
          [[3, 5, 9], 0],
          [[5, 3, 9], 1],
        ]),
      ),
    ).toEqual([null, 'Nobody got further than 3 of 10 points.'])
    expect(
      sentences(
        target([
          [[3, 5, 9], 0],
          [[8, 4, 8], 1],
          [[9, 5, 9], 1],
        ]),
      ),
    ).toEqual(['Bo fell just 1 point short of 10.', null]) // how far the best got is said with that
  })

  test('lists the plans that seats backed with others, unless the clock chose', () => {
    const row = { bids: [1, 9, 4, 2], winner: 0, missed: [2], promised: [1, 10, 1, null] }
    const words = wordsOf([row])
    expect(words.map(({ by, kept }) => [by, kept])).toEqual([
      [0, true],
      [1, false],
    ])
    expect(words.map(({ pieces }) => piecesText(view, pieces))).toEqual([
      'Round 1: backed a plan with 1, and picked it. Kept.',
      'Round 1: backed a plan with 10, but picked 9. Broken.',
    ])
  })

  test('of one round, and of a game without any points', () => {
    const { sections } = endOf('almost', 'away')
    const row = (bids: readonly number[], winner: number | null): AlmostRow => ({
      bids,
      winner,
      missed: [],
      promised: [null, null],
    })
    const one = { ...sections.score, rows: [row([3, 5], 0)], wins: [1, 0] }
    expect(sentences(endAlmost({ stage: sections.stage, score: one }, [0]))).toEqual([
      'Ann won just 1 round more than Bo.',
      'There was one round, and it went to Ann.',
    ])
    const level = { ...sections.score, rows: [row([3, 3], null)], wins: [0, 0] }
    expect(sentences(endAlmost({ stage: sections.stage, score: level }, [0, 1]))).toEqual([
      'Ann and Bo finished level.',
      'In 1 of 1 rounds, no number was unique, so nobody scored.',
    ])
  })
})

describe('Share and Share Alike', () => {
  const finished = (name: string): readonly (string | null)[] => {
    const { sections, winners } = endOf('shares', name)
    return sentences(endShares(sections.reckoning, winners, sections.decisive_floor))
  }

  test('names the margin, and the company that made most of it', () => {
    expect(finished('short')).toEqual([
      'Cy finished 166 points ahead of Bo. No single floor would have changed who won.',
      'Anchor: Cy held its only share, worth 1,000 points.',
    ])
    expect(finished('return')).toEqual([
      'Fay finished 125 points ahead of Dee. No single floor would have changed who won.',
      'Anchor: Fay held 2 of its 4 shares and Dee held 1, a difference of 225 points.',
    ])
  })

  test('says none rather than 0 of shares', () => {
    const { sections } = endOf('shares', 'return')
    const { reckoning } = sections
    const seats = reckoning.seats.map((seat, index) =>
      index === 3 ? { ...seat, tracker: { ...seat.tracker, holdings: [0, 0, 0, 0, 0] } } : seat,
    )
    expect(sentences(endShares({ ...reckoning, seats }, [5]))[1]).toMatch(/shares and Dee held none, /)
  })

  test('names the one floor that would have changed who won', () => {
    const { sections } = endOf('shares', 'short')
    const closest = (floor: typeof sections.decisive_floor, winners: readonly number[]): string | null =>
      sentences(endShares(sections.reckoning, winners, floor))[0] ?? null
    expect(closest({ company: 'B', change: 1, winners: [1] }, [2])).toBe(
      'Cy finished 166 points ahead of Bo. With one more floor on Beacon, Bo would have won.',
    )
    expect(closest({ company: 'D', change: -1, winners: [0, 1] }, [2])).toMatch(
      /With one fewer floor on Dynamo, Ann and Bo would have won\.$/,
    )
    expect(closest({ company: 'A', change: -1, winners: [1] }, [1, 2])).toMatch(
      /^Bo and Cy finished exactly level.* Bo would have won alone\.$/,
    )
    expect(closest({ company: 'A', change: -1, winners: [0, 1] }, [0, 1, 2])).toMatch(
      /With one fewer floor on Anchor, only Ann and Bo would have won\.$/,
    )
    expect(closest({ company: 'A', change: -1, winners: [0, 1] }, [1, 2])).toMatch(
      /With one fewer floor on Anchor, Ann and Bo would have won\.$/,
    )
  })

  test('subtracts the scores that are shown, and calls equal scores level', () => {
    const { sections } = endOf('shares', 'return')
    const { reckoning } = sections
    const scored = (...scores: number[]): typeof reckoning => ({
      ...reckoning,
      seats: reckoning.seats.slice(0, scores.length).map((seat, index) => ({
        ...seat,
        score: scores[index] ?? 0,
      })),
    })
    expect(reckoning.over).toBe(9)
    const margin = (...scores: number[]): string | null | undefined =>
      sentences(endShares(scored(...scores), [0]))[0]
    expect(margin(4200, 3900)).toBe('Ann finished 34 points ahead of Bo.') // 466.67 and 433.33: 467 and 433
    expect(margin(9006, 9000)).toBe('Ann finished just 1 point ahead of Bo.')
    expect(margin(900, 899)).toBe('Ann finished 0.11 points ahead of Bo.')
    expect(sentences(endShares(scored(900, 900), [0, 1]))).toEqual([
      'Ann and Bo finished exactly level, on 100 points.',
      null,
    ])
  })
})

describe('Subdivision', () => {
  const finished = (name: string): readonly (string | null)[] => {
    const { sections, winners } = endOf('subdivision', name)
    return sentences(endSubdivision(sections, winners))
  }

  test.each([
    [
      'full_stash',
      'With 6 pyramids left, Ann’s 1 on b3 put Ann ahead for good.',
      'Crowding: Ann lost 2 to it, and Bo lost 4.',
    ],
    [
      'four_seats',
      'With 3 pyramids left, Bo’s 1 on d4 put Bo ahead for good.',
      'Groups: Bo paid for 2, and Cy paid for 3.',
    ],
    [
      'dead_end',
      'The last pyramid decided it: Ann’s 3 on b5 put Ann ahead.',
      'Building: Ann’s pyramids scored 18, and Bo’s 15.',
    ],
    ['ring_group', null, 'Private parks: Bo scored 6 points from them, and Ann scored 0.'],
    ['anywhere', null, null], // Ann and Bo win together
  ])('%s', (name, closest, decided) => {
    expect(finished(name)).toEqual([closest, decided])
  })

  test('speaks to the winner, and calls the moment a turning point', () => {
    const { sections, winners } = endOf('subdivision', 'full_stash')
    const ending = endSubdivision(sections, winners, 0)
    expect(sentences(ending)).toEqual([
      'With 6 pyramids left, your 1 on b3 put you ahead for good.',
      'Crowding: you lost 2 to it, and Bo lost 4.',
    ])
    expect(sentences(endSubdivision(sections, winners, 1))).toEqual([
      'With 6 pyramids left, Ann’s 1 on b3 put Ann ahead for good.',
      'Crowding: Ann lost 2 to it, and you lost 4.',
    ])
    expect(ending.turned).toBe(true)
  })

  test('names every part of the score in which the winner was as far ahead', () => {
    const { sections } = endOf('subdivision', 'anywhere')
    const totals = [
      { pips: 18, groups: 2, crowded: 1, gardens: 0, total: 15 },
      { pips: 18, groups: 3, crowded: 2, gardens: 0, total: 13 },
    ]
    const close = { ...sections, score: { ...sections.score, totals } }
    expect(sentences(endSubdivision(close, [0]))[1]).toBe(
      'Small margins: one point each from groups and crowding.',
    )
  })
})

describe('Takeover', () => {
  const finished = (name: string): readonly (string | null)[] => {
    const { sections, winners } = endOf('takeover', name)
    return sentences(endTakeover(sections.reckoning, winners))
  }

  test.each([
    ['shown', 'Ann finished 5 ahead of Bo.', 'Cash: Ann kept 27, and Bo kept 20.'],
    ['takeover', 'Bo finished 5 ahead of Ann.', 'Stocks: Bo’s were worth 13, and Ann’s 10.'],
    ['untimed', 'Ann and Bo finished level on 30.', 'Ann had 1 more in cash, and Bo had 1 more in stocks.'],
  ])('%s', (name, closest, decided) => {
    expect(finished(name)).toEqual([closest, decided])
  })

  test('of two who are equal in stocks and in cash says so', () => {
    const coins = [{ name: 'A5', stock: false, worth: 5 } as const]
    const { reckoning } = endOf('takeover', 'untimed').sections
    expect(sentences(endTakeover({ ...reckoning, hands: [coins, coins], totals: [5, 5] }, [0, 1]))).toEqual([
      'Ann and Bo finished level on 5.',
      'Nothing did: Ann and Bo had the same in stocks, and the same in cash.',
    ])
  })

  test('names the stock that grew most', () => {
    const cash = { name: 'A5', stock: false, worth: 5 } as const
    const hands = [
      [cash, { name: 'S2', stock: true, worth: 2 } as const, { name: 'C1', stock: true, worth: 6 } as const],
      [cash, { name: 'M4', stock: true, worth: 4 } as const],
    ]
    expect(sentences(endTakeover({ hands, totals: [13, 9], spent: [] }, [0]))).toEqual([
      'Ann finished 4 ahead of Bo.',
      'Crowns 1: mergers took it from 1 to 6, and Ann held its stock.',
    ])
  })

  test('names it although the other had more in stocks, if without its growth the lead was gone', () => {
    const hands = [
      [{ name: 'A5', stock: false, worth: 5 } as const, { name: 'C5', stock: true, worth: 7 } as const],
      [{ name: 'M1', stock: false, worth: 1 } as const, { name: 'M4', stock: true, worth: 10 } as const],
    ]
    expect(sentences(endTakeover({ hands, totals: [12, 11], spent: [] }, [0]))[1]).toBe(
      'Crowns 5: mergers took it from 5 to 7, and Ann held its stock.',
    )
  })
})

describe('So Long Sucker', () => {
  const result = (over: Partial<SuckerResult>): SuckerResult => ({
    first: 0,
    chips: [7, 7, 7, 7],
    survivor: 0,
    out: [3, 2, 1],
    winners: [0],
    rows: [],
    deck: [],
    change: [0, 0, 0, 0],
    ...over,
  })
  const match = (rounds: number, ...results: readonly SuckerResult[]): SuckerMatch => ({
    rounds,
    points: [0, 1, 2, 3].map((seat) => results.filter(({ winners }) => winners.includes(seat)).length),
    chips: [7, 7, 7, 7],
    results,
  })

  test('names the fewest chips the survivor came through with, and the last to fall', () => {
    const { sections, winners } = endOf('sucker', 'original')
    expect(sentences(endSucker(sections.match, sections.history.deeds, winners))).toEqual([
      'Dee had no chips left after move 31, and still outlived everybody.',
      'Cy and Ann had no chips when the turn came to them, one after the other, before it came to Dee.',
    ])
    const deeds: readonly SuckerDeed[] = [
      ['place', 0, 0, 0, [2, 7, 7, 7]],
      ['place', 1, 1, 0, [2, 6, 7, 7]],
      ['place', 0, 0, 0, [1, 6, 7, 7]],
      ['capture', 0, null, 0, [3, 6, 7, 7]],
    ]
    expect(sentences(endSucker(match(1, result({})), deeds, [0]))[0]).toBe(
      'Ann was down to 2 chips after move 1, and still outlived everybody.',
    ) // the chip that captures brings the others
    const ahead = deeds.map(([what, seat, colour, pile]): SuckerDeed => [
      what,
      seat,
      colour,
      pile,
      [2, 0, 0, 0],
    ])
    expect(sentences(endSucker(match(1, result({})), ahead, [0]))[0]).toBeNull()
    expect(sentences(endSucker(match(1, result({})), null, [0]))[0]).toBeNull()
  })

  test('tells how the others went out', () => {
    const won = match(1, result({}))
    const steps = (...seats: readonly number[]): readonly SuckerDeed[] => [
      ['fall', 3, null, null, [0, 1, 1, 0]],
      ['place', 1, 1, 0, [0, 0, 1, 0]],
      ...seats.map((seat): SuckerDeed => ['fall', seat, null, null, [0, 0, 0, 0]]),
    ]
    const told = (deeds: readonly SuckerDeed[], viewer: number | null, helper = false): unknown =>
      sentences(endSucker(won, deeds, [0], viewer, helper))[1]
    expect(told(steps(2, 1), null)).toBe(
      'Cy and Bo had no chips when the turn came to them, one after the other, before it came to Ann.',
    )
    expect(told(steps(2, 1), 0)).toMatch(/before it came to you\.$/)
    expect(told(steps(2, 1), 1)).toBe(
      'Cy and you had no chips when the turn came, one after the other, before it came to Ann.',
    )
    expect(told(steps(2, 1), 2)).toBe(told(steps(2, 1), null))
    expect(told(steps(1), null)).toBe('Bo had the turn but no chips, and nobody could help.')
    expect(told(steps(1), 1)).toBe('You had the turn but no chips, and nobody could help.')
    expect(told(steps(1), null, true)).toBe('Bo had the turn but no chips, and Ann did not help.')
    expect(told(steps(1), 0, true)).toBe('Bo had the turn but no chips, and you did not help.')
    expect(told(steps(1), 1, true)).toBe('You had the turn but no chips, and Ann did not help.')
  })

  test('tells whose enemy and ally the last to fall was', () => {
    const decided = (winners: readonly number[]): string | null | undefined =>
      sentences(endSucker(match(1, result({ winners })), null, winners))[1]
    expect(decided([0, 1])).toBe('Bo was eliminated last, but Ann was Bo’s ally, so both won.')
    expect(decided([])).toBe('Ann outlived Bo, but Bo was Ann’s enemy, so nobody won.')
    expect(decided([1])).toBe('Ann outlived Bo, Ann’s enemy. But Ann was Bo’s ally, so Bo won.')
    const told = (viewer: number, winners: readonly number[]): string | null | undefined =>
      sentences(endSucker(match(1, result({ winners })), null, winners, viewer))[1]
    expect(told(0, [0, 1])).toBe('Bo was eliminated last, but you were their ally, so both of you won.')
    expect(told(1, [0, 1])).toBe('You were eliminated last, but Ann was your ally, so both of you won.')
    expect(told(1, [])).toBe('Ann outlived you, but you were Ann’s enemy, so nobody won.')
    expect(told(2, [])).toBe(decided([]))
  })

  test('of several rounds names the lead, and the round after which nobody could catch up', () => {
    const [ann, bo, none] = [result({}), result({ winners: [1] }), result({ winners: [] })]
    expect(sentences(endSucker(match(4, ann, bo, ann, none), null, [0]))).toEqual([
      'Ann won just 1 round more than Bo.',
      'The match was open until the last round, and went to Ann.',
    ])
    expect(sentences(endSucker(match(3, ann, ann, bo), null, [0]))).toEqual([
      'Ann won just 1 round more than Bo.',
      'After round 2 of 3, nobody could catch Ann any more.',
    ])
    expect(sentences(endSucker(match(2, ann, bo), null, [0, 1]))).toEqual([
      'Ann and Bo finished level, with 1 round each.',
      'The match was open until the last round, and went to Ann and Bo.',
    ])
    expect(sentences(endSucker(match(2, none, none), null, []))).toEqual([
      null,
      'Nobody won any of the 2 rounds.',
    ])
  })
})

test('a game without a result has no ending', () => {
  const { sections } = endOf('takeover', 'shown')
  expect(endTakeover(sections.reckoning, [])).toEqual({ closest: null, decided: null })
})

test('"you" stands for the name of whoever reads it only where it fits', () => {
  const seat = { name: 'seat', value: 0 }
  expect(callsYou([seat, { text: ' finished ahead.' }], 0)).toBe('start')
  expect(callsYou([{ text: 'Cash: ' }, seat, { text: ' kept 5.' }], 1)).toBe('within')
  expect(callsYou([{ text: 'It was close. ' }, seat, { text: ' led.' }], 1)).toBe('start')
  expect(callsYou([{ text: 'Stocks: ' }, seat, { text: '’s were worth 2.' }], 1)).toBeNull()
  expect(callsYou([seat, { text: ' was eliminated last.' }], 0)).toBeNull()
  expect(callsYou([{ text: 'It went to ' }, seat], 1)).toBe('within')
})
