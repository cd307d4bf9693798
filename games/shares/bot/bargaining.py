"""What a seat trades in a market (1g): which offers it takes, and what it proposes.

A trade leaves all prizes and all that is claimed as they are. So what one side gains the other loses, but for
two things: each guesses at what is claimed for itself, and a share is worth more to who has much of its
company, and raises it. Every offer is judged by what all the seat's shares are worth, whatever they were
traded for; so nobody can lead it in a circle.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from games.api import Dice
from games.shares.bot.evaluation import PLACES, Outlook
from games.shares.rules.moves import Propose
from games.shares.rules.pieces import COMPANIES, Company
from games.shares.rules.values import Deal

CLEARLY: Final = 2.0
"""Points a trade has to bring, and a part of what is given: the other may know better."""
OF_THAT: Final = 0.05
FEEDS: Final = 3
"""So many times as much, if it is with who is known to lead."""
PULL: Final = 0.8
"""By how much more a share is worth to who has all of its company, and raises it."""
SOON: Final = 5
"""In so many rounds at the end that is less and less so."""
FAIR: Final = 0.9
"""What is offered is worth so much of what is wished for, at least, to whom it is nothing special."""
BEST: Final = 3
"""Of so many ideas at most, one is proposed."""


class Idea(NamedTuple):
    points: float
    move: Propose


class Scales:
    """Weighs trades for one seat at one moment; `simple` minds no company more than another."""

    def __init__(self, view: Outlook, simple: bool) -> None:
        here = self.here = view.here
        self._plain = [view.share(company) for company in PLACES]
        pull = 0.0 if simple else PULL * min(1.0, here.left / SOON)
        self._worth = [
            worth * (1.0 + pull * part) for worth, part in zip(self._plain, view.parts, strict=True)
        ]
        known = [seat for seat in here.others if here.known[seat] is not None]
        mine = view.standing(here.me)
        first = max(known, key=view.standing, default=None)
        self._leader = first if first is not None and view.standing(first) > mine else None

    def gain(self, give: Sequence[Company], got: Sequence[Company]) -> float:
        """What the seat gains by giving these shares for those, in points."""
        return self._sum(self._worth, got) - self._sum(self._worth, give)

    def good(self, other: int, give: Sequence[Company], got: Sequence[Company]) -> bool:
        """Whether a trade with another is worth it; a gift always is."""
        least = CLEARLY + OF_THAT * self._sum(self._worth, give)
        if not give:
            return True
        return self.gain(give, got) > least * (FEEDS if other == self._leader else 1)

    def fair(self, give: Sequence[Company], got: Sequence[Company]) -> bool:
        """Whether the other may like it."""
        return self._sum(self._plain, give) >= FAIR * self._sum(self._plain, got)

    def _sum(self, worth: Sequence[float], lot: Sequence[Company]) -> float:
        return sum(worth[COMPANIES.index(company)] for company in lot)


def accepts(scales: Scales, deal: Deal) -> bool:
    """Whether an offer that was made to this seat is taken; it has what is wished for."""
    return scales.good(deal.by, deal.wish, deal.give)


def hopeful(scales: Scales) -> bool:
    """Whether there is anything to propose."""
    return any(True for other in scales.here.others for _ in _ideas(scales, other))


def proposal(scales: Scales, to: Sequence[int], dice: Dice) -> Propose | None:
    """Something that makes sense for both: one of the best such ideas, by dice."""
    ideas = [idea for other in to for idea in _ideas(scales, other)]
    found = sorted(ideas, key=lambda idea: idea.points, reverse=True)[:BEST]
    return found[dice.below("idea", len(found))].move if found else None


def _ideas(scales: Scales, other: int) -> Iterator[Idea]:
    """One share for one, two for one, one for two."""
    here = scales.here
    known = here.known[other]
    for give in COMPANIES:
        for wish in COMPANIES:
            for lots in (((give,), (wish,)), ((give,) * 2, (wish,)), ((give,), (wish,) * 2)):
                offered, wished = lots
                owned = here.own.holdings[COMPANIES.index(give)] >= len(offered)
                has = known is None or known.tracker.holdings[COMPANIES.index(wish)] >= len(wished)
                likely = give != wish and owned and has and scales.fair(offered, wished)
                if likely and scales.good(other, offered, wished):
                    yield Idea(scales.gain(offered, wished), Propose(other, offered, wished))
