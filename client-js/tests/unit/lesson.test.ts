/** What a lesson shows at each step, and what its tasks name. */
import { describe, expect, test } from 'vitest'
import {
  buttonInstead,
  buttonNamedIn,
  choiceInstead,
  hasJustSaid,
  pageOf,
  quickRun,
  type StepTexts,
} from '../../src/app/lesson/texts.ts'

const STEPS: readonly StepTexts[] = [
  { seat: 1, prompt: 'plan' },
  { seat: 1, prompt: 'plan', then: 'A plan.' },
  { seat: 0, prompt: 'plan', task: 'Press “Back it”: it helps.' },
  { seat: 0, prompt: 'ready' },
]

describe('a lesson', () => {
  test('begins with its goal, and lets bots follow at once where nothing is said', () => {
    expect(pageOf('Win.', { steps: STEPS }, 0)).toEqual({ before: 'Win.', task: null, next: 'on request' })
    expect(pageOf('Win.', { steps: STEPS }, 1).next).toBe('by itself')
    expect(pageOf('Win.', { steps: STEPS }, 2)).toEqual({
      before: 'A plan.',
      task: 'Press “Back it”: it helps.',
      next: 'learner',
    })
  })

  test('makes a move of the learner’s without a task by itself', () => {
    expect(pageOf('Win.', { steps: STEPS }, 3)).toEqual({ before: null, task: null, next: 'by itself' })
    expect(pageOf('Win.', { steps: STEPS }, 4).next).toBe('over')
  })

  test('lets turns that teach nothing new go by at once, after what was said has been read', () => {
    const steps: readonly StepTexts[] = [
      { seat: 1, prompt: 'turn', then: 'Watch.' },
      { seat: 2, prompt: 'turn', quick: true },
      { seat: 3, prompt: 'turn', quick: true, then: 'See?' },
      { seat: 1, prompt: 'turn' },
    ]
    const nexts = [1, 2, 3, 4].map((done) => pageOf('Win.', { steps }, done).next)
    expect(nexts).toEqual(['on request', 'at once', 'on request', 'over'])
    expect([0, 1, 2, 3].map((done) => quickRun({ steps }, done))).toEqual([0, 2, 2, 2])
  })

  test('keeps its goal in view while quick turns lead to the first text', () => {
    const steps: readonly StepTexts[] = [
      { seat: 0, prompt: 'draft', quick: true },
      { seat: 1, prompt: 'draft', quick: true },
      { seat: 0, prompt: 'turn', task: 'Merge.' },
      { seat: 1, prompt: 'turn', quick: true },
      { seat: 0, prompt: 'turn', task: 'Pass.' },
    ]
    expect([0, 1].map((done) => pageOf('Win.', { steps }, done))).toEqual(
      [0, 1].map(() => ({ before: 'Win.', task: null, next: 'at once' })),
    )
    expect([2, 3, 4].map((done) => pageOf('Win.', { steps }, done).before)).toEqual(['Win.', null, null])
  })

  test('lets the learner make a promise with a button of its own', () => {
    const steps: readonly StepTexts[] = [{ seat: 0, prompt: 'promise', task: 'Promise it.' }]
    expect(pageOf('Win.', { steps }, 0)).toEqual({ before: 'Win.', task: 'Promise it.', next: 'promise' })
  })

  test('knows what was said since the text before', () => {
    const steps: readonly StepTexts[] = [
      { seat: 1, prompt: 'say' },
      { seat: 1, prompt: 'promise' },
      { seat: 1, prompt: 'plan', then: 'A plan.' },
      { seat: 0, prompt: 'plan', task: 'Back it.' },
      { seat: 2, prompt: 'say', then: 'It scolds you.' },
      { seat: 0, prompt: 'plan', task: 'Refuse it.' },
    ]
    expect([0, 1, 2, 3, 4, 5, 6].map((done) => hasJustSaid({ steps }, done))).toEqual([
      false,
      true,
      true,
      true,
      false,
      true,
      false,
    ])
  })

  test('names what to press', () => {
    expect(buttonNamedIn('Press “Back it”: then “Lock 1”.')).toBe('Back it')
    expect(buttonNamedIn('Choose a number.')).toBeNull()
    expect(buttonNamedIn(null)).toBeNull()
  })

  test('says what to press instead of another move, but not after a wrong choice with that button', () => {
    const task = 'Choose Beacon, then “Lock”.'
    const wanted = { move: 'lock', company: 1 }
    expect(buttonInstead(task, wanted, { move: 'drawUp' })).toBe('Lock')
    expect(buttonInstead(task, wanted, { move: 'lock', company: 2 })).toBeNull()
    expect(buttonInstead(task, wanted, null)).toBe('Lock')
    expect(buttonInstead(task, null, null)).toBe('Lock')
  })

  test('says what to choose instead of another choice, as far as it has a name', () => {
    const wanted = { move: 'place', pips: 1, square: 19 }
    const nameOf = (field: string, value: unknown): string | null =>
      value === null ? null : field === 'square' ? `square ${value}` : field === 'pips' ? `a ${value}` : null
    const instead = (refused: Readonly<Record<string, unknown>> | null): unknown =>
      choiceInstead(wanted, refused, nameOf)
    expect(instead({ move: 'place', pips: 1, square: 4 })).toEqual({ sent: 'square 4', wanted: 'square 19' })
    expect(instead({ move: 'place', pips: 3, square: 4 })).toEqual({ sent: 'a 3', wanted: 'a 1' })
    expect(instead({ move: 'place', pips: 1 })).toEqual({ sent: null, wanted: 'square 19' })
    expect(instead({ move: 'pass' })).toEqual({ sent: null, wanted: 'a 1' })
    expect(instead(wanted)).toBeNull()
    expect(choiceInstead(wanted, { move: 'pass' }, () => null)).toBeNull()
    expect(choiceInstead(null, { move: 'pass' }, nameOf)).toBeNull()
  })

  test('does not send the learner to the panel that is open', () => {
    const task = 'Open “Deals”, press “Accept…”.'
    const wanted = { move: 'accept' }
    expect(buttonInstead(task, wanted, { move: 'decline' }, 'Table')).toBe('Deals')
    expect(buttonInstead(task, wanted, { move: 'decline' }, 'Deals')).toBe('Accept…')
    expect(buttonInstead('Open “Deals”.', wanted, { move: 'decline' }, 'Deals')).toBeNull()
  })
})
