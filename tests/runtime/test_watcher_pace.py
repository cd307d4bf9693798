"""Watchers of a busy table get whole views instead of every change while the hub is overloaded (G8.19)."""

from __future__ import annotations

import pytest

from hub.runtime.overload import Level, Overload
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
    busy.clock.advance(PACE_SECONDS)
    (view,) = busy.watcher.sent()
    newcomer = busy.join(None)
    assert [view] == newcomer.sent(), "they see what a newcomer sees"


def test_frames_after_a_whole_view_are_numbered_on() -> None:
    busy = Busy()
    busy.propose(0)
    busy.propose(0)
    busy.clock.advance(PACE_SECONDS)
    numbers = [message["n"] for message in busy.watcher.sent()]
    busy.clock.advance(PACE_SECONDS)
    busy.propose(0)
    assert numbers + [message["n"] for message in busy.watcher.sent()] == [1, 1, 2]


def test_watchers_of_a_slow_table_notice_nothing() -> None:
    """G8.19: a whole view costs more than the one frame that it would replace."""
    busy = Busy()
    for _ in range(3):
        busy.propose(0)
        busy.clock.advance(PACE_SECONDS)
    assert busy.kinds() == ["frame", "frame", "frame"]


def test_a_busy_table_goes_on_at_its_pace() -> None:
    busy = Busy()
    for _ in range(3):
        busy.propose(0)
        busy.propose(0)
        busy.clock.advance(PACE_SECONDS)
    assert busy.kinds() == ["frame", "view", "view", "view"]


def test_watchers_are_brought_up_to_date_when_the_overload_ends() -> None:
    """G8.18: within a second, and then see each change again."""
    busy = Busy()
    busy.propose(0)
    busy.propose(0)
    busy.overload.level = Level.NORMAL
    busy.clock.advance(PACE_SECONDS)
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
    busy.clock.advance(PACE_SECONDS)
    assert busy.kinds() == ["frame"]


@pytest.mark.parametrize("level", Level)
def test_watchers_are_thinned_from_the_first_level_on(level: Level) -> None:
    busy = Busy()
    busy.overload.level = level
    busy.propose(0)
    busy.propose(0)
    assert len(busy.kinds()) == (2 if level is Level.NORMAL else 1)
