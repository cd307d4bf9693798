/** This game's texts in the language of the page, with typed arguments. */
import { localised, words } from '../../app/language.ts'
import type { Arguments, Message, Values } from '../../app/words.ts'
import { texts as english } from './texts.ts'

type Own = {
  [Key in keyof typeof english as (typeof english)[Key] extends Message ? Key : never]: (typeof english)[Key]
}

export const texts = localised(english)

export function say<K extends keyof Own>(key: K, ...values: Arguments<Own[K]>): string {
  return words.format(texts[key] as Message, values[0] as Values | undefined)
}
