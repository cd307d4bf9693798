"""What a placement is worth by the end of the game, as far as can be told: how the bot's best level judges.

All pieces in hand count as if they were placed, so a 3 is not better than a 2 because it is high. What tells
placements apart is what is likely to be lost: 3s to 1s that are still to come near them, points to groups
that do not grow together, pieces for which no room is left; and what of that the others lose.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Final, NamedTuple

from games.kit.memo import memoize
from games.subdivision.bot.features import (
    Estate,
    Mask,
    Places,
    Position,
    Survey,
    Worth,
    lie,
    lost,
    room,
    squares_of,
)
from games.subdivision.rules.scoring import MOST_LOST


class Taste(NamedTuple):
    """How much each concern weighs, in points; a `patience` says how far room goes (see `stranded`)."""

    rivals: float = 0.7
    """What the best of the others has."""
    merging: float = 0.5
    """A square that would join two of one's groups."""
    new_group: float = 0.62
    """A piece still to come that finds none of one's groups to stand beside."""
    patience_group: float = 0.48
    stranded_three: float = 5.3
    patience_three: float = 0.5
    stranded_one: float = 0.24
    patience_one: float = 0.47
    denying: float = 0.1
    """What others are likely to lose for want of room for their 3s."""
    spared_two: float = 0.31
    """A 2 kept for later while there is something else: it fits everywhere."""
    siege: float = 1.15
    """How much likelier than elsewhere a 1 comes near a 3."""


TASTE: Final = Taste()
"""Found by trial: many tables of one taste against another, of two, three and four seats."""
NEAR: Final = 8
"""No square has more than this many squares near it."""


@memoize
def losses(coming: int, squares: int) -> tuple[tuple[float, ...], ...]:
    """What a 3 will have lost by the end (SUB-6): [1s near it][empty squares near it].

    `coming` 1s are spread evenly over the `squares` that are empty.
    """
    chance = min(1.0, coming / max(1, squares))
    table = [[float(min(MOST_LOST, max(0, ones - 1)))] for ones in range(NEAR + 2)]
    for open_squares in range(1, NEAR + 1):
        for ones, row in enumerate(table):
            more = table[min(NEAR + 1, ones + 1)][open_squares - 1]
            row.append(chance * more + (1 - chance) * row[open_squares - 1])
    return tuple(map(tuple, table))


@memoize
def stranded(count: int, squares: int, patience: float) -> float:
    """How many of `count` pieces will find no place, with so many `squares` on which they fit now."""
    return count * exp(-patience * squares / count) if count else 0.0


