import type { Person } from './livehub.ts'

/** The names of bots (games/kit/characters.py), which are the same in every language. */
const CHARACTERS = ['Amara', 'Bruno', 'Tavi', 'Noor', 'Mateo', 'Yuki', 'Zofia', 'Kwame', 'Ravi']
/** Words outside the UI strings: the app's name, key names, Intl's separators in lists, and identifiers. */
const NAMES = ['Parley', 'Enter', 'Tab', 'Esc', ...CHARACTERS]
const NOT_TEXTS = [/\b(and)\b/g, /https?:\/\/\S+/g, /\b[0-9a-f]{12,}\b/g, /\b[A-Z]{3}-\d+[a-z]?\b/g]
const STATES =
  /\[(active|checked|disabled|expanded|pressed|selected|level=\d|(checked|pressed|expanded|selected)=\w+|ref=\w+)\]/g

/** All unmarked text that this page shows or exposes to screen readers. */
export async function unmarked(person: Person, more: readonly string[] = []): Promise<string[]> {
  const { page } = person
  const read = (await page.locator('body').ariaSnapshot())
    .split('\n')
    .filter((line) => !/^\s*- \/url:/.test(line))
    .map((line) => line.replace(STATES, '').replace(/^\s*- '?(\/?[a-z]+)/, ''))
  const texts = [await page.title(), ...(await page.locator('body').innerText()).split('\n'), ...read]
  const known = new RegExp(`\\b(${[...NAMES, ...more].join('|')})\\b`, 'g')
  return texts.filter((text) =>
    /[A-Za-z]{2,}/.test(
      NOT_TEXTS.reduce((rest, pattern) => rest.replace(pattern, ''), text).replace(known, ''),
    ),
  )
}
