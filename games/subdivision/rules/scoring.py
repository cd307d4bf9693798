"""The score of a board, with the squares of every deduction (3d, SUB-2, SUB-4 to SUB-6, SUB-8 to SUB-11)."""

from __future__ import annotations

from typing import Final

from games.api import Outcome, Seat
from games.kit.memo import memoize
from games.subdivision.rules.board import all_neighbours, edge_neighbours
from games.subdivision.rules.values import (
    Board,
    Crowd,
    Garden,
    Group,
    Piece,
    Score,
    SubdivisionOptions,
    Total,
)

MAX_LOST: Final = 3
"""The most points that one 3 can lose, so that it never counts less than 0 (SUB-6)."""
GARDEN: Final = 3
"""The points for a private park."""


def score(board: Board, seats: int, options: SubdivisionOptions) -> Score:
    """The score if the game ended now; unplaced pieces count for nothing (SUB-2).

    `crowds` has every 3 with a 1 near it, even if no point is lost yet.
    """
    if options.private_parks:
        return _score(board.size, board.squares, board.parks, options.park_ring == "group", seats)
    return _score(board.size, board.squares, (), True, seats)


@memoize
def _score(
    size: int, squares: tuple[Piece | None, ...], parks: tuple[int, ...], by_group: bool, seats: int
) -> Score:
    """The score. `parks` become private when one group or, unless `by_group`, one seat surrounds them."""
    groups, belongs = _groups(size, squares)
    if parks and not groups:
        return _score(size, squares, (), True, seats)  # one cached object, whatever the parks are
    crowds = _crowds(size, squares)
    gardens = tuple(_gardens(size, squares, parks, belongs if by_group else None))
    pips, group_counts, crowded, earned = [0] * seats, [0] * seats, [0] * seats, [0] * seats
    for piece in squares:
        if piece is not None:
            pips[piece.seat] += piece.pips
    for group in groups:
        group_counts[group.seat] += 1
    for crowd in crowds:
        piece = squares[crowd.square]
        if piece is not None:
            crowded[piece.seat] += crowd.lost
    for garden in gardens:
        earned[garden.seat] += GARDEN
    totals = tuple(
        Total(*parts, parts[0] - parts[1] - parts[2] + parts[3])
        for parts in zip(pips, group_counts, crowded, earned, strict=True)
    )
    return Score(totals, groups, crowds, gardens)


def _groups(size: int, squares: tuple[Piece | None, ...]) -> tuple[tuple[Group, ...], list[int | None]]:
    """The groups in order of their first squares and, by square, the index of its group (SUB-4, SUB-5)."""
    neighbours = edge_neighbours(size)
    belongs: list[int | None] = [None] * len(squares)
    groups: list[Group] = []
    for first, piece in enumerate(squares):
        if piece is None or belongs[first] is not None:
            continue
        number, seat = len(groups), piece.seat
        belongs[first] = number
        members = [first]
        for square in members:  # grows during the iteration
            for neighbour in neighbours[square]:
                beside = squares[neighbour]
                if beside is not None and beside.seat == seat and belongs[neighbour] is None:
                    belongs[neighbour] = number
                    members.append(neighbour)
        groups.append(Group(seat, tuple(sorted(members))))
    return tuple(groups), belongs


def _crowds(size: int, squares: tuple[Piece | None, ...]) -> tuple[Crowd, ...]:
    """Every 3 with 1s of any colour near it (SUB-6)."""
    around = all_neighbours(size)
    ones = [0] * len(squares)
    for square, piece in enumerate(squares):
        if piece is not None and piece.pips == 1:
            for neighbour in around[square]:
                ones[neighbour] += 1
    return tuple(
        Crowd(square, ones[square], min(MAX_LOST, ones[square] - 1))
        for square, piece in enumerate(squares)
        if piece is not None and piece.pips == 3 and ones[square]
    )


def _gardens(
    size: int, squares: tuple[Piece | None, ...], parks: tuple[int, ...], belongs: list[int | None] | None
) -> list[Garden]:
    """The parks that are surrounded by one group or, if `belongs` is None, by one seat.

    Other parks near a park are ignored, but at least one piece must be near it (SUB-9). At an edge or in a
    corner, fewer squares are enough (SUB-10).
    """
    around, gardens = all_neighbours(size), list[Garden]()
    for park in parks:
        ring = [square for square in around[park] if square not in parks]
        pieces = [squares[square] for square in ring]
        owners = {None if piece is None else piece.seat for piece in pieces}
        if len(owners) != 1:
            continue
        (owner,) = owners
        if owner is not None and (belongs is None or len({belongs[square] for square in ring}) == 1):
            gardens.append(Garden(park, owner))
    return gardens


@memoize
def outcome(final: Score) -> Outcome:
    """The outcome: the seats with the highest total win together (3d, GEN-10)."""
    totals = tuple(total.total for total in final.totals)
    best = max(totals)
    return Outcome(tuple(Seat(seat) for seat, total in enumerate(totals) if total == best), totals)
