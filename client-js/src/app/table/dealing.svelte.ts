/**
 * The deals of one table as its page has them: open offers, those that ended a moment ago, the offer somebody
 * is writing, and those kept for later.
 *
 * What is kept for later stays in this tab, under this table and this seat: it holds goods nobody else may
 * know of, and is sent to nobody before it is offered.
 */
import { untrack } from 'svelte'
import type { Verdict } from '../../sdk/table.ts'
import { cheapest, type Item } from '../multisets.ts'
import {
  addable,
  endings,
  itemsIn,
  legal,
  termsOf,
  type Deal,
  type Ending,
  type GameDeals,
  type Trading,
  type Terms,
  type Thing,
} from '../deals.ts'
import { t, words } from '../language.ts'
import { perTable } from '../pertable.ts'
import type { TableView } from '../tableview.svelte.ts'
import {
  counted,
  itemsOf,
  MOST_PREPARED,
  moveOf,
  NO_DRAFT,
  read,
  stands,
  write,
  type Draft,
  type Prepared,
} from './drafts.ts'

/** An offer on the screen; one that has ended stays in its place for a moment. */
export interface Shown {
  readonly deal: Deal
  readonly ending: Ending | null
}

/** Offers that ended at once, and all that tells how. */
interface Moment {
  readonly ended: readonly Deal[]
  readonly lines: TableView['state']['lines']
  readonly opened: readonly Deal[]
  readonly closed: boolean
  /** What this person did to some of them, as far as the hub has said that it counts. */
  readonly did: Record<string, Ending>
}

/**
 * What this person does to an offer: under way until the hub has answered and the offer has ended, or it is
 * refused.
 */
interface Act {
  readonly id: string
  readonly ending: Ending
  /** On what terms the offer could be answered with another when this was done. */
  readonly terms: readonly Terms[]
  counted: boolean
  /** When the offer ended, if that came before the verdict. */
  moment: Moment | null
}

/** For how long at least, in milliseconds, an offer that has ended keeps its place. */
const LINGER = 6_000
const NO_TERMS: readonly Terms[] = []

export class Dealing {
  readonly view: TableView
  readonly game: GameDeals
  shown = $state.raw<readonly Shown[]>([])
  draft = $state.raw<Draft | null>(null)
  /** What was in the draft, and is not here any more as it was. */
  dropped = $state.raw<readonly Thing[]>([])
  prepared = $state.raw<readonly Prepared[]>([])
  /** The panel takes the focus once it is drawn. */
  wantsFocus = $state(false)
  /** The board asks for the panel. */
  called = $state(false)
  /** Which of this person's offers another ended last, for when something else is looked at. */
  news = $state.raw<Shown | null>(null)
  /** The offers are on the screen, one below the other. */
  listed = false
  /** Those that ended a while ago. */
  #past: readonly string[] = []
  #seen = $state.raw<readonly string[]>([])
  #lastTerms = $state.raw<readonly Terms[]>(NO_TERMS)
  #acts = $state.raw<readonly Act[]>([])
  #heard = -1
  #traded = false
  /** Offers could be made while this draft was written, and cannot any more. */
  #ended = $state(false)
  #place: string | null = null

  constructor(view: TableView, game: GameDeals) {
    this.view = view
    this.game = game
  }

