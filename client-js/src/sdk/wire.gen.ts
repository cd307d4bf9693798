// Written by `python -m tools.typescript` from hub/wire/messages.py and the games' structs.
// Do not edit: change those and run it again.

export const SUBPROTOCOL = "parley.v1.msgpack"
export const MAX_FRAME = 65536

/** Why a socket closes. */
export const CLOSE_CODES = {
  1001: "the hub is shutting down; reconnect",
  1003: "only binary frames are accepted",
  1007: "a frame was not a valid msgpack message",
  1009: "a frame was larger than 65536 bytes",
  1013: "the hub cannot serve this table now; try again soon",
  4000: "the first message must be a valid `hello`, within ten seconds",
  4001: "the room has a new owner: reconnect",
  4003: "the ticket is not valid, or no longer valid",
  4004: "no such room",
  4008: "too many messages",
  4009: "this client reads too slowly; reconnect",
  4010: "the seat was taken from this person",
  4011: "this person has too many sockets open, and this was the oldest",
  4012: "the table was made by another version of Parley and cannot be opened here",
  4013: "the table has too many watchers, or is closed to them",
  4014: "this person or network is banned from this hub for some time",
  4015: "the host has removed this person from the table",
  4016: "this hub's operator closed the table",
  4017: "this person continues on another device",
  4018: "newer rules could not go on with this game, so it ended without a result",
} as const

/** Why the hub itself refuses a command; games add codes of their own. */
export const HUB_REFUSALS = {
  "STALE_PROMPT": "that prompt is not open to you, or no longer open (GEN-4)",
  "BAD_SALT": "this salt does not have the hash that was fixed for this seat",
  "BAD_MOVE": "the move is not one of this game's moves, or the message is not for a seat to send",
  "TOO_OLD": "this command is too old to be answered again (G2)",
  "BUSY": "too many commands are waiting; try again",
  "NOT_SEATED": "watchers cannot do this",
  "NOT_HOST": "only the host may do this",
  "NOT_NOW": "the table's status does not allow this",
  "NOT_OUT": "this seat is still in the game: only whoever is out may skip to the end",
  "OTHERS_PLAY": "another person is still in the game: nobody may skip to the end",
  "NOT_IN_LESSON": "this lesson asks for another move, or this cannot be done in a lesson",
  "NO_SUCH_SEAT": "there is no such seat, or this cannot be done to it",
  "NO_SUCH_PERSON": "this person has left, or no longer asks to come in",
  "NO_ROUNDS": "this game has no rounds to wait for",
  "NO_SUCH_LEVEL": "this game's bot has no such level",
  "SEAT_TAKEN": "somebody else is sitting there",
  "VOTE_NEEDED": "at this table only a vote can do this: `call_vote`",
  "VOTE_RUNNING": "another vote is running",
  "CALLED_LATELY": "this seat called a vote lately: try again after the `seconds` in `args`",
  "TOO_FEW_VOTERS": "too few people could vote for this",
  "NO_SUCH_VOTE": "this vote is over",
  "NO_VOTE": "the vote is about this seat, which has none",
  "TALK_CLOSED": "talk is closed now",
  "WATCHERS_UNHEARD": "this table does not hear its watchers: talk to the other watchers",
  "OPEN_TABLE": "strangers may watch an open table: play at a private one to hear the watchers",
  "PHRASES_ONLY": "only the game's phrases are allowed now",
  "NO_SUCH_PHRASE": "that is not one of the phrases allowed now",
  "NOTHING_SAID": "the message has no visible characters",
  "WHISPERS_OFF": "whispers are not allowed now",
  "NO_SUCH_PROMISE": "this cannot be promised now: ask what can be with `ask_promises`",
  "PROMISED_ALREADY": "this seat has promised this to one of these seats already, and it is still open",
  "CONTRADICTION": "this seat could not keep both this and a promise of its own that is still open",
  "TOO_MANY_OPEN": "this seat has as many open promises as it may have, which is `most` in `args`",
  "TOO_MANY_PROMISES": "this seat has made as many promises as it may in a game, which is `most` in `args`",
  "NOTES_LOCKED": "notes are locked now",
  "TOO_LONG": "notes are limited to 4 KB",
  "PAUSED": "the table is paused",
  "TOO_MANY_MOVES": "this seat has added as much to the log as it may: it can still talk, write notes, `stand_in`, leave and, as host, remove people",
  "SLOW_DOWN": "too many messages in a short time",
  "NOTHING_TO_SHOW": "this game has no preview for that move",
  "BOT_PLAYS": "a bot is playing this seat; take it back first",
  "BROKEN": "the rules failed on this command; the table is unchanged and the error was logged",
} as const

/** Keys of the lines that the hub itself logs about a table. */
export type TableLine = "table.abandoned" | "table.admission_off" | "table.admission_on" | "table.bot_added" | "table.bot_removed" | "table.deserted" | "table.handed_to_bot" | "table.latecomers_off" | "table.latecomers_on" | "table.left" | "table.locked" | "table.new_host" | "table.paused" | "table.paused_empty" | "table.paused_fault" | "table.paused_vote" | "table.removed" | "table.resumed" | "table.sat_down" | "table.seat_freed" | "table.silent" | "table.skipped" | "table.stands_in" | "table.started" | "table.stood_up" | "table.swapped" | "table.took_back" | "table.took_over" | "table.unlocked" | "table.vote_called" | "table.vote_failed" | "table.vote_lapsed" | "table.vote_passed" | "table.voted_out" | "table.watch_delay" | "table.watcher_removed" | "table.watchers_heard" | "table.watchers_unheard" | "table.watching_closed" | "table.watching_open"

export type ToHub = Hello | Do | Manage | Say | Note | MakePromise | AskPromises | Preview | Coach | Ping

export type ToClient = Welcome | View | Frame | Talk | Verdict | Previewed | Coached | PromiseChoices | Pong | Error

export type Act = Ready | CommitSalt | RevealSalt | Start | AddBot | FreeSeat | SwapSeats | TakeBack | StandIn | Pause | Resume | HandOver | Lock | CloseWatching | DelayWatching | HearWatchers | Admission | Admit | Refuse | RemoveWatcher | TakeLatecomers | OfferSeat | SkipToEnd | GoOn | CallVote | Vote

export type Argument = number | string | readonly (number | string)[] | null

export type Domain = Range | OneOf | Subset | PerSeat | Multiset

/** The first message on a socket. `session` is this client instance's number; None the first time. */
export interface Hello {
  readonly t: "hello"
  readonly ticket: string
  readonly session?: number | null
}

/** A move in the game, in answer to a prompt. (session, n) is the command's id (G2). */
export interface Do {
  readonly t: "do"
  readonly session: number
  readonly n: number
  readonly prompt: string
  readonly move: Readonly<Record<string, unknown>>
}

/** An action on the table rather than in the game. */
export interface Manage {
  readonly t: "manage"
  readonly session: number
  readonly n: number
  readonly act: Act
}

/** The seat is ready to start, or no longer is. The last one starts the game if no seat is free. */
export interface Ready {
  readonly do: "ready"
  readonly ready: boolean
}

/** Fixes, by its SHA-256, the random salt that this client will add to the game's seed. */
export interface CommitSalt {
  readonly do: "commit_salt"
  readonly salt_hash: string
}

/** Reveals the salt. `next_hash` fixes another one, in case somebody else does not reveal theirs. */
export interface RevealSalt {
  readonly do: "reveal_salt"
  readonly salt: string
  readonly next_hash: string
}

/** Host: start the game; bots fill the free seats. */
export interface Start {
  readonly do: "start"
}

/** Host: put a bot of this level in a free seat. */
export interface AddBot {
  readonly do: "add_bot"
  readonly seat: number
  readonly level: string
}

/** Host, or the seat itself: free the seat. In a game, a bot takes it over. Its tickets become void. */
export interface FreeSeat {
  readonly do: "free_seat"
  readonly seat: number
}

/** Host, before the start: exchange two seats. */
export interface SwapSeats {
  readonly do: "swap_seats"
  readonly a: number
  readonly b: number
}

/** The person in this seat takes over again from the substitute. */
export interface TakeBack {
  readonly do: "take_back"
}

/** The person in this seat asks for a substitute, which plays until `TakeBack`. */
export interface StandIn {
  readonly do: "stand_in"
}

/** Host: stop table time. */
export interface Pause {
  readonly do: "pause"
}

/** Host, or anybody seated while no host is connected: restart table time. */
export interface Resume {
  readonly do: "resume"
}

/** Host: make the person in this seat the host. */
export interface HandOver {
  readonly do: "hand_over"
  readonly seat: number
}

/** Host: close the table to new players, or open it again. */
export interface Lock {
  readonly do: "lock"
  readonly locked: boolean
}

/** Host: close the table to watchers, or open it again. */
export interface CloseWatching {
  readonly do: "close_watching"
  readonly closed: boolean
}

/** Host, before the start: choose how late people without a seat see the game. */
export interface DelayWatching {
  readonly do: "delay_watching"
  readonly delay: "none" | "30s" | "2min" | "10min" | "round"
}

