/** The front page with more tables than fit on one page of the lobby; a person's id. */
import { expect } from 'vitest'
import { Api } from '../../src/sdk/api.ts'
import { Hub } from '../hub.ts'
import { PHONE, scene } from './livehub.ts'
import { Home } from './pages/home.ts'

const TABLES = 53

scene('the front page lists ten tables, and the others on request', async (liveHub) => {
  const hub = await Hub.start(undefined, { PARLEY_PERSON_ROOMS: '40' })
  try {
    const hosts = await Promise.all(
      ['Ann', 'Bo', 'Cy'].map(async (name) => {
        const api = new Api(hub.url)
        api.as((await api.makePerson(name, 0)).token)
        return api
      }),
    )
    for (let n = 0; n < TABLES; n += 1)
      await hosts[n % 3]?.makeRoom({
        game: 'almost',
        seats: 3,
        options: {},
        open: true,
        play_now: false,
        bots: null,
      })
    await expect.poll(async () => (await hosts[0]?.rooms())?.total, { timeout: 20_000 }).toBe(TABLES)
    const home = await new Home(await liveHub.person('Dee', { screen: PHONE }, hub)).open()
    const tables = home.rooms('Open tables')
    const more = home.page.getByRole('button', { name: 'Show more tables' })
    for (const shown of [10, 50]) {
      await expect.poll(() => tables.count(), { timeout: 20_000 }).toBe(shown)
      await more.click()
    }
    await expect.poll(() => tables.count(), { timeout: 20_000 }).toBe(TABLES)
    await more.waitFor({ state: 'detached' })
    // Each poll asks for both pages, and only whether they have changed.
    const request = await home.page.waitForRequest((request) => request.url().endsWith('/api/rooms?page=2'))
    await request.response()
    expect(await request.headerValue('if-none-match')).toMatch(/^"/)
    expect(await tables.count()).toBe(TABLES)
  } finally {
    await hub.end('SIGKILL')
  }
})

scene('a person finds their own id in the dialog with their name', async (liveHub) => {
  const home = await new Home(await liveHub.person('Ann', { screen: PHONE, fresh: true })).open()
  const { page } = home
  await page.context().grantPermissions(['clipboard-write'])
  await page.getByRole('button', { name: 'Set your name' }).click()
  await page.getByLabel('Your name').fill('Ann')
  const saved = page.waitForResponse((response) => response.url().endsWith('/api/people'))
  await page.getByRole('button', { name: 'Save' }).click()
  const { person } = (await (await saved).json()) as { person: string }
  await page.getByRole('button', { name: /Ann/ }).click()
  const id = page.getByRole('region', { name: 'Your id' })
  await id.getByText(person, { exact: true }).waitFor()
  await id.getByRole('button', { name: 'Copy your id' }).click()
  const notice = page.getByRole('region', { name: 'Notice' })
  await notice.getByText('Id copied.', { exact: true }).waitFor()
})
