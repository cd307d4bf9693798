"""Takeover's rules against the reference version, in random positions."""

from __future__ import annotations

import random

import pytest

from games.takeover.rules import counting, mergers
from games.takeover.rules.values import NAMES, Coin, Grid, Name, TakeoverOptions
from tests.games.takeover.reference import (
    Stacks,
    reference_can_merge,
    reference_merge,
    reference_over,
    reference_scores,
)
from tests.games.takeover.reference import value_of as reference_value


def stacks_of(tiles: Grid) -> Stacks:
    return {(square % 6, square // 6): list(stack) for square, stack in enumerate(tiles) if stack}


def some_grid(fate: random.Random) -> Grid:
    """A grid with all tiles in any number of stacks, anywhere."""
    names = fate.sample(NAMES, len(NAMES))
    squares = fate.sample(range(24), fate.randint(1, 24))
    tiles: list[tuple[Name, ...]] = [()] * 24
    for place, name in enumerate(names):
        square = squares[place] if place < len(squares) else fate.choice(squares)
        tiles[square] = (*tiles[square], name)
    return tuple(tiles)


@pytest.mark.parametrize("count", [1_000, pytest.param(10_000, marks=pytest.mark.at_length)])
def test_positions_agree_with_the_reference(count: int) -> None:
    fate = random.Random(17)
    ends = 0
    for _ in range(count):
        tiles = some_grid(fate)
        stacks = stacks_of(tiles)
        tops = mergers.tops(tiles)
        for _ in range(3):
            one, other = fate.randrange(24), fate.randrange(24)
            a, b = ((square % 6, square // 6) for square in (one, other))
            cash = [fate.randint(1, 5) for _ in range(fate.randint(0, 2))]
            nulls = fate.randint(0, 1)
            reaches, price = reference_can_merge(stacks, a, b, cash, nulls)
            pair = f"{tiles[one][-1]}>{tiles[other][-1]}" if tiles[one] and tiles[other] else ""
            way = mergers.ways(tiles).get(pair)
            fast = way is not None and (way.touch or nulls > 0)
            assert fast == reaches
            if way is not None:
                after, covered, reference_price = reference_merge(stacks, a, b)
                assert (way.covered, way.cost) == (covered, reference_price)
                assert (price is not None) == (way.cost <= sum(cash))
                assert stacks_of(mergers.merge_stacks(tiles, way)) == after
                stock = Coin(way.covering, True)
                assert way.worth == counting.worth(mergers.merge_stacks(tiles, way), stock)
        hands = dealt(fate, set(tops))
        stocks = [[str(one.name) for one in hand if one.stock] for hand in hands]
        money = [[str(one.name) for one in hand if not one.stock] for hand in hands]
        assert [counting.total(tiles, hand) for hand in hands] == reference_scores(stacks, stocks, money)
        options = TakeoverOptions(holdings="faces")
        pool = [reference_value(name) for own in money for name in own]
        over = counting.is_over(options, tiles, hands, ())
        assert over == reference_over(stacks, pool, pool.count(0))
        ends += over
    assert ends > 100


def dealt(fate: random.Random, tops: set[Name]) -> tuple[tuple[Coin, ...], ...]:
    hands: list[list[Coin]] = [[] for _ in range(fate.randint(2, 6))]
    few = fate.choice((0.05, 0.2, 1.0))
    for name in NAMES:
        if fate.random() < few:
            fate.choice(hands).append(Coin(name, name in tops and fate.random() < 0.5))
    return tuple(map(tuple, hands))
