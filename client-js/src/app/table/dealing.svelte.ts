/**
 * The deals of one table as its page shows them: open offers, offers that ended a moment ago, the offer being
 * written, and offers saved for later.
 *
 * Offers saved for later stay in this tab, stored per table and seat. They contain goods that must stay
 * secret from everybody else, and are not sent to anybody until they are made.
 */
import { untrack } from 'svelte'
import type { Verdict } from '../../sdk/table.ts'
import { cheapest, type Item } from '../multisets.ts'
import {
  addable,
  endings,
  ENDINGS_OF_ASKED,
  itemsIn,
  legal,
  termsOf,
  type Deal,
  type Ended,
  type Ending,
  type GameDeals,
  type Trading,
  type Terms,
  type Thing,
} from '../deals.ts'
import { t, words } from '../language.ts'
import { perTable } from '../pertable.svelte.ts'
import type { TableView } from '../tableview.svelte.ts'
import {
  counted,
  itemsOf,
  MAX_PREPARED,
  moveOf,
  NO_DRAFT,
  read,
  stands,
  write,
  type Draft,
  type Prepared,
} from './drafts.ts'
import { endedBefore } from './pastdeals.ts'

/** An offer on the screen; one that has ended keeps its place for a moment. */
export interface Shown {
  readonly deal: Deal
  readonly ending: Ending | null
}

/** Offers that ended at the same moment, with everything that shows how they ended. */
interface Moment {
  readonly ended: readonly Deal[]
  readonly lines: TableView['state']['lines']
  readonly opened: readonly Deal[]
  readonly closed: boolean
  /** How this person ended some of them, by actions that the hub has accepted. */
  readonly did: Record<string, Ending>
}

/**
 * This person's action on an offer: pending until the hub has accepted it and the offer has ended, or until
 * the hub refuses it.
 */
interface Act {
  readonly id: string
  readonly ending: Ending
  /** The terms for countering the offer at the time of this action. */
  readonly terms: readonly Terms[]
  counted: boolean
  /** The moment when the offer ended, if that came before the verdict. */
  moment: Moment | null
}

/** How many offers that have ended the panel lists. */
const MAX_PAST = 4
/** The minimum time, in milliseconds, for which an ended offer stays in place. */
const LINGER = 6_000
const NO_TERMS: readonly Terms[] = []

export class Dealing {
  readonly view: TableView
  readonly game: GameDeals
  shown = $state.raw<readonly Shown[]>([])
  draft = $state.raw<Draft | null>(null)
  /** Goods removed from the draft because they are gone or have changed. */
  dropped = $state.raw<readonly Thing[]>([])
  prepared = $state.raw<readonly Prepared[]>([])
  /** Whether the panel should take focus once it is drawn. */
  wantsFocus = $state(false)
  /** Whether the board has requested the panel. */
  called = $state(false)
  /** The last offer that ended without this person, to report if this person has not seen it end. */
  news = $state.raw<Shown | null>(null)
  /** The last offers that ended without this person, the newest first. */
  past = $state.raw<readonly Ended[]>([])
  /** Whether the list of offers is on the screen. */
  listed = false
  /** The ids of shown offers that ended a while ago. */
  #expired: readonly string[] = []
  #seen = $state.raw<readonly string[]>([])
  #lastTerms = $state.raw<readonly Terms[]>(NO_TERMS)
  #acts = $state.raw<readonly Act[]>([])
  #heard = -1
  #traded = false
  /** Whether offers could be made while this draft was being written, but no longer can. */
  #ended = $state(false)
  #place: string | null = null

  constructor(view: TableView, game: GameDeals) {
    this.view = view
    this.game = game
  }

