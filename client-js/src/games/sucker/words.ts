import compiled from 'virtual:texts/sucker'
import { gameWords } from '../../app/gametexts.ts'

export const { texts, say, pieces } = gameWords<'sucker'>(compiled)
