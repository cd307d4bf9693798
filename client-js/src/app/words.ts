/**
 * Sentences from a catalogue of ICU messages, which the build compiles (build/texts.ts): plurals, lists and
 * numbers follow the language's rules.
 */
import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser'
import { formatToParts, type Formatters } from 'intl-messageformat'

/** A compiled message; a plain string if it has no arguments. */
export type Message = string | readonly MessageFormatElement[]
export type Value = string | number | readonly (string | number)[] | null
export type Values = Readonly<Record<string, Value>>

/** The parameters for a message with these argument names: none, or one object holding all of them. */
export type Arguments<Name extends string> = [Name] extends [never]
  ? []
  : [values: Readonly<Record<Name, Value>>]

/** A sentence split at its arguments, for callers that show some of them as more than text. */
export type Piece = { readonly text: string } | { readonly name: string; readonly value: Value }

/** An argument for the formatter, which passes objects through and chooses plurals by their numeric value. */
class Argument {
  readonly name: string
  readonly value: Value

  constructor(name: string, value: Value) {
    this.name = name
    this.value = value
  }

  valueOf(): Value {
    return this.value
  }

  toString(): string {
    return String(this.value)
  }
}

/** Whether a number is its digits alone: no sign, fraction or thousands, so no formatter has to be made for it. */
function isPlain(number: number): boolean {
  return Number.isInteger(number) && number >= 0 && number < 1_000
}

/** Makes a value when it is first asked for: each constructor of Intl holds up the first view of a slow phone. */
function lazily<T>(make: () => T): () => T {
  let value: T | undefined
  return () => (value ??= make())
}

export class Words {
  readonly locale: string
  readonly #formatters: Formatters
  readonly #numbers: () => Intl.NumberFormat
  readonly #lists: () => Intl.ListFormat
  readonly #rows: () => Intl.ListFormat
  readonly #short: () => Intl.NumberFormat

  /** `and` is whether lists of words end in the language's own "and". */
  constructor(locale: string, and = true) {
    this.locale = locale
    this.#numbers = lazily(() => new Intl.NumberFormat(locale))
    this.#formatters = {
      getNumberFormat: this.#numbers,
      getDateTimeFormat: lazily(() => new Intl.DateTimeFormat(locale)),
      getPluralRules: lazily(() => new Intl.PluralRules(locale)),
    }
    this.#short = lazily(
      () => new Intl.NumberFormat(locale, { notation: 'compact', maximumSignificantDigits: 3 }),
    )
    this.#rows = lazily(() => new Intl.ListFormat(locale, { type: 'unit', style: 'short' }))
    this.#lists = and ? lazily(() => new Intl.ListFormat(locale, { type: 'conjunction' })) : this.#rows
  }

  pieces(message: Message, values: Values = {}): readonly Piece[] {
    if (typeof message === 'string') return [{ text: message }]
    const args = new Proxy<Record<string, Argument>>(
      {},
      { has: () => true, get: (_, name: string) => new Argument(name, values[name] ?? null) },
    )
    const parts = formatToParts(
      message as MessageFormatElement[],
      this.locale,
      this.#formatters,
      FORMATS,
      args as never,
    )
    return parts.map(({ value }) =>
      value instanceof Argument ? { name: value.name, value: value.value } : { text: String(value) },
    )
  }

  format(message: Message, values: Values = {}): string {
    return this.pieces(message, values)
      .map((piece) => ('text' in piece ? piece.text : this.value(piece.value)))
      .join('')
  }

  value(value: Value): string {
    if (value === null) return '–'
    if (typeof value === 'number') return isPlain(value) ? String(value) : this.#numbers().format(value)
    if (typeof value === 'string') return value
    const texts = value.map((each) => this.value(each))
    return (value.every((each) => typeof each === 'number') ? this.#rows : this.#lists)().format(texts)
  }

  /** The items of a list, and the language's words or commas between them. */
  listParts(items: readonly string[]): readonly { type: 'element' | 'literal'; value: string }[] {
    return this.#lists().formatToParts(items)
  }

  /** A number for tight spaces: exact up to four digits, then rounded, as in 12.3K. */
  short(number: number): string {
    return number < 10_000 ? String(number) : this.#short().format(number)
  }
}

/** No named styles for numbers and dates, because the messages use none. */
const FORMATS = { number: {}, date: {}, time: {} }
