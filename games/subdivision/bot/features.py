"""A position as bitmasks, and the exact effect of every placement on the totals, for a bot that tries all.

A set of squares is an int in which bit `square` is set for each square.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from games.kit.memo import memoize
from games.kit.tuples import replace_at
from games.subdivision.rules.board import all_neighbours, edge_neighbours, name_of
from games.subdivision.rules.scoring import GARDEN, MAX_LOST
from games.subdivision.rules.values import Board, Score, Stash

Mask: TypeAlias = int
"""A set of squares."""
PiecesLeft: TypeAlias = tuple[int, int, int]
"""The number of 1s, 2s and 3s still to be placed."""


class Neighbours(NamedTuple):
    """The squares near each square, and those next to it, on boards of one size."""

    near: tuple[Mask, ...]
    beside: tuple[Mask, ...]


@memoize
def get_neighbours(size: int) -> Neighbours:
    return Neighbours(tuple(map(to_mask, all_neighbours(size))), tuple(map(to_mask, edge_neighbours(size))))


@memoize
def list_names(size: int) -> Mapping[str, int]:
    """By name, such as b1, each square of a board."""
    return {name_of(square, size): square for square in range(size * size)}


def to_mask(squares: Iterable[int]) -> Mask:
    """The set of these squares, which must be distinct."""
    return sum(1 << square for square in squares)


def list_squares(squares: Mask) -> Iterator[int]:
    """The squares of a set in ascending order."""
    while squares:
        low = squares & -squares
        yield low.bit_length() - 1
        squares ^= low


# --- positions ---


class Position(NamedTuple):
    """A board from the point of view of `seat`; tuples are indexed by seat.

    `rings` has, for each park, the squares around it that are not parks. `garden` is the bonus for
    surrounding a park.
    """

    seat: int
    size: int
    empty: Mask
    built: tuple[Mask, ...]
    ones: tuple[Mask, ...]
    threes: tuple[Mask, ...]
    left: tuple[PiecesLeft, ...]
    totals: tuple[float, ...]
    rings: tuple[Mask, ...]
    garden: float

    def place(self, pips: int, square: int, changes: Sequence[float]) -> Position:
        """The position after the seat's placement, which changes the totals like this."""
        bit, seat = 1 << square, self.seat

        def add(masks: tuple[Mask, ...]) -> tuple[Mask, ...]:
            return replace_at(masks, seat, masks[seat] | bit)

        ones, twos, threes = (count - (size == pips) for size, count in enumerate(self.left[seat], 1))
        return self._replace(
            empty=self.empty & ~bit,
            built=add(self.built),
            ones=add(self.ones) if pips == 1 else self.ones,
            threes=add(self.threes) if pips == 3 else self.threes,
            left=replace_at(self.left, seat, (ones, twos, threes)),
            totals=tuple(total + change for total, change in zip(self.totals, changes, strict=True)),
        )


def read_position(seat: int, board: Board, stash: Stash, score: Score) -> Position:
    """Unpacks the board."""
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
    parks = to_mask(board.parks)
    around = get_neighbours(board.size).near
    return Position(
        seat,
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


class Region(NamedTuple):
    """A group (SUB-4, SUB-5) and the empty squares next to it."""

    group: Mask
    rim: Mask


def find_regions(size: int, pieces: Mask, empty: Mask) -> tuple[Region, ...]:
    """The groups that one seat's pieces form."""
    beside = get_neighbours(size).beside
    regions = []
    while pieces:
        group = new = pieces & -pieces
        rim = 0
        while new:
            for square in list_squares(new):
                rim |= beside[square]
            new = rim & pieces & ~group
            group |= new
        pieces &= ~group
        regions.append(Region(group, rim & empty))
    return tuple(regions)


# --- placements ---


def penalty(ones: int) -> int:
    """The points a 3 loses with this many 1s near it (SUB-6)."""
    return min(MAX_LOST, max(0, ones - 1))


class Features:
    """A position with everything that all placements in it have in common."""

    __slots__ = ("near", "ones", "position", "regions", "seats")

    def __init__(self, position: Position) -> None:
        self.position = position
        self.seats = range(len(position.built))
        self.near = get_neighbours(position.size).near
        self.ones = sum(position.ones)
        self.regions = tuple(find_regions(position.size, pieces, position.empty) for pieces in position.built)

    def count_ones_near(self, square: int) -> int:
        return (self.ones & self.near[square]).bit_count()

    def count_joined(self, square: int, seat: int) -> int:
        """The number of the seat's groups that its piece on this square would join."""
        bit = 1 << square
        return sum(1 for region in self.regions[seat] if region.rim & bit)

    def count_enclosed_parks(self, square: int) -> int:
        """The number of parks that the seat's piece on this square would surround with one group (SUB-9)."""
        position, bit = self.position, 1 << square
        built, enclosed = position.built[position.seat] | bit, 0
        for ring in position.rings:
            if ring & bit and not ring & ~built:
                joined = (region.group for region in self.regions[position.seat] if region.rim & bit)
                enclosed += not ring & ~(bit | sum(joined))
        return enclosed

    def score_changes(self, pips: int, square: int) -> list[float]:
        """The changes that the placement makes to the seats' totals (3d)."""
        position, seat = self.position, self.position.seat
        changes = [0.0] * len(self.seats)
        changes[seat] = (
            pips - 1 + self.count_joined(square, seat) + position.garden * self.count_enclosed_parks(square)
        )
        if pips == 3:
            changes[seat] -= penalty(self.count_ones_near(square))
        elif pips == 1:
            for owner in self.seats:
                for three in list_squares(position.threes[owner] & self.near[square]):
                    ones = self.count_ones_near(three)
                    changes[owner] -= penalty(ones + 1) - penalty(ones)
        return changes


# --- room ---


class Room(NamedTuple):
    """The squares where a seat may place 3s, and those where it may place 1s (3b)."""

    threes: Mask
    ones: Mask

    def count_after(self, size: int, pips: int, square: int) -> tuple[int, int]:
        """The number of squares left for the seat's 3s, and for its 1s, after this placement."""
        bit = 1 << square
        blocked = get_neighbours(size).near[square] | bit if pips == 3 else bit
        threes = self.threes & ~blocked
        return threes.bit_count(), (self.ones & ~bit).bit_count()


def find_room(position: Position, seat: int) -> Room:
    around = get_neighbours(position.size).near
    near_own_threes = near_opponents = 0
    for square in list_squares(position.threes[seat]):
        near_own_threes |= around[square]
    for other in range(len(position.built)):
        if other != seat:
            for square in list_squares(position.threes[other] | position.ones[other]):
                near_opponents |= around[square]
    return Room(position.empty & ~near_own_threes, position.empty & near_opponents)


Placements: TypeAlias = Sequence[tuple[int, Mask]]
"""The legal placements: each size of piece with the squares where it fits."""


class RatedPlacement(NamedTuple):
    """A placement and its value in points."""

    points: float
    pips: int
    square: int
