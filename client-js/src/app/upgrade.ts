/**
 * Handles an upgrade of the hub under an open page: files of the old client may be gone, so that parts of the page
 * can no longer be loaded.
 */
import { notify } from './announce.svelte.ts'
import { t } from './language.ts'

/** In this tab's storage: the last build that was reloaded. It is not reloaded twice. */
const OLD_BUILD = 'parley.oldBuild'

/** The build of this page: the file name of its last script, as the hub names it in `welcome`. */
export const build: string | null =
  [...document.querySelectorAll<HTMLScriptElement>('script[type=module][src]')]
    .map(({ src }) => /\/assets\/([^/]+)\.js$/.exec(src)?.[1] ?? null)
    .at(-1) ?? null

/** Whether a hub that serves this build offers a newer page than this one. */
export function offersNewVersion(served: string | null): boolean {
  return served !== null && build !== null && served !== build && !hasReloaded()
}

/** Reloads the page. */
export function reload(): void {
  try {
    sessionStorage.setItem(OLD_BUILD, build ?? '')
  } catch {
    // storage is off: the page is then reloaded only when somebody asks for it
  }
  location.reload()
}

/** Reloads the page, once, if part of it cannot be loaded although the hub answers. */
export function reloadWhenUpgraded(): void {
  let recovering = false
  addEventListener('vite:preloadError', () => {
    // several parts of the page may be missing at once
    if (recovering) return
    recovering = true
    void recover().finally(() => (recovering = false))
  })
}

async function recover(): Promise<void> {
  if (!canRemember() || hasReloaded()) {
    notify(t('version.incomplete'))
    return
  }
  for (;;) {
    try {
      // a hub that is being restarted: the browser's own error page would not come back
      await fetch('/healthz', { cache: 'no-store' })
      break
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    }
  }
  reload()
}

function hasReloaded(): boolean {
  return stored() === (build ?? '')
}

function canRemember(): boolean {
  return stored() !== undefined
}

/** The last build that was reloaded; undefined if storage is off. */
function stored(): string | null | undefined {
  try {
    return sessionStorage.getItem(OLD_BUILD)
  } catch {
    return undefined
  }
}
