/** Promises: made from parts, heard by those they are for, judged in the log, and counted at the end. */
import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import type { Companion } from './companion.ts'
import { begunBeside } from './games/almost/companions.ts'
import type { AlmostTable } from './games/almost/page.ts'
import { scene } from './livehub.ts'
import { UNTIL_READY } from './pages/home.ts'

scene('people promise numbers, keep and break their word, and read it at the end', async (liveHub) => {
  const people = await liveHub.people('Ann', 'Cy')
  const { tables, companions } = await begunBeside(people, ['Bo'], {
    choose: UNTIL_READY,
    switchOn: ['Whispers'],
  })
  const [ann, cy] = tables as [AlmostTable, AlmostTable]
  const [bo] = companions as [Companion]
  for (const table of tables) await table.open('Chat')
  await promise(ann, 'I’ll pick…', { Number: '3', Round: '1' })
  for (const table of tables) await promises(table).getByText('I’ll pick 3 in round 1.').waitFor()
  await promise(ann, 'I won’t pick…', { Number: '4', Round: '1' }, 'Bo')
  await promises(ann).getByText('I won’t pick 4 in round 1.').waitFor()
  await people[0]?.photograph('promises-open')
  await bo.when(({ promises }) => promises?.promises.length === 2)
  expect(await promises(cy).getByText('I won’t pick 4').count()).toBe(0)
  await ann.press(ann.page.getByRole('button', { name: 'Open promises (2)' }))
  expect(await ann.page.getByRole('list', { name: 'Open promises' }).getByRole('listitem').count()).toBe(2)
  await ann.open('Chat')
  await bo.does({ move: 'propose', bids: [5, 1, 1] })
  await cy.page.getByText('If everyone it was made to backs this, Ann is let off a promise:').waitFor()
  await people[1]?.photograph('promises-plan')
  for (const table of tables) await table.press(table.readyToBid)
  await bo.does({ move: 'ready' })
  await Promise.all([ann.bid(5), cy.bid(7), bo.does({ move: 'lock', number: 6 })])
  await ann.revealed.waitFor()
  await ann.open('Log')
  await ann.page
    .getByRole('listitem')
    .filter({ hasText: /broke a promise: “I’ll pick 3 in round 1\.”/ })
    .waitFor()
  await ann.page
    .getByRole('listitem')
    .filter({ hasText: /kept a promise: “I won’t pick 4 in round 1\.”/ })
    .waitFor()
  await ann.open('Chat')
  await promises(ann).getByText('The move that broke it gained Ann 5 on Cy and 5 on Bo.').waitFor() // Ann scored 5 with another number
  for (const table of tables) await table.press(table.goOn)
  await bo.does({ move: 'continue' })
  for (const table of tables) await table.press(table.readyToBid)
  await bo.does({ move: 'ready' })
  await Promise.all([ann.bid(5), cy.bid(7), bo.does({ move: 'lock', number: 6 })])
  for (const table of tables) await table.press(table.goOn)
  await bo.does({ move: 'continue' })
  await cy.over.waitFor()
  const sheet = cy.page.getByRole('heading', { name: 'Who kept their word' })
  await sheet.waitFor()
  await cy.page.getByRole('region').getByText('I won’t pick 4 in round 1.').first().waitFor() // told to everybody at the end
  await cy.page.getByText('Ann broke one promise to you and won.').waitFor()
  await cy.press(cy.page.getByRole('button', { name: 'Who kept their word' }))
  expect(
    await cy.page.locator('#honesty').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
  ).toBe(0)
  await people[1]?.photograph('promises-end')
})

function promises({ page }: AlmostTable): Locator {
  return page.getByRole('list', { name: 'Messages' })
}

async function promise(
  table: AlmostTable,
  kind: string,
  terms: Readonly<Record<string, string>>,
  inPrivateTo?: string,
): Promise<void> {
  const { page } = table
  await table.press(page.getByRole('button', { name: 'Make a promise' }))
  const dialog = page.getByRole('dialog', { name: 'Make a promise' })
  await dialog.getByLabel('What you promise').selectOption(kind)
  for (const [name, value] of Object.entries(terms)) await dialog.getByLabel(name).selectOption(value)
  if (inPrivateTo !== undefined) {
    await dialog.getByLabel('Some players').check()
    await dialog.getByRole('button', { name: 'Promise', exact: true }).click({ force: true }) // it is marked as disabled
    await dialog.getByText('Choose at least one player first.').waitFor()
    await dialog.getByRole('checkbox', { name: inPrivateTo }).check()
    await dialog.getByRole('switch', { name: 'Keep it private' }).check()
  }
  await table.press(dialog.getByRole('button', { name: 'Promise', exact: true }))
  await dialog.waitFor({ state: 'hidden' })
}
