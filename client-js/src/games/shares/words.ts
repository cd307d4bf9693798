import compiled from 'virtual:texts/shares'
import { gameWords } from '../../app/gametexts.ts'

export const { texts, say, pieces } = gameWords<'shares'>(compiled)
