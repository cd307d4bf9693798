/** How long, in milliseconds, a tap may still be meant for the controls that were there before. */
const SETTLE = 300
/** How long, in milliseconds, the same press again is the second one of a double tap. */
export const SECOND_TAP = 600
/** How long after its release, in milliseconds, a press may still produce a click. */
const CLICK = 100

/**
 * Blocks taps for a moment after controls have changed, so that a tap aimed at the old controls hits nothing.
 * The component that draws the controls ignores pointer events while `resting`. Keys are not blocked.
 *
 * A press already under way began on the old controls, so it may still produce a click; taps are blocked once
 * that press has ended.
 */
export class TapGuard {
  resting = $state(false)
  readonly #settle: number
  #timer: ReturnType<typeof setTimeout> | undefined
  #pressed = false
  #released: ReturnType<typeof setTimeout> | undefined
  /** Whether controls have changed during the press. */
  #due = false

  /** Blocks taps at first, and whenever `controls` changes. Construct it in a component. */
  constructor(controls: () => string, settle = SETTLE) {
    this.#settle = settle
    const current = $derived(controls())
    $effect(() => {
      void current
      this.rest()
    })
    $effect(() => () => clearTimeout(this.#timer))
    $effect(() => {
      const press = (): void => {
        this.#end()
        this.#pressed = true
      }
      const release = (): void => {
        this.#released = setTimeout(() => this.#end(), CLICK)
      }
      const end = (): void => this.#end()
      const listeners = { pointerdown: press, pointerup: release, pointercancel: end, click: end }
      for (const [type, listener] of Object.entries(listeners)) addEventListener(type, listener, true)
      return () => {
        for (const [type, listener] of Object.entries(listeners)) removeEventListener(type, listener, true)
        clearTimeout(this.#released)
      }
    })
  }

  /** Call this when the controls have changed. */
  rest(): void {
    if (this.#pressed) {
      this.#due = true
      return
    }
    this.resting = true
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => (this.resting = false), this.#settle)
  }

  /** Called when the press is over: it has produced a click, or will not. */
  #end(): void {
    clearTimeout(this.#released)
    this.#pressed = false
    if (!this.#due) return
    this.#due = false
    this.rest()
  }
}
