/** The beginning of a game of Share and Share Alike by keyboard alone, against bots. */
import { expect } from 'vitest'
import type { LiveHub } from '../../livehub.ts'
import { CALM } from '../../pages/home.ts'
import { KeyTable, opened, SHORT, type SharesTable } from './page.ts'

/** Until Ann has discarded a card on her first turn. */
export async function beginByKeys(liveHub: LiveHub): Promise<KeyTable> {
  const ann = await liveHub.person('Ann')
  const { tables } = await opened([ann], { seats: 3, choose: { ...SHORT, ...CALM } })
  const table = new KeyTable((tables[0] as SharesTable).person)
  const { keyboard } = table.page
  await keyboard.press('4')
  await table.tracker.getByText('Dynamo: 0 shares, selected for this round').waitFor({ state: 'attached' })
  await keyboard.press('2')
  await table.button('Lock Beacon').waitFor()
  await keyboard.press('Enter')
  expect(await table.turnComes()).toBe(true) // after the bots' turns, in which they may peek for 30 seconds
  // choose a card by number and cancel the choice; then move along the row with the arrow keys
  await keyboard.press('1')
  await table.hand.getByRole('button', { pressed: true }).waitFor()
  await keyboard.press('Escape')
  await table.hand.getByRole('button', { pressed: true }).waitFor({ state: 'detached' })
  const [first = '', second = ''] = await table.cards()
  await table.tabTo(table.card(first))
  await keyboard.press('ArrowRight')
  await table.card(second).and(table.page.locator(':focus')).waitFor()
  await keyboard.press('Space')
  await table.hand.getByRole('button', { name: second, pressed: true }).waitFor()
  // another card takes its place; to discard, the focus goes to the cards, which are chosen with the same keys
  await keyboard.press('ArrowLeft')
  await keyboard.press('Space')
  await table.hand.getByRole('button', { name: first, pressed: true }).waitFor()
  expect(await table.hand.getByRole('button', { pressed: true }).count()).toBe(1)
  await table.tabTo(table.beginsDiscard)
  await keyboard.press('Enter')
  await table.card(first).and(table.page.locator(':focus')).waitFor()
  await keyboard.press('Space')
  await keyboard.press('ArrowRight')
  await keyboard.press('Space')
  await table.hand.getByRole('button', { name: second, pressed: true }).waitFor()
  expect(await table.hand.getByRole('button', { pressed: true }).count()).toBe(1)
  await table.tabTo(table.page.getByRole('button', { name: 'Discard 1 card' }))
  await keyboard.press('Enter')
  await table.card(second).waitFor({ state: 'detached' })
  return table
}
