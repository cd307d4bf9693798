import { defineConfig } from 'vitest/config'
import browser from './vitest.browser.config.ts'

/** The browser part of `make soak`: the tests that take longest, and every screen in every look. */
export default defineConfig({
  test: {
    ...browser.test,
    include: ['tests/browser/**/*.soak.ts', 'tests/browser/**/screens*.test.ts'],
    env: { PARLEY_LOOKS: 'all' },
  },
})
