/** Subdivision's board: the geometry of squares, and choices as squares. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { TableView } from '../../src/app/tableview.svelte.ts'
import { squaresNamed, squareWished } from '../../src/games/subdivision/asked.ts'
import { passNews } from '../../src/games/subdivision/news.ts'
import { fitsIn, owedBy, owedIn, repliesIn } from '../../src/games/subdivision/owed.ts'
import {
  headOf,
  keyed,
  nearest,
  outline,
  placeOf,
  screenRows,
  squareName,
  squaresNear,
  stepped,
} from '../../src/games/subdivision/grid.ts'
import { lotsOf, squaresIn, toggled } from '../../src/games/subdivision/pattern.ts'
import { changes, parkSquares, partsOf, placements, sizeFor } from '../../src/games/subdivision/selectors.ts'
import type { Choice, SubdivisionTotal, TalkMessage } from '../../src/sdk/wire.gen.ts'

const SIZES = [5, 6, 7, 8]
const every = (size: number): number[] => Array.from({ length: size * size }, (_, square) => square)
/** A square by its name. */
const at = (name: string, size: number): number =>
  every(size).find((square) => squareName(square, size) === name) ?? -1
const all = (names: string, size: number): number[] => names.split(' ').map((name) => at(name, size))

describe('names of squares', () => {
  test('go by column and row from a1 at the lower left', () => {
    expect([0, 1, 6, 35].map((square) => squareName(square, 6))).toEqual(['a1', 'b1', 'a2', 'f6'])
    expect(squareName(63, 8)).toBe('h8')
  })

  test.each(SIZES)('are all different on a board of %i', (size) => {
    expect(new Set(every(size).map((square) => squareName(square, size))).size).toBe(size * size)
  })

  test('stand with a1 at the lower left of the screen', () => {
    expect(placeOf(at('a1', 7), 7)).toEqual({ x: 0, y: 6 })
    expect(placeOf(at('g7', 7), 7)).toEqual({ x: 6, y: 0 })
    expect(screenRows(5)[0]).toEqual(all('a5 b5 c5 d5 e5', 5))
    expect(
      screenRows(5)
        .flat()
        .toSorted((a, b) => a - b),
    ).toEqual(every(5))
  })
})

describe('going from square to square', () => {
  test('goes one step, and no further than the edge', () => {
    const from = at('c3', 6)
    expect(
      [
        [-1, 0],
        [1, 0],
        [0, 1],
        [0, -1],
      ].map(([right = 0, up = 0]) => squareName(stepped(from, right, up, 6), 6)),
    ).toEqual(['b3', 'd3', 'c4', 'c2'])
    expect(stepped(at('a1', 6), -1, 0, 6)).toBe(at('a1', 6))
    expect(stepped(at('f3', 6), 1, 0, 6)).toBe(at('f3', 6))
    expect(stepped(at('f6', 6), 1, 1, 6)).toBe(at('f6', 6))
  })

  test('follows arrows, Home and End, and no other key', () => {
    const from = at('c3', 8)
    expect(
      ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End'].map((key) =>
        squareName(keyed(from, key, 8) ?? -1, 8),
      ),
    ).toEqual(['c4', 'c2', 'b3', 'd3', 'a3', 'h3'])
    expect(keyed(from, 'Enter', 8)).toBeNull()
  })

  test.each(SIZES)('the square under a finger is its own, in every part of it, on a board of %i', (size) => {
    for (const square of every(size)) {
      const { x, y } = placeOf(square, size)
      for (const [right, down] of [
        [0.01, 0.01],
        [0.5, 0.5],
        [0.99, 0.99],
      ] as const)
        expect(nearest(x + right, y + down, size)).toBe(square)
    }
  })

  test('near a square are the eight around it, or fewer at an edge', () => {
    const near = (name: string): string[] =>
      squaresNear(at(name, 5), 5).map((square) => squareName(square, 5))
    expect(near('b2')).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3', 'b3', 'c3'])
    expect(near('e5')).toEqual(['d4', 'e4', 'd5'])
  })

  test('outside the board, the nearest square is taken', () => {
    expect(squareName(nearest(-0.4, 2.5, 6), 6)).toBe('a4')
    expect(squareName(nearest(9, 9, 6), 6)).toBe('f1')
  })
})

