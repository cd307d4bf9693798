/**
 * What a game gives the app: its texts, its art, its board. The rules it shows are the hub's; nothing here
 * decides.
 */
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

/**
 * What the table waits for, as told to those it asks and to all others; `{names}` are those it waits for.
 */
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
  readonly summary?: Message
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
  /** A picture of the game; drawn wide and cut to fit, without anything to read. */
  readonly Art: Component
  /** How many seats a new table proposes: what most people like. */
  readonly seats: number
  /** Whether an option means anything beside these values; left out, all options do. */
  matters?(option: string, values: Readonly<Record<string, unknown>>, seats: number): boolean
  /** The game's own controls, by option, where none that follows from the option's type will do. */
  readonly fields?: Readonly<Record<string, Component<OptionControl>>>
  /** The value the rules take where an option's own default is left open. */
  otherwise?(option: string, values: Readonly<Record<string, unknown>>): unknown
}

export interface GameKey {
  /** As they are written on a keyboard; – between two means every key from one to the other. */
  readonly keys: readonly string[]
  readonly does: string
}

/**
 * What a prompt is to the stage, the heading of a running game:
 * - `turn`: part of a turn. While one seat is awaited, all others read "Turn of Bo".
 * - `decision`: no turn, such as a block, a lost card, or a choice by all at once. Everybody reads the
 *   prompt's title.
 * - `aside`: open beside what the table waits for, such as an offer. It never comes onto the stage.
 */
export type PromptRole = 'turn' | 'decision' | 'aside'

/** What a tray exports to the shell. */
export interface TrayControls {
  /**
   * A key was pressed that belongs to the page, and not to a field, a dialog or the shell; true: it was used.
   */
  readonly pressed?: (event: KeyboardEvent) => boolean
}

/**
 * What a table needs, loaded when one is opened. Functions are pure: they read the view, are called whenever
 * it may have changed, and must bear a view without the game's sections, as before the first view has come.
 */
export interface GameClient {
  readonly texts: AnyTexts
  /** What everybody sees while the game runs, watchers too. */
  readonly Board: Component<{ view: TableView }>
  /**
   * The seat's own controls, below the board or at the bottom edge of a phone. There is one only while this
   * person plays: seated, in a game that runs, with no bot in their place. The shell hands it keys
   * (`TrayControls`), and takes taps from it for a moment whenever the prompt or its moves change, so that
   * none hits what was not there before.
   */
  readonly Tray: Component<{ view: TableView }, TrayControls>
  /**
   * What else decides which controls the tray shows, such as a mode of its own; taps rest when it changes,
   * too.
   */
  trayState?(view: TableView): string
  /** Everything after the end: usually a `ResultSheet` with the game's charts in it. */
  readonly Result: Component<{ view: TableView }>
  /**
   * What each kind of prompt of the rules is to the stage; a kind left out is a decision, and a test misses
   * it. The kit's
   * `extend` and `lastCall` are asides in any game. The stage shows the first open prompt that is no aside
   * (`view.main`), so at most one such prompt should be open at a time.
   */
  readonly prompts: Readonly<Record<string, PromptRole>>
  /**
   * A seat's public score: `text` in a word or two for the strip of seats, `about` the same in full; null:
   * none yet.
   */
  score(view: TableView, seat: number): { readonly text: string; readonly about: string } | null
  /**
   * Whether a seat has answered what the table waits for (`view.main`). True: it has, and gets a tick; a seat
   * of the prompt may have answered and still be free to change its mind. False: it has not; only then is its
   * person called. Null: nothing is awaited from it. Rules that take a seat out of a prompt as it answers
   * need only false and null.
   */
  done(view: TableView, seat: number): boolean | null
  /** How often this seat may still take a minute more; null where that is not counted. */
  extensions(view: TableView): number | null
  /** The line over the stage's title, such as "Round 2 of 4"; empty: none. */
  eyebrow(view: TableView): string
  /** Keys that mean something in this game, and what they do, for the page of keys. */
  keys(): readonly GameKey[]
  /** The rules page, from the game's RULES.md: `import('virtual:rules/<game>')`. */
  rules(): Promise<readonly RulesPart[]>
  /**
   * The arguments of a line of the log in words, where they are more than names and numbers: cards, squares,
   * sides.
   */
  told?(line: string, values: Values): Values
  /** The sentence of a line, where it depends on the lines before it; null: that of `texts.lines`. */
  sentence?(view: TableView, line: AudienceLine): Message | null
  /** How what is traded looks, in a game of trades: `trading({…})` of table/dealing.svelte.ts. */
  readonly deals?: Trading
}

/** A game in the list src/games/index.ts; both parts are loaded when they are needed. */
export interface GameEntry {
  card(): Promise<GameCard>
  client(): Promise<GameClient>
}
