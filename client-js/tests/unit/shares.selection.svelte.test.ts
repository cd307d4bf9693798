/** The cards of Share and Share Alike: one is chosen to be played, several to be discarded, and any can be read. */
import { fakePage, openSelection } from './selecting.svelte.ts'
import { expect, test } from 'vitest'
import type { Card } from '../../src/games/shares/cards.ts'
import type { SharesSelection } from '../../src/games/shares/selection.svelte.ts'
import type { HubEnd } from './hand.ts'

const HAND: readonly Card[] = ['QH', 'KS', '7D']

fakePage()

/** Seat 0, asked for this with all its cards; null if somebody else is. */
function asked(kind: 'turn' | 'select' | 'hearts' | null): { selection: SharesSelection; hub: HubEnd } {
  const card = { type: 'one_of', of: HAND }
  const moves = ['play', 'discard', 'drawUp'].map((move) => ({ move, fields: { card } }))
  const { selection, hub } = openSelection({
    table: { status: 'running', seats: [{ name: 'Ann' }, { name: 'Bo' }] },
    prompts: {
      prompts: [
        { id: 'now:1', kind: kind ?? 'turn', seats: [kind === null ? 1 : 0], title: '', window: null },
      ],
    },
    choices: { choices: { 'now:1': kind === 'turn' ? moves : [] } },
    hand: { cards: HAND.map((each) => ({ card: each, uses: 1, adjust: 0, royal: false })) },
    ...Object.fromEntries(
      ['stage', 'scene', 'recent', 'towers', 'players', 'piles'].map((name) => [name, {}]),
    ),
  })
  return { selection, hub: hub() }
}

const sentTo = (hub: HubEnd): readonly unknown[] => hub.of('do').map(({ move }) => move)

test('another card takes the place of the chosen one, which is taken back if it is chosen again', async () => {
  const { selection, hub } = asked('turn')
  selection.chooseCard('QH')
  selection.chooseCard('KS')
  expect([selection.cards, selection.single]).toEqual([['KS'], 'KS'])
  selection.chooseCard('KS')
  expect([selection.cards, selection.single, await selection.confirm()]).toEqual([[], null, false])
  selection.chooseCard('7D')
  void selection.confirm()
  expect(sentTo(hub)).toEqual([{ move: 'play', card: '7D' }])
})

test('several cards are chosen to be discarded, beginning with the chosen one, and none of them is played', () => {
  const { selection, hub } = asked('turn')
  selection.chooseCard('KS')
  selection.beginDiscard()
  expect([selection.discarding, selection.cards, selection.single, selection.playable]).toEqual([
    true,
    ['KS'],
    null,
    false,
  ])
  for (const card of ['7D', 'QH', 'KS'] as const) selection.chooseCard(card)
  expect(selection.cards).toEqual(['7D', 'QH'])
  void selection.confirm()
  expect(sentTo(hub)).toEqual([{ move: 'discard', cards: ['7D', 'QH'] }])
})

test('to discard nothing after all leaves no card chosen', () => {
  const { selection, hub } = asked('turn')
  for (const stop of [() => selection.endDiscard(), () => expect(selection.back()).toBe(true)]) {
    selection.beginDiscard()
    expect(selection.discards).toBe(false)
    selection.chooseCard('QH')
    expect(selection.discards).toBe(true)
    stop()
    expect([selection.discarding, selection.cards]).toEqual([false, []])
  }
  expect([selection.back(), sentTo(hub)]).toEqual([false, []])
})

test('while a share is chosen or others play, a card is read, and nothing is chosen or refused', () => {
  for (const kind of ['select', null] as const) {
    const { selection, hub } = asked(kind)
    selection.chooseCard('QH')
    selection.chooseCard('7D')
    expect([selection.reading?.card, selection.cards]).toEqual(['7D', []])
    selection.chooseCard('7D')
    expect(selection.reading).toBeNull()
    selection.chooseCard('KS')
    if (kind === 'select') selection.chooseCompany('B')
    else expect(selection.back()).toBe(true)
    expect(selection.reading).toBeNull()
    expect(hub.of('preview')).toEqual([])
  }
})

test('while something else is to be chosen, the hub says why a card cannot be', () => {
  const { selection, hub } = asked('hearts')
  selection.chooseCard('QH')
  expect([selection.reading, hub.of('preview').map(({ move }) => move)]).toEqual([
    null,
    [{ move: 'play', card: 'QH' }],
  ])
})
