"""A Takeover observation, unpacked for the bot: the stacks, the seat's coins, and estimates of the rest.

Companies and coins are numbers here, 6 * suit + value: their indices in `NAMES`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from games.api import Observation
from games.kit.memo import memoize
from games.kit.observations import part
from games.takeover.rules.mergers import is_adjacent, is_aligned
from games.takeover.rules.values import (
    LAPSES,
    NAMES,
    SQUARES,
    SUITS,
    Board,
    Coin,
    Draft,
    Hand,
    Holdings,
    Name,
    Passes,
    Stage,
)

NUMBER: Final[Mapping[Name, int]] = {name: number for number, name in enumerate(NAMES)}
VALUE: Final = tuple(number % 6 for number in range(len(NAMES)))
SUIT: Final = tuple(number // 6 for number in range(len(NAMES)))
EMPTY: Final = -1
"""The top of an empty square."""

NEAR: Final = tuple(
    tuple(other for other in range(SQUARES) if is_adjacent(square, other)) for square in range(SQUARES)
)
"""By square, the squares that touch it."""
FAR: Final = tuple(
    tuple(
        other
        for other in range(SQUARES)
        if other != square and is_aligned(square, other) and not is_adjacent(square, other)
    )
    for square in range(SQUARES)
)
"""By square, the squares that a 0 coin connects to it (TKO-16)."""

STOCK_CHANCE: Final = 0.8
"""The chance that a coin is a stock while its company has covered nothing."""
GROWN_STOCK_CHANCE: Final = 0.9
"""That chance once the company has grown, since somebody wanted it to."""
TRADED_PICKS: Final = 0.3
"""The number added to each seat's picks of every value, because coins change hands."""


class Stacks(NamedTuple):
    """The grid: the company on each square, or EMPTY, and the height of its stack."""

    tops: list[int]
    heights: list[int]

    def merge(self, source: int, onto: int) -> Stacks:
        """The grid after the stack on one square has been put on top of another (TKO-7, TKO-8)."""
        tops, heights = self.tops.copy(), self.heights.copy()
        tops[onto], tops[source] = tops[source], EMPTY
        heights[onto], heights[source] = heights[onto] + heights[source], 0
        return Stacks(tops, heights)

    def list_level(self) -> set[int]:
        """The companies that have covered nothing."""
        return {top for top, height in zip(*self, strict=True) if height == 1}


class Purse(NamedTuple):
    """A hand of coins: the stocks, the cash that can pay, and the 0 coins held as cash."""

    stocks: frozenset[int]
    cash: tuple[int, ...]
    nulls: tuple[int, ...]


def sort_coins(coins: Sequence[Coin]) -> Purse:
    cash = [NUMBER[coin.name] for coin in coins if not coin.stock]
    return Purse(
        frozenset(NUMBER[coin.name] for coin in coins if coin.stock),
        tuple(coin for coin in cash if VALUE[coin]),
        tuple(coin for coin in cash if not VALUE[coin]),
    )


class Table(NamedTuple):
    """The table during play, as one seat sees it."""

    seat: int
    seats: int
    wait: int
    """The number of other seats' turns before this seat's own."""
    stacks: Stacks
    hand: tuple[Coin, ...]
    purse: Purse
    pay: tuple[tuple[Name, ...] | None, ...]
    """The cheapest payment for each cost."""
    shares: Sequence[Sequence[float]]
    """By company and seat, the chance that the seat holds its stock; 0 for this seat's own coins."""
    totals: Sequence[float]
    """The current estimated total of each seat."""


def read_stacks(board: Board) -> Stacks:
    return Stacks(
        [EMPTY if stack is None else NUMBER[stack.tiles[-1]] for stack in board.stacks],
        [0 if stack is None else len(stack.tiles) for stack in board.stacks],
    )


def read_table(observation: Observation) -> Table:
    """Unpacks what a seat sees during play."""
    stacks = read_stacks(part(observation, "board", Board))
    hand = part(observation, "hand", Hand)
    coins = tuple(Coin(coin.name, coin.stock) for coin in hand.coins)
    draft, holdings = part(observation, "draft", Draft), part(observation, "holdings", Holdings)
    shares = estimate_shares(observation.seat, stacks, coins, draft, holdings)
    totals = _estimate_totals(observation.seat, hand.total, stacks, draft, holdings, shares)
    return Table(
        observation.seat,
        observation.seats,
        read_wait(observation),
        stacks,
        coins,
        sort_coins(coins),
        hand.pay,
        shares,
        totals,
    )


def read_wait(observation: Observation) -> int:
    """The number of other seats' turns before this seat's own."""
    turn = part(observation, "stage", Stage).turn
    return 0 if turn is None else (observation.seat - turn) % observation.seats