/** Host of a private table, before the start: let watchers talk to the table, or no longer. */
export interface HearWatchers {
  readonly do: "hear_watchers"
  readonly on: boolean
}

/** Host: admit newcomers one by one, or let in everybody who has the invitation. */
export interface Admission {
  readonly do: "admission"
  readonly on: boolean
}

/** Host: let in a person who asked to come in; `id` is from section `knocks`. */
export interface Admit {
  readonly do: "admit"
  readonly id: string
}

/** Host: keep out a person who asked to come in; `id` is from section `knocks`. */
export interface Refuse {
  readonly do: "refuse"
  readonly id: string
}

/** Host: remove a watcher, and admit newcomers one by one; `id` is from section `watchers`. */
export interface RemoveWatcher {
  readonly do: "remove_watcher"
  readonly id: string
}

/** Host: let people take over seats that bots play, or stop that. */
export interface TakeLatecomers {
  readonly do: "take_latecomers"
  readonly on: boolean
}

/** The person in this seat lets somebody take it over while they are away, or no longer. */
export interface OfferSeat {
  readonly do: "offer_seat"
  readonly on: boolean
}

/** The person in this seat, who is out, lets the bots finish without waiting. */
export interface SkipToEnd {
  readonly do: "skip_to_end"
}

/** At a lesson: let the bot whose turn it is make its move. `step`: how many steps are done. */
export interface GoOn {
  readonly do: "go_on"
  readonly step: number
}

/** Call a vote of the table, on the seat `seat` if the vote is about one. */
export interface CallVote {
  readonly do: "call_vote"
  readonly kind: "pause" | "resume" | "bot" | "remove" | "end"
  readonly seat?: number | null
}

/** Vote for or against; `number` is from section `vote`. */
export interface Vote {
  readonly do: "vote"
  readonly number: number
  readonly yes: boolean
}

/** Talk: free text, or one of the game's phrases (a text key); with `to`, a whisper to that seat. */
export interface Say {
  readonly t: "say"
  readonly session: number
  readonly n: number
  readonly channel: "table" | "watchers"
  readonly text?: string | null
  readonly phrase?: string | null
  readonly to?: number | null
}

/** Replaces the seat's private notebook; at most 4 KB of UTF-8. */
export interface Note {
  readonly t: "note"
  readonly session: number
  readonly n: number
  readonly text: string
}

/** Promises something to the seats in `to`, or to everybody if it is empty (R30). */
export interface MakePromise {
  readonly t: "promise"
  readonly session: number
  readonly n: number
  readonly kind: string
  readonly terms?: Readonly<Record<string, number | string>>
  readonly to?: readonly number[]
  readonly private?: boolean
  readonly told?: boolean
}

/** Asks what this seat may promise. Answered by `PromiseChoices` or a refusal; changes nothing. */
export interface AskPromises {
  readonly t: "ask_promises"
  readonly n: number
}

/** Asks what a move would do. Answered by `Previewed` or a refusal; changes nothing. */
export interface Preview {
  readonly t: "preview"
  readonly n: number
  readonly prompt: string
  readonly move: Readonly<Record<string, unknown>>
}

/** Asks for advice about an open prompt. Answered by `Coached` or a refusal; changes nothing. */
export interface Coach {
  readonly t: "coach"
  readonly n: number
  readonly prompt: string
}

/** Measures the round trip and asks for table time. Answered by `Pong`. */
export interface Ping {
  readonly t: "ping"
  readonly n: number
}

/** The hello was accepted. `epoch` identifies this ownership of the room; a full `View` follows. */
export interface Welcome {
  readonly t: "welcome"
  readonly epoch: string
  readonly room: string
  readonly seat: number | null
  readonly session: number | null
  readonly build?: string | null
}

/** An audience's full view, up to and including frame `n` of this epoch. */
export interface View {
  readonly t: "view"
  readonly epoch: string
  readonly n: number
  readonly now: number
  readonly sections: Readonly<Record<string, unknown>>
  readonly lines: readonly AudienceLine[]
  readonly talk: readonly TalkMessage[]
}

/** A log line: its number for this audience, text key, arguments and table time. */
export type AudienceLine = readonly [number: number, key: string, args: Readonly<Record<string, Argument>>, at: number, restricted?: boolean]

/** One thing said: `text` or `phrase`. `seat` is None for a watcher; `to` is the seat a whisper is for. */
export interface TalkMessage {
  readonly channel: "table" | "watchers"
  readonly name: string
  readonly at: number
  readonly seat?: number | null
  readonly to?: number | null
  readonly text?: string | null
  readonly phrase?: string | null
  readonly args?: Readonly<Record<string, Argument>>
  readonly bot?: boolean
}

/** The changes for an audience: whole sections (None if removed) and new log lines. */
export interface Frame {
  readonly t: "frame"
  readonly n: number
  readonly now: number
  readonly sections?: Readonly<Record<string, unknown>>
  readonly lines?: readonly AudienceLine[]
}

export interface Talk {
  readonly t: "talk"
  readonly message: TalkMessage
}

/** The answer to a command: applied if `code` is None, otherwise refused. */
export interface Verdict {
  readonly t: "verdict"
  readonly n: number
  readonly code?: string | null
  readonly rule?: string | null
  readonly args?: Readonly<Record<string, Argument>>
}

export interface Previewed {
  readonly t: "previewed"
  readonly n: number
  readonly data: unknown
  readonly breaks?: readonly string[]
}

/** A key in the group `coach` of the game's texts, with its arguments; None if there is nothing to say. */
export interface Coached {
  readonly t: "coached"
  readonly n: number
  readonly key?: string | null
  readonly args?: Readonly<Record<string, Argument>>
}

/** What a seat may promise; a field `to` says to which one seat such a promise may be made. */
export interface PromiseChoices {
  readonly t: "promise_choices"
  readonly n: number
  readonly choices: readonly Choice[]
}

/** One kind of legal move: the move's tag, and the domain of each of its fields. */
export interface Choice {
  readonly move: string
  readonly fields: Readonly<Record<string, Domain>>
}

/** An integer from `least` to `most`, both included. */
export interface Range {
  readonly type: "range"
  readonly least: number
  readonly most: number
}

/** One of the values in `of`. */
export interface OneOf {
  readonly type: "one_of"
  readonly of: readonly number[] | readonly string[]
}

/** Between `least` and `most` of the values in `of`, each at most once. */
export interface Subset {
  readonly type: "subset"
  readonly of: readonly number[] | readonly string[]
  readonly least: number
  readonly most: number
}

/** One integer for every seat. */
export interface PerSeat {
  readonly type: "per_seat"
  readonly least: number
  readonly most: number
}

/** Some of the values in `of`, in any order and within every bound, such as a payment or an order. */
export interface Multiset {
  readonly type: "multiset"
  readonly of: readonly number[] | readonly string[]
  readonly times: readonly number[] | null
  readonly bounds: readonly Bound[]
  readonly tight: boolean
}

/** The total worth of the items in a multiset is between `least` and `most`. */
export interface Bound {
  readonly worth: readonly number[] | null
  readonly least: number
  readonly most: number
}

export interface Pong {
  readonly t: "pong"
  readonly n: number
  readonly now: number
}

/** Reports a problem with this socket or its last frame. If it is fatal, the hub closes the socket. */
export interface Error {
  readonly t: "error"
  readonly code: string
  readonly advice: string
  readonly n?: number | null
}

/** Section `table`: everything about the table except the game itself. */
export interface TableSection {
  readonly room: string
  readonly code: string
  readonly game: string
  readonly options: Readonly<Record<string, unknown>>
  readonly open: boolean
  readonly locked: boolean
  readonly watching: boolean
  readonly hears_watchers: boolean
  readonly admission: boolean
  readonly takes_latecomers: boolean
  readonly status: "waiting" | "running" | "paused" | "finished"
  readonly paused_for: "host" | "vote" | "empty" | "fault" | null
  readonly abandoned: boolean
  readonly host: number | null
  readonly host_name: string | null
  readonly seats: readonly SeatInfo[]
  readonly seed_hash: string
  readonly seed: string | null
  readonly salt_hashes: readonly string[] | null
  readonly salts: readonly string[] | null
  readonly restarts: number
  readonly record: boolean
  readonly previous: string | null
  readonly grace: "1min" | "3min" | "game"
  readonly watch_delay: "none" | "30s" | "2min" | "10min" | "round"
  readonly skipping: boolean
  readonly lesson: number | null
}

/** One seat as everyone sees it. `substitute`: a bot is playing for a person who is absent. */
export interface SeatInfo {
  readonly name: string | null
  readonly colour: number
  readonly bot: string | null
  readonly substitute: boolean
  readonly ready: boolean
  readonly vacant: boolean
  readonly offered: boolean
  readonly asked: boolean
  readonly held: boolean
  readonly character: string | null
}

