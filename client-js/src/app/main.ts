import { mount } from 'svelte'
import App from './App.svelte'
import { afterFirstView } from './firstview.ts'
import { loadFonts } from './fonts.ts'
import { chooseLanguage } from './language.ts'
import { registerWorker } from './serviceworker.ts'
import { reloadWhenUpgraded } from './upgrade.ts'
import './style.css'
import './forced.css'

reloadWhenUpgraded()
afterFirstView(registerWorker)
loadFonts()

// Choose the language first, so that no text is shown in another one. This is not awaited at the top level:
// the language's own module may share a file with this one, and would then wait for it.
void chooseLanguage().then(() => {
  document.getElementById('skeleton')?.remove()
  document.body.removeAttribute('style')
  mount(App, { target: document.body })
})
