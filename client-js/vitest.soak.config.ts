import { defineConfig } from 'vitest/config'
import browser from './vitest.browser.config.ts'

/** The browser part of `make soak`: long by nature, and otherwise like every browser test. */
export default defineConfig({ test: { ...browser.test, include: ['tests/browser/**/*.soak.ts'] } })
