import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'
import { rules } from './build/rules.ts'

export default defineConfig({
  plugins: [svelte(), rules()],
  test: {
    include: ['tests/unit/**/*.test.ts'],
    environment: 'node',
  },
})
