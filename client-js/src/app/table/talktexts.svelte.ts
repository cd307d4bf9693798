/** The strings of what is said at a table in parts: they are loaded when a table first needs them. */
import talk from 'virtual:talk'
import type { TalkTexts } from '../game.ts'
import { localised } from '../language.ts'
import type { TableView } from '../tableview.svelte.ts'

class Loaded {
  texts = $state.raw<Readonly<Record<string, TalkTexts>>>({})
}
const loaded = new Loaded()
/** The games whose strings have been asked for. */
const asked: Record<string, boolean> = {}

/** The strings of this table's game; empty until they are here. */
export function talkTexts(view: TableView): TalkTexts {
  const key = view.about?.game ?? ''
  const load = talk[key]
  if (load !== undefined && asked[key] !== true) {
    asked[key] = true
    load().then(
      (module) => (loaded.texts = { ...loaded.texts, [key]: localised(module.default) }),
      () => (asked[key] = false), // the network is gone: ask again at the next need
    )
  }
  return loaded.texts[key] ?? {}
}
