/**
 * The person using this device: a name and a colour, signed by the hub and kept in this browser.
 *
 * To the hub, a new name is a new person, so the browser remembers who joined each table. That way, nobody
 * loses a seat by changing their name.
 */
import { Api, type Person } from '../sdk/api.ts'
import { earlyFetch, JOINED, PERSON } from './early.ts'
import { anyName } from './names.ts'
import { KEPT_TABLES, StoredTables } from './storedtables.ts'

const HIDDEN = 'parley.hidden'
const RESULTS = 'parley.results'
export const COLOURS = 12

/** Who joined each table. Its name is the last part of its address: a private table's id, an open one's code. */
const joins = new StoredTables<readonly [name: string, token: string, code: string]>(JOINED)

const kept = readPerson()
let person = $state.raw(kept)

export const api = apiWith(kept?.token)

export const identity = {
  get person(): Person | null {
    return person
  },
}

function readPerson(): Person | null {
  try {
    const kept = JSON.parse(localStorage.getItem(PERSON) ?? 'null') as Person | null
    return typeof kept?.token === 'string' ? kept : null
  } catch {
    return null
  }
}

function apiWith(token: string | null = null): Api {
  return new Api('', token, earlyFetch, replaceToken)
}

/** Store a fresh token wherever the old one was kept. */
function replaceToken(old: string, fresh: string): void {
  if (person?.token === old) {
    person = { ...person, token: fresh }
    localStorage.setItem(PERSON, JSON.stringify(person))
    api.as(fresh)
  }
  joins.replace(([name, token, code]) => [name, token === old ? fresh : token, code])
}

export function anyColour(): number {
  return Math.floor(Math.random() * COLOURS)
}

/** Become this person. Throws ApiError. */
export async function become(name: string, colour: number): Promise<Person> {
  if (person?.name === name && person.colour === colour) return person
  const newcomer = await api.makePerson(name, colour)
  localStorage.setItem(PERSON, JSON.stringify(newcomer))
  person = newcomer
  api.as(newcomer.token)
  return newcomer
}

/** The current person, or somebody new. Throws ApiError. */
export async function somebody(): Promise<Person> {
  return person ?? become(anyName(), anyColour())
}

/** Replace a token the hub does not know (its secret has changed); the name stays. */
export async function renewPerson(): Promise<Person> {
  const { name, colour } = person ?? { name: anyName(), colour: anyColour() }
  person = null
  return become(name, colour)
}

/** Whether this person has said who they are in this page, at the door of a table. */
export const introduced = { here: false }

// --- who joined each table ---

/** The hub's HTTP API, used as the person who joined the table with this name or code. */
export function apiFor(nameOrCode: string): Api {
  const table = joins.list().find(([name, , code]) => name === nameOrCode || code === nameOrCode)
  return table === undefined ? api : apiWith(table[1])
}

export function joined(name: string, code: string): void {
  if (person === null) return
  joins.put([name, person.token, code])
}

/** Remember the next table of people who play again: as the person who joined the one before. */
export function joinedNext(before: string, name: string, code: string): void {
  const token = joins.list().find(([other, , itsCode]) => before === other || before === itsCode)?.[1]
  if (token === undefined) joined(name, code)
  else joins.put([name, token, code])
}

/** Names of the tables joined from here that are not hidden, most recent first. */
export function joinedTables(): readonly string[] {
  const hidden = readHidden()
  return joins.list().flatMap(([name]) => (hidden.includes(name) ? [] : [name]))
}

/** Names of tables that the front page no longer lists; this person's seat there stays theirs. */
function readHidden(): readonly string[] {
  try {
    return JSON.parse(localStorage.getItem(HIDDEN) ?? '[]') as readonly string[]
  } catch {
    return []
  }
}

export function hideTable(name: string): void {
  localStorage.setItem(HIDDEN, JSON.stringify([name, ...readHidden()].slice(0, KEPT_TABLES)))
}

/** How the finished tables ended that were seen here to their end, in words. */
function readResults(): Readonly<Record<string, string>> {
  try {
    return JSON.parse(localStorage.getItem(RESULTS) ?? '{}') as Readonly<Record<string, string>>
  } catch {
    return {}
  }
}

export function resultOf(name: string): string | undefined {
  return readResults()[name]
}

export function keepResult(name: string, words: string): void {
  const others = Object.entries(readResults()).filter(([other]) => other !== name)
  const results = [[name, words], ...others].slice(0, KEPT_TABLES)
  localStorage.setItem(RESULTS, JSON.stringify(Object.fromEntries(results)))
}

export function leftBehind(nameOrCode: string): void {
  joins.keepOnly(([name, , code]) => name !== nameOrCode && code !== nameOrCode)
}

// --- moving to another device ---

/** The token of the person who joined this table, or (null) of the current person. */
export function tokenAt(nameOrCode: string | null): string | null {
  const table = joins.list().find(([name, , code]) => name === nameOrCode || code === nameOrCode)
  return table?.[1] ?? person?.token ?? null
}

export function apiAs(token: string): Api {
  return apiWith(token)
}

/** The names of the tables that this person joined from here, the given one first. */
export function tablesOf(token: string, first: string | null): readonly string[] {
  const names = joins.list().flatMap(([name, holder, code]) => (holder === token ? [[name, code]] : []))
  const isFirst = (table: readonly (string | undefined)[]): boolean => first !== null && table.includes(first)
  return [...names.filter(isFirst), ...names.filter((table) => !isFirst(table))].map(([name]) => name ?? '')
}

/** Forget this person here: they continue on another device. */
export function depart(token: string): void {
  joins.keepOnly(([, holder]) => holder !== token)
  if (person?.token !== token) return
  localStorage.removeItem(PERSON)
  person = null
  api.as(null)
}

/** Continue here as this person, with these tables. */
export function arrive({ person: id, name, colour, token }: Person, tables: readonly string[]): void {
  person = { person: id, name, colour, token }
  localStorage.setItem(PERSON, JSON.stringify(person))
  api.as(token)
  for (const table of tables.toReversed()) joined(table, table)
}

/** The current person continues on another device: whoever uses this one next is somebody new. */
export function forgetMyself(): void {
  if (person !== null) depart(person.token)
}
