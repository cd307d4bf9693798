"""The board of Subdivision: sizes, squares and their neighbours, park patterns, and legal placements.

Squares are numbered column + size * row from a1 at the lower left. `all_neighbours` share a side or a corner
with a square, `edge_neighbours` share a side (the printed rules call only these neighbouring).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, Literal

from games.api import Refusal, Seat, Struct
from games.kit.memo import memoize
from games.kit.tuples import replace_at
from games.subdivision.rules.values import SIZES, Board, Piece, Pips, Set
from games.subdivision.texts import (
    ALL_NEAR_OWN,
    NEAR_OWN,
    NEEDS_FOREIGN,
    NONE_NEAR_FOREIGN,
    OCCUPIED,
    OFF_BOARD,
    ON_PARK,
)

COLUMNS: Final = "abcdefgh"


class Ground(Struct, frozen=True):
    """The board for a number of players (3a): `size` squares per side, and the number of parks.

    Each seat has `per_size` pyramids of each size. `symmetric` names the parks of the symmetric pattern.
    """

    size: int
    parks: int
    per_size: int
    symmetric: str


GROUNDS: Final[Mapping[tuple[Set, int], Ground]] = {
    ("fullStash", 2): Ground(6, 6, 5, "a1 a6 f1 f6 c3 d4"),
    ("fullStash", 3): Ground(7, 4, 5, "a1 a7 g1 g7"),
    ("fullStash", 4): Ground(8, 4, 5, "a1 a8 h1 h8"),
    ("threeHouse", 2): Ground(5, 7, 3, "a1 a5 e1 e5 b3 c3 d3"),
    ("threeHouse", 3): Ground(6, 9, 3, "b2 b4 b6 d2 d4 d6 f2 f4 f6"),
    ("threeHouse", 4): Ground(6, 0, 3, ""),  # SUB-13
}
"""By set and number of seats. There are as many park-free squares as there are pyramids."""


# --- squares ---


def square_at(name: str, size: int) -> int | None:
    """The square with this name, such as b1 or B1; None if there is no such square on this size of board."""
    if re.fullmatch("[a-hA-H][1-8]", name) is None:
        return None
    column, row = COLUMNS.index(name[0].lower()), int(name[1]) - 1
    return column + size * row if column < size and row < size else None


def name_of(square: int, size: int) -> str:
    """The square's name: a letter for the column, a number for the row."""
    return f"{COLUMNS[square % size]}{square // size + 1}"


def pattern(text: str, size: int) -> tuple[int, ...] | None:
    """The distinct squares named in a string, separated by spaces or commas, in ascending order.

    None if a word names no square on a board of this size; SUB-14 allows every other pattern.
    """
    squares = set[int]()
    for word in re.split(r"[\s,]+", text):
        square = square_at(word, size)
        if square is not None:
            squares.add(square)
        elif word:
            return None
    return tuple(sorted(squares))


def _list_neighbours(size: int, steps: tuple[tuple[int, int], ...]) -> tuple[tuple[int, ...], ...]:
    return tuple(
        tuple(
            column + right + size * (row + up)
            for right, up in steps
            if 0 <= column + right < size and 0 <= row + up < size
        )
        for row in range(size)
        for column in range(size)
    )


@memoize
def all_neighbours(size: int) -> tuple[tuple[int, ...], ...]:
    """By square, the 3, 5 or 8 squares that share a side or a corner with it, in ascending order."""
    steps = tuple((right, up) for up in (-1, 0, 1) for right in (-1, 0, 1) if (right, up) != (0, 0))
    return _list_neighbours(size, steps)


@memoize
def edge_neighbours(size: int) -> tuple[tuple[int, ...], ...]:
    """By square, the 2, 3 or 4 squares that share a side with it, in ascending order."""
    return _list_neighbours(size, ((0, -1), (-1, 0), (1, 0), (0, 1)))


# --- boards ---


def empty_board(
    size: int, parks: tuple[int, ...], private: Literal["group", "player"] | None = None
) -> Board:
    """A board without pyramids."""
    return Board(size, parks, (None,) * (size * size), None, private)


def put(board: Board, square: int, piece: Piece) -> Board:
    """The board with this piece added."""
    squares = replace_at(board.squares, square, piece)
    return Board(board.size, board.parks, squares, square, board.private)


def lay(board: Board, park: int) -> Board:
    """The board with one more park."""
    parks = tuple(sorted((*board.parks, park)))
    return Board(board.size, parks, board.squares, board.last, board.private)


def empty(board: Board) -> tuple[int, ...]:
    """The squares with neither a park nor a pyramid, in ascending order."""
    parks = board.parks
    return tuple(
        square for square, piece in enumerate(board.squares) if piece is None and square not in parks
    )


def refuse(board: Board, seat: Seat, pips: int, square: int, free: bool = False) -> Refusal | None:
    """Why the pyramid may not go there, or None (3b). `free` allows any empty square (SUB-1)."""
    if not 0 <= square < len(board.squares):
        return OFF_BOARD
    if square in board.parks:
        return ON_PARK
    if board.squares[square] is not None:
        return OCCUPIED
    if free or pips == 2:
        return None
    around = [board.squares[neighbour] for neighbour in all_neighbours(board.size)[square]]
    if pips == 3:
        owned = any(piece is not None and piece.seat == seat and piece.pips == 3 for piece in around)
        return NEAR_OWN if owned else None
    foreign = any(piece is not None and piece.seat != seat and piece.pips != 2 for piece in around)
    return None if foreign else NEEDS_FOREIGN  # SUB-16; a park has no colour (SUB-8)


def refuse_pyramid(board: Board, seat: Seat, pips: int, square: int, free: bool) -> Refusal | None:
    """As `refuse`, but a size that fits on no square at all is refused for that, whatever the square."""
    refusal = refuse(board, seat, pips, square, free)
    if refusal is None or pips == 2 or fits(board, seat, pips, free):
        return refusal
    return ALL_NEAR_OWN if pips == 3 else NONE_NEAR_FOREIGN


def fits(board: Board, seat: int, pips: int, free: bool = False) -> tuple[int, ...]:
    """The squares on which the seat may place a pyramid of this size, in ascending order (3b, SUB-3, SUB-16).

    `free` lifts the restrictions (SUB-1). Whether the seat has such a pyramid left is not checked.
    """
    squares = empty(board)
    if free or pips == 2:
        return squares
    around, reached = all_neighbours(board.size), set[int]()
    if pips == 3:
        for square, piece in enumerate(board.squares):
            if piece is not None and piece.seat == seat and piece.pips == 3:
                reached.update(around[square])
        return tuple(square for square in squares if square not in reached)
    for square, piece in enumerate(board.squares):
        if piece is not None and piece.seat != seat and piece.pips != 2:
            reached.update(around[square])
    return tuple(square for square in squares if square in reached)


def placements(
    board: Board, seat: int, stash: tuple[int, int, int], free: bool = False
) -> tuple[tuple[Pips, tuple[int, ...]], ...]:
    """The legal placements: each size left in the stash that fits somewhere, with its squares."""
    fitting = ((pips, fits(board, seat, pips, free)) for pips in SIZES if stash[pips - 1])
    return tuple((pips, squares) for pips, squares in fitting if squares)
