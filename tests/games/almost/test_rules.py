"""Almost and Banbury Merton Street: every example by its id, every option, every visible ruling."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import GAMES
from games.almost.rules.game import ALMOST
from games.almost.rules.rounds import lowest_unique, standing
from games.almost.rules.values import HIGHEST, AlmostMove, AlmostOptions, Row, Stage
from games.api import LogLine, Millis, Outcome, Refusal, Running, Seat
from games.dice import Dice

VECTORS = json.loads((Path(__file__).parent.parent / "vectors.json").read_text())["almost"]

TableOf = Callable[..., Any]


def bid_all(table: Any, *bids: int) -> None:
    """Waits for the bidding, and locks a bid for every seat."""
    while table.public("stage").phase != "bid":
        table.expire()
    for seat, bid in enumerate(bids):
        table.do(seat, "bid", "lock", number=bid)


def go_on(table: Any) -> None:
    number = table.public("stage").round
    for seat in range(table.seats):
        table.do(seat, "continue", "continue")
    assert table.public("stage").round == number + 1 or table.public("stage").phase == "end"


# --- 4f: examples ---


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["id"] for vector in VECTORS])
def test_alm_t1_to_t8_one_round(table: TableOf, vector: dict[str, Any]) -> None:
    bids, winner = vector["bids"], vector["winnerIndex"]
    assert lowest_unique(tuple(bids)) == winner
    played = table("almost", len(bids), discussion="none")
    bid_all(played, *bids)
    score = played.public("score")
    assert score.rows[-1].bids == tuple(bids)
    assert score.rows[-1].winner == winner
    assert score.points == tuple(vector["points"] if seat == winner else 0 for seat in range(len(bids)))
    if winner is None:
        assert played.told("almost.nobodyScored") == [{"round": 1}]
    else:
        assert played.told("almost.scored") == [{"seat": winner, "number": vector["points"], "round": 1}]


def test_alm_t5_ten_wins_at_once_and_still_plays_on(table: TableOf) -> None:
    played = table("almost", 4, discussion="none")
    bid_all(played, 10, 1, 1, 1)
    assert played.public("score").needs == (0, 10, 10, 10)
    go_on(played)
    assert played.public("stage").phase == "bid"  # ALM-5: all rounds are played
    assert 0 in next(
        prompt.seats for prompt in played.game.prompts(played.state) if prompt.kind == "bid"
    )  # ALM-7


def test_alm_t9_three_winners_of_four_are_the_most(table: TableOf) -> None:
    played = table("almost", 4, discussion="none")
    together = [played.public("score").together]
    for bids in ((10, 1, 1, 1), (1, 10, 1, 1), (1, 1, 10, 1)):
        bid_all(played, *bids)
        together.append(played.public("score").together)
        go_on(played)
    assert played.outcome == Outcome((Seat(0), Seat(1), Seat(2)), (10, 10, 10, 0))
    assert together == [3, 3, 3, 3]
    assert played.told("almost.won") == [{"seats": [0, 1, 2]}]


def test_alm_t11_more_than_ten_wins(table: TableOf) -> None:
    played = table("almost", 3, discussion="none")
    for bids in ((4, 1, 1), (7, 2, 2)):
        bid_all(played, *bids)
        go_on(played)
    assert played.outcome == Outcome((Seat(0),), (11, 0, 0))


def test_alm_t12_nine_and_one_are_enough(table: TableOf) -> None:
    played = table("almost", 3, discussion="none")
    for bids in ((9, 1, 1), (1, 5, 5)):
        bid_all(played, *bids)
        go_on(played)
    assert played.outcome == Outcome((Seat(0),), (10, 0, 0))


@pytest.mark.parametrize("number", [0, 11, -1, 2.5, "7 ", "7", None, True, 10**12, [1]])
@pytest.mark.parametrize("tag", ["bid", "lock"])
def test_alm_t13_no_such_bid(table: TableOf, number: object, tag: str) -> None:
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


@pytest.mark.parametrize(
    ("scoring", "winner", "scores"), [("roundsWon", 0, (4, 3, 2)), ("sumOfEntries", 1, (5, 12, 9))]
)
def test_alm_t14_banbury(table: TableOf, scoring: str, winner: int, scores: tuple[int, ...]) -> None:
    """A wins with 1, 1, 2, 1; B with 3, 4, 5; C with 7, 2; one round is void."""
    played = table("almost", 3, mode="banbury", scoring=scoring)
    rounds = [
        (1, 2, 2), (1, 3, 4), (2, 3, 3), (1, 9, 9),
        (1, 3, 1), (2, 4, 2), (6, 5, 6),
        (3, 3, 7), (9, 9, 2), (5, 5, 5),
    ]  # fmt: skip
    for bids in rounds:
        bid_all(played, *bids)
        go_on(played)
    assert played.outcome == Outcome((Seat(winner),), scores)
    assert played.public("score").points == (5, 12, 9)
    assert played.public("score").wins == (4, 3, 2)


# --- the core rule, for all bids ---


@given(st.lists(st.integers(1, 12), min_size=1, max_size=10))
def test_alm_3_the_winner_is_the_lowest_that_stands_alone(bids: list[int]) -> None:
    winner = lowest_unique(tuple(bids))
    alone = [bid for bid in bids if bids.count(bid) == 1]
    if winner is None:
        assert not alone
    else:
        assert bids[winner] == min(alone)


@given(st.integers(3, 7), st.data())
def test_at_most_one_fewer_than_all_can_win(seats: int, data: st.DataObject) -> None:
    """4g: each round pays at most ten points to one seat, so the seats can never all reach ten."""
    stage = Stage("almost", "roundsWon", "reveal", 1, seats - 1, 10, 10)
    points, wins, rows = [0] * seats, [0] * seats, []
    reachable = set(range(seats))
    for number in range(1, seats):
        bids = tuple(data.draw(st.lists(st.integers(1, 10), min_size=seats, max_size=seats)))
        winner = lowest_unique(bids)
        if winner is not None:
            points[winner] += bids[winner]
            wins[winner] += 1
        rows.append(Row(bids, (), (None,) * seats, winner))
        score = standing(stage, tuple(rows), tuple(points), tuple(wins))
        left = seats - 1 - number
        can = {seat for seat in range(seats) if 10 - points[seat] <= 10 * left}
        assert {seat for seat in range(seats) if score.can[seat]} == can
        assert can <= reachable
        reachable = can
        already = sum(own_points >= 10 for own_points in points)
        assert score.together == min(seats - 0, already + min(left, seats - already))
        assert score.together < seats


@pytest.mark.parametrize(
    ("scoring", "points", "wins", "needs", "can", "together"),
    [
        ("roundsWon", (3, 0, 9, 0), (3, 0, 1, 0), (0, 3, 2, 3), (True, False, True, False), 2),
        ("sumOfEntries", (3, 0, 9, 0), (3, 0, 1, 0), (6, 9, 0, 9), (True,) * 4, 3),
    ],
)
def test_who_can_still_win_in_banbury(
    scoring: Any,
    points: tuple[int, ...],
    wins: tuple[int, ...],
    needs: tuple[int, ...],
    can: tuple[bool, ...],
    together: int,
) -> None:
    stage = Stage("banbury", scoring, "reveal", 8, 10, None, HIGHEST)
    rows = (Row((1, 1, 1, 1), (), (None,) * 4, None),) * 8
    score = standing(stage, rows, points, wins)
    assert score.needs == needs
    assert score.can == can
    assert score.together == together


# --- rulings ---


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


def test_alm_2_markers_come_back_every_round(table: TableOf) -> None:
    played = table("almost", 4, discussion="none")
    for _ in range(3):
        bid_all(played, 10, 10, 10, 10)
        go_on(played)
    assert [row.bids for row in played.public("score").rows] == [(10, 10, 10, 10)] * 3


def test_alm_4_who_is_late_bids_the_draft_else_a_random_number(table: TableOf) -> None:
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
def test_alm_4_the_span_of_a_random_bid(table: TableOf, options: dict[str, Any], sides: int) -> None:
    played = table("almost", 4, **{"discussion": "none", **options})
    played.expire()
    assert {draw.sides for draw in played.dice.draws} == {sides}


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


def test_alm_12_equal_results_share_the_win(table: TableOf) -> None:
    played = table("almost", 3, mode="banbury", banburyRounds=2)
    for bids in ((1, 2, 2), (2, 1, 2)):
        bid_all(played, *bids)
        go_on(played)
    assert played.outcome == Outcome((Seat(0), Seat(1)), (1, 1, 0))


def test_gen_10_all_share_where_nobody_ever_won_a_round(table: TableOf) -> None:
    played = table("almost", 3, mode="banbury", banburyRounds=1)
    bid_all(played, 4, 4, 4)
    go_on(played)
    assert played.outcome.winners == (0, 1, 2)


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


def test_gen_4_moves_answer_the_ask_they_name(table: TableOf) -> None:
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


# --- 4b: phases and time ---


def test_4b_the_phases_and_their_timers(table: TableOf) -> None:
    played = table("almost", 4)
    ends = []
    while not isinstance(played.game.prompts(played.state), Outcome):
        ends.append((played.expire(), played.at))
    befores = [0, *(at for _, at in ends[:-1])]
    spans = [(window, at - before) for (window, at), before in zip(ends, befores, strict=True)]
    assert spans[:3] == [("discuss:1", 90_000), ("bid:1", 30_000), ("reveal:1", 8_000)]
    # after two rounds all seats are away: they get ten seconds to bid, and to discuss
    assert spans[6:10] == [(f"discuss:3:away:{seat}", 10_000 if seat == 0 else 0) for seat in range(4)]
    assert spans[10][0] == "bid:3:away:0"
    assert spans[-1][0] == "reveal:3"
    assert played.at == 2 * 128_000 + 10_000 + 10_000 + 8_000


@pytest.mark.parametrize(
    ("timers", "spans"),
    [("relaxed", (180, 60, 16)), ("fast", (45, 15, 8)), ("normal", (90, 30, 8))],
)
def test_gen_6_pace(table: TableOf, timers: str, spans: tuple[int, ...]) -> None:
    played = table("almost", 3, timers=timers)
    opened = []
    for _ in spans:
        before = played.at
        played.expire()
        opened.append((played.at - before) // 1000)
    assert tuple(opened) == spans


@pytest.mark.parametrize("seconds", [30, 300])
def test_4a_the_discussion_lasts_as_long_as_agreed(table: TableOf, seconds: int) -> None:
    played = table("almost", 3, discussionSeconds=seconds)
    assert played.window("discuss").clock == Running(Millis(seconds * 1000))


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


def test_4a_no_discussion(table: TableOf) -> None:
    played = table("almost", 3, discussion="none")
    assert played.public("stage").phase == "bid"
    bid_all(played, 1, 2, 3)
    go_on(played)
    assert played.public("stage").phase == "bid"


def test_4a_discussion_until_ready_has_no_clock_but_a_last_call(table: TableOf) -> None:
    played = table("almost", 3, discussion="untilReady")
    assert played.game.windows(played.state) == ()
    played.at = Millis(5_000_000)
    played.do(1, "ready", "ready")
    played.do(2, "lastCall", "lastCall")
    assert played.window("discuss").clock == Running(Millis(5_060_000))
    assert (
        next(prompt.window for prompt in played.game.prompts(played.state) if prompt.kind == "ready")
        == "discuss:1"
    )
    assert played.expire() == "discuss:1"
    assert played.window("bid").clock == Running(Millis(5_090_000))  # bidding has its usual clock


def test_gen_6_all_ready_ends_the_discussion_at_once(table: TableOf) -> None:
    played = table("almost", 3)
    played.do(0, "ready", "ready")
    assert played.refused(0, "ready", "ready") == "ALREADY_READY"
    assert played.refused(1, "ready", "unready") == "NOT_READY"
    played.do(0, "ready", "unready")
    for seat in (1, 2):
        played.do(seat, "ready", "ready")
    assert played.public("readiness").done == (False, True, True)
    assert played.public("stage").phase == "discuss"
    played.do(0, "ready", "ready")
    assert played.public("stage").phase == "bid"


def test_4b_a_reveal_ends_when_all_go_on(table: TableOf) -> None:
    played = table("almost", 3, discussion="none")
    bid_all(played, 1, 2, 3)
    played.do(0, "continue", "continue")
    assert played.refused(0, "continue", "continue") == "ALREADY_READY"
    go_on_rest = (1, 2)
    for seat in go_on_rest:
        played.do(seat, "continue", "continue")
    assert played.public("stage").round == 2


def test_gen_6_timers_off(table: TableOf) -> None:
    played = table("almost", 3, timers="off")
    for kind, tag in (("ready", "ready"), ("bid", "lock"), ("continue", "continue")):
        assert played.game.windows(played.state) == ()
        assert played.prompt("lastCall").startswith("lastCall:")
        for seat in range(3):
            played.do(seat, kind, tag, **({"number": seat + 1} if tag == "lock" else {}))


def test_gen_6_a_disconnected_seat_gets_its_extensions_while_it_has_to_act(table: TableOf) -> None:
    played = table("almost", 3)
    game, state = played.game, played.state
    assert game.extension(state, Seat(0), "discuss:1") is not None
    assert game.extension(state, Seat(0), "bid:1") is None  # not open
    played.do(0, "ready", "ready")
    assert game.extension(played.state, Seat(0), "discuss:1") is None
    bid_all(played)
    played.do(0, "bid", "lock", number=1)
    assert game.extension(played.state, Seat(0), "bid:1") is None
    assert game.extension(played.state, Seat(1), "bid:1") is not None
    bid_all_rest = ((1, 2), (2, 3))
    for seat, number in bid_all_rest:
        played.do(seat, "bid", "lock", number=number)
    assert game.extension(played.state, Seat(1), "reveal:1") is None  # nothing to extend


def test_gen_6_a_double_tap_spends_one_extension(table: TableOf) -> None:
    played = table("almost", 3)
    prompt = played.prompt("extend")
    played.do(0, "extend", "extend")
    assert prompt not in {one.id for one in played.game.prompts(played.state)}
    assert played.public("time_control").extensions == (1, 2, 2)
    assert played.private(0, "mine").extensions == 1


def away(table: TableOf, **options: Any) -> Any:
    """A table at which the server has played for seat 2 twice; discussion is off unless requested."""
    played = table("almost", 4, **{"discussion": "none", **options})
    for _ in range(2):
        while played.public("stage").phase != "bid":
            played.expire()
        for seat in (0, 1, 3):
            played.do(seat, "bid", "lock", number=seat + 1)
        played.expire()
    assert played.told("timeControl.away") == [{"seat": 2}]
    return played


def test_gen_7_who_is_away_has_ten_seconds_and_counts_as_ready(table: TableOf) -> None:
    played = away(table)
    played.expire()
    assert played.window("away").clock == Running(Millis(played.at + 10_000))
    assert played.expire() == "bid:3:away:2"
    assert played.public("readiness").done == (False, False, True, False)
    assert played.game.extension(played.state, Seat(2), "bid:3") is None
    for seat in (0, 1, 3):
        played.do(seat, "bid", "lock", number=seat + 1)
    assert played.public("score").rows[-1].missed == (2,)


def test_gen_7_whoever_is_away_may_still_think_again(table: TableOf) -> None:
    played = away(table)
    played.expire()
    played.expire()
    played.do(2, "bid", "unlock")
    assert played.told("timeControl.back") == [{"seat": 2}]
    played.do(2, "bid", "lock", number=9)
    for seat in (0, 1, 3):
        played.do(seat, "bid", "lock", number=1)
    assert played.public("score").rows[-1].missed == ()


def test_gen_7_a_draft_tells_nobody_that_a_seat_is_back(table: TableOf) -> None:
    played = away(table)
    played.expire()
    before = played.game.windows(played.state)
    played.do(2, "bid", "bid", number=9)
    assert played.game.windows(played.state) == before
    assert played.expire() == "bid:3:away:2"
    assert played.private(2, "mine").bid == 9  # the draft counts
    for seat in (0, 1, 3):
        played.do(seat, "bid", "lock", number=1)
    assert played.public("score").rows[-1].missed == (2,)


def test_gen_7_nobody_waits_for_who_is_away_in_a_discussion_without_a_clock(table: TableOf) -> None:
    played = table("almost", 4, discussion="untilReady")
    for _ in range(2):
        played.do(0, "lastCall", "lastCall")
        played.expire()
        for seat in (0, 1, 3):
            played.do(seat, "bid", "lock", number=4)
        played.expire()
        played.expire()
    assert [window.id for window in played.game.windows(played.state)] == ["discuss:3:away:2"]
    for seat in (0, 1, 3):
        played.do(seat, "ready", "ready")
    assert played.expire() == "discuss:3:away:2"
    assert played.public("stage").phase == "bid"


# --- plans ---


def test_gen_12_a_plan_is_public_and_binds_nobody(table: TableOf) -> None:
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


def test_plans_a_seat_stands_behind_one_at_most(table: TableOf) -> None:
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


# --- 4c: who sees what ---


def test_4c_others_see_only_who_has_locked(table: TableOf) -> None:
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


def test_a_state_of_another_version_is_not_upgraded() -> None:
    state = ALMOST.setup(3, AlmostOptions(), Millis(0), Dice(b"x")).state
    assert ALMOST.upgrade(ALMOST.version, msgspec.to_builtins(state)) == state
    assert ALMOST.upgrade(0, msgspec.to_builtins(state)) is None


def test_setup_tells_the_first_round() -> None:
    step = ALMOST.setup(5, AlmostOptions(), Millis(77), Dice(b"x"))
    assert step.lines == (LogLine("almost.round", {"round": 1, "rounds": 4}, None),)
    assert ALMOST.windows(step.state)[0].clock == Running(Millis(90_077))


def test_the_registry_names_it() -> None:
    assert GAMES["almost"].game is ALMOST
    assert set(GAMES) == {entry.game.key for entry in GAMES.values()}
