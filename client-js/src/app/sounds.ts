/** Six short sounds, made by the browser itself: each is a few notes, told apart by shape rather than by volume. */
import { settings } from './settings.svelte.ts'

/** What happens at the table; of several at the same moment, only the first in this list is played. */
export const EVENTS = ['end', 'capture', 'reveal', 'card'] as const
export type Happening = (typeof EVENTS)[number]
/** What calls this person: their turn, or an offer to them. */
export type Call = 'turn' | 'offer'
export type Sound = Happening | Call

interface Note {
  /** Hertz. */
  readonly pitch: number
  /** Seconds after the sound begins. */
  readonly at: number
  /** Seconds until it has faded. */
  readonly length: number
  readonly shape?: OscillatorType
}

const NOTES: Readonly<Record<Sound, readonly Note[]>> = {
  turn: [
    { pitch: 587.33, at: 0, length: 0.45 },
    { pitch: 880, at: 0.13, length: 0.45 },
  ],
  offer: [
    { pitch: 659.25, at: 0, length: 0.18 },
    { pitch: 659.25, at: 0.16, length: 0.3 },
  ],
  reveal: [
    { pitch: 440, at: 0, length: 0.25 },
    { pitch: 554.37, at: 0.07, length: 0.25 },
    { pitch: 659.25, at: 0.14, length: 0.4 },
  ],
  card: [{ pitch: 1046.5, at: 0, length: 0.09, shape: 'triangle' }],
  capture: [
    { pitch: 220, at: 0, length: 0.3, shape: 'triangle' },
    { pitch: 164.81, at: 0.09, length: 0.4, shape: 'triangle' },
  ],
  end: [
    { pitch: 523.25, at: 0, length: 0.3 },
    { pitch: 659.25, at: 0.14, length: 0.3 },
    { pitch: 783.99, at: 0.28, length: 0.3 },
    { pitch: 1046.5, at: 0.42, length: 0.8 },
  ],
}
const LOUDNESS = 0.12
/** In call mode, the pitch of each seat, in Hertz: one low note, then the seat's own. */
const LOW = 196
const SEATS = [261.63, 293.66, 329.63, 392, 440, 523.25, 587.33, 659.25, 783.99, 880]

let context: AudioContext | null = null

/** Seconds from a sound to a call at the same moment, so that both are heard. */
const APART = 0.45

/** Plays a sound. Browsers require a gesture before the first one; switching sounds on is one. */
export function play(sound: Sound, delay = 0): void {
  playNotes(NOTES[sound], delay)
}

function playNotes(notes: readonly Note[], delay: number): void {
  context ??= new AudioContext()
  const start = context.currentTime + delay
  for (const { pitch, at, length, shape = 'sine' } of notes) {
    const tone = context.createOscillator()
    const gain = context.createGain()
    tone.frequency.value = pitch
    tone.type = shape
    const begin = start + at
    gain.gain.setValueAtTime(0, begin)
    gain.gain.linearRampToValueAtTime(LOUDNESS, begin + 0.02)
    gain.gain.exponentialRampToValueAtTime(0.001, begin + length)
    tone.connect(gain).connect(context.destination)
    tone.start(begin)
    tone.stop(begin + length + 0.05)
  }
}

let waiting: readonly (Sound | number)[] = []

/**
 * Plays a sound, if sounds are on: what happened first, then the call to act on it, or (a number) the notes of the
 * seat that acts next.
 */
export function hear(sound: Sound | number): void {
  if (!settings.sound) return
  if (waiting.length === 0) queueMicrotask(playWaiting)
  waiting = [...waiting, sound]
}

function playWaiting(): void {
  const event = EVENTS.find((event) => waiting.includes(event))
  const call = waiting.find((sound) => sound === 'turn' || sound === 'offer')
  const seat = waiting.find((sound) => typeof sound === 'number')
  waiting = []
  if (event !== undefined) play(event)
  const delay = event === undefined ? 0 : APART
  if (call !== undefined) play(call, delay)
  else if (seat !== undefined) playSeat(seat, delay)
}

function playSeat(seat: number, delay: number): void {
  const pitch = SEATS[seat % SEATS.length] ?? LOW
  playNotes(
    [
      { pitch: LOW, at: 0, length: 0.16, shape: 'triangle' },
      { pitch, at: 0.12, length: 0.35, shape: 'triangle' },
    ],
    delay,
  )
}
