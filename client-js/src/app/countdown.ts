/** Which window the ring on the stage counts down. */
import type { PromptInfo, WindowInfo } from '../sdk/wire.gen.ts'

/**
 * The window whose end the viewer waits for: the prompt's, or the shorter one of a seat that is away. Someone
 * who has to act sees when that ends for their own seat; everyone else, when it ends for the last seat that is due.
 */
export function shownWindow(
  windows: readonly WindowInfo[],
  prompt: PromptInfo | undefined,
  due: readonly number[],
  seat: number | null,
  left: (window: WindowInfo) => number,
): WindowInfo | undefined {
  const main =
    windows.find(({ id }) => id === prompt?.window) ?? windows.find(({ kind }) => kind !== AWAY) ?? windows[0]
  if (main === undefined) return undefined
  const endFor = (one: number): WindowInfo =>
    windows
      .filter(({ kind, concerns }) => kind === AWAY && concerns.includes(one))
      .reduce((first, window) => (left(window) < left(first) ? window : first), main)
  const seats = seat !== null && due.includes(seat) ? [seat] : due
  return (
    seats
      .map(endFor)
      .reduce<WindowInfo | undefined>(
        (last, window) => (last === undefined || left(window) > left(last) ? window : last),
        undefined,
      ) ?? main
  )
}

/** The seconds, or minutes and seconds, that are left of so many milliseconds. */
export function clockText(left: number): string {
  const seconds = Math.ceil(left / 1000)
  return seconds < 60
    ? String(seconds)
    : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** The kit's kind of window for a seat that is away (games/kit/time_control.py). */
const AWAY = 'away'
