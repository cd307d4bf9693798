/** A whole game of each in WebKitGTK; skipped, and said so by tools/check.py, where there is none. */
import { test } from 'vitest'
import { playAll } from './games.ts'
import { WebKit } from './webkit.ts'

const { PARLEY_WEBKIT_DRIVER: driver, PARLEY_WEBKIT: browser, PARLEY_XVFB: display } = process.env
if (driver === undefined || browser === undefined || display === undefined)
  test.skip('no WebKitGTK: set PARLEY_WEBKIT_DRIVER, PARLEY_WEBKIT and PARLEY_XVFB')
else playAll('WebKitGTK', () => WebKit.start({ driver, browser, display }))
