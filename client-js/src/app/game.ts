/**
 * The interface between a game and the app: its UI strings, its art, its board. The client shows the rules
 * as the hub applies them, and decides nothing itself.
 */
import type { Component } from 'svelte'
import type { AudienceLine, PromiseInfo, TalkMessage } from '../sdk/wire.gen.ts'
import type { Trading } from './deals.ts'
import type { TableView } from './tableview.svelte.ts'
import type { TextsOf } from './texts/keys.gen.ts'
import type { Message, Values } from './words.ts'

/** The UI strings of one game, in games/<game>/texts/en.json and the kit. */
export interface GameTexts<Key extends keyof TextsOf> extends AnyTexts {
  /** Strings for the game's own screens. */
  readonly ui: Readonly<Record<keyof TextsOf[Key]['ui'], Message>>
}

/**
 * Strings that say what the table is waiting for, to the seats it asks and to everybody else; `{names}` are
 * the seats it is still waiting for.
 */
export interface PromptTexts {
  readonly title: Message
  readonly you?: Message
  readonly done?: Message
  readonly others?: Message
  /** Why chat is closed to a seat that this prompt asks, for a prompt that closes it. */
  readonly closed?: Message
}

export interface OptionTexts {
  readonly title: Message
  readonly about: Message
  /** Names of the values, if they are words. */
  readonly values?: Readonly<Record<string, Message>>
  /** A sentence about the option for the waiting room; `{value}` is its value. */
  readonly summary?: Message
}

/** What is said at a table in parts, loaded after its first view (table/talktexts.svelte.ts). */
export interface TalkTexts {
  readonly phrases?: Readonly<Record<string, Message>>
  /** Each kind of promise: what it is called, and what its maker says. */
  readonly promises?: Readonly<Record<string, { readonly title: Message; readonly text: Message }>>
  /** The names of the terms of promises. */
  readonly terms?: Readonly<Record<string, Message>>
  /** What bots say, with arguments like those of log lines. */
  readonly remarks?: Readonly<Record<string, Message>>
}

/** The UI strings of a game that is only known at run time. */
export interface AnyTexts {
  readonly title: Message
  /** What a player tries to do, in a few words; its arguments are options. */
  readonly goal: Message
  /** Sentences for the log. Arguments that are seats (games/api.py, LogLine) are shown as names. */
  readonly lines: Readonly<Record<string, Message>>
  readonly refusals: Readonly<Record<string, Message>>
  readonly prompts: Readonly<Record<string, PromptTexts>>
  readonly windows: Readonly<Record<string, Message>>
  /** The names of the game’s modes; its card has its other options. */
  readonly options: { readonly mode?: Pick<OptionTexts, 'values'> }
}

/** A part of a game's rules page, built from games/<game>/RULES.md. */
export interface RulesPart {
  readonly id: string
  readonly title: string
  readonly level: number
  readonly html: string
}

/** The props of a game's own control for one of its options. */
export interface OptionControl extends Record<string, unknown> {
  readonly title: string
  readonly about: string
  readonly value: unknown
  readonly values: Readonly<Record<string, unknown>>
  readonly seats: number
  readonly onchange: (value: unknown) => void
}

/** The strings of a game that the pages without a table need. */
export interface CardTexts extends Pick<AnyTexts, 'title' | 'refusals'> {
  readonly tagline: Message
  readonly options: Readonly<Record<string, OptionTexts>>
  readonly groups: Readonly<Record<string, Message>>
}

/** The part that the home page and the form for a new table need: small, loaded with the list of games. */
export interface GameCard {
  readonly texts: CardTexts
  /** A picture of the game, drawn wide, cropped to fit, and without any text. */
  readonly Art: Component
  /** The number of seats a new table starts with: the most popular one. */
  readonly seats: number
  /** The number of seats of a game that starts at once, alone with bots, if another. */
  readonly seatsAlone?: number
  /** About how many minutes a game takes that starts at once, alone with bots. */
  readonly minutesAlone: number
  /** The options of a game that starts at once, alone with bots, besides its timers, which are off. */
  readonly alone?: Readonly<Record<string, unknown>>
  /** Whether an option matters, given these other values; if left out, all options do. */
  matters?(option: string, values: Readonly<Record<string, unknown>>, seats: number): boolean
  /** The game's own controls, by option, for options that the standard control does not suit. */
  readonly fields?: Readonly<Record<string, Component<OptionControl>>>
  /** The value the rules use for an option whose default depends on other options. */
  otherwise?(option: string, values: Readonly<Record<string, unknown>>): unknown
}

