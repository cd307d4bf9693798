/**
 * Plain answers set in advance: this page gives one of them as soon as this seat is asked, unless something that
 * concerns the seat has changed since. Nobody else can know of it, because it never leaves the page
 * (docs/adr/0027-plain-answers-set-in-advance-stay-in-the-page.md).
 */
import { untrack } from 'svelte'
import { notify } from '../announce.svelte.ts'
import type { AheadAnswer } from '../game.ts'
import { t } from '../language.ts'
import type { TableView } from '../tableview.svelte.ts'
import { privateSections } from './privatesections.ts'

/** How long, in milliseconds, the page waits before it answers, at least and at most: as a person might. */
const PAUSE = [900, 2_400] as const
/** Log lines that concern nobody's decision: those about the table and about time. */
const ABOUT_ELSE = /^(table|timeControl)\./
const NONE: readonly AheadAnswer[] = []

/** An answer that is set, with what concerned the seat when it was. */
interface Chosen {
  readonly answer: AheadAnswer
  readonly concerns: string
}

/** The answers set in advance at one table. Construct it in a component. */
export class Ahead {
  #chosen = $state.raw<Chosen | null>(null)
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #view: () => TableView
  readonly #random: () => number

  constructor(view: () => TableView, random: () => number = Math.random) {
    this.#view = view
    this.#random = random
    $effect(() => {
      const { acts, online, status } = view()
      const chosen = this.#chosen
      if (chosen === null) return
      const asked = isAsked(view(), chosen.answer)
      const lapsed = concernsOf(view(), chosen.answer) !== chosen.concerns
      untrack(() => {
        if (status === 'paused') this.#lapse(chosen.answer)
        else if (!acts) this.#drop()
        else if (lapsed) this.#lapse(chosen.answer)
        else if (!asked && this.#timer !== undefined)
          this.#drop() // answered by hand, or no longer asked
        else if (asked && online) this.#answerSoon(chosen.answer)
      })
    })
    $effect(() => () => clearTimeout(this.#timer))
  }

  /** The answer that is set. */
  get chosen(): AheadAnswer | null {
    return this.#chosen?.answer ?? null
  }

  /** The answers that this person may set in advance while nothing is asked of them, or has set. */
  readonly offered: readonly AheadAnswer[] = $derived.by(() => {
    const view = this.#view()
    if (!view.acts) return NONE
    const busy = view.seat !== null && view.due.includes(view.seat)
    return (view.game.ahead ?? NONE).filter(
      (answer) => answer === this.chosen || (!busy && !isAsked(view, answer) && answer.may(view)),
    )
  })

  /** Sets this answer in advance, or takes it back. */
  toggle(answer: AheadAnswer): void {
    const back = this.chosen === answer
    this.#drop()
    if (!back) this.#chosen = { answer, concerns: concernsOf(this.#view(), answer) }
  }

  #answerSoon(answer: AheadAnswer): void {
    const [least, most] = PAUSE
    this.#timer ??= setTimeout(
      () => {
        this.#drop()
        void this.#view().do(answer.prompt, { move: answer.move })
      },
      least + this.#random() * (most - least),
    )
  }

  #lapse(answer: AheadAnswer): void {
    this.#drop()
    notify(t('ahead.lapsed', { what: answer.label() }))
  }

  #drop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#chosen = null
  }
}

function isAsked(view: TableView, { prompt, move }: AheadAnswer): boolean {
  return view.may(prompt, move)
}

/** All that concerns an answer, in a form that can be compared: see `AheadAnswer`. */
function concernsOf(view: TableView, answer: AheadAnswer): string {
  const { lines, talk, sections } = view.state
  const line = lines.findLast(([, key]) => !ABOUT_ELSE.test(key) && !answer.ignores.includes(key))
  const whisper = talk.findLast(({ to }) => to != null && to === view.seat)
  const names = privateSections(view.about?.game).filter((name) => !answer.ignores.includes(name))
  const contents = names.map((name) => sections[name])
  return JSON.stringify([line?.[0], whisper?.at, contents, answer.concerns?.(view)])
}
