/** The passage of a game's rules behind a ruling. */
import type { RulesPart } from '../game.ts'

export interface Passage {
  readonly title: string
  readonly html: string
}

/** The paragraphs and items that bear this ruling's id, under the title of their part; null if none does. */
export function findRuling(parts: readonly RulesPart[], id: string): Passage | null {
  const ruling = new RegExp(`\\b${id}\\b`)
  for (const { title, html } of parts) {
    if (!ruling.test(html)) continue
    const blocks = [...new DOMParser().parseFromString(html, 'text/html').querySelectorAll('p, li, tr')]
    const passages = blocks.filter(
      (block) =>
        [...block.querySelectorAll('.ruling')].some((mark) => ruling.test(mark.textContent)) &&
        !blocks.some((inner) => inner !== block && block.contains(inner) && ruling.test(inner.textContent)),
    )
    if (passages.length > 0) return { title, html: passages.map((block) => inParagraph(block)).join('') }
  }
  return null
}

/** A row's cells follow one another; everything else keeps its own words. */
function inParagraph(block: Element): string {
  if (block.tagName !== 'TR') return `<p>${block.innerHTML}</p>`
  return [...block.children].map((cell) => `<p>${cell.innerHTML}</p>`).join('')
}
