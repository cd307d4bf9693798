/** A table with all its seats on a small phone, on one's own turn and on others'. */
import { expect } from 'vitest'
import { misfits } from './layout.ts'
import { PHONE, scene } from './livehub.ts'
import { UNTIMED } from './pages/home.ts'
import { TablePage } from './pages/table.ts'
import { beginAt } from './seating.ts'
import type { GAMES } from '../../src/games/index.ts'

type Game = keyof typeof GAMES

export const TITLES: Readonly<Record<Game, string>> = {
  almost: 'Almost',
  shares: 'Share and Share Alike',
  subdivision: 'Subdivision',
  sucker: 'So Long Sucker',
  takeover: 'Takeover',
}
/** The most seats of each game. */
const MOST: Readonly<Record<Game, number>> = {
  almost: 10,
  shares: 6,
  subdivision: 4,
  sucker: 6,
  takeover: 6,
}
const LEAST_TARGET = 44

export function testFullTable(game: Game): void {
  const title = TITLES[game]
  scene(`${title} with all its seats is no wider than a small phone`, async (liveHub) => {
    const people = await Promise.all(['Ann', 'Bo'].map((name) => liveHub.person(name, { screen: PHONE })))
    const { tables } = await beginAt(TablePage, game, people, { seats: MOST[game], choose: UNTIMED })
    const [ann, bo] = tables as [TablePage, TablePage]
    await Promise.race([ann, bo].map(({ page }) => page.locator('.stage.acting').waitFor()))
    for (const { page, person } of [ann, bo]) {
      await page.locator('.content > .deck > .board').waitFor()
      expect(await misfits(page, LEAST_TARGET), `${game}, ${person.name}`).toEqual([])
    }
  })
}
