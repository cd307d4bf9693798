/** A person's half of a deal with a bot, and how they answer what a bot proposes (games/sucker/bot/settling.py, deals.py). */
import type { TalkMessage } from '../../sdk/wire.gen.ts'
import type { Owed } from '../../app/game.ts'
import { intentOf, isAddressed, isFull, openPromises, promisesOf } from '../../app/promises.ts'
import type { TableView } from '../../app/tableview.svelte.ts'
import { heldBy, sectionsOf, type Sections } from './selectors.ts'

/** By what the bot expects once somebody has agreed, the kind of promise that says the same. */
const EXPECTED: Readonly<Record<string, string>> = {
  expectPile: 'spare_pile',
  expectSave: 'save',
  expectPact: 'save',
  expectTurn: 'pass_move',
  expectTurns: 'pass_move',
  expectSpare: 'spare_chips',
  expectTruce: 'spare_chips',
}

/** By what a bot proposes, the kind of promise that gives it what it wants. */
const WANTED: Readonly<Record<string, string>> = {
  offerTurn: 'spare_pile',
  offerTurnSave: 'save',
  offerTurnBack: 'pass_move',
  offerTurnSpare: 'spare_chips',
  askTurn: 'pass_move',
  askTurnBack: 'pass_move',
  askTurnWeak: 'pass_move',
  askPile: 'spare_pile',
  pact: 'save',
  pactTurn: 'pass_move',
  pactSpare: 'spare_chips',
  counterSave: 'save',
  counterPile: 'spare_pile',
}
/** Proposals by which the bot promises the same as it wants. */
const MUTUAL = new Set(['pact', 'pactTurn', 'pactSpare'])
/** A proposal can be agreed to until the seat that it was made to has placed so many chips (games/sucker/bot/deals.py). */
const TURNS = 2
/** Proposals that hold only as long as the bot chooses who is next. */
const OFFERS = new Set(['offerTurn', 'offerTurnSave', 'offerTurnBack', 'offerTurnSpare'])
/** Proposals that hold only as long as this seat chooses who is next. */
const FOR_TURN = new Set(['askTurn', 'askTurnBack', 'askTurnWeak'])
/** The log lines of a choice of who is next. */
const CHOICES: ReadonlySet<string> = new Set(['sucker.gave', 'sucker.kept', 'sucker.only'])
/** Other proposals, which a later *Deal.* would be taken to mean. */
const OTHERS = new Set(['team', 'threat', 'askSpare', 'askChip', 'begPromise', 'begOwn', 'begTurn'])

const YES = 'sucker.say.deal'
const NO = 'sucker.say.noDeal'
/** What answers a bot that asks everybody who is next. */
const ME = 'sucker.say.giveMeTheMove'
/** The phrases that answer a proposal. */
export const ANSWERS: ReadonlySet<string> = new Set([YES, NO])

/** The phrases for which it is not too late once a round is over. */
const AFTERWARDS: ReadonlySet<string> = new Set(
  ['liar', 'thanks', 'sorry', 'soLong'].map((key) => `sucker.say.${key}`),
)

function isProposal(message: TalkMessage, seat: number): boolean {
  const intent = intentOf(message)
  return message.args?.to === seat && (intent in WANTED || OTHERS.has(intent))
}

function promiseOf(kinds: Readonly<Record<string, string>>, seat: number, message: TalkMessage): Owed | null {
  const { args, seat: by } = message
  const kind = kinds[intentOf(message)]
  if (kind === undefined || by == null || args?.to !== seat) return null
  if (kind !== 'spare_pile') return { kind, terms: {}, to: [by] }
  return typeof args.pile === 'number' ? { kind, terms: { pile: args.pile }, to: [by] } : null
}

/** The promise with which this seat would give its half of the deal; null if the message names none of its. */
export function owedBy(seat: number, message: TalkMessage): Owed | null {
  return promiseOf(EXPECTED, seat, message)
}

