/**
 * Sentences from a catalogue: placeholders in braces, plurals by the language's own rules, lists and numbers
 * in its own form. A message is a string, or one string for each plural form, chosen by its `count` (or what
 * `by` names).
 */

export type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & {
  readonly other: string
  readonly by?: string
}
export type Message = string | Plural
export type Value = string | number | readonly (string | number)[] | null
export type Values = Readonly<Record<string, Value>>

/** The placeholders of a message, as a type. */
type Names<S extends string> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never
type NamesOf<M> = M extends string
  ? Names<M>
  : M extends { other: infer S extends string }
    ? Names<S> | 'count'
    : never
/** The arguments a message needs: none, or one object holding every placeholder. */
export type Arguments<M> = [NamesOf<M>] extends [never] ? [] : [values: Readonly<Record<NamesOf<M>, Value>>]

/** A sentence cut at its placeholders, for callers that show some of them as more than text. */
export type Piece = { readonly text: string } | { readonly name: string; readonly value: Value }

export class Words {
  readonly locale: string
  readonly #plurals: Intl.PluralRules
  readonly #numbers: Intl.NumberFormat
  readonly #lists: Intl.ListFormat
  readonly #rows: Intl.ListFormat
  readonly #short: Intl.NumberFormat

  /** `and`: whether lists of words end in the language's own "and". */
  constructor(locale: string, and = true) {
    this.locale = locale
    this.#plurals = new Intl.PluralRules(locale)
    this.#numbers = new Intl.NumberFormat(locale)
    this.#short = new Intl.NumberFormat(locale, { notation: 'compact', maximumSignificantDigits: 3 })
    this.#rows = new Intl.ListFormat(locale, { type: 'unit', style: 'short' })
    this.#lists = and ? new Intl.ListFormat(locale, { type: 'conjunction' }) : this.#rows
  }

  pieces(message: Message, values: Values = {}): readonly Piece[] {
    const cut = this.#form(message, values).split(/\{(\w+)\}/)
    return cut.map((part, index) =>
      index % 2 === 0 ? { text: part } : { name: part, value: values[part] ?? null },
    )
  }

  format(message: Message, values: Values = {}): string {
    return this.pieces(message, values)
      .map((piece) => ('text' in piece ? piece.text : this.value(piece.value)))
      .join('')
  }

  value(value: Value): string {
    if (value === null) return '–'
    if (typeof value === 'number') return this.#numbers.format(value)
    if (typeof value === 'string') return value
    const texts = value.map((each) => this.value(each))
    return (value.every((each) => typeof each === 'number') ? this.#rows : this.#lists).format(texts)
  }

  /** A number where there is little room: exact up to four digits, then rounded, as in 12.3K. */
  short(number: number): string {
    return number < 10_000 ? String(number) : this.#short.format(number)
  }

  #form(message: Message, values: Values): string {
    if (typeof message === 'string') return message
    const count = values[message.by ?? 'count']
    return (typeof count === 'number' && message[this.#plurals.select(count)]) || message.other
  }
}
