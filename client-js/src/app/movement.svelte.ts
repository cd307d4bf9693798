/**
 * Movement: what a change on the table looks like while it happens.
 *
 * Only a change seen live moves: one frame, on a visible page, to somebody who has not turned movement off. After
 * a reload, a lost line or a burst of frames, the table just stands as it is. A movement takes no room and blocks no
 * input: the page has its new layout and its new controls at once, and the next frame ends what still moves.
 */
import { prefersReducedMotion } from 'svelte/motion'
import { cubicOut } from 'svelte/easing'
import type { TransitionConfig } from 'svelte/transition'
import type { TableState } from '../sdk/table.ts'
import type { HubSections } from '../sdk/wire.gen.ts'
import { settings } from './settings.svelte.ts'

/** How long one movement takes, in milliseconds. */
export const MOVE_MS = 180
/** The time between one and the next of several that move in turn. */
const TURN_MS = 90
/** Frames that arrive within this many milliseconds are a burst. */
const BURST_MS = 50

let live = false
let framed = -Infinity
/** The last state decided on: a table may be on the page in more than one view. */
let noted: TableState | null = null

/** Whether the change that is being drawn is one to show as a movement. */
export function movesNow(): boolean {
  return live
}

function wantsStill(): boolean {
  return settings.motion === 'less' || prefersReducedMotion.current
}

/** Whether `after` follows `before` by one frame: a full view replaces every section, a frame only those it changes. */
export function followsByFrame(before: TableState, after: TableState): boolean {
  return Object.entries(after.sections).some(([name, section]) => before.sections[name] === section)
}

/** Sections that no board draws: a frame that changes only these neither moves anything nor ends a movement. */
const BESIDE_BOARDS: ReadonlySet<string> = new Set([
  'table',
  'presence',
  'knocks',
  'watchers',
  'vote',
  'prompts',
  'windows',
  'choices',
  'talk_policy',
  'note',
  'rematch',
  'readiness',
  'time_control',
] satisfies (keyof HubSections | 'readiness' | 'time_control')[])

/** Whether a board looks different after this change. */
export function changesBoard(before: TableState, after: TableState): boolean {
  return Object.keys({ ...before.sections, ...after.sections }).some(
    (name) => before.sections[name] !== after.sections[name] && !BESIDE_BOARDS.has(name),
  )
}

/** Decides whether this change moves anything; call it before the change is shown. */
export function noteChange(before: TableState, after: TableState): void {
  if (after === noted || before.sections === after.sections || !changesBoard(before, after)) return
  noted = after
  endMovements()
  const at = performance.now()
  live =
    at - framed > BURST_MS &&
    followsByFrame(before, after) &&
    document.visibilityState === 'visible' &&
    !wantsStill()
  framed = at
  // What is drawn later, such as a tab opened by this person, is no change on the table.
  if (live) setTimeout(() => (live = false))
}

/** A transition that does nothing. */
const STILL: TransitionConfig = { duration: 0 }

interface Arrival {
  /** Its place among those that arrive in turn. */
  readonly order?: number
  /** Whether this person has just asked for it, so that it moves without a frame. */
  readonly asked?: boolean
}

/** A transition drawn by `css`, from 0 to 1; those that arrive in turn wait for theirs as they are at 0. */
function timed({ order = 0, asked = false }: Arrival, css: (part: number) => string): TransitionConfig {
  if (!live && (!asked || wantsStill())) return STILL
  const wait = order * TURN_MS
  const duration = wait + MOVE_MS
  return { duration, css: (t) => css(cubicOut(Math.max(0, (t * duration - wait) / MOVE_MS))) }
}

/** Something grows into its place, or shrinks into it from a larger size. */
export function grow(
  _node: Element,
  { from = 1.35, ...arrival }: Arrival & { from?: number } = {},
): TransitionConfig {
  return timed(arrival, (t) => `scale: ${from + (1 - from) * t}; opacity: ${0.2 + 0.8 * t}`)
}

/** Something comes down, and leaves upwards; the other way round with a negative distance. */
export function fall(
  _node: Element,
  { by = 16, ...arrival }: Arrival & { by?: number } = {},
): TransitionConfig {
  return timed(arrival, (t) => `translate: 0 ${-by * (1 - t)}px; opacity: ${t}`)
}

/** Something opens upwards from its foot, or turns over. */
export function open(
  _node: Element,
  { turns = false, from = 0.1, ...arrival }: Arrival & { turns?: boolean; from?: number } = {},
): TransitionConfig {
  if (from === 1) return STILL
  return timed(arrival, (t) => {
    const size = from + (1 - from) * t
    return `scale: ${turns ? size : 1} ${turns ? 1 : size}`
  })
}

