/** The focus after a change of page, so that keys and screen readers begin where the new page does. */

/** How long, in milliseconds, a new page may take to show its heading. */
const PATIENCE = 10_000

/** Focuses the new page's heading as soon as it is there. Returns a function that gives up. */
export function focusHeading(): () => void {
  const look = (): void => {
    const heading = document.querySelector('h1')
    if (heading === null) return
    stop()
    const { activeElement } = document
    if (activeElement !== null && activeElement !== document.body && activeElement.isConnected) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }
  const observer = new MutationObserver(look)
  const late = setTimeout(() => stop(), PATIENCE)
  function stop(): void {
    observer.disconnect()
    clearTimeout(late)
  }
  observer.observe(document.body, { childList: true, subtree: true })
  look()
  return stop
}
