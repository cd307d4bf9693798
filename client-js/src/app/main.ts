import { mount } from 'svelte'
import App from './App.svelte'
import { chooseLanguage } from './language.ts'
import { reloadWhenUpgraded } from './upgrade.ts'
import './style.css'

reloadWhenUpgraded()

// Choose the language first, so that no text is shown in another one. This is not awaited at the top level:
// the language's own module may share a file with this one, and would then wait for it.
void chooseLanguage().then(() => mount(App, { target: document.body }))