class Forecast:
    """A survey, with what is likely to happen to every seat in it."""

    def __init__(self, here: Position, taste: Taste = TASTE) -> None:
        self.here, self.taste, self.survey = here, taste, Survey(here)
        self.others = tuple(seat for seat in self.survey.seats if seat != here.me)
        self.rooms = tuple(room(here, seat) for seat in self.survey.seats)
        self.joints = tuple(_joints(found) for found in self.survey.estates)
        self.losses = tuple(self._losses(seat) for seat in self.survey.seats)
        self._look_at_threes()
        self.denied = [self._denied(seat) for seat in self.survey.seats]
        self.outlook = [self._outlook(seat) for seat in self.survey.seats]

    def _losses(self, seat: int) -> tuple[tuple[float, ...], ...]:
        """What the seat's 3s are likely to lose; half of its own 1s will not come near them."""
        ones = [left[0] for left in self.here.left]
        return losses(round(self.taste.siege * (sum(ones) - ones[seat] / 2)), self.here.empty.bit_count())

    def _look_at_threes(self) -> None:
        """By square and seat, what the seat's 3s gain when a 1, or anything else, fills the square.

        `due` is what they are likely to lose beyond what they have lost.
        """
        here, seats, near = self.here, self.survey.seats, self.survey.near
        self.filled = [[0.0] * len(seats) for _ in near]
        self.crowded = [[0.0] * len(seats) for _ in near]
        self.due = [0.0] * len(seats)
        for seat in seats:
            table = self.losses[seat]
            for three in squares_of(here.threes[seat]):
                ones, around = self.survey.ones_near(three), here.empty & near[three]
                count = around.bit_count()
                self.due[seat] += table[ones][count] - lost(ones)
                for square in squares_of(around):
                    self.filled[square][seat] += table[ones][count] - table[ones][count - 1]
                    self.crowded[square][seat] += table[ones][count] - table[ones + 1][count - 1]

    def _denied(self, seat: int) -> float:
        """What the seat loses when one of the squares for its 3s is taken."""
        threes, squares = self.here.left[seat][2], self.rooms[seat].threes.bit_count()
        patience = self.taste.patience_three
        more = stranded(threes, squares - 1, patience) - stranded(threes, squares, patience)
        return self.taste.denying * 3 * more

    def _outlook(self, seat: int) -> float:
        """The total the seat is heading for."""
        hand = sum(pips * count for pips, count in enumerate(self.here.left[seat], 1))
        return self.here.totals[seat] + hand - self.due[seat]

    # --- placements ---

    def worths(self, places: Places) -> list[Worth]:
        """What each placement is worth; only differences mean something."""
        here, taste, me = self.here, self.taste, self.here.me
        ones, twos, threes = here.left[me]
        everywhere = 0
        for _, squares in places:
            everywhere |= squares
        mine = {square: self._own(square, ones + twos + threes - 1) for square in squares_of(everywhere)}
        theirs = {square: self._theirs(square) for square in squares_of(everywhere)}
        found = []
        for pips, squares in places:
            spent = taste.spared_two if pips == 2 and ones + threes else 0.0
            ones_left, threes_left = ones - (pips == 1), threes - (pips == 3)
            for square in squares_of(squares):
                felt = self.crowded[square] if pips == 1 else self.filled[square]
                for_threes, for_ones = self.rooms[me].after(here.size, pips, square)
                own = mine[square] + felt[me] - spent
                own -= taste.stranded_three * stranded(threes_left, for_threes, taste.patience_three)
                own -= taste.stranded_one * stranded(ones_left, for_ones, taste.patience_one)
                if pips == 3:
                    around = (here.empty & self.survey.near[square]).bit_count()
                    own -= self.losses[me][self.survey.ones_near(square)][around]
                best = max(
                    total + felt[seat] for total, seat in zip(theirs[square], self.others, strict=True)
                )
                found.append(Worth(own - taste.rivals * best, pips, square))
        return found

    def _own(self, square: int, pieces: int) -> float:
        """What groups and parks bring, with any piece on this square and `pieces` to come after it."""
        here, taste = self.here, self.taste
        bit = 1 << square
        joined = joints = rims = 0
        rim = lie(here.size).beside[square] & here.empty
        for estate in self.survey.estates[here.me]:
            if estate.rim & bit:
                joined += 1
                rim |= estate.rim
            else:
                joints |= rims & estate.rim
                rims |= estate.rim
        joints = (joints | rims & rim) & ~bit
        apart = len(self.survey.estates[here.me]) - joined
        beside = ((rims | rim) & ~bit).bit_count()
        return (
            joined
            - 1
            + taste.merging * min(apart, joints.bit_count())
            - taste.new_group * stranded(pieces, beside, taste.patience_group)
            + sum(
                self._hope(ring, here.me, 1) - self._hope(ring, here.me) for ring in here.rings if ring & bit
            )
        )

    def _theirs(self, square: int) -> list[float]:
        """What the others are heading for, once this square is taken from them."""
        bit, found = 1 << square, []
        for seat in self.others:
            total = self.outlook[seat]
            if self.joints[seat] & bit:
                total -= self.taste.merging * (self.survey.joined(square, seat) - 1)
            if self.rooms[seat].threes & bit:
                total -= self.denied[seat]
            total -= sum(self._hope(ring, seat) for ring in self.here.rings if ring & bit)
            found.append(total)
        return found

    def _hope(self, ring: Mask, seat: int, more: int = 0) -> float:
        """What the squares around a park are worth to the seat, with so many `more` pieces there (SUB-9)."""
        built = self.here.built
        if any(ring & pieces for other, pieces in enumerate(built) if other != seat):
            return 0.0
        share = ((ring & built[seat]).bit_count() + more) / ring.bit_count()
        return self.here.garden * share**3


def _joints(found: Sequence[Estate]) -> Mask:
    """The squares that would join groups."""
    once = twice = 0
    for estate in found:
        twice |= once & estate.rim
        once |= estate.rim
    return twice
