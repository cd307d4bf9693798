/** How this person's own seat was eliminated in this round, from the lines that everybody reads. */
import type { Piece } from '../../app/words.ts'
import type { AudienceLine, PromiseInfo } from '../../sdk/wire.gen.ts'
import type { TableView } from '../../app/tableview.svelte.ts'
import type { Sections } from './selectors.ts'
import { pieces, say } from './words.ts'

/** How a seat got the turn without a chip; `spent` and `kept` if it had the turn and used up its last one. */
type Way = 'gave' | 'only' | 'forced' | 'back' | 'spent' | 'kept' | 'unknown'

export interface Fall {
  readonly way: Way
  /** Who gave it the turn, if somebody chose to. */
  readonly by: number | null
  /** Who was asked to help and did not. */
  readonly refused: readonly number[]
  /** Whether anybody could have helped; null if the lines that would say so are gone: a full view has only the newest. */
  readonly asked: boolean | null
  /** Whether nobody has moved since. */
  readonly latest: boolean
}

const SAID = {
  gave: 'fallGave',
  only: 'fallOnly',
  forced: 'fallForced',
  back: 'fallBack',
  spent: 'fallSpent',
  kept: 'fallKept',
  unknown: 'fallUnknown',
} as const

/** The way in which a line gave the turn to this seat, or took its last chip; null if it did neither. */
function wayOf([, key, { seat, other }]: AudienceLine, me: number): Way | null {
  switch (key) {
    case 'sucker.gave':
      return other === me ? 'gave' : null
    case 'sucker.only':
      return other === me ? 'only' : null
    case 'sucker.forced':
      return seat === me ? 'forced' : null
    case 'sucker.back':
      return seat === me ? 'back' : null
    case 'sucker.kept':
    case 'sucker.pileDied':
      return seat === me ? 'kept' : null
    case 'sucker.transferred':
    case 'sucker.killedPrisoners':
    case 'sucker.returned':
      return seat === me ? 'spent' : null
    default:
      return null
  }
}

/** The elimination of this seat in the latest round; null if it is still in. */
export function fallOf(lines: readonly AudienceLine[], me: number): Fall | null {
  const fell = lines.findLastIndex(([, key, { seat }]) => key === 'sucker.fell' && seat === me)
  const began = lines.findLastIndex(([, key]) => key === 'sucker.began')
  if (fell < 0 || fell < began) return null
  const before = lines.slice(began + 1, fell)
  const last = before.findLastIndex((line) => wayOf(line, me) !== null)
  const [line] = before.slice(last < 0 ? before.length : last)
  const way = line === undefined ? 'unknown' : (wayOf(line, me) ?? 'unknown')
  const needy = before.findLastIndex(([, key, { seat }]) => key === 'sucker.needy' && seat === me)
  // only lines after these are sure to be all there
  const asked = needy >= 0 && needy > last ? true : last >= 0 || began >= 0 ? false : null
  const refused = new Set<number>()
  for (const [, key, { seat, seats }] of asked === true ? before.slice(needy) : []) {
    if (key === 'sucker.refused') refused.add(Number(seat))
    if (key === 'sucker.relented') refused.delete(Number(seat))
    if (key === 'sucker.autoRefused') for (const each of [seats].flat()) refused.add(Number(each))
  }
  refused.delete(me)
  const latest = lines
    .slice(fell)
    .every(([, key, , at]) => at === lines[fell]?.[3] || !key.startsWith('sucker.'))
  return { way, by: way === 'gave' ? Number(line?.[2].seat) : null, refused: [...refused], asked, latest }
}

/** That this seat has just been eliminated, until the next move. */
export function fallNews(lines: readonly AudienceLine[], me: number): string | null {
  const fall = fallOf(lines, me)
  if (fall?.latest !== true || fall.asked === null) return null
  return say(fall.asked ? 'fallStage' : 'fallStageAlone')
}

/** Why the seat was eliminated, sentence by sentence; nothing if its lines are gone. */
export function fallPieces(fall: Fall | null): readonly (readonly Piece[])[] {
  if (fall === null) return []
  const { way, by, refused, asked } = fall
  const came = pieces(SAID[way], { other: by })
  if (asked === null) return [came]
  if (!asked) return [came, pieces('fallNobody')]
  return [came, refused.length === 0 ? pieces('fallAlone') : pieces('fallRefused', { seats: refused })]
}

/** What follows for an eliminated seat, sentence by sentence. */
export function nextPieces({ stage, match, mine }: Sections, me: number): readonly (readonly Piece[])[] {
  const over = stage.mover === null
  const result = match.results.at(-1)
  const isBlind = result?.rows.some((row) => row.length > 0) === true
  const ally = mine?.ally ?? null
  const sentences: (readonly Piece[])[] = []
  const { rounds } = match
  if (!over)
    sentences.push(ally === null ? pieces('fallOver', { rounds }) : pieces('fallAlly', { rounds, ally }))
  else if (isBlind && result.out.at(-1) !== me) sentences.push(pieces('fallEarly'))
  if (match.results.length < rounds - (over ? 0 : 1)) sentences.push(pieces('fallNext'))
  return sentences
}

/** Whom breaking a promise to save them put out, from the lines that everybody reads; null if nobody. */
export function putOut(view: TableView, { id, kind, to }: PromiseInfo): string | null {
  if (kind !== 'save') return null
  const { lines } = view.state
  const broken = lines.findLast(([, key, { promise }]) => key.startsWith('promise.broken') && promise === id)
  const fell = lines.findLast(
    ([number, key, { seat }, at]) =>
      key === 'sucker.fell' &&
      at === broken?.[3] &&
      number <= (broken?.[0] ?? 0) &&
      (to?.includes(Number(seat)) ?? false),
  )
  const seat = fell?.[2].seat
  if (typeof seat !== 'number') return null
  return seat === view.seat ? say('brokeOutYou') : say('brokeOut', { name: view.nameOf(seat) })
}