export interface GameKey {
  /** The names printed on the keyboard; two keys joined by – stand for every key from one to the other. */
  readonly keys: readonly string[]
  readonly does: string
}

/**
 * The role of a prompt on the stage, the heading of a running game:
 * - `turn`: part of a turn. While the table is waiting for one seat, the others read "Bo's turn".
 * - `decision`: not a turn, such as a block, a lost card, or a simultaneous choice. Everybody reads the
 *   prompt's title.
 * - `aside`: open alongside the main prompt, such as an offer. It never appears on the stage.
 */
export type PromptRole = 'turn' | 'decision' | 'aside'

/**
 * A plain answer that a person may set in advance (table/ahead.svelte.ts): `move`, without fields, for the prompts of
 * kind `prompt`.
 *
 * It lapses with any new log line, unless that is about the table or time, with any change to the seat's private
 * sections, with a whisper to the seat, and when `concerns` returns another value. `ignores` are the keys of lines
 * and the names of sections that make no difference.
 */
export interface AheadAnswer {
  readonly prompt: string
  readonly move: string
  /** The answer in a word or two, as on its button. */
  label(): string
  readonly ignores: readonly string[]
  /** Whether this seat may still be asked, so that the answer is offered. */
  may(view: TableView): boolean
  readonly concerns?: (view: TableView) => unknown
}

/** The functions that a tray exports to the shell. */
export interface TrayControls {
  /** Handles a key press not meant for a field, a dialog or the shell, and returns whether it was used. */
  readonly pressed?: (event: KeyboardEvent) => boolean
}

/** A promise that somebody may make at once. */
export interface Owed {
  readonly kind: string
  /** For a number that is left out, the largest that the rules allow is promised. */
  readonly terms: Readonly<Record<string, number | string>>
  readonly to: readonly number[]
}

/**
 * The part that a table needs, loaded when a table is opened. Its functions are pure: they read the view, are
 * called whenever it may have changed, and must cope with a view that lacks the game's sections, because none
 * will have arrived yet at first.
 */
