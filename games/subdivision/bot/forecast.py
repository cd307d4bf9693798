"""Estimates what a placement will be worth at the end of the game: the evaluation for the hardest level.

Every piece in hand counts as if it had been placed, so a 3 is not better than a 2 just because it scores
more. What distinguishes placements is the expected loss: 3s that will get 1s near them, groups that will not
merge, pieces that will find no room, and the same losses for the opponents.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Final, NamedTuple

from games.kit.memo import memoize
from games.subdivision.bot.features import (
    Features,
    Mask,
    Placements,
    Position,
    RatedPlacement,
    Region,
    find_room,
    get_neighbours,
    list_squares,
    penalty,
)
from games.subdivision.rules.scoring import MAX_LOST


class EvaluationWeights(NamedTuple):
    """The weight of each factor in points; a `patience` is a decay rate in `count_stranded`."""

    rivals: float = 0.7
    """The expected total of the best opponent."""
    merging: float = 0.5
    """A square that would join two of the seat's groups."""
    new_group: float = 0.62
    """A piece in hand that will have no group of its own seat to join."""
    patience_group: float = 0.48
    stranded_three: float = 5.3
    patience_three: float = 0.5
    stranded_one: float = 0.24
    patience_one: float = 0.47
    denying: float = 0.1
    """The opponents' expected loss from a lack of room for their 3s."""
    spared_two: float = 0.31
    """Keeping a 2 for later while other sizes are left, because a 2 fits anywhere."""
    siege: float = 1.15
    """How much more likely a 1 is to be placed near a 3 than elsewhere."""


WEIGHTS: Final = EvaluationWeights()
"""Tuned by self-play: one set of weights against another at many tables of two, three and four seats."""
MAX_NEAR: Final = 8
"""The highest number of squares near any square."""


@memoize
def expect_penalties(coming: int, squares: int) -> tuple[tuple[float, ...], ...]:
    """A 3's expected penalty at the end (SUB-6): [1s near it][empty squares near it].

    Assumes that the next `coming` 1s are spread evenly over the `squares` empty squares.
    """
    chance = min(1.0, coming / max(1, squares))
    table = [[float(min(MAX_LOST, max(0, ones - 1)))] for ones in range(MAX_NEAR + 2)]
    for open_squares in range(1, MAX_NEAR + 1):
        for ones, row in enumerate(table):
            more = table[min(MAX_NEAR + 1, ones + 1)][open_squares - 1]
            row.append(chance * more + (1 - chance) * row[open_squares - 1])
    return tuple(map(tuple, table))


@memoize
def count_stranded(count: int, squares: int, patience: float) -> float:
    """How many of `count` pieces are expected to find no place if they currently fit on `squares` squares."""
    return count * exp(-patience * squares / count) if count else 0.0


