/** Decides which options have any effect, given the values of the others. */

/** Options for the blackmail cards. */
const BLACKMAIL = new Set(['blackmailFaces', 'selfBlackmail', 'deadCards'])

export function matters(option: string, values: Readonly<Record<string, unknown>>): boolean {
  if (BLACKMAIL.has(option)) return values.blackmail !== false
  if (option === 'firstPlayer') return Number(values.rounds) > 1
  if (option === 'chipAdjust') return Number(values.rounds) > 1 && values.blindAlly !== false
  return true
}
