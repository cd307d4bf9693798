"""A game's options as a client sends them: read, or refused with the values that are permitted (H3)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import pytest

from games import GAMES
from games.kit.options import option_metadata
from hub.table.options import read_options

ALMOST = GAMES["almost"].game
NAMES = ", ".join(field.encode_name for field in msgspec.structs.fields(ALMOST.Options))


def test_options() -> None:
    assert read_options(ALMOST, {"maxBid": 7, "timers": "off"}) == ALMOST.Options(max_bid=7, timers="off")


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        ({"maxBid": 1}, "The option maxBid must be a whole number, 2-100."),
        ({"target": "x"}, "The option target must be a whole number, 1-100."),
        ({"target": 9, "maxBid": 9.5}, "The option maxBid must be a whole number, 2-100."),
        ({"mode": 7}, 'The option mode must be one of "almost", "banbury".'),
        ({"mode": "x" * 5000}, 'The option mode must be one of "almost", "banbury".'),
        ({"discussion": []}, 'The option discussion must be one of "none", "timed", "untilReady" or null.'),
        ({"whispers": 1}, "The option whispers must be true or false."),
        ({"nonsense": 1}, f"Almost has no option nonsense: it has {NAMES}."),
        ({"x" * 61: 1}, f"Almost has no option {'x' * 59}…: it has {NAMES}."),
        ({"max_bid": 7}, f"Almost has no option max_bid: it has {NAMES}."),
    ],
)
def test_options_that_are_refused(raw: dict[str, Any], problem: str) -> None:
    assert read_options(ALMOST, raw) == problem


class ShyGame:
    class Options(msgspec.Struct, rename="camel"):
        """Options whose defaults at a private table differ."""

        house_chat: Annotated[Literal["free", "off"], option_metadata("talk", private="free")] = "off"
        pace: Annotated[Literal["low", "fast"], option_metadata("pace", private="low")] | None = None


@pytest.mark.parametrize(
    ("raw", "open", "chat", "pace"),
    [
        ({}, True, "off", None),
        ({}, False, "free", "low"),
        ({"houseChat": "off", "pace": None}, False, "off", None),
    ],
)
def test_options_left_out_at_a_private_table(
    raw: dict[str, Any], open: bool, chat: str, pace: str | None
) -> None:
    """An option's `private` value is used only where it applies and nothing else was chosen."""
    rules: Any = ShyGame()
    assert read_options(rules, raw, open=open) == ShyGame.Options(house_chat=chat, pace=pace)  # type: ignore[arg-type]


@pytest.mark.parametrize("game", GAMES)
def test_every_option_says_what_it_may_be(game: str) -> None:
    rules = GAMES[game].game
    for field in msgspec.structs.fields(rules.Options):
        problem = read_options(rules, {field.encode_name: {}})
        assert isinstance(problem, str)
        assert problem.startswith(f"The option {field.encode_name} must be ")
        assert "JSON schema" not in problem


class Odd(msgspec.Struct, forbid_unknown_fields=True):
    """Options such as another author's game might have."""

    size: Literal[3, 5]
    ratio: float = 0.5
    name: str = ""

    def __post_init__(self) -> None:
        if self.ratio > self.size:
            raise ValueError("the ratio is too large")


class OddGame:
    title = "Odd"
    Options = Odd


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        ({"size": 4}, "The option size must be one of 3, 5."),
        ({"size": 3, "ratio": ""}, "The option ratio must be as its JSON schema says: see GET /api/games."),
        ({"size": 3, "ratio": 9}, "The options of Odd do not go together: see GET /api/games."),
        ({}, "The options of Odd do not go together: see GET /api/games."),
    ],
)
def test_options_of_another_authors_game(raw: dict[str, Any], problem: str) -> None:
    rules: Any = OddGame()
    assert read_options(rules, raw) == problem