describe('the line around a group', () => {
  const corners = (line: string): number => (line.match(/Q/g) ?? []).length
  const closed = (line: string): number => (line.match(/Z/g) ?? []).length

  test('of one square has four corners, inside the square', () => {
    const line = outline(all('a1', 5), 5, 100, 4, 9)
    expect([corners(line), closed(line)]).toEqual([4, 1])
    const numbers = (line.match(/-?[\d.]+/g) ?? []).map(Number)
    const [xs, ys] = [0, 1].map((odd) => numbers.filter((_, index) => index % 2 === odd)) as [
      number[],
      number[],
    ]
    expect([Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]).toEqual([4, 96, 404, 496])
  })

  test('follows a bend, with a corner for each turn', () => {
    expect(corners(outline(all('a1 b1 c1', 5), 5, 100, 4, 9))).toBe(4)
    expect(corners(outline(all('a1 b1 b2', 5), 5, 100, 4, 9))).toBe(6)
  })

  test('does not go over the edge of the board from h1 to a2', () => {
    const line = outline(all('g1 h1', 8), 8, 100, 4, 9)
    expect([corners(line), closed(line)]).toEqual([4, 1])
    expect(closed(outline([at('h1', 8), at('a2', 8)], 8, 100, 4, 9))).toBe(2)
  })

  test('around a hole there is a second one', () => {
    const line = outline(all('a1 b1 c1 a2 c2 a3 b3 c3', 5), 5, 100, 4, 9)
    expect([corners(line), closed(line)]).toEqual([8, 2])
  })

  test('does not cross where two of its squares meet at a corner', () => {
    // a ring that is open at one corner, where its hole and its outside meet
    const line = outline(all('a1 b1 c1 a2 a3 b3 c2', 5), 5, 100, 4, 9)
    expect(closed(line)).toBe(1)
    expect(corners(line)).toBe(10)
  })

  test('its sign stands at the leftmost square of the highest row', () => {
    expect(headOf(all('b1 c1 c2 d2', 6), 6)).toBe(at('c2', 6))
  })
})

describe('choices', () => {
  const place = (pips: number, square: readonly number[]): Choice => ({
    move: 'place',
    fields: { pips: { type: 'one_of', of: [pips] }, square: { type: 'one_of', of: square } },
  })

  test('name the squares on which each size fits; a size that is not there fits nowhere', () => {
    const fits = placements([place(2, [3, 4, 5]), place(3, [4])])
    expect([...(fits.get(2) ?? [])]).toEqual([3, 4, 5])
    expect([...(fits.get(3) ?? [])]).toEqual([4])
    expect(fits.has(1)).toBe(false)
  })

  test('name the squares that may become a park', () => {
    expect([...parkSquares([{ move: 'park', fields: { square: { type: 'one_of', of: [0, 7] } } }])]).toEqual([
      0, 7,
    ])
    expect(parkSquares([]).size).toBe(0)
  })

  test('keep the wished size while it fits, else take the largest', () => {
    const fits = placements([place(1, [1]), place(2, [1])])
    expect(sizeFor(1, fits)).toBe(1)
    expect(sizeFor(3, fits)).toBe(2)
    expect(sizeFor(null, fits)).toBe(2)
    expect(sizeFor(2, placements([]))).toBeNull()
  })

  test('change the totals of those who gain or lose', () => {
    const total = (sum: number): SubdivisionTotal => ({
      pips: sum,
      groups: 0,
      crowded: 0,
      gardens: 0,
      total: sum,
    })
    expect(changes([total(3), total(5), total(2)], [total(5), total(5), total(1)])).toEqual([
      { seat: 0, before: 3, after: 5 },
      { seat: 2, before: 2, after: 1 },
    ])
    expect(changes([total(3), total(5)], [total(3), total(5)], 1)).toEqual([{ seat: 1, before: 5, after: 5 }])
  })

  test('say what makes a total change', () => {
    const before: SubdivisionTotal = { pips: 9, groups: 2, crowded: 0, gardens: 0, total: 7 }
    const after: SubdivisionTotal = { pips: 12, groups: 1, crowded: 1, gardens: 3, total: 13 }
    expect(partsOf(before, after)).toEqual({ pips: 3, groups: 1, crowded: -1, parks: 3 })
  })
})

