/**
 * Somebody at a table without a page, who answers through the SDK: for tests in which they only have to be there.
 * Also somebody whose page only has to look on for a while.
 */
import { expect, inject, onTestFinished } from 'vitest'
import WebSocket from 'ws'
import {
  Api,
  ApiError,
  Table,
  type NewPlace,
  type NewRoom,
  type Place,
  type Sections,
  type TableState,
  type Wire,
} from '../../src/sdk/index.ts'
import { PERSON } from '../../src/app/early.ts'
import { PATIENCE, type Address, type Person } from './livehub.ts'

/** A move, with its fields. */
type Move = Readonly<Record<string, unknown>> & { readonly move: string }

/** A kind of move that the table offers now. */
export interface Offer extends Wire.Choice {
  readonly prompt: string
}

const MAX_SEATS = 10

export class Companion {
  readonly name: string
  /** The code or the id of the table. */
  readonly code: string
  readonly table: Table
  readonly #api: Api

  private constructor(name: string, code: string, api: Api, { socket, ticket }: Place) {
    this.name = name
    this.code = code
    this.#api = api
    this.table = new Table({
      url: socket,
      ticket,
      open: (url, protocol) => new WebSocket(url, protocol) as never,
    })
    this.table.connect()
    onTestFinished(() => this.table.leave())
  }

  /** Somebody in the first free seat. */
  static async sit(
    name: string,
    code: string,
    hub: Address = { port: inject('hubPort') },
  ): Promise<Companion> {
    const api = await introduce(name, hub)
    const companion = new Companion(name, code, api, await firstSeat(api, code))
    await companion.when(({ table }) => table?.seats.some((seat) => seat.name === name) === true)
    return companion
  }

  /** Somebody who hosts a private table of Almost with three seats, and has the first. */
  static async host(name: string, options: Wire.AlmostOptions): Promise<Companion> {
    const api = await introduce(name, { port: inject('hubPort') })
    const room = {
      game: 'almost',
      seats: 3,
      options: { ...options },
      open: false,
      play_now: false,
      bots: null,
    } as const
    const place = await makeRoom(api, room)
    const companion = new Companion(name, place.room, api, place)
    await companion.when(({ table }) => table?.seats[0]?.name === name)
    return companion
  }

  /** Somebody who watches. */
  static async watch(
    name: string,
    code: string,
    hub: Address = { port: inject('hubPort') },
  ): Promise<Companion> {
    const api = await introduce(name, hub)
    const companion = new Companion(name, code, api, await api.enter(code))
    await companion.when(() => true)
    return companion
  }

  /** The seat of somebody who has a page at this table, on a second connection. */
  static async beside(
    person: Person,
    code: string,
    hub: Address = { port: inject('hubPort') },
  ): Promise<Companion> {
    const kept = await person.page.evaluate((key) => localStorage.getItem(key), PERSON)
    const { token } = JSON.parse(kept ?? '') as { readonly token: string }
    const api = new Api(addressOf(hub), token)
    const companion = new Companion(person.name, code, api, await api.enter(code))
    await companion.when(() => true)
    return companion
  }

  /** Somebody asks to come in at the private table with this code. */
  static async ask(name: string, code: string): Promise<void> {
    await (await introduce(name, { port: inject('hubPort') })).ask(code)
  }

  /** Somebody in each of the first free seats, in this order. */
  static async sitAll(names: readonly string[], code: string, hub?: Address): Promise<Companion[]> {
    const all: Companion[] = []
    for (const name of names) all.push(await Companion.sit(name, code, hub))
    return all
  }

  get sections(): Sections {
    return this.table.state.sections as Sections
  }

  seatOf(name: string): number {
    return this.sections.table?.seats.findIndex((seat) => seat.name === name) ?? -1
  }

