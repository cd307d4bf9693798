import { defineConfig } from 'vitest/config'
import browser from './vitest.browser.config.ts'

/** What `make soak` looks at in browsers: long by nature, and otherwise as every browser test. */
export default defineConfig({ test: { ...browser.test, include: ['tests/browser/**/*.soak.ts'] } })