/** What this seat has answered to a bot's proposal: *Deal.* or *No deal.* answers the last one. */
function answerTo(talk: readonly TalkMessage[], seat: number, message: TalkMessage): TalkMessage | null {
  for (const later of talk.slice(talk.indexOf(message) + 1)) {
    if (later.seat === seat && later.bot !== true && (later.phrase === YES || later.phrase === NO))
      return later
    if (isProposal(later, seat)) return null
  }
  return null
}

/** Whether what a proposal is about is still there: the round, both seats, the pile, a chip to use the turn with. */
function stands({ stage, piles, hands }: Sections, seat: number, { kind, terms, to }: Owed): boolean {
  if (stage.phase === 'review' || stage.phase === 'end') return false
  if (![seat, ...to].every((each) => stage.alive[each] === true)) return false
  if (kind === 'pass_move') return to.every((each) => heldBy(hands, each) > 0)
  return kind !== 'spare_pile' || piles.piles.some(({ id }) => id === terms.pile)
}

/** Whether the bot could still promise its part of what it proposed, or has promised it. */
function keepable(view: TableView, { hands }: Sections, seat: number, message: TalkMessage): boolean {
  const { seat: by } = message
  const kind = WANTED[intentOf(message)]
  if (by == null || !MUTUAL.has(intentOf(message))) return true
  const open = openPromises(view, by)
  if (open.some((promise) => promise.kind === kind && promise.to?.includes(seat) === true)) return true
  const isTaken = kind === 'pass_move' && open.some((promise) => promise.kind === kind)
  return !isFull(view, by) && !isTaken && (kind !== 'pass_move' || heldBy(hands, seat) > 0)
}

/**
 * Whether a proposal came to nothing before time `until`, as the bot sees it: `_is_late` in games/sucker/bot/memory.py. Both
 * are tested by tests/games/sucker/pacts.json.
 */
function isLate(view: TableView, message: TalkMessage, until = Infinity): boolean {
  const { seat: bot, at } = message
  const { seat, state } = view
  if (bot == null) return false
  if (intentOf(message) === 'pactTurn' && hasChosenAnother(view, bot, at, until)) return true
  let needy: unknown = null
  let placed = 0
  return state.lines.some(([, key, args, time], index) => {
    if (key === 'sucker.needy') needy = args.seat
    if (time <= at || time >= until || args.seat !== seat) return false
    if (key === 'sucker.placed' || key === 'sucker.opened') return ++placed >= TURNS
    if (key === 'sucker.killed') return args.colour === bot
    if (key === 'sucker.refused') return needy === bot
    if (key === 'sucker.gave')
      return args.other === bot && /needy|fell/.test(state.lines[index + 1]?.[1] ?? '')
    if (key !== 'promise.broken') return false
    const promise = promisesOf(view).find(({ id }) => id === args.promise)
    return promise !== undefined && isAddressed(promise.to ?? [], [bot])
  })
}

/**
 * Whether this seat's first choice since time `since` that could have gone to the bot went to another: `_find_other_choice`
 * in games/sucker/bot/deals.py.
 */
function hasChosenAnother({ seat, state }: TableView, bot: number, since: number, until: number): boolean {
  const piles = new Map<unknown, Set<unknown>>()
  let last: unknown = null
  for (const [, key, args, time] of state.lines) {
    if (time >= until) break
    if (key === 'sucker.opened') piles.set(args.pile, new Set())
    if (key === 'sucker.opened' || key === 'sucker.placed') {
      last = args.pile
      piles.get(last)?.add(args.colour)
    }
    if (time <= since || args.seat !== seat || !CHOICES.has(key)) continue
    if (args.other === bot) return false
    if (piles.get(last)?.has(bot) === false) return true
  }
  return false
}

