/** The service worker (public/sw.js): offline, the page says so; while it is closed, the hub can call somebody back. */

/** Registers it once the page is drawn. Where it cannot be had (plain http, no storage), the page does without. */
export function registerWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  void navigator.serviceWorker.register('/sw.js').catch(() => undefined)
}
