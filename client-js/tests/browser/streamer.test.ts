/**
 * Streamer mode: nothing that only this person may know is on the page until they hold the control. The other
 * games: streamer.soak.ts.
 */
import { DESK } from './livehub.ts'
import { testStreamerMode } from './streamer.ts'

testStreamerMode({ game: 'almost', screen: DESK, secret: true })
