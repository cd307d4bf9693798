"""Which of the mergers that are about equally good a character makes: its word, its friends and its foes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.api import Character, Dice, Observation, Promise
from games.kit.observations import part
from games.takeover.bot.evaluation import RatedMerger
from games.takeover.bot.memory import list_open_promises, remember
from games.takeover.bot.observation import Table
from games.takeover.rules.values import NAMES, Stage

EQUAL: Final = 0.02
"""A merger within this many points of the best counts as equal."""
FAVOUR: Final = 0.05
"""A merger within this many points of the best may be made to help or to hurt somebody."""
COST_OF_HONESTY: Final = 0.7
COST_OF_HABIT: Final = 0.05
"""What keeping its word may cost a character, in points, when it wants to be honest, and otherwise."""


def choose(
    mergers: Sequence[RatedMerger], table: Table, observation: Observation, character: Character, dice: Dice
) -> RatedMerger | None:
    """The best merger; None if no merger is worthwhile. Ties are broken by goodwill, then at random."""
    goodwill = () if character.is_substitute else remember(observation, character).goodwill
    best = _choose_best(mergers, table, goodwill, dice)
    promises = list_open_promises(observation)
    if best is None or not any(_breaks(best, promise, table, observation) for promise in promises):
        return best
    kept = [
        merger
        for merger in mergers
        if not any(_breaks(merger, promise, table, observation) for promise in promises)
    ]
    other = _choose_best(kept, table, goodwill, dice)
    cost = best.points - (0.0 if other is None else other.points)
    is_honest = dice.below("honesty", 100) < character.temper.honesty
    return other if cost <= (COST_OF_HONESTY if is_honest else COST_OF_HABIT) else best


def _choose_best(
    mergers: Sequence[RatedMerger], table: Table, goodwill: Sequence[float], dice: Dice
) -> RatedMerger | None:
    most = max((merger.points for merger in mergers), default=0.0)
    if most <= EQUAL:
        return None
    if any(goodwill):
        close = [merger for merger in mergers if merger.points >= most - FAVOUR]
        liked = max(_rate_favour(merger, table, goodwill) for merger in close)
        best = [merger for merger in close if _rate_favour(merger, table, goodwill) >= liked - EQUAL]
    else:
        best = [merger for merger in mergers if merger.points >= most - EQUAL]
    return best[dice.below("equal", len(best))]


def _rate_favour(merger: RatedMerger, table: Table, goodwill: Sequence[float]) -> float:
    """What a merger probably adds to the seats it likes, less what it adds to those it dislikes."""
    tops, heights = table.stacks
    won, lost = heights[merger.onto], heights[merger.onto] - 1
    covering, covered = table.shares[tops[merger.source]], table.shares[tops[merger.onto]]
    return sum(
        like * (won * covering[seat] - lost * covered[seat]) for seat, like in enumerate(goodwill) if like
    )


def _breaks(merger: RatedMerger, promise: Promise, table: Table, observation: Observation) -> bool:
    """Whether a merger breaks a promise; only the last turn can break one to cover a company or to pass."""
    covered = NAMES[table.stacks.tops[merger.onto]]
    if promise.kind == "spare":
        return covered == promise.terms["coin"]
    is_due = part(observation, "stage", Stage).number + 1 == promise.terms.get("turn")
    if promise.kind == "cover":
        return is_due and covered != promise.terms["coin"]
    return promise.kind == "pass" and is_due
