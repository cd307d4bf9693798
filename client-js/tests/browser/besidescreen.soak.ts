/** Phones beside a shared screen, in the four games that tests/browser/besidescreen.test.ts leaves out. */
import { besideScreen, checkSides, PhoneTable, UPRIGHT } from './besidescreen.ts'
import { scene } from './livehub.ts'
import { Player } from './player.ts'
import { GAMES } from '../../src/games/index.ts'

const TITLES: Readonly<Record<Exclude<keyof typeof GAMES, 'almost'>, string>> = {
  shares: 'Share and Share Alike',
  subdivision: 'Subdivision',
  sucker: 'So Long Sucker',
  takeover: 'Takeover',
}
/** The games whose board is where a turn is chosen. */
const ON_BOARD = new Set(['subdivision', 'sucker', 'takeover'])

/** Plays until this person's turn is over. */
async function playTurn(player: Player): Promise<void> {
  const over = player.page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const stage = document.querySelector('.stage')
        if (stage === null) throw new Error('no game is running')
        new MutationObserver(() => {
          if (!stage.matches('.acting')) resolve()
        }).observe(stage, { attributeFilter: ['class'] })
      }),
  )
  player.play()
  await over
  await player.rest()
}

for (const [game, title] of Object.entries(TITLES) as [keyof typeof TITLES, string][])
  scene(`${title}: a phone beside a shared screen is a hand`, async (liveHub) => {
    const ann = await liveHub.person('Ann', { screen: UPRIGHT })
    const { tables } = await besideScreen(liveHub, game, [ann], { choose: { Timers: 'Relaxed' } })
    const [phone] = tables as [PhoneTable]
    await ann.page.locator('.stage.acting').waitFor()
    await phone.shows(ON_BOARD.has(game) ? 'Board' : 'Hand')
    const player = new Player(ann, 7)
    await playTurn(player)
    await ann.page.locator('.stage.acting').waitFor()
    await checkSides(phone, game)
  })
