"""Takeover: every example by its id, every option, every visible ruling, and secrecy."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from games.api import Millis, Outcome, Refusal, Running, Seat
from games.dice import Dice
from games.kit import choices as kit_choices
from games.takeover.rules import counting, deals, draft, mergers
from games.takeover.rules.game import TAKEOVER
from games.takeover.rules.values import (
    NAMES,
    Bargain,
    Coin,
    Grid,
    Merge,
    Name,
    Preview,
    TakeoverOptions,
    TakeoverState,
    suit_of,
    value_of,
)
from games.testing import random_play
from games.testing.positions import everything, lines_to
from tests.games.takeover.reference import (
    Stacks,
    reference_can_merge,
    reference_draft,
    reference_merge,
    reference_over,
    reference_scores,
)
from tests.games.takeover.reference import value_of as reference_value
from tests.games.takeover.table import Table, coin, grid, position

VECTORS = json.loads((Path(__file__).parent.parent / "vectors.json").read_text())["takeover"]

PLAIN = {(0, 0): "S3", (1, 0): "S5", (2, 0): "M4", (3, 0): "C3"}
"""A row of four: S3 and S5 touch, M4 and C3 touch."""


# --- 5f: examples ---


def test_tko_t1_a_stock_is_worth_its_value_and_the_tiles_under_it() -> None:
    tiles = grid({(2, 1): "M1 A4 C5 S2"})
    assert counting.worth(tiles, coin("S2")) == 5
    assert counting.worth(tiles, coin("s2")) == 2
    with pytest.raises(ValueError, match="subsumed"):
        counting.worth(tiles, coin("M1"))


def test_tko_t2_the_covered_stock_turns_cash() -> None:
    table = Table(state=position(PLAIN, "S3 S5 c1", "m2"))
    assert table.merger("S3>S5").cost == 0
    table.merge(0, "S3>S5")
    assert table.stack(1, 0) == "S5 S3"
    assert table.stack(0, 0) == ""
    assert table.hand(0) == "S3 s5 c1"
    assert [one.worth for one in table.private(0, "hand").coins] == [4, 5, 1]


def test_tko_t3_the_other_way() -> None:
    table = Table(state=position(PLAIN, "S3 S5 c1", "m2"))
    table.merge(0, "S5>S3")
    assert table.stack(0, 0) == "S3 S5"
    assert table.hand(0) == "s3 S5 c1"
    assert table.private(0, "hand").total == 3 + 6 + 1


@pytest.mark.parametrize(
    ("pay", "left"),
    [(["a3"], "s5 m2 c1"), (["m2", "c1"], "s5 a3"), (["s5"], "m2 c1 a3"), (["m2"], None)],
)
def test_tko_t4_paying_three(pay: list[str], left: str | None) -> None:
    table = Table(state=position(PLAIN, "s5 m2 c1 a3", "c2"))
    coins = [one.upper() for one in pay]
    if left is None:
        assert table.no_merge(0, "M4>C3", *coins) == "NOT_ENOUGH"
        return
    table.merge(0, "M4>C3", *coins)
    assert table.hand(0) == left
    assert table.public("holdings").spent == tuple(sorted(int(one[1]) for one in pay))


def test_tko_t5_the_cost_is_what_is_printed_not_the_worth() -> None:
    table = Table(state=position({(0, 0): "M4", (1, 0): "A1 S3 S1 C2"}, "s2", "m3"))
    assert table.merger("M4>C2").cost == 2
    table.merge(0, "M4>C2", "S2")


def test_tko_t6_a_subsumed_null_stock_becomes_a_null_to_use() -> None:
    table = Table(state=position({(0, 0): "M1", (1, 0): "C0", (1, 3): "A3"}, "C0", "a1 a3"))
    assert table.merger("M1>C0").cost == 0
    table.merge(0, "M1>C0")
    assert table.hand(0) == "c0"
    table.pass_by(1)
    assert table.no_merge(0, "M1>A3", null="C0") == "NOT_ENOUGH"
    table.offer(1, 0, ["A3"])
    table.do(0, "offer", "accept", coins=[])
    table.merge(0, "M1>A3", "A3", null="C0")
    assert table.stack(1, 3) == "A3 C0 M1"


def test_tko_t7_a_special_merger() -> None:
    table = Table(state=position({(0, 1): "A4", (5, 1): "A2", (0, 3): "S1", (1, 3): "S2"}, "s0 m1", "m2"))
    table.merge(0, "A4>A2", null="S0")
    assert table.stack(5, 1) == "A2 A4"
    assert table.hand(0) == "m1"
    assert table.public("holdings").spent == (0,)


def test_tko_t8_a_special_merger_is_paid_too() -> None:
    stacks = {(0, 1): "A4", (5, 1): "C3", (1, 2): "C2"}
    table = Table(state=position(stacks, "s0 m3", "m2"))
    assert table.no_merge(0, "A4>C3", null="S0") == "NOT_ENOUGH"
    table.merge(0, "A4>C3", "M3", null="S0")
    assert table.hand(0) == ""
    table = Table(state=position({**stacks, (4, 3): "S0"}, "S0 m3", "m2"))
    assert table.no_merge(0, "A4>C3", "M3", null="S0") == "NO_NULL"  # it is suit-up
    table = Table(state=position(stacks, "s0 m3", "m2"))
    assert table.no_merge(0, "A4>C2", "M3", null="S0") == "OUT_OF_REACH"


def test_tko_t9_nothing_flips_of_a_coin_that_has_left() -> None:
    table = Table(state=position(PLAIN, "S3 c1", "m2", spent="S5"))
    table.merge(0, "S3>S5")
    assert (table.hand(0), table.hand(1)) == ("S3 c1", "m2")
    assert not any(table.told("takeover.yourFlip", seat) for seat in (0, 1))
    assert table.told("takeover.subsumed") == [{"coin": "S5"}]  # announced in any case (5c)


def test_tko_t10_the_owner_is_who_has_it_now() -> None:
    table = Table(state=position(PLAIN, "S5 S3", "m2"))
    offer = table.offer(0, 1, ["S5"], ["2+"])
    table.do(1, offer, "accept", coins=["M2"])
    table.merge(0, "S3>S5")
    assert table.hand(1) == "s5"
    assert table.told("takeover.yourFlip", 1) == [{"coin": "S5"}]
    assert table.told("takeover.yourFlip", 0) == []


def test_tko_t11_only_the_lower_stacks_top_is_subsumed() -> None:
    table = Table(state=position({(0, 0): "A1 M5 S3", (1, 0): "C4 S2", (1, 1): "M4"}, "S3 S2", "m2"))
    table.merge(0, "S3>S2")
    assert table.stack(1, 0) == "C4 S2 A1 M5 S3"
    assert table.hand(0) == "s2 S3"
    assert table.private(0, "hand").total == 2 + 7


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


# --- the draft and the flips ---


def test_tko_1_picking_a_value_draws_the_suit_which_its_picker_alone_learns() -> None:
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


def test_tko_1_what_is_drawn_is_any_suit() -> None:
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


def test_a_value_that_is_gone_cannot_be_picked() -> None:
    table = Table(2)
    for _ in range(4):
        assert table.state.stage.turn is not None
        table.do(table.state.stage.turn, "draft", "pick", value=0)
    assert table.state.stage.turn is not None
    assert table.refused(table.state.stage.turn, "draft", "pick", value=0) == "NONE_LEFT"


@pytest.mark.parametrize("suits", ["hidden", "shown"])
def test_gen_7_time_runs_out_in_the_draft_the_highest_value_left(suits: str) -> None:
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


def drafted(seats: int, **options: Any) -> Table:
    """A table in the flip phase."""
    table = Table(seats, **options)
    while table.state.stage.phase == "draft":
        table.expire()
    return table


def test_tko_5_as_many_flips_as_desired_all_at_once() -> None:
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


def test_flips_are_of_own_coins_each_once() -> None:
    table = drafted(3)
    mine, theirs = table.state.hands[0][0].name, table.state.hands[1][0].name
    for tag in ("setStocks", "lock"):
        assert table.refused(0, "flip", tag, coins=[theirs]) == "NOT_YOUR_COINS"
        assert table.refused(0, "flip", tag, coins=[mine, mine]) == "NOT_YOUR_COINS"
    assert table.refused(0, "flip", "unlock") == "NOT_LOCKED"


def test_gen_7_time_runs_out_at_the_flips_what_is_marked_counts() -> None:
    table = drafted(3)
    mine = table.state.hands[1][2].name
    table.do(1, "flip", "setStocks", coins=[mine])
    while table.state.stage.phase == "flip":
        table.expire()
    assert [one.name for one in table.state.hands[1] if one.stock] == [mine]
    assert not any(one.stock for one in table.state.hands[0])


# --- mergers ---


def test_tko_12_overpaying_is_lost_unless_no_coin_may_be_superfluous() -> None:
    table = Table(state=position(PLAIN, "s5 m2 c1", "c2"))
    table.merge(0, "M4>C3", "S5", "M2", "C1")
    assert table.hand(0) == ""
    table = Table(state=position(PLAIN, "s5 m2 c1", "c2", exactPay=True))
    assert table.no_merge(0, "M4>C3", "S5", "M2") == "SUPERFLUOUS"
    assert table.no_merge(0, "S3>S5", "C1") == "SUPERFLUOUS"
    table.merge(0, "M4>C3", "S5")  # overpays by two, but no coin is superfluous


def test_tko_13_the_cashed_coin_does_not_pay_for_its_own_merger() -> None:
    table = Table(state=position(PLAIN, "C3", "c2"))
    assert table.no_merge(0, "M4>C3", "C3") == "NOT_CASH"


def test_tko_14_nobody_else_pays() -> None:
    table = Table(state=position(PLAIN, "m1", "a3"))
    assert table.no_merge(0, "M4>C3", "A3") == "NOT_YOUR_COINS"
    assert table.no_merge(0, "M4>C3", "M1", "M1", "M1") == "NOT_YOUR_COINS"


def test_tko_15_gaps_separate() -> None:
    table = Table(state=position({(0, 0): "S1", (2, 0): "S2", (2, 1): "A1"}, "s5", "m5"))
    assert table.no_merge(0, "S1>S2") == "NULL_NEEDED"


def test_tko_16_anything_may_lie_between_and_touching_pairs_keep_the_null() -> None:
    stacks = {(0, 0): "S1", (1, 0): "M2", (3, 0): "S2", (0, 3): "C1"}
    table = Table(state=position(stacks, "s0 m5", "c0"))
    assert table.no_merge(0, "S1>M2", "M5", null="S0") == "NULL_KEPT"
    assert table.no_merge(0, "M2>C1", "M5", null="S0") == "OUT_OF_REACH"
    table.merge(0, "S1>S2", null="S0")
    assert table.stack(3, 0) == "S2 S1"


def test_tko_18_19_a_null_is_not_money() -> None:
    table = Table(state=position(PLAIN, "s0 a3", "c2"))
    assert table.no_merge(0, "M4>C3", "S0", "A3") == "NULL_IN_PAY"


def test_tko_9_covering_a_null_is_free_and_tko_11_nothing_need_be_owned() -> None:
    table = Table(state=position({(0, 0): "S5", (0, 1): "A0", (1, 1): "A1"}, "", "c2"))
    table.merge(0, "S5>A0")  # TKO-27: a seat without coins keeps playing
    assert table.stack(0, 1) == "A0 S5"


@pytest.mark.parametrize("pair", ["S3>S3", "S3>A5", "A5>S3"])
def test_tko_30_two_corporations_that_stand(pair: str) -> None:
    table = Table(state=position(PLAIN, "s5", "c2"))
    assert table.no_merge(0, pair, "S5") == "NO_SUCH_PAIR"


def test_tko_7_a_subsumed_corporation_is_none_any_more() -> None:
    table = Table(state=position({**PLAIN, (3, 1): "A1"}, "s5", "c2"))
    table.merge(0, "S3>S5")
    table.offer(0, 1, ["S5"])
    assert table.no_merge(1, "S5>M4") == "NO_SUCH_PAIR"


def test_the_preview_of_a_merger() -> None:
    table = Table(state=position({(0, 0): "A1 S3", (1, 0): "M5", (1, 1): "C2"}, "S3 M5 m2 c1 a4", "c2"))
    move = Merge("S3>M5", ("M2", "A4"))
    shown = TAKEOVER.preview(table.state, Seat(0), move)
    assert shown is not None
    assert shown.data == Preview(5, "M5", 5, 3, ("C1", "A4"), 1, True, -5)
    assert (table.merger("S3>M5").cost, table.merger("S3>M5").worth) == (5, 5)
    assert table.private(0, "hand").pay == ((), ("C1",), ("M2",), ("M2", "C1"), ("A4",), ("C1", "A4"))
    before = table.private(0, "hand").total
    table.merge(0, "S3>M5", "M2", "A4")
    assert table.private(0, "hand").total == before - 5
    assert TAKEOVER.preview(table.state, Seat(1), move) is None


def test_voluntary_cash_out_is_an_option_for_own_stocks() -> None:
    table = Table(state=position(PLAIN, "S3 S5 c1", "m2"))
    assert table.refused(0, "turn", "cashOut", coins=["S3"]) == "NO_CASH_OUT"
    table = Table(state=position(PLAIN, "S3 C3 c1", "m2", voluntaryCashOut=True))
    assert table.refused(0, "turn", "cashOut", coins=["C1"]) == "NOT_STOCKS"
    assert table.refused(0, "turn", "cashOut", coins=[]) == "NOT_STOCKS"
    table.do(0, "turn", "cashOut", coins=["S3"])
    assert table.hand(0) == "s3 c1 C3"
    table.merge(0, "M4>C3", "S3")  # the same turn continues
    assert table.told("takeover.cashedOut") == []  # concealed: nobody else notices
    assert table.told("takeover.youCashedOut", 1) == []
    table = Table(state=position(PLAIN, "S3 c1", "m2", voluntaryCashOut=True, holdings="faces"))
    table.do(0, "turn", "cashOut", coins=["S3"])
    assert table.told("takeover.cashedOut") == [{"seat": 0, "count": 1}]


# --- passes and the end ---


def test_tko_21_all_have_passed_since_the_last_merger() -> None:
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


def test_tko_21_one_lapsed_turn_is_no_pass_but_two_are() -> None:
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
def test_tko_17_no_merger_for_anybody(
    options: dict[str, Any], hands: tuple[str, ...], spent: str, over: bool
) -> None:
    state = position(LONELY, *hands, spent=spent, **options)
    assert counting.over(state.options, state.grid, state.hands, state.spent) == over


def test_tko_17_seat_by_seat_where_trading_is_off() -> None:
    stacks = {(0, 0): "S4", (1, 0): "M5"}
    state = position(stacks, "a3 S4", "c1 M5", holdings="faces", trading="off")
    assert counting.over(state.options, state.grid, state.hands, state.spent)
    pooled = replace(state.options, trading="anytime")
    assert not counting.over(pooled, state.grid, state.hands, state.spent)


def test_tko_17_a_null_counts_while_it_lies_value_up() -> None:
    stacks = {(0, 0): "S4", (3, 0): "S5", (1, 1): "A0"}
    for hand, over in (("a0", False), ("A0", True)):
        state = position(stacks, hand, "c1", holdings="faces")
        assert counting.over(state.options, state.grid, state.hands, state.spent) == over
    state = position(stacks, "A0", "c1")  # concealed: a null may be value-up somewhere
    assert not counting.over(state.options, state.grid, state.hands, state.spent)
    state = position(stacks, "", "c1", spent="S0 M0 C0 A0")
    assert counting.over(state.options, state.grid, state.hands, state.spent)


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


def test_gen_10_equal_scores_share() -> None:
    table = Table(state=position(PLAIN, "s5", "m5", "c2"))
    table.pass_by(0, 1, 2)
    assert table.outcome == Outcome((Seat(0), Seat(1)), (5, 5, 2))


# --- trades ---


def test_tko_22_a_swap_is_atomic_and_coins_do_not_turn() -> None:
    table = Table(state=position(PLAIN, "S3 c1", "m2 M4"))
    offer = table.offer(0, 1, ["S3", "C1"], ["M4", "coin"])
    table.do(1, offer, "accept", coins=["M2", "M4"])
    assert (table.hand(0), table.hand(1)) == ("m2 M4", "S3 c1")
    assert table.deals(0) == table.deals(1) == []


def test_tko_22_the_first_acceptance_kills_the_others_with_the_same_coin() -> None:
    table = Table(state=position(PLAIN, "S3 c1", "m2", "a2", "a3"))
    first, second, third = (
        table.offer(0, 1, ["S3"], ["2+"]),
        table.offer(0, 2, ["S3", "C1"]),
        table.offer(0, 3, ["C1"]),
    )
    assert table.deals(0) == [first, second, third]
    table.do(1, first, "accept", coins=["M2"])
    assert table.deals(2) == []
    assert table.deals(3) == [third]
    assert table.told("offer.gone", 2) == [{"seat": 0, "other": 2}]
    assert table.told("offer.gone", 1) == table.told("offer.gone", 3) == []


def test_tko_22_an_offer_dies_when_its_coin_flips_or_is_spent() -> None:
    table = Table(state=position(PLAIN, "S5 a3 c1", "m2"))
    flips, spends = table.offer(0, 1, ["S5"]), table.offer(0, 1, ["A3"], ["2+"])
    assert table.deals(1) == [flips, spends]
    table.merge(0, "M4>C3", "A3")
    assert table.deals(1) == [flips]
    table.merge(1, "S3>S5")
    assert table.deals(1) == []
    assert table.told("offer.gone", 1) == [{"seat": 0, "other": 1}] * 2


def test_tko_22_a_coin_that_comes_back_revives_nothing() -> None:
    table = Table(state=position(PLAIN, "S3", "m2", "a2"))
    old, sold = table.offer(0, 2, ["S3"]), table.offer(0, 1, ["S3"])
    table.do(1, sold, "accept", coins=[])
    back = table.offer(1, 0, ["S3"])
    table.do(0, back, "accept", coins=[])
    assert table.hand(0) == "S3"
    assert old not in table.deals(2)


def test_tko_24_accepting_needs_coins_that_fit() -> None:
    table = Table(state=position({**PLAIN, (5, 3): "C0"}, "S3", "m2 m5 C0 a0 S5"))
    offer = table.offer(0, 1, ["S3"], ["S5", "3+", "null", "coin"])
    fit = ["S5", "M5", "A0", "M2"]
    assert table.refused(1, offer, "accept", coins=fit[:3]) == "DOES_NOT_FIT"
    assert table.refused(1, offer, "accept", coins=[*fit[:3], "C0", "M2"]) == "DOES_NOT_FIT"
    assert table.refused(1, offer, "accept", coins=["S5", "M2", "A0", "C0"]) == "DOES_NOT_FIT"
    assert table.refused(1, offer, "accept", coins=["S5", "M5", "A0", "A0"]) == "DOES_NOT_FIT"
    table.do(1, offer, "accept", coins=fit)
    assert table.hand(0) == "S5 m2 m5 a0"


def test_tko_24_a_proposer_learns_nothing_of_what_the_other_has() -> None:
    """The proposer's view and lines are the same, whether or not the other seat could meet the wish."""
    seen = []
    for other in ("S5", "s5", "a5"):
        state = position(PLAIN, "m3", other)
        table = Table(state=state)
        codes = [table.check(0, "trade", "propose", to=1, give=["M3"], wish=[wish]) for wish in ("S5", "5+")]
        offer = table.offer(0, 1, ["M3"], ["S5"])
        seen.append((codes, everything(TAKEOVER, table.state, Seat(0)), lines_to(table.lines, Seat(0))))
        assert table.expire() == offer
        seen.append(([], everything(TAKEOVER, table.state, Seat(0)), lines_to(table.lines, Seat(0))))
    assert seen[:2] == seen[2:4] == seen[4:]


