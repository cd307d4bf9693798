/** Loads what a first view does without (latertrays.ts). */
import { afterFirstView } from '../../app/firstview.ts'

type Trays = typeof import('./latertrays.ts')

class Later {
  /** Null until they are loaded. */
  trays = $state.raw<Trays | null>(null)
}

export const later = new Later()

export const loadTrays = (): Promise<Trays> => import('./latertrays.ts')
afterFirstView(() => loadTrays().then((trays) => (later.trays = trays)))