/** Section `presence`: which seats have a person connected, and how many people are watching. */
export interface PresenceSection {
  readonly connected: readonly boolean[]
  readonly watchers: number
  readonly host: boolean
}

/** Section `knocks` (the host only): the people who ask to come in; missing if there are none. */
export interface KnocksSection {
  readonly knocks: readonly Visitor[]
}

/** Somebody without a seat, as the host sees them: an id that is valid at this table only, and a name. */
export type Visitor = readonly [id: string, name: string]

/** Section `watchers` (the host only): the people watching, as many as fit, and how many there are. */
export interface WatchersSection {
  readonly watchers: readonly Visitor[]
  readonly count: number
}

/** Section `vote`, while a vote runs: `caller` called it, and it is about the seat `seat`, if any. */
export interface VoteSection {
  readonly number: number
  readonly kind: "pause" | "resume" | "bot" | "remove" | "end"
  readonly seat: number | null
  readonly caller: number
  readonly yes: number
  readonly no: number
  readonly needed: number
  readonly left: number
  readonly may_vote: boolean
  readonly own: boolean | null
}

/** Section `prompts`: what the table is waiting for, limited to what this audience is allowed to know. */
export interface PromptsSection {
  readonly prompts: readonly PromptInfo[]
}

export interface PromptInfo {
  readonly id: string
  readonly kind: string
  readonly seats: readonly number[]
  readonly window: string | null
}

/** Section `windows`. While `live` is false, table time is stopped at the frame's `now`. */
export interface WindowsSection {
  readonly live: boolean
  readonly windows: readonly WindowInfo[]
  readonly stopped_by?: "store" | "round" | null
}

/** A running window has `end`, a held one has `left`; `span` is its whole length. */
export interface WindowInfo {
  readonly id: string
  readonly kind: string
  readonly concerns: readonly number[]
  readonly span: number
  readonly end?: number | null
  readonly left?: number | null
  readonly extend?: string | null
  readonly sections?: readonly string[]
}

/** Section `choices` (seats only): the legal moves, by prompt. */
export interface ChoicesSection {
  readonly choices: Readonly<Record<string, readonly Choice[]>>
}

/** Who may currently talk, and how. `mode` is for the table channel; `phrases` are catalogue keys. */
export interface TalkPolicy {
  readonly mode: "open" | "phrases" | "closed"
  readonly phrases: readonly string[]
  readonly whispers: boolean
  readonly notes_locked: boolean
}

/** Section `note` (seats only): the seat's private notebook. */
export interface NoteSection {
  readonly text: string
}

/** Section `promises`: those this audience may know of, the oldest first; missing before the first one. */
export interface PromisesSection {
  readonly promises: readonly PromiseInfo[]
}

/** A promise of the seat `by`, as `MakePromise` made it at table time `at`. */
export interface PromiseInfo {
  readonly id: string
  readonly by: number
  readonly kind: string
  readonly terms: Readonly<Record<string, number | string>>
  readonly at: number
  readonly to?: readonly number[]
  readonly private?: boolean
  readonly told?: boolean
  readonly judgement?: "kept" | "broken" | "lapsed" | null
  readonly excused?: boolean
  readonly cost?: readonly number[] | null
}

/** Section `out_seats`: the seats that the rules ask nothing more in this game or round. */
export interface OutSeatsSection {
  readonly seats: readonly number[]
}

/** Section `result`: the outcome, once there is one. */
export interface ResultSection {
  readonly outcome: Outcome
}

/** The end of a game: who won (GEN-10: all tied players win), and exact scores as `scores[i] / over`. */
export interface Outcome {
  readonly winners: readonly number[]
  readonly scores: readonly number[]
  readonly over: number
}

/** Section `rematch`, once the game is over: the seats that may press *Play again*, and that have. */
export interface RematchSection {
  readonly seats: readonly number[]
  readonly pressed: readonly number[]
  readonly room: string | null
  readonly code: string | null
  readonly game: string | null
  readonly rotated: boolean
}

/** The options (section 4a). An option for one mode is ignored in the other. */
export interface AlmostOptions {
  readonly mode?: "almost" | "banbury"
  readonly scoring?: "roundsWon" | "sumOfEntries"
  readonly banburyRounds?: number
  readonly discussion?: "timed" | "none" | "untilReady" | null
  readonly discussionSeconds?: number
  readonly talkWhileBidding?: boolean
  readonly whispers?: boolean
  readonly timers?: "normal" | "relaxed" | "fast" | "off"
  readonly target?: number
  readonly maxBid?: number
}

/** Ready to bid. */
export interface AlmostReady {
  readonly move: "ready"
}

/** No longer ready. */
export interface AlmostUnready {
  readonly move: "unready"
}

/** Propose a bid for every seat, and support it. */
export interface AlmostPropose {
  readonly move: "propose"
  readonly bids: readonly number[]
}

/** Support this plan only. */
export interface AlmostAgree {
  readonly move: "agree"
  readonly plan: number
}

/** Stop supporting a plan. A plan that nobody supports is removed. */
export interface AlmostWithdraw {
  readonly move: "withdraw"
}

/** Draft a number; it becomes the bid if time runs out. */
export interface AlmostBid {
  readonly move: "bid"
  readonly number: number
}

/** Lock this number, or the drafted one. */
export interface AlmostLock {
  readonly move: "lock"
  readonly number?: number | null
}

/** Unlock the number; possible until the last seat locks (ALM-14). */
export interface AlmostUnlock {
  readonly move: "unlock"
}

/** Continue after the reveal. */
export interface AlmostContinue {
  readonly move: "continue"
}

/** Add a minute to this window, using one of the seat's two extensions. */
export interface Extend {
  readonly move: "extend"
}

/** Start a one-minute clock on a wait that has none. */
export interface LastCall {
  readonly move: "lastCall"
}

/** Section `stage`: the phase of the game. `most` is the highest legal bid. */
export interface AlmostStage {
  readonly mode: "almost" | "banbury"
  readonly scoring: "roundsWon" | "sumOfEntries"
  readonly phase: "discuss" | "bid" | "reveal" | "end"
  readonly round: number
  readonly rounds: number
  readonly target: number | null
  readonly most: number
}

/** Section `readiness`: which seats are ready (discuss), have locked (bid) or have continued (reveal). */
export interface AlmostReadiness {
  readonly done: readonly boolean[]
}

/** Section `score`: the past bids and the points they scored. */
export interface AlmostScore {
  readonly rows: readonly AlmostRow[]
  readonly points: readonly number[]
  readonly wins: readonly number[]
  readonly needs: readonly number[]
  readonly can: readonly boolean[]
  readonly together: number
}

/** A past round. `missed` are the seats the rules bid for; `promised` is each seat's bid in its plan. */
export interface AlmostRow {
  readonly bids: readonly number[]
  readonly missed: readonly number[]
  readonly promised: readonly (number | null)[]
  readonly winner: number | null
}

/** Section `plans`: the proposals in this round. `next` is the number of the next proposal. */
export interface AlmostPlans {
  readonly plans: readonly AlmostPlan[]
  readonly next: number
  readonly backings: readonly number[]
}

/** A proposed bid for every seat, and the seats that support it; it binds nobody (GEN-12). */
export interface AlmostPlan {
  readonly number: number
  readonly by: number
  readonly bids: readonly number[]
  readonly behind: readonly number[]
}

/** The time control of a game; also the data of a public section. */
export interface TimeControl {
  readonly timers: "normal" | "relaxed" | "fast" | "off"
  readonly missed_in_a_row: readonly number[]
  readonly extensions: readonly number[]
}

/** Private section `mine`: the seat's own number while bidding, and its extensions. */
export interface AlmostMine {
  readonly bid: number | null
  readonly locked: boolean
  readonly extensions: number
}

/** Options combine freely (1a). An option for `strict` talk or for one variant is ignored otherwise. */
export interface SharesOptions {
  readonly rounds?: "15" | "10" | "5"
  readonly talk?: "strict" | "looseLips" | "wholeTruth"
  readonly openMarket?: boolean
  readonly lowball?: boolean
  readonly lowballCard?: "return" | "discard" | "bottom"
  readonly marketLog?: "private" | "public"
  readonly strictChat?: "phrasesOnly" | "honour"
  readonly companyMetric?: "floors" | "pips"
  readonly companyTie?: "average" | "high" | "low"
  readonly rounding?: "exact" | "nearest" | "floor"
  readonly chance3Source?: "deck" | "either"
  readonly chance4Draw?: boolean
  readonly timers?: "normal" | "relaxed" | "fast" | "off"
}

/** Lock the noted choice, or else this company or card. */
export interface SharesLock {
  readonly move: "lock"
  readonly company?: "A" | "B" | "C" | "D" | "E" | null
  readonly card?: "2H" | "3H" | "4H" | "5H" | "6H" | "7H" | "8H" | "9H" | "10H" | "JH" | "QH" | "KH" | "AH" | "2S" | "3S" | "4S" | "5S" | "6S" | "7S" | "8S" | "9S" | "10S" | "JS" | "QS" | "KS" | "AS" | "2C" | "3C" | "4C" | "5C" | "6C" | "7C" | "8C" | "9C" | "10C" | "JC" | "QC" | "KC" | "AC" | "2D" | "3D" | "4D" | "5D" | "6D" | "7D" | "8D" | "9D" | "10D" | "JD" | "QD" | "KD" | "AD" | null
}

