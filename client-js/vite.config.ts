import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'
import { compressed } from './build/compressed.ts'
import { firstLoad } from './build/firstload.ts'
import { cardOf, clientOf, closure, ENTRY, firstView, GAMES, HOME, TABLE } from './build/firstview.ts'
import { lessons } from './build/lessons.ts'
import { paintFirst } from './build/paintfirst.ts'
import { compileHint } from './build/compilehint.ts'
import { gamePages } from './build/gamepages.ts'
import { iconOf, icons, iconsIn } from './build/icons.ts'
import { preload } from './build/preload.ts'
import { rules } from './build/rules.ts'
import { texts } from './build/texts.ts'

/** The parts of a table that a running game shows only on request. */
const ROOM =
  '(Admission|Ask|ConductDialog|HostTools|Join|SeatCard|SeatRing|StartTray|TableOptions|WaitingRoom)\\.'

/** The parts of a table that its first view does without: src/app/table/laterparts.ts. */
const LATER =
  '(laterparts|CallBack|CallVote|Covered|Door|Followed|JoinIn|Missed|Notes|Rules|SoundOffer|StreamerBar|Talk|VoteBanner)\\.'

/** What a table shows at its end. */
const RESULT = '(ResultSheet|Again|Abandoned)\\.'

/** The dialogs over any page. */
const DIALOGS = '(HelpDialog|callback|parts/(PersonDialog|SettingsDialog))\\.'

/** What only games with trading need; their deals panel, table/Deals*, comes later. */
const DEALING = /src\/app\/(table\/(dealing|drafts)|deals|multisets)\./

/** A file of one game. */
const GAME_FILE = /src\/games\/(\w+)\//

const ENTRY_FILES = closure([ENTRY])
const HOME_FILES = closure([HOME, ...GAMES.map(cardOf)])
const TABLE_FILES = closure([TABLE, ...GAMES.map(clientOf)])
const FIRST_ICONS = iconsIn(firstView())

export default defineConfig({
  plugins: [
    icons(),
    svelte({
      onwarn({ filename, start, message }) {
        throw new Error(`${filename}:${start?.line}: ${message}`)
      },
    }),
    rules(),
    lessons(),
    texts(),
    paintFirst(),
    compileHint(),
    preload(),
    gamePages(),
    compressed(),
    firstLoad(),
  ],
  resolve: {
    // Messages are parsed at build time.
    alias: { '@formatjs/icu-messageformat-parser': '@formatjs/icu-messageformat-parser/no-parser.js' },
  },
  build: {
    outDir: '../hub/_web',
    emptyOutDir: true,
    target: ['chrome123', 'firefox121', 'safari17.5'],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // Build a few large files, because each request costs nearly a kilobyte of overhead.
        codeSplitting: {
          groups: [
            // A group also takes what its files import, unless a group of higher priority has it.
            {
              name: 'parley',
              priority: 5,
              test: (id) =>
                /node_modules\/(svelte|esm-env|clsx|intl-messageformat|@formatjs)|rolldown\/runtime|virtual:texts$/.test(
                  id,
                ) ||
                FIRST_ICONS.has(iconOf(id) ?? '') ||
                ENTRY_FILES.has(id) ||
                (HOME_FILES.has(id) && TABLE_FILES.has(id)),
            },
            { name: 'icons', priority: 4, test: (id) => iconOf(id) !== undefined },
            {
              name: 'table',
              priority: 3,
              test: (id) =>
                id.includes('@msgpack') ||
                (TABLE_FILES.has(id) && !id.includes('/src/games/') && !DEALING.test(id)),
            },
            { name: 'home', priority: 3, test: (id) => HOME_FILES.has(id) && !id.includes('/src/games/') },
            {
              name: 'cards',
              priority: 2,
              test: (id) =>
                (HOME_FILES.has(id) && !TABLE_FILES.has(id)) || /virtual:texts\/\w+\/card$/.test(id),
            },
            { name: 'dealing', priority: 2, test: DEALING },
            { name: 'latertexts', priority: 2, test: /virtual:latertexts/ },
            { name: 'deals', priority: 2, test: /src\/app\/table\/Deals/ },
            // a game's first view is one file
            {
              name: (id) => `game-${GAME_FILE.exec(id)?.[1] ?? ''}`,
              priority: 2,
              test: (id) => TABLE_FILES.has(id) && GAME_FILE.test(id),
            },
            { name: 'qr', priority: 2, test: /uqr|parts\/QrCode|table\/Share/ },
            { name: 'dialogs', priority: 2, test: new RegExp(`src/app/(${DIALOGS})`) },
            { name: 'later', priority: 1, test: new RegExp(`src/app/table/(${LATER})`) },
            { name: 'result', priority: 1, test: new RegExp(`src/app/(endings|table/(${RESULT}))`) },
            { name: 'room', test: new RegExp(`src/app/table/(${ROOM})`) },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      '/api': 'http://127.0.0.1:8420',
      '/ws': { target: 'ws://127.0.0.1:8420', ws: true },
      // the games' pages are only built, with their style sheets
      '/g/': 'http://127.0.0.1:8420',
      '/assets/': 'http://127.0.0.1:8420',
    },
  },
})