export interface GameClient {
  readonly texts: AnyTexts
  /** The board that everybody, including watchers, sees while the game is running. */
  readonly Board: Component<{ view: TableView }>
  /** The player aid (table/PlayerAid.svelte): the shell shows it beside a board, the board itself elsewhere. */
  aid?(): Promise<{ readonly default: Component<{ view: TableView }> }>
  /**
   * What is the seat's own: on a phone beside a shared screen it is in front, and the board a swipe away
   * (table/hand.svelte.ts).
   */
  own?(): Promise<{ readonly default: Component<{ view: TableView }> }>
  /** What this seat has to choose next in the tray, where that says more than the prompt; null or empty if nothing. */
  hint?(view: TableView): string | null
  /** Whether this seat now chooses something that only the board offers; if left out, the tray offers everything. */
  choosesOnBoard?(view: TableView): boolean
  /** Whether the board lists every seat's score, so that the strip of seats beside it need not. */
  readonly scoresOnBoard?: boolean
  /** Whether a landscape phone shows the whole board at once: the seats above it are then one low line. */
  readonly wholeBoard?: boolean
  /** Whether a landscape phone shows the seats above the board as one row of low cards, if they fit. */
  readonly lowSeats?: boolean
  /** How many milliseconds the last board stays in view before the result takes its place. */
  readonly lingers?: number
  /**
   * The seat's own controls, below the board or at the bottom edge of a phone. They exist only while this
   * person is playing: seated in a running game, with no bot in their place. The shell passes keys to them
   * (`TrayControls`), and blocks taps for a moment whenever the prompt or its moves change, so that no tap
   * hits a control that has only just appeared.
   */
  readonly Tray: Component<{ view: TableView }, TrayControls>
  /**
   * Any other state that decides which controls the tray shows, such as a mode of its own; taps are also
   * blocked when this changes.
   */
  trayState?(view: TableView): string
  /**
   * Whether the tray now shows nothing that only its person may know, so that streamer mode leaves it usable; never, if
   * left out.
   */
  openTray?(view: TableView): boolean
  /**
   * The screen after the game ends: usually a `ResultSheet` with the game's charts in it. It is loaded on its own,
   * after the board.
   */
  result(): Promise<{ readonly default: Component<{ view: TableView }> }>
  /**
   * The role of each kind of prompt on the stage; a kind left out counts as a decision, but fails a test. The
   * kit's `extend` and `lastCall` are asides in any game. The stage shows the first open prompt that is not
   * an aside (`view.main`), so at most one such prompt should be open at a time.
   */
  readonly prompts: Readonly<Record<string, PromptRole>>
  /**
   * A seat's public score: `text` is a word or two for the strip of seats, and `about` spells it out; null if
   * there is none yet.
   */
  score(view: TableView, seat: number): { readonly text: string; readonly about: string } | null
  /**
   * Whether a seat has answered the main prompt (`view.main`). If true, the seat gets a tick; while it is
   * still in the prompt, it may change its mind. If false, its person is alerted. Null means that nothing is
   * expected from the seat. Rules that remove a seat from a prompt once it answers need only false and null.
   */
  done(view: TableView, seat: number): boolean | null
  /** The plain answers that may be set in advance; none if left out. */
  readonly ahead?: readonly AheadAnswer[]
  /** The sounds of the game's log lines, for people who have sounds on; the others are silent. */
  readonly sounds?: Readonly<Partial<Record<string, 'card' | 'capture' | 'reveal'>>>
  /** How many more times this seat may take an extra minute; null if that is not counted. */
  extensions(view: TableView): number | null
  /**
   * The goal as only this person's seat knows it, for their own screen; null for the one in `texts.goal`. Streamer mode
   * shows that one.
   */
  goal?(view: TableView): string | null
  /**
   * What has just become of this person's own seat, such as that it is out: it stands on the stage in place of what the
   * table waits for. Null if there is nothing to say, or the game has gone on since.
   */
  fate?(view: TableView): string | null
  /** What others have just had to do, such as pass: it stands on the stage, also on this person's turn. Null if nothing. */
  news?(view: TableView): string | null
  /** What somebody has just asked this seat for, as the term of a promise of this kind; null if nothing. */
  wished?(view: TableView, kind: string, term: string): number | string | null
  /**
   * The promise by which this seat would do what a bot's message asks for, even by a threat, or has been told it agreed to;
   * null if there is none. It is offered only while the hub lets the seat make it.
   */
  owed?(view: TableView, message: TalkMessage): Owed | null
  /** The ready-made phrases that answer a bot's message to this seat, as buttons under it; none if it is no open question. */
  replies?(view: TableView, message: TalkMessage): readonly string[]
  /** The ready-made phrases that answer what a bot asks: only these end what it asks before this person moves. */
  readonly answers?: ReadonlySet<string>
  /**
   * A choice of a move in words, as a lesson names it: "e4" or "a new pile"; `value` is null if it is left out. Null if the
   * choice has no name.
   */
  choiceName?(view: TableView, field: string, value: unknown): string | null
  /** What a broken promise brought, in words with its unit, such as "4 chips"; the number alone, if left out. */
  gained?(count: number): string
  /** What a broken promise has brought beside that, as a sentence; null if nothing. */
  brought?(view: TableView, promise: PromiseInfo): string | null
  /** Whether a ready-made phrase fits what is going on; the others are offered only on request. All do, if left out. */
  fits?(view: TableView, phrase: string): boolean
  /** The line above the stage's title, such as "Round 2 of 4"; empty if there is none. */
  eyebrow(view: TableView): string
  /** The keys this game uses, and what they do, for the list of keys. */
  keys(): readonly GameKey[]
  /** The rules page, from the game's RULES.md: `import('virtual:rules/<game>')`. */
  rules(): Promise<readonly RulesPart[]>
  /** The arguments of a log line in words, if they are more than names and numbers: cards, squares, sides. */
  formatArguments?(line: string, values: Values): Values
  /**
   * One term of a promise that this seat may make, where more can be said of it now than in the log: such as that a turn is
   * its next one. Null if it reads as `formatArguments` has it.
   */
  formatTerm?(view: TableView, term: string, value: number | string): string | null
  /** The sentence for a line, if it depends on earlier lines; null for the one in `texts.lines`. */
  sentence?(view: TableView, line: AudienceLine): Message | null
  /** The deals panel of a trading game: `trading({…})` from table/dealing.svelte.ts. */
  readonly deals?: Trading
}

/** A game in the list src/games/index.ts; both parts are loaded when needed. */
export interface GameEntry {
  card(): Promise<GameCard>
  client(): Promise<GameClient>
}
