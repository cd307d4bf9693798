/** A person's table as its watchers see it, made in this page from what the hub sent them. */
import type { TableState } from '../../sdk/table.ts'
import {
  HUB_PRIVATE_SECTIONS,
  type PromiseInfo,
  type TableSection,
  type VoteSection,
} from '../../sdk/wire.gen.ts'
import { TableView } from '../tableview.svelte.ts'
import { privateSections } from './privatesections.ts'

/** Whether anything in this game is for one seat alone. */
export function hasSecrets(view: TableView): boolean {
  return privateSections(view.about?.game).length > 0
}

/** The same table, without what is for this person alone. It closes on its own, and leaves the table open. */
export function publicView(view: TableView): TableView {
  const asides = (kind: string): boolean => view.role(kind) === 'aside'
  return new TableView(view.code, view.table, view.game, (state) => publicState(state, asides))
}

/** `isAside` tells the kinds of prompts that may be for some seats alone, such as offers. */
export function publicState(state: TableState, isAside: (kind: string) => boolean): TableState {
  const table = state.sections.table as TableSection | undefined
  const hidden = new Set([...HUB_PRIVATE_SECTIONS, ...privateSections(table?.game)])
  const sections: Record<string, unknown> = Object.fromEntries(
    Object.entries(state.sections).filter(([name]) => !hidden.has(name)),
  )
  const { prompts, promises, vote } = sections as {
    prompts?: { prompts: readonly { kind: string; window: string | null }[] }
    promises?: { promises: readonly PromiseInfo[] }
    vote?: VoteSection | null
  }
  if (prompts !== undefined)
    sections.prompts = { ...prompts, prompts: prompts.prompts.filter(({ kind }) => !isAside(kind)) }
  if (promises !== undefined) {
    const over = table?.status === 'finished'
    const isOpen = (one: PromiseInfo): boolean => one.private !== true || (over && one.told !== false)
    sections.promises = { ...promises, promises: promises.promises.filter(isOpen) }
  }
  if (vote != null) sections.vote = { ...vote, may_vote: false, own: null }
  return Object.freeze({
    ...state,
    seat: null,
    sections,
    lines: state.lines.filter((line) => line[4] !== true),
    talk: state.talk.filter(({ to }) => to == null),
  })
}
