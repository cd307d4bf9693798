/** Formats exact fractions for players. The hub sends each value as a pair of whole numbers (1d). */
import { words } from '../../app/language.ts'
import { say } from './words.ts'

function divisor(one: number, other: number): number {
  return other === 0 ? one : divisor(other, one % other)
}

export interface Mixed {
  readonly whole: number
  readonly top: number
  readonly bottom: number
}

/** A fraction of two whole numbers, 0 or more, in lowest terms. */
export function mixed(top: number, bottom: number): Mixed {
  const common = divisor(top, bottom)
  const [over, under] = [top / common, bottom / common]
  return { whole: Math.floor(over / under), top: over % under, bottom: under }
}

/** A fraction with two decimals, or none if it is whole. */
export function decimal(top: number, bottom: number): string {
  const { whole, top: rest } = mixed(top, bottom)
  return new Intl.NumberFormat(words.locale, {
    minimumFractionDigits: rest === 0 ? 0 : 2,
    maximumFractionDigits: rest === 0 ? 0 : 2,
  }).format(rest === 0 ? whole : top / bottom)
}

/** A fraction written exactly, such as 845 5/6; null if two decimals are already exact. */
export function exactly(top: number, bottom: number): string | null {
  const { whole, top: rest, bottom: under } = mixed(top, bottom)
  return 100 % under === 0
    ? null
    : whole === 0
      ? `${words.value(rest)}/${words.value(under)}`
      : say('exactly', { whole, top: rest, bottom: under })
}

/**
 * A score in hundredths, as the result shows it: whole points will do, unless two scores would read the same.
 * The exact scores are further down on it.
 */
export function shownHundredths(score: number, scores: readonly number[], over: number): number {
  const isClear = scores.every(
    (each) => each === score || Math.round(each / over) !== Math.round(score / over),
  )
  return isClear ? 100 * Math.round(score / over) : Math.round((100 * score) / over)
}
