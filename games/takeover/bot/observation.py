"""What a seat sees, unpacked for its bot: the stacks, the own coins, and who is likely to hold what else.

Corporations and coins are numbers here, 6 * suit + value: their places in `NAMES`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from games.api import Observation
from games.kit.memo import memoize
from games.kit.observations import part
from games.takeover.rules.mergers import in_line, touching
from games.takeover.rules.values import (
    NAMES,
    SQUARES,
    SUITS,
    Board,
    Coin,
    Draft,
    Hand,
    Holdings,
    Name,
    Stage,
)

NUMBER: Final[Mapping[Name, int]] = {name: number for number, name in enumerate(NAMES)}
VALUE: Final = tuple(number % 6 for number in range(len(NAMES)))
SUIT: Final = tuple(number // 6 for number in range(len(NAMES)))
EMPTY: Final = -1
"""On a square where nothing stands."""

NEAR: Final = tuple(
    tuple(other for other in range(SQUARES) if touching(square, other)) for square in range(SQUARES)
)
"""By square, those that touch it."""
FAR: Final = tuple(
    tuple(
        other
        for other in range(SQUARES)
        if other != square and in_line(square, other) and not touching(square, other)
    )
    for square in range(SQUARES)
)
"""By square, those that a null joins to it (TKO-16)."""

STOCK: Final = 0.8
"""How likely a coin is a stock, of a corporation that has covered nothing yet."""
GROWN: Final = 0.9
"""The same, once it has: somebody wanted that."""
ELSEWHERE: Final = 0.3
"""Picks of a value that a seat is taken to have had beside those it had: coins change hands."""


class Stacks(NamedTuple):
    """The grid: by square the corporation, EMPTY if there is none, and the height of its stack."""

    tops: list[int]
    heights: list[int]

    def merged(self, source: int, onto: int) -> Stacks:
        """With the stack of one square on that of another (TKO-7, TKO-8)."""
        tops, heights = self.tops.copy(), self.heights.copy()
        tops[onto], tops[source] = tops[source], EMPTY
        heights[onto], heights[source] = heights[onto] + heights[source], 0
        return Stacks(tops, heights)

    def level(self) -> set[int]:
        """The corporations that have covered nothing."""
        return {top for top, height in zip(*self, strict=True) if height == 1}


class Purse(NamedTuple):
    """A hand of coins: which are stocks, cash that can pay, and nulls lying value-up."""

    stocks: frozenset[int]
    cash: tuple[int, ...]
    nulls: tuple[int, ...]


def purse(coins: Sequence[Coin]) -> Purse:
    cash = [NUMBER[coin.name] for coin in coins if not coin.stock]
    return Purse(
        frozenset(NUMBER[coin.name] for coin in coins if coin.stock),
        tuple(coin for coin in cash if VALUE[coin]),
        tuple(coin for coin in cash if not VALUE[coin]),
    )


class Table(NamedTuple):
    """A turn of play, as the seat `me` sees it."""

    me: int
    seats: int
    wait: int
    """How many turns of others come before the seat's own."""
    stacks: Stacks
    hand: tuple[Coin, ...]
    purse: Purse
    pay: tuple[tuple[Name, ...] | None, ...]
    """The cheapest payment for each cost."""
    shares: Sequence[Sequence[float]]
    """By corporation and seat: how likely the seat holds its stock; of one's own coins nobody does."""
    totals: Sequence[float]
    """By seat, what it is worth now, as far as can be told."""


def read_stacks(board: Board) -> Stacks:
    return Stacks(
        [EMPTY if stack is None else NUMBER[stack.tiles[-1]] for stack in board.stacks],
        [0 if stack is None else len(stack.tiles) for stack in board.stacks],
    )


def read_table(observation: Observation) -> Table:
    """The sight of a seat in play."""
    here = read_stacks(part(observation, "board", Board))
    hand = part(observation, "hand", Hand)
    coins = tuple(Coin(coin.name, coin.stock) for coin in hand.coins)
    holdings = part(observation, "holdings", Holdings)
    shares = _shares(observation.seat, here, coins, part(observation, "draft", Draft), holdings)
    totals = _totals(observation.seat, hand.total, here, part(observation, "draft", Draft), holdings, shares)
    return Table(
        observation.seat,
        observation.seats,
        read_wait(observation),
        here,
        coins,
        purse(coins),
        hand.pay,
        shares,
        totals,
    )