describe('a pattern of one’s own', () => {
  test('is read from names, however they are written', () => {
    expect(squaresIn('f6, A1 c3', 6)).toEqual(all('a1 c3 f6', 6))
    expect(squaresIn('a1 h8 zz', 6)).toEqual([at('a1', 6)])
    expect(squaresIn('', 6)).toEqual([])
  })

  test('gains and loses squares, and never has too many', () => {
    const lots = { size: 6, parks: 2 }
    expect(toggled('c3', at('a1', 6), lots)).toBe('a1 c3')
    expect(toggled('a1 c3', at('c3', 6), lots)).toBe('a1')
    expect(toggled('a1 c3', at('f6', 6), lots)).toBe('a1 c3')
  })

  test('is drawn on the boards that the rules have', () => {
    const rules = readFileSync(new URL('../../../games/subdivision/rules/board.py', import.meta.url), 'utf8')
    const grounds = [...rules.matchAll(/\("(\w+)", (\d)\): Ground\((\d), (\d)/g)]
    expect(grounds).toHaveLength(6)
    for (const [, set, seats, size, parks] of grounds)
      expect(lotsOf(set, Number(seats))).toEqual({ size: Number(size), parks: Number(parks) })
  })
})

describe('what others say and do', () => {
  /** Seat 0's view: who passed, what is left to each seat, the talk, and when the seat has last placed a pyramid. */
  function viewOf({
    passed = [] as number[],
    left = [[0, 0, 0]],
    talk = [] as object[],
    placed = 0,
  }): TableView {
    const sections: Record<string, unknown> = {
      board: { size: 5 },
      stage: { passed },
      stash: { left },
      score: { totals: [] },
    }
    return {
      seat: 0,
      nameOf: (seat: number) => ['Ann', 'Bo', 'Cy'][seat] ?? '',
      gameSection: (_: string, name: string) => sections[name],
      state: { talk, lines: [[1, 'subdivision.placed', { seat: 0, pips: 2, square: 'a1' }, placed]] },
    } as unknown as TableView
  }
  const says = (intent: string, args: object, at = 5): object => ({
    bot: true,
    seat: 1,
    at,
    phrase: `subdivision.bot.${intent}.1`,
    args: { to: 0, ...args },
  })

  /** Who names squares, and which. */
  const namedIn = (over: Parameters<typeof viewOf>[0]): readonly unknown[] => {
    const { squares, by } = squaresNamed(viewOf(over))
    return [by, ...[...squares].map((square) => squareName(square, 5))]
  }

  test('a pass is told with what did not fit', () => {
    expect(passNews(viewOf({}))).toBeNull()
    expect(passNews(viewOf({ passed: [0], left: [[1, 0, 0]] }))).toBeNull()
    expect(passNews(viewOf({ passed: [1], left: [[0, 0, 0], [2, 0, 0]] }))).toBe('Bo passes: no 1 fits.') // prettier-ignore
    const both = { passed: [1, 2], left: [[0, 0, 0], [1, 0, 1], [0, 0, 2]] } // prettier-ignore
    expect(passNews(viewOf(both))).toBe('Bo passes: nothing fits. Cy passes: no 3 fits.')
  })

  test('the squares that a bot names are marked until this seat places a pyramid', () => {
    const talk = [says('swap', { mine: 'a4', square: 'b2' })]
    expect(namedIn({ talk })).toEqual([1, 'b2', 'a4'])
    expect(namedIn({ talk, placed: 6 })).toEqual([null])
    expect(namedIn({ talk: [{ ...talk[0], args: { to: 1, square: 'b2' } }] })).toEqual([null])
  })

  test('those of the last open request are, before those of other words', () => {
    const [first, second] = [
      says('askLeave', { square: 'a4' }),
      { ...says('askLeave', { square: 'b2' }, 6), seat: 2 },
    ]
    const praise = says('praise', { square: 'c3' }, 7)
    const no = { seat: 0, bot: false, at: 8, phrase: 'subdivision.say.noDeal' }
    expect(namedIn({ talk: [praise] })).toEqual([1, 'c3'])
    expect(namedIn({ talk: [first, second, praise] })).toEqual([2, 'b2'])
    expect(namedIn({ talk: [first, second, praise, no] })).toEqual([1, 'a4'])
    expect(namedIn({ talk: [first, second, praise, no, no] })).toEqual([1, 'c3'])
  })

  test('a no stands under the last open request', () => {
    const [first, second] = [
      says('askLeave', { square: 'a4' }),
      says('truce', { mine: 'a4', square: 'b2' }, 6),
    ]
    const no = { seat: 0, bot: false, at: 8, phrase: 'subdivision.say.noDeal' }
    const saysNo = (talk: object[], message: object): boolean =>
      repliesIn(viewOf({ talk }), message as TalkMessage).length > 0
    expect(saysNo([first], first)).toBe(true)
    expect([saysNo([first, second], first), saysNo([first, second], second)]).toEqual([false, true])
    expect([saysNo([first, second, no], first), saysNo([first, second, no], second)]).toEqual([true, false])
    const thanks = says('ackSpare', {})
    expect(saysNo([thanks], thanks)).toBe(false)
  })

  test('an answer fits while somebody waits for one, and few words once the game is over', () => {
    const fitting = (phase: string, talk: readonly object[]): string[] => {
      const view = {
        seat: 0,
        game: { owed: owedIn },
        gameSection: () => ({ phase }),
        state: { talk, lines: [] },
      } as unknown as TableView
      return ['niceMove', 'wellPlayed', 'noDeal'].filter((phrase) =>
        fitsIn(view, `subdivision.say.${phrase}`),
      )
    }
    const ask = says('askLeave', { square: 'a4' })
    expect(fitting('place', [])).toEqual(['niceMove', 'wellPlayed'])
    expect(fitting('place', [ask])).toEqual(['niceMove', 'wellPlayed', 'noDeal'])
    expect(fitting('end', [ask])).toEqual(['wellPlayed'])
  })

  test('a promise begins with the square that was asked for', () => {
    const wish = (said: object, kind = 'leave_square'): string | null =>
      squareWished(viewOf({ talk: [said] }), kind, 'square')
    expect(wish(says('askLeave', { square: 'a4' }))).toBe('a4')
    expect(wish(says('swap', { mine: 'a4', square: 'b2' }))).toBe('a4')
    expect(wish(says('praise', { square: 'a4' }))).toBeNull()
    expect(wish(says('askLeave', { square: 'a4' }), 'build_at')).toBeNull()
  })

  test('a promise under a bot’s words gives what they ask for', () => {
    const owed = (intent: string, args: object): unknown =>
      owedBy(0, says(intent, args) as unknown as TalkMessage)
    const leave = { kind: 'leave_square', terms: { square: 'a4' }, to: [1] }
    for (const intent of ['askLeave', 'callIn', 'threat', 'askHalf'])
      expect(owed(intent, { square: 'a4', reply: 'b2', given: 'c1' }), intent).toEqual(leave)
    for (const intent of ['swap', 'counter', 'askWord'])
      expect(owed(intent, { mine: 'a4', square: 'b2' }), intent).toEqual(leave)
    for (const intent of ['askSpare', 'truce', 'askWordTruce', 'askHalfTruce'])
      expect(owed(intent, { mine: 'a4', square: 'b2' }), intent).toEqual({
        kind: 'avoid_crowding',
        terms: {},
        to: [1],
      })
    for (const intent of ['praise', 'hitLeader', 'yesLeave', 'noWant'])
      expect(owed(intent, { square: 'a4' }), intent).toBeNull()
    expect(owed('askLeave', { to: 2, square: 'a4' })).toBeNull()
  })

  test('it is offered until this seat has placed a pyramid', () => {
    const isOwed = (seat: number, at: number): boolean => {
      const lines = [[0, 'subdivision.placed', { seat }, at]]
      const view = { seat: 0, state: { lines } } as unknown as TableView
      return owedIn(view, says('askLeave', { square: 'a4' }) as unknown as TalkMessage) !== null
    }
    expect(isOwed(0, 6)).toBe(false)
    expect(isOwed(0, 4)).toBe(true)
    expect(isOwed(1, 6)).toBe(true)
  })
})