/** Unlock the choice; possible until the last seat locks. */
export interface SharesUnlock {
  readonly move: "unlock"
}

/** Play a card for the effect of its suit. */
export interface SharesPlay {
  readonly move: "play"
  readonly card: "2H" | "3H" | "4H" | "5H" | "6H" | "7H" | "8H" | "9H" | "10H" | "JH" | "QH" | "KH" | "AH" | "2S" | "3S" | "4S" | "5S" | "6S" | "7S" | "8S" | "9S" | "10S" | "JS" | "QS" | "KS" | "AS" | "2C" | "3C" | "4C" | "5C" | "6C" | "7C" | "8C" | "9C" | "10C" | "JC" | "QC" | "KC" | "AC" | "2D" | "3D" | "4D" | "5D" | "6D" | "7D" | "8D" | "9D" | "10D" | "JD" | "QD" | "KD" | "AD"
}

/** Put cards on the Discard Pile, in this order. */
export interface SharesDiscard {
  readonly move: "discard"
  readonly cards: readonly ("2H" | "3H" | "4H" | "5H" | "6H" | "7H" | "8H" | "9H" | "10H" | "JH" | "QH" | "KH" | "AH" | "2S" | "3S" | "4S" | "5S" | "6S" | "7S" | "8S" | "9S" | "10S" | "JS" | "QS" | "KS" | "AS" | "2C" | "3C" | "4C" | "5C" | "6C" | "7C" | "8C" | "9C" | "10C" | "JC" | "QC" | "KC" | "AC" | "2D" | "3D" | "4D" | "5D" | "6D" | "7D" | "8D" | "9D" | "10D" | "JD" | "QD" | "KD" | "AD")[]
}

/** Draw up to five cards, at the cost of all three actions. */
export interface SharesDrawUp {
  readonly move: "drawUp"
}

/** Open a market with a royal card, whose suit has no effect. */
export interface SharesOpenMarket {
  readonly move: "openMarket"
  readonly card: "2H" | "3H" | "4H" | "5H" | "6H" | "7H" | "8H" | "9H" | "10H" | "JH" | "QH" | "KH" | "AH" | "2S" | "3S" | "4S" | "5S" | "6S" | "7S" | "8S" | "9S" | "10S" | "JS" | "QS" | "KS" | "AS" | "2C" | "3C" | "4C" | "5C" | "6C" | "7C" | "8C" | "9C" | "10C" | "JC" | "QC" | "KC" | "AC" | "2D" | "3D" | "4D" | "5D" | "6D" | "7D" | "8D" | "9D" | "10D" | "JD" | "QD" | "KD" | "AD"
}

/** End the turn; a seat that has spent nothing in it is out of the round. */
export interface SharesEndTurn {
  readonly move: "endTurn"
}

/** Put a floor on a tower: one of the largest size left. */
export interface SharesAdd {
  readonly move: "add"
  readonly tower: "A" | "B" | "C" | "D" | "E"
}

/** Take the top floor off a tower. */
export interface SharesRemove {
  readonly move: "remove"
  readonly tower: "A" | "B" | "C" | "D" | "E"
}

/** Look at a seat's hand or tracker for thirty seconds. */
export interface SharesSpy {
  readonly move: "spy"
  readonly seat: number
  readonly what: "hand" | "tracker"
}

/** Stop looking: the window closes at once. */
export interface StopPeeking {
  readonly move: "stopPeeking"
}

/** Give up the remaining uses or draws. */
export interface SharesDone {
  readonly move: "done"
}

/** Adjust the roll by this much; 0 leaves it as it is. */
export interface SharesAdjust {
  readonly move: "adjust"
  readonly by: number
}

/** Chance 1: the seat to take a card from. Chance 6: the seat that rolls. */
export interface SharesTarget {
  readonly move: "target"
  readonly seat: number
}

/** Chance 1: the card to take, by its position in the hand. */
export interface SharesTake {
  readonly move: "take"
  readonly place: number
}

/** Chance 2: the two seats whose hands change places. */
export interface SharesSwap {
  readonly move: "swap"
  readonly seats: readonly number[]
}

/** Draw the top card of the Draw Deck. */
export interface SharesFromDeck {
  readonly move: "fromDeck"
}

/** Draw any card from the Discard Pile. */
export interface SharesFromDiscard {
  readonly move: "fromDiscard"
  readonly card: "2H" | "3H" | "4H" | "5H" | "6H" | "7H" | "8H" | "9H" | "10H" | "JH" | "QH" | "KH" | "AH" | "2S" | "3S" | "4S" | "5S" | "6S" | "7S" | "8S" | "9S" | "10S" | "JS" | "QS" | "KS" | "AS" | "2C" | "3C" | "4C" | "5C" | "6C" | "7C" | "8C" | "9C" | "10C" | "JC" | "QC" | "KC" | "AC" | "2D" | "3D" | "4D" | "5D" | "6D" | "7D" | "8D" | "9D" | "10D" | "JD" | "QD" | "KD" | "AD"
}

/** Close the market early. */
export interface SharesCloseMarket {
  readonly move: "closeMarket"
}

/** Accept an offer, giving exactly what it asks for. */
export interface SharesAccept {
  readonly move: "accept"
}

/** Decline an offer. */
export interface Decline {
  readonly move: "decline"
}

/** Show your tracker to these seats (The Whole Truth). */
export interface SharesShow {
  readonly move: "show"
  readonly to: readonly number[]
}

/** Show your tracker to everybody, including spectators (The Whole Truth). */
export interface SharesShowAll {
  readonly move: "showAll"
}

/** Note the company to take a share in; it counts if time runs out. */
export interface SharesSelect {
  readonly move: "select"
  readonly company: "A" | "B" | "C" | "D" | "E"
}

/** Note the card to offer in Lowball; unless it is locked, it is not offered. */
export interface SharesBidding {
  readonly move: "bid"
  readonly card: "2H" | "3H" | "4H" | "5H" | "6H" | "7H" | "8H" | "9H" | "10H" | "JH" | "QH" | "KH" | "AH" | "2S" | "3S" | "4S" | "5S" | "6S" | "7S" | "8S" | "9S" | "10S" | "JS" | "QS" | "KS" | "AS" | "2C" | "3C" | "4C" | "5C" | "6C" | "7C" | "8C" | "9C" | "10C" | "JC" | "QC" | "KC" | "AC" | "2D" | "3D" | "4D" | "5D" | "6D" | "7D" | "8D" | "9D" | "10D" | "JD" | "QD" | "KD" | "AD"
}

/** Offer shares to a seat in return for others; one of the two must have opened the market. */
export interface SharesPropose {
  readonly move: "propose"
  readonly to: number
  readonly give: readonly ("A" | "B" | "C" | "D" | "E")[]
  readonly wish: readonly ("A" | "B" | "C" | "D" | "E")[]
}

/** Replace an offer with a counter-offer. */
export interface SharesCounter {
  readonly move: "counter"
  readonly give: readonly ("A" | "B" | "C" | "D" | "E")[]
  readonly wish: readonly ("A" | "B" | "C" | "D" | "E")[]
}

/** Withdraw your own offer. */
export interface Cancel {
  readonly move: "cancel"
}

/** Section `stage`: the progress of the game. */
export interface SharesStage {
  readonly phase: "select" | "lowball" | "action" | "end"
  readonly round: number
  readonly rounds: number
  readonly start: number | null
  readonly active: number | null
  readonly official: boolean
}

/** Section `scene`: the current decision. */
export interface SharesScene {
  readonly kind: "select" | "lowball" | "turn" | "hearts" | "spades" | "peek" | "clubs" | "adjust" | "chance1" | "take" | "chance2" | "chance3" | "chance4" | "chance6" | "draw" | "market" | "over"
  readonly seat: number | null
  readonly uses: number
  readonly played: readonly SharesPlayed[]
  readonly roll: SharesRoll | null
}

/** A card face up in the middle until its effect is resolved; `free` if Chance 4 made it free. */
export interface SharesPlayed {
  readonly card: "2H" | "3H" | "4H" | "5H" | "6H" | "7H" | "8H" | "9H" | "10H" | "JH" | "QH" | "KH" | "AH" | "2S" | "3S" | "4S" | "5S" | "6S" | "7S" | "8S" | "9S" | "10S" | "JS" | "QS" | "KS" | "AS" | "2C" | "3C" | "4C" | "5C" | "6C" | "7C" | "8C" | "9C" | "10C" | "JC" | "QC" | "KC" | "AC" | "2D" | "3D" | "4D" | "5D" | "6D" | "7D" | "8D" | "9D" | "10D" | "JD" | "QD" | "KD" | "AD"
  readonly seat: number
  readonly free: boolean
}

