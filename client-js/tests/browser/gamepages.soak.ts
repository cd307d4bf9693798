/** Axe on the pages about the games that gamepages.test.ts leaves out. */
import { test } from 'vitest'
import { GAMES } from '../../build/firstview.ts'
import { inspectPage } from './gamepages.ts'

test.each(GAMES.filter((game) => game !== 'almost'))('axe finds nothing on the page about %s', inspectPage)