class Forecast:
    """The features of a position, with the expected results for every seat."""

    def __init__(self, position: Position, weights: EvaluationWeights = WEIGHTS) -> None:
        self.position, self.weights, self.features = position, weights, Features(position)
        self.others = tuple(seat for seat in self.features.seats if seat != position.seat)
        self.rooms = tuple(find_room(position, seat) for seat in self.features.seats)
        self.joints = tuple(_find_joints(regions) for regions in self.features.regions)
        self.penalties = tuple(self._expect_penalties(seat) for seat in self.features.seats)
        self._evaluate_threes()
        self.denied = [self._value_denial(seat) for seat in self.features.seats]
        self.expected_totals = [self._expect_total(seat) for seat in self.features.seats]

    def _expect_penalties(self, seat: int) -> tuple[tuple[float, ...], ...]:
        """The expected penalties of the seat's 3s; half of its own 1s will avoid them."""
        ones = [left[0] for left in self.position.left]
        coming = round(self.weights.siege * (sum(ones) - ones[seat] / 2))
        return expect_penalties(coming, self.position.empty.bit_count())

    def _evaluate_threes(self) -> None:
        """Computes, by square and seat, how much the seat's 3s gain when the square is filled.

        `crowded` applies to a 1, `filled` to any other piece. `pending` is the penalty that the seat's 3s are
        expected to incur on top of the present one.
        """
        position, seats, near = self.position, self.features.seats, self.features.near
        self.filled = [[0.0] * len(seats) for _ in near]
        self.crowded = [[0.0] * len(seats) for _ in near]
        self.pending = [0.0] * len(seats)
        for seat in seats:
            table = self.penalties[seat]
            for three in list_squares(position.threes[seat]):
                ones, around = self.features.count_ones_near(three), position.empty & near[three]
                count = around.bit_count()
                self.pending[seat] += table[ones][count] - penalty(ones)
                for square in list_squares(around):
                    self.filled[square][seat] += table[ones][count] - table[ones][count - 1]
                    self.crowded[square][seat] += table[ones][count] - table[ones + 1][count - 1]

    def _value_denial(self, seat: int) -> float:
        """The seat's loss when one of the squares for its 3s is taken."""
        threes, squares = self.position.left[seat][2], self.rooms[seat].threes.bit_count()
        patience = self.weights.patience_three
        more = count_stranded(threes, squares - 1, patience) - count_stranded(threes, squares, patience)
        return self.weights.denying * 3 * more

    def _expect_total(self, seat: int) -> float:
        """The seat's expected total at the end."""
        hand = sum(pips * count for pips, count in enumerate(self.position.left[seat], 1))
        return self.position.totals[seat] + hand - self.pending[seat]

    # --- placements ---

    def rate_placements(self, placements: Placements) -> list[RatedPlacement]:
        """The value of each placement; only the differences are meaningful."""
        position, weights, seat = self.position, self.weights, self.position.seat
        ones, twos, threes = position.left[seat]
        everywhere = 0
        for _, squares in placements:
            everywhere |= squares
        pieces_after = ones + twos + threes - 1
        group_values = {
            square: self._value_groups(square, pieces_after) for square in list_squares(everywhere)
        }
        other_totals = {square: self._expect_other_totals(square) for square in list_squares(everywhere)}
        rated = []
        for pips, squares in placements:
            spent = weights.spared_two if pips == 2 and ones + threes else 0.0
            ones_left, threes_left = ones - (pips == 1), threes - (pips == 3)
            for square in list_squares(squares):
                relief = self.crowded[square] if pips == 1 else self.filled[square]
                for_threes, for_ones = self.rooms[seat].count_after(position.size, pips, square)
                gain = group_values[square] + relief[seat] - spent
                gain -= weights.stranded_three * count_stranded(
                    threes_left, for_threes, weights.patience_three
                )
                gain -= weights.stranded_one * count_stranded(ones_left, for_ones, weights.patience_one)
                if pips == 3:
                    around = (position.empty & self.features.near[square]).bit_count()
                    gain -= self.penalties[seat][self.features.count_ones_near(square)][around]
                best = max(
                    total + relief[other]
                    for total, other in zip(other_totals[square], self.others, strict=True)
                )
                rated.append(RatedPlacement(gain - weights.rivals * best, pips, square))
        return rated

    def _value_groups(self, square: int, pieces: int) -> float:
        """The gain for groups and parks from any piece on this square, with `pieces` more to come."""
        position, weights = self.position, self.weights
        bit = 1 << square
        joined = joints = rims = 0
        rim = get_neighbours(position.size).beside[square] & position.empty
        for region in self.features.regions[position.seat]:
            if region.rim & bit:
                joined += 1
                rim |= region.rim
            else:
                joints |= rims & region.rim
                rims |= region.rim
        joints = (joints | rims & rim) & ~bit
        apart = len(self.features.regions[position.seat]) - joined
        beside = ((rims | rim) & ~bit).bit_count()
        return (
            joined
            - 1
            + weights.merging * min(apart, joints.bit_count())
            - weights.new_group * count_stranded(pieces, beside, weights.patience_group)
            + sum(
                self._value_park(ring, position.seat, 1) - self._value_park(ring, position.seat)
                for ring in position.rings
                if ring & bit
            )
        )

    def _expect_other_totals(self, square: int) -> list[float]:
        """The opponents' expected totals once this square is no longer available to them."""
        bit, totals = 1 << square, []
        for seat in self.others:
            total = self.expected_totals[seat]
            if self.joints[seat] & bit:
                total -= self.weights.merging * (self.features.count_joined(square, seat) - 1)
            if self.rooms[seat].threes & bit:
                total -= self.denied[seat]
            total -= sum(self._value_park(ring, seat) for ring in self.position.rings if ring & bit)
            totals.append(total)
        return totals

    def _value_park(self, ring: Mask, seat: int, more: int = 0) -> float:
        """The value of a park's ring to the seat with `more` additional pieces there (SUB-9)."""
        built = self.position.built
        if any(ring & pieces for other, pieces in enumerate(built) if other != seat):
            return 0.0
        share = ((ring & built[seat]).bit_count() + more) / ring.bit_count()
        return self.position.garden * share**3


def _find_joints(regions: Sequence[Region]) -> Mask:
    """The squares that would join groups."""
    once = twice = 0
    for region in regions:
        twice |= once & region.rim
        once |= region.rim
    return twice
