/**
 * `npm run faces`: draws the characters' faces from a few parts, one file for each in games/kit/characters.py. They are flat
 * tokens, not portraits: no two share a colour, the outline of their hair, their eyes or their mouth.
 */
import { mkdirSync, writeFileSync } from 'node:fs'

const INK = '#22302f'

const HEADS = {
  round: '<circle cx="24" cy="27" r="14"/>',
  square: '<rect x="11" y="13" width="26" height="28" rx="8"/>',
  oval: '<ellipse cx="24" cy="27" rx="12" ry="15"/>',
  wide: '<ellipse cx="24" cy="28" rx="16" ry="13"/>',
}

const HAIR = {
  curls:
    '<g><circle cx="13" cy="18" r="6"/><circle cx="20" cy="12" r="6.5"/><circle cx="29" cy="12" r="6.5"/><circle cx="36" cy="18" r="6"/></g>',
  cap: '<path d="M10 20c0-9 6-13 14-13s13 4 13 12h6c1 0 1 3-1 3H10z"/>',
  tuft: '<path d="M13 21c1-5 4-8 8-9-1-4 1-8 5-10 0 4 1 6 3 8 4 1 6 5 7 11-7-4-15-4-23 0z"/>',
  bob: '<path d="M8 39V24C8 13 15 7 24 7s16 6 16 17v15h-5V24c-4-1-7-3-9-6-3 4-8 6-13 6v15z"/>',
  sweep: '<path d="M10 25C8 12 16 6 25 7c8 0 14 5 13 17-4-1-7-4-9-8-4 5-11 8-19 9z"/>',
  spikes: '<path d="M9 24 8 10l7 5 3-11 6 9 7-9 2 10 7-4-2 14c-5-5-8-6-14-6s-10 2-15 6z"/>',
  bun: '<g><circle cx="24" cy="6" r="5.5"/><path d="M11 24c0-9 5-14 13-14s13 5 13 14c-4-5-8-7-13-7s-9 2-13 7z"/></g>',
  flat: '<path d="M11 22V6c0-2 1-3 3-3h20c2 0 3 1 3 3v16l-3-4H14z"/>',
  waves:
    '<path d="M9 36c-4-5-3-9-1-12-1-9 5-17 15-17s17 6 17 16c3 4 3 9 0 13-3-3-4-8-4-13-8 0-13-2-16-6-2 4-5 6-8 7 0 5-1 9-3 12z"/>',
}

/** A pair of brows, eyes and so on is drawn around the middle of the face, at x = 24. */
const EYES = {
  dots: '<circle cx="19" cy="26" r="2"/><circle cx="29" cy="26" r="2"/>',
  calm: '<path d="M16.5 26q2.5-3 5 0m5 0q2.5-3 5 0" class="l"/>',
  wink: '<circle cx="19" cy="26" r="2.3"/><path d="M26.5 26.5h5" class="l"/>',
  lids: '<path d="M16.5 25h5a2.5 2.5 0 0 1-5 0zm10 0h5a2.5 2.5 0 0 1-5 0z"/>',
  wide: '<g><circle cx="18.5" cy="26" r="3.4" fill="#fff"/><circle cx="29.5" cy="26" r="3.4" fill="#fff"/><circle cx="19" cy="26.5" r="1.7"/><circle cx="30" cy="26.5" r="1.7"/></g>',
  rings:
    '<g><circle cx="18.5" cy="26" r="4" class="l"/><circle cx="29.5" cy="26" r="4" class="l"/><path d="M22.5 26h3" class="l"/><circle cx="18.5" cy="26" r="1.4"/><circle cx="29.5" cy="26" r="1.4"/></g>',
  panes:
    '<g><rect x="14.5" y="22.5" width="8" height="6.5" rx="1.5" class="l"/><rect x="25.5" y="22.5" width="8" height="6.5" rx="1.5" class="l"/><path d="M22.5 25h3" class="l"/><circle cx="18.5" cy="26" r="1.4"/><circle cx="29.5" cy="26" r="1.4"/></g>',
  aside: '<g><circle cx="20.5" cy="26" r="2"/><circle cx="30.5" cy="26" r="2"/></g>',
  low: '<path d="M16 27.5 21.5 25m10.5 2.5L26.5 25" class="l"/><circle cx="19" cy="27.5" r="1.5"/><circle cx="29" cy="27.5" r="1.5"/>',
}

