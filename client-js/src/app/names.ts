import { t } from './language.ts'

/** Counted in code points, as on the hub. */
export const LONGEST_NAME = 24

/** A pleasant name for somebody who has not given one. */
export function anyName(): string {
  const names = t('person.names').split(' ')
  const any = names[Math.floor(Math.random() * names.length)] ?? 'Guest'
  return [...any].slice(0, LONGEST_NAME).join('') // a language's names may be longer
}

/** The same name with non-breaking spaces. */
export function unbroken(name: string): string {
  return name.replace(/\s/g, '\u00a0')
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/**
 * The name within isolates (UAX 9) if it is written from right to left, so that it cannot reorder the sentence
 * around it. In an element of its own, a name stands in `<bdi>` instead.
 */
export function isolate(name: string): string {
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name
}
