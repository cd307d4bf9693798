"""What the watchers of a delayed table are shown while a new owner catches up (G4.13)."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from games.api import Millis
from hub.runtime.deadlines import FROZEN_RETRY_MS
from hub.runtime.delayed_watchers import DelayedWatchers, resume
from hub.runtime.ownership_check import OwnershipCheck
from hub.table.watch_delay import Backlog, HeldCommit
from hub.telemetry.metrics import Metrics
from tests.harness.manual_clock import ManualClock
from tests.harness.memory_store import ManualLease
from tests.table.almost_rooms import RULES, seated

CATCH_UP_MS: Final = 1000
DELAY: Final = 30_000


def taken(clock: ManualClock, lease: ManualLease | None = None) -> DelayedWatchers:
    """The watchers of a room whose last commit is due when they have caught up."""
    room = seated("ann", "bea")
    room = replace(room, table=replace(room.table, status="running", watch_delay="30s"))
    locked = replace(room, table=replace(room.table, locked=True))
    held = HeldCommit(DELAY - CATCH_UP_MS, 0, locked)
    backlog = Backlog(HeldCommit(DELAY, 0, room), (held,), CATCH_UP_MS)
    lease = lease or ManualLease(clock)
    return resume(backlog, RULES, Millis(0), clock, lease, OwnershipCheck(lease), Metrics(), lambda: None)


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


def test_nothing_is_shown_while_another_hub_may_own_the_room() -> None:
    """G3.7: what is due in the meantime is shown once it is certain that this hub owns the room."""
    clock = ManualClock(0)
    lease = ManualLease(clock)
    watchers = taken(clock, lease)
    lease.lost = True
    clock.advance(10)
    assert not watchers.room.table.locked
    lease.lost = False
    clock.advance(FROZEN_RETRY_MS / 1000)
    assert watchers.room.table.locked
