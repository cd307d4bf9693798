"""The value of towers to a seat: expected prizes, weighted by the seat's expected fraction of the shares.

A company wins 200 plus 200 for each company it finishes above. So the only unknowns are the probabilities
that each company finishes above each of the others. The taller of two towers is more likely to finish above
the other, and this becomes more certain as the game nears its end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import erf, inf, sqrt
from typing import Final, NamedTuple, TypeAlias

from games.kit.memo import memoize
from games.shares.bot.observation import Sizes, Table, get_next_floor, list_top_floors
from games.shares.rules.pieces import ACTIONS, COMPANIES

COMPANY_COUNT: Final = len(COMPANIES)
INDICES: Final = range(COMPANY_COUNT)
STEP: Final = 200
"""The difference in prize between neighbouring places."""
MAX_DIFFERENCE: Final = 130
"""No two towers can differ by more than this."""
DRIFT: Final = 0.45
"""The variance that each remaining action adds to the difference between two towers."""
LAST_DRIFT: Final = 0.9
"""The value of `DRIFT` in the last round, for which players keep their high cards."""
FOCUS_EXPONENT: Final = 2
"""How strongly `focus` favours the company in which the seat has its largest stake."""
MIN_SPREAD: Final = 0.05
PIPS_PER_FLOOR: Final = 2.5
"""The approximate number of pips per floor."""
NEGLIGIBLE: Final = 1e-6
"""Fewer points than this count as none."""

FloorPlan: TypeAlias = tuple[float, tuple[int, ...], Sizes]
"""A way to add or remove floors: the points gained, the towers changed, and the resulting tower sizes."""


class EvaluationOptions(NamedTuple):
    """The assumptions a bot makes when it evaluates towers and shares."""

    preference: float
    """How strongly others are assumed to prefer companies that win a lot; 0 means not at all."""
    loyalty: float
    """How strongly the seat's own future marks are assumed to favour companies in which it has shares."""


def _get_points(plan: FloorPlan) -> float:
    return plan[0]


# --- how likely one tower is to finish above another ---


@memoize
def compute_above_chances(spread: float, tie: str) -> tuple[float, ...]:
    """For each difference from -MAX_DIFFERENCE up, the expected fraction of a place gained (SSA-2)."""
    chances = []
    for apart in range(-MAX_DIFFERENCE, MAX_DIFFERENCE + 1):
        more, less = _normal_cdf((apart + 0.5) / spread), _normal_cdf((apart - 0.5) / spread)
        chances.append({"high": more, "low": less}.get(tie, (more + less) / 2))
    return tuple(chances)


def _normal_cdf(x: float) -> float:
    return (1 + erf(x / sqrt(2))) / 2


def estimate_spread(table: Table) -> float:
    """The standard deviation of the change still to come in the difference between two towers."""
    actions = sum(table.actions[seat] for seat in table.others if table.can_act(seat))
    if table.kind in ("select", "lowball"):
        actions = ACTIONS * (table.seats - 1)
    final = table.rounds_left == 0
    variance = actions * (LAST_DRIFT if final else DRIFT)
    if not final:
        per_round = ACTIONS * table.seats
        variance += per_round * (LAST_DRIFT + (table.rounds_left - 1) * DRIFT)
    return max(MIN_SPREAD, sqrt(variance) * (PIPS_PER_FLOOR if table.pips else 1))


# --- expected prizes and holdings ---


def expect_prizes(sizes: Sequence[int], above: Sequence[float]) -> list[float]:
    """The expected prize of each company."""
    prizes = [float(STEP)] * COMPANY_COUNT
    for company in INDICES:
        for other in range(company + 1, COMPANY_COUNT):
            apart = sizes[company] - sizes[other]
            prizes[company] += STEP * above[MAX_DIFFERENCE + apart]
            prizes[other] += STEP * above[MAX_DIFFERENCE - apart]
    return prizes


