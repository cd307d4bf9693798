/** What a learner reads in a game's lesson: games/<game>/lesson.json (games/api.py, `Lesson`). */

/**
 * One move. `task` is what the learner reads before a move of their own, which follows by itself without one; `then` is what
 * anybody's move has done, or why.
 */
export interface StepTexts {
  readonly seat: number
  /** The kind of the prompt that the move answers. */
  readonly prompt: string
  readonly task?: string
  readonly then?: string
  /** Whether it teaches nothing new: more than a few in a row are played almost at once. */
  readonly quick?: boolean
  /** Of the learner's moves, which one it is, so that the board can mark it. */
  readonly move?: Readonly<Record<string, unknown>>
}

export interface LessonTexts {
  /** How the game's goal is reached, in one sentence. */
  readonly about: string
  /** The form of the game that the lesson is played in. */
  readonly seats: number
  readonly options: Readonly<Record<string, unknown>>
  readonly steps: readonly StepTexts[]
}

/** In place of a prompt's kind: the step is a promise (games/api.py, `PROMISE`). */
const PROMISE = 'promise'
/** The same for a step that is something a bot says (`SAY`). */
const SAY = 'say'

/** What to show once `done` steps are done; `goal` is what the game is about. */
export interface Page {
  /** What has just happened; before the first step, and while quick steps lead to the first text, what the game is about. */
  readonly before: string | null
  /** What the learner does next. */
  readonly task: string | null
  /**
   * How the next step comes: the learner makes it, promises it with the lesson's own button, asks for it, or it comes by
   * itself; or there is none.
   */
  readonly next: 'learner' | 'promise' | 'on request' | 'by itself' | 'at once' | 'over'
}

export function pageOf(goal: string, { steps }: Pick<LessonTexts, 'steps'>, done: number): Page {
  const before = (isOpening({ steps }, done) ? goal : steps[done - 1]?.then) ?? null
  const step = steps[done]
  if (step === undefined) return { before, task: null, next: 'over' }
  if (step.task !== undefined)
    return { before, task: step.task, next: step.prompt === PROMISE ? 'promise' : 'learner' }
  if (step.quick === true && steps[done - 1]?.then === undefined)
    return { before, task: null, next: 'at once' }
  return { before, task: null, next: before === null ? 'by itself' : 'on request' }
}

/** Whether every step so far was quick and without a text. */
export function isOpening({ steps }: Pick<LessonTexts, 'steps'>, done: number): boolean {
  return steps.slice(0, done).every(({ quick, then }) => quick === true && then === undefined)
}

/** Whether a bot has said something since the text before the one that is shown once `done` steps are done. */
export function hasJustSaid({ steps }: Pick<LessonTexts, 'steps'>, done: number): boolean {
  for (let number = done - 1; number >= 0; number -= 1) {
    const step = steps[number]
    if (number < done - 1 && (step?.task !== undefined || step?.then !== undefined)) return false
    if (step?.prompt === SAY) return true
  }
  return false
}

/** How many steps in a row, one of them the next one, teach nothing new. */
export function quickRun({ steps }: Pick<LessonTexts, 'steps'>, done: number): number {
  const isDull = (at: number): boolean => steps[at]?.quick === true
  let [from, to] = [done, done]
  while (isDull(from - 1)) from -= 1
  while (isDull(to)) to += 1
  return to - from
}

/** The button that a task says to press, between quotation marks, other than one already pressed; null if it names none. */
export function buttonNamedIn(task: string | null, pressed: string | null = null): string | null {
  const names = [...(task ?? '').matchAll(/“([^”]+)”/g)].map(([, name]) => name ?? null)
  return names.find((name) => name !== pressed) ?? null
}

/** A move, with its choices. */
type Sent = Readonly<Record<string, unknown>>

/**
 * What to press instead of a refused move, apart from the panel that is open; null if the task names nothing else, or
 * if it was the lesson's move with another choice: then its button has just been pressed.
 */
export function buttonInstead(
  task: string | null,
  wanted: Sent | null,
  refused: Sent | null,
  open: string | null = null,
): string | null {
  return refused !== null && refused.move === wanted?.move ? null : buttonNamedIn(task, open)
}

/**
 * The first choice in which a refused move differs from the lesson's, in words; `sent` is null if there was none.
 * Null if no choice that differs has a name.
 */
export function choiceInstead(
  wanted: Sent | null,
  refused: Sent | null,
  nameOf: (field: string, value: unknown) => string | null,
): { readonly sent: string | null; readonly wanted: string } | null {
  const isSame = refused?.move === wanted?.move
  for (const [field, value] of Object.entries(wanted ?? {})) {
    const other = isSame ? (refused?.[field] ?? null) : null
    if (field === 'move' || JSON.stringify(other) === JSON.stringify(value)) continue
    const name = nameOf(field, value)
    if (name !== null) return { sent: isSame ? nameOf(field, other) : null, wanted: name }
  }
  return null
}
