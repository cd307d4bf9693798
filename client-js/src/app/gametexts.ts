/** A game's UI strings in the language of the page, with typed arguments. */
import type { GameTexts } from './game.ts'
import { localised, words } from './language.ts'
import type { TextsOf } from './texts/keys.gen.ts'
import type { Arguments, Piece, Values } from './words.ts'

export interface GameWords<Key extends keyof TextsOf> {
  readonly texts: GameTexts<Key>
  /** A string from the game's own screens. */
  say<K extends keyof TextsOf[Key]['ui']>(key: K, ...values: ArgumentsOf<Key, K>): string
  /** That string, split at its arguments. */
  pieces<K extends keyof TextsOf[Key]['ui']>(key: K, ...values: ArgumentsOf<Key, K>): readonly Piece[]
}

type ArgumentsOf<Key extends keyof TextsOf, K extends keyof TextsOf[Key]['ui']> = Arguments<
  TextsOf[Key]['ui'][K] & string
>

/** `compiled` holds the contents of `virtual:texts/<game>`. */
export function gameWords<Key extends keyof TextsOf>(compiled: unknown): GameWords<Key> {
  const texts = localised(compiled as GameTexts<Key>)
  return {
    texts,
    say: (key, ...values) => words.format(texts.ui[key], values[0] as Values | undefined),
    pieces: (key, ...values) => words.pieces(texts.ui[key], values[0] as Values | undefined),
  }
}
