"""How the bot trades in a market (1g): which offers it accepts and what it proposes.

A trade changes neither the prizes nor the number of shares. So one side gains what the other loses, with two
exceptions: each side makes its own estimate of the shares, and a share is worth more to a seat that holds a
large part of its company and raises its tower. Every offer is judged by the value of all the seat's shares,
whatever they were traded for, so a chain of trades cannot drain the bot.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from games.api import Dice
from games.shares.bot.evaluation import INDICES, Valuation
from games.shares.rules.moves import Propose
from games.shares.rules.pieces import COMPANIES, Company
from games.shares.rules.values import Deal

MIN_GAIN: Final = 2.0
"""Points a trade must gain, since the other side may know more."""
MIN_GAIN_PART: Final = 0.05
"""Fraction of the value given away that a trade must gain in addition."""
LEADER_FACTOR: Final = 3
"""Multiplies the gain required from a trade with the known leader."""
OWNER_BONUS: Final = 0.8
"""The extra value of a share to a seat that holds all shares of its company and raises its tower."""
FADING_ROUNDS: Final = 5
"""The number of final rounds over which the bonus fades out."""
FAIR: Final = 0.9
"""An offer must be worth at least this fraction of what it asks for."""
SHORTLIST: Final = 3
"""The bot picks at random from this many of the best proposals."""


class Proposal(NamedTuple):
    points: float
    move: Propose


class TradeEvaluator:
    """Rates trades for one seat in one position; with `simple`, it favours no company."""

    def __init__(self, valuation: Valuation, simple: bool) -> None:
        table = self.table = valuation.table
        self._common_values = [valuation.value_share(company) for company in INDICES]
        bonus = 0.0 if simple else OWNER_BONUS * min(1.0, table.rounds_left / FADING_ROUNDS)
        self._values = [
            value * (1.0 + bonus * part)
            for value, part in zip(self._common_values, valuation.parts, strict=True)
        ]
        shown = [seat for seat in table.others if table.shown[seat] is not None]
        standing = valuation.value_holdings(table.seat)
        first = max(shown, key=valuation.value_holdings, default=None)
        leads = first is not None and valuation.value_holdings(first) > standing
        self._leader = first if leads else None

    def rate(self, give: Sequence[Company], receive: Sequence[Company]) -> float:
        """The seat's gain in points from this exchange."""
        return self._sum(self._values, receive) - self._sum(self._values, give)

    def is_good(self, other: int, give: Sequence[Company], receive: Sequence[Company]) -> bool:
        """Whether a trade with another seat is worth making; a gift always is."""
        required = MIN_GAIN + MIN_GAIN_PART * self._sum(self._values, give)
        if not give:
            return True
        return self.rate(give, receive) > required * (LEADER_FACTOR if other == self._leader else 1)

    def is_fair(self, give: Sequence[Company], receive: Sequence[Company]) -> bool:
        """Whether the trade might suit the other side."""
        return self._sum(self._common_values, give) >= FAIR * self._sum(self._common_values, receive)

    def _sum(self, values: Sequence[float], lot: Sequence[Company]) -> float:
        return sum(values[COMPANIES.index(company)] for company in lot)


def accepts(evaluator: TradeEvaluator, deal: Deal) -> bool:
    """Whether the seat accepts an offer made to it; it must have the shares that are asked for."""
    return evaluator.is_good(deal.by, deal.wish, deal.give)


def has_proposal(evaluator: TradeEvaluator) -> bool:
    """Whether there is anything to propose."""
    return any(True for other in evaluator.table.others for _ in _list_proposals(evaluator, other))


def choose_proposal(evaluator: TradeEvaluator, to: Sequence[int], dice: Dice) -> Propose | None:
    """Picks at random from the best proposals that make sense for both sides; None if there are none."""
    proposals = [proposal for other in to for proposal in _list_proposals(evaluator, other)]
    best = sorted(proposals, key=lambda proposal: proposal.points, reverse=True)[:SHORTLIST]
    return best[dice.below("idea", len(best))].move if best else None


def _list_proposals(evaluator: TradeEvaluator, other: int) -> Iterator[Proposal]:
    """Exchanges of one share for one, two for one, and one for two."""
    table = evaluator.table
    shown = table.shown[other]
    for give in COMPANIES:
        for wish in COMPANIES:
            if give == wish:
                continue
            for lots in (((give,), (wish,)), ((give,) * 2, (wish,)), ((give,), (wish,) * 2)):
                offered, wished = lots
                affordable = table.tracker.holdings[COMPANIES.index(give)] >= len(offered)
                available = shown is None or shown.tracker.holdings[COMPANIES.index(wish)] >= len(wished)
                plausible = affordable and available and evaluator.is_fair(offered, wished)
                if plausible and evaluator.is_good(other, offered, wished):
                    yield Proposal(evaluator.rate(offered, wished), Propose(other, offered, wished))
