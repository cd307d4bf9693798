/** Presses something that cannot be chosen, and reads why. */
import { expect } from 'vitest'
import type { Locator } from 'playwright-core'
import type { Person } from './livehub.ts'
import type { TablePage } from './pages/table.ts'

/** Press it, and read the reason in the stage; nothing else moves. */
export async function why(
  table: TablePage,
  what: Locator,
  reason: string,
  key?: 'Enter' | 'Space',
): Promise<void> {
  const { stage, page } = table
  expect(await what.getAttribute('aria-disabled')).toBe('true')
  await what.scrollIntoViewIfNeeded()
  const before = [await stage.boundingBox(), await what.boundingBox()]
  const press = async (): Promise<boolean> => {
    if (key === undefined)
      await what.click({ force: true }) // it is marked as disabled
    else {
      await what.focus()
      await page.keyboard.press(key)
    }
    return stage.getByText(reason).isVisible()
  }
  await expect.poll(press).toBe(true) // controls that have just changed ignore taps
  await stage.getByRole('button', { name: 'Why?' }).waitFor()
  expect(await stage.getByText('Refused').count()).toBe(0)
  expect([await stage.boundingBox(), await what.boundingBox()]).toEqual(before)
}

export async function gone(table: TablePage, reason: string): Promise<void> {
  await table.stage.getByText(reason).waitFor({ state: 'hidden' })
}

export function photograph(person: Person, game: string): Promise<void> {
  return person.photograph(`whynot-${game}`)
}
