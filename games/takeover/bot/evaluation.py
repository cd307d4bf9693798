"""The value of mergers to a seat: their immediate effect, and what they allow it and others to do next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Final, NamedTuple

from games.takeover.bot.observation import EMPTY, FAR, NEAR, NUMBER, SUIT, VALUE, Stacks, Table
from games.takeover.rules import mergers
from games.takeover.rules.values import NAMES, Merge, Name

RIVALS: Final = 0.5
"""The weight of the opponents' points for `normal` (5g)."""
NULL: Final = 1.0
"""The value of a 0 coin held as cash, for `normal`."""
WIDTH: Final = 20
"""`hard` looks ahead from at most this many mergers: those with the best immediate effect."""

DOUBT: Final = 1.0
"""The number of standard deviations by which a seat may be richer than it seems, before all pass.

With 0.5, one seat in ten that proposed to pass was behind; with 1.0, one in fifty."""


class EvaluationWeights(NamedTuple):
    """The weight of each factor in points."""

    rivals: float = 0.35
    """A point that any opponent gains."""
    leader: float = 0.35
    """The additional weight if that opponent leads."""
    danger: float = 0.7
    """The chance that an opponent's stock covers a stack when that is profitable."""
    spite: float = 0.1
    """The chance that it does so when that is free but brings no profit."""
    slack: float = 1.5
    """The profit at which a stack is half as likely to be covered as at unlimited profit."""
    chance: float = 0.35
    """The fraction of the next merger's profit that counts; half as much for the one after it."""
    null: float = 1.0
    """A 0 coin held as cash."""


WEIGHTS: Final = EvaluationWeights()
"""No variant with a single weight changed won clearly more games with three and five seats."""


class RatedMerger(NamedTuple):
    """A merger that the seat can pay for, and its value in points."""

    points: float
    source: int
    onto: int
    cost: int
    adjacent: bool


def compute_price(covering: int, covered: int) -> int:
    """The cost of a merger: nothing within one industry (TKO-9)."""
    return 0 if SUIT[covering] == SUIT[covered] else VALUE[covered]


# --- the opponents ---


def weigh_opponents(table: Table, rivals: float, leader: float) -> list[float]:
    """By seat, the weight of its points: `rivals` split among the opponents, plus `leader` for a leader."""
    weights = [rivals / (table.seats - 1)] * table.seats
    weights[table.seat] = 0.0
    most = max(total for seat, total in enumerate(table.totals) if seat != table.seat)
    for seat, total in enumerate(table.totals):
        if seat != table.seat and total == most:
            weights[seat] += leader
    return weights


def weigh_stocks(table: Table, weights: Sequence[float]) -> list[float]:
    """By company, the weight of a point that its stock gains for opponents."""
    return [sum(share * weight for share, weight in zip(row, weights, strict=True)) for row in table.shares]


# --- the end ---


def may_lose_now(table: Table) -> bool:
    """Whether, if nobody merged any more, another seat would win alone, as far as this seat can tell.

    What it does not know about a seat's stocks counts in that seat's favour.
    """
    seats = (seat for seat in range(table.seats) if seat != table.seat)
    return any(_estimate_high_total(table, seat) > table.totals[table.seat] for seat in seats)


def _estimate_high_total(table: Table, seat: int) -> float:
    """A seat's estimated total plus `DOUBT` standard deviations of what tall stacks may add to it."""
    variance = 0.0
    for top, height in zip(*table.stacks, strict=True):
        if height > 1:
            share = table.shares[top][seat]
            variance += share * (1.0 - share) * (height - 1) ** 2
    return table.totals[seat] + DOUBT * sqrt(variance)


# --- the immediate effect ---


def list_mergers(table: Table, stock_weights: Sequence[float], null: float) -> Iterator[RatedMerger]:
    """Every merger the seat can pay for, rated by its immediate effect; spending a 0 coin costs `null`."""
    tops, heights = table.stacks
    stocks = table.purse.stocks
    payments = [None if coins is None else sum(VALUE[NUMBER[coin]] for coin in coins) for coins in table.pay]
    reaches = ((True, NEAR), (False, FAR)) if table.purse.nulls else ((True, NEAR),)
    for onto, covered in enumerate(tops):
        if covered == EMPTY:
            continue
        height = heights[onto]
        lost = (height - 1) * (1.0 if covered in stocks else -stock_weights[covered])
        for adjacent, neighbours in reaches:
            for source in neighbours[onto]:
                covering = tops[source]
                if covering == EMPTY:
                    continue
                cost = compute_price(covering, covered)
                spent = payments[cost]
                if spent is None:
                    continue
                won = height * (1.0 if covering in stocks else -stock_weights[covering])
                points = won - lost - spent - (0.0 if adjacent else null)
                yield RatedMerger(points, source, onto, cost, adjacent)


