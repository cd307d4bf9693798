"""So Long Sucker agrees with its reference version in 20,000 games: state, verdicts, legal moves.

The games have 4 to 6 seats, random moves (legal and illegal) and time-outs. The first tables cover every
pair of values of any two options; the others have random options.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from typing import Final

import msgspec
import pytest

from games.sucker.rules.values import SuckerOptions
from games.testing.random_play import Style
from tests.games.sucker.differential import Abreast
from tests.games.tables import tables

GAMES: Final = 20_000
ALWAYS: Final = range(14, 30)
"""The games played in every run; `pytest -m "" tests/games/sucker/test_differential.py` plays all of them."""
PART: Final = 500
SOAKED: Final = 6000
"""`make soak` plays this many."""
STYLES: Final = (*[Style("lively", 94)] * 8, Style("slow", 60), Style("absent", 90, frozenset({0, 2})))
LEAST: Final[Mapping[str, int]] = {
    "events": 80000,
    "place": 40000,
    "giveMove": 18000,
    "kill": 2200,
    "transfer": 2200,
    "killPrisoners": 2200,
    "playCard": 200,
    "rescue": 100,
    "refuse": 100,
    "relent": 15,
    "bound": 180,
    "pleads": 19,
    "rescue expired": 10,
    "turn expired": 2000,
    "choose expired": 1000,
    "kill expired": 100,
    "rounds": 180,
    "all legal moves": 2200,
    "not asked": 25000,
    "may be made": 25000,
    "NOT_NEXT": 12000,
    "NO_CHIP": 30000,
    "NO_EFFECT": 1000,
    "NO_CAPTURE": 100,
    "MUST_PLACE": 3,
    "ALREADY_REFUSED": 2,
}
"""The minimum number of times that each event must happen in a thousand games."""


def options_by_chance(fate: random.Random) -> SuckerOptions:
    return SuckerOptions(
        blind_ally=fate.random() < 0.8,
        blackmail=fate.random() < 0.9,
        rounds=fate.choice((1, 1, 1, 2, 3)),
        chip_adjust=fate.choice(("fromBase", "cumulative", "off")),
        first_player=fate.choice(("random", "lastOut", "rotate")),
        blackmail_faces=fate.choice(("private", "public")),
        self_blackmail=fate.random() < 0.5,
        dead_cards=fate.choice(("void", "keepCapture")),
        timers=fate.choice(("normal", "relaxed", "fast", "off")),
    )


def a_table(number: int, fate: random.Random) -> tuple[int, SuckerOptions]:
    """The seats and options of one of the games."""
    paired = tables("sucker")
    if number < len(paired):
        return paired[number].seats, msgspec.convert(paired[number].options, SuckerOptions)
    return fate.choice((4, 5, 6)), options_by_chance(fate)


@pytest.mark.timeout(1200)
@pytest.mark.parametrize(
    "games",
    [
        ALWAYS,
        *(
            pytest.param(
                range(first, first + PART),
                marks=pytest.mark.at_length if first < SOAKED else pytest.mark.exhaustive,
            )
            for first in range(0, GAMES, PART)
        ),
    ],
    ids=str,
)
def test_the_reference_agrees(games: range) -> None:
    """SLS-1 to SLS-36, GEN-3, GEN-7, GEN-9"""
    met: Counter[str] = Counter()
    for number in games:
        fate = random.Random(number)
        seats, options = a_table(number, fate)
        game = Abreast(seats, options, number, fate.choice(STYLES))
        game.play()
        met.update(game.met)
    assert met["games"] == len(games)
    due = {what: least * len(games) // 1000 for what, least in LEAST.items()}
    assert {what: met[what] for what in due if met[what] < due[what]} == {}
