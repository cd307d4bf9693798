/**
 * `npm run fonts`: cuts both typefaces down to the letters of English and the weights in use, which is less than two thirds of
 * them. A page with any other letter loads the whole typeface as well (src/app/style.css).
 */
import { readFileSync, writeFileSync } from 'node:fs'
import subsetFont from 'subset-font'

const FIRST = 0x20
const LAST = 0x7e
/** See `unicode-range` in style.css. */
const MORE = '‘’“”–—…×−·→•\u00a0\u2009\u2002'
const TEXT =
  Array.from({ length: LAST - FIRST + 1 }, (_, at) => String.fromCharCode(FIRST + at)).join('') + MORE

for (const name of ['figtree', 'familjen-grotesk']) {
  const whole = new URL(
    `../node_modules/@fontsource-variable/${name}/files/${name}-latin-wght-normal.woff2`,
    import.meta.url,
  )
  const cut = await subsetFont(readFileSync(whole), TEXT, {
    targetFormat: 'woff2',
    variationAxes: { wght: { min: 400, max: 750 } },
  })
  writeFileSync(new URL(`../src/app/fonts/${name}.woff2`, import.meta.url), cut)
}
