/** Streamer mode in the games that streamer.test.ts leaves out. */
import { DESK, PHONE } from './livehub.ts'
import { testStreamerMode } from './streamer.ts'

testStreamerMode({ title: 'Share and Share Alike', screen: PHONE, secret: true })
testStreamerMode({ title: 'Takeover', screen: DESK, secret: true })
testStreamerMode({ title: 'So Long Sucker', screen: DESK, secret: true })
testStreamerMode({ title: 'Subdivision', screen: PHONE, secret: false })
