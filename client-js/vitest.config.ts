import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'
import { rules } from './build/rules.ts'
import { texts } from './build/texts.ts'

const EFFECTS = 'tests/unit/**/*.svelte.test.ts'

export default defineConfig({
  plugins: [svelte(), rules(), texts()],
  test: {
    testTimeout: 60_000, // compiling every screen takes seconds when other work is running
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['tests/unit/**/*.test.ts'], exclude: [EFFECTS], environment: 'node' },
      },
      {
        // Svelte's effects run only in code compiled for a browser.
        extends: true,
        resolve: { conditions: ['browser'] },
        test: {
          name: 'effects',
          include: [EFFECTS],
          environment: './tests/unit/client.ts',
          server: { deps: { inline: ['svelte'] } },
        },
      },
    ],
  },
})
