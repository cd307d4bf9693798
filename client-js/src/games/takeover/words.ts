import compiled from 'virtual:texts/takeover'
import { gameWords } from '../../app/gametexts.ts'

export const { texts, say, pieces } = gameWords<'takeover'>(compiled)
