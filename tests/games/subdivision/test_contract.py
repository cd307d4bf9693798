"""Subdivision as an implementation of the contract: visibility, versions, determinism, playthroughs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import msgspec

from games.api import Millis, Seat
from games.dice import Dice
from games.subdivision.rules import board as ground
from games.subdivision.rules.game import SUBDIVISION
from games.subdivision.rules.values import Parks, Set, SubdivisionOptions
from tests.games.subdivision.positions import TableOf

# --- 3c: who sees what ---


def test_3c_everything_is_public(table: TableOf) -> None:
    played = table(SUBDIVISION, 4, parks="parkPlacement")
    played.expire()
    for seat in range(4):
        assert played.game.private(played.state, Seat(seat)) == {}
        assert played.game.talk_policy(played.state, Seat(seat)).mode == "open"
        assert played.game.resample(played.state, Seat(seat), Dice(b"x")) is played.state
    assert played.game.talk_policy(played.state, None).mode == "closed"
    assert set(played.game.public(played.state)) == set(SUBDIVISION.sections)


def test_a_state_of_version_1_is_upgraded() -> None:
    state = SUBDIVISION.setup(3, SubdivisionOptions(), Millis(0), Dice(b"x")).state
    packed = msgspec.to_builtins(state)
    assert SUBDIVISION.version == 2
    assert SUBDIVISION.upgrade(1, packed) == SUBDIVISION.upgrade(2, packed) == state
    assert SUBDIVISION.upgrade(0, packed) is SUBDIVISION.upgrade(3, packed) is None


# --- the contract ---


def test_every_value_of_an_option_has_a_playthrough() -> None:
    folder = Path(ground.__file__).parent.parent / "playthroughs"
    played = [
        msgspec.json.decode(match[1], type=SubdivisionOptions)
        for path in sorted(folder.glob("*.txt"))
        if (match := re.search(r"^  options (\{.*\})$", path.read_text(), re.MULTILINE))
    ]
    for name, values in {
        "set": get_args(Set),
        "parks": get_args(Parks),
        "private_parks": (False, True),
        "park_ring": ("group", "player"),
        "stuck": ("pass", "anywhere"),
        "timers": ("normal", "relaxed", "fast", "off"),
    }.items():
        assert {getattr(options, name) for options in played} == set(values)