  readonly acts = $derived.by(() => this.view.acts)
  /** Where offers are made, if that is open to this seat. */
  readonly #prompt = $derived.by(() => this.view.prompt(this.game.prompt)?.id)
  /** Whether offers are made at all just now. */
  readonly trading = $derived.by(() => this.#prompt !== undefined)
  /** Where they are not, how that is said. */
  readonly closed = $derived.by(() =>
    this.trading ? null : (this.game.closed?.(this.draft !== null && this.#ended) ?? t('deals.closed')),
  )
  readonly goods = $derived.by(() => this.game.goods(this.view))
  /** What may be offered now. */
  readonly open = $derived.by(() =>
    this.#prompt === undefined ? NO_TERMS : termsOf(this.#choices(this.#prompt), 'propose'),
  )
  /**
   * What an offer may be made of: what the game says of a later one, or what it was when any could be made,
   * if none can now.
   */
  readonly terms = $derived.by(() =>
    this.open.length > 0 ? this.open : (this.game.ahead?.(this.view) ?? this.#lastTerms),
  )
  readonly incoming = $derived.by(() => this.shown.filter(({ deal }) => deal.to === this.view.seat))
  readonly outgoing = $derived.by(() => this.shown.filter(({ deal }) => deal.by === this.view.seat))
  /** Offers that wait for this person. */
  readonly waiting = $derived.by(() =>
    this.acts ? this.incoming.filter(({ ending }) => ending === null) : [],
  )
  /** The newest of them that was never looked at. */
  readonly fresh = $derived.by(
    () => this.waiting.findLast(({ deal }) => !this.#seen.includes(deal.id))?.deal ?? null,
  )

  #choices(prompt: string): ReturnType<TableView['choices']> {
    return this.view.section('choices')?.choices[prompt] ?? []
  }

  // --- what the hub says ---

  /** Take in what the hub said last; reads all it depends on, so an effect may call it. */
  follow(): void {
    const { seat, state, status, code } = this.view
    const offers = status === 'running' || status === 'paused' ? this.game.offers(this.view) : []
    const { open: terms, goods, trading } = this
    untrack(() => {
      this.#settle(seat === null ? null : `parley.offers.${code}.${seat}`, status === 'finished')
      if (terms.length > 0) this.#lastTerms = terms
      this.#ended = !trading && this.draft !== null && (this.#ended || this.#traded)
      this.#traded = trading
      this.#compare(offers, state.lines)
      const { draft } = this
      const gone = draft?.give.filter((thing) => !stands(goods, thing)) ?? []
      if (draft !== null && gone.length > 0) {
        this.dropped = gone
        this.draft = { ...draft, give: draft.give.filter((thing) => !gone.includes(thing)) }
      }
    })
  }

  /** What the panel shows was seen, or is not wanted: it is no news. */
  markSeen(): void {
    const ids = this.shown.map(({ deal }) => deal.id)
    untrack(() => {
      this.#seen = ids
      this.news = null
    })
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
   * Show how the offers of a moment ended, as far as it is known by now. Those of `ended` are over with that,
   * but for those the hub has not answered about yet: until then nobody knows whether this person ended them.
   */
  #tell(moment: Moment, ended: readonly Deal[]): void {
    const found = endings(moment.ended, moment.lines, moment.opened, moment.did, moment.closed)
    this.shown = this.shown.map((each) => ({ deal: each.deal, ending: found[each.deal.id] ?? each.ending }))
    for (const deal of ended) {
      const ending = found[deal.id]
      if (ending === undefined || this.#acts.some(({ id }) => id === deal.id)) continue
      const mine = deal.id in moment.did
      if (this.draft?.answers?.id === deal.id)
        this.draft = mine ? null : { ...this.draft, answers: null, outlived: { deal, ending } }
      if (!mine && ending !== 'closed' && deal.by === this.view.seat && this.view.status !== 'finished')
        this.news = { deal, ending }
      setTimeout(() => {
        this.#past = [...this.#past, deal.id]
        if (this.news?.deal.id === deal.id) this.news = null
        this.clear(!this.listed)
      }, LINGER)
    }
  }

  /**
   * Take away what ended a while ago: `all` of it, or only where no offer below would move under a finger.
   */
  clear(all = true): void {
    const ended = ({ deal }: Shown): boolean => this.#past.includes(deal.id)
    const column = [...this.incoming, ...this.outgoing]
    const last = all
      ? -1
      : this.prepared.length > 0
        ? column.length
        : column.findLastIndex((shown) => !ended(shown))
    const gone = column.filter((shown, index) => ended(shown) && index > last).map(({ deal }) => deal.id)
    if (gone.length === 0) return
    this.#past = this.#past.filter((id) => !gone.includes(id))
    this.shown = this.shown.filter(({ deal }) => !gone.includes(deal.id))
  }

  // --- what this person does ---

  /**
   * The acceptances of an offer that are legal now: the domain of what is given, null where nothing is
   * chosen.
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
   * What is done to an offer. The frame in which the offer ends may come before the verdict, or after it; and
   * another may have ended it.
   */
  async #do(
    deal: Deal,
    ending: Ending,
    move: { readonly move: string } & Readonly<Record<string, unknown>>,
    told: string,
  ): Promise<Verdict> {
    const act: Act = { id: deal.id, ending, terms: this.#answersTo(deal), counted: false, moment: null }
    this.#acts = [...this.#acts, act]
    const verdict = await this.view.reply(deal.id, move, told)
    act.counted = verdict.code === null
    if (!act.counted || act.moment !== null) this.#acts = this.#acts.filter((other) => other !== act)
    if (act.moment !== null) {
      if (act.counted) act.moment.did[deal.id] = ending
      this.#tell(act.moment, [deal])
    }
    return verdict
  }

  /**
   * What may be offered in answer to an offer; while something is done to it, what might have been before.
   */
  #answersTo(deal: Deal): readonly Terms[] {
    return this.#acts.find(({ id }) => id === deal.id)?.terms ?? termsOf(this.#choices(deal.id), 'counter')
  }

  /** The terms of a draft: those of the offer it answers, or what may be offered. */
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

  /** Whether these goods are still here, as they were. */
  stands(give: readonly Thing[]): boolean {
    return give.every((thing) => stands(this.goods, thing))
  }

  /** Why the hub would refuse a draft; null: it would not, or cannot be asked. */
  async why(draft: Draft): Promise<Verdict | null> {
    const prompt = draft.answers?.id ?? this.#prompt
    if (prompt === undefined) return null
    const { refused } = await this.view.table.preview(prompt, moveOf(draft))
    return refused?.code === 'NOTHING_TO_SHOW' ? null : refused
  }

  /** Send a draft; null: just now nothing is traded. */
  async send(draft: Draft): Promise<Verdict | null> {
    const told = t('deals.sent')
    if (draft.answers !== null) return this.#do(draft.answers, 'countered', moveOf(draft), told)
    return this.#prompt === undefined ? null : this.view.reply(this.#prompt, moveOf(draft), told)
  }

  /** Begin an offer; as an answer to another it begins as that one's mirror. */
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

  // --- kept for later ---

  keep(draft: Draft): void {
    if (draft.to === null || this.prepared.length >= MOST_PREPARED) return
    const id = Math.max(0, ...this.prepared.map((each) => each.id)) + 1
    this.#prepare([...this.prepared, { id, to: draft.to, give: draft.give, wish: draft.wish }])
  }

  get full(): boolean {
    return this.prepared.length >= MOST_PREPARED
  }

  forget(prepared: Prepared): void {
    this.#prepare(this.prepared.filter(({ id }) => id !== prepared.id))
  }

  #prepare(prepared: readonly Prepared[]): void {
    this.prepared = prepared
    if (this.#place !== null) write(this.#place, prepared)
  }

  /** At this seat of this table, as long as the game lasts. */
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

  /** What sending this would offer. */
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

/** What a game of trades gives the app; games without trades load none of this. */
export function trading(deals: GameDeals): Trading {
  const dealingOf = perTable((view) => new Dealing(view, deals))
  return { of: (view) => (view.seated && deals.trades(view) ? dealingOf(view) : null) }
}
