/** The service worker: without the hub a page of its own, and never an old client for a new hub. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import { scene } from './livehub.ts'
import { Home } from './pages/home.ts'

const ALLOWED = { more: { serviceWorkers: 'allow' } } as const

scene('offline, a page says so and comes back by itself', async (liveHub) => {
  const ann = await liveHub.person('Ann', { line: true, ...ALLOWED })
  await new Home(ann).open()
  await ann.page.evaluate(async () => void (await navigator.serviceWorker.ready))
  await ann.page.reload()
  expect(await ann.page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
  await new Home(ann).play.waitFor()
  const kept = await ann.page.evaluate(async () => {
    const cache = await caches.open('parley-assets-1')
    return (await cache.keys()).map(({ url }) => new URL(url).pathname)
  })
  expect(kept.length).toBeGreaterThan(2)
  expect(kept.every((path) => path.startsWith('/assets/'))).toBe(true)

  ann.line?.cut()
  await ann.page.goto('/t/BCDFGH')
  await ann.page.getByRole('heading', { name: 'Parley cannot be reached' }).waitFor()
  expect(
    await ann.page.evaluate(() => getComputedStyle(document.querySelector('a') as Element).minBlockSize),
  ).toBe('44px')
  expect(new URL(ann.page.url()).pathname).toBe('/t/BCDFGH')
  ann.line?.mend()
  await ann.page.getByRole('heading', { name: 'Parley cannot be reached' }).waitFor({ state: 'hidden' })
})

scene('a new hub is never shown with an old client', async (liveHub) => {
  const ann = await liveHub.person('Ann', { line: true, ...ALLOWED })
  await new Home(ann).open()
  await ann.page.evaluate(async () => void (await navigator.serviceWorker.ready))
  await ann.page.reload()
  await new Home(ann).play.waitFor()
  // as after an upgrade: another document at the same address, and the old files are gone
  const upgraded = createServer((request, response) => {
    const asset = request.url?.startsWith('/assets/') === true
    response.writeHead(asset ? 404 : 200, { 'content-type': 'text/html' })
    response.end(asset ? 'gone' : '<!doctype html><title>New</title><h1>New</h1>')
  })
  await new Promise<void>((resolve) => upgraded.listen(0, '127.0.0.1', resolve))
  ann.line?.leadTo(upgraded.address() as AddressInfo)
  await ann.page.reload()
  await ann.page.getByRole('heading', { name: 'New' }).waitFor()
  const gone = await ann.page.evaluate(async () => {
    const { status } = await fetch('/assets/of-another-build.js')
    return [status, (await caches.match('/assets/of-another-build.js')) === undefined]
  })
  expect(gone).toEqual([404, true])
  upgraded.closeAllConnections()
  upgraded.close()
})
