/** The screens of Takeover, for the tours of all screens. */
import type { Person } from './house.ts'
import type { Look } from './inspector.ts'
import { UNTIMED } from './pages/home.ts'
import { FACES, inTurn, opened, SHOWN, TakeoverTable } from './pages/takeover.ts'

export async function takeoverAsSeat(ann: Person, bo: Person, look: Look): Promise<void> {
  const { page } = ann
  /** Each of these is looked at once. */
  const seen = new Set<string>()
  const hidden = await opened([ann, bo], { seats: 4, choose: UNTIMED })
  const [drafts] = hidden.tables as [TakeoverTable, TakeoverTable]
  await inTurn(hidden.tables, (table) => table.take, (table) => table.lock, async (table, pick) => {
    if (table === drafts && pick >= 4 && !seen.has('draft hidden')) {
      seen.add('draft hidden')
      await drafts.press(drafts.draftTable.getByRole('gridcell', { disabled: false }).last())
      await look('takeover draft hidden')
    }
    await table.pick()
  })

  const open = await opened([ann, bo], { choose: { ...SHOWN, ...FACES, ...UNTIMED }, switchOn: ['Cashing out by choice'] })
  const [own, others] = open.tables as [TakeoverTable, TakeoverTable]
  await inTurn(open.tables, (table) => table.take, (table) => table.lock, async (table, pick) => {
    if (table === own && pick >= 7 && !seen.has('draft shown')) {
      seen.add('draft shown')
      await own.press(own.draftTable.getByRole('gridcell', { disabled: false }).last())
      await look('takeover draft shown')
    }
    await table.pick()
  })
  await own.mark(...(await own.coins()).slice(0, 4))
  await look('takeover flip')
  await own.lock.click()
  await others.mark(...(await others.coins()).slice(4, 7))
  await others.lock.click()
  let merged = 0
  await inTurn(open.tables, (table) => table.pass, (table) => table.over, async (table, number) => {
    const pairs = (await table.pairs()).filter(({ touch }) => touch)
    if (table === own && number < 2) {
      await own.aim(pairs.findLast(({ cost }) => cost === 2) ?? pairs[0])
      await own.button(/^Merge, /).waitFor()
      await look('takeover play a merger')
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await own.button('Cash out').click()
      await own.page.getByRole('group', { name: 'Cash out stocks' }).getByRole('button').first().click()
      await look('takeover play cashing out')
      await own.button('Back').click()
    }
    const free = pairs.find(({ cost }) => cost === 0)
    if (table === own && (number >= 8 || free === undefined) && !seen.has('late')) {
      seen.add('late')
      await look('takeover play late')
    }
    if (free === undefined || merged === 14) return table.passOn()
    merged += 1
    return table.mergeThem(free)
  })
  await page.getByRole('img', { name: 'Stocks and cash at the end' }).waitFor()
  await look('takeover end')
}

export async function takeoverAsWatcher(ann: Person, bo: Person, dee: Person, look: Look): Promise<void> {
  const { page } = dee
  const firm = await opened([ann, bo], { choose: { ...SHOWN, ...FACES, ...UNTIMED }, switchOn: ['Cashing out by choice'] })
  const seen = await new TakeoverTable(dee).visit(firm.code)
  await seen.draftTable.waitFor()
  await inTurn(firm.tables, (table) => table.take, (table) => table.lock, async (table, pick) => {
    if (pick === 9) await look('takeover draft shown')
    await table.pick()
  })
  await Promise.all(firm.tables.map(async (table) => table.mark(...(await table.coins()).slice(0, 3))))
  await firm.tables[0]?.lock.click()
  await firm.tables[0]?.unlock.waitFor()
  await look('takeover flip')
  await firm.tables[1]?.lock.click()
  let late = false
  let merged = 0
  await inTurn(firm.tables, (table) => table.pass, (table) => table.over, async (table, number) => {
    const pairs = (await table.pairs()).filter(({ touch }) => touch)
    if (number === 0) {
      await seen.aim(pairs.at(-1))
      await look('takeover play a merger')
      await seen.press(seen.square(pairs.at(-1)?.source.coin ?? ''))
      await look('takeover play cashing out')
    }
    const free = pairs.find(({ cost }) => cost === 0)
    if ((number >= 8 || free === undefined) && !late) {
      late = true
      await look('takeover play late')
    }
    if (free === undefined || merged === 14) return table.passOn()
    merged += 1
    return table.mergeThem(free)
  })
  await page.getByRole('img', { name: 'Stocks and cash at the end' }).waitFor()
  await look('takeover end')

  const hush = await opened([ann, bo], { seats: 6, choose: UNTIMED })
  await seen.visit(hush.code)
  await seen.draftTable.waitFor()
  await Promise.any(hush.tables.map((table) => table.take.waitFor()))
  await look('takeover draft hidden')
}
