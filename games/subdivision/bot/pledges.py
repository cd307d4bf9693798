"""A bot's own promises, when it chooses a placement: which ones it keeps, and at what price."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from zlib import crc32

from games.api import Observation, Promise, Temper
from games.kit.promises import list_open
from games.subdivision.bot.features import Mask, RatedPlacement, get_neighbours, to_mask
from games.subdivision.rules.board import square_at
from games.subdivision.rules.values import Board

DEAREST: Final = 0.6
"""The most points that a bot gives up for its word: more would make honest characters weaker than others."""


def forbids(promise: Promise, board: Board) -> tuple[Mask, Mask]:
    """The squares on which this open promise forbids its seat to place a 1, and those for a 2 or a 3."""
    everywhere = (1 << board.size * board.size) - 1
    near, beside = get_neighbours(board.size)
    threes = theirs = 0
    for square, piece in enumerate(board.squares):
        if piece is not None and piece.seat in promise.to:
            theirs |= beside[square]
            threes |= near[square] if piece.pips == 3 else 0
    match promise.kind:
        case "leave_square":
            left = _mark(promise, "square", board)
            return left, left
        case "avoid_crowding":
            return threes, 0
        case "avoid_block":
            return theirs, theirs
        case "build_at":
            others = everywhere & ~_mark(promise, "square", board)
            return others, others
        case _:  # a reply
            trigger = square_at(str(promise.terms["square"]), board.size)
            builder = None if trigger is None else board.squares[trigger]
            if builder is None or builder.seat not in promise.to:
                return 0, 0
            others = everywhere & ~_mark(promise, "reply", board)
            return others, others


def _mark(promise: Promise, term: str, board: Board) -> Mask:
    square = square_at(str(promise.terms[term]), board.size)
    return 0 if square is None else to_mask([square])


def is_in_mood(percent: int, *about: object) -> bool:
    """Whether something this likely happens on this occasion: the answer is always the same for it."""
    return crc32(repr(about).encode()) % 100 < percent


def respect(
    rated: Sequence[RatedPlacement], observation: Observation, board: Board, temper: Temper
) -> Sequence[RatedPlacement]:
    """The placements that keep the bot's promises.

    It keeps as many promises as its honesty says, unless one costs too much; it forgets the others, so that
    it breaks those that stand in the way of what it likes best.
    """
    best = max(placement.points for placement in rated)
    for promise in list_open(observation.promises, observation.seat):
        ones, others = forbids(promise, board)
        compliant = [
            placement
            for placement in rated
            if not (ones if placement.pips == 1 else others) >> placement.square & 1
        ]
        if not compliant:
            continue
        cost = best - max(placement.points for placement in compliant)
        if cost <= DEAREST and is_in_mood(temper.honesty, promise.id):
            rated = compliant
    return rated
