import compiled from 'virtual:texts/subdivision'
import { gameWords } from '../../app/gametexts.ts'

export const { texts, say, pieces } = gameWords<'subdivision'>(compiled)
