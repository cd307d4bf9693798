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
