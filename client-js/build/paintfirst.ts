/**
 * Moves the style sheet below the skeleton in the page (index.html), which is then drawn as soon as the page itself is
 * there: style sheets in the head hold up everything.
 */
import type { Plugin } from 'vite'

const SHEET = /\s*<link rel="stylesheet"[^>]*>/g

export function paintFirst(): Plugin {
  return {
    name: 'parley-paint-first',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => {
        const sheets = html.match(SHEET) ?? []
        return html.replaceAll(SHEET, '').replace('</body>', `${sheets.join('').trim()}\n  </body>`)
      },
    },
  }
}
