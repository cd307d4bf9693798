"""Almost's setup: seats, options, the number of rounds, and states of other versions."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from games import GAMES
from games.almost.rules.game import ALMOST
from games.almost.rules.values import AlmostOptions
from games.api import LogLine, Millis, Refusal, Running
from games.dice import Dice
from tests.games.almost.rounds import TableOf, bid_all, go_on


@pytest.mark.parametrize("seats", range(3, 11))
def test_alm_6_one_round_fewer_than_seats(table: TableOf, seats: int) -> None:
    played = table("almost", seats, discussion="none")
    rounds = 0
    while played.public("stage").phase != "end":
        bid_all(played, *[1] * seats)
        go_on(played)
        rounds += 1
    assert rounds == seats - 1
    assert played.outcome.winners == ()  # ALM-10
    assert played.told("almost.nobodyWon") == [{}]


@pytest.mark.parametrize("seats", [2, 11])
@pytest.mark.parametrize("mode", ["almost", "banbury"])
def test_alm_13_three_to_ten_seats(seats: int, mode: Any) -> None:
    refusal = ALMOST.refuse_options(seats, AlmostOptions(mode=mode))
    assert refusal == Refusal("SEATS", "ALM-13", {"least": 3, "most": 10})


def test_alm_10_a_target_nobody_can_reach_is_refused() -> None:
    assert ALMOST.refuse_options(3, AlmostOptions(target=20)) is None
    refusal = ALMOST.refuse_options(3, AlmostOptions(target=21))
    assert refusal is not None
    assert refusal.code == "OUT_OF_REACH"
    assert ALMOST.refuse_options(3, AlmostOptions(target=21, mode="banbury")) is None


@pytest.mark.parametrize(
    "options",
    [
        {"discussionSeconds": 29},
        {"discussionSeconds": 301},
        {"banburyRounds": 0},
        {"banburyRounds": 51},
        {"maxBid": 1},
        {"target": 0},
        {"mode": "chess"},
        {"unknown": 1},
    ],
)
def test_4a_options_have_bounds(options: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(options, AlmostOptions)


def test_4a_discussion_by_default() -> None:
    assert AlmostOptions().discussion == "timed"
    assert AlmostOptions(mode="banbury").discussion == "none"
    assert AlmostOptions(mode="banbury", discussion="timed").discussion == "timed"
    assert msgspec.to_builtins(AlmostOptions())["discussion"] == "timed"


def test_a_state_of_another_version_is_not_upgraded() -> None:
    state = ALMOST.setup(3, AlmostOptions(), Millis(0), Dice(b"x")).state
    assert ALMOST.upgrade(ALMOST.version, msgspec.to_builtins(state)) == state
    assert ALMOST.upgrade(0, msgspec.to_builtins(state)) is None
    assert ALMOST.upgrade(3, msgspec.to_builtins(state)) is None


def test_setup_announces_the_first_round() -> None:
    step = ALMOST.setup(5, AlmostOptions(), Millis(77), Dice(b"x"))
    assert step.lines == (LogLine("almost.round", {"round": 1, "rounds": 4}, None),)
    assert ALMOST.windows(step.state)[0].clock == Running(Millis(90_077))


def test_the_registry_lists_almost() -> None:
    assert GAMES["almost"].game is ALMOST
    assert set(GAMES) == {entry.game.key for entry in GAMES.values()}
