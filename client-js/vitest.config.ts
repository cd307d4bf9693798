import { svelte } from '@sveltejs/vite-plugin-svelte'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { rules } from './build/rules.ts'
import { texts } from './build/texts.ts'

const EFFECTS = 'tests/unit/**/*.svelte.test.ts'
const CLIENTS = 'tests/unit/clients.test.ts'
/** Replaces a module, which files that share their modules must not do. */
const MOCKING = 'tests/unit/names.test.ts'

/** Lets the Svelte plugin compile empty components: compiling every screen takes as long as half of the unit tests. */
function emptyComponents(): Plugin {
  return {
    name: 'empty-components',
    enforce: 'pre',
    load: (id) => (id.endsWith('.svelte') ? '' : undefined),
  }
}

export default defineConfig({
  plugins: [svelte(), rules(), texts()],
  test: {
    testTimeout: 60_000, // compiling every screen takes seconds when other work is running
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/unit/**/*.test.ts'],
          exclude: [EFFECTS, CLIENTS, MOCKING],
          environment: 'node',
          isolate: false, // every module is loaded once, and not again for each file
        },
      },
      {
        // Each file with modules of its own: what games tell the app beside their screens, and what replaces a module.
        extends: true,
        plugins: [emptyComponents()],
        test: { name: 'clients', include: [CLIENTS, MOCKING], environment: 'node' },
      },
      {
        // Svelte's effects run only in code compiled for a browser. Files that replace modules reset them.
        extends: true,
        resolve: { conditions: ['browser'] },
        test: {
          name: 'effects',
          include: [EFFECTS],
          environment: './tests/unit/client.ts',
          isolate: false, // as above
          server: { deps: { inline: ['svelte'] } },
        },
      },
    ],
  },
})
