/** Called back: the offer at a table, and the service worker that shows what the hub sends. */
import { execFileSync } from 'node:child_process'
import { createECDH, randomBytes } from 'node:crypto'
import { chromium, type Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { AlmostTable } from './games/almost/page.ts'
import { LiveHub, scene } from './livehub.ts'
import { playAlone } from './seating.ts'

/** A whole Chromium: headless shells have no notifications. */
function wholeChromium(): string | null {
  for (const name of ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']) {
    try {
      return execFileSync('which', [name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
    } catch {
      // not installed under this name
    }
  }
  return null
}

const program = wholeChromium()
if (program === null)
  console.warn(
    'NOT TESTED: the receiver of Web Push needs a whole Chromium, and there is only a headless shell.',
  )

let whole: Browser
beforeAll(async () => {
  if (program !== null)
    whole = await chromium.launch({
      executablePath: program,
      args: ['--headless=new', '--no-sandbox', '--disable-gpu'],
    })
})
afterAll(() => whole?.close())

interface Shown {
  readonly title: string
  readonly body: string
  readonly tag: string
}

test('a message of the hub is shown, and names the table alone', async ({ skip }) => {
  if (program === null) skip('there is only a headless shell')
  const origin = `http://127.0.0.1:${inject('hubPort')}`
  const context = await whole.newContext({ baseURL: origin, permissions: ['notifications'] })
  try {
    const page = await context.newPage()
    const cdp = await context.newCDPSession(page)
    const registered = new Promise<string>((resolve) =>
      cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const [registration] = registrations
        if (registration !== undefined && !registration.isDeleted) resolve(registration.registrationId)
      }),
    )
    await cdp.send('ServiceWorker.enable')
    await page.goto('/')
    await page.evaluate(async () => void (await navigator.serviceWorker.ready))
    const registrationId = await registered
    const deliver = (data: string): Promise<unknown> =>
      cdp.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
    const shown = (): Promise<Shown[]> =>
      page.evaluate(async () =>
        (await (await navigator.serviceWorker.ready).getNotifications()).map(({ title, body, tag }) => ({
          title,
          body,
          tag,
        })),
      )

    await deliver(JSON.stringify({ table: 'BCDFGH', path: '/t/BCDFGH' }).padEnd(256))
    const call = { title: 'Parley', body: 'Table BCDFGH is waiting for you.', tag: '/t/BCDFGH' }
    await expect.poll(shown).toEqual([call])
    await deliver(JSON.stringify({ table: 'BCDFGH', path: '/t/BCDFGH' }))
    await deliver('no message of a hub')
    await expect.poll(shown).toHaveLength(2)
    expect(await shown()).toContainEqual({
      title: 'Parley',
      body: 'A table is waiting for you.',
      tag: 'parley',
    })
    expect(await shown()).toContainEqual(call)

    // Who looks at the table already is not called; the next message shows that this one was read.
    await page.goto('/t/CDFGHJ')
    await page.evaluate(async () => void (await navigator.serviceWorker.ready))
    await deliver(JSON.stringify({ table: 'CDFGHJ', path: '/t/CDFGHJ' }))
    await deliver(JSON.stringify({ table: 'DFGHJK', path: '/t/DFGHJK' }))
    await expect.poll(shown).toHaveLength(3)
    expect((await shown()).map(({ tag }) => tag).sort()).toEqual(['/t/BCDFGH', '/t/DFGHJK', 'parley'])
  } finally {
    await context.close()
  }
})

/** Stands in for the browser's push service, which needs the Internet. */
function fakePushService(keys: { p256dh: string; auth: string }): void {
  const subscription = {
    endpoint: 'https://push.example/a',
    options: { applicationServerKey: null },
    toJSON: () => ({ endpoint: 'https://push.example/a', keys }),
  }
  Notification.requestPermission = async () => {
    Object.defineProperty(Notification, 'permission', { value: 'granted' })
    return Promise.resolve('granted')
  }
  Object.defineProperty(Notification, 'permission', { value: 'default', configurable: true })
  PushManager.prototype.subscribe = (options) => {
    Object.assign(globalThis, { subscribedWith: options?.applicationServerKey })
    return Promise.resolve(subscription as unknown as PushSubscription)
  }
}

scene('a player who returns is offered a notification once, and never on load', async (liveHub: LiveHub) => {
  const ann = await liveHub.person('Ann', {
    screen: { width: 390, height: 844 },
    more: { serviceWorkers: 'allow' },
  })
  const ecdh = createECDH('prime256v1')
  await ann.context.addInitScript(fakePushService, {
    p256dh: ecdh.generateKeys().toString('base64url'),
    auth: randomBytes(16).toString('base64url'),
  })
  await playAlone(ann, 'almost')
  await new AlmostTable(ann).stage.waitFor()
  const offer = ann.page.getByRole('region', { name: 'Notifications' })
  expect(await offer.count()).toBe(0)
  const comeBack = (): Promise<boolean> =>
    ann.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect
    .poll(async () => {
      await comeBack() // the part of the page that listens may still be loading
      return offer.count()
    })
    .toBe(1)
  const stored = ann.page.waitForResponse(
    (answer) => answer.url().endsWith('/api/push') && answer.status() === 201,
  )
  await ann.press(offer.getByRole('button', { name: 'Notify me' }))
  await stored
  await ann.page.getByRole('region', { name: 'Notice' }).getByText('You will get a notification').waitFor()
  const { key } = await (await ann.page.request.get('/api/push')).json()
  expect(await ann.page.evaluate(() => (globalThis as { subscribedWith?: unknown }).subscribedWith)).toBe(key)
  expect(Buffer.from(key, 'base64url')).toHaveLength(65)
  await comeBack()
  expect(await offer.count()).toBe(0)
})