  readonly acts = $derived.by(() => this.view.acts)
  /** The prompt for making offers, if it is open to this seat. */
  readonly #prompt = $derived.by(() => this.view.prompt(this.game.prompt)?.id)
  /** Whether offers can be made at all right now. */
  readonly trading = $derived.by(() => this.#prompt !== undefined)
  /** The sentence saying that no offers can be made; null if they can. */
  readonly closed = $derived.by(() =>
    this.trading ? null : (this.game.closed?.(this.draft !== null && this.#ended) ?? t('deals.closed')),
  )
  readonly goods = $derived.by(() => this.game.goods(this.view))
  /** The terms on which an offer can be made now. */
  readonly open = $derived.by(() =>
    this.#prompt === undefined ? NO_TERMS : termsOf(this.#choices(this.#prompt), 'propose'),
  )
  /**
   * The terms for an offer; while none can be made, the game's terms for a later one, or the last terms that
   * applied.
   */
  readonly terms = $derived.by(() =>
    this.open.length > 0 ? this.open : (this.game.ahead?.(this.view) ?? this.#lastTerms),
  )
  readonly incoming = $derived.by(() => this.shown.filter(({ deal }) => deal.to === this.view.seat))
  readonly outgoing = $derived.by(() => this.shown.filter(({ deal }) => deal.by === this.view.seat))
  /** Offers waiting for this person. */
  readonly waiting = $derived.by(() =>
    this.acts ? this.incoming.filter(({ ending }) => ending === null) : [],
  )
  /** The newest waiting offer that has not been seen. */
  readonly fresh = $derived.by(
    () => this.waiting.findLast(({ deal }) => !this.#seen.includes(deal.id))?.deal ?? null,
  )

  #choices(prompt: string): ReturnType<TableView['choices']> {
    return this.view.section('choices')?.choices[prompt] ?? []
  }

  // --- what the hub sends ---

  /** Process the hub's latest state. This reads everything it depends on, so an effect may call it. */
  follow(): void {
    const { seat, state, status, code } = this.view
    const offers = status === 'running' || status === 'paused' ? this.game.offers(this.view) : []
    const { open: terms, goods, trading } = this
    untrack(() => {
      this.#settle(seat === null ? null : `parley.offers.${code}.${seat}`, status === 'finished')
      if (terms.length > 0) this.#lastTerms = terms
      this.#ended = !trading && this.draft !== null && (this.#ended || this.#traded)
      this.#traded = trading
      this.#recall(offers)
      this.#compare(offers, state.lines)
      const { draft } = this
      const gone = draft?.give.filter((thing) => !stands(goods, thing)) ?? []
      if (draft !== null && gone.length > 0) {
        this.dropped = gone
        this.draft = { ...draft, give: draft.give.filter((thing) => !gone.includes(thing)) }
      }
    })
  }

  /** Mark everything the panel shows as seen or dismissed, so that it is no longer news. */
  markSeen(): void {
    const ids = this.shown.map(({ deal }) => deal.id)
    untrack(() => {
      this.#seen = ids
      this.news = null
    })
  }

  /** Reads in the log which offers ended before this page was loaded. */
  #recall(offers: readonly Deal[]): void {
    const { seat, state } = this.view
    if (this.#heard >= 0 || seat === null) return
    const ended = endedBefore(state.lines, seat, offers, this.game.lines)
    this.past = ended.slice(-MAX_PAST).toReversed()
  }

  #compare(offers: readonly Deal[], lines: TableView['state']['lines']): void {
    const more = lines.filter(([number]) => number > this.#heard)
    this.#heard = lines.at(-1)?.[0] ?? this.#heard
    const ended = this.shown.flatMap(({ deal, ending }) =>
      ending === null && !offers.some(({ id }) => id === deal.id) ? [deal] : [],
    )
    const opened = offers.filter(({ id }) => !this.shown.some(({ deal }) => deal.id === id))
    if (ended.length === 0 && opened.length === 0) return
    const moment: Moment = { ended, lines: more, opened, closed: !this.trading, did: {} }
    for (const act of this.#acts) {
      if (!ended.some(({ id }) => id === act.id)) continue
      act.moment = moment
      if (act.counted) moment.did[act.id] = act.ending
    }
    this.#acts = this.#acts.filter(({ counted, moment }) => !counted || moment === null)
    this.shown = [...this.shown, ...opened.map((deal) => ({ deal, ending: null }))]
    this.#tell(moment, ended)
  }

  /**
   * Show how the offers of a moment ended, where this is known. This settles the offers in `ended`,
   * except those with an unanswered action: until the hub answers, it is unknown whether this person ended
   * them.
   */
  #tell(moment: Moment, ended: readonly Deal[]): void {
    const endingByDeal = endings(moment.ended, moment.lines, moment.opened, moment.did, moment.closed)
    this.shown = this.shown.map((each) => ({
      deal: each.deal,
      ending: endingByDeal[each.deal.id] ?? each.ending,
    }))
    for (const deal of ended) {
      const ending = endingByDeal[deal.id]
      if (ending === undefined || this.#acts.some(({ id }) => id === deal.id)) continue
      const isOwnDoing = deal.to === this.view.seat && ENDINGS_OF_ASKED.includes(ending)
      const isAnswered = deal.id in moment.did || isOwnDoing
      if (this.draft?.answers?.id === deal.id)
        this.draft = isAnswered ? null : { ...this.draft, answers: null, outlived: { deal, ending } }
      if (!isAnswered) this.past = [{ deal, ending }, ...this.past].slice(0, MAX_PAST)
      if (!isAnswered && ending !== 'closed' && this.view.status !== 'finished') this.news = { deal, ending }
      setTimeout(() => {
        this.#expired = [...this.#expired, deal.id]
        if (this.news?.deal.id === deal.id) this.news = null
        this.clear(!this.listed)
      }, LINGER)
    }
  }

  /**
   * Remove offers that ended a while ago: `all` of them, or only those at the end of the list, whose removal
   * moves no other offer.
   */
  clear(all = true): void {
    const ended = ({ deal }: Shown): boolean => this.#expired.includes(deal.id)
    const column = [...this.incoming, ...this.outgoing]
    const last = all
      ? -1
      : this.prepared.length > 0
        ? column.length
        : column.findLastIndex((shown) => !ended(shown))
    const gone = column.filter((shown, index) => ended(shown) && index > last).map(({ deal }) => deal.id)
    if (gone.length === 0) return
    this.#expired = this.#expired.filter((id) => !gone.includes(id))
    this.shown = this.shown.filter(({ deal }) => !gone.includes(deal.id))
  }

  // --- what this person does ---

  /**
   * The field and the domain for what the acceptor gives, both null if there is nothing to choose; null if
   * the offer cannot be accepted now.
   */
  acceptance(deal: Deal): { readonly field: string | null; readonly of: Terms['give'] | null } | null {
    const choice = this.#choices(deal.id).find(({ move }) => move === 'accept')
    if (choice === undefined) return null
    const [field, of] = Object.entries(choice.fields)[0] ?? []
    return { field: field ?? null, of: of ?? null }
  }

  may(deal: Deal, move: 'counter' | 'decline' | 'cancel'): boolean {
    return this.acts && this.#choices(deal.id).some((choice) => choice.move === move)
  }

  async accept(deal: Deal, field: string | null, items: readonly Item[]): Promise<Verdict> {
    return this.#do(
      deal,
      'traded',
      { move: 'accept', ...(field !== null && { [field]: items }) },
      t('deals.ended.traded'),
    )
  }

  async decline(deal: Deal): Promise<Verdict> {
    return this.#do(deal, 'declined', { move: 'decline' }, t('deals.ended.declined'))
  }

  async cancel(deal: Deal): Promise<Verdict> {
    return this.#do(deal, 'withdrawn', { move: 'cancel' }, t('deals.ended.withdrawn'))
  }

  /**
   * Act on an offer. The frame in which the offer ends may come before or after the verdict, and somebody
   * else may have ended it.
   */
  async #do(
    deal: Deal,
    ending: Ending,
    move: { readonly move: string } & Readonly<Record<string, unknown>>,
    message: string,
  ): Promise<Verdict> {
    const act: Act = { id: deal.id, ending, terms: this.#answersTo(deal), counted: false, moment: null }
    this.#acts = [...this.#acts, act]
    const verdict = await this.view.reply(deal.id, move, message)
    act.counted = verdict.code === null
    if (!act.counted || act.moment !== null) this.#acts = this.#acts.filter((other) => other !== act)
    if (act.moment !== null) {
      if (act.counted) act.moment.did[deal.id] = ending
      this.#tell(act.moment, [deal])
    }
    return verdict
  }

  /** The terms for countering an offer; while an action on it is pending, the terms from before it. */
  #answersTo(deal: Deal): readonly Terms[] {
    return this.#acts.find(({ id }) => id === deal.id)?.terms ?? termsOf(this.#choices(deal.id), 'counter')
  }

  /** The terms for a draft, which answers an offer or is a new one. */
  termsFor(draft: Draft): readonly Terms[] {
    return draft.answers === null ? this.terms : this.#answersTo(draft.answers)
  }

  /** Whether a draft may be sent as it is. */
  ready(draft: Draft): boolean {
    const terms = draft.answers === null ? this.open : this.termsFor(draft)
    return (
      this.acts &&
      this.stands(draft.give) &&
      legal(terms, draft.answers === null ? draft.to : null, itemsOf(draft.give), itemsOf(draft.wish))
    )
  }

  /** Whether these goods are all still here and unchanged. */
  stands(give: readonly Thing[]): boolean {
    return give.every((thing) => stands(this.goods, thing))
  }

  /** Why the hub would refuse a draft; null if it would not, or cannot be asked. */
  async why(draft: Draft): Promise<Verdict | null> {
    const prompt = draft.answers?.id ?? this.#prompt
    if (prompt === undefined) return null
    const { refused } = await this.view.table.preview(prompt, moveOf(draft))
    return refused?.code === 'NOTHING_TO_SHOW' ? null : refused
  }

  /** Send a draft; returns null if nothing can be traded right now. */
  async send(draft: Draft): Promise<Verdict | null> {
    const message = t('deals.sent')
    if (draft.answers !== null) return this.#do(draft.answers, 'countered', moveOf(draft), message)
    return this.#prompt === undefined ? null : this.view.reply(this.#prompt, moveOf(draft), message)
  }

  /** Begin an offer; an answer to another offer starts as its mirror image. */
  begin(answers: Deal | null = null): void {
    this.dropped = []
    this.#ended = false
    if (answers === null) {
      const others = this.view.seats.filter(({ mine }) => !mine)
      this.draft = { ...NO_DRAFT, to: others.length === 1 ? (others[0]?.number ?? null) : null }
      return
    }
    const empty: Draft = { ...NO_DRAFT, answers, to: answers.by }
    const terms = this.termsFor(empty)
    const back = this.acceptance(answers)
    const given = back?.of == null ? [] : (cheapest(back.of, (item) => this.game.cost(this.view, item)) ?? [])
    const kinds = this.game.wishes(this.view, itemsIn(terms, 'wish')).flatMap(({ things }) => things)
    const wish: Thing[] = []
    for (const thing of answers.give) {
      const kind = kinds.find(({ item }) => item === this.game.wishFor(thing))
      if (kind !== undefined && addable(terms, 'wish', itemsOf(wish), kind.item)) wish.push(kind)
    }
    this.draft = {
      ...empty,
      give: given.flatMap((item) => this.goods.find((good) => good.item === item) ?? []),
      wish,
    }
  }

  // --- saved for later ---

  keep(draft: Draft): void {
    if (draft.to === null || this.prepared.length >= MAX_PREPARED) return
    const id = Math.max(0, ...this.prepared.map((each) => each.id)) + 1
    this.#prepare([...this.prepared, { id, to: draft.to, give: draft.give, wish: draft.wish }])
  }

  get full(): boolean {
    return this.prepared.length >= MAX_PREPARED
  }

  forget(prepared: Prepared): void {
    this.#prepare(this.prepared.filter(({ id }) => id !== prepared.id))
  }

  #prepare(prepared: readonly Prepared[]): void {
    this.prepared = prepared
    if (this.#place !== null) write(this.#place, prepared)
  }

  /** Load the offers saved for this seat of this table; drop them once the game is over. */
  #settle(place: string | null, over: boolean): void {
    if (place !== this.#place) {
      this.#place = place
      this.prepared = place === null ? [] : read(place)
    }
    if (over && this.prepared.length > 0) this.#prepare([])
  }

  // --- in words ---

  formatGoods(things: readonly Thing[]): string {
    return said(things, (thing) => this.game.good(thing))
  }

  formatWish(things: readonly Thing[]): string {
    return said(things, (thing) => this.game.wish(thing))
  }

  /** What an offer of this seat's own would change for it, in a sentence; null in games that do not say. */
  prospect({ to, give, wish }: Pick<Draft, 'to' | 'give' | 'wish'>): string | null {
    return to === null ? null : (this.game.prospect?.(this.view, to, give, wish) ?? null)
  }

  /** A sentence that describes the offer. */
  sentence({ to, give, wish }: Pick<Draft, 'to' | 'give' | 'wish'>): string {
    const name = to === null ? '' : this.view.nameOf(to)
    const values = { name, give: this.formatGoods(give), wish: this.formatWish(wish) }
    if (to === null) return t('deals.choose.to')
    if (give.length === 0 && wish.length === 0) return t('deals.choose.what')
    if (wish.length === 0) return t('deals.preview.gift', values)
    return give.length === 0 ? t('deals.preview.request', values) : t('deals.preview', values)
  }
}

function said(things: readonly Thing[], name: (thing: Thing) => string): string {
  if (things.length === 0) return t('deals.nothing')
  return words.value(
    counted(things).map(({ thing, count }) =>
      count === 1 ? name(thing) : t('deals.times', { count, what: name(thing) }),
    ),
  )
}

/** A trading game's deals panel; games without trading load none of this module. */
export function trading(deals: GameDeals): Trading {
  const dealingOf = perTable((view) => new Dealing(view, deals))
  return { of: (view) => (view.seated && deals.trades(view) ? dealingOf(view) : null) }
}
