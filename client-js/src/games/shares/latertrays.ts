/** The trays that a card or Chance leads to: a first view does without them (app/firstview.ts). */
export { default as DrawTray } from './DrawTray.svelte'
export { default as MarketTray } from './MarketTray.svelte'
export { default as RollTray } from './RollTray.svelte'
export { default as SeatsTray } from './SeatsTray.svelte'
