"""Which coins the coach names as stocks (`Advice.args`): the client marks them for whoever asks for that."""

from __future__ import annotations

from typing import cast

from games.takeover.coach import choose_stocks
from games.takeover.rules.values import Name


def neighbours(names: str, **free: Name) -> dict[Name, Name | None]:
    """These coins, highest first, and what the companies of some could swallow for nothing."""
    return {cast(Name, name): free.get(name) for name in names.split()}


def test_low_coins_and_those_with_a_free_neighbour_are_named() -> None:
    assert choose_stocks(neighbours("S5 M4 A3 C3", S5="S3"), "S5") == ["S5", "A3", "C3"]
    assert choose_stocks(neighbours("S5 M4")) == []


def test_some_cash_is_always_left() -> None:
    assert choose_stocks(neighbours("S3 C3 M2 A1")) == ["C3", "M2", "A1"]
    assert choose_stocks(neighbours("S3 C3 M2", S3="S1")) == ["S3", "M2"]
    assert choose_stocks(neighbours("S5 A5 A4", S5="S3", A5="A0", A4="A0"), "S5") == ["S5", "A4"]
    assert choose_stocks(neighbours("S5 A2", S5="S3"), "S5") == ["S5"]
    assert choose_stocks(neighbours("S3")) == []
    assert choose_stocks({}) == []


def test_the_only_coin_with_a_number_may_be_a_stock() -> None:
    """The advice says so: the 0 coins beside it are cash."""
    assert choose_stocks(neighbours("S5", S5="S3"), "S5") == ["S5"]