def test_tko_25_offered_coins_are_shown_as_they_lie_to_both_alike() -> None:
    table = Table(state=position(PLAIN, "S3 c1", "m2", "a2"))
    table.offer(0, 1, ["S3", "C1"], ["coin"])
    assert table.private(0, "deals") == table.private(1, "deals")
    (deal,) = table.private(1, "deals").deals
    assert deal.give == (Coin("S3", True), Coin("C1", False))
    assert table.private(2, "deals").deals == ()
    said = {"seat": 0, "other": 1, "give": ["S3", "C1$"], "wish": ["coin"]}
    assert table.told("takeover.offered", 0) == table.told("takeover.offered", 1) == [said]
    assert table.told("takeover.offered", 2) == []


def test_countering_declining_and_withdrawing() -> None:
    table = Table(state=position(PLAIN, "S3 c1", "m2", "a2"))
    offer = table.offer(0, 1, ["S3"], ["5+"])
    assert table.refused(0, offer, "accept", coins=[]) == "NOT_YOURS"
    assert table.refused(0, offer, "decline") == "NOT_YOURS"
    assert table.refused(1, offer, "cancel") == "NOT_YOURS"
    table.do(1, offer, "counter", give=["M2"], wish=["S3"])
    (answer,) = table.deals(0)
    assert answer != offer
    table.do(0, answer, "accept", coins=["S3"])
    assert (table.hand(0), table.hand(1)) == ("m2 c1", "S3")
    one = table.offer(0, 1, ["C1"])
    table.do(1, one, "decline")
    two = table.offer(0, 1, ["C1"])
    table.do(0, two, "cancel")
    assert table.deals(0) == []


