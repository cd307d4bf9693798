"""What the watchers of a delayed table are shown while a new owner catches up (G4.13)."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from games.api import Millis
from hub.runtime.delayed_watchers import DelayedWatchers, resume
from hub.table.watch_delay import Backlog, HeldCommit
from hub.telemetry.metrics import Metrics
from tests.harness.manual_clock import ManualClock
from tests.harness.memory_store import ManualLease
from tests.table.almost_rooms import RULES, seated

CATCH_UP_MS: Final = 1000
DELAY: Final = 30_000


def taken(clock: ManualClock) -> DelayedWatchers:
    """The watchers of a room whose last commit is due when they have caught up."""
    room = seated("ann", "bea")
    room = replace(room, table=replace(room.table, status="running", watch_delay="30s"))
    locked = replace(room, table=replace(room.table, locked=True))
    held = HeldCommit(DELAY - CATCH_UP_MS, 0, locked)
    backlog = Backlog(HeldCommit(DELAY, 0, room), (held,), CATCH_UP_MS)
    return resume(backlog, RULES, Millis(0), clock, ManualLease(clock), Metrics(), lambda: None)


def test_asking_whether_they_catch_up_shows_nothing() -> None:
    """Only the timer shows what is due, and until then nobody else may come in: they would see less."""
    clock = ManualClock()
    watchers = taken(clock)

    def look() -> tuple[bool, bool]:
        return watchers.is_catching_up, watchers.room.table.locked

    assert look() == (True, False)
    clock.move(CATCH_UP_MS)
    assert look() == (True, False)
    clock.fire()
    assert look() == (False, True)
