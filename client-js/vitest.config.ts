import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'
import { texts } from './build/texts.ts'

export default defineConfig({
  plugins: [svelte(), texts()],
  test: {
    include: ['tests/unit/**/*.test.ts'],
    environment: 'node',
  },
})
