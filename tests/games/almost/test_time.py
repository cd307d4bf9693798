"""Almost's phases and timers, extensions, and seats that are away."""

from __future__ import annotations

from typing import Any

import pytest

from games.api import Millis, Outcome, Running, Seat
from tests.games.almost.rounds import TableOf, bid_all, go_on


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
def test_4a_the_options_set_the_length_of_the_discussion(table: TableOf, seconds: int) -> None:
    played = table("almost", 3, discussionSeconds=seconds)
    assert played.window("discuss").clock == Running(Millis(seconds * 1000))


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


def test_4b_a_reveal_ends_when_all_continue(table: TableOf) -> None:
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
    """A table at which the rules have played for seat 2 twice; discussion is off unless requested."""
    played = table("almost", 4, **{"discussion": "none", **options})
    for _ in range(2):
        while played.public("stage").phase != "bid":
            played.expire()
        for seat in (0, 1, 3):
            played.do(seat, "bid", "lock", number=seat + 1)
        played.expire()
    assert played.told("timeControl.away") == [{"seat": 2}]
    return played


def test_gen_7_an_away_seat_has_ten_seconds_and_counts_as_ready(table: TableOf) -> None:
    played = away(table)
    played.expire()
    assert played.window("away").clock == Running(Millis(played.at + 10_000))
    assert played.expire() == "bid:3:away:2"
    assert played.public("readiness").done == (False, False, True, False)
    assert played.game.extension(played.state, Seat(2), "bid:3") is None
    for seat in (0, 1, 3):
        played.do(seat, "bid", "lock", number=seat + 1)
    assert played.public("score").rows[-1].missed == (2,)


def test_gen_7_an_away_seat_may_unlock_its_bid(table: TableOf) -> None:
    played = away(table)
    played.expire()
    played.expire()
    played.do(2, "bid", "unlock")
    assert played.told("timeControl.back") == [{"seat": 2}]
    played.do(2, "bid", "lock", number=9)
    for seat in (0, 1, 3):
        played.do(seat, "bid", "lock", number=1)
    assert played.public("score").rows[-1].missed == ()


def test_gen_7_a_draft_does_not_reveal_that_a_seat_is_back(table: TableOf) -> None:
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


def test_gen_7_an_untimed_discussion_does_not_wait_for_away_seats(table: TableOf) -> None:
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
