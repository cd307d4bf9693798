/** A whole game of Subdivision by touch alone. */
import { PHONE, scene } from '../../livehub.ts'
import { CALM } from '../../pages/home.ts'
import { IN_TURN, THREE_HOUSE, built, parksSet, playOn, type SubdivisionTable } from './page.ts'

scene(
  'Subdivision by touch alone on a phone: ThreeHouse, parks set in turn, private parks, until nothing fits',
  async (liveHub) => {
    const ann = await liveHub.person('Ann', { screen: PHONE })
    const bo = await liveHub.person('Bo')
    const { tables } = await built([ann, bo], {
      choose: { ...THREE_HOUSE, ...IN_TURN, ...CALM },
      switchOn: ['Private parks'],
    })
    const [anns, bos] = tables as [SubdivisionTable, SubdivisionTable]
    await parksSet(anns, bos, 7)
    // Ann saves her 3s for last, and the first one leaves no room for the others
    await playOn([anns, bos], (table) =>
      table === anns ? anns.build([2, 1, 3], { wide: true }) : bos.build([3, 1, 2]),
    )
    await anns.over.waitFor()
    await anns.open('Log')
    await anns.log.getByText('Ann passed: nothing fitted.').first().waitFor()
  },
)