/** A roll on the Chance chart. */
export interface SharesRoll {
  readonly seat: number
  readonly rolled: number
  readonly adjust: number
  readonly result: number | null
}

/** Section `recent`: the latest card played, roll that took effect, hands swapped and tracker shown. */
export interface SharesRecent {
  readonly played: SharesPlayed | null
  readonly roll: SharesRoll | null
  readonly swapped: readonly number[]
  readonly showed: readonly number[]
}

/** Section `towers`: companies A to E, the supply by size (L, M, S), and the size to be added next. */
export interface SharesTowers {
  readonly companies: readonly SharesStanding[]
  readonly supply: readonly number[]
  readonly next: "L" | "M" | "S" | null
}

/** A company's standing: its floors, lowest first, and its prize if the game ended now. */
export interface SharesStanding {
  readonly floors: readonly ("L" | "M" | "S")[]
  readonly size: number
  readonly place: number
  readonly tied: number
  readonly prize: number
}

/** Section `players`: the contents of `Turns`, each seat's number of cards, and the shares claimed so far. */
export interface SharesPlayers {
  readonly actions: readonly number[]
  readonly out: readonly boolean[]
  readonly spent: number
  readonly cards: readonly number[]
  readonly shares: number
}

/** Section `piles`: the number of cards in the Draw Deck, and the Discard Pile, latest card last (1c). */
export interface SharesPiles {
  readonly deck: number
  readonly discard: readonly ("2H" | "3H" | "4H" | "5H" | "6H" | "7H" | "8H" | "9H" | "10H" | "JH" | "QH" | "KH" | "AH" | "2S" | "3S" | "4S" | "5S" | "6S" | "7S" | "8S" | "9S" | "10S" | "JS" | "QS" | "KS" | "AS" | "2C" | "3C" | "4C" | "5C" | "6C" | "7C" | "8C" | "9C" | "10C" | "JC" | "QC" | "KC" | "AC" | "2D" | "3D" | "4D" | "5D" | "6D" | "7D" | "8D" | "9D" | "10D" | "JD" | "QD" | "KD" | "AD")[]
}

/** Section `readiness`, while everyone is choosing: who has locked. */
export interface SharesReadiness {
  readonly locked: readonly boolean[]
}

/** Section `bids`: the cards of this round's Lowball, by seat, once they are revealed. */
export interface SharesBids {
  readonly cards: readonly ("2H" | "3H" | "4H" | "5H" | "6H" | "7H" | "8H" | "9H" | "10H" | "JH" | "QH" | "KH" | "AH" | "2S" | "3S" | "4S" | "5S" | "6S" | "7S" | "8S" | "9S" | "10S" | "JS" | "QS" | "KS" | "AS" | "2C" | "3C" | "4C" | "5C" | "6C" | "7C" | "8C" | "9C" | "10C" | "JC" | "QC" | "KC" | "AC" | "2D" | "3D" | "4D" | "5D" | "6D" | "7D" | "8D" | "9D" | "10D" | "JD" | "QD" | "KD" | "AD" | null)[]
}

/** `seat` sees `other`'s secret of kind `what` while `window` runs. Also the data of a section. */
export interface Peek {
  readonly window: string
  readonly seat: number
  readonly other: number
  readonly what: string
}

/** Section `trades`, with Open Market: the latest trades, oldest first. */
export interface SharesTrades {
  readonly trades: readonly SharesTrade[]
}

/** A completed trade: the shares `seat` gave and those `other` gave back, if they are public. */
export interface SharesTrade {
  readonly round: number
  readonly seat: number
  readonly other: number
  readonly given: readonly ("A" | "B" | "C" | "D" | "E")[] | null
  readonly back: readonly ("A" | "B" | "C" | "D" | "E")[] | null
}

/** Section `shows`, with The Whole Truth: by seat, the tracker it last showed to everyone. */
export interface SharesShows {
  readonly shown: readonly (SharesShown | null)[]
}

/** A tracker as its owner showed it (The Whole Truth): genuine, and never updated. */
export interface SharesShown {
  readonly round: number
  readonly tracker: SharesTracker
}

/** A seat's tracker: the company marked in each round, the net change from trades, and the totals. */
export interface SharesTracker {
  readonly marks: readonly ("A" | "B" | "C" | "D" | "E")[]
  readonly traded: readonly number[]
  readonly holdings: readonly number[]
}

/** Section `reckoning`: every tracker, and the exact scores as `score / over` (1d, GEN-9). */
export interface SharesReckoning {
  readonly companies: readonly SharesCompanyResult[]
  readonly seats: readonly SharesSeatResult[]
  readonly over: number
}

/** A company at the end. One share is worth `value[0] / value[1]`; `value` is None if nobody has one. */
export interface SharesCompanyResult {
  readonly size: number
  readonly place: number
  readonly tied: number
  readonly prize: number
  readonly claimed: number
  readonly value: readonly [number, number] | null
}

/** A seat at the end: its tracker, its cards, and its points from each company as `points[i] / over`. */
export interface SharesSeatResult {
  readonly tracker: SharesTracker
  readonly hand: readonly ("2H" | "3H" | "4H" | "5H" | "6H" | "7H" | "8H" | "9H" | "10H" | "JH" | "QH" | "KH" | "AH" | "2S" | "3S" | "4S" | "5S" | "6S" | "7S" | "8S" | "9S" | "10S" | "JS" | "QS" | "KS" | "AS" | "2C" | "3C" | "4C" | "5C" | "6C" | "7C" | "8C" | "9C" | "10C" | "JC" | "QC" | "KC" | "AC" | "2D" | "3D" | "4D" | "5D" | "6D" | "7D" | "8D" | "9D" | "10D" | "JD" | "QD" | "KD" | "AD")[]
  readonly points: readonly number[]
  readonly score: number
}

/** Section `decisive_floor`, at the end: the one floor, more or less, with which the winners would have */
export interface SharesDecisiveFloor {
  readonly company: "A" | "B" | "C" | "D" | "E" | null
  readonly change: number
  readonly winners: readonly number[]
}

/** Private section `hand`: the seat's own cards, ordered by suit and rank. */
export interface SharesHand {
  readonly cards: readonly SharesHeld[]
}

/** A card in the seat's own hand. */
export interface SharesHeld {
  readonly card: "2H" | "3H" | "4H" | "5H" | "6H" | "7H" | "8H" | "9H" | "10H" | "JH" | "QH" | "KH" | "AH" | "2S" | "3S" | "4S" | "5S" | "6S" | "7S" | "8S" | "9S" | "10S" | "JS" | "QS" | "KS" | "AS" | "2C" | "3C" | "4C" | "5C" | "6C" | "7C" | "8C" | "9C" | "10C" | "JC" | "QC" | "KC" | "AC" | "2D" | "3D" | "4D" | "5D" | "6D" | "7D" | "8D" | "9D" | "10D" | "JD" | "QD" | "KD" | "AD"
  readonly uses: number
  readonly adjust: number
  readonly royal: boolean
}

/** Private section `mark`, while shares are selected: the seat's choice, and whether it is locked. */
export interface SharesMark {
  readonly company: "A" | "B" | "C" | "D" | "E" | null
  readonly locked: boolean
}

/** Private section `bid`, in Lowball: the card the seat has chosen to offer, and whether it is locked. */
export interface SharesBid {
  readonly card: "2H" | "3H" | "4H" | "5H" | "6H" | "7H" | "8H" | "9H" | "10H" | "JH" | "QH" | "KH" | "AH" | "2S" | "3S" | "4S" | "5S" | "6S" | "7S" | "8S" | "9S" | "10S" | "JS" | "QS" | "KS" | "AS" | "2C" | "3C" | "4C" | "5C" | "6C" | "7C" | "8C" | "9C" | "10C" | "JC" | "QC" | "KC" | "AC" | "2D" | "3D" | "4D" | "5D" | "6D" | "7D" | "8D" | "9D" | "10D" | "JD" | "QD" | "KD" | "AD" | null
  readonly locked: boolean
}

/** Private section `peek_content`, bound to its window: a hand or a tracker; the other field is None. */
export interface SharesPeekContent {
  readonly cards: readonly ("2H" | "3H" | "4H" | "5H" | "6H" | "7H" | "8H" | "9H" | "10H" | "JH" | "QH" | "KH" | "AH" | "2S" | "3S" | "4S" | "5S" | "6S" | "7S" | "8S" | "9S" | "10S" | "JS" | "QS" | "KS" | "AS" | "2C" | "3C" | "4C" | "5C" | "6C" | "7C" | "8C" | "9C" | "10C" | "JC" | "QC" | "KC" | "AC" | "2D" | "3D" | "4D" | "5D" | "6D" | "7D" | "8D" | "9D" | "10D" | "JD" | "QD" | "KD" | "AD")[] | null
  readonly tracker: SharesTracker | null
}

/** Private section `deals`: the offers this seat has made or received, open until the market closes. */
export interface SharesDeals {
  readonly deals: readonly SharesDeal[]
}

