"""What another seat could do on its next turn, as far as this seat knows."""

from __future__ import annotations

from collections import Counter
from typing import Final

from games.api import Observation
from games.kit.observations import part
from games.takeover.bot.evaluation import compute_price
from games.takeover.bot.observation import EMPTY, FAR, NEAR, NUMBER, VALUE, Table
from games.takeover.rules.promises import MERGED, SWAPPED, TRADED
from games.takeover.rules.values import NAMES, Draft, Hand, Holdings

SPECIAL: Final = "takeover.special"
"""The line about a merger for which a seat has discarded a 0 coin."""


def can_cover(observation: Observation, table: Table, seat: int, company: int) -> bool:
    """Whether another seat could cover this company in this position, for all that this seat knows."""
    tops = table.stacks.tops
    if company not in tops:
        return False
    square, values = tops.index(company), _list_possible_values(observation, table, seat)
    sources = [*NEAR[square], *(FAR[square] if 0 in values else ())]
    prices = [compute_price(tops[source], company) for source in sources if tops[source] != EMPTY]
    return any(price <= sum(values) for price in prices)


def _list_possible_values(observation: Observation, table: Table, seat: int) -> list[int]:
    """The values of the coins that a seat may have as cash: at least as much as it really has."""
    holdings = part(observation, "holdings", Holdings)
    if holdings.coins is not None:
        return [VALUE[NUMBER[coin.name]] for coin in holdings.coins[seat] if not coin.stock]
    if holdings.faces is not None:
        return [int(face) for face in holdings.faces[seat] if face.isdigit()]
    kept = _list_kept_picks(observation, seat)
    if len(kept) == holdings.counts[seat]:
        return kept
    held = {coin.name for coin in part(observation, "hand", Hand).coins}  # also what its move pays
    left = Counter(VALUE[NUMBER[name]] for name in NAMES if name not in held)
    left.subtract(holdings.spent)
    richest = sorted(left.elements(), reverse=True)[: holdings.counts[seat]]
    return [*richest, 0] if richest and left[0] > 0 else richest


def _list_kept_picks(observation: Observation, seat: int) -> list[int]:
    """The values that a seat has picked and not spent; none if it has traded."""
    picks = part(observation, "draft", Draft).picks
    kept: Counter[int] = Counter(pick.value for pick in picks if pick.seat == seat)
    for line in observation.lines:
        if line.key in (TRADED, SWAPPED) and seat in (line.args["seat"], line.args["other"]):
            return []
        paid = line.args["paid"] if line.key in MERGED and line.args["seat"] == seat else ()
        if isinstance(paid, list | tuple):
            kept.subtract(int(str(value)) for value in paid)
            kept[0] -= line.key == SPECIAL
    return sorted(kept.elements())
