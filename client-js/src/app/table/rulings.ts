/** The passages of a game's rules that answer why something was refused. */
import type { RulesPart } from '../game.ts'

export interface Passage {
  readonly title: string
  readonly html: string
}

/** Blocks with words of their own. */
const BLOCKS = 'p, li, tr'

/**
 * The paragraphs, items and rows that answer this refusal, under the titles of their parts: those marked with its code
 * (build/rules.ts), or else those that bear its ruling. None if the rules do not answer it.
 */
export function findPassages(
  parts: readonly RulesPart[],
  code: string | null,
  rule: string | null,
): readonly Passage[] {
  const marked =
    code === null
      ? []
      : find(parts, new RegExp(`\\b${code}\\b`), '[data-why]', (mark) => mark.getAttribute('data-why') ?? '')
  if (marked.length > 0 || rule === null || rule === '') return marked
  return find(parts, new RegExp(`\\b${rule}\\b`), '.ruling', (mark) => mark.textContent).slice(0, 1)
}

function find(
  parts: readonly RulesPart[],
  wanted: RegExp,
  marks: string,
  read: (mark: Element) => string,
): readonly Passage[] {
  return parts.flatMap(({ title, html }) => {
    if (!wanted.test(html)) return []
    const blocks = [...new DOMParser().parseFromString(html, 'text/html').querySelectorAll(BLOCKS)]
    const bears = (block: Element): boolean =>
      [...block.querySelectorAll(marks)].some((mark) => wanted.test(read(mark)))
    const passages = blocks.filter(
      (block) =>
        bears(block) && !blocks.some((inner) => inner !== block && block.contains(inner) && bears(inner)),
    )
    return passages.length === 0
      ? []
      : [{ title, html: passages.map((block) => inParagraph(block)).join('') }]
  })
}

/** A row's cells follow one another in a line; everything else keeps its own words. */
function inParagraph(block: Element): string {
  if (block.tagName !== 'TR') return `<p>${block.innerHTML}</p>`
  const cells = [...block.children].filter(({ innerHTML }) => {
    const words = innerHTML.replace(/<span class="ruling">[^<]*<\/span>/g, '')
    return words.replace(/<[^>]*>/g, '').trim() !== ''
  })
  const lines = cells.map((cell, place) =>
    place === 0 ? `<strong>${cell.innerHTML}</strong>` : cell.innerHTML,
  )
  return `<p>${lines.join(' · ')}</p>`
}