/** An open offer: the shares `by` gives `to`, and those it wishes for. `id` is its prompt's id. */
export interface SharesDeal {
  readonly id: string
  readonly by: number
  readonly to: number
  readonly give: readonly ("A" | "B" | "C" | "D" | "E")[]
  readonly wish: readonly ("A" | "B" | "C" | "D" | "E")[]
}

/** Private section `seen`: by seat, the tracker last shown to this seat but not yet to everyone. */
export interface SharesSeen {
  readonly shown: readonly (SharesShown | null)[]
}

/** The options (section 3a). */
export interface SubdivisionOptions {
  readonly set?: "fullStash" | "threeHouse"
  readonly parks?: "symmetric" | "random" | "hostDraws" | "parkPlacement"
  readonly pattern?: string
  readonly privateParks?: boolean
  readonly parkRing?: "group" | "player"
  readonly stuck?: "pass" | "anywhere"
  readonly timers?: "normal" | "relaxed" | "fast" | "off"
}

/** Place a park (variant Park Place-ment). */
export interface SubdivisionPark {
  readonly move: "park"
  readonly square: number
}

/** Place a pyramid. */
export interface SubdivisionPlace {
  readonly move: "place"
  readonly pips: 1 | 2 | 3
  readonly square: number
}

/** Section `board`: `size` x `size` squares, the parks in ascending order, the last piece's square. */
export interface SubdivisionBoard {
  readonly size: number
  readonly parks: readonly number[]
  readonly squares: readonly (SubdivisionPiece | null)[]
  readonly last: number | null
  readonly private: "group" | "player" | null
}

/** A pyramid on the board. */
export type SubdivisionPiece = readonly [seat: number, pips: number]

/** Section `stage`: the phase of the game. */
export interface SubdivisionStage {
  readonly phase: "parks" | "place" | "end"
  readonly turn: number | null
  readonly number: number
  readonly parks_left: number
  readonly passed: readonly number[]
  readonly free: boolean
  readonly lead: SubdivisionLead | null
}

/** Since when exactly these seats have had the highest total. */
export interface SubdivisionLead {
  readonly seats: readonly number[]
  readonly square: number
  readonly left: number
}

/** Section `stash`: how many 1s, 2s and 3s each seat has left to place. */
export interface SubdivisionStash {
  readonly left: readonly (readonly [number, number, number])[]
}

/** Section `score`: the totals by seat, with the squares of every deduction and bonus. */
export interface SubdivisionScore {
  readonly totals: readonly SubdivisionTotal[]
  readonly groups: readonly SubdivisionGroup[]
  readonly crowds: readonly SubdivisionCrowd[]
  readonly gardens: readonly SubdivisionGarden[]
}

/** A seat's score and its parts: total = pips - groups - crowded + gardens (section 3d). */
export interface SubdivisionTotal {
  readonly pips: number
  readonly groups: number
  readonly crowded: number
  readonly gardens: number
  readonly total: number
}

/** A connected set of one seat's pyramids (SUB-4, SUB-5); each costs a point. */
export interface SubdivisionGroup {
  readonly seat: number
  readonly squares: readonly number[]
}

/** A 3 with `ones` 1s near it: each after the first costs it a point, up to three (SUB-6). */
export type SubdivisionCrowd = readonly [square: number, ones: number, lost: number]

/** A park that one seat has made private (SUB-9, SUB-10). */
export type SubdivisionGarden = readonly [park: number, seat: number]

/** The options (section 2a). Without blind allies and blackmail, this is the original 1964 game. */
export interface SuckerOptions {
  readonly blindAlly?: boolean
  readonly blackmail?: boolean
  readonly rounds?: number
  readonly chipAdjust?: "fromBase" | "cumulative" | "off"
  readonly firstPlayer?: "random" | "lastOut" | "rotate"
  readonly blackmailFaces?: "private" | "public"
  readonly selfBlackmail?: boolean
  readonly deadCards?: "void" | "keepCapture"
  readonly timers?: "normal" | "relaxed" | "fast" | "off"
}

/** Place a chip on a pile or, without `pile`, begin one; `card` makes the chip capture (SLS-26). */
export interface SuckerPlace {
  readonly move: "place"
  readonly colour: number
  readonly pile?: number | null
  readonly card?: number | null
}

/** Play a return card, or a tribute card with the colour of the prisoners to hand over. */
export interface SuckerPlayCard {
  readonly move: "playCard"
  readonly card: number
  readonly colour?: number | null
}

/** Choose who gets the move next. */
export interface SuckerGiveMove {
  readonly move: "giveMove"
  readonly to: number
}

/** Kill one chip of the captured pile and take the others. */
export interface SuckerKill {
  readonly move: "kill"
  readonly colour: number
}

/** Answer a rescue: give prisoners to the seat in need. */
export interface SuckerRescueWith {
  readonly move: "rescue"
  readonly colour: number
  readonly count: number
}

/** Answer a rescue with a refusal. */
export interface SuckerRefuse {
  readonly move: "refuse"
}

/** Withdraw a refusal (SLS-15). */
export interface SuckerRelent {
  readonly move: "relent"
}

/** Give prisoners to another seat permanently. */
export interface SuckerTransfer {
  readonly move: "transfer"
  readonly colour: number
  readonly count: number
  readonly to: number
}

/** Kill prisoners in your hand. */
export interface SuckerKillPrisoners {
  readonly move: "killPrisoners"
  readonly colour: number
  readonly count: number
}

/** Declare that you are ready for the next round. */
export interface SuckerContinue {
  readonly move: "continue"
}

/** Section `stage`: the phase of the game. */
export interface SuckerStage {
  readonly round: number
  readonly phase: "turn" | "choose" | "kill" | "rescue" | "review" | "end"
  readonly number: number
  readonly mover: number | null
  readonly first: number
  readonly alive: readonly boolean[]
  readonly out: readonly number[]
  readonly pile: number | null
  readonly next: readonly number[]
  readonly bound: boolean
}

/** Section `hands`: all chips that are not in piles (SLS-1). */
export interface SuckerHands {
  readonly chips: readonly (readonly number[])[]
  readonly dead: readonly number[]
}

/** Section `piles`: the piles; `fresh` has, by colour, the result of beginning a new one. */
export interface SuckerPiles {
  readonly piles: readonly SuckerPileView[]
  readonly fresh: readonly SuckerForecast[]
}

/** A pile, bottom first, and how it decides who is next (SLS-5). */
export interface SuckerPileView {
  readonly id: number
  readonly chips: readonly number[]
  readonly tops: readonly (number | null)[]
  readonly missing: readonly number[]
  readonly decides: number | null
  readonly outlook: readonly SuckerForecast[]
}

/** The effect of placing a chip of one colour here, whoever places it, without a blackmail card. */
export type SuckerForecast = readonly [what: "capture" | "dies" | "free" | "forced", seats: readonly number[]]

/** Section `trail`: the seats that have had the move, latest last; `earlier` is the number of older ones. */
export interface SuckerTrail {
  readonly seats: readonly number[]
  readonly earlier: number
  readonly back: number | null
}

/** Section `cards`: the number of blackmail cards left in the stack, and those taken in this round. */
export interface SuckerCards {
  readonly left: number
  readonly cards: readonly SuckerCard[]
}

/** A taken blackmail card: `owner` may play it against `token`. `kind` is set if everybody may know it. */
export type SuckerCard = readonly [id: number, owner: number, token: number, status: "held" | "played" | "void", kind: "capture" | "return" | "tribute" | null]

/** Section `rescue`: the `needy` seat has the move but no chips. */
export interface SuckerRescue {
  readonly needy: number
  readonly answers: readonly SuckerAnswer[]
  readonly back: number | null
  readonly award: number | null
}

/** A seat that must answer a rescue: it has prisoners, or is in need and has a card that might help. */
export type SuckerAnswer = readonly [seat: number, prisoners: number, refused: boolean]

/** Section `match`: the points and the starting chips of each seat, and the results of past rounds. */
export interface SuckerMatch {
  readonly rounds: number
  readonly points: readonly number[]
  readonly chips: readonly number[]
  readonly results: readonly SuckerResult[]
}

/** The result of a round, including everything that was secret in it. */
export interface SuckerResult {
  readonly first: number
  readonly chips: readonly number[]
  readonly survivor: number
  readonly out: readonly number[]
  readonly winners: readonly number[]
  readonly rows: readonly (readonly number[])[]
  readonly deck: readonly ("capture" | "return" | "tribute")[]
  readonly change: readonly number[]
}

/** Section `readiness`: which seats are ready for the next round. */
export interface SuckerReadiness {
  readonly done: readonly boolean[]
}

/** Section `history`: the steps of the last round; shown between rounds and at the end. */
export interface SuckerHistory {
  readonly deeds: readonly SuckerDeed[]
}

/** A step of a round, for its chart; `held` counts the chips in each hand after it. */
export type SuckerDeed = readonly [what: "place" | "capture" | "dies" | "fall", seat: number, colour: number | null, pile: number | null, held: readonly number[]]

