import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'
import { brotli } from './build/brotli.ts'
import { paintFirst } from './build/paintfirst.ts'
import { rules } from './build/rules.ts'
import { texts } from './build/texts.ts'

/** The parts of a table that a running game shows only on request. */
const ROOM =
  'table/(Admission|Ask|ConductDialog|HostTools|Join|SeatCard|SeatRing|StartTray|TableOptions|WaitingRoom)'

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
            {
              name: 'parley',
              priority: 3,
              test: /node_modules\/(svelte|esm-env|clsx|@lucide|intl-messageformat|@formatjs)|virtual:texts$|src\/app\/(?!admin|home\/([A-Z]|endtable)|table\/|tv\/|transfer\/|parts\/QrCode|tableview|instance|attention|awake|callback|deals|multisets|movement|endings|socketurl|parts\/Count)|src\/sdk\/api/,
            },
            { name: 'deals', priority: 2, test: /src\/app\/(table\/(Deals|dealing|drafts)|deals|multisets)/ },
            { name: 'qr', priority: 2, test: /uqr|parts\/QrCode|table\/Share/ },
            {
              name: 'table',
              priority: 1,
              test: new RegExp(
                `src/(app/(?!${ROOM})(table|tableview|instance|attention|awake|movement|endings|socketurl|parts/Count)|sdk(?!/salts))|@msgpack`,
              ),
            },
            { name: 'home', test: /src\/app\/home(?!\/endtable)/ },
            { name: 'room', test: new RegExp(ROOM) },
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
