import { defineConfig } from 'vitest/config'
import browser from './vitest.browser.config.ts'

/** The browser part of `make soak`: it takes longer, but otherwise works like the other browser tests. */
export default defineConfig({ test: { ...browser.test, include: ['tests/browser/**/*.soak.ts'] } })