/** Private section `mine`: the seat's row, how it can still win, and the blackmail cards it knows. */
export interface SuckerMine {
  readonly row: readonly number[]
  readonly enemy: number | null
  readonly ally: number | null
  readonly over: readonly number[]
  readonly under: readonly number[]
  readonly kinds: readonly SuckerKnown[]
}

/** A held card whose kind this seat knows, because it owns the card or is named by it (SLS-18). */
export type SuckerKnown = readonly [id: number, kind: "capture" | "return" | "tribute"]

/** The options of section 5a. */
export interface TakeoverOptions {
  readonly draftSuits?: "hidden" | "shown"
  readonly holdings?: "concealed" | "faces" | "open"
  readonly trading?: "anytime" | "ownTurnOnly" | "off"
  readonly tradeLog?: "private" | "public"
  readonly voluntaryCashOut?: boolean
  readonly exactPay?: boolean
  readonly timers?: "normal" | "relaxed" | "fast" | "off"
}

/** Take a coin of this value; its industry is chosen at random. */
export interface TakeoverPick {
  readonly move: "pick"
  readonly value: 0 | 1 | 2 | 3 | 4 | 5
}

/** Take this coin, if industries are shown. */
export interface TakeoverPickCoin {
  readonly move: "pickCoin"
  readonly coin: "S0" | "S1" | "S2" | "S3" | "S4" | "S5" | "M0" | "M1" | "M2" | "M3" | "M4" | "M5" | "C0" | "C1" | "C2" | "C3" | "C4" | "C5" | "A0" | "A1" | "A2" | "A3" | "A4" | "A5"
}

/** Mark the coins that are to be stocks; the marks count if time runs out. */
export interface TakeoverSetStocks {
  readonly move: "setStocks"
  readonly coins: readonly ("S0" | "S1" | "S2" | "S3" | "S4" | "S5" | "M0" | "M1" | "M2" | "M3" | "M4" | "M5" | "C0" | "C1" | "C2" | "C3" | "C4" | "C5" | "A0" | "A1" | "A2" | "A3" | "A4" | "A5")[]
}

/** Lock these coins or, without `coins`, the marked ones. */
export interface TakeoverLock {
  readonly move: "lock"
  readonly coins?: readonly ("S0" | "S1" | "S2" | "S3" | "S4" | "S5" | "M0" | "M1" | "M2" | "M3" | "M4" | "M5" | "C0" | "C1" | "C2" | "C3" | "C4" | "C5" | "A0" | "A1" | "A2" | "A3" | "A4" | "A5")[] | null
}

/** Unlock the choice; possible until the last seat locks. */
export interface TakeoverUnlock {
  readonly move: "unlock"
}

/** Put A's stack onto B's ("A>B") and pay; discard a 0 coin held as cash if they do not touch. */
export interface TakeoverMerge {
  readonly move: "merge"
  readonly pair: string
  readonly pay: readonly ("S0" | "S1" | "S2" | "S3" | "S4" | "S5" | "M0" | "M1" | "M2" | "M3" | "M4" | "M5" | "C0" | "C1" | "C2" | "C3" | "C4" | "C5" | "A0" | "A1" | "A2" | "A3" | "A4" | "A5")[]
  readonly null?: "S0" | "S1" | "S2" | "S3" | "S4" | "S5" | "M0" | "M1" | "M2" | "M3" | "M4" | "M5" | "C0" | "C1" | "C2" | "C3" | "C4" | "C5" | "A0" | "A1" | "A2" | "A3" | "A4" | "A5" | null
}

/** Make no merger this turn. */
export interface TakeoverPass {
  readonly move: "pass"
}

/** Turn some of your own stocks into cash (TKO-6). */
export interface TakeoverCashOut {
  readonly move: "cashOut"
  readonly coins: readonly ("S0" | "S1" | "S2" | "S3" | "S4" | "S5" | "M0" | "M1" | "M2" | "M3" | "M4" | "M5" | "C0" | "C1" | "C2" | "C3" | "C4" | "C5" | "A0" | "A1" | "A2" | "A3" | "A4" | "A5")[]
}

/** Offer some of your own coins to a seat in return for a wish. */
export interface TakeoverPropose {
  readonly move: "propose"
  readonly to: number
  readonly give: readonly ("S0" | "S1" | "S2" | "S3" | "S4" | "S5" | "M0" | "M1" | "M2" | "M3" | "M4" | "M5" | "C0" | "C1" | "C2" | "C3" | "C4" | "C5" | "A0" | "A1" | "A2" | "A3" | "A4" | "A5")[]
  readonly wish: readonly string[]
}

/** Replace an offer with a counter-offer. */
export interface TakeoverCounter {
  readonly move: "counter"
  readonly give: readonly ("S0" | "S1" | "S2" | "S3" | "S4" | "S5" | "M0" | "M1" | "M2" | "M3" | "M4" | "M5" | "C0" | "C1" | "C2" | "C3" | "C4" | "C5" | "A0" | "A1" | "A2" | "A3" | "A4" | "A5")[]
  readonly wish: readonly string[]
}

/** Accept an offer, giving these coins to fulfil its wish. */
export interface TakeoverAccept {
  readonly move: "accept"
  readonly coins: readonly ("S0" | "S1" | "S2" | "S3" | "S4" | "S5" | "M0" | "M1" | "M2" | "M3" | "M4" | "M5" | "C0" | "C1" | "C2" | "C3" | "C4" | "C5" | "A0" | "A1" | "A2" | "A3" | "A4" | "A5")[]
}

/** Section `stage`: the progress of the game. */
export interface TakeoverStage {
  readonly phase: "draft" | "flip" | "play" | "end"
  readonly number: number
  readonly turn: number | null
  readonly first: number
}

/** Section `board`: the stack on each square; None if it is empty, which it then stays (TKO-15). */
export interface TakeoverBoard {
  readonly stacks: readonly (TakeoverStack | null)[]
}

/** A company: its tiles, bottom first, and the worth of its stock (5d). */
export interface TakeoverStack {
  readonly tiles: readonly ("S0" | "S1" | "S2" | "S3" | "S4" | "S5" | "M0" | "M1" | "M2" | "M3" | "M4" | "M5" | "C0" | "C1" | "C2" | "C3" | "C4" | "C5" | "A0" | "A1" | "A2" | "A3" | "A4" | "A5")[]
  readonly worth: number
}

/** Section `draft`: the seat of each pick, the picks so far, and the coins on the table. */
export interface TakeoverDraft {
  readonly order: readonly number[]
  readonly picks: readonly TakeoverPicked[]
  readonly left: readonly number[]
  readonly coins: readonly ("S0" | "S1" | "S2" | "S3" | "S4" | "S5" | "M0" | "M1" | "M2" | "M3" | "M4" | "M5" | "C0" | "C1" | "C2" | "C3" | "C4" | "C5" | "A0" | "A1" | "A2" | "A3" | "A4" | "A5")[] | null
}

/** A pick in the draft; `coin` is None if industries are hidden. */
export type TakeoverPicked = readonly [seat: number, value: 0 | 1 | 2 | 3 | 4 | 5, coin: "S0" | "S1" | "S2" | "S3" | "S4" | "S5" | "M0" | "M1" | "M2" | "M3" | "M4" | "M5" | "C0" | "C1" | "C2" | "C3" | "C4" | "C5" | "A0" | "A1" | "A2" | "A3" | "A4" | "A5" | null]

/** Section `holdings`: what everybody can see of the coins. */
export interface TakeoverHoldings {
  readonly counts: readonly number[]
  readonly faces: readonly (readonly string[])[] | null
  readonly coins: readonly (readonly TakeoverCoin[])[] | null
  readonly spent: readonly number[]
}

/** A coin and which side is up: it is a stock if industry up, and cash if value up. */
export type TakeoverCoin = readonly [name: "S0" | "S1" | "S2" | "S3" | "S4" | "S5" | "M0" | "M1" | "M2" | "M3" | "M4" | "M5" | "C0" | "C1" | "C2" | "C3" | "C4" | "C5" | "A0" | "A1" | "A2" | "A3" | "A4" | "A5", stock: boolean]

/** Section `readiness`: the seats that have locked their flips. */
export interface TakeoverReadiness {
  readonly done: readonly boolean[]
}

/** Section `mergers`: all mergers that the grid allows a seat with enough coins. */
export interface TakeoverMergers {
  readonly mergers: readonly TakeoverMerger[]
}

/** A possible merger, whoever makes it. */
export type TakeoverMerger = readonly [pair: string, cost: number, worth: number, touch: boolean]

/** Section `passes`: each seat's voluntary pass and lapsed turns since the last merger (TKO-21). */
export interface TakeoverPasses {
  readonly passed: readonly boolean[]
  readonly lapses: readonly number[]
}

/** Section `trades`: the latest trades, oldest first. There is none if nobody may trade. */
export interface TakeoverTrades {
  readonly trades: readonly TakeoverTrade[]
}