const BROWS = {
  none: '',
  heavy: '<path d="M15.5 21.5h6.5m4 0h6.5" class="l b"/>',
  raised: '<path d="M15.5 22h6m5-2.5q3-1.5 5.5.5" class="l b"/>',
  slant: '<path d="m15.5 20 6 2.5m11-2.5-6 2.5" class="l b"/>',
}

const MOUTHS = {
  smile: '<path d="M19 33q5 4.5 10 0" class="l"/>',
  flat: '<path d="M19.5 34.5h9" class="l"/>',
  open: '<path d="M18.5 32h11c0 7-11 7-11 0z"/>',
  small: '<path d="M21.5 34q2.5 2 5 0" class="l"/>',
  smirk: '<path d="M19.5 35q5.5.5 9-3" class="l"/>',
  grin: '<path d="M17.5 31.5h13c-.5 3.5-2 5.5-6.5 5.5s-6-2-6.5-5.5z" fill="#fff" stroke="#22302f" stroke-width="1.5"/>',
  o: '<circle cx="24" cy="34.5" r="2.5"/>',
  wave: '<path d="M18.5 34q2.5-2.5 5 0t5.5 0" class="l"/>',
  teeth:
    '<g><path d="M17.5 32h13v3.5q-6.5 3-13 0z" fill="#fff" stroke="#22302f" stroke-width="1.5"/><path d="M22 32v4.5m4-4.5v4.5" stroke="#22302f"/></g>',
}

const FACES = {
  amara: ['#f3c9a8', '#e7833f', '#5b2f3c', 'round', 'curls', 'dots', 'none', 'smile'],
  bruno: ['#cfe0ec', '#5f87ad', '#22394f', 'square', 'cap', 'lids', 'heavy', 'flat'],
  tavi: ['#f6e39b', '#d9a81f', '#7a3f17', 'oval', 'tuft', 'wink', 'none', 'open'],
  noor: ['#cfe8d6', '#4f9b78', '#1f4a3c', 'oval', 'bob', 'calm', 'none', 'small'],
  mateo: ['#e6d2ee', '#8a63a8', '#3b2554', 'round', 'sweep', 'aside', 'raised', 'smirk'],
  yuki: ['#f8d2d8', '#d65f7a', '#6d1f3f', 'wide', 'spikes', 'wide', 'none', 'grin'],
  zofia: ['#ece6d6', '#8d8468', '#4a4433', 'round', 'bun', 'rings', 'none', 'wave'],
  kwame: ['#c6ecea', '#2f9a9a', '#123c46', 'square', 'flat', 'panes', 'heavy', 'o'],
  ravi: ['#f2cdb9', '#b5492f', '#3f1a14', 'wide', 'waves', 'low', 'slant', 'teeth'],
}

/** Lines, thin and bold: attributes instead of a style, which the page's content policy forbids. */
const LINE = `fill="none" stroke="${INK}" stroke-linecap="round" stroke-linejoin="round" stroke-width=`

const folder = new URL('../src/app/faces/', import.meta.url)
mkdirSync(folder, { recursive: true })
for (const [key, [skin, ground, hair, head, cut, eyes, brows, mouth]] of Object.entries(FACES)) {
  const behind = cut === 'bob' || cut === 'waves'
  const parts = [
    `<rect width="48" height="48" rx="12" fill="${ground}"/>`,
    `<path d="M9 48c1-8 7-11 15-11s14 3 15 11z" fill="${hair}" opacity=".55"/>`,
    behind ? `<ellipse cx="24" cy="26" rx="17" ry="17" fill="${hair}"/>` : '',
    `<g fill="${skin}">${HEADS[head]}</g>`,
    `<g fill="${hair}">${HAIR[cut]}</g>`,
    `<g fill="${INK}">${EYES[eyes]}${BROWS[brows]}${MOUTHS[mouth]}</g>`,
  ]
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48">${parts.join('')}</svg>\n`
  const drawn = svg.replaceAll('class="l"', `${LINE}"1.8"`).replaceAll('class="l b"', `${LINE}"2.4"`)
  writeFileSync(new URL(`${key}.svg`, folder), drawn)
}