def test_what_may_be_proposed() -> None:
    table = Table(state=position(PLAIN, "S3 c1", "m2", "a2", "a3"))
    terms = {"give": ["S3"], "wish": ["coin"]}
    assert table.refused(0, "trade", "propose", to=0, **terms) == "WITH_YOURSELF"
    assert table.refused(0, "trade", "propose", to=4, **terms) == "WITH_YOURSELF"
    assert table.refused(0, "trade", "propose", to=1, give=[], wish=[]) == "NOTHING"
    assert table.refused(0, "trade", "propose", to=1, give=["M2"], wish=[]) == "NOT_YOUR_COINS"
    assert table.refused(0, "trade", "propose", to=1, give=["S3", "S3"], wish=[]) == "NOT_YOUR_COINS"
    for wish in (["C1"], ["A5"], ["S5", "S5"], ["null"] * 5, ["S"] * 7):  # its own, gone, or too many
        assert table.refused(0, "trade", "propose", to=1, give=[], wish=wish) == "WISH"
    with pytest.raises(msgspec.ValidationError):
        table.check(0, "trade", "propose", to=1, give=[], wish=["6+"])
    table.offer(0, 1, **terms)
    assert table.refused(0, "trade", "propose", to=1, **terms) == "TOO_MANY"
    table.offer(0, 2, **terms)


