/** The operator's page: signing in, watching, closing a table, banning somebody. */
import { afterAll, expect } from 'vitest'
import { Hub } from '../hub.ts'
import { seated } from './games/almost/page.ts'
import { CALM } from './pages/home.ts'
import { scene } from './livehub.ts'

const TOKEN = 'the-operators-own-token'

/** A hub that one test has left running, for the next; a test that is tried again has one of its own. */
let left: Hub | null = null
afterAll(() => left?.close())

async function operatorsHub(): Promise<Hub> {
  const hub = left ?? (await Hub.start(undefined, { PARLEY_ADMIN_TOKEN: TOKEN }))
  left = null
  return hub
}

async function post(hub: Hub, path: string, body: unknown, token?: string): Promise<Record<string, string>> {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (token !== undefined) headers.authorization = `Bearer ${token}`
  const answer = await fetch(`${hub.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return (await answer.json()) as Record<string, string>
}

scene('an operator signs in, watches a table, bans somebody and closes the table', async (liveHub) => {
  const hub = await operatorsHub()
  const { token } = await post(hub, '/api/people', { name: 'Ann', colour: 1 })
  const table = await post(hub, '/api/rooms', { game: 'almost', seats: 3, play_now: true }, token)

  const operator = await liveHub.person('operator', {}, hub)
  const { page } = operator
  await page.goto('/admin')
  await page.getByLabel('Admin token').fill('not-the-right-token')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').getByText('This is not the admin token.').waitFor()
  await operator.photograph('admin/sign-in')
  await page.getByLabel('Admin token').fill(TOKEN)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText(`Almost · ${table.code ?? ''}`).waitFor()
  await operator.photograph('admin/tables')

  const [watching] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'Watch' }).click(),
  ])
  await watching.getByText('Ann').first().waitFor()
  await watching.close()

  await page.getByRole('button', { name: 'Close table' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('spam')
  await operator.photograph('admin/close')
  await dialog.getByRole('button', { name: 'Close this table' }).click()
  await page.getByText('No tables are running.').waitFor()

  await page.getByRole('button', { name: 'Bans' }).click()
  await page.getByLabel('IPv4 address').fill('203.0.113.7')
  await page.getByRole('button', { name: 'Ban network' }).click()
  await dialog.getByRole('button', { name: 'Ban this network' }).click()
  await page.getByRole('button', { name: 'Lift the ban' }).waitFor()
  await page.getByText(`Closed table ${table.room ?? ''}`).waitFor()
  await operator.photograph('admin/bans')
  await page.getByRole('button', { name: 'Audit' }).click()
  await page.getByText('ban network 203.0.113.7').waitFor()
  await page.getByText(`close table ${table.room ?? ''}`).waitFor()
  await operator.photograph('admin/audit')
  const networks = Array.from({ length: 100 }, (_, index) => `198.51.100.${index}`)
  await Promise.all(
    networks.map((target) => post(hub, '/admin/api/bans', { kind: 'network', target, days: 1 }, TOKEN)),
  )
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByText('ban network 198.51.100.7').first().waitFor()
  expect(await page.getByText('sign in', { exact: true }).count()).toBe(0)
  await page.getByRole('button', { name: 'Show older' }).click()
  await page.getByText('sign in', { exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Show older' }).count()).toBe(0)
  for (const name of ['People', 'Reports']) {
    await page.getByRole('button', { name }).click()
    await page.locator('li').first().waitFor()
  }
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('Admin token').waitFor()
  left = hub
})

scene(
  'a banned person reads until when, and a hub that drains says how to start it again',
  async (liveHub) => {
    const hub = await operatorsHub()
    const ann = await liveHub.person('Ann', {}, hub)
    const { tables } = await seated([ann], { choose: CALM })
    await ann.page.locator('[data-code]').waitFor()
    await tables[0]?.seatMenu('Ann', 'Stand up') // the page enters the table again, shortly before the ban
    await tables[0]?.sitDown.waitFor()
    const answer = await fetch(`${hub.url}/admin/api/people`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    })
    const { people } = (await answer.json()) as { people: { person: string }[] }
    expect(people).toHaveLength(1)
    const { until } = await post(
      hub,
      '/admin/api/bans',
      { kind: 'person', target: people[0]?.person, days: 30 },
      TOKEN,
    )
    const end = await ann.page.evaluate(
      (at) => new Date(at).toLocaleString(navigator.language, { dateStyle: 'medium', timeStyle: 'short' }),
      Number(until) * 1000,
    )
    const sentence = `You are banned from this site until ${end}.`
    await ann.page.getByRole('heading', { name: sentence }).waitFor()
    expect(await ann.page.getByText('your seat is kept').count()).toBe(0)
    await ann.photograph('admin/banned')
    await ann.page.getByRole('link', { name: 'All games' }).click()
    await ann.page.getByRole('button', { name: 'Play now' }).first().click()
    await ann.page.getByRole('alert').getByText(sentence).waitFor()
    await ann.photograph('admin/banned-home')

    const operator = await liveHub.person('operator', {}, hub)
    const { page } = operator
    await page.goto('/admin')
    await page.getByLabel('Admin token').fill(TOKEN)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Drain this hub' }).click()
    await page.getByRole('dialog').getByText('systemctl restart parley').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Drain this hub' }).click()
    await page.getByRole('status').getByText('This hub has handed over its tables.').waitFor()
    await operator.photograph('admin/draining')
    await hub.close()
  },
)

scene('without an admin token there is no such page', async (liveHub) => {
  const { page } = await liveHub.person('somebody')
  const answer = await page.goto('/admin')
  expect(answer?.status()).toBe(404)
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await page.getByLabel('Admin token').count()).toBe(0)
})