# --- looking ahead ---


def evaluate_stacks(
    stacks: Stacks,
    stocks: frozenset[int],
    others: Sequence[float],
    stock_weights: Sequence[float],
    cash: int,
    weights: EvaluationWeights,
) -> float:
    """The expected future change in a seat's points, given its stocks and the value of its cash.

    By company, `others` is the chance that an opponent has its stock, and `stock_weights` the weight of
    a point that it gains.
    """
    tops, heights = stacks
    danger, spite, slack = weights.danger, weights.spite, weights.slack
    points = first = second = 0.0
    for onto, covered in enumerate(tops):
        if covered == EMPTY:
            continue
        height, owned, safety = heights[onto], covered in stocks, 1.0
        for source in NEAR[onto]:
            covering = tops[source]
            if covering == EMPTY:
                continue
            cost = 0 if SUIT[covering] == SUIT[covered] else VALUE[covered]
            profit = height - cost
            if covering not in stocks:
                if profit > 0:
                    safety *= 1.0 - danger * others[covering] * profit / (profit + slack)
                if not cost:
                    safety *= 1.0 - spite
            elif profit > 0 and cost <= cash:
                if owned:
                    profit -= height - 1
                else:
                    safety *= 1.0 - danger * profit / (profit + slack)
                if profit > first:
                    first, second = profit, first
                elif profit > second:
                    second = profit
        if height > 1:
            points += (height - 1) * (1.0 - safety) * (-1.0 if owned else stock_weights[covered])
    return points + weights.chance * (first + second / 2)


# --- levels ---


def rate_by_total(table: Table) -> list[RatedMerger]:
    """Rates mergers by the immediate change in the seat's own total (`easy`)."""
    return list(list_mergers(table, (0.0,) * len(NAMES), 0.0))


def rate_by_totals(table: Table) -> list[RatedMerger]:
    """Rates mergers by the immediate change in all totals (`normal`, 5g)."""
    return list(list_mergers(table, weigh_stocks(table, weigh_opponents(table, RIVALS, 0.0)), NULL))


def rate_by_prospects(table: Table, weights: EvaluationWeights = WEIGHTS) -> list[RatedMerger]:
    """Rates mergers by their immediate effect and the change in prospects (`hard`)."""
    stock_weights = weigh_stocks(table, weigh_opponents(table, weights.rivals, weights.leader))
    others = [sum(row) for row in table.shares]
    stocks, cash = table.purse.stocks, sum(VALUE[coin] for coin in table.purse.cash)
    before = evaluate_stacks(table.stacks, stocks, others, stock_weights, cash, weights)
    rated = []
    for merger in sorted(list_mergers(table, stock_weights, weights.null), reverse=True)[:WIDTH]:
        after = table.stacks.merge(merger.source, merger.onto)
        left = stocks - {table.stacks.tops[merger.onto]}
        change = evaluate_stacks(after, left, others, stock_weights, cash - merger.cost, weights) - before
        rated.append(merger._replace(points=merger.points + change))
    return rated


# --- making the move ---


def make_move(table: Table, merger: RatedMerger) -> Merge:
    """The move, paid with the cheapest coins."""
    tops = table.stacks.tops
    null = None if merger.adjacent else NAMES[table.purse.nulls[0]]
    names = f"{NAMES[tops[merger.source]]}>{NAMES[tops[merger.onto]]}"
    return Merge(names, table.pay[merger.cost] or (), null)


def cash_out_level(table: Table) -> Table:
    """The table as if stocks that have not grown were cash: cashing them out loses nothing (TKO-6)."""
    more = sorted(table.purse.stocks & table.stacks.list_level())
    cash = (*table.purse.cash, *(coin for coin in more if VALUE[coin]))
    nulls = (*table.purse.nulls, *(coin for coin in more if not VALUE[coin]))
    pay = mergers.cheapest(tuple(NAMES[coin] for coin in cash))
    return table._replace(purse=table.purse._replace(cash=cash, nulls=nulls), pay=pay)


def list_needed_stocks(table: Table, rich: Table, merger: RatedMerger) -> tuple[Name, ...]:
    """The stocks to cash out for a merger in `rich`, which is `cash_out_level(table)`; none if impossible."""
    move = make_move(rich, merger)
    coins = (*move.pay, *(() if move.null is None else (move.null,)))
    needed = tuple(coin for coin in coins if NUMBER[coin] in table.purse.stocks)
    tops = table.stacks.tops
    used = {NAMES[tops[merger.source]], NAMES[tops[merger.onto]]}
    return () if used & set(needed) else needed
