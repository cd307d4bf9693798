/** Moves the focus with the arrow keys from button to button within a row, wrapping round at its ends. */
export function steer(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('button:not([disabled])')]
  const at = all.findIndex((each) => each === document.activeElement)
  if (by === undefined || at < 0) return
  all[(at + by + all.length) % all.length]?.focus()
  event.preventDefault()
}
