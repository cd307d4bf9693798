/**
 * A phone beside a shared screen. Everybody sees the board there, so the page becomes a hand: what is its seat's own is
 * in front, and the board is a swipe away.
 */
import { untrack } from 'svelte'
import type { HubSections } from '../../sdk/wire.gen.ts'

export type Side = 'hand' | 'board'

/** How long, in milliseconds, a shared screen may be gone, as during a reload, before phones stop being hands. */
export const SCREEN_GONE_MS = 5_000
/** How long, in milliseconds, the board stays after a choice, so that its effect can be seen and another choice can follow. */
export const BOARD_STAYS_MS = 1_500
/** The part of a side that has to be in view for a swipe to have reached it. */
const REACHED = 0.9

/** Whether a shared screen hosts the table and is connected. */
export function hasSharedScreen(
  table: Pick<HubSections['table'], 'host_name'> | undefined,
  presence: Pick<HubSections['presence'], 'host'> | undefined,
): boolean {
  return table?.host_name != null && presence?.host === true
}

interface Facts {
  /** Whether a shared screen shows the board. */
  readonly screen: boolean
  /** Whether this page is a seat's in a running game, on a phone, and its person wants a hand. */
  readonly suits: boolean
  /** The prompt whose answer this seat chooses on the board; null if there is none. */
  readonly choosing: string | null
}

export class Hand {
  #side = $state<Side>('hand')
  /** Whether the board came to the front by itself. */
  #called = false
  #lasting = $state(false)
  readonly #facts: () => Facts
  readonly #writing: () => boolean
  /** Whether the page is a hand. */
  readonly on = $derived.by(() => {
    const { screen, suits } = this.#facts()
    return suits && (screen || this.#lasting)
  })

  /** `writing`: whether somebody is writing something on the side in front. Construct this in a component. */
  constructor(facts: () => Facts, writing: () => boolean) {
    this.#facts = facts
    this.#writing = writing
    const screen = $derived(facts().screen)
    $effect.pre(() => {
      if (screen) {
        this.#lasting = true
        return
      }
      const gone = setTimeout(() => (this.#lasting = false), SCREEN_GONE_MS)
      return () => clearTimeout(gone)
    })
    const choosing = $derived(this.on ? facts().choosing : undefined)
    $effect.pre(() => {
      const prompt = choosing
      if (prompt === undefined) this.#turn('hand')
      else if (prompt !== null) untrack(() => this.#call())
      else {
        const back = setTimeout(() => this.#return(), BOARD_STAYS_MS)
        return () => clearTimeout(back)
      }
      return undefined
    })
  }

  /** The side in front. */
  get side(): Side {
    return this.#side
  }

  /** The person turns to a side. */
  turnTo(side: Side): void {
    if (this.on && side !== this.#side) this.#turn(side)
  }

  #turn(side: Side): void {
    this.#side = side
    this.#called = false
  }

  /** Turns to the board for a choice there, but never away from what somebody writes. */
  #call(): void {
    if (this.#writing()) return
    this.#called ||= this.#side === 'hand'
    this.#side = 'board'
  }

  #return(): void {
    if (this.#called && !this.#writing()) this.#turn('hand')
  }
}

/** Scrolls a deck, the hand and the board side by side, to the side in front; a swipe turns to the other side. */
export function followSwipes(hand: Hand, deck: () => HTMLElement | undefined, shown: () => boolean): void {
  let placed = false
  /**
   * The side that the deck is scrolling to by itself; until it arrives, leaving the other side does not count as a swipe.
   */
  let headed: Element | null = null
  $effect(() => {
    const root = deck()
    const to = root?.children[hand.side === 'board' ? 1 : 0]
    headed = null
    if (!hand.on || !shown() || !(to instanceof HTMLElement)) placed = false
    else {
      if (root?.scrollLeft !== to.offsetLeft) headed = to
      root?.scrollTo({ left: to.offsetLeft, behavior: placed ? 'auto' : 'instant' })
      placed = true
    }
  })
  $effect(() => {
    const root = deck()
    if (!hand.on || root === undefined) return
    const swiped = new IntersectionObserver(
      (sides) => {
        for (const { intersectionRatio, target } of sides) {
          if (intersectionRatio < REACHED) continue
          if (target === headed) headed = null
          if (headed === null) hand.turnTo(target === root.firstElementChild ? 'hand' : 'board')
        }
      },
      { root, threshold: REACHED },
    )
    for (const side of root.children) swiped.observe(side)
    const touched = new AbortController()
    for (const kind of ['pointerdown', 'wheel'])
      root.addEventListener(kind, () => (headed = null), { passive: true, signal: touched.signal })
    return () => {
      swiped.disconnect()
      touched.abort()
    }
  })
}
