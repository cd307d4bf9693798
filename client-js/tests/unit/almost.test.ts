/** Almost's client: what a bot asks of somebody, and the phrases that still fit. */
import { describe, expect, test } from 'vitest'
import type { TableView } from '../../src/app/tableview.svelte.ts'
import { client } from '../../src/games/almost/client.ts'
import { releasablePromises } from '../../src/games/almost/selectors.ts'
import type { PromiseInfo, TalkMessage } from '../../src/sdk/wire.gen.ts'

/** A table in the second of four rounds, which began at 100, as seat 0 sees it. */
const at = (changes: Record<string, unknown> = {}): TableView =>
  ({
    seat: 0,
    state: { lines: [[1, 'almost.round', { round: 2, rounds: 4 }, 100]], talk: [] },
    section: () => undefined,
    gameSection: (_: string, name: string) =>
      name === 'stage' ? { phase: 'discuss', round: 2, rounds: 4, ...changes } : undefined,
  }) as unknown as TableView

const said = (phrase: string, args: Record<string, number>, when = 200): TalkMessage =>
  ({
    channel: 'table',
    at: when,
    name: '',
    seat: 3,
    bot: true,
    phrase: `almost.bot.${phrase}.1`,
    args,
  }) as unknown as TalkMessage

describe('what a bot asks for its number', () => {
  const owed = (view: TableView, message: TalkMessage): unknown => client.owed?.(view, message)

  test('is offered as a promise to it, for the next round', () => {
    const half = { kind: 'bid', terms: { number: 1, round: 3 }, to: [3] }
    expect(owed(at(), said('askTurn', { to: 0, number: 2 }))).toEqual(half)
    expect(owed(at(), said('pitchTrade', { to: 0, number: 10 }))).toEqual(half)
  })

  test('is no longer offered in another round, in the last one, or to somebody else', () => {
    expect(owed(at(), said('askTurn', { to: 0, number: 2 }, 50))).toBe(null)
    expect(owed(at({ round: 4 }), said('askTurn', { to: 0, number: 2 }))).toBe(null)
    expect(owed(at({ phase: 'reveal' }), said('askTurn', { to: 0, number: 2 }))).toBe(null)
    expect(owed(at(), said('askTurn', { to: 1, number: 2 }))).toBe(null)
    expect(owed(at(), said('yesTurn', { to: 0, number: 2 }))).toBe(null)
  })
})

test('once the game is over, nobody is offered to talk of what comes next', () => {
  const fits = (phase: string): string =>
    ['followPlan', 'yourTurnNext', 'promiseMe', 'wellPlayed', 'thanks']
      .filter((key) => client.fits?.(at({ phase }), `almost.say.${key}`))
      .join(' ')
  expect(fits('discuss')).toBe('followPlan yourTurnNext promiseMe wellPlayed thanks')
  expect(fits('end')).toBe('wellPlayed thanks')
})

describe('the promises that backing a plan helps to release', () => {
  const plan = { bids: [10, 1, 1], behind: [2] }
  /** Seat 1 has backed another plan since, and seat 2 this one. */
  const backings = [0, 3, 2]
  const made: PromiseInfo = {
    id: 'a',
    by: 0,
    kind: 'bid',
    terms: { number: 1, round: 1 },
    at: 0,
    to: [1],
  }

  test.each<[string, Partial<PromiseInfo>]>([
    ['to pick another number', {}],
    ['not to pick that number', { kind: 'avoid', terms: { number: 10, round: 1 } }],
    ['to everybody', { to: [] }],
    ['which another backing came before', { to: [], terms: { number: 1, round: 1, backed: 1 } }],
    ['to this seat alone', { terms: { number: 1, round: 1, backed: 2 } }],
  ])('%s', (_what, change) => {
    const promise = { ...made, ...change }
    expect(releasablePromises(plan, backings, 1, 1, [promise])).toEqual([promise])
  })

  test.each<[string, Partial<PromiseInfo>]>([
    ['that the plan keeps', { terms: { number: 10, round: 1 } }],
    ['not to pick another number', { kind: 'avoid' }],
    ['about another round', { terms: { number: 1, round: 2 } }],
    ['to another seat', { to: [2] }],
    ['of this seat', { by: 1, to: [], terms: { number: 7, round: 1 } }],
    ['that are judged', { judgement: 'kept' }],
    ['to everybody, if another backs it since before', { to: [], terms: { number: 1, round: 1, backed: 2 } }],
    [
      'to both, if the other backs it since before',
      { to: [1, 2], terms: { number: 1, round: 1, backed: 2 } },
    ],
  ])('but none %s', (_what, change) => {
    expect(releasablePromises(plan, backings, 1, 1, [{ ...made, ...change }])).toEqual([])
  })
})
