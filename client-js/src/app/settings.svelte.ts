/** This person's preferences, kept on this device. */

export type Theme = 'system' | 'light' | 'dark'
export type Contrast = 'system' | 'more'
export type Motion = 'system' | 'less'

interface Kept {
  theme: Theme
  contrast: Contrast
  motion: Motion
  sound: boolean
  /** Whether sounds have been offered at a table. */
  soundOffered: boolean
  vibration: boolean
  /** The level of the bots in a game that starts at once; empty for the middle one. */
  bots: string
  notifications: boolean
  /** Whether single keys without Ctrl or Alt are shortcuts. */
  shortcuts: boolean
  /** Whether this person's secrets and the table's codes are hidden (streamer.svelte.ts). */
  streamer: boolean
  /** Whether people talk by voice: chat is folded to phrases, and each seat has a sound for its turn. */
  callMode: boolean
  /** Whether the rules give advice on the first decisions of each kind (table/coaching.svelte.ts). */
  tips: boolean
  /** Whether a phone beside a shared screen is a hand (table/hand.svelte.ts). */
  hand: boolean
}

const KEY = 'parley.settings'
const DEFAULTS: Kept = {
  theme: 'system',
  contrast: 'system',
  motion: 'system',
  sound: false,
  soundOffered: false,
  vibration: true,
  bots: '',
  notifications: false,
  shortcuts: true,
  streamer: false,
  callMode: false,
  tips: true,
  hand: true,
}

function read(): Kept {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Kept>) }
  } catch {
    return { ...DEFAULTS }
  }
}

export const settings = $state(read())

/** Put the choices where the style sheet looks for them, and store them. Call inside an effect. */
export function applySettings(): void {
  const { dataset } = document.documentElement
  dataset.theme = settings.theme
  dataset.contrast = settings.contrast
  dataset.motion = settings.motion
  localStorage.setItem(KEY, JSON.stringify(settings))
}
