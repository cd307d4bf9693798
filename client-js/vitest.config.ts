import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'
import { rules } from './build/rules.ts'
import { texts } from './build/texts.ts'

export default defineConfig({
  plugins: [svelte(), rules(), texts()],
  test: {
    include: ['tests/unit/**/*.test.ts'],
    environment: 'node',
  },
})
