/**
 * The trays of a turn, cards that travel, what others have done, phrases that fit, and answers to bots: a first view
 * does without them.
 */
export { default as ChartLink } from './ChartLink.svelte'
export { default as DrawTray } from './DrawTray.svelte'
export { flightsOf } from './flights.ts'
export { passedNews, rollNews } from './lastaction.ts'
export { default as MarketTray } from './MarketTray.svelte'
export { fits } from './phrases.ts'
export { repliesIn } from './replies.ts'
export { default as RollTray } from './RollTray.svelte'
export { default as SeatsTray } from './SeatsTray.svelte'
export { default as TowerTray } from './TowerTray.svelte'
export { default as TurnTray } from './TurnTray.svelte'
export { default as WaitTray } from './WaitTray.svelte'
