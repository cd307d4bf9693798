/** In milliseconds. A choice replaced sooner, as when a key is held down, is not worth a message. */
const PAUSE = 90

/** After a pause, load something and show it; the returned function cancels both. */
export function debounced<T>(load: () => Promise<T>, show: (value: T) => void): () => void {
  let cancelled = false
  const timer = setTimeout(async () => {
    const value = await load()
    if (!cancelled) show(value)
  }, PAUSE)
  return () => {
    cancelled = true
    clearTimeout(timer)
  }
}
