/** Streamer mode at a table of one game, with a watcher's page beside it. */
import { expect } from 'vitest'
import type { Page } from 'playwright-core'
import { TITLES } from './fulltables.ts'
import { DESK, PHONE, scene } from './livehub.ts'
import { UNTIMED } from './pages/home.ts'
import { TablePage } from './pages/table.ts'
import { seatAt } from './seating.ts'

const NOTE = 'my plan is periwinkle'

interface Streamed {
  readonly game: keyof typeof TITLES
  readonly screen: typeof DESK
  /** Whether the first decision has something to hide. */
  readonly secret: boolean
}

/** Everything on the page: its text, its attributes, and what is in its fields. */
async function everything(page: Page): Promise<string> {
  const fields = await page.evaluate(() =>
    [...document.querySelectorAll('input,textarea')]
      .map((each) => (each as HTMLInputElement).value)
      .join('\n'),
  )
  return `${await page.title()}\n${await page.content()}\n${fields}`
}

export function testStreamerMode({ game, screen, secret }: Streamed): void {
  const title = TITLES[game]
  scene(
    `${title}: with streamer mode on, the page is a watcher's until the control is held`,
    async (liveHub) => {
      const ann = await liveHub.person('Ann', { screen })
      const { tables } = await seatAt(TablePage, game, [ann], { seats: 4, choose: UNTIMED })
      const [table] = tables as [TablePage]
      const { page } = table
      const link = await table.link()
      const code = await table.code()
      const letters = await table.share.locator('[data-code]').innerText()
      await table.press(table.start)
      await table.stage.waitFor()
      await page.getByRole('region', { name: title }).waitFor()
      await table.open('Notes')
      await page
        .getByRole('textbox', { name: /notes|Notes|you/ })
        .last()
        .fill(NOTE)
      await page.getByText('Saved').first().waitFor()

      const wil = await liveHub.person('Wil', { screen })
      const his = await new TablePage(wil).visit(code)
      await his.stage.waitFor()

      // switched on at the table
      const tools = await table.tools()
      await tools.getByRole('switch', { name: /^Streamer mode/ }).check()
      await page.keyboard.press('Escape')
      const bar = page.getByRole('region', { name: 'Streamer mode' })
      const hold = bar.getByRole('button', { name: 'Hold to show' })
      await hold.waitFor()
      expect(await everything(page)).not.toContain(NOTE)
      expect(await everything(page)).not.toContain(letters)
      expect((await everything(page)).includes(link)).toBe(false)
      if (screen === PHONE) await table.open('Table')
      else await table.open('Log')
      if (title === 'Almost') {
        // that somebody is ready is no secret
        await hold.and(page.getByRole('button', { name: 'Hold to show (V)' })).waitFor()
        await table.press(page.locator('.tray').getByRole('button', { name: /^I am ready/ }))
      }
      if (secret) await page.locator('.tray').getByText('Hidden in streamer mode').waitFor()

      // what others may see of the board, the stage and the log is what a watcher sees
      const board = (from: Page) => from.getByRole('region', { name: title })
      const seen = async (from: Page): Promise<string> =>
        [
          screen === DESK ? await board(from).ariaSnapshot() : await board(from).innerText(), // the strip is in it
          await from.getByRole('heading', { level: 2 }).first().innerText(),
        ]
          .join('\n')
          .replaceAll(/\n\s*- button "Follow .*/g, '')
          .replaceAll(' [active]', '')
      const compare = async (): Promise<string> => {
        const [own, watchers] = await Promise.all([seen(page), seen(wil.page)])
        return own === watchers ? 'the same' : `${own}\n<>\n${watchers}`
      }
      await expect.poll(compare).toBe('the same')
      if (screen === DESK) {
        await his.open('Log')
        await expect
          .poll(async () => (await table.log.innerText()) === (await his.log.innerText()))
          .toBe(true)
      }

      // held with the pointer, by key on the control, and by its shortcut; released, it is hidden again
      const covered = page.locator('.tray').getByText('Hidden in streamer mode')
      const shows = async (press: () => Promise<void>, release: () => Promise<void>): Promise<void> => {
        await press()
        await covered.waitFor({ state: 'detached' })
        await page.locator('.tray').getByRole('button').first().waitFor({ state: 'attached' })
        await release()
        await covered.waitFor()
      }
      if (secret) {
        await hold.hover()
        await shows(
          () => page.mouse.down(),
          () => page.mouse.up(),
        )
        await hold.focus()
        await shows(
          () => page.keyboard.down(' '),
          () => page.keyboard.up(' '),
        )
        await hold.blur()
        await shows(
          () => page.keyboard.down('v'),
          () => page.keyboard.up('v'),
        )
      }
      // hovering and focus show nothing
      await hold.hover()
      await hold.focus()
      expect(await everything(page)).not.toContain(NOTE)
      if (process.env.PARLEY_SCREENS !== undefined)
        await page.screenshot({ path: `test-results/streamer-${title.replaceAll(' ', '-')}.png` })

      // nor does the panel for inviting others
      await page.getByRole('button', { name: 'Invite others to this table' }).click()
      const share = page.getByRole('dialog', { name: 'Invite others to this table' })
      await share.getByText('Hidden in streamer mode').first().waitFor()
      expect(await everything(page)).not.toContain(letters)
      expect((await everything(page)).includes(link)).toBe(false)
      await page.keyboard.press('Escape')

      // the notes are still there
      await table.open('Notes')
      expect(await everything(page)).not.toContain(NOTE)
      await hold.hover()
      await page.mouse.down()
      await expect.poll(() => everything(page)).toContain(NOTE)
      await page.mouse.up()
      await expect.poll(() => everything(page)).not.toContain(NOTE)
    },
  )
}