@pytest.mark.parametrize(("seats", "most"), [(2, 3), (3, 2), (4, 1), (5, 1), (6, 1)])
def test_tko_22_one_offer_too_many_names_how_many_fit_the_table(seats: int, most: int) -> None:
    table = Table(state=position(PLAIN, "S3 c1", *["m2", "a2", "a3", "m4", "c2"][: seats - 1]))
    for _ in range(most):
        table.offer(0, 1, ["S3"])
    move = {"to": 1, "give": ["S3"], "wish": []}
    assert table.check(0, "trade", "propose", **move) == Refusal("TOO_MANY", "TKO-22", {"most": most})


@pytest.mark.parametrize(("log", "public"), [("private", False), ("public", True)])
def test_tko_23_the_fact_is_public_the_contents_only_if_wanted(log: str, public: bool) -> None:
    table = Table(state=position(PLAIN, "S3 c1", "m2", "a2", tradeLog=log))
    table.do(1, table.offer(0, 1, ["S3", "C1"], ["coin"]), "accept", coins=["M2"])
    which = {"seat": 0, "other": 1, "give": ["S3", "C1$"], "back": ["M2$"]}
    assert table.told("takeover.swapped", 0) == table.told("takeover.swapped", 1) == [which]
    (trade,) = table.public("trades").trades
    assert (trade.gave, trade.got) == (2, 1)
    if public:
        assert table.told("takeover.swapped") == [which]
        assert trade.given == (Coin("S3", True), Coin("C1", False))
    else:
        assert table.told("takeover.swapped", 2) == []
        assert table.told("takeover.traded") == [{"seat": 0, "other": 1, "gave": 2, "got": 1}]
        assert trade.given is trade.back is None