  /** Wait until the table is so. */
  async when(holds: (sections: Sections, state: TableState) => boolean): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => {
        unsubscribe()
        reject(new Error(`${this.name} waited too long; the table is at ${JSON.stringify(this.sections)}`))
      }, PATIENCE)
      const check = (state: TableState): void => {
        if (!state.current || !holds(state.sections as Sections, state)) return
        clearTimeout(late)
        unsubscribe()
        resolve()
      }
      const unsubscribe = this.table.subscribe(check)
      check(this.table.state)
    })
  }

  /** The moves of these kinds that are offered now; all of them, if no kind is named. */
  offers(...kinds: readonly string[]): Offer[] {
    return Object.entries(this.sections.choices?.choices ?? {})
      .flatMap(([prompt, choices]) => choices.map((choice) => ({ ...choice, prompt })))
      .filter(({ move }) => kinds.length === 0 || kinds.includes(move))
  }

  /** Make this move, once it is offered. */
  async does(move: Move): Promise<void> {
    await this.when(() => this.offers(move.move).length > 0)
    const [offer] = this.offers(move.move)
    accepted(this.name, move, await this.table.do(offer?.prompt ?? '', move))
  }

  /** From now on, answer each prompt at once with the move that `answer` picks; null leaves it for now. */
  plays(answer: (offers: readonly Offer[]) => Move | null): void {
    const answered = new Set<string>()
    const check = (): void => {
      for (const { id } of this.sections.prompts?.prompts ?? []) {
        if (answered.has(id)) continue
        const move = answer(this.offers().filter(({ prompt }) => prompt === id))
        if (move === null) continue
        answered.add(id)
        void this.table.do(id, move).then((verdict) => accepted(this.name, move, verdict))
      }
    }
    this.table.subscribe(check)
    check()
  }

  /** Change the table. */
  async manages(act: Wire.Act): Promise<void> {
    accepted(this.name, act, await this.table.manage(act))
  }

  /** Stop the clock, and let it go on. */
  async pauses(): Promise<void> {
    await this.manages({ do: 'pause' })
    await this.manages({ do: 'resume' })
  }

  async says(text: string): Promise<void> {
    accepted(this.name, text, await this.table.say('table', { text }))
  }

  /** The same person at the table where people play again. */
  async playsAgain(): Promise<Companion> {
    const { room } = await this.#api.rematch(this.code, { game: null, rotated: false })
    return new Companion(this.name, room, this.#api, await this.#api.enter(room))
  }

  /** Their page is closed, as far as the table knows. */
  leave(): void {
    this.table.leave()
  }

  /** The same person, on a new connection. */
  async again(): Promise<Companion> {
    return new Companion(this.name, this.code, this.#api, await this.#api.enter(this.code))
  }
}

/** The first move of these kinds that is offered, with the last value of each of its fields. */
export function lastOf(offers: readonly Offer[], ...kinds: readonly string[]): Move | null {
  const offer = kinds.flatMap((kind) => offers.filter(({ move }) => move === kind))[0]
  if (offer === undefined) return null
  const fields = Object.entries(offer.fields).map(([name, domain]) => [name, lastIn(domain)] as const)
  return { move: offer.move, ...Object.fromEntries(fields) }
}

function lastIn(domain: Wire.Domain): unknown {
  switch (domain.type) {
    case 'range':
      return domain.most
    case 'one_of':
      return domain.of.at(-1)
    case 'subset':
      return domain.of.slice(0, domain.most)
    default:
      throw new Error(`a companion does not choose ${domain.type}`)
  }
}

function addressOf({ port }: Address): string {
  return `http://127.0.0.1:${port}`
}

/** The hub's API for a new person. */
async function introduce(name: string, hub: Address): Promise<Api> {
  const api = new Api(addressOf(hub))
  api.as((await api.makePerson(name, 3)).token)
  return api
}

/** A new table. A hub whose machine has too much to do, such as other tests, refuses new ones for some seconds. */
export async function makeRoom(api: Api, wish: NewRoom): Promise<NewPlace> {
  let made: NewPlace | Error | undefined
  const isRefused = async (): Promise<boolean> => {
    made = await api.makeRoom(wish).catch((error: Error) => error)
    return made instanceof ApiError && made.code === 'HUB_FULL'
  }
  await expect.poll(isRefused, { interval: 1_000 }).toBe(false)
  if (made === undefined || made instanceof Error) throw made ?? new Error('no table was asked for')
  return made
}

async function firstSeat(api: Api, code: string): Promise<Place> {
  for (let seat = 0; seat < MAX_SEATS; seat += 1) {
    try {
      return await api.sit(code, seat)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
    }
  }
  throw new Error('no seat is free')
}

function accepted(
  who: string,
  what: unknown,
  { code, rule }: { code: string | null; rule: string | null },
): void {
  if (code !== null) throw new Error(`${who}: ${JSON.stringify(what)} was refused: ${code} ${rule ?? ''}`)
}
