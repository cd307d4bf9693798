/** What a screen that others see shows of a table: nothing that is for its seat alone. */
import { describe, expect, test } from 'vitest'
import { publicState } from '../../src/app/table/publicview.ts'
import type { TableState } from '../../src/sdk/table.ts'
import type { PromiseInfo, TableSection } from '../../src/sdk/wire.gen.ts'

const OPEN: PromiseInfo = { id: 'open', by: 0, kind: 'bid', terms: { round: 1 }, at: 0, to: [1] }
const PROMISES = [
  OPEN,
  { ...OPEN, id: 'private', private: true },
  { ...OPEN, id: 'untold', private: true, told: false },
]

function shownOf(status: TableSection['status']): readonly string[] {
  const state = {
    seat: 1,
    sections: { table: { status }, promises: { promises: PROMISES } },
    lines: [],
    talk: [],
  }
  const { sections } = publicState(state as unknown as TableState, () => false)
  return (sections.promises as { promises: readonly PromiseInfo[] }).promises.map(({ id }) => id)
}

describe('of promises, watchers see', () => {
  test('none that is private', () => {
    expect(shownOf('running')).toEqual(['open'])
  })

  test('after the game those that are told then', () => {
    expect(shownOf('finished')).toEqual(['open', 'private'])
  })
})
