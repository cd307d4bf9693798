"""What may be promised in Almost: to bid a number in a round, or not to (R30)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

from msgspec.structs import replace

from games.almost.rules.rounds import deciding_scores
from games.almost.rules.values import Lock, Plans, Readiness, Score, Stage
from games.api import Choice, Judgement, Promise, PromiseEvent, PromiseRules, PublicView, Range, Seat
from games.kit.promises import section

AHEAD: Final = 1
"""The number of rounds ahead that may be promised."""
BACKED: Final = "backed"
"""The term for the last backing of a plan against a promise that was there when it was made (`Plans`)."""


class AlmostPromises(PromiseRules):
    """`bid`: this number in this round; `avoid`: any other number in this round."""

    kinds = ("bid", "avoid")

    def choices(self, view: PublicView, seat: Seat) -> tuple[Choice, ...]:
        stage = section(view, "stage", Stage)
        first = stage.round + (stage.phase == "reveal")
        if stage.phase == "end" or first > stage.rounds:
            return ()
        rounds = Range(first, min(first + AHEAD, stage.rounds))
        fields = {"number": Range(1, stage.most), "round": rounds}
        return tuple(Choice(kind, fields) for kind in self.kinds)

    def complete(self, promise: Promise, view: PublicView) -> Promise:
        """Adds the last backing of a plan against this promise: only later ones release it."""
        plans = section(view, "plans", Plans)
        if promise.terms["round"] != section(view, "stage", Stage).round:
            return promise
        to = _list_holders(promise, len(plans.backings))
        against = [
            plans.backings[seat]
            for plan in plans.plans
            if not _allows(promise, plan.bids[promise.by])
            for seat in plan.behind
            if seat in to
        ]
        return replace(promise, terms={**promise.terms, BACKED: max(against)}) if against else promise

    def judge(self, promise: Promise, event: PromiseEvent) -> Judgement | None:
        """Decided once the round's numbers are shown, whoever chose this one: the clock does not excuse.

        It lapses if its seat bids what all those it was made to have since asked of it by backing a plan.
        """
        rows = section(event.after, "score", Score).rows
        this_round = promise.terms["round"]
        assert isinstance(this_round, int)
        if len(rows) < this_round:
            return None
        bid = rows[this_round - 1].bids[promise.by]
        if _allows(promise, bid):
            return "kept"
        return "lapsed" if is_asked_for(promise, bid, section(event.after, "plans", Plans)) else "broken"

    def breaks(self, promise: Promise, move: Any, view: PublicView) -> bool:
        """A number is locked in secret, and shown once everybody has locked one."""
        stage = section(view, "stage", Stage)
        if not isinstance(move, Lock) or move.number is None or promise.terms["round"] != stage.round:
            return False
        if _allows(promise, move.number):
            return False
        return not is_asked_for(promise, move.number, section(view, "plans", Plans))

    def acts(self, promise: Promise, event: PromiseEvent) -> bool:
        """The seat locks or unlocks a number, or the clock locks it."""
        if section(event.before, "stage", Stage).phase != "bid":
            return False
        had_locked = section(event.before, "readiness", Readiness).done[promise.by]
        if section(event.after, "stage", Stage).phase != "bid":
            return not had_locked
        return section(event.after, "readiness", Readiness).done[promise.by] != had_locked

    def contradicts(self, promise: Promise, other: Promise, view: PublicView) -> bool:
        """A seat bids one number in a round. Of two numbers it cannot avoid both."""
        if promise.terms["round"] != other.terms["round"]:
            return False
        is_same = promise.terms["number"] == other.terms["number"]
        if promise.kind == other.kind == "avoid":
            return not is_same and section(view, "stage", Stage).most == 2
        return is_same != (promise.kind == other.kind)

    def standing(self, view: PublicView) -> tuple[int, ...]:
        """The score that decides the game: points or, by default in Banbury, the rounds won."""
        score = section(view, "score", Score)
        return deciding_scores(section(view, "stage", Stage), score.points, score.wins)


def _allows(promise: Promise, bid: int) -> bool:
    """Whether the maker of a promise keeps it with this number."""
    return (bid == promise.terms["number"]) == (promise.kind == "bid")


def is_asked_for(promise: Promise, bid: int, plans: Plans) -> bool:
    """Whether all that a promise was made to have backed one plan since, with this number for its maker."""
    return any(
        plan.bids[promise.by] == bid and is_released_by(promise, plan.behind, plans.backings)
        for plan in plans.plans
    )


def is_released_by(promise: Promise, behind: Collection[Seat], backings: Sequence[int]) -> bool:
    """Whether all recipients back the plan, and did so after the promise was made.

    `backings` as in `Plans`.
    """
    earlier = int(promise.terms.get(BACKED, 0))
    return all(seat in behind and backings[seat] > earlier for seat in _list_holders(promise, len(backings)))


def _list_holders(promise: Promise, seats: int) -> tuple[Seat, ...]:
    """The seats that a promise was made to."""
    return promise.to or tuple(Seat(seat) for seat in range(seats) if seat != promise.by)
