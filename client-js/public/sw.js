/**
 * Parley's service worker: keeps the files of the client, shows a page of its own while the hub cannot be reached, and
 * shows who is called back.
 *
 * Documents come from the hub or not at all, so a new hub is never shown with an old client. Files under /assets/ have
 * their hash in their names: a copy is as good as the hub's.
 */
/// <reference lib="webworker" />
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self))

const PAGE = '/offline.html'
/** The offline page with its parts. */
const OFFLINE = [PAGE, '/offline.css', '/offline.js', '/icon.svg']
const OFFLINE_CACHE = 'parley-offline-1'
const ASSETS_CACHE = 'parley-assets-1'
/** Files of the client that are kept; a build has fewer. The oldest go first. */
const MOST_ASSETS = 150

worker.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(OFFLINE_CACHE)
      .then((cache) => cache.addAll(OFFLINE.map((path) => new Request(path, { cache: 'reload' }))))
      .then(() => worker.skipWaiting()),
  )
})

worker.addEventListener('activate', (event) => {
  event.waitUntil(
    Promise.all([dropOtherCaches(), worker.registration.navigationPreload?.enable()]).then(() =>
      worker.clients.claim(),
    ),
  )
})

async function dropOtherCaches() {
  const names = await caches.keys()
  await Promise.all(
    names.filter((name) => ![OFFLINE_CACHE, ASSETS_CACHE].includes(name)).map((name) => caches.delete(name)),
  )
}

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== worker.location.origin) return
  if (request.mode === 'navigate') event.respondWith(openDocument(event))
  else if (url.pathname.startsWith('/assets/')) event.respondWith(openAsset(event, request))
  else if (OFFLINE.includes(url.pathname)) event.respondWith(networkFirst(request))
})

/** @param {FetchEvent} event */
async function openDocument(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request))
  } catch {
    return (await caches.match(PAGE)) ?? Response.error()
  }
}

/** @param {Request} request */
async function networkFirst(request) {
  try {
    return await fetch(request)
  } catch {
    return (await caches.match(request)) ?? Response.error()
  }
}

/** @param {FetchEvent} event @param {Request} request */
async function openAsset(event, request) {
  const cache = await caches.open(ASSETS_CACHE)
  const kept = await cache.match(request)
  if (kept !== undefined) return kept
  const answer = await fetch(request)
  if (answer.ok) event.waitUntil(keep(cache, request, answer.clone()))
  return answer
}

/** @param {Cache} cache @param {Request} request @param {Response} answer */
async function keep(cache, request, answer) {
  await cache.put(request, answer)
  const kept = await cache.keys()
  await Promise.all(kept.slice(0, Math.max(0, kept.length - MOST_ASSETS)).map((old) => cache.delete(old)))
}

// --- called back ---

worker.addEventListener('push', (event) => {
  event.waitUntil(callBack(read(event.data)))
})

/** @param {PushMessageData | null} data @returns {{ table: string, path: string } | null} */
function read(data) {
  try {
    const { table, path } = data?.json() ?? {}
    return typeof table === 'string' && typeof path === 'string' && path.startsWith('/t/')
      ? { table, path }
      : null
  } catch {
    return null
  }
}

/** @param {{ table: string, path: string } | null} call */
async function callBack(call) {
  if (call !== null && (await looksAt(call.path))) return
  await worker.registration.showNotification('Parley', {
    body: call === null ? 'A table is waiting for you.' : `Table ${call.table} is waiting for you.`,
    tag: call?.path ?? 'parley',
    icon: '/icon-192.png',
    badge: '/icon-badge.png',
    data: call?.path ?? '/',
  })
}

/** Whether somebody looks at this page already. @param {string} path */
async function looksAt(path) {
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  return pages.some((page) => new URL(page.url).pathname === path && page.visibilityState === 'visible')
}

worker.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(String(event.notification.data)))
})

/** @param {string} path */
async function open(path) {
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const page = pages.find(({ url }) => new URL(url).pathname === path)
  if (page === undefined) await worker.clients.openWindow(path)
  else await page.focus()
}
