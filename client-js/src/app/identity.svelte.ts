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

type Joined = readonly (readonly [code: string, token: string])[]

function readJoined(): Joined {
  try {
    return JSON.parse(localStorage.getItem(JOINED) ?? '[]') as Joined
  } catch {
    return []
  }
}

/** The hub's HTTP API, used as the person who joined this table. */
export function apiFor(code: string): Api {
  const token = readJoined().find(([joined]) => joined === code)?.[1]
  return token === undefined ? api : apiWith(token)
}

export function joined(code: string): void {
  if (person === null) return
  const others = readJoined().filter(([other]) => other !== code)
  localStorage.setItem(JOINED, JSON.stringify([[code, person.token], ...others].slice(0, KEPT_TABLES)))
}

/** Codes of the tables joined from here, most recent first. */
export function joinedTables(): readonly string[] {
  return readJoined().map(([code]) => code)
}

export function leftBehind(code: string): void {
  localStorage.setItem(JOINED, JSON.stringify(readJoined().filter(([other]) => other !== code)))
}
