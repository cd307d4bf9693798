"""Mergers: which stack may go onto which, the cost, the payment, and the grid afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from games.api import Bound, Choice, Domain, Multiset, OneOf, Refusal
from games.kit.memo import memoize
from games.takeover.rules.values import COLUMNS, Coin, Grid, Merge, Name, suit_of, value_of
from games.takeover.texts import (
    NO_NULL,
    NO_SUCH_PAIR,
    NOT_CASH,
    NOT_ENOUGH,
    NOT_YOUR_COINS,
    NULL_IN_PAY,
    NULL_KEPT,
    NULL_NEEDED,
    OUT_OF_REACH,
    SUPERFLUOUS,
)

MAX_COST: Final = 5


class Way(NamedTuple):
    """A merger of the stack on `source` onto the one on `onto`, with the names of their companies."""

    source: int
    onto: int
    covering: Name
    covered: Name
    cost: int
    worth: int
    touch: bool

    @property
    def pair(self) -> str:
        return f"{self.covering}>{self.covered}"


def is_adjacent(square: int, other: int) -> bool:
    """Whether two squares share a side; gaps never close (TKO-15)."""
    up, across = abs(square // COLUMNS - other // COLUMNS), abs(square % COLUMNS - other % COLUMNS)
    return up + across == 1


def is_aligned(square: int, other: int) -> bool:
    """Whether two squares are in the same row or column, whatever is between them (TKO-16)."""
    return square // COLUMNS == other // COLUMNS or square % COLUMNS == other % COLUMNS


@memoize
def tops(grid: Grid) -> Mapping[Name, int]:
    """The square of each company."""
    return {stack[-1]: square for square, stack in enumerate(grid) if stack}


def cost(covering: Name, covered: Name) -> int:
    """The cost: nothing within one industry, otherwise the value of the covered top (TKO-9, TKO-10)."""
    return 0 if suit_of(covering) == suit_of(covered) else value_of(covered)


@memoize
def ways(grid: Grid) -> Mapping[str, Way]:
    """Every merger the grid allows, by pair: stacks touch or, with a 0 coin, are in line (TKO-11, TKO-16)."""
    ways_by_pair: dict[str, Way] = {}
    for covering, source in tops(grid).items():
        for covered, onto in tops(grid).items():
            if source != onto and is_aligned(source, onto):
                worth = value_of(covering) + len(grid[source]) + len(grid[onto]) - 1
                price = cost(covering, covered)
                way = Way(source, onto, covering, covered, price, worth, is_adjacent(source, onto))
                ways_by_pair[way.pair] = way
    return ways_by_pair


def merge_stacks(grid: Grid, way: Way) -> Grid:
    """The grid after the whole stack has been put on top of the other (TKO-7, TKO-8)."""
    after = list(grid)
    after[way.onto] = grid[way.onto] + grid[way.source]
    after[way.source] = ()
    return tuple(after)


def possible(grid: Grid, cash: int, nulls: int) -> bool:
    """Whether this much cash and this many 0 coins held as cash can pay for a merger (TKO-17)."""
    return any(way.cost <= cash and (way.touch or nulls > 0) for way in ways(grid).values())


# --- paying ---


def purse(hand: Iterable[Coin]) -> tuple[Name, ...]:
    """The cash coins that can be used as payment; 0 coins cannot (TKO-19)."""
    return tuple(coin.name for coin in hand if not coin.stock and value_of(coin.name) > 0)


def nulls(hand: Iterable[Coin]) -> tuple[Name, ...]:
    """The 0 coins held as cash (TKO-18)."""
    return tuple(coin.name for coin in hand if not coin.stock and value_of(coin.name) == 0)


@memoize
def cheapest(coins: tuple[Name, ...]) -> tuple[tuple[Name, ...] | None, ...]:
    """For each cost from 0 to 5, the payment with the least excess and fewest coins; None if impossible."""
    best: dict[int, tuple[Name, ...]] = {0: ()}
    for coin in coins:
        for total, paid in list(best.items()):
            more = total + value_of(coin)
            if total < MAX_COST and (more not in best or len(paid) + 1 < len(best[more])):
                best[more] = (*paid, coin)
    sums = sorted(best)
    return tuple(
        next((best[total] for total in sums if total >= price), None) for price in range(MAX_COST + 1)
    )


def needless(pay: Iterable[Name], price: int) -> bool:
    """Whether a coin could be left out of a payment."""
    values = [value_of(coin) for coin in pay]
    return bool(values) and sum(values) - min(values) >= price


@memoize
def payment(coins: tuple[Name, ...], price: int, exact: bool) -> Multiset | None:
    """The payments that cover this cost; if `exact`, only those without a superfluous coin (TKO-12)."""
    values = tuple(map(value_of, coins))
    return (
        Multiset(coins, None, (Bound(values, price, sum(values)),), exact) if sum(values) >= price else None
    )


# --- legal mergers ---


def refuse(grid: Grid, hand: tuple[Coin, ...], move: Merge, exact: bool) -> Refusal | None:
    """The reason this hand may not make this merger; None if it may."""
    squares = tops(grid)
    covering, _, covered = move.pair.partition(">")
    if covering not in squares or covered not in squares or covering == covered:
        return NO_SUCH_PAIR
    way = ways(grid).get(move.pair)
    if way is None:
        return OUT_OF_REACH
    if way.touch and move.null is not None:
        return NULL_KEPT
    if not way.touch and move.null is None:
        return NULL_NEEDED
    if move.null is not None and move.null not in nulls(hand):
        return NO_NULL
    return _refuse_pay(hand, move.pay, way.cost, exact)


def _refuse_pay(hand: tuple[Coin, ...], pay: tuple[Name, ...], price: int, exact: bool) -> Refusal | None:
    if len(set(pay)) < len(pay) or not {coin.name for coin in hand} >= set(pay):
        return NOT_YOUR_COINS
    cash = {coin.name for coin in hand if not coin.stock}
    if not cash >= set(pay):
        return NOT_CASH
    if any(value_of(coin) == 0 for coin in pay):
        return NULL_IN_PAY
    if sum(map(value_of, pay)) < price:
        return NOT_ENOUGH
    return SUPERFLUOUS if exact and needless(pay, price) else None


@memoize
def choices(grid: Grid, hand: tuple[Coin, ...], exact: bool) -> tuple[Choice, ...]:
    """The mergers this hand can make: one choice for each cost, and separate ones if a 0 coin is needed."""
    coins, special = purse(hand), nulls(hand)
    mergers: list[Choice] = []
    for touch in (True, False) if special else (True,):
        for price in range(MAX_COST + 1):
            pairs = tuple(
                pair for pair, way in sorted(ways(grid).items()) if (way.cost, way.touch) == (price, touch)
            )
            bag = payment(coins, price, exact)
            if pairs and bag is not None:
                fields: dict[str, Domain] = {"pair": OneOf(pairs), "pay": bag}
                mergers.append(Choice("merge", fields if touch else {**fields, "null": OneOf(special)}))
    return tuple(mergers)
