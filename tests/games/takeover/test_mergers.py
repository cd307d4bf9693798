"""Takeover's mergers: which are possible, what they cost, and what they change."""

from __future__ import annotations

import pytest

from games.api import Seat
from games.takeover.rules import counting
from games.takeover.rules.game import TAKEOVER
from games.takeover.rules.values import Merge, Preview, TakeoverOptions
from games.testing import random_play
from tests.games.takeover.table import PLAIN, Table, coin, grid, position

# --- 5f: examples ---


def test_tko_t1_a_stock_is_worth_its_value_and_the_tiles_under_it() -> None:
    tiles = grid({(2, 1): "M1 A4 C5 S2"})
    assert counting.worth(tiles, coin("S2")) == 5
    assert counting.worth(tiles, coin("s2")) == 2
    with pytest.raises(ValueError, match="swallowed"):
        counting.worth(tiles, coin("M1"))


def test_tko_t2_the_covered_stock_becomes_cash() -> None:
    table = Table(state=position(PLAIN, "S3 S5 c1", "m2"))
    assert table.merger("S3>S5").cost == 0
    table.merge(0, "S3>S5")
    assert table.stack(1, 0) == "S5 S3"
    assert table.stack(0, 0) == ""
    assert table.hand(0) == "S3 s5 c1"
    assert [one.worth for one in table.private(0, "hand").coins] == [4, 5, 1]


def test_tko_t3_the_same_merger_the_other_way_round() -> None:
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


def test_tko_t5_the_cost_is_the_printed_value() -> None:
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


def test_tko_t9_a_spent_coin_does_not_flip() -> None:
    table = Table(state=position(PLAIN, "S3 c1", "m2", spent="S5"))
    table.merge(0, "S3>S5")
    assert (table.hand(0), table.hand(1)) == ("S3 c1", "m2")
    assert not any(table.told("takeover.yourFlip", seat) for seat in (0, 1))
    assert table.told("takeover.subsumed") == [{"coin": "S5"}]  # announced in any case (5c)


def test_tko_t10_the_coin_of_the_current_owner_flips() -> None:
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


# --- mergers ---


def test_tko_12_overpayment_is_lost_or_refused_with_exact_pay() -> None:
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


def test_tko_14_only_the_mover_pays() -> None:
    table = Table(state=position(PLAIN, "m1", "a3"))
    assert table.no_merge(0, "M4>C3", "A3") == "NOT_YOUR_COINS"
    assert table.no_merge(0, "M4>C3", "M1", "M1", "M1") == "NOT_YOUR_COINS"


def test_tko_15_a_merger_across_a_gap_needs_a_null() -> None:
    table = Table(state=position({(0, 0): "S1", (2, 0): "S2", (2, 1): "A1"}, "s5", "m5"))
    assert table.no_merge(0, "S1>S2") == "NULL_NEEDED"


def test_tko_16_a_null_spans_any_tiles_but_is_refused_for_touching_pairs() -> None:
    stacks = {(0, 0): "S1", (1, 0): "M2", (3, 0): "S2", (0, 3): "C1"}
    table = Table(state=position(stacks, "s0 m5", "c0"))
    assert table.no_merge(0, "S1>M2", "M5", null="S0") == "NULL_KEPT"
    assert table.no_merge(0, "M2>C1", "M5", null="S0") == "OUT_OF_REACH"
    table.merge(0, "S1>S2", null="S0")
    assert table.stack(3, 0) == "S2 S1"


def test_tko_18_19_a_null_is_not_money() -> None:
    table = Table(state=position(PLAIN, "s0 a3", "c2"))
    assert table.no_merge(0, "M4>C3", "S0", "A3") == "NULL_IN_PAY"


def test_tko_9_covering_a_null_is_free_and_tko_11_needs_no_coins() -> None:
    table = Table(state=position({(0, 0): "S5", (0, 1): "A0", (1, 1): "A1"}, "", "c2"))
    table.merge(0, "S5>A0")  # TKO-27: a seat without coins keeps playing
    assert table.stack(0, 1) == "A0 S5"


@pytest.mark.parametrize("pair", ["S3>S3", "S3>A5", "A5>S3"])
def test_tko_30_a_merger_needs_two_existing_corporations(pair: str) -> None:
    table = Table(state=position(PLAIN, "s5", "c2"))
    assert table.no_merge(0, pair, "S5") == "NO_SUCH_PAIR"


def test_tko_7_a_subsumed_corporation_no_longer_exists() -> None:
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


def test_the_money_adds_up_to_sixty_before_the_first_merger() -> None:
    for seed in range(30):
        seats = 2 + seed % 5
        for place in random_play.play(
            TAKEOVER, seats, TakeoverOptions(), b"%d" % seed, random_play.STYLES[0], 60
        ):
            state = place.state
            if state.stage.phase == "play" and all(len(stack) == 1 for stack in state.grid):
                assert sum(counting.total(state.grid, hand) for hand in state.hands) == 60
