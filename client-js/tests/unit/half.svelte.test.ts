/** When the hub is asked what this person may promise under a bot's words. */
import { flushSync } from 'svelte'
import { expect, test, vi } from 'vitest'
import { watchOffers } from '../../src/app/table/half.svelte.ts'
import type { TableView } from '../../src/app/tableview.svelte.ts'
import type { Choice } from '../../src/sdk/wire.gen.ts'

interface Answer {
  readonly data: readonly Choice[] | null
}

class FakeView {
  readonly online = true
  state = $state.raw({ lines: [[1, 'subdivision.placed', {}, 0]] })
  main = $state.raw({ id: 'place 1' })
  promises = $state.raw<readonly { readonly id: number; readonly judgement?: unknown }[]>([])
  isNeeded = $state(false)
  readonly answers: ((answer: Answer) => void)[] = []
  readonly section = (): unknown => ({ promises: this.promises })
  readonly table = {
    askPromises: (): Promise<Answer> => new Promise((settle) => this.answers.push(settle)),
  }
}

const save: readonly Choice[] = [{ move: 'save', fields: {} }]
const spare: readonly Choice[] = [{ move: 'spare', fields: {} }]

test('is asked while it is needed, at another prompt or promise; its last answer stays until the next', async () => {
  const view = new FakeView()
  let offers: () => readonly Choice[] = () => []
  const close = $effect.root(() => {
    offers = watchOffers(
      () => view as unknown as TableView,
      () => view.isNeeded,
    )
  })
  flushSync()
  expect(view.answers).toHaveLength(0)

  view.isNeeded = true
  flushSync()
  expect(view.answers).toHaveLength(1)
  view.answers[0]?.({ data: save })
  await vi.waitFor(() => expect(offers()).toBe(save))

  view.state = { lines: [...view.state.lines, [2, 'almost.plan.agreed', {}, 0]] }
  view.main = { ...view.main }
  flushSync()
  expect(view.answers).toHaveLength(1)
  view.promises = [{ id: 1 }]
  flushSync()
  view.main = { id: 'place 2' }
  flushSync()
  expect(view.answers).toHaveLength(3)
  expect(offers()).toBe(save)
  view.answers[2]?.({ data: spare })
  await vi.waitFor(() => expect(offers()).toBe(spare))
  view.answers[1]?.({ data: save })
  await Promise.resolve()
  expect(offers()).toBe(spare)

  view.promises = [{ id: 1, judgement: {} }]
  flushSync()
  expect(view.answers).toHaveLength(4)

  view.isNeeded = false
  flushSync()
  expect(offers()).toEqual([])
  close()
})
