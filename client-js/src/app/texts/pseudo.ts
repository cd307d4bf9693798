/**
 * A language derived from English for tests (`?lang=x-pseudo`): accented, a third longer, in brackets. Any
 * unaccented letters on a page did not come from a catalogue.
 */
import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser'
import type { Message } from '../words.ts'

const PLAIN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const MARKED = 'àƀćđëƒğħíĵķľɱñöþɋŕšţúṽŵẋýžÀƁĆĐËƑĞĦÍĴĶĽṀÑÖÞɊŔŠŢÚṼŴẊÝŽ'
const MARKS = new Map([...PLAIN].map((letter, index) => [letter, [...MARKED][index] ?? letter]))

const accented = (text: string): string => [...text].map((letter) => MARKS.get(letter) ?? letter).join('')
const longer = (length: number): string => '·'.repeat(Math.ceil(length / 3))

/** A string with every plain letter marked. */
export function mark(text: string): string {
  return text.trim() === '' ? text : `[${accented(text)}${longer(text.length)}]`
}

/** A message with every plain letter of its text marked, and its arguments unchanged. */
export function markMessage(message: Message): Message {
  if (typeof message === 'string') return mark(message)
  return [
    { type: LITERAL, value: '[' },
    ...markElements(message),
    { type: LITERAL, value: `${longer(lengthOf(message))}]` },
  ]
}

const LITERAL = 0

function markElements(elements: readonly MessageFormatElement[]): MessageFormatElement[] {
  return elements.map((element) => {
    if (element.type === LITERAL) return { ...element, value: accented(element.value) }
    if (!('options' in element)) return element
    const options = Object.entries(element.options).map(([key, { value }]) => [
      key,
      { value: markElements(value) },
    ])
    return { ...element, options: Object.fromEntries(options) } as MessageFormatElement
  })
}

/** The length of a message's text; if it has several forms, the length of the longest. */
function lengthOf(elements: readonly MessageFormatElement[]): number {
  const lengths = elements.map((element) => {
    if (element.type === LITERAL) return element.value.length
    if (!('options' in element)) return 0
    return Math.max(...Object.values(element.options).map(({ value }) => lengthOf(value)))
  })
  return lengths.reduce((sum, length) => sum + length, 0)
}

/** A whole catalogue, at any depth, with every string marked. */
export function pseudo<T>(catalogue: T): T {
  if (typeof catalogue === 'string' || Array.isArray(catalogue)) return markMessage(catalogue as Message) as T
  if (typeof catalogue !== 'object' || catalogue === null) return catalogue
  return Object.fromEntries(Object.entries(catalogue).map(([key, value]) => [key, pseudo(value)])) as T
}

/** HTML with the text between its tags marked. */
export function pseudoHtml(html: string): string {
  return html.replace(/(^|>)([^<>]+)(?=<|$)/g, (_, before: string, text: string) => before + mark(text))
}
