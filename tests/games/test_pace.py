"""Timers in a game's state (GEN-6), and seats the server plays for (GEN-7)."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.api import Held, Line, Millis, Running, Seat, WindowId
from games.kit import pace

EVERYBODY = tuple(Seat(seat) for seat in range(3))
NOBODY_DONE = (False, False, False)


def shared(now: pace.Pace, span: int | None = 30_000, at: int = 1_000) -> pace.Timer:
    length = None if span is None else Millis(span)
    return pace.timer(now, WindowId("bid:1"), "bid", EVERYBODY, length, Millis(at))


def clocks(now: pace.Pace, timer: pace.Timer, done: tuple[bool, ...] = NOBODY_DONE) -> dict[str, object]:
    return {window.id: window.clock for window in pace.windows(now, timer, done)}


@pytest.mark.parametrize(
    ("timers", "span", "length"),
    [
        ("normal", 90_000, 90_000),
        ("relaxed", 90_000, 180_000),
        ("fast", 90_000, 45_000),
        ("fast", 15_000, 10_000),  # never below ten seconds
        ("fast", 8_000, 8_000),  # nor is what is shorter by rule made longer
        ("normal", 8_000, 8_000),
        ("relaxed", 8_000, 16_000),
        ("off", 90_000, None),
    ],
)
def test_gen_6_timers_are_scaled(timers: pace.Timers, span: int, length: int | None) -> None:
    assert pace.scaled(Millis(span), timers) == length
    timer = shared(pace.pace(3, timers), span)
    assert timer.clock == (None if length is None else Running(Millis(1_000 + length)))


@given(st.integers(1, 10**7), st.sampled_from(["relaxed", "normal", "fast"]))
def test_gen_6_never_below_ten_seconds(span: int, timers: pace.Timers) -> None:
    length = pace.scaled(Millis(span), timers)
    assert length is not None
    assert length >= min(span, pace.LEAST)


@pytest.mark.parametrize("timers", ["off", "fast", "relaxed"])
def test_gen_6_what_the_rules_fix_is_never_scaled_or_extended(timers: pace.Timers) -> None:
    now = pace.missed(pace.missed(pace.pace(3, timers), [Seat(1)]), [Seat(1)])
    timer = pace.fixed(WindowId("look:1"), "look", (Seat(1),), Millis(30_000), Millis(500))
    (window,) = pace.windows(now, timer, NOBODY_DONE)
    assert window.clock == Running(Millis(30_500))
    assert window.extend is None
    assert pace.ask(now, timer) is None
    assert not pace.spendable(now, timer, Seat(1))


def test_gen_6_a_rigid_wait_is_scaled_but_never_extended() -> None:
    for timers, length in (("normal", 45_000), ("relaxed", 90_000), ("fast", 22_500)):
        now = pace.pace(3, msgspec.convert(timers, pace.Timers))
        timer = pace.timer(now, WindowId("rescue:1"), "rescue", EVERYBODY, Millis(45_000), Millis(0), True)
        (window,) = pace.windows(now, timer, NOBODY_DONE)
        assert window.clock == Running(Millis(length))
        assert window.extend is None
        assert pace.ask(now, timer) is None
        assert not pace.spendable(now, timer, Seat(0))
    now = pace.pace(3, "off")
    timer = pace.timer(now, WindowId("rescue:1"), "rescue", EVERYBODY, Millis(45_000), Millis(0), True)
    now, called, _ = pace.last_call(now, timer, Seat(1), Millis(0))
    assert called.clock == Running(Millis(60_000))
    assert pace.ask(now, called) is None


def test_gen_6_two_extensions_of_a_minute_per_seat_and_game() -> None:
    now = pace.pace(3, "normal")
    timer = shared(now)
    for turn in range(2):
        found = pace.ask(now, timer)
        assert found is not None
        assert found.ask.id == f"extend:bid:1:{turn}"
        assert pace.windows(now, timer, NOBODY_DONE)[0].extend == found.ask.id
        assert Seat(1) in found.ask.seats
        now, timer, lines = pace.extend(now, timer, Seat(1))
        assert lines == (Line("pace.extended", {"seat": 1, "left": 1 - turn}, None),)
        assert timer.clock == Running(Millis(31_000 + 60_000 * (turn + 1)))
    found = pace.ask(now, timer)
    assert found is not None
    assert found.ask.seats == {0, 2}
    later = pace.timer(now, WindowId("bid:2"), "bid", EVERYBODY, Millis(30_000), Millis(0))
    found = pace.ask(now, later)
    assert found is not None
    assert found.ask.seats == {0, 2}  # for the whole game
    assert not pace.spendable(now, later, Seat(1))


def test_gen_6_nobody_can_extend_what_all_have_spent() -> None:
    now = pace.pace(1, "normal")
    timer = pace.timer(now, WindowId("turn:1"), "turn", (Seat(0),), Millis(20_000), Millis(0))
    for _ in range(2):
        now, timer, _ = pace.extend(now, timer, Seat(0))
    assert pace.ask(now, timer) is None
    assert pace.windows(now, timer, (False,))[0].extend is None


def test_gen_6_a_last_call_starts_an_untimed_wait() -> None:
    now = pace.pace(3, "off")
    timer = shared(now)
    assert pace.windows(now, timer, NOBODY_DONE) == ()
    found = pace.ask(now, timer)
    assert found is not None
    assert found.ask.id == "lastCall:bid:1"
    assert found.ask.seats == {0, 1, 2}
    now, timer, lines = pace.last_call(now, timer, Seat(2), Millis(7_000))
    assert lines == (Line("pace.lastCall", {"seat": 2}, None),)
    assert clocks(now, timer) == {"bid:1": Running(Millis(67_000))}
    found = pace.ask(now, timer)
    assert found is not None
    assert found.ask.kind == "extend"


def test_an_untimed_wait_cannot_be_extended() -> None:
    now = pace.pace(3, "off")
    with pytest.raises(ValueError, match="untimed"):
        pace.extend(now, shared(now), Seat(0))


def test_gen_7_two_autos_in_a_row_and_a_seat_is_away_until_it_acts() -> None:
    fresh = pace.pace(3, "normal")
    once = pace.missed(fresh, [Seat(1)])
    assert not pace.away(once, Seat(1))
    assert pace.presence(fresh, once) == ()
    assert clocks(once, shared(once)) == {"bid:1": Running(Millis(31_000))}
    twice = pace.missed(once, [Seat(1)])
    assert pace.away(twice, Seat(1))
    assert pace.presence(once, twice) == (Line("pace.away", {"seat": 1}, None),)
    timer = shared(twice)
    assert clocks(twice, timer) == {
        "bid:1:away:1": Running(Millis(11_000)),
        "bid:1": Running(Millis(31_000)),
    }
    assert list(clocks(twice, timer, (False, True, False))) == ["bid:1"]  # it is done
    assert pace.expired(timer, WindowId("bid:1:away:1")) == 1
    assert pace.expired(timer, WindowId("bid:1")) is None
    back = pace.acted(twice, Seat(1))
    assert pace.presence(twice, back) == (Line("pace.back", {"seat": 1}, None),)
    assert list(clocks(back, timer)) == ["bid:1"]


def test_gen_7_acting_in_between_ends_the_row() -> None:
    now = pace.missed(pace.pace(3, "normal"), [Seat(1)])
    now = pace.missed(pace.acted(now, Seat(1)), [Seat(1)])
    assert not pace.away(now, Seat(1))
    assert pace.acted(now, Seat(0)) is now


def test_gen_7_a_short_wait_has_no_shorter_one_and_an_untimed_one_has() -> None:
    gone = pace.missed(pace.missed(pace.pace(3, "normal"), [Seat(1)]), [Seat(1)])
    assert list(clocks(gone, shared(gone, 8_000))) == ["bid:1"]
    assert list(clocks(gone, shared(gone, None))) == ["bid:1:away:1"]


@pytest.mark.parametrize("window", ["bid:2", "bid:1:away:", "bid:1:away:x", "bid:11", "x:bid:1:away:1"])
def test_windows_of_others_are_not_mine(window: str) -> None:
    with pytest.raises(ValueError, match="no such window"):
        pace.expired(shared(pace.pace(3, "normal")), WindowId(window))


def test_an_extension_spent_for_the_absent_ends_no_row_but_a_tap_of_the_away_does() -> None:
    once = pace.missed(pace.pace(3, "normal"), [Seat(1)])
    after, timer, _ = pace.extend(once, shared(once), Seat(1))
    assert after.autos == once.autos
    twice = pace.missed(after, [Seat(1)])
    assert not pace.spendable(twice, timer, Seat(1))
    back, _, lines = pace.extend(twice, timer, Seat(1))
    assert not pace.away(back, Seat(1))
    assert [line.key for line in lines] == ["pace.extended", "pace.back"]


def test_ssa_39_a_held_clock_stands_still() -> None:
    now = pace.pace(3, "normal")
    timer = pace.timer(now, WindowId("turn:4"), "turn", (Seat(0),), Millis(60_000), Millis(0))
    held = pace.hold(timer, Millis(15_000))
    assert clocks(now, held) == {"turn:4": Held(Millis(45_000))}
    assert pace.hold(held, Millis(20_000)) is held
    longer = pace.extend(now, held, Seat(0))[1]
    assert longer.clock == Held(Millis(105_000))
    again = pace.release(held, Millis(100_000))
    assert again.clock == Running(Millis(145_000))
    assert again.short == 110_000
    assert pace.release(again, Millis(1)) is again
    assert pace.hold(timer, Millis(99_000)).clock == Held(Millis(0))


def test_gen_7_an_untimed_turn_that_stands_still_has_no_short_window_either() -> None:
    gone = pace.missed(pace.missed(pace.pace(3, "off"), [Seat(0)]), [Seat(0)])
    timer = pace.timer(gone, WindowId("turn:4"), "turn", (Seat(0),), Millis(60_000), Millis(0))
    assert clocks(gone, timer) == {"turn:4:away:0": Running(Millis(10_000))}
    held = pace.hold(timer, Millis(2_000))
    assert clocks(gone, held) == {}
    again = pace.release(held, Millis(50_000))
    assert clocks(gone, again) == {"turn:4:1:away:0": Running(Millis(60_000))}


def test_no_short_window_comes_back_under_its_old_id() -> None:
    gone = pace.missed(pace.missed(pace.pace(3, "normal"), [Seat(0)]), [Seat(0)])
    timer = pace.timer(gone, WindowId("turn:4"), "turn", (Seat(0),), Millis(60_000), Millis(0))
    found: set[WindowId] = set()
    for at in (1_000, 2_000, 3_000):
        short = {window.id for window in pace.windows(gone, timer, NOBODY_DONE) if window.kind == "away"}
        assert len(short) == 1
        assert not short & found
        assert all(pace.expired(timer, window) == 0 for window in short)
        for old in found:
            with pytest.raises(ValueError, match="no such window"):
                pace.expired(timer, old)
        found |= short
        timer = pace.release(pace.hold(timer, Millis(at)), Millis(at + 500))


def test_a_held_fixed_window_gets_no_short_one() -> None:
    timer = pace.fixed(WindowId("market:1"), "market", EVERYBODY, Millis(30_000), Millis(0))
    assert pace.release(pace.hold(timer, Millis(1_000)), Millis(5_000)).short is None


def test_what_did_not_change_is_the_same_object() -> None:
    now = pace.pace(3, "normal")
    timer = shared(now)
    assert pace.windows(now, timer, NOBODY_DONE) is pace.windows(now, timer, (True, False, False))
    assert pace.ask(now, timer) is pace.ask(now, timer)


def test_gen_6_a_window_says_how_long_it_is() -> None:
    """With what it was lengthened by: whoever comes later draws the same ring."""
    now, timer = pace.pace(3, "relaxed"), shared(pace.pace(3, "relaxed"))
    assert [window.span for window in pace.windows(now, timer, NOBODY_DONE)] == [60_000]
    after, longer, _ = pace.extend(now, timer, Seat(0))
    assert [window.span for window in pace.windows(after, longer, NOBODY_DONE)] == [120_000]
    held = pace.release(pace.hold(longer, Millis(2_000)), Millis(9_000))
    assert [window.span for window in pace.windows(after, held, NOBODY_DONE)] == [120_000]
    untimed = shared(pace.pace(3, "off"))
    _, called, _ = pace.last_call(pace.pace(3, "off"), untimed, Seat(0), Millis(5))
    assert [window.span for window in pace.windows(pace.pace(3, "off"), called, NOBODY_DONE)] == [60_000]
    gone = pace.missed(pace.missed(now, [Seat(1)]), [Seat(1)])
    assert [window.span for window in pace.windows(gone, timer, NOBODY_DONE)] == [10_000, 60_000]
