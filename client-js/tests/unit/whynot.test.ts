/** The question why something cannot be chosen, and what is shown of the answer. */
import { describe, expect, test } from 'vitest'
import type { TableView } from '../../src/app/tableview.svelte.ts'
import { whyDisabled, whyNot } from '../../src/app/whynot.ts'
import type { Previewed, Verdict } from '../../src/sdk/index.ts'

const MOVE = { move: 'bid', number: 7 }
const refused = (code: string): Previewed => ({ data: null, refused: { code, rule: 'GEN-5', args: {} } })

/** A seat that is asked to bid; the hub answers with `answer`. */
function seat(answer: Previewed): {
  view: TableView
  state: { acts: boolean; main: { id: string } }
  asked: unknown[]
  shown: Verdict[]
} {
  const [asked, shown]: [unknown[], Verdict[]] = [[], []]
  const state = {
    acts: true,
    main: { id: 'bid:1' },
    prompt: (kind: string) => (kind === 'bid' ? { id: 'bid:1' } : undefined),
    game: { texts: { refusals: { LOCKED: 'Your number is locked.' } } },
    table: {
      preview: (...question: unknown[]) => {
        asked.push(question)
        return Promise.resolve(answer)
      },
    },
    showWhyNot: (verdict: Verdict) => shown.push(verdict),
  }
  return { view: state as unknown as TableView, state, asked, shown }
}

describe('why not', () => {
  test('asks about the move, and shows why the rules refuse it', async () => {
    const { view, asked, shown } = seat(refused('LOCKED'))
    await whyNot(view, 'bid', MOVE)
    expect(asked).toEqual([['bid:1', MOVE]])
    expect(shown).toEqual([{ code: 'LOCKED', rule: 'GEN-5', args: {} }])
  })

  test.each(['SLOW_DOWN', 'BUSY', 'STALE_PROMPT', 'NOTHING_TO_SHOW', 'BAD_MOVE', 'BROKEN'])(
    'shows nothing if the hub does not judge the move: %s',
    async (code) => {
      const { view, shown } = seat(refused(code))
      await whyNot(view, 'bid', MOVE)
      expect(shown).toEqual([])
    },
  )

  test('shows nothing if the move is allowed', async () => {
    const { view, shown } = seat({ data: {}, refused: null })
    await whyNot(view, 'bid', MOVE)
    expect(shown).toEqual([])
  })

  test('shows nothing once the table waits for something else', async () => {
    const { view, state, shown } = seat(refused('LOCKED'))
    const answer = whyNot(view, 'bid', MOVE)
    state.main = { id: 'continue:1' }
    await answer
    expect(shown).toEqual([])
  })

  test('asks nothing of a seat that is not asked for such a move, or does not act', async () => {
    const { view, state, asked } = seat(refused('LOCKED'))
    await whyNot(view, 'turn', MOVE)
    await whyNot(view, null, MOVE)
    state.acts = false
    await whyNot(view, 'bid', MOVE)
    expect(asked).toEqual([])
  })
})

describe('a disabled button', () => {
  const button = { getBoundingClientRect: () => ({ left: 10, right: 110, top: 10, bottom: 54 }) }
  const controls = { querySelectorAll: () => [button] } as unknown as HTMLElement
  const tap = (x: number, y: number): MouseEvent => ({ clientX: x, clientY: y }) as MouseEvent

  function table(due: readonly number[]): { view: TableView; shown: string[] } {
    const shown: string[] = []
    const prompts = {
      bid: { title: 'Bid', you: 'Choose a number, then lock it.', done: 'Wait for the others.' },
    }
    const view = {
      main: { kind: 'bid' },
      seat: 0,
      due,
      game: { texts: { prompts } },
      showReason: (why: string) => shown.push(why),
    } as unknown as TableView
    return { view, shown }
  }

  test('says what has to be done first, or whom the table waits for', () => {
    const [due, done] = [table([0, 1]), table([1])]
    whyDisabled(due.view, controls, tap(50, 30))
    whyDisabled(done.view, controls, tap(50, 30))
    expect(due.shown).toEqual(['Choose a number, then lock it.'])
    expect(done.shown).toEqual(['Wait for the others.'])
  })

  test('says what is left to choose, if the game knows it', () => {
    const { view, shown } = table([0])
    const hinting = { ...view, game: { ...view.game, hint: () => 'Choose a chip.' } } as unknown as TableView
    whyDisabled(hinting, controls, tap(50, 30))
    expect(shown).toEqual(['Choose a chip.'])
  })

  test('says nothing if the tap was beside it', () => {
    const { view, shown } = table([0])
    whyDisabled(view, controls, tap(200, 30))
    expect(shown).toEqual([])
  })
})
