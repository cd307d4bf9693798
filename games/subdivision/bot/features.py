"""A position as bitmasks, and exactly what a placement does to the totals: for the bot, which tries them all.

A set of squares is an int with bit `square` set for each of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from games.kit.memo import memoize
from games.subdivision.rules.board import near, next_to
from games.subdivision.rules.scoring import GARDEN, MOST_LOST
from games.subdivision.rules.values import Board, Score, Stash

Mask: TypeAlias = int
"""A set of squares."""
Left: TypeAlias = tuple[int, int, int]
"""How many 1s, 2s and 3s are still to be placed."""


class Lie(NamedTuple):
    """By square, what is near it and what is next to it; for boards of one size."""

    near: tuple[Mask, ...]
    beside: tuple[Mask, ...]


@memoize
def lie(size: int) -> Lie:
    return Lie(tuple(map(mask, near(size))), tuple(map(mask, next_to(size))))


def mask(squares: Iterable[int]) -> Mask:
    """The set of these different squares."""
    return sum(1 << square for square in squares)


def squares_of(found: Mask) -> Iterator[int]:
    """The squares of a set, in rising order."""
    while found:
        low = found & -found
        yield low.bit_length() - 1
        found ^= low


# --- positions ---


class Position(NamedTuple):
    """A board as the seat `me` looks at it; tuples are by seat.

    `rings` holds, for each park, what is near it and no park; `garden` is what surrounding one brings.
    """

    me: int
    size: int
    empty: Mask
    built: tuple[Mask, ...]
    ones: tuple[Mask, ...]
    threes: tuple[Mask, ...]
    left: tuple[Left, ...]
    totals: tuple[float, ...]
    rings: tuple[Mask, ...]
    garden: float


def position(me: int, board: Board, stash: Stash, score: Score) -> Position:
    """The board, unpacked."""
    seats = len(stash.left)
    built, ones, threes = [0] * seats, [0] * seats, [0] * seats
    for square, piece in enumerate(board.squares):
        if piece is not None:
            bit = 1 << square
            built[piece.seat] |= bit
            if piece.pips == 1:
                ones[piece.seat] |= bit
            elif piece.pips == 3:
                threes[piece.seat] |= bit
    parks = mask(board.parks)
    around = lie(board.size).near
    return Position(
        me,
        board.size,
        ((1 << board.size * board.size) - 1) & ~(parks | sum(built)),
        tuple(built),
        tuple(ones),
        tuple(threes),
        stash.left,
        tuple(total.total for total in score.totals),
        tuple(around[park] & ~parks for park in board.parks),
        GARDEN if board.private else 0.0,
    )


# --- groups ---


class Estate(NamedTuple):
    """A group (SUB-4, SUB-5), and the empty squares next to it."""

    group: Mask
    rim: Mask


def estates(size: int, pieces: Mask, empty: Mask) -> tuple[Estate, ...]:
    """The groups of one seat's pieces."""
    beside = lie(size).beside
    found = []
    while pieces:
        group = new = pieces & -pieces
        rim = 0
        while new:
            for square in squares_of(new):
                rim |= beside[square]
            new = rim & pieces & ~group
            group |= new
        pieces &= ~group
        found.append(Estate(group, rim & empty))
    return tuple(found)


# --- placements ---


def lost(ones: int) -> int:
    """What a 3 loses by so many 1s near it (SUB-6)."""
    return min(MOST_LOST, max(0, ones - 1))


class Survey:
    """A position, with what all placements in it have in common."""

    __slots__ = ("estates", "here", "near", "ones", "seats")

    def __init__(self, here: Position) -> None:
        self.here = here
        self.seats = range(len(here.built))
        self.near = lie(here.size).near
        self.ones = sum(here.ones)
        self.estates = tuple(estates(here.size, pieces, here.empty) for pieces in here.built)

    def ones_near(self, square: int) -> int:
        return (self.ones & self.near[square]).bit_count()

    def joined(self, square: int, seat: int) -> int:
        """How many groups of the seat's a piece of its own on this square would make one."""
        bit = 1 << square
        return sum(1 for estate in self.estates[seat] if estate.rim & bit)

    def fenced(self, square: int) -> int:
        """How many parks get surrounded by one group, by a piece of one's own on this square (SUB-9)."""
        here, bit = self.here, 1 << square
        mine, found = here.built[here.me] | bit, 0
        for ring in here.rings:
            if ring & bit and not ring & ~mine:
                joined = (estate.group for estate in self.estates[here.me] if estate.rim & bit)
                found += not ring & ~(bit | sum(joined))
        return found

    def changes(self, pips: int, square: int) -> list[float]:
        """What placing this adds to the totals, by seat (3d)."""
        here, me = self.here, self.here.me
        found = [0.0] * len(self.seats)
        found[me] = pips - 1 + self.joined(square, me) + here.garden * self.fenced(square)
        if pips == 3:
            found[me] -= lost(self.ones_near(square))
        elif pips == 1:
            for seat in self.seats:
                for three in squares_of(here.threes[seat] & self.near[square]):
                    ones = self.ones_near(three)
                    found[seat] -= lost(ones + 1) - lost(ones)
        return found


# --- room ---


class Room(NamedTuple):
    """Where a seat may place 3s, and 1s (3b)."""

    threes: Mask
    ones: Mask

    def after(self, size: int, pips: int, square: int) -> tuple[int, int]:
        """How many squares there are for one's own 3s, and 1s, once this is placed."""
        bit = 1 << square
        threes = self.threes & ~(lie(size).near[square] | bit) if pips == 3 else self.threes & ~bit
        return threes.bit_count(), (self.ones & ~bit).bit_count()


def room(here: Position, seat: int) -> Room:
    around = lie(here.size).near
    own = foreign = 0
    for square in squares_of(here.threes[seat]):
        own |= around[square]
    for other in range(len(here.built)):
        if other != seat:
            for square in squares_of(here.threes[other] | here.ones[other]):
                foreign |= around[square]
    return Room(here.empty & ~own, here.empty & foreign)


Places: TypeAlias = Sequence[tuple[int, Mask]]
"""What may be placed: sizes, each with the squares on which it fits."""


class Worth(NamedTuple):
    """What a placement is worth, in points."""

    points: float
    pips: int
    square: int
