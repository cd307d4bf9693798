/** Which changes move something, and what travels where. */
import { describe, expect, test } from 'vitest'
import { changesBoard, followsByFrame } from '../../src/app/movement.svelte.ts'
import { flightsOf as cardFlights } from '../../src/games/shares/flights.ts'
import { flightsOf as chipFlights } from '../../src/games/sucker/flights.ts'
import type { TableState } from '../../src/sdk/table.ts'
import type { SuckerPileView } from '../../src/sdk/wire.gen.ts'
import { endOf } from './playthrough.ts'

const state = (sections: Readonly<Record<string, unknown>>): TableState => ({ sections }) as TableState

describe('a change', () => {
  const [table, board, windows] = [{}, {}, {}]
  const before = state({ table, board, windows })

  test('follows by one frame if it keeps a section; a full view replaces them all', () => {
    expect(followsByFrame(before, state({ table, board: {}, windows: {} }))).toBe(true)
    expect(followsByFrame(before, state({ table: {}, board: {}, windows: {} }))).toBe(false)
    expect(followsByFrame(state({}), before)).toBe(false)
  })

  test('concerns the board unless it changes only what is beside it', () => {
    expect(changesBoard(before, state({ table, board, windows: {} }))).toBe(false)
    expect(changesBoard(before, state({ table, board, windows, readiness: {} }))).toBe(false)
    expect(changesBoard(before, state({ table, board: {}, windows }))).toBe(true)
    expect(changesBoard(before, state({ table, windows }))).toBe(true)
  })
})

describe('chips', () => {
  const { stage } = endOf('sucker', 'original').sections
  const board = (
    mover: number | null,
    chips: readonly (readonly number[])[],
    dead: readonly number[],
    ...piles: readonly (readonly number[])[]
  ): Parameters<typeof chipFlights>[0] => ({
    stage: { ...stage, mover },
    hands: { chips, dead },
    piles: {
      piles: piles.flatMap((pile, id) =>
        pile.length === 0 ? [] : [{ id, chips: pile } as unknown as SuckerPileView],
      ),
      fresh: [],
    },
  })
  const [none, all] = [
    [0, 0],
    [
      [3, 0],
      [1, 3],
    ],
  ]

  test('travel from the hand of the seat that had the turn to the pile', () => {
    const opened = board(
      1,
      [
        [3, 0],
        [0, 3],
      ],
      none,
      [0],
    )
    expect(chipFlights(board(1, all, none), opened)).toEqual([
      { from: ['hand:1:0', 'hand:1'], to: ['pile:0'], shows: 'hand:1:0' },
    ])
    expect(
      chipFlights(
        opened,
        board(
          0,
          [
            [3, 0],
            [0, 2],
          ],
          none,
          [0, 1],
        ),
      ),
    ).toMatchObject([{ from: ['hand:1:1', 'hand:1'], to: ['pile:0'] }])
  })

  test('travel from a captured pile to the captor, or to the dead', () => {
    const before = board(
      0,
      [
        [1, 0],
        [0, 1],
      ],
      none,
      [0, 0, 1],
      [1],
    )
    expect(
      chipFlights(
        before,
        board(
          0,
          [
            [2, 1],
            [0, 1],
          ],
          [1, 0],
          [],
          [1],
        ),
      ),
    ).toEqual([{ from: ['pile:0'], to: ['hand:0'], shows: 'pile:0' }])
    expect(
      chipFlights(
        before,
        board(
          0,
          [
            [1, 0],
            [0, 1],
          ],
          [2, 1],
          [],
          [1],
        ),
      ),
    ).toEqual([{ from: ['pile:0'], to: ['dead'], shows: 'pile:0' }])
  })

  test('travel from one hand to another, or to the dead, when they are given away or killed', () => {
    const before = board(0, all, none)
    expect(
      chipFlights(
        before,
        board(
          0,
          [
            [4, 0],
            [0, 3],
          ],
          none,
        ),
      ),
    ).toEqual([{ from: ['hand:1:0', 'hand:1'], to: ['hand:0:0', 'hand:0'], shows: 'hand:1:0' }])
    expect(
      chipFlights(
        before,
        board(
          0,
          [
            [3, 0],
            [0, 3],
          ],
          [1, 0],
        ),
      ),
    ).toEqual([{ from: ['hand:1:0', 'hand:1'], to: ['dead'], shows: 'hand:1:0' }])
    expect(chipFlights(before, board(1, all, none))).toEqual([])
  })
})

describe('cards', () => {
  const { sections } = endOf('shares', 'short')
  type Board = Parameters<typeof cardFlights>[0]
  const board = (over: {
    readonly cards: readonly number[]
    readonly deck: number
    readonly discard?: Board['piles']['discard']
    readonly played?: Board['scene']['played']
  }): Board => ({
    stage: { ...sections.stage, active: 1 },
    scene: { ...sections.scene, played: over.played ?? [] },
    recent: { ...sections.recent, played: null },
    players: { ...sections.players, cards: over.cards },
    piles: { deck: over.deck, discard: over.discard ?? [] },
  })
  const before = board({ cards: [3, 3], deck: 9 })

  test('travel from a hand to the middle of the table', () => {
    const played = [{ card: 'KH', seat: 1, free: false } as const]
    expect(cardFlights(before, board({ cards: [3, 2], deck: 9, played }))).toEqual([
      { from: ['card:KH', 'seat:1'], to: ['played:KH'], shows: 'played:KH', arrives: true },
    ])
  })

  test('travel to the Discard Pile if they are not played', () => {
    expect(cardFlights(before, board({ cards: [3, 2], deck: 9, discard: ['2S'] }))).toEqual([
      { from: ['card:2S', 'seat:1'], to: ['discard'], shows: 'discard', arrives: true },
    ])
  })

  test('travel from the Draw Deck, or from another player', () => {
    expect(cardFlights(before, board({ cards: [4, 5], deck: 6 }))).toMatchObject([
      { from: ['deck'], to: ['seat:0'] },
      { from: ['deck'], to: ['seat:1'] },
    ])
    expect(cardFlights(before, board({ cards: [4, 2], deck: 9 }))).toMatchObject([
      { from: ['seat:1'], to: ['seat:0'] },
    ])
    expect(cardFlights(before, before)).toEqual([])
  })
})