def _estimate_preferences(wins: Sequence[float], preference: float) -> list[float]:
    """For each company, the probability that a seat about which nothing is known marks it."""
    raw: list[float] = [win**preference for win in wins]
    return [weight / sum(raw) for weight in raw]


def _estimate_marking(table: Table, usual: Sequence[float]) -> list[list[float]]:
    """By seat and company, the probability that an unknown mark is for that company.

    For a seat that has shown its tracker, the usual probability is averaged with the frequency of its marks.
    """
    rows = []
    for seat in range(table.seats):
        shown = table.shown[seat]
        if shown is None:
            rows.append([*usual])
        else:
            marks = shown.tracker.marks
            rows.append(
                [
                    (chance + marks.count(company) / max(1, len(marks))) / 2
                    for company, chance in zip(COMPANIES, usual, strict=True)
                ]
            )
    return rows


def estimate_holdings(table: Table, marking: Sequence[Sequence[float]]) -> list[list[float]]:
    """By seat, its known or expected shares of each company."""
    holdings = []
    unknown = [seat for seat in table.others if table.shown[seat] is None]
    for seat in range(table.seats):
        shown = table.shown[seat]
        if seat == table.seat:
            holdings.append([float(held) for held in table.tracker.holdings])
        elif shown is not None:
            marks = table.rounds_marked - shown.round
            row = zip(marking[seat], shown.tracker.holdings, strict=True)
            holdings.append([held + marks * chance for chance, held in row])
        else:  # the seat's own trades, spread over the unknown seats
            row = zip(marking[seat], table.tracker.traded, strict=True)
            holdings.append(
                [max(0.0, table.rounds_marked * chance - more / len(unknown)) for chance, more in row]
            )
    return holdings


