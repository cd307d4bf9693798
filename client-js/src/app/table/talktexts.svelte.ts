/** The strings of what is said at a table in parts: they are loaded when a table first needs them. */
import talk from 'virtual:talk'
import type { TalkTexts } from '../game.ts'
import { localised } from '../language.ts'
import type { TableView } from '../tableview.svelte.ts'

class Loaded {
  texts = $state.raw<Readonly<Record<string, TalkTexts>>>({})
}
const loaded = new Loaded()
const asked = new Set<string>()

/** The strings of this table's game; empty until they are here. */
export function talkTexts(view: TableView): TalkTexts {
  const key = view.about?.game ?? ''
  const load = talk[key]
  if (load !== undefined && !asked.has(key)) {
    asked.add(key)
    load().then(
      (module) => (loaded.texts = { ...loaded.texts, [key]: localised(module.default) }),
      () => asked.delete(key), // the network is gone: ask again at the next need
    )
  }
  return loaded.texts[key] ?? {}
}
