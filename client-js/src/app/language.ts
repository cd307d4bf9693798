/** The language of this page, chosen once before anything is shown. */
import english from 'virtual:texts'
import type { HUB_REFUSALS, TableLine } from '../sdk/wire.gen.ts'
import type { AppTexts } from './texts/keys.gen.ts'
import { Words, type Arguments, type Message, type Piece, type Values } from './words.ts'

/** How the language forms sentences, numbers and lists. */
export let words = new Words('en')

type Key = keyof AppTexts
/** Keys the hub may send; the page does not compile if one of them has no string. */
type Sent = `line.${TableLine}` | `refusal.${keyof typeof HUB_REFUSALS}`

let catalogue = english satisfies Readonly<Record<Sent, Message>>
let dress: <T>(texts: T) => T = (texts) => texts
let dressHtml: (html: string) => string = (html) => html

const KEPT = 'parley.lang'

/** Take the language from the address (`?lang=`), or from an earlier page in this tab. */
export async function chooseLanguage(): Promise<void> {
  const wish = new URLSearchParams(location.search).get('lang') ?? sessionStorage.getItem(KEPT)
  if (wish !== null) sessionStorage.setItem(KEPT, wish)
  if (wish === 'x-pseudo') {
    const { pseudo, pseudoHtml } = await import('./texts/pseudo.ts')
    dress = pseudo
    dressHtml = pseudoHtml
    catalogue = pseudo(english)
    words = new Words('en', false)
  }
}

/** Adds strings that the first view does without; the build calls it (build/texts.ts). */
export function addTexts(texts: Partial<typeof english>): void {
  catalogue = { ...catalogue, ...dress(texts) }
}

/** One of the app's strings. */
export function t<K extends Key>(key: K, ...values: Arguments<AppTexts[K]>): string {
  return words.format(catalogue[key], values[0] as Values | undefined)
}

/** The app's string for a key built at run time; null if there is none. */
export function tMaybe(key: string, values: Values = {}): string | null {
  return key in catalogue ? words.format(catalogue[key as Key], values) : null
}

/** Such a string, split at its placeholders. */
export function tPieces(key: string, values: Values): readonly Piece[] | null {
  return key in catalogue ? words.pieces(catalogue[key as Key], values) : null
}

/** A game's UI strings, in the language of this page. */
export function localised<T>(texts: T): T {
  return dress(texts)
}

/** A page of rules, in the language of this page. */
export function localisedHtml(html: string): string {
  return dressHtml(html)
}