def test_trading_only_with_the_seat_whose_turn_it_is() -> None:
    table = Table(state=position(PLAIN, "S3 c1", "m2", "a2", trading="ownTurnOnly"))
    assert table.refused(1, "trade", "propose", to=2, give=["M2"], wish=[]) == "NOT_ON_TURN"
    offer = table.offer(1, 0, ["M2"])
    table.pass_by(0)
    assert table.deals(0) == []  # offers end with the turn
    assert table.told("offer.gone", 1) == [{"seat": 1, "other": 0}]
    assert offer not in [prompt.id for prompt in table.prompts]
    table.offer(1, 2, ["M2"])


def test_no_trading_at_all() -> None:
    table = Table(state=position(PLAIN, "S3 c1", "m2", trading="off"))
    assert {prompt.kind for prompt in table.prompts} == {"turn", "extend"}
    assert "deals" not in TAKEOVER.private(table.state, Seat(0))


def test_an_offer_has_a_window_of_its_own() -> None:
    table = Table(state=position(PLAIN, "S3 c1", "m2"))
    offer = table.offer(0, 1, ["S3"])
    table.at = Millis(table.at + 44_999)
    assert table.expire() == offer
    assert table.at == 46_000
    assert table.told("offer.lapsed", 1) == [{"seat": 0, "other": 1}]
    assert table.state.stage.turn == 0


