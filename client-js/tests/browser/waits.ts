/**
 * Notes who waits for what, and how long: looks at every page of a group several times a second.
 *
 * A page waits while it shows nothing to press that moves the game on. What counts is what its person sees: what
 * the page says it waits for, a clock that runs, and controls that end the wait in another way.
 */
import type { Page } from 'playwright-core'

const EVERY = 250

/** What somebody sees on a page. */
export interface Glance {
  /** What the table does; null if the page shows no table, such as while it loads. */
  readonly phase: 'waiting' | 'running' | 'paused' | 'finished' | null
  readonly game: string
  /** Whether there is something to press that the game needs. */
  readonly acts: boolean
  /** What the page says it waits for; empty if it says nothing. */
  readonly says: string
  /** Whether a countdown runs. */
  readonly clock: boolean
  /** Whether nobody that the table waits for is connected. */
  readonly gone: boolean
  /** Ways to end the wait other than by what it waits for. */
  readonly ways: readonly string[]
}

export interface Wait {
  readonly game: string
  readonly page: string
  readonly phase: string
  readonly seconds: number
  readonly says: string
  /** Whether a clock ran, from the first look to the last. */
  readonly clock: boolean
  readonly gone: boolean
  readonly ways: readonly string[]
}

/** In the page. */
function glance(): Glance {
  const text = (selector: string): string =>
    [...document.querySelectorAll(selector)]
      .map((each) =>
        each.textContent
          .replace(/[\u2066-\u2069]/g, '')
          .replace(/\s+/g, ' ')
          .trim(),
      )
      .filter((each) => each !== '')
      .join(' / ')
  const usable = (selector: string): HTMLElement[] =>
    [...document.querySelectorAll<HTMLElement>(selector)].filter(
      (each) => each.checkVisibility() && !each.matches(':disabled, [aria-disabled=true]'),
    )
  const stage = document.querySelector('.stage')
  const game = text('header h1') || text('.eyebrow')
  const nothing = { game, acts: false, says: '', clock: false, gone: false, ways: [] }
  const asked = usable('.banner.question button, .banner .button.main').length > 0
  if (document.querySelector('.result') !== null)
    return { ...nothing, phase: 'finished', acts: usable('.again .button.main').length > 0 }
  if (stage !== null) {
    const paused =
      stage.querySelector('.sign + .what') !== null &&
      stage.querySelector('.sentence, .clock, .beside') === null
    const seats = [...document.querySelectorAll('[aria-label=Seats] li')].map((seat) => seat.textContent)
    const isGone = (seat: string): boolean => seat.includes('not connected')
    const awaited = seats.filter((seat) => /next to play|not done yet/.test(seat))
    return {
      ...nothing,
      phase: paused ? 'paused' : 'running',
      acts:
        asked ||
        (paused
          ? usable('.stage .button.main').length > 0
          : stage.matches('.acting') &&
            usable(
              '.content > .tray :is(button, input, [role]), .content > .deck > .board :is(button, [role=gridcell], [role=button]), [role=dialog] button, dialog[open] button',
            ).length > 0),
      says: text(
        '.stage h2, .stage .sentence, .stage p.clock, .stage .beside .unseen, .stage .what > p:not(.eyebrow)',
      ),
      clock: stage.querySelector('.ring:not(.still)') !== null,
      gone: awaited.length > 0 && awaited.every(isGone),
      ways: [
        ...usable('.stage .beside button').map((each) => each.textContent.trim()),
        ...(seats.some(isGone) && usable('[aria-label="Game menu"]').length > 0 ? ['a vote for a bot'] : []),
      ],
    }
  }
  if (document.querySelector('.room, .tv.waiting') !== null)
    return {
      ...nothing,
      phase: 'waiting',
      acts: asked || usable('.tray .button.main').length > 0,
      says: text('.tray .hint, .tv .wait h1, .tv .wait h1 + p'),
    }
  return { ...nothing, phase: null }
}

