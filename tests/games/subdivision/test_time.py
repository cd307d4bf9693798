"""Subdivision's timers, extensions, and what happens when time runs out."""

from __future__ import annotations

from typing import Any

import pytest

from games.api import Millis, Outcome, Running, Seat
from games.dice import Dice
from games.kit.time_control import Extend
from games.subdivision.rules import board as ground
from games.subdivision.rules.board import fits, name_of
from games.subdivision.rules.game import SUBDIVISION
from tests.games.subdivision.positions import TableOf, at, dead_end, place, set_up, turn


def test_3b_timers(table: TableOf) -> None:
    played = table(SUBDIVISION, 3, parks="parkPlacement")
    spans = []
    for _ in range(6):
        before = played.at
        window = played.expire()
        spans.append((window, played.at - before))
    assert spans == [
        ("park:0", 30_000),
        ("park:1", 30_000),
        ("park:2", 30_000),
        ("park:3", 30_000),
        ("place:4", 45_000),
        ("place:5", 45_000),
    ]
    assert len(played.told("subdivision.auto")) == 6
    seat = turn(played)  # the rules have played for it twice in a row
    assert played.public("time_control").missed_in_a_row == (2, 2, 2)
    assert played.window("away").clock == Running(Millis(played.at + 10_000))
    assert played.expire() == f"place:6:away:{seat}"
    assert turn(played) == (seat + 1) % 3


@pytest.mark.parametrize(("timers", "seconds"), [("relaxed", (60, 90)), ("fast", (15, 22.5))])
def test_gen_6_pace(table: TableOf, timers: str, seconds: tuple[float, float]) -> None:
    played = table(SUBDIVISION, 2, parks="parkPlacement", timers=timers)
    assert played.window("park").clock == Running(Millis(int(seconds[0] * 1000)))
    for square in range(6):
        played.do(turn(played), "park", "park", square=square)
    assert played.window("place").clock == Running(Millis(int(seconds[1] * 1000)))


def test_gen_6_without_timers_any_seat_may_call_the_last_minute(table: TableOf) -> None:
    played = table(SUBDIVISION, 3, timers="off")
    assert played.game.windows(played.state) == ()
    seat = turn(played)
    caller = (seat + 1) % 3
    assert set(played.game.choices(played.state, Seat(caller))) == {"lastCall:place:0"}
    played.at = Millis(9_000_000)
    played.do(caller, "lastCall", "lastCall")
    assert played.window("place").clock == Running(Millis(9_060_000))
    assert played.expire() == "place:0"
    assert played.told("subdivision.auto") == [{"seat": seat}]
    assert played.game.windows(played.state) == ()  # again, the next turn has no clock


def test_gen_6_extensions(table: TableOf) -> None:
    played = table(SUBDIVISION, 2)
    seat = turn(played)
    assert set(played.game.choices(played.state, Seat(seat))) == {"place:0", "extend:place:0:0"}
    played.do(seat, "extend", "extend")
    assert played.window("place").clock == Running(Millis(105_000))
    assert played.game.extension(played.state, Seat(seat), "place:0") == Extend()
    assert played.game.extension(played.state, Seat(1 - seat), "place:0") is None
    assert played.game.extension(played.state, Seat(seat), "place:1") is None
    played.do(seat, "extend", "extend")
    assert played.game.extension(played.state, Seat(seat), "place:0") is None
    assert played.public("time_control").extensions[seat] == 0
    assert set(played.game.choices(played.state, Seat(seat))) == {"place:0"}


def test_gen_7_a_move_brings_an_away_seat_back(table: TableOf) -> None:
    played = table(SUBDIVISION, 2)
    start = turn(played)
    for _ in range(2):
        played.expire()
        place(played, 1 - start, 2, free_name(played))
    assert played.told("timeControl.away") == [{"seat": start}]
    place(played, start, 2, free_name(played))
    assert played.told("timeControl.back") == [{"seat": start}]
    assert played.public("time_control").missed_in_a_row == (0, 0)


def free_name(table: Any) -> str:
    board = table.public("board")
    return name_of(ground.empty(board)[0], board.size)


@pytest.mark.parametrize(
    ("pieces", "best"),
    [
        ("R2b2 R2d2 R1c1 R3b4 R3c5 B2d5 B2f5 B2e6", {"c2"}),  # diagonals do not count
        ("R2b2 R2d2 R1c1 R3b4 R3a3", {"c2", "b3"}),
        ("R1b2 B3b3", {"b1", "a2", "c2"}),
    ],
)
def test_3b_a_timeout_places_a_two_beside_most_of_its_own(
    table: TableOf, pieces: str, best: set[str]
) -> None:
    placed = set()
    for seed in range(20):
        played = table(SUBDIVISION, 2)
        set_up(played, pieces, [(1, 1, 1), (1, 1, 1)])
        played.dice = Dice(b"%d" % seed)
        played.expire()
        assert played.told("subdivision.auto") == [{"seat": 0}]
        (line,) = played.told("subdivision.placed")
        assert (line["seat"], line["pips"]) == (0, 2)
        assert played.public("board").last == at(line["square"])
        placed.add(line["square"])
    assert placed == best


def test_3b_a_timeout_without_a_two_makes_any_legal_placement(table: TableOf) -> None:
    placed = set()
    for seed in range(60):
        played = table(SUBDIVISION, 2)
        set_up(played, "B3b2 R3e5", [(1, 0, 1), (1, 1, 1)])
        legal = {(1, square) for square in fits(played.state.board, 0, 1)}
        legal |= {(3, square) for square in fits(played.state.board, 0, 3)}
        played.dice = Dice(b"%d" % seed)
        played.expire()
        (line,) = played.told("subdivision.placed")
        assert (line["pips"], at(line["square"])) in legal
        placed.add(line["square"])
        assert [draw[:2] for draw in played.dice.draws] == [("auto:0", len(legal))]
    assert len(placed) > 15


def test_3b_a_timeout_of_a_seat_that_may_place_anywhere(table: TableOf) -> None:
    played, blue = dead_end(table, stuck="anywhere")
    played.expire()
    assert played.told("subdivision.placed")[-1] == {"seat": blue, "pips": 3, "square": "e4"}
    assert isinstance(played.outcome, Outcome)


def test_a_window_that_is_not_open_cannot_expire(table: TableOf) -> None:
    played = table(SUBDIVISION, 2)
    with pytest.raises(ValueError, match="no such window"):
        played.game.expire(played.state, "place:7", Millis(0), Dice(b"x"))
    ended, _ = dead_end(table)
    with pytest.raises(ValueError, match="over"):
        ended.game.expire(ended.state, "place:18", Millis(0), Dice(b"x"))
    assert ended.game.extension(ended.state, Seat(0), "place:18") is None
    assert ended.game.choices(ended.state, Seat(0)) == {}
