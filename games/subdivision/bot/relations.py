"""What a bot remembers of the others: who wronged it, and who kept a promise to it.

It is derived from each observation, so a bot that has just been started remembers the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from games.api import Observation, Promise, Seat, SeenLine, Temper
from games.subdivision.bot.features import Mask, get_neighbours, list_names, list_squares, to_mask
from games.subdivision.rules.scoring import MAX_LOST
from games.subdivision.rules.values import Board

LONGEST_MEMORY: Final = 15
"""The number of turns in the longest game, which the worst grudge lasts."""
BROKEN: Final = 3
CROWDED: Final = 1
"""How bad a broken promise is, and a 1 near one of its own 3s."""
KEPT: Final = 2
"""How good a promise is that was kept."""
JUDGED: Final = frozenset({"promise.kept", "promise.broken", "promise.broken_by_bot"})
"""The log lines that say how a promise has ended."""


class Crowding(NamedTuple):
    """A 1 that somebody placed near a 3 of the bot."""

    seat: Seat
    square: int
    """The square of the 3."""
    age: int
    """The number of pyramids placed since."""
    costs: bool
    """Whether the 3 lost a point by it: the first 1 near a 3 is free, and so is any after the fourth."""


class Relations(NamedTuple):
    """By seat: how much the bot holds against it, and how much it is obliged to it."""

    wrongs: tuple[int, ...]
    favours: tuple[int, ...]
    ages: Mapping[str, int]
    """By id of a promise that was kept or broken, the number of pyramids placed since."""
    crowdings: tuple[Crowding, ...]
    """Every 1 near one of its own 3s, the oldest first, as far back as its log goes."""

    def list_costly(self, seat: int) -> tuple[Crowding, ...]:
        """The 1s of a seat that have cost the bot a point."""
        return tuple(crowding for crowding in self.crowdings if crowding.seat == seat and crowding.costs)


def concerns(promise: Promise, seat: Seat) -> bool:
    """Whether a promise was made to this seat, alone or with others."""
    return promise.by != seat and (seat in promise.to or not promise.to)


def read_relations(observation: Observation, board: Board, temper: Temper) -> Relations:
    seats, bot_seat = observation.seats, observation.seat
    horizon = seats * (1 + temper.grudge * (LONGEST_MEMORY - 1) // 100)
    wrongs, favours = [0] * seats, [0] * seats
    crowdings = _list_crowdings(observation, board)
    for crowding in crowdings:
        if crowding.age < horizon:
            wrongs[crowding.seat] += CROWDED
    ages = _find_ages(observation.lines)
    for promise in observation.promises:
        if not concerns(promise, bot_seat) or promise.excused:
            continue
        if promise.judgement == "broken" and ages.get(promise.id, 0) < horizon:
            wrongs[promise.by] += BROKEN
        elif promise.judgement == "kept" and bot_seat in promise.to:
            favours[promise.by] += KEPT
    return Relations(tuple(wrongs), tuple(favours), ages, crowdings)


def _find_ages(lines: tuple[SeenLine, ...]) -> dict[str, int]:
    """By id of a promise that was kept or broken, the number of pyramids placed since."""
    ages: dict[str, int] = {}
    placed = 0
    for line in reversed(lines):
        if line.key == "subdivision.placed":
            placed += 1
        elif line.key in JUDGED:
            ages[str(line.args["promise"])] = max(0, placed - 1)
    return ages


def _list_crowdings(observation: Observation, board: Board) -> tuple[Crowding, ...]:
    """From the newest line of the log to the oldest that is left, taking back what is on the board."""
    near, bot_seat = get_neighbours(board.size).near, observation.seat
    names = list_names(board.size)
    ones = _find(board, None, 1)
    threes = _find(board, bot_seat, 3)
    crowdings: list[Crowding] = []
    placed = [line for line in observation.lines if line.key == "subdivision.placed"]
    for age, line in enumerate(reversed(placed)):
        seat, square = line.args["seat"], names[str(line.args["square"])]
        ones &= ~(1 << square)
        threes &= ~(1 << square)
        if line.args["pips"] != 1 or seat == bot_seat or not isinstance(seat, int):
            continue
        crowdings += [
            Crowding(Seat(seat), three, age, 0 < (ones & near[three]).bit_count() <= MAX_LOST)
            for three in list_squares(near[square] & threes)
        ]
    return tuple(reversed(crowdings))


def _find(board: Board, seat: int | None, pips: int) -> Mask:
    """The squares with pyramids of this size, of one seat or of all."""
    return to_mask(
        square
        for square, piece in enumerate(board.squares)
        if piece is not None and piece.pips == pips and seat in (None, piece.seat)
    )
