/**
 * The person using this device: a name and a colour, signed by the hub and kept in this browser.
 *
 * To the hub, a new name is a new person, so the browser remembers who joined each table. That way, nobody
 * loses a seat by changing their name.
 */
import { Api, type Person } from '../sdk/api.ts'
import { anyName } from './names.ts'

const PERSON = 'parley.person'
const JOINED = 'parley.joined'
const KEPT_TABLES = 30
export const COLOURS = 12

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
  return new Api('', token, undefined, replaceToken)
}

/** Store a fresh token wherever the old one was kept. */
function replaceToken(old: string, fresh: string): void {
  if (person?.token === old) {
    person = { ...person, token: fresh }
    localStorage.setItem(PERSON, JSON.stringify(person))
    api.as(fresh)
  }
  const tables = readJoined().map(([code, token]) => [code, token === old ? fresh : token] as const)
  localStorage.setItem(JOINED, JSON.stringify(tables))
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

// --- who joined each table ---

/** A table's name is the last part of its address: the id of a private table, the code of an open one. */
type Joined = readonly (readonly [name: string, token: string, code: string])[]

function readJoined(): Joined {
  try {
    return JSON.parse(localStorage.getItem(JOINED) ?? '[]') as Joined
  } catch {
    return []
  }
}

/** The hub's HTTP API, used as the person who joined the table with this name or code. */
export function apiFor(nameOrCode: string): Api {
  const table = readJoined().find(([name, , code]) => name === nameOrCode || code === nameOrCode)
  return table === undefined ? api : apiWith(table[1])
}

export function joined(name: string, code: string): void {
  if (person === null) return
  const others = readJoined().filter(([other]) => other !== name)
  localStorage.setItem(JOINED, JSON.stringify([[name, person.token, code], ...others].slice(0, KEPT_TABLES)))
}

/** Names of the tables joined from here, most recent first. */
export function joinedTables(): readonly string[] {
  return readJoined().map(([name]) => name)
}

export function leftBehind(nameOrCode: string): void {
  const others = readJoined().filter(([name, , code]) => name !== nameOrCode && code !== nameOrCode)
  localStorage.setItem(JOINED, JSON.stringify(others))
}
