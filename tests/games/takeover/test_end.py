"""The end of a game of Takeover: passes, no merger left, and the winners."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from games.api import Outcome, Seat
from games.takeover.rules import counting
from games.takeover.rules.game import TAKEOVER
from games.takeover.rules.values import NAMES
from tests.games.takeover.table import PLAIN, Table, position


def test_tko_21_the_game_ends_when_all_have_passed_since_the_last_merger() -> None:
    table = Table(state=position(PLAIN, "s5 a1", "c2", "m2"))
    table.pass_by(0, 1)
    assert table.public("passes").passed == (True, True, False)
    table.merge(2, "S3>S5")
    assert table.public("passes").passed == (False, False, False)
    table.pass_by(0, 1)
    table.do(1, "trade", "propose", to=2, give=["C2"], wish=[])  # trades do not affect the passes
    table.do(2, "offer", "accept", coins=[])
    table.pass_by(2)
    assert table.outcome == Outcome((Seat(0),), (6, 0, 4))
    assert TAKEOVER.windows(table.state) == ()
    assert table.told("takeover.allPassed") == [{}]


def test_tko_21_a_second_lapsed_turn_counts_as_a_pass() -> None:
    table = Table(state=position(PLAIN, "s5 a1", "c2", timers="off"))
    clocked = replace(table.state.options, timers="normal")
    control = replace(table.state.time_control, timers="normal")
    table.state = replace(table.state, options=clocked, time_control=control)
    table.pass_by(0)
    table.expire()
    assert table.public("passes").lapses == (0, 1)
    table.pass_by(0)
    assert isinstance(TAKEOVER.prompts(table.state), tuple)
    table.expire()
    assert table.outcome.winners == (0,)


def test_tko_26_passing_is_offered_every_turn() -> None:
    table = Table(state=position({(0, 0): "S1", (1, 1): "M2"}, "", ""))
    offered = TAKEOVER.choices(table.state, Seat(0))
    assert any(choice.move == "pass" for choice in offered[table.prompt("turn", 0)])


LONELY = {(0, 0): "S1", (1, 0): "M5", (5, 3): "C1"}


@pytest.mark.parametrize(
    ("options", "hands", "spent", "over"),
    [
        ({}, ("S1 C1", "M5"), "", False),  # concealed: for all anybody knows, it can be paid
        ({}, ("", ""), " ".join(NAMES), True),
        ({"holdings": "faces"}, ("S1 C1", "M5"), "", True),
        ({"holdings": "faces"}, ("S1 C1 a4", "M5 m1"), "", False),  # together they can pay
        ({"holdings": "open"}, ("S1 C1 a4", "M5 m1"), "", False),
        ({"holdings": "faces", "trading": "off"}, ("S1 C1 a3", "M5"), "", False),  # M5>S1 costs one
        ({"holdings": "faces", "trading": "off"}, ("S1 C1", "M5"), "", True),
    ],
)
def test_tko_17_the_game_is_over_if_nobody_can_merge(
    options: dict[str, Any], hands: tuple[str, ...], spent: str, over: bool
) -> None:
    state = position(LONELY, *hands, spent=spent, **options)
    assert counting.is_over(state.options, state.grid, state.hands, state.spent) == over


def test_tko_17_without_trading_each_seat_counts_alone() -> None:
    stacks = {(0, 0): "S4", (1, 0): "M5"}
    state = position(stacks, "a3 S4", "c1 M5", holdings="faces", trading="off")
    assert counting.is_over(state.options, state.grid, state.hands, state.spent)
    pooled = replace(state.options, trading="anytime")
    assert not counting.is_over(pooled, state.grid, state.hands, state.spent)


def test_tko_17_a_null_counts_while_it_lies_value_up() -> None:
    stacks = {(0, 0): "S4", (3, 0): "S5", (1, 1): "A0"}
    for hand, over in (("a0", False), ("A0", True)):
        state = position(stacks, hand, "c1", holdings="faces")
        assert counting.is_over(state.options, state.grid, state.hands, state.spent) == over
    state = position(stacks, "A0", "c1")  # concealed: a null may be value-up somewhere
    assert not counting.is_over(state.options, state.grid, state.hands, state.spent)
    state = position(stacks, "", "c1", spent="S0 M0 C0 A0")
    assert counting.is_over(state.options, state.grid, state.hands, state.spent)


def test_the_game_ends_when_the_last_merger_is_made() -> None:
    table = Table(state=position({(0, 0): "S1", (1, 0): "S5"}, "S1 S5", "m2"))
    table.merge(0, "S1>S5")
    assert table.outcome == Outcome((Seat(0),), (7, 2))
    reckoning = table.public("reckoning")
    assert [(one.name, one.stock, one.worth) for one in reckoning.hands[0]] == [
        ("S1", True, 2),
        ("S5", False, 5),
    ]
    assert table.told("takeover.noMergers") == [{}]


def test_gen_10_equal_scores_share_the_win() -> None:
    table = Table(state=position(PLAIN, "s5", "m5", "c2"))
    table.pass_by(0, 1, 2)
    assert table.outcome == Outcome((Seat(0), Seat(1)), (5, 5, 2))
