"""Takeover's draft and the flips that follow it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from games.api import Millis, Running, Seat
from games.dice import Dice
from games.takeover.rules import draft
from games.takeover.rules.game import TAKEOVER
from games.takeover.rules.values import NAMES, TakeoverOptions, suit_of, value_of
from tests.games.takeover.reference import reference_draft
from tests.games.takeover.table import Table, drafted

VECTORS = json.loads((Path(__file__).parent.parent / "vectors.json").read_text())["takeover"]


@pytest.mark.parametrize("seats", range(2, 7))
def test_tko_t13_the_draft(seats: int) -> None:
    order = draft.order(seats, Seat(0))
    counts = [order.count(Seat(seat)) for seat in range(seats)]
    assert counts == VECTORS["draftCounts"][str(seats)]
    assert list(order) == reference_draft(seats)
    turned = draft.order(seats, Seat(seats - 1))
    assert turned == tuple(Seat((seat + seats - 1) % seats) for seat in order)
    table = Table(seats)
    while table.state.stage.phase == "draft":
        table.expire()
    first = table.state.stage.first
    given = [len(table.state.hands[(first + place) % seats]) for place in range(seats)]
    assert given == counts
    assert sorted(one.name for hand in table.state.hands for one in hand) == sorted(NAMES)


def test_tko_t13_five_seats_in_order() -> None:
    order = draft.order(5, Seat(0))
    assert order[:11] == (0, 1, 2, 3, 4, 4, 3, 2, 1, 0, 0)
    assert order[-4:] == (0, 1, 2, 3)


def test_tko_1_only_the_picker_learns_which_suit_was_drawn() -> None:
    table = Table(3)
    seat = table.state.stage.turn
    assert seat is not None
    assert table.refused(seat, "draft", "pickCoin", coin="S5") == "SUITS_HIDDEN"
    table.do(seat, "draft", "pick", value=4)
    (got,) = table.state.hands[seat]
    assert value_of(got.name) == 4
    assert not got.stock
    assert table.told("takeover.drew") == []
    assert table.told("takeover.drew", seat) == [{"coin": got.name}]
    assert table.public("draft").picks[0].coin is None
    assert table.public("draft").left == (4, 4, 4, 4, 3, 4)


def test_tko_1_every_suit_can_be_drawn() -> None:
    suits = set()
    for seed in range(40):
        state = TAKEOVER.setup(2, TakeoverOptions(), Millis(0), Dice(b"%d" % seed)).state
        window = TAKEOVER.windows(state)[0]
        state = TAKEOVER.expire(state, window.id, Millis(15_000), Dice(b"%d" % seed)).state
        suits |= {suit_of(one.name) for hand in state.hands for one in hand}
    assert suits == {"S", "M", "C", "A"}


def test_tko_1_with_suits_shown_a_coin_is_picked() -> None:
    table = Table(2, draftSuits="shown")
    seat = table.state.stage.turn
    assert seat is not None
    assert table.refused(seat, "draft", "pick", value=4) == "SUITS_SHOWN"
    table.do(seat, "draft", "pickCoin", coin="M4")
    assert table.told("takeover.pickedCoin") == [{"seat": seat, "coin": "M4"}]
    assert "M4" not in table.public("draft").coins
    other = table.state.stage.turn
    assert other is not None
    assert table.refused(other, "draft", "pickCoin", coin="M4") == "NONE_LEFT"


def test_an_exhausted_value_cannot_be_picked() -> None:
    table = Table(2)
    for _ in range(4):
        assert table.state.stage.turn is not None
        table.do(table.state.stage.turn, "draft", "pick", value=0)
    assert table.state.stage.turn is not None
    assert table.refused(table.state.stage.turn, "draft", "pick", value=0) == "VALUE_GONE"


@pytest.mark.parametrize("suits", ["hidden", "shown"])
def test_gen_7_a_timeout_in_the_draft_picks_the_highest_value_left(suits: str) -> None:
    table = Table(4, draftSuits=suits)
    values = []
    while table.state.stage.phase == "draft":
        window = TAKEOVER.windows(table.state)[-1]
        assert isinstance(window.clock, Running)
        assert window.span == 15_000
        table.expire()
        values.append(table.public("draft").picks[-1].value)
    assert values == sorted(values, reverse=True)
    assert len(table.told("takeover.auto")) == 24


def test_tko_5_any_number_of_coins_flip_at_once() -> None:
    table = drafted(2)
    mine = [one.name for one in table.state.hands[0]]
    table.do(0, "flip", "setStocks", coins=mine[:3])
    table.do(0, "flip", "lock")
    assert table.public("readiness").done == (True, False)
    table.do(0, "flip", "unlock")
    table.do(0, "flip", "lock", coins=mine)
    assert table.refused(0, "flip", "setStocks", coins=[]) == "LOCKED"
    table.do(1, "flip", "lock")  # nothing marked: all cash
    assert all(one.stock for one in table.state.hands[0])
    assert not any(one.stock for one in table.state.hands[1])
    assert table.state.stage.turn == table.state.stage.first  # TKO-3


def test_a_seat_flips_only_its_own_coins_and_each_once() -> None:
    table = drafted(3)
    mine, theirs = table.state.hands[0][0].name, table.state.hands[1][0].name
    for tag in ("setStocks", "lock"):
        assert table.refused(0, "flip", tag, coins=[theirs]) == "NOT_YOUR_COINS"
        assert table.refused(0, "flip", tag, coins=[mine, mine]) == "NOT_YOUR_COINS"
    assert table.refused(0, "flip", "unlock") == "NOT_LOCKED"


def test_gen_7_a_timeout_flips_the_marked_coins() -> None:
    table = drafted(3)
    mine = table.state.hands[1][2].name
    table.do(1, "flip", "setStocks", coins=[mine])
    while table.state.stage.phase == "flip":
        table.expire()
    assert [one.name for one in table.state.hands[1] if one.stock] == [mine]
    assert not any(one.stock for one in table.state.hands[0])
