/** The trays of a turn, and what others have done: a first view does without them (app/firstview.ts). */
export { default as DrawTray } from './DrawTray.svelte'
export { lastAction } from './lastaction.ts'
export { default as MarketTray } from './MarketTray.svelte'
export { default as RollTray } from './RollTray.svelte'
export { default as SeatsTray } from './SeatsTray.svelte'
export { default as TowerTray } from './TowerTray.svelte'
export { default as TurnTray } from './TurnTray.svelte'