interface Sample {
  readonly at: number
  readonly glance: Glance
}

/** Whether two looks see the same wait: the same thing is waited for, in the same game. */
function isSameWait(one: Glance, other: Glance): boolean {
  return one.phase === other.phase && one.game === other.game && one.says === other.says
}

export class Waits {
  readonly #pages = new Map<string, Page>()
  /** Where each page stands in its current wait. */
  readonly #open = new Map<string, Sample[]>()
  readonly #waits: Wait[] = []
  readonly #busy = new Set<string>()
  #game = ''
  #timer: NodeJS.Timeout | undefined

  /** Look at this page from now on, in place of the person's last. */
  follow(name: string, page: Page): void {
    this.drop(name)
    this.#pages.set(name, page)
    this.#timer ??= setInterval(() => this.#lookAround(), EVERY)
  }

  /** The person has closed the page, or it is asleep. */
  drop(name: string): void {
    this.#close(name)
    this.#pages.delete(name)
  }

  /** What everybody plays from now on. */
  plays(game: string): void {
    for (const name of this.#pages.keys()) this.#close(name)
    this.#game = game
  }

  stop(): readonly Wait[] {
    clearInterval(this.#timer)
    for (const name of this.#pages.keys()) this.#close(name)
    return this.#waits
  }

  #lookAround(): void {
    for (const [name, page] of this.#pages) {
      if (this.#busy.has(name)) continue
      this.#busy.add(name)
      void page
        .evaluate(glance)
        .then((seen) => this.#pages.get(name) === page && this.#note(name, seen))
        .catch(() => undefined) // it is being loaded, or was closed
        .finally(() => this.#busy.delete(name))
    }
  }

  #note(name: string, seen: Glance): void {
    const samples = this.#open.get(name)
    const [first] = samples ?? []
    if (first !== undefined && (seen.acts || !isSameWait(first.glance, seen))) this.#close(name)
    if (seen.acts || seen.phase === 'finished' || seen.phase === null) return
    const sample = { at: performance.now(), glance: seen }
    const current = this.#open.get(name)
    if (current === undefined) this.#open.set(name, [sample])
    else current.push(sample)
  }

  /** The wait ends now. */
  #close(name: string): void {
    const samples = this.#open.get(name)
    this.#open.delete(name)
    const [first] = samples ?? []
    if (samples === undefined || first === undefined) return
    const glances = samples.map((each) => each.glance)
    this.#waits.push({
      game: this.#game,
      page: name,
      phase: first.glance.phase ?? '',
      seconds: (performance.now() - first.at) / 1000,
      says: first.glance.says,
      clock: glances.every(({ clock }) => clock),
      gone: glances.some(({ gone }) => gone),
      ways: [...new Set(glances.flatMap(({ ways }) => ways))],
    })
  }
}

/** The longest wait of each page in each game, as a table in Markdown. */
export function traceOf(waits: readonly Wait[]): string {
  const longest = new Map<string, Wait>()
  for (const wait of waits) {
    const key = `${wait.game} ${wait.page}`
    if (wait.seconds > (longest.get(key)?.seconds ?? 0)) longest.set(key, wait)
  }
  const rows = [...longest.values()].map(({ game, page, seconds, says, clock, gone, ways }) =>
    [
      game,
      page,
      seconds.toFixed(1),
      says,
      says === '' ? 'no' : 'yes',
      clock ? 'yes' : 'no',
      gone ? 'yes' : 'no',
      ways.join(', ') || '-',
    ]
      .map((cell) => cell.replaceAll('|', '/'))
      .join(' | '),
  )
  return [
    'game | page | longest wait, s | for what | said so | clock | somebody away | other ways',
    '--- | --- | --- | --- | --- | --- | --- | ---',
    ...rows,
  ]
    .map((row) => `| ${row} |`)
    .join('\n')
}
