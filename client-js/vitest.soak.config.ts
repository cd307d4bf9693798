import { defineConfig } from 'vitest/config'
import browser from './vitest.browser.config.ts'

/** Eleven minutes on two quiet cores, and clocks that run: `PARLEY_EVENING=1 npm run test:soak -- evening`. */
const EVENING = 'tests/browser/evening.soak.ts'

/** The browser part of `make soak`: the tests that take longest, and every screen in every look. */
export default defineConfig({
  test: {
    ...browser.test,
    include: ['tests/browser/**/*.soak.ts', 'tests/browser/**/screens*.test.ts'],
    exclude: process.env.PARLEY_EVENING === undefined ? [EVENING] : [],
    env: { PARLEY_LOOKS: 'all' },
    // Eight looks with axe keep both cores busy, and clocks of the games run on meanwhile.
    maxWorkers: 3,
    testTimeout: 900_000,
  },
})
