import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'
import { brotli } from './build/brotli.ts'
import { paintFirst } from './build/paintfirst.ts'
import { rules } from './build/rules.ts'
import { texts } from './build/texts.ts'

/** The parts of a table that a running game shows only on request. */
const ROOM =
  '(Admission|Ask|ConductDialog|HostTools|Join|SeatCard|SeatRing|StartTray|TableOptions|WaitingRoom)\\.'

/** The parts of a table that its first view does without: src/app/table/laterparts.ts. */
const LATER =
  '(laterparts|CallBack|CallVote|Door|Followed|JoinIn|Missed|Notes|Rules|SoundOffer|StreamerBar|Talk|VoteBanner)\\.'

/** What a table shows at its end. */
const RESULT = '(ResultSheet|Again|Abandoned)\\.'

/** The dialogs over any page. */
const DIALOGS = '(HelpDialog|callback|parts/(PersonDialog|SettingsDialog))\\.'

export default defineConfig({
  plugins: [
    svelte({
      onwarn({ filename, start, message }) {
        throw new Error(`${filename}:${start?.line}: ${message}`)
      },
    }),
    rules(),
    texts(),
    paintFirst(),
    brotli(),
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
              test: new RegExp(
                `node_modules/(svelte|esm-env|clsx|@lucide|intl-messageformat|@formatjs)|virtual:texts$|src/app/(?!admin|fonts|texts/pseudo|home/([A-Z]|endtable)|table/|tv/|transfer/|parts/QrCode|tableview|instance|attention|awake|deals|multisets|movement|endings|socketurl|parts/Count|${DIALOGS})|src/sdk/api`,
              ),
            },
            {
              name: 'table',
              priority: 4,
              test: new RegExp(
                `src/(app/(?!table/(dealing|drafts|Deals|Share|${ROOM}|${LATER}|${RESULT}))(table|tableview|instance|attention|awake|movement|socketurl|parts/Count)|sdk(?!/salts))|@msgpack`,
              ),
            },
            { name: 'dealing', priority: 3, test: /src\/app\/(table\/(dealing|drafts)|deals|multisets)/ },
            { name: 'deals', priority: 2, test: /src\/app\/table\/Deals/ },
            { name: 'qr', priority: 2, test: /uqr|parts\/QrCode|table\/Share/ },
            { name: 'dialogs', priority: 2, test: new RegExp(`src/app/(${DIALOGS})`) },
            { name: 'later', priority: 1, test: new RegExp(`src/app/table/(${LATER})`) },
            { name: 'result', priority: 1, test: new RegExp(`src/app/(endings|table/(${RESULT}))`) },
            { name: 'home', test: /src\/app\/home(?!\/endtable)/ },
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
    },
  },
})
