"""What a bot remembers of others: whom it owes something, and who has wronged it.

All of it is read again from each observation: the log lines, the promises and what was said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from games.api import Observation, Promise, Seat, Temper
from games.kit.observations import part
from games.kit.promises import list_open
from games.shares.rules.pieces import COMPANIES
from games.shares.rules.values import Stage

RAISED: Final = "shares.added"
LOWERED: Final = "shares.removed"
BROKEN_WEIGHT: Final = 3.0
"""A broken promise weighs as much as this many floors."""
BEFORE: Final = -1
"""A table time before every other."""


class Deed(NamedTuple):
    """A floor added or removed by a seat."""

    seat: Seat
    company: str
    is_raise: bool
    round: int
    at: int


class Memory(NamedTuple):
    """What one seat knows about the dealings of all seats."""

    seat: Seat
    round: int
    deeds: tuple[Deed, ...]
    """Oldest first."""
    promises: tuple[Promise, ...]
    spoke_at: int
    """When this seat last said something."""

    def list_new(self, *, is_raise: bool, company: str) -> list[Deed]:
        """What others have done to a tower in this round or the last since this seat last spoke, latest
        first."""
        return [
            deed
            for deed in reversed(self.deeds)
            if (deed.is_raise, deed.company) == (is_raise, company)
            and deed.seat != self.seat
            and deed.at > self.spoke_at
            and deed.round >= self.round - 1
        ]

    def find_tower_of(self, seat: int) -> str | None:
        """The tower that a seat has raised most often, and last."""
        raised = Counter(deed.company for deed in reversed(self.deeds) if deed.is_raise and deed.seat == seat)
        return max(raised, key=raised.__getitem__, default=None)

    def list_own_open(self) -> list[Promise]:
        """The promises of this seat for this round that are open."""
        open_promises = list_open(self.promises, self.seat)
        return [promise for promise in open_promises if promise.terms["round"] == self.round]

    def concerns_me(self, promise: Promise) -> bool:
        """Whether another seat made this promise to this one, among others."""
        return promise.by != self.seat and (not promise.to or self.seat in promise.to)

    def has_broken(self, seat: int) -> bool:
        """Whether a seat has broken a promise to this one, or to all."""
        return any(
            promise.by == seat and promise.judgement == "broken" and not promise.excused
            for promise in self.promises
            if self.concerns_me(promise)
        )

    def rate_seats(self, seats: int, own_company: str, temper: Temper, rounds: int) -> list[float]:
        """How well this seat likes each seat: thanks fade with `warmth`, wrongs are forgotten by `grudge`."""
        since = self.round - rounds * temper.grudge / 100
        liking = [0.0] * seats
        for deed in self.deeds:
            if deed.seat != self.seat and deed.company == own_company:
                if deed.is_raise:
                    liking[deed.seat] += temper.warmth / 100
                elif deed.round >= since:
                    liking[deed.seat] -= 1.0
        for promise in self.promises:
            if self.concerns_me(promise) and not promise.excused:
                if promise.judgement == "kept":
                    liking[promise.by] += temper.warmth / 100
                elif promise.judgement == "broken" and int(promise.terms["round"]) >= since:
                    liking[promise.by] -= BROKEN_WEIGHT
        return liking


def remember(observation: Observation) -> Memory:
    """Reads the deeds of all seats and this seat's own last word from an observation."""
    stage = part(observation, "stage", Stage)
    deeds: list[Deed] = []
    number = stage.round
    for line in reversed(observation.lines):
        if line.key == "shares.round":
            number -= 1
        elif line.key in (RAISED, LOWERED):
            seat, company = Seat(_read_number(line.args["seat"])), str(line.args["company"])
            deeds.append(Deed(seat, company, line.key == RAISED, number, line.at))
    spoke_at = next(
        (said.at for said in reversed(observation.messages) if said.seat == observation.seat), BEFORE
    )
    return Memory(observation.seat, stage.round, tuple(reversed(deeds)), observation.promises, spoke_at)


def _read_number(value: object) -> int:
    return value if isinstance(value, int) else BEFORE


def lean(memory: Memory, suit: str, liking: Sequence[float], keeps: Sequence[Promise]) -> tuple[float, ...]:
    """By company, how much the seat would like to change its tower, apart from what it gains.

    It likes to keep these promises, to raise the towers of those who have helped it, and to lower those of
    the others. One is as much as a promise.
    """
    leaning = dict.fromkeys(COMPANIES, 0.0)
    for seat, liked in enumerate(liking):
        tower = memory.find_tower_of(seat) if liked else None
        for company in COMPANIES:
            if company == tower:
                leaning[company] += max(-0.4, min(0.4, liked / 5)) * (1 if suit == "H" else -1)
    wanted = ("raise", "help") if suit == "H" else ("lower",)
    for promise in keeps:
        for company in COMPANIES:
            if company == promise.terms.get("company"):
                leaning[company] += (promise.kind in wanted) - 2 * (suit == "S" and promise.kind == "leave")
    return tuple(leaning[company] for company in COMPANIES)
