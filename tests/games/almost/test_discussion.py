"""Talk and plans in Almost."""

from __future__ import annotations

import pytest

from games.almost.rules.values import HIGHEST
from games.api import Seat
from tests.games.almost.rounds import TableOf, bid_all, go_on


def test_alm_8_talk_is_closed_while_bidding(table: TableOf) -> None:
    played = table("almost", 3)
    talk = []
    for _ in range(4):
        talk.append((played.public("stage").phase, played.game.talk_policy(played.state, Seat(1)).mode))
        assert played.game.talk_policy(played.state, None).mode == "closed"  # watchers have their own channel
        played.expire()
    assert talk == [("discuss", "open"), ("bid", "closed"), ("reveal", "open"), ("discuss", "open")]


def test_alm_9_whispers_are_an_option(table: TableOf) -> None:
    assert not table("almost", 3).game.talk_policy(table("almost", 3).state, Seat(0)).whispers
    played = table("almost", 3, whispers=True)
    assert played.game.talk_policy(played.state, Seat(0)).whispers
    played.expire()
    assert not played.game.talk_policy(played.state, Seat(0)).whispers


def test_gen_12_a_plan_is_public_and_not_binding(table: TableOf) -> None:
    played = table("almost", 3)
    played.do(0, "plan", "propose", bids=[10, 1, 1])
    played.do(1, "plan", "agree", plan=1)
    (plan,) = played.public("plans").plans
    assert (plan.by, plan.bids, plan.behind) == (0, (10, 1, 1), (0, 1))
    bid_all(played)
    assert played.public("plans").plans == (plan,)
    bid_all(played, 10, 9, 1)
    row = played.public("score").rows[0]
    assert row.promised == (10, 1, None)
    assert row.bids == (10, 9, 1)
    go_on(played)
    assert played.public("plans").plans == ()


def test_gen_12_a_plan_that_nobody_else_backs_promises_nothing(table: TableOf) -> None:
    played = table("almost", 3)
    played.do(0, "plan", "propose", bids=[10, 1, 1])
    bid_all(played)
    bid_all(played, 9, 1, 1)
    assert played.public("score").rows[0].promised == (None, None, None)


def test_a_seat_supports_at_most_one_plan(table: TableOf) -> None:
    played = table("almost", 3)
    played.do(0, "plan", "propose", bids=[10, 1, 1])
    played.do(1, "plan", "propose", bids=[1, 10, 1])
    played.do(2, "plan", "agree", plan=1)
    assert played.refused(2, "plan", "agree", plan=1) == "ALREADY_BEHIND"
    played.do(2, "plan", "agree", plan=2)
    assert [(plan.number, plan.behind) for plan in played.public("plans").plans] == [(1, (0,)), (2, (1, 2))]
    played.do(0, "plan", "agree", plan=2)  # nobody supports plan 1 any more
    assert [plan.number for plan in played.public("plans").plans] == [2]
    assert played.refused(1, "plan", "agree", plan=1) == "NO_SUCH_PLAN"
    played.do(1, "plan", "withdraw")
    assert played.refused(1, "plan", "withdraw") == "BEHIND_NONE"
    played.do(1, "plan", "propose", bids=[1, 1, 10])
    assert [plan.number for plan in played.public("plans").plans] == [2, 3]
    assert played.told("almost.withdrew") == [{"seat": 1, "plan": 2, "by": 1}]
    assert played.told("almost.agreed")[-1] == {"seat": 0, "plan": 2, "by": 1}


@pytest.mark.parametrize("bids", [[1, 2, 3, 4], [1, 2, 11]])
def test_plans_have_a_bid_for_each_seat(table: TableOf, bids: list[int]) -> None:
    assert table("almost", 3).refused(0, "plan", "propose", bids=bids) == "PLAN_SHAPE"


def test_plans_of_banbury_may_name_any_number(table: TableOf) -> None:
    played = table("almost", 3, mode="banbury", discussion="untilReady")
    played.do(0, "plan", "propose", bids=[HIGHEST, 1, 1])
    assert played.public("plans").plans[0].bids == (HIGHEST, 1, 1)
