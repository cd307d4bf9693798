import { scene } from './house.ts'
import { Inspector } from './inspector.ts'
import { suckerAsSeat, suckerAsWatcher } from './screens.sucker.ts'
scene('tmp seat', async (house) => {
  const [ann, bo] = await house.people('Ann', 'Bo')
  const inspector = new Inspector('seat', ann.page)
  try { await suckerAsSeat(house, ann, bo, (s) => inspector.look(s)) } finally { console.log(inspector.findings.join('\n'), [...inspector.visited]) }
})
scene('tmp watcher', async (house) => {
  const [ann, bo, dee] = await house.people('Ann', 'Bo', 'Dee')
  const inspector = new Inspector('watcher', dee.page)
  try { await suckerAsWatcher(house, ann, bo, dee, (s) => inspector.look(s)) } finally { console.log(inspector.findings.join('\n'), [...inspector.visited]) }
})
