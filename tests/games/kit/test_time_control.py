"""Timers in a game's state (GEN-6), and seats the rules play for (GEN-7)."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.api import Held, LogLine, Millis, Running, Seat, WindowId
from games.kit import time_control

EVERYBODY = tuple(Seat(seat) for seat in range(3))
NOBODY_DONE = (False, False, False)


def shared(now: time_control.TimeControl, span: int | None = 30_000, at: int = 1_000) -> time_control.Timer:
    length = None if span is None else Millis(span)
    return time_control.timer(now, WindowId("bid:1"), "bid", EVERYBODY, length, Millis(at))


def clocks(
    now: time_control.TimeControl, timer: time_control.Timer, done: tuple[bool, ...] = NOBODY_DONE
) -> dict[str, object]:
    return {window.id: window.clock for window in time_control.windows(now, timer, done)}


@pytest.mark.parametrize(
    ("timers", "span", "length"),
    [
        ("normal", 90_000, 90_000),
        ("relaxed", 90_000, 180_000),
        ("fast", 90_000, 45_000),
        ("fast", 15_000, 10_000),  # never below ten seconds
        ("fast", 8_000, 8_000),  # already shorter, so not lengthened
        ("normal", 8_000, 8_000),
        ("relaxed", 8_000, 16_000),
        ("off", 90_000, None),
    ],
)
def test_gen_6_timers_are_scaled(timers: time_control.Timers, span: int, length: int | None) -> None:
    assert time_control.scale(Millis(span), timers) == length
    timer = shared(time_control.start(3, timers), span)
    assert timer.clock == (None if length is None else Running(Millis(1_000 + length)))


@given(st.integers(1, 10**7), st.sampled_from(["relaxed", "normal", "fast"]))
def test_gen_6_never_below_ten_seconds(span: int, timers: time_control.Timers) -> None:
    length = time_control.scale(Millis(span), timers)
    assert length is not None
    assert length >= min(span, time_control.MIN_TIMER)


@pytest.mark.parametrize("timers", ["off", "fast", "relaxed"])
def test_gen_6_what_the_rules_fix_is_never_scaled_or_extended(timers: time_control.Timers) -> None:
    now = time_control.add_misses(
        time_control.add_misses(time_control.start(3, timers), [Seat(1)]), [Seat(1)]
    )
    timer = time_control.make_fixed_timer(WindowId("peek:1"), "peek", (Seat(1),), Millis(30_000), Millis(500))
    (window,) = time_control.windows(now, timer, NOBODY_DONE)
    assert window.clock == Running(Millis(30_500))
    assert window.extend is None
    assert time_control.prompt(now, timer) is None
    assert not time_control.spendable(now, timer, Seat(1))


def test_gen_6_a_rigid_wait_is_scaled_but_never_extended() -> None:
    for timers, length in (("normal", 45_000), ("relaxed", 90_000), ("fast", 22_500)):
        now = time_control.start(3, msgspec.convert(timers, time_control.Timers))
        timer = time_control.timer(
            now, WindowId("rescue:1"), "rescue", EVERYBODY, Millis(45_000), Millis(0), True
        )
        (window,) = time_control.windows(now, timer, NOBODY_DONE)
        assert window.clock == Running(Millis(length))
        assert window.extend is None
        assert time_control.prompt(now, timer) is None
        assert not time_control.spendable(now, timer, Seat(0))
    now = time_control.start(3, "off")
    timer = time_control.timer(
        now, WindowId("rescue:1"), "rescue", EVERYBODY, Millis(45_000), Millis(0), True
    )
    now, called, _ = time_control.last_call(now, timer, Seat(1), Millis(0))
    assert called.clock == Running(Millis(60_000))
    assert time_control.prompt(now, called) is None


def test_gen_6_two_extensions_of_a_minute_per_seat_and_game() -> None:
    now = time_control.start(3, "normal")
    timer = shared(now)
    for turn in range(2):
        found = time_control.prompt(now, timer)
        assert found is not None
        assert found.prompt.id == f"extend:bid:1:{turn}"
        assert time_control.windows(now, timer, NOBODY_DONE)[0].extend == found.prompt.id
        assert Seat(1) in found.prompt.seats
        now, timer, lines = time_control.extend(now, timer, Seat(1))
        assert lines == (LogLine("timeControl.extended", {"seat": 1, "left": 1 - turn}, None),)
        assert timer.clock == Running(Millis(31_000 + 60_000 * (turn + 1)))
    found = time_control.prompt(now, timer)
    assert found is not None
    assert found.prompt.seats == {0, 2}
    later = time_control.timer(now, WindowId("bid:2"), "bid", EVERYBODY, Millis(30_000), Millis(0))
    found = time_control.prompt(now, later)
    assert found is not None
    assert found.prompt.seats == {0, 2}  # spent for the whole game
    assert not time_control.spendable(now, later, Seat(1))


def test_gen_6_nobody_can_extend_what_all_have_spent() -> None:
    now = time_control.start(1, "normal")
    timer = time_control.timer(now, WindowId("turn:1"), "turn", (Seat(0),), Millis(20_000), Millis(0))
    for _ in range(2):
        now, timer, _ = time_control.extend(now, timer, Seat(0))
    assert time_control.prompt(now, timer) is None
    assert time_control.windows(now, timer, (False,))[0].extend is None


def test_gen_6_a_last_call_starts_an_untimed_wait() -> None:
    now = time_control.start(3, "off")
    timer = shared(now)
    assert time_control.windows(now, timer, NOBODY_DONE) == ()
    found = time_control.prompt(now, timer)
    assert found is not None
    assert found.prompt.id == "lastCall:bid:1"
    assert found.prompt.seats == {0, 1, 2}
    now, timer, lines = time_control.last_call(now, timer, Seat(2), Millis(7_000))
    assert lines == (LogLine("timeControl.lastCall", {"seat": 2}, None),)
    assert clocks(now, timer) == {"bid:1": Running(Millis(67_000))}
    found = time_control.prompt(now, timer)
    assert found is not None
    assert found.prompt.kind == "extend"


def test_an_untimed_wait_cannot_be_extended() -> None:
    now = time_control.start(3, "off")
    with pytest.raises(ValueError, match="untimed"):
        time_control.extend(now, shared(now), Seat(0))


def test_gen_7_two_misses_in_a_row_make_a_seat_away_until_it_acts() -> None:
    fresh = time_control.start(3, "normal")
    once = time_control.add_misses(fresh, [Seat(1)])
    assert not time_control.is_away(once, Seat(1))
    assert time_control.list_away_lines(fresh, once) == ()
    assert clocks(once, shared(once)) == {"bid:1": Running(Millis(31_000))}
    twice = time_control.add_misses(once, [Seat(1)])
    assert time_control.is_away(twice, Seat(1))
    assert time_control.list_away_lines(once, twice) == (LogLine("timeControl.away", {"seat": 1}, None),)
    timer = shared(twice)
    assert clocks(twice, timer) == {
        "bid:1:away:1": Running(Millis(11_000)),
        "bid:1": Running(Millis(31_000)),
    }
    assert list(clocks(twice, timer, (False, True, False))) == ["bid:1"]  # the seat is done
    assert time_control.find_window_seat(timer, WindowId("bid:1:away:1")) == 1
    assert time_control.find_window_seat(timer, WindowId("bid:1")) is None
    back = time_control.reset_misses(twice, Seat(1))
    assert time_control.list_away_lines(twice, back) == (LogLine("timeControl.back", {"seat": 1}, None),)
    assert list(clocks(back, timer)) == ["bid:1"]


def test_gen_7_acting_in_between_ends_the_row() -> None:
    now = time_control.add_misses(time_control.start(3, "normal"), [Seat(1)])
    now = time_control.add_misses(time_control.reset_misses(now, Seat(1)), [Seat(1)])
    assert not time_control.is_away(now, Seat(1))
    assert time_control.reset_misses(now, Seat(0)) is now


def test_gen_7_a_short_wait_has_no_shorter_one_and_an_untimed_one_has() -> None:
    gone = time_control.add_misses(
        time_control.add_misses(time_control.start(3, "normal"), [Seat(1)]), [Seat(1)]
    )
    assert list(clocks(gone, shared(gone, 8_000))) == ["bid:1"]
    assert list(clocks(gone, shared(gone, None))) == ["bid:1:away:1"]


@pytest.mark.parametrize("window", ["bid:2", "bid:1:away:", "bid:1:away:x", "bid:11", "x:bid:1:away:1"])
def test_windows_of_others_are_not_mine(window: str) -> None:
    with pytest.raises(ValueError, match="no such window"):
        time_control.find_window_seat(shared(time_control.start(3, "normal")), WindowId(window))


def test_only_a_requested_extension_resets_the_misses() -> None:
    once = time_control.add_misses(time_control.start(3, "normal"), [Seat(1)])
    after, timer, _ = time_control.extend(once, shared(once), Seat(1))
    assert after.missed_in_a_row == once.missed_in_a_row
    twice = time_control.add_misses(after, [Seat(1)])
    assert not time_control.spendable(twice, timer, Seat(1))
    back, _, lines = time_control.extend(twice, timer, Seat(1))
    assert not time_control.is_away(back, Seat(1))
    assert [line.key for line in lines] == ["timeControl.extended", "timeControl.back"]


def test_ssa_39_a_held_clock_stands_still() -> None:
    now = time_control.start(3, "normal")
    timer = time_control.timer(now, WindowId("turn:4"), "turn", (Seat(0),), Millis(60_000), Millis(0))
    held = time_control.hold(timer, Millis(15_000))
    assert clocks(now, held) == {"turn:4": Held(Millis(45_000))}
    assert time_control.hold(held, Millis(20_000)) is held
    longer = time_control.extend(now, held, Seat(0))[1]
    assert longer.clock == Held(Millis(105_000))
    again = time_control.release(held, Millis(100_000))
    assert again.clock == Running(Millis(145_000))
    assert again.short == 110_000
    assert time_control.release(again, Millis(1)) is again
    assert time_control.hold(timer, Millis(99_000)).clock == Held(Millis(0))


def test_gen_7_an_untimed_turn_that_stands_still_has_no_short_window_either() -> None:
    gone = time_control.add_misses(
        time_control.add_misses(time_control.start(3, "off"), [Seat(0)]), [Seat(0)]
    )
    timer = time_control.timer(gone, WindowId("turn:4"), "turn", (Seat(0),), Millis(60_000), Millis(0))
    assert clocks(gone, timer) == {"turn:4:away:0": Running(Millis(10_000))}
    held = time_control.hold(timer, Millis(2_000))
    assert clocks(gone, held) == {}
    again = time_control.release(held, Millis(50_000))
    assert clocks(gone, again) == {"turn:4:1:away:0": Running(Millis(60_000))}


def test_no_short_window_comes_back_under_its_old_id() -> None:
    gone = time_control.add_misses(
        time_control.add_misses(time_control.start(3, "normal"), [Seat(0)]), [Seat(0)]
    )
    timer = time_control.timer(gone, WindowId("turn:4"), "turn", (Seat(0),), Millis(60_000), Millis(0))
    found: set[WindowId] = set()
    for at in (1_000, 2_000, 3_000):
        short = {
            window.id for window in time_control.windows(gone, timer, NOBODY_DONE) if window.kind == "away"
        }
        assert len(short) == 1
        assert not short & found
        assert all(time_control.find_window_seat(timer, window) == 0 for window in short)
        for old in found:
            with pytest.raises(ValueError, match="no such window"):
                time_control.find_window_seat(timer, old)
        found |= short
        timer = time_control.release(time_control.hold(timer, Millis(at)), Millis(at + 500))


def test_a_held_fixed_window_gets_no_short_one() -> None:
    timer = time_control.make_fixed_timer(
        WindowId("market:1"), "market", EVERYBODY, Millis(30_000), Millis(0)
    )
    assert time_control.release(time_control.hold(timer, Millis(1_000)), Millis(5_000)).short is None


def test_unchanged_values_are_the_same_object() -> None:
    now = time_control.start(3, "normal")
    timer = shared(now)
    assert time_control.windows(now, timer, NOBODY_DONE) is time_control.windows(
        now, timer, (True, False, False)
    )
    assert time_control.prompt(now, timer) is time_control.prompt(now, timer)


def test_gen_6_a_window_says_how_long_it_is() -> None:
    """The span includes extensions, so that a client that connects later draws the same ring."""
    now, timer = time_control.start(3, "relaxed"), shared(time_control.start(3, "relaxed"))
    assert [window.span for window in time_control.windows(now, timer, NOBODY_DONE)] == [60_000]
    after, longer, _ = time_control.extend(now, timer, Seat(0))
    assert [window.span for window in time_control.windows(after, longer, NOBODY_DONE)] == [120_000]
    held = time_control.release(time_control.hold(longer, Millis(2_000)), Millis(9_000))
    assert [window.span for window in time_control.windows(after, held, NOBODY_DONE)] == [120_000]
    untimed = shared(time_control.start(3, "off"))
    _, called, _ = time_control.last_call(time_control.start(3, "off"), untimed, Seat(0), Millis(5))
    assert [
        window.span for window in time_control.windows(time_control.start(3, "off"), called, NOBODY_DONE)
    ] == [60_000]
    gone = time_control.add_misses(time_control.add_misses(now, [Seat(1)]), [Seat(1)])
    assert [window.span for window in time_control.windows(gone, timer, NOBODY_DONE)] == [10_000, 60_000]
