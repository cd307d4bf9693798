import { expect, test } from 'vitest'
import { shownWindow } from '../../src/app/countdown.ts'
import type { PromptInfo, WindowInfo } from '../../src/sdk/wire.gen.ts'

const PROMPT: PromptInfo = { id: 'bid:1', kind: 'bid', seats: [0, 1, 2], window: 'bid:1' }
const MAIN: WindowInfo = { id: 'bid:1', kind: 'bid', concerns: [0, 1, 2], span: 30_000, end: 30_000 }
const away = (seat: number, end: number): WindowInfo => ({
  id: `bid:1:away:${seat}`,
  kind: 'away',
  concerns: [seat],
  span: 10_000,
  end,
})
const left = ({ end, left }: WindowInfo): number => end ?? left ?? 0
const shown = (windows: WindowInfo[], due: number[], seat: number | null): string | undefined =>
  shownWindow(windows, PROMPT, due, seat, left)?.id

test('a seat that is away sees its own window, which ends before everybody else’s', () => {
  expect(shown([away(1, 10_000), MAIN], [0, 1, 2], 1)).toBe('bid:1:away:1')
  expect(shown([away(1, 10_000), MAIN], [0, 1, 2], 0)).toBe('bid:1')
  expect(shown([away(1, 40_000), MAIN], [0, 1, 2], 1)).toBe('bid:1')
})

test('a person who waits sees when the last seat that is due runs out of time', () => {
  expect(shown([away(1, 10_000), MAIN], [1], 0)).toBe('bid:1:away:1')
  expect(shown([away(1, 10_000), MAIN], [1, 2], 0)).toBe('bid:1')
  expect(shown([away(1, 10_000), away(2, 12_000), MAIN], [1, 2], null)).toBe('bid:1:away:2')
  expect(shown([away(1, 10_000), MAIN], [], null)).toBe('bid:1')
})

test('without the prompt’s own window, another one is shown, but not a seat’s that is away', () => {
  const other = { ...MAIN, id: 'discuss:1' }
  expect(shown([away(1, 10_000), other], [0], 0)).toBe('discuss:1')
  expect(shown([], [0], 0)).toBeUndefined()
})