/** A completed trade: `gave` coins from `seat` for `got` coins from `other`. */
export interface TakeoverTrade {
  readonly seat: number
  readonly other: number
  readonly gave: number
  readonly got: number
  readonly given: readonly TakeoverCoin[] | null
  readonly back: readonly TakeoverCoin[] | null
}

/** Section `reckoning`: every hand and the coins out of play, at the end (GEN-9). */
export interface TakeoverReckoning {
  readonly hands: readonly (readonly TakeoverHolding[])[]
  readonly totals: readonly number[]
  readonly spent: readonly ("S0" | "S1" | "S2" | "S3" | "S4" | "S5" | "M0" | "M1" | "M2" | "M3" | "M4" | "M5" | "C0" | "C1" | "C2" | "C3" | "C4" | "C5" | "A0" | "A1" | "A2" | "A3" | "A4" | "A5")[]
}

/** A coin, which side is up, and its worth. */
export interface TakeoverHolding {
  readonly name: "S0" | "S1" | "S2" | "S3" | "S4" | "S5" | "M0" | "M1" | "M2" | "M3" | "M4" | "M5" | "C0" | "C1" | "C2" | "C3" | "C4" | "C5" | "A0" | "A1" | "A2" | "A3" | "A4" | "A5"
  readonly stock: boolean
  readonly worth: number
}

/** Private section `hand`: the seat's own coins, both sides, the current worth of each, and their total. */
export interface TakeoverHand {
  readonly coins: readonly TakeoverHolding[]
  readonly total: number
  readonly pay: readonly (readonly ("S0" | "S1" | "S2" | "S3" | "S4" | "S5" | "M0" | "M1" | "M2" | "M3" | "M4" | "M5" | "C0" | "C1" | "C2" | "C3" | "C4" | "C5" | "A0" | "A1" | "A2" | "A3" | "A4" | "A5")[] | null)[]
}

/** Private section `flip`: the coins the seat has marked as stocks, and whether it has locked. */
export interface TakeoverFlip {
  readonly stocks: readonly ("S0" | "S1" | "S2" | "S3" | "S4" | "S5" | "M0" | "M1" | "M2" | "M3" | "M4" | "M5" | "C0" | "C1" | "C2" | "C3" | "C4" | "C5" | "A0" | "A1" | "A2" | "A3" | "A4" | "A5")[]
  readonly locked: boolean
}

/** Private section `deals`: the offers this seat has made or received. */
export interface TakeoverDeals {
  readonly deals: readonly TakeoverDeal[]
}

/** An open offer: the coins `by` gives `to`, with their sides, and its wish. `id` is its prompt's id. */
export interface TakeoverDeal {
  readonly id: string
  readonly by: number
  readonly to: number
  readonly give: readonly TakeoverCoin[]
  readonly wish: readonly string[]
}

/** The hub's own sections in every view. */
export interface HubSections {
  readonly table: TableSection
  readonly presence: PresenceSection
  readonly knocks: KnocksSection
  readonly watchers: WatchersSection
  readonly vote: VoteSection
  readonly prompts: PromptsSection
  readonly windows: WindowsSection
  readonly choices: ChoicesSection
  readonly talk_policy: TalkPolicy
  readonly note: NoteSection
  readonly promises: PromisesSection
  readonly out_seats: OutSeatsSection
  readonly result: ResultSection
  readonly rematch: RematchSection
}

/** Every move of Almost. */
export type AlmostMove = AlmostReady | AlmostUnready | AlmostPropose | AlmostAgree | AlmostWithdraw | AlmostBid | AlmostLock | AlmostUnlock | AlmostContinue | Extend | LastCall

export interface AlmostSections {
  readonly stage: AlmostStage
  readonly readiness: AlmostReadiness
  readonly score: AlmostScore
  readonly plans: AlmostPlans
  readonly time_control: TimeControl
  readonly mine: AlmostMine
}

/** Every move of Share and Share Alike. */
export type SharesMove = SharesLock | SharesUnlock | SharesPlay | SharesDiscard | SharesDrawUp | SharesOpenMarket | SharesEndTurn | SharesAdd | SharesRemove | SharesSpy | StopPeeking | SharesDone | SharesAdjust | SharesTarget | SharesTake | SharesSwap | SharesFromDeck | SharesFromDiscard | SharesCloseMarket | SharesAccept | Decline | SharesShow | SharesShowAll | SharesSelect | SharesBidding | SharesPropose | SharesCounter | Cancel | Extend | LastCall

export interface SharesSections {
  readonly stage: SharesStage
  readonly scene: SharesScene
  readonly recent: SharesRecent
  readonly towers: SharesTowers
  readonly players: SharesPlayers
  readonly piles: SharesPiles
  readonly readiness: SharesReadiness
  readonly bids: SharesBids
  readonly peek: Peek
  readonly trades: SharesTrades
  readonly shows: SharesShows
  readonly reckoning: SharesReckoning
  readonly decisive_floor: SharesDecisiveFloor
  readonly time_control: TimeControl
  readonly hand: SharesHand
  readonly tracker: SharesTracker
  readonly mark: SharesMark
  readonly bid: SharesBid
  readonly peek_content: SharesPeekContent
  readonly deals: SharesDeals
  readonly seen: SharesSeen
}

/** Every move of Subdivision. */
export type SubdivisionMove = SubdivisionPark | SubdivisionPlace | Extend | LastCall

export interface SubdivisionSections {
  readonly board: SubdivisionBoard
  readonly stage: SubdivisionStage
  readonly stash: SubdivisionStash
  readonly score: SubdivisionScore
  readonly time_control: TimeControl
}

/** Every move of So Long Sucker. */
export type SuckerMove = SuckerPlace | SuckerPlayCard | SuckerGiveMove | SuckerKill | SuckerRescueWith | SuckerRefuse | SuckerRelent | SuckerTransfer | SuckerKillPrisoners | SuckerContinue | Extend | LastCall

export interface SuckerSections {
  readonly stage: SuckerStage
  readonly hands: SuckerHands
  readonly piles: SuckerPiles
  readonly trail: SuckerTrail
  readonly cards: SuckerCards
  readonly rescue: SuckerRescue
  readonly match: SuckerMatch
  readonly readiness: SuckerReadiness
  readonly history: SuckerHistory
  readonly time_control: TimeControl
  readonly mine: SuckerMine
}

/** Every move of Takeover. */
export type TakeoverMove = TakeoverPick | TakeoverPickCoin | TakeoverSetStocks | TakeoverLock | TakeoverUnlock | TakeoverMerge | TakeoverPass | TakeoverCashOut | TakeoverPropose | TakeoverCounter | TakeoverAccept | Decline | Cancel | Extend | LastCall

export interface TakeoverSections {
  readonly stage: TakeoverStage
  readonly board: TakeoverBoard
  readonly draft: TakeoverDraft
  readonly holdings: TakeoverHoldings
  readonly readiness: TakeoverReadiness
  readonly mergers: TakeoverMergers
  readonly passes: TakeoverPasses
  readonly trades: TakeoverTrades
  readonly reckoning: TakeoverReckoning
  readonly time_control: TimeControl
  readonly hand: TakeoverHand
  readonly flip: TakeoverFlip
  readonly deals: TakeoverDeals
}

/** Every game in the registry, by key. */
export interface Games {
  readonly almost: { readonly options: AlmostOptions; readonly move: AlmostMove; readonly sections: AlmostSections }
  readonly shares: { readonly options: SharesOptions; readonly move: SharesMove; readonly sections: SharesSections }
  readonly subdivision: { readonly options: SubdivisionOptions; readonly move: SubdivisionMove; readonly sections: SubdivisionSections }
  readonly sucker: { readonly options: SuckerOptions; readonly move: SuckerMove; readonly sections: SuckerSections }
  readonly takeover: { readonly options: TakeoverOptions; readonly move: TakeoverMove; readonly sections: TakeoverSections }
}

/** The hub's own sections that watchers never get. */
export const HUB_PRIVATE_SECTIONS: readonly string[] = ["choices", "note", "knocks", "watchers"]

/** The sections of each game that are for one seat alone. */
export const PRIVATE_SECTIONS: Readonly<Record<string, readonly string[]>> = {
  "almost": ["mine"],
  "shares": ["bid", "deals", "hand", "mark", "peek_content", "seen", "tracker"],
  "subdivision": [],
  "sucker": ["mine"],
  "takeover": ["deals", "flip", "hand"],
}

/** How many seats each game has and how many minutes it takes, from the least to the most. */
export const GAME_RANGES: Readonly<
  Record<keyof Games, Readonly<Record<'seats' | 'minutes', readonly [number, number]>>>
> = {
  "almost": {"seats": [3, 10], "minutes": [5, 15]},
  "shares": {"seats": [3, 6], "minutes": [45, 75]},
  "subdivision": {"seats": [2, 4], "minutes": [10, 15]},
  "sucker": {"seats": [4, 6], "minutes": [20, 45]},
  "takeover": {"seats": [2, 6], "minutes": [15, 30]},
}
