/** Descriptions of squares in words. */
import type { TableView } from '../../app/tableview.svelte.ts'
import { squareName } from './grid.ts'
import type { SubdivisionSelection } from './selection.svelte.ts'
import type { Sections } from './selectors.ts'
import { say } from './words.ts'

/** A description of a square: what is on it, and what may be built there. */
export function formatSquare(
  view: TableView,
  { board, score }: Sections,
  at: number,
  selection: SubdivisionSelection,
): string {
  const square = squareName(at, board.size)
  const garden = score.gardens.find(([park]) => park === at)
  if (garden !== undefined) return say('squareGarden', { square, name: view.nameOf(garden[1]) })
  if (board.parks.includes(at)) return say('squarePark', { square })
  const piece = board.squares[at] ?? null
  if (piece === null) {
    const wanted = at === selection.target ? selection.preset : null
    if (wanted !== null && wanted !== selection.pips) return say('squareAsked', { square, pips: wanted })
    if (selection.legal?.has(at) !== true) return say('squareFree', { square })
    const about =
      selection.kind === 'park'
        ? say('squareMayPark', { square })
        : say('squareFits', { square, pips: selection.pips })
    return at === selection.target ? say('squareTarget', { about }) : about
  }
  const [seat, pips] = piece
  let about = say(pips === 3 ? 'square3' : pips === 2 ? 'square2' : 'square1', {
    square,
    name: view.nameOf(seat),
  })
  const crowd = score.crowds.find(([three]) => three === at)
  if (crowd !== undefined && crowd[2] > 0)
    about = say('squareCrowd', { about, ones: crowd[1], count: crowd[2] })
  return at === board.last ? say('squareNewest', { about }) : about
}