def test_wishes_and_coins_that_meet_them_agree_with_trying_every_order() -> None:
    """Counting kinds accepts the same coins as trying every order."""
    fate = random.Random(24)
    accepted = 0
    for _ in range(3_000):
        hand = draft.received(
            (), (Coin(name, fate.random() < 0.5) for name in fate.sample(NAMES, fate.randint(0, 6)))
        )
        kinds = (*NAMES[:3], "S", "M", "1+", "3+", "4+", "null", "coin")
        wish = tuple(fate.choice(kinds) for _ in range(fate.randint(0, 4)))
        coins = tuple(
            one.name for one in fate.sample(hand, min(len(hand), max(0, len(wish) + fate.randint(-1, 0))))
        )
        bag = deals.answers(hand, wish)
        chosen = {one.name: one for one in hand}
        reference_fit = any(
            all(deals.fits(chosen[name], wished) for name, wished in zip(order, wish, strict=True))
            for order in orders(coins)
            if len(order) == len(wish)
        )
        fast = bag is not None and kit_choices.contains(bag, coins, 0)
        assert fast == reference_fit, (hand, wish, coins)
        accepted += fast
    assert accepted > 200


def orders(names: tuple[Name, ...]) -> Iterator[tuple[Name, ...]]:
    if not names:
        yield ()
    for place, name in enumerate(names):
        for rest in orders((*names[:place], *names[place + 1 :])):
            yield (name, *rest)


