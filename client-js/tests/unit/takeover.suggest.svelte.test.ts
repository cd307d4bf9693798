/** The stocks to suggest in Takeover: the button marks what the coach names. */
import { expect, test, vi } from 'vitest'
import type { TableView } from '../../src/app/tableview.svelte.ts'
import { TakeoverSelection } from '../../src/games/takeover/selection.svelte.ts'

/** A seat that chooses its stocks, at a table whose coach answers this. */
function choosing(answer: unknown, about: unknown = {}) {
  const prompt = { id: 'flip-1', kind: 'flip', seats: [0] }
  const sections = { stage: {}, board: { stacks: [] }, draft: {}, flip: { locked: false, stocks: ['M2'] } }
  const view = {
    seat: 0,
    acts: true,
    about,
    table: { coach: vi.fn(() => Promise.resolve(answer)) },
    state: { sections },
    gameSection: (_game: string, name: keyof typeof sections) => sections[name],
    prompt: (kind: string) => (kind === 'flip' ? prompt : undefined),
    do: vi.fn(() => Promise.resolve({ code: null })),
    showWhyNot: vi.fn(),
  }
  return { view, selection: new TakeoverSelection(view as unknown as TableView) }
}

test('are those of the advice', async () => {
  const args = { stocks: ['C3', 'A1'] }
  const { view, selection } = choosing({ data: { key: 'flip.cash', args }, refused: null })
  expect([selection.maySuggest, selection.isSuggested]).toEqual([true, false])
  await selection.markSuggested()
  expect(view.table.coach).toHaveBeenCalledWith('flip-1')
  expect(view.do).toHaveBeenCalledWith('flip', { move: 'setStocks', coins: ['C3', 'A1'] }, expect.anything())
  expect([selection.marked, selection.isSuggested]).toEqual([['C3', 'A1'], true])
})

test('leave the marks as they are, and say why, if the hub does not answer', async () => {
  const { view, selection } = choosing({ data: null, refused: { code: 'BUSY' } })
  await selection.markSuggested()
  expect(view.showWhyNot).toHaveBeenCalledWith({ code: 'BUSY' })
  expect(view.do).not.toHaveBeenCalled()
  expect(selection.marked).toEqual(['M2'])
})

test('are not offered in a lesson', () => {
  expect(choosing(null, { lesson: {} }).selection.maySuggest).toBe(false)
})
