/** Sixty names that try to hide, to impersonate somebody, or to rearrange the text around them. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { Api, ApiError } from '../../src/sdk/api.ts'
import { PHONE, scene } from './livehub.ts'

/** Refused by the hub: controls, invisible characters, stacked marks. */
const REFUSED = [
  ...[
    '\u202eAnn',
    'Ann\u202d',
    '\u2066Ann\u2069',
    '\u202bAnn',
    '\u200fAnn',
    'Ann\u061c',
    'A\u0000nn',
    'A\u0007nn',
  ],
  ...[
    'A\nnn',
    'A\u2028nn',
    'A\u0085nn',
    'Ann\u200b',
    'Ann\u200c',
    'A\u200dnn',
    'Ann\ufeff',
    'Ann\u2060',
    'A\u00adnn',
  ],
  ...[
    'Ann\ufe0f',
    'Ann\u180b',
    'Ann\u{e0100}',
    '\u{e0041}nn',
    '\u2800',
    '\u3164',
    '\u115f',
    '\uffa0',
    'A\u034fnn',
  ],
  ...[
    'Z\u0335\u0336\u0337algo',
    'a\u0301\u0302\u0303',
    'o' + '\u0489'.repeat(20),
    '\u0301',
    '\ue000',
    '🐙\u200d',
  ],
]

/** Allowed: they must stay in their place, on any screen. */
const SHOWN = [
  ...['شيرين', 'שרה לוי', 'مريم 2', '123 שלום', 'שלום (1)', '(שלום', 'שלום)', 'ﷺ', 'Ann (مريم)', '←שלום→'],
  ...[
    '<b>Ann</b>',
    '<script>alert(1)',
    '&lt;i&gt;',
    '"><img src=x>',
    '{name}',
    '{0, plural}',
    "'{'",
    '${1+1}',
    '%s%n',
  ],
  ...[
    'W'.repeat(24),
    'ﷲ'.repeat(24),
    '𝕎'.repeat(24),
    'ộ'.repeat(24),
    '👩‍👩‍👧‍👦👍🏽❤️🇩🇪',
    'Ꭺnn',
    'Аnn',
    'Bot A',
    '__proto__',
  ],
]

/** Problems with a name on the page: it overflows its box, is not isolated, or widens the page. */
function findProblems(page: Page, name: string): Promise<readonly string[]> {
  return page.evaluate((name) => {
    const problems: string[] = []
    const plain = (text: string | null): string => (text ?? '').replace(/[\u2068\u2069]/g, '')
    const shown = [...document.querySelectorAll('bdi')].filter(
      (element) => plain(element.textContent) === name,
    )
    if (shown.length === 0) problems.push('not shown in an element of its own')
    for (const element of shown) {
      const clipped = getComputedStyle(element.parentElement ?? element).overflowX === 'hidden'
      const box = (clipped ? (element.parentElement ?? element) : element).getBoundingClientRect()
      const card = (element.closest('.card, li, header') ?? document.body).getBoundingClientRect()
      if (box.left < card.left - 1 || box.right > card.right + 1) problems.push('wider than its card')
      if (box.bottom > card.bottom + 1 || box.top < card.top - 1) problems.push('higher than its card')
      if (getComputedStyle(element).unicodeBidi !== 'isolate') problems.push('not isolated')
    }
    if (document.documentElement.scrollWidth > innerWidth) problems.push('the page can be scrolled sideways')
    return problems
  }, name)
}

scene('sixty hostile names: refused, or shown in their place', async (liveHub) => {
  expect(new Set([...REFUSED, ...SHOWN]).size).toBe(60)
  const ann = await liveHub.person('Ann', { screen: PHONE })
  await ann.page.goto('/')
  const base = new URL(ann.page.url()).origin
  for (const name of REFUSED) {
    const refusal = await new Api(base).makePerson(name, 0).then(
      () => null,
      (error: unknown) => (error instanceof ApiError ? error.code : error),
    )
    expect([name, refusal]).toEqual([name, 'BAD_NAME'])
  }

  const tables = 3
  for (let table = 0; table < tables; table++) {
    const names = SHOWN.filter((_, index) => index % tables === table)
    const hosts = new Api(base, (await new Api(base).makePerson(names[0] ?? '', 0)).token)
    const { room, code } = await hosts.makeRoom({
      game: 'almost',
      seats: 10,
      options: {},
      open: true,
      play_now: false,
      bots: null,
    })
    for (const [seat, name] of names.entries()) {
      const person = new Api(base, (await new Api(base).makePerson(name, 0)).token)
      if (seat > 0) await person.sit(room, seat)
    }
    await ann.page.goto(`/t/${code}`)
    await ann.page.locator('.card').nth(9).waitFor()
    for (const name of names) {
      const shown = name === 'Bot A' ? 'Bot A 2' : name
      expect([shown, await findProblems(ann.page, shown)]).toEqual([shown, []])
    }
  }
})
