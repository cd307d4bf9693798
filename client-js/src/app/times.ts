/** Times of the day, for people. */

/** A date and time, in the way and the time zone of the browser. */
export function localTime(at: Date): string {
  const style = { dateStyle: 'medium', timeStyle: 'short' } as const
  try {
    return at.toLocaleString(navigator.language, style)
  } catch {
    return at.toLocaleString(undefined, style) // some systems name a language that browsers do not know
  }
}

/** A time that the hub gives in seconds since 1970. */
export function timeOf(seconds: number): string {
  return localTime(new Date(seconds * 1000))
}