def read_wait(observation: Observation) -> int:
    """How many turns of others come before the seat's own."""
    turn = part(observation, "stage", Stage).turn
    return 0 if turn is None else (observation.seat - turn) % observation.seats


# --- who holds what ---


@memoize
def _picked(draft: Draft, seats: int) -> tuple[tuple[int, ...], ...]:
    """By seat and value, how many coins it picked."""
    found = [[0] * 6 for _ in range(seats)]
    for pick in draft.picks:
        found[pick.seat][pick.value] += 1
    return tuple(map(tuple, found))


def _shares(
    me: int, here: Stacks, hand: Sequence[Coin], draft: Draft, holdings: Holdings
) -> list[list[float]]:
    """How likely each seat holds each stock that there may be."""
    seats = len(holdings.counts)
    found = [[0.0] * seats for _ in NAMES]
    own = {NUMBER[coin.name] for coin in hand}
    if holdings.coins is not None:
        for seat, coins in enumerate(holdings.coins):
            for coin in coins:
                if coin.stock and seat != me:
                    found[NUMBER[coin.name]][seat] = 1.0
        return found
    tops = {top: height for top, height in zip(*here, strict=True) if top != EMPTY and top not in own}
    weights = _weights(me, draft, seats)
    if holdings.faces is not None:
        for seat, faces in enumerate(holdings.faces):
            if seat != me:
                for suit, letter in enumerate(SUITS):
                    _spread(
                        found, seat, [top for top in tops if SUIT[top] == suit], faces.count(letter), weights
                    )
        return found
    for top, height in tops.items():
        value = VALUE[top]
        unseen = 4 - sum(VALUE[coin] == value for coin in own)
        gone = holdings.spent.count(value) / max(1, unseen)
        whole = sum(weights[top]) or 1.0
        likely = (STOCK if height == 1 else GROWN) * (1 - gone / 2) / whole
        for seat in range(seats):
            found[top][seat] = likely * weights[top][seat]
    return found


@memoize
def _weights(me: int, draft: Draft, seats: int) -> tuple[tuple[float, ...], ...]:
    """By coin and seat, how much speaks for its being there: what the seat picked."""
    picked = _picked(draft, seats)
    found = [
        [0.0 if seat == me else ELSEWHERE + picked[seat][VALUE[coin]] for seat in range(seats)]
        for coin in range(len(NAMES))
    ]
    for pick in draft.picks:
        if pick.coin is not None and pick.seat != me:
            found[NUMBER[pick.coin]] = [
                ELSEWHERE / 4 * (seat != me) + (seat == pick.seat) for seat in range(seats)
            ]
    return tuple(map(tuple, found))


def _spread(
    found: list[list[float]], seat: int, tops: Sequence[int], count: int, weights: Sequence[Sequence[float]]
) -> None:
    """So many stocks of a seat are among these."""
    whole = sum(weights[top][seat] for top in tops)
    for top in tops:
        found[top][seat] = min(1.0, count * weights[top][seat] / whole)


def _totals(
    me: int, own: int, here: Stacks, draft: Draft, holdings: Holdings, shares: Sequence[Sequence[float]]
) -> list[float]:
    """What each seat picked, less what it is likely to have spent, and what its stocks have grown by."""
    seats = len(holdings.counts)
    grown = [0.0] * seats
    for top, height in zip(*here, strict=True):
        if height > 1:
            for seat, share in enumerate(shares[top]):
                grown[seat] += share * (height - 1)
    if holdings.coins is not None:
        printed = [float(sum(int(coin.name[1]) for coin in coins)) for coins in holdings.coins]
    else:
        picked = _picked(draft, seats)
        gone = [max(0.0, sum(picks) - count) for picks, count in zip(picked, holdings.counts, strict=True)]
        each = sum(holdings.spent) / max(1.0, sum(gone))
        printed = [
            sum(value * count for value, count in enumerate(picks)) - each * less
            for picks, less in zip(picked, gone, strict=True)
        ]
    found = [base + more for base, more in zip(printed, grown, strict=True)]
    found[me] = own
    return found
