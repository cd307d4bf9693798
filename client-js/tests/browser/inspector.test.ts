/** The inspectors find the faults they look for, and every game is inspected. */
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { scene } from './livehub.ts'
import { Inspector, tabOf } from './inspector.ts'
import { unmarked } from './marks.ts'
import { GAMES } from '../../src/games/index.ts'

const GOOD = `<html lang="en"><head><title>x</title></head><body><main><h1>x</h1>
  <button style="width: 44px; height: 44px">x</button>`

const FAULTS = `
  <button style="width: 43px; height: 60px">x</button>
  <a href="/" style="display: block; width: 90px; height: 20px">x</a>
  <p style="color: #999; background: #aaa">hard to read</p>
  <input style="width: 60px; height: 60px">
  <div style="width: 400px; height: 9px"></div>
  <div style="overflow: auto"><h2 style="width: 1500px">x</h2></div>
  <div class="page wide" style="height: 2000px"></div>`
const DARK_FAULT = `
  <style>@media (prefers-color-scheme: dark) { p { color: #999; background: #aaa } }</style>
  <p>hard to read</p>`

scene(
  'a small target, text that is hard to read, a field without a name, and what is too wide are found',
  async (liveHub) => {
    const { page } = await liveHub.person('Ann', { fresh: true })
    const inspect = async (
      html: string,
    ): Promise<{ readonly all: readonly string[]; readonly first: readonly string[] }> => {
      await page.setContent(html)
      const inspector = new Inspector('nobody', page)
      await inspector.inspect('a screen')
      const first = [...inspector.findings]
      for (const other of [2, 3, 4]) await inspector.inspect(`a screen ${other}`)
      return {
        all: [...new Set(inspector.findings.map((finding) => finding.replace(/a screen \d/, 'a screen')))],
        first,
      }
    }
    expect((await inspect(GOOD)).all).toEqual([])
    const { all: findings } = await inspect(GOOD + FAULTS)
    for (const found of [
      /phone, light: a target of 43 x 60 px/,
      /desk, light: a target of 43 x 60 px/,
      /desk, light: a target of 90 x 20 px/,
      /phone, light: axe color-contrast/,
      /phone, dark: axe color-contrast/,
      /desk, dark: axe color-contrast/,
      /desk, light: axe color-contrast/,
      /phone, light: axe label/,
      /phone, light: scrolls sideways: 40\d px/,
      /phone, light: out of the screen sideways/,
      /desk, light: out of the screen sideways/,
      /desk, light: the page is longer than the screen: 2\d{3} px/,
    ]) {
      expect(
        findings.filter((finding) => found.test(finding)),
        String(found),
      ).toHaveLength(1)
    }
    // dark mode is inspected alternately at desktop and phone size
    const dark = await inspect(GOOD + DARK_FAULT)
    const inTheDark = (size: string): unknown =>
      expect.stringMatching(new RegExp(`${size}, dark: axe color-contrast`))
    expect(dark.first).toEqual([inTheDark('desk')])
    expect(dark.all).toEqual([inTheDark('desk'), inTheDark('phone')])
  },
)

scene('text that is hard to read is found in a dialog, and in a panel after others', async (liveHub) => {
  const { page } = await liveHub.person('Ann', { fresh: true })
  const hard = '<p style="color: #999; background: #aaa">hard to read</p>'
  const found = [expect.stringMatching(/axe color-contrast/)]
  const dialogs = new Inspector('nobody', page)
  await page.setContent(`${GOOD}<dialog aria-label="x">${hard}</dialog>`)
  await page.evaluate(() => document.querySelector('dialog')?.showModal())
  await dialogs.inspect('a dialog')
  expect(dialogs.findings).toEqual(found)
  const panels = new Inspector('nobody', page)
  for (const [panel, text] of [
    ['chat', 'x'],
    ['log', hard],
  ] as const) {
    await page.setContent(`${GOOD}<div role="tabpanel" aria-label="x">${text}</div>`)
    await panels.inspect(`panel: ${panel}`)
  }
  expect(panels.findings).toEqual(found)
})

scene('text in plain letters is found wherever it is', async (liveHub) => {
  const ann = await liveHub.person('Ann', { fresh: true })
  for (const fault of [
    '<p>plain</p>',
    '<button aria-label="plain">x</button>',
    '<input placeholder="plain">',
    '<p aria-hidden="true">plain</p>',
    '<title>plain</title>',
    '<img alt="plain">',
  ]) {
    await ann.page.setContent(
      `<p>[ýéš]</p><button aria-pressed="true">[ñö]</button><a href="/plain">é</a><kbd>Enter</kbd>${fault}`,
    )
    expect(await unmarked(ann), fault).not.toEqual([])
  }
  await ann.page.setContent(
    '<p>[ýéš]</p><button aria-pressed="true">[ñö]</button><a href="/plain">é</a><kbd>Enter</kbd>',
  )
  expect(await unmarked(ann)).toEqual([])
})

test.each([
  ['panel: chat', 'Chat'],
  ['trade panel: deals, accept', 'Deals'],
  ['talk', 'Table'],
  ['deals an offer', 'Table'],
] as const)('the screen "%s" is in the tab %s', (screen, tab) => {
  expect(tabOf(screen)).toBe(tab)
})

test('a panel that does not exist is an error', () => {
  expect(() => tabOf('panel: talk')).toThrow('no such panel')
})

test.each(Object.keys(GAMES))('there is a tour of the screens of %s', (game) => {
  const tours = ['test', 'soak'].filter((kind) =>
    existsSync(new URL(`games/${game}/screens.${kind}.ts`, import.meta.url)),
  )
  expect(tours).toHaveLength(1)
})
