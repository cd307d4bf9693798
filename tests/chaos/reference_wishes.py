"""Checks whether coins fulfil a wish, and whether a wish is allowed (TKO-24): slow and obvious."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from tests.games.takeover.reference import Stacks, suit_of, value_of

Coin: TypeAlias = list[Any]
"""The coin's name, and whether it is a stock."""
WISHES: Final = 12
"""The number of coins a wish may name."""


def fits(coin: Coin, wished: str) -> bool:
    """Whether a coin matches one item of a wish."""
    name, stock = coin
    if wished == "coin":
        return True
    if wished == "null":
        return not stock and value_of(name) == 0
    if wished[-1] == "+":
        return not stock and value_of(name) >= int(wished[0])
    return stock and (name == wished or suit_of(name) == wished)


def meets(coins: Sequence[Coin], wish: Sequence[str]) -> bool:
    """Whether these coins, all of them used, fulfil this wish item by item in some order."""
    if len(coins) != len(wish):
        return False
    if not wish:
        return True
    return any(
        fits(coin, wish[0]) and meets([*coins[:place], *coins[place + 1 :]], wish[1:])
        for place, coin in enumerate(coins)
    )


def meeting(hand: Sequence[Coin], wish: Sequence[str]) -> list[Coin] | None:
    """Coins from this hand that fulfil the wish, or None if there are none."""
    if not wish:
        return []
    for place, coin in enumerate(hand):
        if fits(coin, wish[0]):
            rest = meeting([*hand[:place], *hand[place + 1 :]], wish[1:])
            if rest is not None:
                return [coin, *rest]
    return None


def may_wish(stacks: Stacks, hand: Sequence[Coin], wish: Sequence[str]) -> bool:
    """Whether a seat with this hand may make this wish, whatever the other seats have."""
    names = {name for name, _ in hand}
    most: dict[str, int] = {stack[-1]: 1 for stack in stacks.values() if stack[-1] not in names}
    most |= dict.fromkeys("SMCA", 6) | {f"{value}+": WISHES for value in range(1, 6)}
    most |= {"null": 4, "coin": WISHES}
    return len(wish) <= WISHES and all(times <= most.get(one, 0) for one, times in Counter(wish).items())
