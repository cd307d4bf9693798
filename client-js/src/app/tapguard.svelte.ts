/** For this long, in milliseconds, a tap is still meant for the controls that were there before. */
const SETTLE = 300

/**
 * A moment without taps after controls have changed: a tap aimed at what was there before touches nothing.
 * The component that draws the controls takes no pointer events while `resting`. Keys are not held back.
 */
export class TapGuard {
  resting = $state(false)
  readonly #settle: number
  #timer: ReturnType<typeof setTimeout> | undefined
  #pressed = false

  /** Rests at first, and whenever `controls` changes. To be constructed by a component. */
  constructor(controls: () => string, settle = SETTLE) {
    this.#settle = settle
    const current = $derived(controls())
    $effect(() => {
      void current
      this.rest()
    })
    $effect(() => () => clearTimeout(this.#timer))
    // A press that is under way began on a control that was there: its click is meant.
    $effect(() => {
      const press = (): void => {
        this.#pressed = true
      }
      const release = (): void => {
        this.#pressed = false
      }
      addEventListener('pointerdown', press, true)
      addEventListener('pointerup', release, true)
      addEventListener('pointercancel', release, true)
      return () => {
        removeEventListener('pointerdown', press, true)
        removeEventListener('pointerup', release, true)
        removeEventListener('pointercancel', release, true)
      }
    })
  }

  /** The controls have changed. */
  rest(): void {
    if (this.#pressed) return
    this.resting = true
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => (this.resting = false), this.#settle)
  }
}
