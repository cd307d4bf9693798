/**
 * A language made from English for tests (`?lang=x-pseudo`): accented, a third longer, in brackets. Whatever stands
 * on a page in plain letters did not come from a catalogue.
 */
import type { Message } from '../words.ts'

const PLAIN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const MARKED = 'àƀćđëƒğħíĵķľɱñöþɋŕšţúṽŵẋýžÀƁĆĐËƑĞĦÍĴĶĽṀÑÖÞɊŔŠŢÚṼŴẊÝŽ'
const MARKS = new Map([...PLAIN].map((letter, index) => [letter, [...MARKED][index] ?? letter]))

/** A text with every plain letter outside `{placeholders}` marked. */
export function mark(text: string): string {
  const marked = text
    .split(/(\{\w+\})/)
    .map((part, index) =>
      index % 2 ? part : [...part].map((letter) => MARKS.get(letter) ?? letter).join(''),
    )
    .join('')
  return text.trim() === '' ? text : `[${marked}${'·'.repeat(Math.ceil(text.length / 3))}]`
}

/** A whole catalogue, however deep, with every text marked. */
export function pseudo<T>(catalogue: T): T {
  if (typeof catalogue === 'string') return mark(catalogue) as T
  if (typeof catalogue !== 'object' || catalogue === null) return catalogue
  const entries = Object.entries(catalogue as Record<string, Message>)
  return Object.fromEntries(entries.map(([key, value]) => [key, key === 'by' ? value : pseudo(value)])) as T
}

/** HTML with the texts between its tags marked. */
export function pseudoHtml(html: string): string {
  return html.replace(/(^|>)([^<>]+)(?=<|$)/g, (_, before: string, text: string) => before + mark(text))
}