/** Whether the bot has replied to the answer that it came too late, before this seat said anything else. */
function isRefused(
  talk: readonly TalkMessage[],
  seat: number,
  bot: number | null | undefined,
  answer: TalkMessage,
): boolean {
  for (const said of talk.slice(talk.indexOf(answer) + 1)) {
    if (said.seat === seat) return false
    if (said.seat === bot && said.args?.to === seat && intentOf(said) === 'tooLate') return true
  }
  return false
}

/** Whether a round has begun since it was said, which ends every deal. */
function isOver(view: TableView, { at }: TalkMessage): boolean {
  return view.state.lines.some(([, key, , began]) => key === 'sucker.began' && began > at)
}

/**
 * The same for the viewer's seat until the round ends, which ends the deal: for what it has agreed to, whether or not the
 * bot has named both sides since.
 */
export function owedIn(view: TableView, message: TalkMessage): Owed | null {
  const { seat } = view
  if (seat === null || isOver(view, message)) return null
  const { talk } = view.state
  let owed = owedBy(seat, message)
  const answer = answerTo(talk, seat, message)
  if (owed === null && answer?.phrase === YES && !isLate(view, message, answer.at)) {
    if (isRefused(talk, seat, message.seat, answer)) return null
    const wanted = promiseOf(WANTED, seat, message)
    const isNamed = talk
      .slice(talk.indexOf(message))
      .some((later) => later.seat === message.seat && owedBy(seat, later)?.kind === wanted?.kind)
    if (!isNamed) owed = wanted
  }
  return owed
}

/** Whether the bot that asks everybody who is next may still choose this seat, which has not answered. */
function invitedIn(
  { stage }: Sections,
  talk: readonly TalkMessage[],
  seat: number,
  message: TalkMessage,
): boolean {
  const isOpen = stage.phase === 'choose' && stage.mover === message.seat && stage.next.includes(seat)
  const later = talk.slice(talk.indexOf(message) + 1)
  return isOpen && !later.some((said) => said.seat === seat && said.bot !== true)
}

/** The phrases that answer a bot's proposal to this seat, while it is the last one and still holds; none if it is not. */
export function repliesIn(view: TableView, message: TalkMessage): readonly string[] {
  const sections = sectionsOf(view)
  const { seat } = view
  if (seat === null || sections === null || message.bot !== true || isOver(view, message)) return []
  const { talk } = view.state
  if (intentOf(message) === 'invite') return invitedIn(sections, talk, seat, message) ? [ME] : []
  if (talk.findLast((said) => isProposal(said, seat)) !== message) return []
  if (answerTo(talk, seat, message) !== null) return []
  const intent = intentOf(message)
  const wanted = promiseOf(WANTED, seat, message)
  if (wanted === null || !stands(sections, seat, wanted) || isLate(view, message)) return []
  if (!keepable(view, sections, seat, message)) return []
  const { stage } = sections
  const chooser = OFFERS.has(intent) ? message.seat : FOR_TURN.has(intent) ? seat : null
  const isOpen = chooser === null || (stage.phase === 'choose' && stage.mover === chooser)
  return isOpen ? [YES, NO] : []
}

/** Whether a phrase fits: *Deal.* and *No deal.* answer a proposal that is open, and others are about the turn or a rescue. */
export function fitsIn(view: TableView, phrase: string): boolean {
  if (ANSWERS.has(phrase)) return view.state.talk.some((message) => repliesIn(view, message).includes(phrase))
  const stage = view.gameSection('sucker', 'stage')
  if (stage == null) return true
  if (stage.phase === 'review' || stage.phase === 'end') return AFTERWARDS.has(phrase)
  const isMine = stage.mover === view.seat
  switch (phrase) {
    case 'sucker.say.giveMeTheMove':
      return !isMine
    case 'sucker.say.iGiveYouTheMove':
      return isMine && stage.phase !== 'rescue'
    case 'sucker.say.rescueMe':
      return isMine && stage.phase === 'rescue'
    case 'sucker.say.iWillRescueYou':
      return !isMine && stage.phase === 'rescue'
    default:
      return true
  }
}
