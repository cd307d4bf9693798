"""The draft, clockwise and back until all coins are taken, with industries hidden or shown (TKO-1, TKO-2)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from msgspec.structs import replace

from games.api import Choice, Dice, OneOf, Refusal, Seat
from games.kit.memo import memoize
from games.takeover.rules.values import (
    NAMES,
    Coin,
    Draft,
    Hands,
    Name,
    Pick,
    PickCoin,
    Picked,
    Value,
    value_of,
)
from games.takeover.texts import NONE_LEFT, SUITS_HIDDEN, SUITS_SHOWN, VALUE_GONE


@memoize
def order(seats: int, first: Seat) -> tuple[Seat, ...]:
    """The seat of each of the 24 picks: clockwise from `first`, then in reverse (TKO-2)."""
    there = [Seat((first + place) % seats) for place in range(seats)]
    return tuple((there if number // seats % 2 == 0 else there[::-1])[number % seats] for number in range(24))


def start_draft(seats: int, first: Seat, shown: bool) -> Draft:
    """The draft with all coins on the table, value-up."""
    return Draft(order(seats, first), (), (4,) * 6, NAMES if shown else None)


def table(hands: Hands, spent: Iterable[Name]) -> tuple[Name, ...]:
    """The coins still on the table."""
    gone = {coin.name for hand in hands for coin in hand} | set(spent)
    return tuple(name for name in NAMES if name not in gone)


def refuse(draft: Draft, move: Pick | PickCoin) -> Refusal | None:
    match move:
        case Pick(value=value):
            if draft.coins is not None:
                return SUITS_SHOWN
            return None if draft.left[value] else replace(VALUE_GONE, args={"value": value})
        case PickCoin(coin=coin):
            if draft.coins is None:
                return SUITS_HIDDEN
            return None if coin in draft.coins else NONE_LEFT


def choose_coin(draft: Draft, hands: Hands, move: Pick | PickCoin, dice: Dice) -> Name:
    """The coin picked; for a value, a random coin of that value on the table (TKO-1)."""
    if isinstance(move, PickCoin):
        return move.coin
    names = [name for name in table(hands, ()) if value_of(name) == move.value]
    return names[dice.below(f"draft:{len(draft.picks)}", len(names))]


def default(draft: Draft, dice: Dice) -> Pick | PickCoin:
    """The highest value left or, if industries are shown, a random coin of that value."""
    highest = max(value for value, count in enumerate(draft.left) if count)
    if draft.coins is None:
        return Pick(cast(Value, highest))
    names = [name for name in draft.coins if value_of(name) == highest]
    return PickCoin(names[dice.below(f"draft:{len(draft.picks)}", len(names))])


def add_pick(draft: Draft, seat: Seat, coin: Name) -> Draft:
    """The draft after one more pick."""
    value = value_of(coin)
    left = tuple(count - (at == value) for at, count in enumerate(draft.left))
    coins = None if draft.coins is None else tuple(name for name in draft.coins if name != coin)
    pick = Picked(seat, cast(Value, value), None if coins is None else coin)
    return Draft(draft.order, (*draft.picks, pick), left, coins)


def choices(draft: Draft) -> tuple[Choice, ...]:
    if draft.coins is not None:
        return (Choice("pickCoin", {"coin": OneOf(draft.coins)}),)
    return (
        Choice("pick", {"value": OneOf(tuple(value for value, count in enumerate(draft.left) if count))}),
    )


def receive(hand: tuple[Coin, ...], coins: Iterable[Coin]) -> tuple[Coin, ...]:
    """A hand with these coins added, ordered by name, which hides where a coin came from."""
    return tuple(sorted((*hand, *coins), key=lambda coin: NAMES.index(coin.name)))
