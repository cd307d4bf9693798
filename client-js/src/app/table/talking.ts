/** What is said at a table, in words: who says it, and a phrase or remark of the game's. */
import type { TalkMessage } from '../../sdk/wire.gen.ts'
import { t } from '../language.ts'
import type { TableView } from '../tableview.svelte.ts'
import type { Values } from '../words.ts'
import { messageText } from './lines.ts'
import { talkTexts } from './talktexts.svelte.ts'

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