# --- against the reference version ---


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


def test_ten_thousand_positions_by_both_versions() -> None:
    fate = random.Random(17)
    ends = 0
    for _ in range(10_000):
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
                assert stacks_of(mergers.merged(tiles, way)) == after
                stock = Coin(way.covering, True)
                assert way.worth == counting.worth(mergers.merged(tiles, way), stock)
        hands = dealt(fate, set(tops))
        stocks = [[str(one.name) for one in hand if one.stock] for hand in hands]
        money = [[str(one.name) for one in hand if not one.stock] for hand in hands]
        assert [counting.total(tiles, hand) for hand in hands] == reference_scores(stacks, stocks, money)
        options = TakeoverOptions(holdings="faces")
        pool = [reference_value(name) for own in money for name in own]
        over = counting.over(options, tiles, hands, ())
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


# --- secrets (section 7, G4) ---


def viewers(state: TakeoverState) -> list[Seat | None]:
    return [None, *map(Seat, range(len(state.hands)))]


def test_g4_offers_of_others_leave_no_trace_while_they_are_open_nor_when_they_end() -> None:
    """Uninvolved seats and spectators see no change on proposal, counter, decline, withdrawal and expiry."""
    table = Table(state=position(PLAIN, "S3 c1", "m2", "a2", "a3"))
    outside: list[Seat | None] = [None, Seat(2), Seat(3)]
    quiet = {viewer: everything(TAKEOVER, table.state, viewer) for viewer in outside}

    def same() -> None:
        for viewer in outside:
            assert everything(TAKEOVER, table.state, viewer) == quiet[viewer]
            assert lines_to(table.lines, viewer) == lines_to((), viewer)

    offer = table.offer(0, 1, ["S3"], ["2+"])
    same()
    table.do(1, offer, "counter", give=["M2"], wish=["S3", "coin"])
    same()
    table.do(0, table.deals(0)[0], "decline")
    same()
    table.do(0, table.offer(0, 1, ["S3"]), "cancel")
    same()
    table.offer(0, 1, ["S3", "C1"])
    same()
    table.expire()
    same()


def test_g4_the_death_of_an_offer_of_others_leaves_no_trace_either() -> None:
    """Two games differ only in offers between other seats, which are then ended by a trade and a merger."""
    ended = []
    for busy in (False, True):
        table = Table(state=position(PLAIN, "S3 S5 a3", "m2", "a2", "a4"))
        if busy:
            table.offer(0, 2, ["S5"])
            table.offer(0, 3, ["A3"], ["coin"])
            table.offer(0, 2 + 1 - 2, ["S3"], ["5+"])
            table.do(1, table.deals(1)[0], "decline")
        table.do(1, table.offer(0, 1, ["S3"]), "accept", coins=[])
        table.merge(0, "M4>C3", "A3")
        table.merge(1, "S3>S5")
        ended.append((everything(TAKEOVER, table.state, None), lines_to(table.lines, None)))
    assert ended[0] == ended[1]


def test_g4_concealed_a_forced_flip_is_known_to_its_owner_alone() -> None:
    seen = []
    for hands in (("c1", "S5", "m2"), ("c1", "s5", "m2"), ("c1", "m2", "S5")):
        table = Table(state=position(PLAIN, *hands))
        table.merge(0, "S3>S5")
        seen.append((everything(TAKEOVER, table.state, Seat(0)), lines_to(table.lines, Seat(0))))
    assert seen[0] == seen[1] == seen[2]


