/** Promises in words: what breaking one brought, who broke any, and which terms stand in the sentence. */
import { readFileSync } from 'node:fs'
import { render } from 'svelte/server'
import { describe, expect, test, vi } from 'vitest'
import { hush, voice } from '../../src/app/announce.svelte.ts'
import { halfOf, promiseHalf } from '../../src/app/table/half.svelte.ts'
import PromiseHalf from '../../src/app/table/PromiseHalf.svelte'
import { breakers, decisiveIn, gainsText, promiseText } from '../../src/app/table/promises.ts'
import type { TableView } from '../../src/app/tableview.svelte.ts'
import type { Verdict } from '../../src/sdk/table.ts'
import type { Choice, PromiseInfo, TalkMessage } from '../../src/sdk/wire.gen.ts'
import { compile } from '../../build/texts.ts'

const NAMES = ['Ann', 'Bo', 'Cy']

function promise(by: number, changes: Partial<PromiseInfo> = {}): PromiseInfo {
  return {
    id: `${by}`,
    by,
    kind: 'bid',
    terms: {},
    at: 0,
    to: [],
    judgement: 'broken',
    ...changes,
  } as PromiseInfo
}

function tableOf(promises: readonly PromiseInfo[], seat: number | null = 0): TableView {
  const seats = NAMES.map((name, number) => ({ name, number, mine: number === seat }))
  const view = {
    seat,
    seats,
    game: {},
    nameOf: (number: number) => NAMES[number],
    section: () => ({ promises }),
  }
  return view as unknown as TableView
}

describe('what breaking a promise brought', () => {
  test('is how much further its maker came than those it was made to', () => {
    const view = tableOf([])
    expect(gainsText(view, promise(1, { to: [0], cost: [0, 2, 0] }))).toBe(
      'The move that broke it gained Bo 2 on Ann.',
    )
    expect(gainsText(view, promise(1, { cost: [-1, 2, 0] }))).toBe(
      'The move that broke it gained Bo 3 on Ann and 2 on Cy.',
    )
  })

  test('is not told if it brought nothing, or was not counted', () => {
    const view = tableOf([])
    expect(gainsText(view, promise(1, { to: [0], cost: [2, 2, 0] }))).toBe('')
    expect(gainsText(view, promise(1, { cost: null }))).toBe('')
  })
})

describe('who broke promises', () => {
  test('those made to this person, or to everybody, count first; a substitute’s do not', () => {
    const view = tableOf([
      promise(1, { to: [2] }),
      promise(1, { to: [2] }),
      promise(2),
      promise(2, { judgement: 'kept' }),
      promise(0, { excused: true }),
    ])
    expect(breakers(view)).toEqual([
      { seat: 2, broken: 1, toYou: 1 },
      { seat: 1, broken: 2, toYou: 0 },
    ])
  })

  test('a plan that somebody has left counts as well', () => {
    const words = [
      { by: 1, kept: false, pieces: [] },
      { by: 2, kept: true, pieces: [] },
    ]
    expect(breakers(tableOf([promise(1, { to: [0] })]), words)).toEqual([{ seat: 1, broken: 2, toYou: 1 }])
  })

  test('winners come first, whoever it was promised to', () => {
    const view = tableOf([promise(1), promise(1), promise(2, { to: [1] }), promise(0)])
    expect(breakers(view, [], [2]).map(({ seat }) => seat)).toEqual([2, 1, 0])
  })

  test('to a watcher, nothing was promised', () => {
    expect(breakers(tableOf([promise(1)], null))).toEqual([{ seat: 1, broken: 1, toYou: 0 }])
  })
})

test('a term that words depend on stands apart from the sentence', () => {
  const names = (text: string): string[] => {
    const message = compile(text)
    return typeof message === 'string' ? [] : [...decisiveIn(message)]
  }
  expect(names('{left, plural, =0 {No {square}.} other {# before {square}.}}')).toEqual(['left'])
  expect(names('If you build on {square}, I’ll build on {reply}.')).toEqual([])
})

/** How many promises of a seat the hub lets be open. */
function maxOpen(): number {
  const rules = readFileSync(new URL('../../../games/kit/promises.py', import.meta.url), 'utf8')
  return Number(/^MAX_OPEN: Final = (\d+)$/m.exec(rules)?.[1])
}

