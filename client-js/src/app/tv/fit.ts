import type { Attachment } from 'svelte/attachments'

/** The least scale: letters must stay legible from a sofa. */
const LEAST = 0.6

/** Scales an element down until its frame shows all of it: nobody scrolls on a shared screen. */
export const fit: Attachment<HTMLElement> = (inner) => {
  const frame = inner.parentElement
  if (frame === null) return
  const scale = (): void => {
    inner.style.zoom = '1'
    const share = frame.clientHeight / inner.offsetHeight
    inner.style.zoom = share < 1 ? String(Math.max(LEAST, Math.floor(share * 100) / 100)) : '1'
  }
  const observer = new ResizeObserver(() => requestAnimationFrame(scale))
  observer.observe(frame)
  observer.observe(inner)
  return () => observer.disconnect()
}
