import { t } from './language.ts'

/** As the hub counts: code points. */
export const LONGEST_NAME = 24

/** A pleasant name for somebody who has not said one. */
export function anyName(): string {
  const names = t('person.names').split(' ')
  const any = names[Math.floor(Math.random() * names.length)] ?? 'Guest'
  return [...any].slice(0, LONGEST_NAME).join('') // however long the names of a language are
}

/** The same name, which no line breaks in two. */
export function unbroken(name: string): string {
  return name.replace(/\s/g, '\u00a0')
}
