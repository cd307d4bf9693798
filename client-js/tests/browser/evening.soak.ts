/**
 * An evening of one group: four phones and a laptop play the five games one after the other, while people close
 * their pages, come late, change devices and fall asleep.
 *
 * Every page is looked at several times a second. The trace, in test-results, says who waited for what, how long.
 * PARLEY_ASLEEP: how many seconds a phone sleeps in mid-game; usually until a bot has taken its place, which the
 * shortest grace allows after a minute.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { expect } from 'vitest'
import { DESK, RESULTS, scene, type LiveHub, type Person } from './livehub.ts'
import { Home } from './pages/home.ts'
import { Player, QUICK } from './player.ts'
import { traceOf, Waits } from './waits.ts'

const UPRIGHT = { width: 390, height: 844 }
const SIDEWAYS = { width: 844, height: 390 }
/** Seconds that anybody may wait without a clock or another way on. */
const LONGEST = 45
/** Seconds after which a page must say what it waits for. */
const SAID_AFTER = 2
const A_GAME = 400_000
/** Milliseconds; on two quiet cores, an evening takes eleven minutes. */
const LIMIT = 1_500_000
/** Milliseconds before each press, so that no game ends while a phone sleeps long. */
const UNHURRIED = 2_500
const ASLEEP = Number(process.env.PARLEY_ASLEEP ?? 0) * 1000

class Evening {
  readonly players: Player[] = []
  readonly waits = new Waits()
  readonly #liveHub: LiveHub
  #code = ''

  constructor(liveHub: LiveHub) {
    this.#liveHub = liveHub
  }

  phone(name: string, screen: typeof UPRIGHT): Promise<Person> {
    return this.#liveHub.person(name, { screen, line: true, more: { hasTouch: true, isMobile: true } })
  }

  async player(name: string, screen: typeof UPRIGHT): Promise<Player> {
    const player = new Player(await this.phone(name, screen), this.players.length + 7)
    this.players.push(player)
    return player
  }

  follow({ name, page }: { readonly name: string; readonly page: Player['page'] }): void {
    this.waits.follow(name, page)
  }

  begins(game: string, code: string): void {
    this.waits.plays(game)
    this.#code = code
  }

  async host(): Promise<Player> {
    for (const player of this.players) if ((await player.table.seat('you, host').count()) > 0) return player
    throw new Error('no player is the host')
  }

  /** Somebody's page closes; they come back later with a new one. */
  async closes(player: Player): Promise<void> {
    await player.rest()
    this.waits.drop(player.name)
    await player.page.close()
  }

