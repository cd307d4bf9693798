/** A whole game of each in Firefox; skipped, and said so by tools/check.py, where there is none. */
import { test } from 'vitest'
import { Firefox } from './firefox.ts'
import { playAll } from './games.ts'

const { PARLEY_FIREFOX: path } = process.env
if (path === undefined) test.skip('no Firefox: set PARLEY_FIREFOX')
else playAll('Firefox', () => Firefox.start(path))