class Valuation:
    """The expected prizes and the seat's expected fraction of each.

    `claimed` is the expected number of shares by company, without the seat's own future marks; `later` has
    the seat's expected marks in later rounds; `parts` has the seat's fraction of each company's prize.
    """

    def __init__(self, table: Table, options: EvaluationOptions) -> None:
        self.table = table
        spread = round(estimate_spread(table) * 8) / 8 or MIN_SPREAD
        self.above = compute_above_chances(spread, table.tie)
        self.wins = expect_prizes(table.sizes, self.above)
        marking = _estimate_marking(table, _estimate_preferences(self.wins, options.preference))
        self.rows = estimate_holdings(table, marking)
        to_come = table.rounds_left + (table.kind == "select")
        self.holdings = [float(held) for held in table.tracker.holdings]
        self.claimed = [
            sum(row[company] for row in self.rows)
            + to_come * sum(marking[seat][company] for seat in table.others)
            for company in INDICES
        ]
        later = max(0, to_come - (table.kind == "select"))
        appeal = [
            win * (options.loyalty * held + 1) for win, held in zip(self.wins, self.holdings, strict=True)
        ]
        self.later = [later * weight / sum(appeal) for weight in appeal]
        self.parts = [
            (held + more) / max(1e-9, claimed + more)
            for held, more, claimed in zip(self.holdings, self.later, self.claimed, strict=True)
        ]

    def value_change(self, sizes: Sequence[int], company: int, size: int) -> float:
        """The points gained when a company's tower changes to this size and all others keep their `sizes`."""
        above, parts = self.above, self.parts
        part, before, total = parts[company], sizes[company], 0.0
        for other in INDICES:
            if other != company:
                old, new = before - sizes[other], size - sizes[other]
                total += part * (above[MAX_DIFFERENCE + new] - above[MAX_DIFFERENCE + old])
                total += parts[other] * (above[MAX_DIFFERENCE - new] - above[MAX_DIFFERENCE - old])
        return STEP * total

    def value_share(self, company: int) -> float:
        """The value of one share of a company."""
        return self.wins[company] / max(1.0, self.claimed[company] + self.later[company])

    def value_holdings(self, seat: int) -> float:
        """The value of all of a seat's shares."""
        return sum(held * self.value_share(company) for company, held in enumerate(self.rows[seat]))

    # floors

    def plan_floors(self, suit: str, count: int, thorough: bool) -> tuple[float, tuple[int, ...]]:
        """The best gain from up to `count` hearts or spades, and the towers to change if it is worthwhile.

        With `thorough`, tries every combination; otherwise only greedy ones and ones on a single tower.
        """
        sizes = self.table.sizes
        best: FloorPlan = (NEGLIGIBLE, (), sizes)
        single_tower = [
            plan for company in INDICES for plan in self._extend_one(suit, count, (0.0, (), sizes), company)
        ]
        candidates = [*single_tower]
        if thorough:
            plans = single_tower
            for _ in range(count - 1):
                plans = [longer for plan in plans for longer in self._extend_all(suit, plan)]
                candidates.extend(plans)
        elif count > 1:
            plan = max((plan for plan in single_tower if len(plan[1]) == 1), key=_get_points, default=best)
            while len(plan[1]) < count and (longer_plans := self._extend_all(suit, plan)):
                plan = max(longer_plans, key=_get_points)
                candidates.append(plan)
        best = max((best, *candidates), key=_get_points)
        return (best[0], best[1]) if best[1] else (0.0, ())

    def plan_from(self, suit: str, count: int, company: int) -> float:
        """The gain from up to `count` hearts or spades, the first on this tower; minus infinity if it cannot
        be changed."""
        plan = self.extend_plan(suit, (0.0, (), self.table.sizes), company)
        if plan is None:
            return -inf
        best = plan[0]
        while len(plan[1]) < count and (longer_plans := self._extend_all(suit, plan)):
            plan = max(longer_plans, key=_get_points)
            best = max(best, plan[0])
        return best

    def _extend_one(self, suit: str, count: int, plan: FloorPlan, company: int) -> Iterator[FloorPlan]:
        """The plan with one more change to this company's tower, with two more, and so on."""
        for _ in range(count):
            longer = self.extend_plan(suit, plan, company)
            if longer is None:
                return
            plan = longer
            yield plan

    def _extend_all(self, suit: str, plan: FloorPlan) -> list[FloorPlan]:
        """The plans with one more change to any company's tower."""
        return [
            longer for company in INDICES if (longer := self.extend_plan(suit, plan, company)) is not None
        ]

    def extend_plan(self, suit: str, plan: FloorPlan, company: int) -> FloorPlan | None:
        points, towers, sizes = plan
        size = self._resize(suit, towers, sizes[company], company)
        if size is None:
            return None
        after = [*sizes]
        after[company] = size
        return points + self.value_change(sizes, company, size), (*towers, company), after

    def _resize(self, suit: str, towers: tuple[int, ...], size: int, company: int) -> int | None:
        """A tower's size after one more use, once `towers` have been changed; None if impossible."""
        if suit == "H":
            more = get_next_floor(self.table, len(towers))
            return size + more if more else None
        floors = list_top_floors(self.table, company)
        removed = towers.count(company)
        return size - floors[removed] if removed < len(floors) else None

    # marks

    def value_mark(self, company: int, dilutes: bool, focus: float) -> float:
        """The gain from one more share of a company.

        With `dilutes`, one more share makes the seat's other shares in the company worth less. `focus` is the
        extra weight of the company in which the seat has the largest stake, since that is the one it raises.
        """
        held = self.holdings[company] + self.later[company]
        claimed = self.claimed[company] + self.later[company]
        gain = 1 / (claimed + 1)
        if dilutes:
            gain = (held + 1) / (claimed + 1) - (held / claimed if claimed else 0.0)
        most = max(self.parts)
        return self.wins[company] * gain * (1 + focus * (self.parts[company] / most) ** FOCUS_EXPONENT)