/** Slides an element into its place; the distance is in multiples of its own size. */
export function slide(
  _node: Element,
  { dx, dy, ...arrival }: Arrival & { dx: number; dy: number },
): TransitionConfig {
  if (dx === 0 && dy === 0) return STILL
  return timed(arrival, (t) => `translate: ${100 * dx * (1 - t)}% ${100 * dy * (1 - t)}%`)
}

// --- flights: things that travel from one place to another ---

/**
 * A thing that travels. Places and things are named by `data-place` attributes, and the first that is in the page
 * counts. `shows` is what flies: a picture in this place before the change, or, with `arrives`, after it.
 */
export interface Flight {
  readonly from: readonly string[]
  readonly to: readonly string[]
  readonly shows: string
  readonly arrives?: boolean
}

let flying: HTMLElement | null = null

/** Ends what still moves: the page has its new layout already. */
function endMovements(): void {
  flying?.remove()
  flying = null
  for (const animation of document.getAnimations())
    if (!(animation instanceof CSSAnimation || animation instanceof CSSTransition)) animation.finish()
}

function placeOf(names: readonly string[]): Element | null {
  for (const name of names) {
    const place = document.querySelector(`[data-place="${CSS.escape(name)}"]`)
    if (place !== null && place.getClientRects().length > 0) return place
  }
  return null
}

/** The picture that stands for a thing in flight. */
function pictureIn(place: Element | null): Element | null {
  return place === null || place instanceof SVGElement ? place : place.querySelector('svg')
}

interface Departure {
  readonly flight: Flight
  readonly start: DOMRect
  readonly picture: { readonly copy: Element; readonly box: DOMRect } | null
}

function copied(place: Element | null): Departure['picture'] {
  const picture = pictureIn(place)
  return picture === null
    ? null
    : { copy: picture.cloneNode(true) as Element, box: picture.getBoundingClientRect() }
}

function prepare(flights: readonly Flight[]): readonly Departure[] {
  return flights.flatMap((flight) => {
    const from = placeOf(flight.from)
    if (from === null) return []
    const start = (pictureIn(from) ?? from).getBoundingClientRect()
    return [{ flight, start, picture: flight.arrives === true ? null : copied(placeOf([flight.shows])) }]
  })
}

/** Lets copies fly above the page, which has its new layout already. */
function fly(departures: readonly Departure[]): void {
  const layer = document.createElement('div')
  layer.setAttribute('aria-hidden', 'true')
  layer.className = 'flights'
  for (const { flight, start, picture } of departures) {
    const to = placeOf(flight.to)
    const shown = picture ?? copied(placeOf([flight.shows]))
    if (to === null || shown === null) continue
    const end = (pictureIn(to) ?? to).getBoundingClientRect()
    const { box, copy } = shown
    const flyer = document.createElement('div')
    flyer.append(copy)
    copy.setAttribute('style', 'display: block; zoom: 1; inline-size: 100%; block-size: 100%')
    flyer.style.inlineSize = `${box.width}px`
    flyer.style.blockSize = `${box.height}px`
    layer.append(flyer)
    const [x, y] = [box.width / 2, box.height / 2]
    const above = (rect: DOMRect): string =>
      `translate(${rect.left + rect.width / 2 - x}px, ${rect.top + rect.height / 2 - y}px)`
    flyer.animate([{ transform: above(start) }, { transform: above(end) }], {
      duration: MOVE_MS,
      easing: 'cubic-bezier(0.33, 1, 0.68, 1)',
      fill: 'both',
    })
  }
  if (layer.childElementCount === 0) return
  document.body.append(layer)
  flying = layer
  const [first] = layer.firstElementChild?.getAnimations() ?? []
  first?.finished.then(
    () => layer.remove(),
    () => undefined,
  )
}

/**
 * Shows what travels from one state of the board to the next. Call this from the board's component; `flights` compares
 * the two. (Svelte's `crossfade` needs an element of its own for each thing at both ends, but a hand is drawn as one
 * chip and a number.)
 */
export function travel<State>(
  state: () => State | null,
  flights: (before: State, after: State) => readonly Flight[],
): void {
  let before: State | null = null
  let departures: readonly Departure[] = []
  $effect.pre(() => {
    const after = state()
    departures =
      live && before !== null && after !== null && before !== after ? prepare(flights(before, after)) : []
    before = after
  })
  $effect(() => {
    void state()
    if (departures.length > 0) fly(departures)
    departures = []
  })
}
