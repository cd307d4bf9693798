/** Tips in the games that coach.test.ts leaves out. */
import { testTips } from './coach.ts'

for (const title of ['So Long Sucker', 'Subdivision', 'Share and Share Alike', 'Takeover']) testTips(title)
