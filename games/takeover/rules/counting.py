"""Counting: the worth of coins, the winners, and whether anybody can still merge."""

from __future__ import annotations

from collections.abc import Iterable

from games.api import Outcome, Seat
from games.takeover.rules import mergers
from games.takeover.rules.values import (
    Coin,
    Grid,
    Hands,
    Holding,
    Name,
    Reckoning,
    TakeoverOptions,
    suit_of,
    value_of,
)

CASH_OF_ALL = 60
NULLS_OF_ALL = 4


def worth(grid: Grid, coin: Coin) -> int:
    """For cash, its value; for a stock, its tile's value plus the number of tiles under it (5d)."""
    if not coin.stock:
        return value_of(coin.name)
    square = mergers.tops(grid).get(coin.name)
    if square is None:
        raise ValueError(f"{coin.name} is a stock, but its company was swallowed")
    return value_of(coin.name) + len(grid[square]) - 1


def value_hand(grid: Grid, hand: Iterable[Coin]) -> tuple[Holding, ...]:
    return tuple(Holding(coin.name, coin.stock, worth(grid, coin)) for coin in hand)


def total(grid: Grid, hand: Iterable[Coin]) -> int:
    return sum(worth(grid, coin) for coin in hand)


def reckoning(grid: Grid, hands: Hands, spent: tuple[Name, ...]) -> Reckoning:
    """All coins and each seat's total, with all stocks cashed out."""
    totals = tuple(total(grid, hand) for hand in hands)
    return Reckoning(tuple(value_hand(grid, hand) for hand in hands), totals, spent)


def outcome(scores: tuple[int, ...]) -> Outcome:
    """The most money wins; tied seats share the win (GEN-10)."""
    return Outcome(tuple(Seat(seat) for seat, score in enumerate(scores) if score == max(scores)), scores)


def face(coin: Coin) -> str:
    """The side of a coin that is face up: the industry of a stock, the value of cash."""
    return suit_of(coin.name) if coin.stock else str(value_of(coin.name))


def purses(
    options: TakeoverOptions, hands: Iterable[tuple[Coin, ...]], spent: Iterable[Name]
) -> tuple[tuple[int, int], ...]:
    """The cash and 0 coins that may pay for mergers, going by what everybody knows (TKO-17).

    If holdings are concealed, any coin not yet spent may be cash in anybody's hand. The same applies to faces
    if stocks may be cashed out voluntarily, because nobody sees the value underneath. Otherwise only visible
    coins count: all together if seats may trade, seat by seat if not. They include open stocks if those may
    be cashed out voluntarily.
    """
    voluntary = options.voluntary_cash_out
    if options.holdings == "concealed" or (options.holdings == "faces" and voluntary):
        values = [value_of(coin) for coin in spent]
        return ((CASH_OF_ALL - sum(values), NULLS_OF_ALL - values.count(0)),)
    seen = []
    for hand in hands:
        values = [value_of(coin.name) for coin in hand if voluntary or not coin.stock]
        seen.append((sum(values), values.count(0)))
    if options.trading == "off":
        return tuple(seen)
    return ((sum(cash for cash, _ in seen), sum(nulls for _, nulls in seen)),)


def is_over(
    options: TakeoverOptions, grid: Grid, hands: Iterable[tuple[Coin, ...]], spent: Iterable[Name]
) -> bool:
    """Whether nobody can merge any more, judged only by public facts (TKO-17)."""
    return not any(mergers.possible(grid, cash, nulls) for cash, nulls in purses(options, hands, spent))
