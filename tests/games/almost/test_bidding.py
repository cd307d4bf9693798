"""Bidding in Almost: drafts, locks, missing bids, and what others see of them."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from games.almost.rules.values import AlmostMove
from games.api import Refusal, Seat
from tests.games.almost.rounds import TableOf, bid_all, go_on


@pytest.mark.parametrize("number", [0, 11, -1, 2.5, "7 ", "7", None, True, 10**12, [1]])
@pytest.mark.parametrize("tag", ["bid", "lock"])
def test_alm_t13_bids_out_of_range_are_refused(table: TableOf, number: object, tag: str) -> None:
    played = table("almost", 3, discussion="none")
    played.do(0, "bid", "bid", number=4)
    before = played.private(0, "mine")
    if tag == "lock" and number is None:
        return  # locks the draft
    try:
        move = msgspec.convert({"move": tag, "number": number}, AlmostMove)
    except msgspec.ValidationError:
        move = None
    if move is not None:
        refusal = played.game.check(played.state, Seat(0), played.prompt("bid"), move, played.at)
        assert refusal == Refusal("BID_RANGE", "ALM-1", {"most": 10})
    assert played.private(0, "mine") is before
    assert before.bid == 4


def test_alm_2_every_number_is_available_in_every_round(table: TableOf) -> None:
    played = table("almost", 4, discussion="none")
    for _ in range(3):
        bid_all(played, 10, 10, 10, 10)
        go_on(played)
    assert [row.bids for row in played.public("score").rows] == [(10, 10, 10, 10)] * 3


def test_alm_4_a_timeout_bids_the_draft_or_a_random_number(table: TableOf) -> None:
    played = table("almost", 4, discussion="none")
    played.do(0, "bid", "lock", number=9)
    played.do(1, "bid", "bid", number=4)
    assert played.expire() == "bid:1"
    (row,) = played.public("score").rows
    assert row.bids[:2] == (9, 4)
    assert row.missed == (1, 2, 3)
    assert played.told("almost.auto") == [{"seats": [1, 2, 3]}]
    assert [draw[:2] for draw in played.dice.draws] == [("bid:1:2", 10), ("bid:1:3", 10)]
    assert row.bids[2:] == tuple(1 + draw.result for draw in played.dice.draws)


@pytest.mark.parametrize(("options", "sides"), [({"mode": "banbury"}, 6), ({"maxBid": 25}, 25), ({}, 10)])
def test_alm_4_the_range_of_a_random_bid(table: TableOf, options: dict[str, Any], sides: int) -> None:
    played = table("almost", 4, **{"discussion": "none", **options})
    played.expire()
    assert {draw.sides for draw in played.dice.draws} == {sides}


def test_alm_14_a_lock_can_be_undone_until_the_last(table: TableOf) -> None:
    played = table("almost", 3, discussion="none")
    played.do(0, "bid", "lock", number=3)
    assert played.refused(0, "bid", "bid", number=4) == "LOCKED"
    assert played.refused(0, "bid", "lock", number=4) == "LOCKED"
    assert played.refused(1, "bid", "unlock") == "NOT_LOCKED"
    assert played.refused(1, "bid", "lock") == "NO_DRAFT"
    played.do(1, "bid", "lock", number=3)
    played.do(0, "bid", "unlock")
    assert played.public("readiness").done == (False, True, False)
    assert played.private(0, "mine").bid == 3
    played.do(0, "bid", "lock")
    played.do(2, "bid", "lock", number=1)
    assert played.public("stage").phase == "reveal"
    assert played.public("score").rows[0].bids == (3, 3, 1)


def test_gen_4_a_move_must_fit_its_prompt(table: TableOf) -> None:
    played = table("almost", 3)
    assert played.prompt("ready") == "ready:1"
    assert played.prompt("plan") == "plan:1"
    assert played.refused(0, "ready", "lock", number=3) == "OTHER_PROMPT"
    assert played.refused(0, "plan", "ready") == "OTHER_PROMPT"
    assert played.refused(0, "ready", "extend") == "OTHER_PROMPT"
    bid_all(played)
    assert played.prompt("bid") == "bid:1"
    assert played.refused(0, "bid", "continue") == "OTHER_PROMPT"
    bid_all(played, 1, 2, 3)
    assert played.prompt("continue") == "continue:1"
    go_on(played)
    assert played.prompt("ready") == "ready:2"


def test_4c_others_see_only_which_seats_have_locked(table: TableOf) -> None:
    played = table("almost", 3, discussion="none")
    nothing = msgspec.msgpack.encode(played.game.public(played.state))
    played.do(0, "bid", "bid", number=10)
    assert msgspec.msgpack.encode(played.game.public(played.state)) == nothing
    played.do(0, "bid", "lock")
    assert played.public("readiness").done == (True, False, False)
    assert played.private(1, "mine").bid is None
    assert played.told("almost.revealed") == []
    played.do(1, "bid", "lock", number=10)
    played.do(2, "bid", "lock", number=2)
    assert played.told("almost.revealed") == [{"round": 1, "bids": [10, 10, 2]}]
    assert played.private(0, "mine").bid is None


def test_choices_of_a_bid(table: TableOf) -> None:
    played = table("almost", 3, discussion="none", maxBid=12)
    choices = played.game.choices(played.state, Seat(0))["bid:1"]
    assert [(choice.move, sorted(choice.fields)) for choice in choices] == [
        ("bid", ["number"]),
        ("lock", ["number"]),
    ]
    assert choices[0].fields["number"].most == 12
    played.do(0, "bid", "bid", number=12)
    assert [one.move for one in played.game.choices(played.state, Seat(0))["bid:1"]] == [
        "bid",
        "lock",
        "lock",
    ]
    played.do(0, "bid", "lock")
    assert [one.move for one in played.game.choices(played.state, Seat(0))["bid:1"]] == ["unlock"]
