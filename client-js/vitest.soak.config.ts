import { defineConfig } from 'vitest/config'
import browser from './vitest.browser.config.ts'

/** The browser part of `make soak`: it takes long, but is otherwise like all browser tests. */
export default defineConfig({ test: { ...browser.test, include: ['tests/browser/**/*.soak.ts'] } })
