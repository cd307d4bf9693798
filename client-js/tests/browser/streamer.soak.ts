/** Streamer mode in the games that streamer.test.ts leaves out. */
import { DESK, PHONE } from './livehub.ts'
import { testStreamerMode } from './streamer.ts'

testStreamerMode({ game: 'shares', screen: PHONE, secret: true })
testStreamerMode({ game: 'takeover', screen: DESK, secret: true })
testStreamerMode({ game: 'sucker', screen: DESK, secret: true })
testStreamerMode({ game: 'subdivision', screen: PHONE, secret: false })