describe('one’s half of a deal with a bot', () => {
  const half = { kind: 'spare', terms: { pile: 3 }, to: [2] }
  const open = (changes: Partial<PromiseInfo>): PromiseInfo =>
    promise(0, { ...half, judgement: null, at: 4, ...changes })
  /** Whether it is offered under a message of time 5 to somebody who has made these promises. */
  const offered = (promises: readonly PromiseInfo[], mode = 'open', changes: object = {}): boolean =>
    offer(promises, mode, changes) !== null
  const choices: Choice[] = [
    { move: 'save', fields: { to: { type: 'one_of', of: [1, 2] } } },
    { move: 'spare', fields: { pile: { type: 'one_of', of: [1, 3] }, to: { type: 'one_of', of: [1, 2] } } },
  ]
  const offer = (
    promises: readonly PromiseInfo[],
    mode = 'open',
    changes: object = {},
    allowed: readonly Choice[] = choices,
  ): unknown => {
    const sections: Record<string, unknown> = { promises: { promises }, talk_policy: { mode } }
    const view = {
      seat: 0,
      acts: true,
      game: { owed: () => half },
      section: (name: string) => sections[name],
      ...changes,
    } as unknown as TableView
    return halfOf(view, { bot: true, at: 5 } as TalkMessage, allowed)
  }

  test('is offered while this person can talk', () => {
    expect(offered([])).toBe(true)
    expect(offered([], 'phrases')).toBe(true)
    expect(offered([], 'closed')).toBe(false)
    expect(offered([], 'open', { acts: false })).toBe(false)
    expect(offered([], 'open', { about: { lesson: 'first' } })).toBe(false)
    expect(offered([], 'open', { game: { owed: () => null } })).toBe(false)
  })

  test('is offered unless as many promises are open as a seat may have', () => {
    const others = Array.from({ length: maxOpen() }, (_, number) => open({ kind: `other ${number}` }))
    expect(offered(others.slice(1))).toBe(true)
    expect(offered(others)).toBe(false)
    expect(offered(others.with(0, open({ kind: 'other', judgement: 'kept' })))).toBe(true)
    expect(offered(others.with(0, open({ by: 1 })))).toBe(true)
  })

  test('is offered only if the hub lets this person promise it', () => {
    const allowed = (pile: Choice['fields'][string], to: number[], more: Choice['fields'] = {}): unknown =>
      offer([], 'open', {}, [{ move: 'spare', fields: { pile, to: { type: 'one_of', of: to }, ...more } }])
    expect(offer([], 'open', {}, [])).toBeNull()
    expect(offer([], 'open', {}, choices.slice(0, 1))).toBeNull()
    expect(allowed({ type: 'one_of', of: [1, 3] }, [1, 2])).toEqual(half)
    expect(allowed({ type: 'range', least: 1, most: 3 }, [2])).toEqual(half)
    expect(allowed({ type: 'range', least: 1, most: 2 }, [2])).toBeNull()
    expect(allowed({ type: 'one_of', of: [1, 2] }, [2])).toBeNull()
    expect(allowed({ type: 'one_of', of: [3] }, [1])).toBeNull()
    expect(offer([], 'open', {}, [{ move: 'spare', fields: { to: { type: 'one_of', of: [2] } } }])).toBeNull()
  })

  test('is for the largest number that the hub allows, if the message tells none', () => {
    const terms = (turns: Choice['fields'][string]): unknown =>
      offer([], 'open', {}, [{ move: 'spare', fields: { pile: { type: 'one_of', of: [3] }, turns } }])
    expect(terms({ type: 'range', least: 1, most: 3 })).toEqual({ ...half, terms: { pile: 3, turns: 3 } })
    expect(terms({ type: 'one_of', of: [1, 4] })).toEqual({ ...half, terms: { pile: 3, turns: 4 } })
    expect(terms({ type: 'one_of', of: ['A', 'B'] })).toBeNull()
  })

  test('is offered unless the same has been promised, to the bot or to more', () => {
    expect(offered([open({})])).toBe(false)
    expect(offered([open({ to: [] })])).toBe(false)
    expect(offered([open({ to: [1, 2] })])).toBe(false)
    expect(offered([open({ at: 5, judgement: 'kept' })])).toBe(false)
    expect(offered([open({ judgement: 'kept' })])).toBe(true)
    expect(offered([open({ to: [1] })])).toBe(true)
    expect(offered([open({ terms: { pile: 1 } })])).toBe(true)
    expect(offered([open({ kind: 'save' })])).toBe(true)
    expect(offered([open({ by: 1 })])).toBe(true)
  })
})

describe('the button under “Deal.”', () => {
  const owed = { kind: 'save', terms: {}, to: [2] }
  const sent = vi.fn<(promise: object) => Promise<Verdict>>()
  const view = {
    about: { game: 'sucker' },
    game: {},
    table: { promise: sent },
    why: ({ code }: Verdict) => `refused: ${code}`,
  } as unknown as TableView

  test('names the promise that it makes', async () => {
    promiseText(view, owed.kind, owed.terms) // has the strings loaded
    await vi.waitFor(() => expect(promiseText(view, owed.kind, owed.terms)).not.toBe('…'))
    const { body } = render(PromiseHalf, { props: { view, owed } })
    expect(body).toContain(`Make it a promise: “${promiseText(view, owed.kind, owed.terms)}”`)
    expect(body).not.toContain('disabled')
  })

  test('makes it to the bot, in front of all, and says why the hub refuses it', async () => {
    hush()
    sent.mockResolvedValueOnce({ code: null, rule: null, args: {} })
    await promiseHalf(view, owed)
    expect(sent).toHaveBeenLastCalledWith({ ...owed, private: false, told: true })
    expect(voice.notice).toBe(null)
    sent.mockResolvedValueOnce({ code: 'TOO_MANY_OPEN', rule: null, args: { most: 3 } })
    await promiseHalf(view, owed)
    expect(voice.notice?.text).toBe('refused: TOO_MANY_OPEN')
    hush()
  })
})
