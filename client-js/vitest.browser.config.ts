import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['tests/browser/**/*.test.ts'],
    environment: 'node',
    globalSetup: 'tests/browser/street.ts',
    // Whole games with real clocks, most of them waiting most of the time.
    // Generous: with other work running, two cores may take several times as long as alone.
    testTimeout: 420_000,
    expect: { poll: { timeout: 40_000 } },
    hookTimeout: 120_000,
    // Real clocks on a shared machine: one retry there; the report names the tests that needed it.
    retry: process.env.CI ? 1 : 0,
    maxWorkers: 3,
    isolate: false,
  },
})
