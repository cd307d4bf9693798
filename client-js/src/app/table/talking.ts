/** What is said at a table, in words: who says it, and a phrase or remark of the game's. */
import type { TalkMessage } from '../../sdk/wire.gen.ts'
import { t } from '../language.ts'
import type { TableView } from '../tableview.svelte.ts'
import type { Values } from '../words.ts'
import { messageText } from './lines.ts'
import { talkTexts } from './talktexts.svelte.ts'

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