def test_faces_and_open_show_the_flip() -> None:
    for show in ("faces", "open"):
        table = Table(state=position(PLAIN, "c1", "S5", "m2", holdings=show))
        table.merge(0, "S3>S5")
        assert table.told("takeover.flipped") == [{"seat": 1, "coin": "S5"}]


def test_5c_what_the_holdings_section_shows() -> None:
    hands = ("S5 c1", "S3 a0 m2")
    concealed = Table(state=position(PLAIN, *hands)).public("holdings")
    assert (concealed.counts, concealed.faces, concealed.coins) == ((2, 3), None, None)
    faces = Table(state=position(PLAIN, *hands, holdings="faces")).public("holdings")
    assert faces.faces == (("1", "S"), ("0", "2", "S"))
    assert faces.coins is None
    shown = Table(state=position(PLAIN, *hands, holdings="open")).public("holdings")
    assert shown.coins[0] == (Coin("S5", True), Coin("C1", False))


def test_section_7_suits_of_spent_coins_and_of_other_hands_are_nowhere() -> None:
    """In random play, no view contains the name of a coin that only another seat knows."""
    for seed in range(12):
        options = TakeoverOptions(trading="off")
        style = random_play.STYLES[seed % 2]
        for place in random_play.play(TAKEOVER, 3, options, b"suits %d" % seed, style, 60):
            state = place.state
            if state.stage.phase not in ("draft", "flip"):
                continue
            board = {name for stack in state.grid for name in stack}
            assert board == set(NAMES)
            for viewer in viewers(state):
                public = {
                    name: section
                    for name, section in TAKEOVER.public(state).items()
                    if name not in ("board", "mergers")
                }
                own = {} if viewer is None else TAKEOVER.private(state, viewer)
                shown = msgspec.json.encode({**public, **own}).decode()
                mine = set() if viewer is None else {one.name for one in state.hands[viewer]}
                assert {name for name in NAMES if f'"{name}"' in shown} <= mine


def test_away_seats_are_back_by_what_all_can_see_alone() -> None:
    """Other seats must not be able to tell that a seat that is away made an offer (TKO-22)."""
    table = Table(state=position(PLAIN, "S3 c1", "m2", "a2"))
    table.state = replace(
        table.state, time_control=replace(table.state.time_control, missed_in_a_row=(2, 0, 0))
    )
    table.do(0, table.offer(0, 1, ["S3"]), "cancel")
    assert table.state.time_control.missed_in_a_row[0] == 2
    table.do(0, table.offer(1, 0, ["M2"]), "accept", coins=[])  # a trade is public
    assert table.state.time_control.missed_in_a_row[0] == 0


def test_bounds_of_a_view_with_every_offer_that_fits() -> None:
    """However many offers are open, no view outgrows its bound."""
    largest = 0
    for seats in range(2, 7):
        table = drafted(seats, holdings="open", exactPay=True, voluntaryCashOut=True)
        for seat in range(seats):
            own = [one.name for one in table.state.hands[seat]]
            table.do(seat, "flip", "lock", coins=own[::2])
        for to in range(seats):
            for by in (seat for seat in range(seats) if seat != to):
                own = [one.name for one in table.state.hands[by]]
                while table.check(by, "trade", "propose", to=to, give=own, wish=["coin"] * 12) is None:
                    table.offer(by, to, own, ["coin"] * 12)
            for seat in range(seats):
                largest = max(largest, len(everything(TAKEOVER, table.state, Seat(seat))))
    assert largest < 14_000


def test_money_of_all_is_sixty_before_the_first_merger() -> None:
    for seed in range(30):
        seats = 2 + seed % 5
        for place in random_play.play(
            TAKEOVER, seats, TakeoverOptions(), b"%d" % seed, random_play.STYLES[0], 60
        ):
            state = place.state
            if state.stage.phase == "play" and all(len(stack) == 1 for stack in state.grid):
                assert sum(counting.total(state.grid, hand) for hand in state.hands) == 60


def test_bargain_is_what_the_state_holds() -> None:
    state = position(PLAIN, "S3", "m2")
    offer = Bargain("offer:1", Seat(0), Seat(1), (Coin("S3", True),), ("coin",), Millis(0), None)
    stored = replace(state, offers=replace(state.offers, open=(offer,)))
    packed = msgspec.msgpack.decode(msgspec.msgpack.encode(stored))
    assert TAKEOVER.upgrade(TAKEOVER.version, packed) == stored
    assert TAKEOVER.upgrade(0, packed) is None
