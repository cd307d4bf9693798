/** For how long a person is told that the table has stepped back. */
import { flushSync } from 'svelte'
import { afterAll, expect, test, vi } from 'vitest'
import { noticeStepsBack, READ } from '../../src/app/table/steppedback.svelte.ts'
import type { TableView } from '../../src/app/tableview.svelte.ts'

// Test files share modules. This one replaces some: modules are reset before it and after it.
vi.hoisted(() => vi.resetModules())
afterAll(() => void vi.resetModules())
const { page } = vi.hoisted(() => ({ page: { visible: true } }))
vi.mock('../../src/app/visible.svelte.ts', () => ({ page }))

class FakeView {
  readonly takesPart: boolean
  state = $state.raw({ stepsBack: 0 })
  constructor(takesPart: boolean) {
    this.takesPart = takesPart
  }
}

test.each([
  { takesPart: true, visible: true, leaves: false },
  { takesPart: false, visible: true, leaves: true },
  { takesPart: false, visible: false, leaves: false },
])('takes part: $takesPart, in view: $visible, it leaves by itself: $leaves', (given) => {
  vi.useFakeTimers()
  page.visible = given.visible
  const view = new FakeView(given.takesPart)
  const close = $effect.root(() => {
    const notice = noticeStepsBack(() => view as unknown as TableView)
    flushSync()
    expect(notice.shown).toBe(false)
    for (const stepsBack of [1, 2]) {
      view.state = { stepsBack }
      flushSync()
      vi.advanceTimersByTime(READ - 1)
      expect(notice.shown).toBe(true)
      vi.advanceTimersByTime(1)
      expect(notice.shown).toBe(!given.leaves)
      notice.close()
      expect(notice.shown).toBe(false)
      flushSync()
    }
  })
  close()
  vi.useRealTimers()
})
