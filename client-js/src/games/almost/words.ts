import compiled from 'virtual:texts/almost'
import { gameWords } from '../../app/gametexts.ts'

export const { texts, say, pieces } = gameWords<'almost'>(compiled)
