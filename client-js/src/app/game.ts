/** What a game gives the app: its texts, its art, its board. The rules it shows are the hub's; nothing here decides. */
import type { Component } from 'svelte'
import type { AudienceLine } from '../sdk/wire.gen.ts'
import type { Trading } from './deals.ts'
import type { TableView } from './tableview.svelte.ts'
import type { TextsOf } from './texts/keys.gen.ts'
import type { Message, Values } from './words.ts'

/** The texts of one game, as games/<game>/texts/en.json and the kit have them. */
export interface GameTexts<Key extends keyof TextsOf> extends AnyTexts {
  /** Texts of the game's own screens. */
  readonly ui: Readonly<Record<keyof TextsOf[Key]['ui'], Message>>
}

/** What the table waits for: to whom it is asked, and to all others, where `{names}` are those it waits for. */
export interface PromptTexts {
  readonly title: Message
  readonly you?: Message
  readonly done?: Message
  readonly others?: Message
}

export interface OptionTexts {
  readonly title: Message
  readonly about: Message
  /** Names of the values, where they are words. */
  readonly values?: Readonly<Record<string, Message>>
  /** The option in a sentence of the waiting room; `{value}` is the value. */
  readonly said?: Message
}

/** Any game's texts, when which game it is is only known while running. */
export interface AnyTexts {
  readonly title: Message
  readonly tagline: Message
  /** Sentences of the log. Arguments that are seats (games/api.py, LogLine) are shown as names. */
  readonly lines: Readonly<Record<string, Message>>
  readonly refusals: Readonly<Record<string, Message>>
  readonly phrases: Readonly<Record<string, Message>>
  readonly prompts: Readonly<Record<string, PromptTexts>>
  readonly windows: Readonly<Record<string, Message>>
  readonly options: Readonly<Record<string, OptionTexts>>
  readonly groups: Readonly<Record<string, Message>>
}

/** A part of a game's rules page, made from games/<game>/RULES.md while building. */
export interface RulesPart {
  readonly id: string
  readonly title: string
  readonly level: number
  readonly html: string
}

/** What a game's own control for one of its options is given. */
export interface OptionControl extends Record<string, unknown> {
  readonly title: string
  readonly about: string
  readonly value: unknown
  readonly values: Readonly<Record<string, unknown>>
  readonly seats: number
  readonly onchange: (value: unknown) => void
}

/** What home and the form of a new table need: small, loaded with the list of games. */
export interface GameCard {
  readonly texts: AnyTexts
  readonly Art: Component
  /** A table most people like: how many seats. */
  readonly seats: number
  /** Whether an option means anything beside these; all do if left out. */
  matters?(option: string, values: Readonly<Record<string, unknown>>, seats: number): boolean
  /** The game's own controls for options that no usual one serves. */
  readonly fields?: Readonly<Record<string, Component<OptionControl>>>
  /** What the rules take where an option's own default is left open. */
  otherwise?(option: string, values: Readonly<Record<string, unknown>>): unknown
}

export interface GameKey {
  /** As they are written on a keyboard; – between two stands for all from the one to the other. */
  readonly keys: readonly string[]
  readonly does: string
}

/** What a table needs, loaded when one is opened. */
export interface GameClient {
  readonly texts: AnyTexts
  readonly Board: Component<{ view: TableView }>
  /** The seat's own controls; shown below the board, or at the bottom edge of a phone. */
  readonly Tray: Component<{ view: TableView }>
  readonly Result: Component<{ view: TableView }>
  /** A seat's public score, in a word or two. */
  score(view: TableView, seat: number): { readonly text: string; readonly about: string } | null
  /** Whether a seat has done what the table waits for. */
  done(view: TableView, seat: number): boolean | null
  /** How often this seat may still take a minute more; null where that is not counted. */
  extensions(view: TableView): number | null
  /** The line over the stage's title, such as "Round 2 of 4". */
  eyebrow(view: TableView): string
  /** Keys that mean something in this game, and what they do. */
  keys(): readonly GameKey[]
  rules(): Promise<readonly RulesPart[]>
  /** The arguments of a line of the log in words, where they are more than names and numbers. */
  told?(line: string, values: Values): Values
  /** The sentence of a line, where it depends on the lines before it; null: that of `texts.lines`. */
  sentence?(view: TableView, line: AudienceLine): Message | null
  /** How what is traded peeks, in a game of trades. */
  readonly deals?: Trading
}

export interface GameEntry {
  card(): Promise<GameCard>
  client(): Promise<GameClient>
}
