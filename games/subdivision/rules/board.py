"""The board of Subdivision: sizes, squares and their neighbours, park patterns, where a pyramid may stand.

A square is a number, column + size * row, from a1 at the lower left. `near` squares touch at a side or a
corner, `next_to` squares at a side; the text calls the latter neighbouring.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, Literal

from games.api import Refusal, Seat, Struct
from games.kit.memo import memoize
from games.kit.tuples import replace_at
from games.subdivision.rules.values import SIZES, Board, Piece, Pips, Set
from games.subdivision.texts import NEAR_OWN, NEEDS_FOREIGN, OCCUPIED, OFF_BOARD, ON_PARK

COLUMNS: Final = "abcdefgh"


class Ground(Struct, frozen=True):
    """What a number of players builds on (3a): how many squares a side, parks, pyramids of each size a seat.

    `symmetric` names the parks of the symmetric pattern.
    """

    size: int
    parks: int
    each: int
    symmetric: str


GROUNDS: Final[Mapping[tuple[Set, int], Ground]] = {
    ("fullStash", 2): Ground(6, 6, 5, "a1 a6 f1 f6 c3 d4"),
    ("fullStash", 3): Ground(7, 4, 5, "a1 a7 g1 g7"),
    ("fullStash", 4): Ground(8, 4, 5, "a1 a8 h1 h8"),
    ("threeHouse", 2): Ground(5, 7, 3, "a1 a5 e1 e5 b3 c3 d3"),
    ("threeHouse", 3): Ground(6, 9, 3, "b2 b4 b6 d2 d4 d6 f2 f4 f6"),
    ("threeHouse", 4): Ground(6, 0, 3, ""),  # SUB-13
}
"""By set and number of seats. Squares that are no parks are as many as all pyramids together."""


# --- squares ---


def square_at(name: str, size: int) -> int | None:
    """The square with this name, such as b1 or B1; None where a board of this size has none."""
    if re.fullmatch("[a-hA-H][1-8]", name) is None:
        return None
    column, row = COLUMNS.index(name[0].lower()), int(name[1]) - 1
    return column + size * row if column < size and row < size else None


def name_of(square: int, size: int) -> str:
    """The square's name: a letter for the column, a number for the row."""
    return f"{COLUMNS[square % size]}{square // size + 1}"


def pattern(text: str, size: int) -> tuple[int, ...] | None:
    """The different squares named in a text, separated by spaces or commas, in rising order.

    None where a word is no square of a board of this size (SUB-14 allows every other pattern).
    """
    found = {square_at(word, size) for word in re.split(r"[\s,]+", text) if word}
    known = {square for square in found if square is not None}
    return None if None in found else tuple(sorted(known))


def _around(size: int, steps: tuple[tuple[int, int], ...]) -> tuple[tuple[int, ...], ...]:
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
def near(size: int) -> tuple[tuple[int, ...], ...]:
    """By square, the 3, 5 or 8 squares that touch it at a side or a corner, in rising order."""
    steps = tuple((right, up) for up in (-1, 0, 1) for right in (-1, 0, 1) if (right, up) != (0, 0))
    return _around(size, steps)


@memoize
def next_to(size: int) -> tuple[tuple[int, ...], ...]:
    """By square, the 2, 3 or 4 squares that touch it at a side, in rising order."""
    return _around(size, ((0, -1), (-1, 0), (1, 0), (0, 1)))


# --- boards ---


def bare(size: int, parks: tuple[int, ...], private: Literal["group", "player"] | None = None) -> Board:
    """A board on which nothing is built yet."""
    return Board(size, parks, (None,) * (size * size), None, private)


def put(board: Board, square: int, piece: Piece) -> Board:
    """The board with this piece on it."""
    squares = board.squares
    there = replace_at(squares, square, piece)
    return Board(board.size, board.parks, there, square, board.private)


def lay(board: Board, park: int) -> Board:
    """The board with one more park."""
    parks = tuple(sorted((*board.parks, park)))
    return Board(board.size, parks, board.squares, board.last, board.private)


def empty(board: Board) -> tuple[int, ...]:
    """The squares with neither a park nor a pyramid, in rising order."""
    parks = board.parks
    return tuple(
        square for square, piece in enumerate(board.squares) if piece is None and square not in parks
    )


def refuse(board: Board, seat: Seat, pips: int, square: int, free: bool = False) -> Refusal | None:
    """Why this pyramid may not stand there, or None (3b); `free`: on any empty square (SUB-1)."""
    if not 0 <= square < len(board.squares):
        return OFF_BOARD
    if square in board.parks:
        return ON_PARK
    if board.squares[square] is not None:
        return OCCUPIED
    if free or pips == 2:
        return None
    around = [board.squares[other] for other in near(board.size)[square]]
    if pips == 3:
        owned = any(piece is not None and piece.seat == seat and piece.pips == 3 for piece in around)
        return NEAR_OWN if owned else None
    foreign = any(piece is not None and piece.seat != seat and piece.pips != 2 for piece in around)
    return None if foreign else NEEDS_FOREIGN  # SUB-16: a park is nobody's (SUB-8)


def fits(board: Board, seat: int, pips: int, free: bool = False) -> tuple[int, ...]:
    """The squares on which the seat may place a pyramid of this size, in rising order (3b, SUB-3, SUB-16).

    `free`: restrictions do not hold (SUB-1). The stash is not looked at.
    """
    squares = empty(board)
    if free or pips == 2:
        return squares
    around, reached = near(board.size), set[int]()
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
    board: Board, seat: int, left: tuple[int, int, int], free: bool = False
) -> tuple[tuple[Pips, tuple[int, ...]], ...]:
    """What the seat may place, with what it has `left` of each size: each size that fits, and its squares."""
    found = ((pips, fits(board, seat, pips, free)) for pips in SIZES if left[pips - 1])
    return tuple((pips, squares) for pips, squares in found if squares)
