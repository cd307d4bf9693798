"""A second implementation of Subdivision, slow but simple, written from the rulings alone for comparison.

Squares are numbered column + size * row from a1 at the lower left. `parks` are blocked squares. `pieces`
maps a square to (seat, pips). Nothing here is shared with `games.subdivision`.
"""

from __future__ import annotations

Pieces = dict[int, tuple[int, int]]

PIPS = (1, 2, 3)
PARK_BONUS = 3
MAX_OFF_A_HIGH_RISE = 3


def reference_score(
    size: int,
    parks: set[int],
    pieces: Pieces,
    seats: int,
    private_parks: bool,
    park_ring: str,
) -> list[int]:
    """Each seat's total under 3d, which may be negative; unplaced pieces count for nothing (SUB-2).

    `park_ring` is "group" or "player" (SUB-9). Raises ValueError if the position or the option is invalid.
    """
    check(size, parks, pieces)
    if park_ring not in ("group", "player"):
        raise ValueError(f"park_ring is group or player, not {park_ring!r}")
    totals = []
    for seat in range(seats):
        total = 0
        for owner, pips in pieces.values():
            if owner == seat:
                total += pips
        total -= len(reference_groups(size, pieces, seat))
        for square, (owner, pips) in pieces.items():
            if owner == seat and pips == 3:
                total -= reference_deduction(size, pieces, square)
        if private_parks:
            total += PARK_BONUS * len(reference_private_parks(size, parks, pieces, seat, park_ring))
        totals.append(total)
    return totals


def reference_legal(
    size: int,
    parks: set[int],
    pieces: Pieces,
    seat: int,
    left: tuple[int, int, int],
) -> set[tuple[int, int]]:
    """The (pips, square) pairs that 3b allows a seat with `left` 1s, 2s and 3s; `anywhere` is off (SUB-1)."""
    check(size, parks, pieces)
    legal = set()
    for pips in PIPS:
        if left[pips - 1] == 0:
            continue
        for square in range(size * size):
            if square in parks or square in pieces:
                continue
            near = [pieces[other] for other in reference_near(size, square) if other in pieces]
            if pips == 3 and (seat, 3) in near:
                continue
            if pips == 1:
                foreign = [their_pips for owner, their_pips in near if owner != seat]
                if 1 not in foreign and 3 not in foreign:
                    continue
            legal.add((pips, square))
    return legal


def reference_near(size: int, square: int) -> set[int]:
    """The 3, 5 or 8 squares that touch a square, diagonally too, including parks."""
    squares = set()
    for other in range(size * size):
        across = abs(other % size - square % size)
        up = abs(other // size - square // size)
        if max(across, up) == 1:
            squares.add(other)
    return squares


def reference_neighbours(size: int, square: int) -> set[int]:
    """The 2, 3 or 4 squares that share a side with a square (SUB-5), including parks."""
    neighbours = set()
    for other in range(size * size):
        across = abs(other % size - square % size)
        up = abs(other // size - square // size)
        if across + up == 1:
            neighbours.add(other)
    return neighbours


def reference_groups(size: int, pieces: Pieces, seat: int) -> list[set[int]]:
    """The seat's groups: each piece begins as its own group (SUB-4), and groups that touch are joined."""
    groups = [{square} for square, (owner, _) in pieces.items() if owner == seat]
    joined = True
    while joined:
        joined = False
        for one in groups:
            for two in groups:
                if one is not two and any(reference_neighbours(size, square) & two for square in one):
                    groups = [group for group in groups if group is not one and group is not two]
                    groups.append(one | two)
                    joined = True
                    break
            if joined:
                break
    return groups


def reference_deduction(size: int, pieces: Pieces, square: int) -> int:
    """Points (0 to 3) off the 3 on this square: one per 1 of any colour near it, except the first (SUB-6)."""
    ones = 0
    for other in reference_near(size, square):
        if other in pieces and pieces[other][1] == 1:
            ones += 1
    if ones <= 1:
        return 0
    return min(MAX_OFF_A_HIGH_RISE, ones - 1)


def reference_private_parks(
    size: int, parks: set[int], pieces: Pieces, seat: int, park_ring: str
) -> set[int]:
    """The seat's private parks, which have no empty square nearby; other parks are ignored (SUB-9, SUB-10).

    With "group", one group holds the whole ring; with "player", the seat does, in any number of groups.
    """
    own_squares = {square for square, (owner, _) in pieces.items() if owner == seat}
    holders = reference_groups(size, pieces, seat) if park_ring == "group" else [own_squares]
    private = set()
    for park in parks:
        ring = reference_near(size, park) - parks
        if ring and any(ring <= holder for holder in holders):
            private.add(park)
    return private


def check(size: int, parks: set[int], pieces: Pieces) -> None:
    """Raises ValueError unless parks and pieces are on separate squares of the board, with 1 to 3 pips."""
    for square in [*parks, *pieces]:
        if not 0 <= square < size * size:
            raise ValueError(f"square {square} is off the board")
    if parks & set(pieces):
        raise ValueError("a piece is on a park")
    for square, (seat, pips) in pieces.items():
        if seat < 0 or pips not in PIPS:
            raise ValueError(f"no such piece on square {square}")
