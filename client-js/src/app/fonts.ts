/** The typefaces: a first visit draws its text in those of the device, and loads these once the page can be used. */
import { afterFirstView } from './firstview.ts'

/** In this browser's storage: that it has loaded the typefaces before, and so probably still has them. */
const LOADED = 'parley.fonts'

const load = (): Promise<unknown> => import('./fonts.css')

export function loadFonts(): void {
  try {
    if (localStorage.getItem(LOADED) !== null) return void load()
    afterFirstView(() => load().then(() => localStorage.setItem(LOADED, 'yes')))
  } catch {
    afterFirstView(load) // storage is off
  }
}