  async comesBack(player: Player): Promise<void> {
    player.moveTo(await this.#liveHub.again(player.person))
    await player.table.visit(this.#code)
    this.follow(player)
  }

  /** Everybody plays to the result; `meanwhile` happens on the way. */
  async toTheEnd(watching: Person, meanwhile: () => Promise<void>): Promise<void> {
    for (const player of this.players) player.play()
    await meanwhile()
    for (const { page } of [...this.players, watching])
      await page.locator('.result').waitFor({ timeout: A_GAME + ASLEEP })
  }

  /** The first player chooses the next game, and all follow. */
  async playsNext(game: string, watching: Person): Promise<void> {
    const [first] = this.players
    for (const player of this.players) await player.rest()
    if (first === undefined) throw new Error('nobody plays')
    const last = first.page.url()
    await first.table.press(first.page.getByText('Change the game or the seats'))
    await first.page.getByRole('radio', { name: game, exact: true }).check()
    for (const { table } of this.players)
      await table.press(table.button(/^(Play again|Go to the next table) \(\d of \d\)$/))
    for (const { table } of this.players) await table.stage.waitFor()
    await watching.page.locator('.stage').waitFor()
    expect(first.page.url()).not.toBe(last)
    this.begins(game, new URL(first.page.url()).pathname.replace('/t/', ''))
  }
}

async function anEvening(liveHub: LiveHub): Promise<void> {
  const evening = new Evening(liveHub)
  const ann = await evening.player('Ann', UPRIGHT)
  const bo = await evening.player('Bo', SIDEWAYS)
  const cy = await evening.player('Cy', UPRIGHT)
  const lea = await liveHub.person('Lea', { screen: DESK })
  try {
    // the host's page closes in the waiting room
    await (
      await new Home(ann.person, 'Share and Share Alike').open()
    ).newTable({
      seats: 4,
      choose: {
        'If somebody loses the connection, a bot plays for them after': '1 minute',
        Rounds: '5',
      },
    })
    const code = await ann.table.code()
    evening.begins('Share and Share Alike', code)
    for (const { table } of [bo, cy]) await (await table.visit(code)).sit()
    await lea.go(`/t/${code}?view=tv`)
    for (const each of [ann, bo, cy, lea]) evening.follow(each)
    for (const { table } of [bo, cy]) await table.press(table.ready)
    await evening.closes(ann)
    await bo.table.press(bo.table.start)
    await bo.table.stage.waitFor()

    // she comes back, and somebody else comes late
    await evening.toTheEnd(lea, async () => {
      await evening.comesBack(ann)
      const dan = await evening.player('Dan', SIDEWAYS)
      await dan.table.visit(code)
      evening.follow(dan)
      await dan.table.press(dan.table.button('Take over from a bot'))
      await dan.page.getByLabel('Your name').fill('Dan')
      await dan.table.press(dan.page.getByRole('button', { name: /^Take over from (?!a bot)/ }).last())
      await ann.table.seat('Dan').waitFor({ state: 'attached' })
      for (const player of [ann, dan]) player.play()
    })

    // the host's page closes in a pause, and somebody else resumes
    await evening.playsNext('Almost', lea)
    await evening.toTheEnd(lea, async () => {
      const host = await evening.host()
      const other = host === cy ? ann : cy
      await Promise.all([host.rest(), other.rest()])
      await host.table.tool('Pause the table')
      await evening.closes(host)
      await other.table.press(other.table.button('Resume'))
      await evening.comesBack(host)
      for (const player of [host, other]) player.play()
    })

    // the host's page closes in mid-game, and somebody else becomes the host
    await evening.playsNext('So Long Sucker', lea)
    await evening.toTheEnd(lea, async () => {
      const host = await evening.host()
      const other = host === ann ? cy : ann
      await evening.closes(host)
      const asHost = other.table.seat(host.name).getByText(/^host,/)
      await asHost.waitFor({ state: 'detached' })
      await evening.comesBack(host)
      host.play()
    })

    // a phone sleeps, and wakes up
    await evening.playsNext('Subdivision', lea)
    const dan = evening.players[3] as Player
    await evening.toTheEnd(lea, async () => {
      await dan.rest()
      evening.waits.drop('Dan')
      const phone = await dan.person.context.newCDPSession(dan.page)
      await phone.send('Page.setWebLifecycleState', { state: 'frozen' })
      dan.person.line?.silence()
      if (ASLEEP > 0) for (const player of evening.players) player.pause = UNHURRIED
      const asleep = performance.now()
      await ann.table.button('Vote for a bot').waitFor({ timeout: A_GAME })
      await ann.table
        .seat('Dan')
        .getByText('away; a bot is playing')
        .waitFor({ state: 'attached', timeout: A_GAME })
      const left = ASLEEP - (performance.now() - asleep)
      if (left > 0) await new Promise((resolve) => setTimeout(resolve, left))
      dan.person.line?.mend()
      await phone.send('Page.setWebLifecycleState', { state: 'active' })
      await dan.page.bringToFront()
      evening.follow(dan)
      const missed = dan.page.getByRole('complementary', { name: 'While you were away' })
      await missed.waitFor()
      await dan.table.press(dan.table.button('Got it'))
      await ann.table.seat('Dan').getByText('away; a bot is playing').waitFor({ state: 'detached' })
      for (const player of evening.players) player.pause = QUICK
      dan.play()
    })

    // a seat moves to another phone
    await evening.playsNext('Takeover', lea)
    await evening.toTheEnd(lea, async () => {
      await cy.rest()
      evening.waits.drop('Cy')
      const other = await evening.phone('Cy’s other phone', SIDEWAYS)
      await cy.table.tool('Continue on another device')
      const dialog = cy.page.getByRole('dialog', { name: 'Continue on another device' })
      const shown = await dialog.locator('[data-transfer]').innerText()
      await other.page.goto(`/#continue=${shown.replace(' ', '')}`)
      await cy.table.press(dialog.getByRole('button', { name: 'Yes, continue there' }))
      await dialog.getByText('This one is signed out.').waitFor()
      cy.moveTo(other)
      await cy.table.stage.waitFor()
      evening.waits.follow('Cy', other.page)
      cy.play()
    })
  } finally {
    for (const player of evening.players) await player.rest()
    mkdirSync(RESULTS, { recursive: true })
    writeFileSync(`${RESULTS}evening.md`, `${traceOf(evening.waits.stop())}\n`)
  }
  const waits = evening.waits.stop()
  const blind = waits.filter(({ clock, ways }) => !clock && ways.length === 0)
  expect(blind.filter(({ seconds }) => seconds > LONGEST)).toEqual([])
  expect(blind.filter(({ gone, seconds }) => gone && seconds > SAID_AFTER)).toEqual([])
  expect(waits.filter(({ seconds, says }) => seconds > SAID_AFTER && says === '')).toEqual([])
}

scene('an evening of five games, with four phones and a laptop', anEvening, LIMIT)
