/**
 * Calls this person back when a game waits for them and they look elsewhere. A page that is open but hidden shows the
 * notification itself; to a closed one the hub sends it (Web Push), and the service worker shows it.
 *
 * Permission is asked for at a table, once it is of use, or in the settings; never on load.
 */
import type { Api } from '../sdk/api.ts'
import { settings } from './settings.svelte.ts'

/** In this browser's storage: that its person has been offered to be called back. */
const OFFERED = 'parley.callback'

/** Whether this browser can call somebody back. On plain http none can, on an iPhone only an installed app. */
export const canCallBack = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

/** Whether to offer it: it is possible, and nobody has decided yet. */
export function mayOffer(): boolean {
  return canCallBack && Notification.permission === 'default' && localStorage.getItem(OFFERED) === null
}

export function declineOffer(): void {
  localStorage.setItem(OFFERED, 'declined')
}

/** Ask for permission, and let the hub call this person back. Resolves to whether it may. */
export async function switchOn(api: Api): Promise<boolean> {
  localStorage.setItem(OFFERED, 'asked')
  settings.notifications = (await Notification.requestPermission()) === 'granted'
  if (settings.notifications) await subscribe(api)
  return settings.notifications
}

/** The hub and this page call nobody from now on. */
export async function switchOff(api: Api): Promise<void> {
  settings.notifications = false
  const subscription = await (await navigator.serviceWorker.ready).pushManager.getSubscription()
  if (subscription === null) return
  await api.unsubscribe(subscription.endpoint).catch(() => undefined) // it also ends by itself
  await subscription.unsubscribe()
}

/** Give the hub this browser's address, or renew it. Without a push service, only an open page calls. */
export async function subscribe(api: Api): Promise<void> {
  if (!isOn()) return
  try {
    const { key } = await api.pushKey()
    const { pushManager } = await navigator.serviceWorker.ready
    let subscription = await pushManager.getSubscription()
    if (subscription !== null && keyOf(subscription) !== key) {
      await subscription.unsubscribe() // the hub's secret has changed
      subscription = null
    }
    subscription ??= await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
    await api.subscribe(subscription.toJSON())
  } catch (error) {
    console.info('the hub cannot call back', error)
  }
}

function keyOf(subscription: PushSubscription): string {
  const bytes = new Uint8Array(subscription.options.applicationServerKey ?? new ArrayBuffer(0))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}

function isOn(): boolean {
  return canCallBack && settings.notifications && Notification.permission === 'granted'
}

/** Show a notification, if the page is hidden: the table at this path waits. */
export async function callBack(path: string, body: string): Promise<void> {
  if (!isOn() || document.visibilityState === 'visible') return
  const options = { body, tag: path, data: path, icon: '/icon-192.png', badge: '/icon-badge.png' }
  await (await navigator.serviceWorker.ready).showNotification('Parley', options)
}

/** Remove the notification of the table at this path: somebody looks at it. */
export async function answerCall(path: string): Promise<void> {
  if (!canCallBack) return
  const registration = await navigator.serviceWorker.getRegistration()
  for (const notification of (await registration?.getNotifications({ tag: path })) ?? []) notification.close()
}
