/** Squares and choices in words. */
import type { TableView } from '../../app/tableview.svelte.ts'
import { squareName } from './grid.ts'
import type { Picking } from './picking.svelte.ts'
import type { Sight } from './sight.ts'
import { say } from './words.ts'

/** What stands on a square, and what may. */
export function squareSaid(view: TableView, { board, score }: Sight, at: number, picking: Picking): string {
  const square = squareName(at, board.size)
  const garden = score.gardens.find(([park]) => park === at)
  if (garden !== undefined) return say('squareGarden', { square, name: view.nameOf(garden[1]) })
  if (board.parks.includes(at)) return say('squarePark', { square })
  const piece = board.squares[at] ?? null
  if (piece === null) {
    if (picking.legal?.has(at) !== true) return say('squareFree', { square })
    return picking.kind === 'park'
      ? say('squareMayPark', { square })
      : say('squareFits', { square, pips: picking.pips })
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