def ends_by_pass(observation: Observation) -> bool:
    """Whether the game ends if this seat passes, since all others have (TKO-21)."""
    passes = part(observation, "passes", Passes)
    others = (seat for seat in range(observation.seats) if seat != observation.seat)
    return all(passes.passed[seat] or passes.lapses[seat] >= LAPSES for seat in others)


# --- who holds what ---


@memoize
def _count_picks(draft: Draft, seats: int) -> tuple[tuple[int, ...], ...]:
    """By seat and value, the number of coins the seat picked."""
    counts = [[0] * 6 for _ in range(seats)]
    for pick in draft.picks:
        counts[pick.seat][pick.value] += 1
    return tuple(map(tuple, counts))


def estimate_shares(
    viewer: int, stacks: Stacks, hand: Sequence[Coin], draft: Draft, holdings: Holdings
) -> list[list[float]]:
    """By company and seat, the chance that the seat holds its stock."""
    seats = len(holdings.counts)
    shares = [[0.0] * seats for _ in NAMES]
    held = {NUMBER[coin.name] for coin in hand}
    if holdings.coins is not None:
        for seat, coins in enumerate(holdings.coins):
            for coin in coins:
                if coin.stock and seat != viewer:
                    shares[NUMBER[coin.name]][seat] = 1.0
        return shares
    tops = {top: height for top, height in zip(*stacks, strict=True) if top != EMPTY and top not in held}
    weights = _weigh_owners(viewer, draft, seats)
    if holdings.faces is not None:
        for seat, faces in enumerate(holdings.faces):
            if seat != viewer:
                for suit, letter in enumerate(SUITS):
                    of_suit = [top for top in tops if SUIT[top] == suit]
                    _spread_stocks(shares, seat, of_suit, faces.count(letter), weights)
        return shares
    for top, height in tops.items():
        value = VALUE[top]
        unseen = 4 - sum(VALUE[coin] == value for coin in held)
        spent = holdings.spent.count(value) / max(1, unseen)
        whole = sum(weights[top]) or 1.0
        chance = (STOCK_CHANCE if height == 1 else GROWN_STOCK_CHANCE) * (1 - spent / 2) / whole
        for seat in range(seats):
            shares[top][seat] = chance * weights[top][seat]
    return shares


@memoize
def _weigh_owners(viewer: int, draft: Draft, seats: int) -> tuple[tuple[float, ...], ...]:
    """By coin and seat, the relative likelihood that the seat has the coin, judging by its picks."""
    picks = _count_picks(draft, seats)
    weights = [
        [0.0 if seat == viewer else TRADED_PICKS + picks[seat][VALUE[coin]] for seat in range(seats)]
        for coin in range(len(NAMES))
    ]
    for pick in draft.picks:
        if pick.coin is not None and pick.seat != viewer:
            weights[NUMBER[pick.coin]] = [
                TRADED_PICKS / 4 * (seat != viewer) + (seat == pick.seat) for seat in range(seats)
            ]
    return tuple(map(tuple, weights))


def _spread_stocks(
    shares: list[list[float]],
    seat: int,
    tops: Sequence[int],
    count: int,
    weights: Sequence[Sequence[float]],
) -> None:
    """Spreads a known number of the seat's stocks over the companies they may belong to."""
    whole = sum(weights[top][seat] for top in tops)
    for top in tops:
        shares[top][seat] = min(1.0, count * weights[top][seat] / whole)


def _estimate_totals(
    viewer: int,
    total: int,
    stacks: Stacks,
    draft: Draft,
    holdings: Holdings,
    shares: Sequence[Sequence[float]],
) -> list[float]:
    """For each seat, the value it picked, less its probable spending, plus its probable stocks' growth."""
    seats = len(holdings.counts)
    grown = [0.0] * seats
    for top, height in zip(*stacks, strict=True):
        if height > 1:
            for seat, share in enumerate(shares[top]):
                grown[seat] += share * (height - 1)
    if holdings.coins is not None:
        printed = [float(sum(int(coin.name[1]) for coin in coins)) for coins in holdings.coins]
    else:
        picks = _count_picks(draft, seats)
        missing = [max(0.0, sum(row) - count) for row, count in zip(picks, holdings.counts, strict=True)]
        average = sum(holdings.spent) / max(1.0, sum(missing))
        printed = [
            sum(value * count for value, count in enumerate(row)) - average * fewer
            for row, fewer in zip(picks, missing, strict=True)
        ]
    totals = [base + more for base, more in zip(printed, grown, strict=True)]
    totals[viewer] = total
    return totals
