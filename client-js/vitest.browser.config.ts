import { defineConfig } from 'vitest/config'
import { failures } from './tests/browser/failures.ts'
import { LongestFirst } from './tests/browser/order.ts'

export default defineConfig({
  test: {
    include: ['tests/browser/**/*.test.ts'],
    environment: 'node',
    globalSetup: 'tests/browser/street.ts',
    // Tests play whole games with real clocks, and spend most of their time waiting.
    // Generous: if other work is running, two cores may take several times as long.
    testTimeout: 420_000,
    expect: { poll: { timeout: 40_000 } },
    hookTimeout: 120_000,
    // CI runs real clocks on a shared machine: allow one retry; the report names the tests that needed it.
    retry: process.env.CI ? 1 : 0,
    maxWorkers: 3, // on two cores: while a test waits for a clock, others run; each worker compiles the tests and the client
    isolate: false,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', failures],
  },
})
