/** The dialog open over the page; there is only one at a time. */
import type { GameKey } from './game.ts'
import { settings } from './settings.svelte.ts'

export type Over = 'help' | 'settings' | 'person' | 'transfer' | null

let over = $state.raw<Over>(null)
let leaving = $state.raw<string | null>(null)
let tableKeys = $state.raw<readonly GameKey[]>([])

export const ui = {
  get over(): Over {
    return over
  },
  /** The table whose person moves to another device; null: the current person. */
  get leaving(): string | null {
    return leaving
  },
  /** The keys of the open table: its game's and its panels'. */
  get keys(): readonly GameKey[] {
    return tableKeys
  },
}

export function listKeys(keys: readonly GameKey[]): void {
  tableKeys = keys
}

/** Offer to continue on another device, as the person at this table or (null) the current person. */
export function showTransfer(table: string | null): void {
  leaving = table
  over = 'transfer'
}

export function show(what: Over): void {
  over = what
}

/** Whether a key press is meant for the page: not for a field somebody is typing in, nor a shortcut switched off. */
export function forPage(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing)
    return false
  if (!settings.shortcuts && event.key.length === 1 && event.key !== ' ') return false
  const { target } = event
  if (!(target instanceof Element)) return true
  // A dialog reports its closing a little late, and keeps focus until the page is redrawn, so check
  // whether it is open.
  return (
    document.querySelector('dialog[open]') === null &&
    target.closest('input:not([type=radio]):not([type=checkbox]),textarea,select,[contenteditable]') === null
  )
}

/** Whether a key press is on a control that handles Enter itself. */
export function onControl({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest('button,a,summary,[role=tab],input') !== null
}

/** Call this when a key has chosen something, so that Enter applies to the choice and not to a button. */
export function choseByKey(event: KeyboardEvent): void {
  if (onControl(event) && event.target instanceof HTMLElement) event.target.blur()
}
