/** Checks of every game's interface to the app (src/app/game.ts) that types cannot express. */
import { readFileSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import { gainsText } from '../../src/app/table/promises.ts'
import type { TableView } from '../../src/app/tableview.svelte.ts'
import { GAMES } from '../../src/games/index.ts'
import type { PromiseInfo } from '../../src/sdk/wire.gen.ts'

// some modules of the clients read the page's address and add listeners when they are loaded
vi.stubGlobal('location', new URL('http://parley.test/'))
vi.stubGlobal('addEventListener', () => undefined)

/** One only asks where to place something; in the other, ending a turn in advance would give up its actions. */
const NOTHING_AHEAD = ['Subdivision', 'Share and Share Alike']

describe.each(Object.entries(GAMES))('%s', (_, entry) => {
  test('says what each kind of prompt means to the stage', async () => {
    const { prompts, texts } = await entry.client()
    const kinds = Object.keys(texts.prompts).filter((kind) => kind !== 'extend' && kind !== 'lastCall')
    expect(Object.keys(prompts).sort()).toEqual(kinds.sort())
  })

  test('gives sounds only to lines that the game has', async () => {
    const { sounds, texts } = await entry.client()
    expect(Object.keys(texts.lines)).toEqual(expect.arrayContaining(Object.keys(sounds ?? {})))
  })

  test('lets plain answers be set in advance that the game has; two games have none', async () => {
    const { ahead, texts, prompts } = await entry.client()
    expect(ahead?.length ?? 0).toBe(NOTHING_AHEAD.includes(String(texts.title)) ? 0 : 1)
    for (const { prompt, ignores } of ahead ?? []) {
      expect(Object.keys(prompts)).toContain(prompt)
      expect(Object.keys(texts.lines)).toEqual(
        expect.arrayContaining(ignores.filter((key) => key.includes('.'))),
      )
    }
  })

  test('uses no key that the shell uses', async () => {
    const { keys } = await entry.client()
    const shell = ['C', 'L', 'N', 'R', 'D', 'B', '?'] // not Escape, which trays may use too
    expect(keys().flatMap((key) => key.keys.filter((name) => shell.includes(name)))).toEqual([])
  })
})

test('So Long Sucker says what a broken promise brought in chips', async () => {
  const game = await GAMES.sucker.client()
  const names = ['Ann', 'Bo']
  const seats = names.map((name, number) => ({ name, number }))
  const view = { seats, game, nameOf: (seat: number) => names[seat] } as unknown as TableView
  const broken = { by: 1, to: [0], cost: [0, 4] } as unknown as PromiseInfo
  expect(gainsText(view, broken)).toBe('The move that broke it gained Bo 4 chips on Ann.')
})

test('So Long Sucker alone with bots is the game that its lesson teaches', async () => {
  const { options } = JSON.parse(
    readFileSync(new URL('../../../games/sucker/lesson.json', import.meta.url), 'utf8'),
  ) as {
    options: Record<string, unknown>
  }
  const { alone } = await GAMES.sucker.card()
  expect({ timers: 'off', ...alone }).toEqual(options)
})

test('So Long Sucker names the enemy in the goal, to the seat that has one', async () => {
  const { goal } = await GAMES.sucker.client()
  const viewOf = (mine: { readonly enemy: number | null } | undefined, isIn = true): TableView =>
    ({
      gameSection: (_: string, name: string) => (name === 'mine' ? mine : { alive: [true, true, isIn] }),
      nameOf: (seat: number) => `Bot ${seat}`,
    }) as unknown as TableView
  expect(goal?.(viewOf({ enemy: 2 }))).toBe('Survive, but Bot 2 must not go out last')
  expect(goal?.(viewOf({ enemy: 2 }, false))).toBe('Be the last one left')
  expect(goal?.(viewOf({ enemy: null }))).toBeNull()
  expect(goal?.(viewOf(undefined))).toBeNull()
})
