/**
 * The first view of a page: what people came for, drawn and ready to be used. On a slow line every file counts until
 * then, so what that view does without is loaded afterwards, before somebody wants it.
 */

/** Milliseconds until a page without much to load is taken to be drawn. */
const AT_MOST = 5_000

let drawn: () => void = () => undefined
const firstView = new Promise<void>((resolve) => (drawn = resolve))

/** The first view is drawn; a mark of this name on the page's timeline says when. */
export function firstViewDrawn(): void {
  performance.mark('first view')
  drawn()
}

/** Loads something once the first view is drawn. If that fails, it is loaded when it is needed. */
export function afterFirstView(load: () => unknown): void {
  setTimeout(drawn, AT_MOST)
  void firstView
    .then(idle)
    .then(load)
    .catch(() => undefined)
}

/** A part of a page below its first view: loaded once that is drawn, and at once from then on. */
export async function below<T>(load: () => Promise<T>): Promise<T> {
  setTimeout(drawn, AT_MOST)
  await firstView
  return load()
}

function idle(): Promise<void> {
  // Safari has no requestIdleCallback
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: 1_000 })
    else setTimeout(resolve, 200)
  })
}
