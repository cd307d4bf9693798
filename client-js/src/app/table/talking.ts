/** What is said at a table, in words: who says it, and a phrase or remark of the game's. */
import type { PromiseInfo, TalkMessage } from '../../sdk/wire.gen.ts'
import { t } from '../language.ts'
import type { TableView } from '../tableview.svelte.ts'
import type { Values } from '../words.ts'
import { messageText } from './lines.ts'
import { talkTexts } from './talktexts.svelte.ts'

/** The same for the same message, which every new connection brings anew. */
export const keyOf = (message: TalkMessage): string => JSON.stringify(message)

/** Where a list that scrolls stands. */
interface Scrolled {
  readonly scrollTop: number
  readonly scrollHeight: number
  readonly clientHeight: number
}
/** How many pixels above its end a list still counts as being there. */
const NEAR = 40

/**
 * Whether a list goes on following its newest line: at its end it does, and it stops only when it is scrolled up from
 * where it was. A list that merely got lower, or longer, has not been scrolled.
 */
export function followsNewest(list: Scrolled, before: number, follows: boolean): boolean {
  if (list.scrollHeight - list.scrollTop - list.clientHeight < NEAR) return true
  return follows && list.scrollTop >= before
}

/** How many milliseconds after a bot’s promise its own words about it come at most. */
const WORDS_WITHIN = 500

/** A message or a promise, by its position. */
interface Said {
  readonly message?: number
  readonly promise?: number
}

/**
 * Messages and promises as they came. A bot promises before it speaks, but what it says comes first: the promise follows
 * as what was meant. All other promises come before what was said at the same moment.
 */
export function interleave(
  messages: readonly Pick<TalkMessage, 'seat' | 'bot' | 'at'>[],
  promises: readonly Pick<PromiseInfo, 'by' | 'at'>[],
): readonly Said[] {
  const places = promises.map(({ by, at }) =>
    messages.findIndex(
      (message) =>
        message.bot === true && message.seat === by && message.at >= at && message.at <= at + WORDS_WITHIN,
    ),
  )
  const said: Said[] = []
  let next = 0
  const promiseUntil = (at: number): void => {
    for (; (promises[next]?.at ?? Infinity) <= at; next++)
      if (places[next] === -1) said.push({ promise: next })
  }
  for (const [message, { at }] of messages.entries()) {
    promiseUntil(at)
    said.push({ message })
    for (const [promise, place] of places.entries()) if (place === message) said.push({ promise })
  }
  promiseUntil(Number.MAX_VALUE) // not Infinity, which stands for no further promise: it would never end
  return said
}

/** The phrases to say in the catalogue's order: those that fit, and then the others. */
export function fittingFirst(
  phrases: readonly string[],
  fits: (phrase: string) => boolean,
): { readonly fitting: readonly string[]; readonly others: readonly string[] } {
  const fitting = phrases.filter(fits)
  return { fitting, others: phrases.filter((phrase) => !fitting.includes(phrase)) }
}

/** Who says it: a bot that plays for a person is that person's bot. */
export function speakerOf(view: TableView, { seat, name, bot }: TalkMessage): string {
  const at = seat == null ? undefined : view.seats[seat]
  if (at === undefined || (bot !== true && at.bot === null)) return name
  return at.bot === null ? t('talk.bot', { name: at.name }) : at.name
}

/** A phrase, or a bot’s remark, which names seats. */
export function sayingOf(view: TableView, key: string, args: Values = {}): string {
  const { phrases, remarks } = talkTexts(view)
  const message = phrases?.[key] ?? remarks?.[key]
  if (message === undefined) return '…'
  return messageText(view, message, view.game.formatArguments?.(key, args) ?? args)
}
