"""Watchers of a busy table get whole views instead of every change while the hub is overloaded (G8.19)."""

from __future__ import annotations

import pytest

from hub.runtime.overload import CALM_SECONDS, RETRY_SECONDS, Level, Overload
from hub.runtime.watcher_pace import PACE_SECONDS, WatcherPace
from tests.harness.manual_clock import ManualClock
from tests.runtime.test_subscribers import NOW, Followed, running, talk


class Busy(Followed):
    """A table with a seat and a watcher, on a hub that is overloaded."""

    def __init__(self) -> None:
        super().__init__(running())
        self.clock = ManualClock()
        self.overload = Overload()
        self.overload.level = Level.THIN_WATCHERS
        self.pace = WatcherPace(
            self.overload, self.clock, lambda: self.subscribers.send_view_to_watchers("1:hub", NOW)
        )
        self.subscribers.pace_watchers(self.pace)
        self.ann, self.watcher = self.joined(0, None)

    def kinds(self) -> list[str]:
        """What the watcher has been sent since the last call."""
        return [message["t"] for message in self.watcher.sent()]


def test_watchers_get_a_whole_view_instead_of_each_change() -> None:
    """G8.19: the first change comes at once, the others together; seats get each of them."""
    busy = Busy()
    for _ in range(4):
        busy.propose(0)
    assert [frame["n"] for frame in busy.ann.sent()] == [1, 2, 3, 4]
    assert [frame["n"] for frame in busy.watcher.sent()] == [1]
    busy.clock.advance(PACE_SECONDS[1])
    (view,) = busy.watcher.sent()
    newcomer = busy.join(None)
    assert [view] == newcomer.sent(), "they see what a newcomer sees"


def test_frames_after_a_whole_view_are_numbered_on() -> None:
    busy = Busy()
    busy.propose(0)
    busy.propose(0)
    busy.clock.advance(PACE_SECONDS[1])
    numbers = [message["n"] for message in busy.watcher.sent()]
    busy.clock.advance(PACE_SECONDS[1])
    busy.propose(0)
    assert numbers + [message["n"] for message in busy.watcher.sent()] == [1, 1, 2]


def test_watchers_of_a_slow_table_notice_nothing() -> None:
    """G8.19: a whole view costs more than the one frame that it would replace."""
    busy = Busy()
    for _ in range(3):
        busy.propose(0)
        busy.clock.advance(PACE_SECONDS[1])
    assert busy.kinds() == ["frame", "frame", "frame"]


def test_a_busy_table_goes_on_at_its_pace() -> None:
    busy = Busy()
    for _ in range(3):
        busy.propose(0)
        busy.propose(0)
        busy.clock.advance(PACE_SECONDS[1])
    assert busy.kinds() == ["frame", "view", "view", "view"]


def test_watchers_are_brought_up_to_date_when_the_overload_ends() -> None:
    """G8.18: within a second, and then see each change again."""
    busy = Busy()
    busy.propose(0)
    busy.propose(0)
    busy.overload.level = Level.NORMAL
    busy.clock.advance(PACE_SECONDS[1])
    assert busy.kinds() == ["frame", "view"]
    busy.propose(0)
    busy.propose(0)
    assert busy.kinds() == ["frame", "frame"]
    assert busy.clock.armed == []


def test_talk_is_not_held_back() -> None:
    """It has limits of its own (G8.11)."""
    busy = Busy()
    busy.propose(0)
    busy.propose(0)
    busy.subscribers.say(talk(0))
    assert busy.kinds() == ["frame", "talk"]


def test_watchers_whose_table_is_delayed_keep_their_pace() -> None:
    """G4.13: the whole view is that of the room as they see it."""
    busy = Busy()
    other = busy.subscribers.part_with_watchers(busy.room, busy.notes)
    busy.propose(0)
    assert busy.kinds() == [], "they see the room as it was"
    for kinds in (["frame"], []):
        busy.propose(0)
        update = other.render_again(busy.room, busy.notes, NOW)
        other.show(update)
        other.publish(update, NOW, ())
        assert busy.kinds() == kinds


def test_a_room_that_stops_sends_nothing_more() -> None:
    busy = Busy()
    busy.propose(0)
    busy.propose(0)
    busy.pace.close()
    busy.clock.advance(PACE_SECONDS[1])
    assert busy.kinds() == ["frame"]


@pytest.mark.parametrize("level", Level)
def test_watchers_are_thinned_from_the_first_level_on(level: Level) -> None:
    busy = Busy()
    busy.overload.level = level
    busy.propose(0)
    busy.propose(0)
    assert len(busy.kinds()) == (2 if level is Level.NORMAL else 1)


@pytest.mark.parametrize(("level", "pace"), [(Level(1), 1.0), (Level(2), 2.0), (Level(3), 4.0)])
def test_the_more_overload_the_fewer_views(level: Level, pace: float) -> None:
    """G8.19: watchers make room for those who come after them in the order."""
    busy = Busy()
    busy.overload.level = level
    busy.propose(0)
    busy.propose(0)
    busy.clock.advance(pace - 0.001)
    assert busy.kinds() == ["frame"]
    busy.clock.advance(0.001)
    assert busy.kinds() == ["view"]


def test_the_level_stays_while_it_holds_much_back() -> None:
    """G8.18: the lag is low because watchers get less; only trying shows whether it would stay so."""
    busy, at = Busy(), 0.0
    while busy.overload.level == Level.THIN_WATCHERS and at < 2 * RETRY_SECONDS:
        for _ in range(4):
            busy.pace.hold(10_000)
        busy.overload.add(0.0, at := at + 0.25)
    assert at >= RETRY_SECONDS


def test_the_level_falls_soon_if_it_holds_little_back() -> None:
    """G8.18"""
    busy, at = Busy(), 0.0
    while busy.overload.level == Level.THIN_WATCHERS and at < RETRY_SECONDS:
        for _ in range(4):
            busy.pace.hold(100)
        busy.overload.add(0.0, at := at + 0.25)
    assert at < 2 * CALM_SECONDS
