"""A room's only timer: windows and absences in table time, emptiness in real time."""

from __future__ import annotations

from typing import Any, Final, cast

import pytest
from msgspec.structs import replace

from games.almost.rules.game import ALMOST
from games.api import Millis, Seat
from hub.runtime.deadlines import EMPTY_TIMEOUT_MS, FROZEN_RETRY_MS, HOST_TIMEOUT_MS, Deadlines
from hub.runtime.table_clock import TableClock
from hub.table.absence import GRACE_MS
from hub.table.room import NEVER, Position, Room, Status, Table
from hub.table.votes import VOTE_MS, Vote
from tests.harness.manual_clock import ManualClock
from tests.secrecy.pair import new_table

NEW: Final = new_table(cast(Any, ALMOST), 3, {})
SEATS: Final = NEW.table.seats
MINUTE: Final = GRACE_MS["1min"]


def room(end: int = NEVER, status: Status = "running") -> Room:
    """A room whose next window ends at `end`."""
    return Room(replace(NEW.table, status=status), NEW.counts, Position(None, (), (), Millis(end)))


class World:
    """Deadlines whose live clock runs with the clock, unless it is frozen. Table time starts at 0."""

    def __init__(self, status: Status = "running") -> None:
        self.clock = ManualClock(0)
        self.frozen_at: int | None = None
        self.woken: list[int] = []
        """The times at which the timer fired."""
        self.table_clock = TableClock(Millis(0), status, self)
        self.deadlines = Deadlines(
            self.clock, self, self.table_clock, lambda: self.woken.append(self.clock.now_ms())
        )
        self.deadlines.table_is_occupied()

    def now_live(self) -> int:
        return self.clock.now_ms() if self.frozen_at is None else self.frozen_at

    def is_frozen(self) -> bool:
        return self.frozen_at is not None

    def is_lost(self) -> bool:
        return False

    def advance(self, milliseconds: int) -> None:
        self.clock.advance(milliseconds / 1000)


def test_a_window_ends() -> None:
    """G5: a window never ends early, and ends only once."""
    world = World()
    world.deadlines.arm(room(5_000))
    world.advance(60_000)
    assert world.woken == [5_001]
    assert world.deadlines.timer is None


def test_no_timer_is_set_without_a_deadline() -> None:
    world = World()
    world.deadlines.arm(room())
    assert world.deadlines.timer is None


def test_the_timer_is_reset_only_for_a_different_deadline() -> None:
    world = World()
    world.deadlines.arm(room(5_000))
    world.advance(1_000)
    (armed,) = world.clock._timers
    world.deadlines.arm(room(5_000))
    assert world.clock._timers == [armed]
    world.deadlines.arm(room(3_000))
    world.advance(60_000)
    assert world.woken == [3_001]


def test_no_window_ends_while_table_time_is_stopped() -> None:
    """G5.6: absences do not grow either."""
    world = World()
    world.advance(1_000)
    world.deadlines.note_absences(NEW.table, lambda seat: seat != 1)
    world.table_clock.follow("paused", world.table_clock.read())
    world.deadlines.arm(room(5_000, "paused"))
    world.advance(2 * MINUTE)
    assert world.woken == []
    world.table_clock.follow("running", world.table_clock.read())
    world.deadlines.arm(room(5_000))
    world.advance(MINUTE)
    assert world.woken == [1_000 + 2 * MINUTE + 4_001]


def test_a_frozen_live_clock_is_checked_again_later() -> None:
    """G5: the timer does not spin for a window that is due by the clock but not by table time."""
    world = World()
    world.deadlines.arm(room(5_000))
    world.frozen_at = 4_999
    world.advance(5_001)
    world.deadlines.arm(room(5_000))
    world.advance(FROZEN_RETRY_MS)
    assert len(world.woken) == 1
    world.advance(1)
    assert len(world.woken) == 2


def test_absences() -> None:
    """GEN-7: an absence counts from when a person left; it ends when they are back or have a substitute."""
    world = World()
    table = replace(NEW.table, host=None, seats=(*SEATS[:2], replace(SEATS[2], substitute=True)))
    world.advance(1_000)
    world.deadlines.note_absences(table, lambda seat: seat == 0)
    assert world.deadlines.absences == {1: 1_000}
    world.advance(1_000)
    world.deadlines.note_absences(table, lambda seat: False)
    assert world.deadlines.absences == {0: 2_000, 1: 1_000}
    assert world.deadlines.disconnected == {0, 1, 2}
    world.deadlines.note_absences(table, lambda seat: seat == 1)
    world.deadlines.arm(room())
    world.advance(2 * MINUTE)
    assert world.woken == [2_000 + MINUTE + 1]


def test_an_empty_table() -> None:
    """R6: its emptiness is measured in real time, even while table time is stopped."""
    world = World("paused")
    world.advance(500)
    world.deadlines.table_is_empty()
    world.deadlines.arm(room(status="paused"))
    world.advance(EMPTY_TIMEOUT_MS - 1)
    assert not world.deadlines.empty_too_long()
    world.advance(2)
    assert world.woken == [500 + EMPTY_TIMEOUT_MS + 1]
    assert world.deadlines.empty_too_long()
    world.deadlines.table_is_occupied()
    assert not world.deadlines.empty_too_long()


def test_the_earliest_deadline_comes_first() -> None:
    world = World()
    world.deadlines.table_is_empty()
    world.deadlines.arm(room(EMPTY_TIMEOUT_MS + 5_000))
    world.advance(EMPTY_TIMEOUT_MS + 1)
    assert world.woken == [EMPTY_TIMEOUT_MS + 1]


def test_a_cancelled_timer() -> None:
    world = World()
    world.deadlines.arm(room(5_000))
    world.deadlines.close()
    world.advance(60_000)
    assert world.woken == []


# --- a host who is gone (R3) ---


def host_followed_at(world: World, milliseconds: int) -> bool:
    """Whether somebody else may become host once this much time has passed."""
    world.advance(milliseconds)
    return world.deadlines.host_too_long()


@pytest.mark.parametrize("status", ["waiting", "running", "paused", "finished"])
def test_a_host_who_is_gone_is_followed(status: Status) -> None:
    """R3: thirty seconds after the last socket has closed, whether or not table time runs."""
    world = World(status)
    world.advance(5_000)
    world.deadlines.note_absences(NEW.table, lambda seat: seat > 0)
    world.deadlines.arm(room(status=status))
    assert not host_followed_at(world, HOST_TIMEOUT_MS - 1)
    assert world.woken == []
    assert host_followed_at(world, 2)
    assert world.woken == [5_000 + HOST_TIMEOUT_MS + 1]


def test_a_host_who_comes_back_starts_afresh() -> None:
    """R3"""
    world = World()
    world.deadlines.note_absences(NEW.table, lambda seat: seat > 0)
    world.advance(HOST_TIMEOUT_MS - 1)
    world.deadlines.note_absences(NEW.table, lambda seat: True)
    assert not host_followed_at(world, 1)
    world.deadlines.note_absences(NEW.table, lambda seat: seat > 0)
    assert not host_followed_at(world, HOST_TIMEOUT_MS - 1)
    handed = replace(NEW.table, host=SEATS[1].person)
    world.deadlines.note_absences(handed, lambda seat: seat == 2)
    assert not host_followed_at(world, HOST_TIMEOUT_MS - 1), "the count is the person's, not the table's"
    assert host_followed_at(world, 1)


def test_nobody_follows_a_host_while_nobody_is_connected() -> None:
    """R3: the timer waits for somebody to come, and then for nothing else."""
    world = World("waiting")
    world.deadlines.note_absences(NEW.table, lambda seat: False)
    world.deadlines.arm(room(status="waiting"))
    assert not host_followed_at(world, 10 * HOST_TIMEOUT_MS)
    assert world.woken == []
    world.deadlines.note_absences(NEW.table, lambda seat: seat == 2)
    assert world.deadlines.host_too_long()


def test_a_host_is_followed_only_while_somebody_could_come_in() -> None:
    """R3: neither while the store is away, as nobody can attach, nor on a hub that shuts down."""
    world = World()
    world.deadlines.note_absences(NEW.table, lambda seat: seat > 0)
    world.frozen_at = 1_000
    world.deadlines.arm(room())
    assert not host_followed_at(world, 10 * HOST_TIMEOUT_MS)
    assert len(world.woken) == 1, "the timer does not spin"
    world.frozen_at = None
    assert world.deadlines.host_too_long()
    world.deadlines.let_nobody_in()
    world.deadlines.note_absences(NEW.table, lambda seat: seat > 0)
    assert not world.deadlines.host_too_long()


# --- a running vote (R20) ---


def voting_table(number: int) -> Table:
    return replace(NEW.table, vote=Vote(number, "pause", Seat(0), ()), votes=number)


@pytest.mark.parametrize("status", ["running", "paused"])
def test_a_vote_ends_in_time(status: Status) -> None:
    """R20: table time may have stopped."""
    world = World(status)
    assert world.deadlines.vote_time_left(voting_table(1).vote) == VOTE_MS  # type: ignore[arg-type]
    world.deadlines.note_vote(voting_table(1))
    world.deadlines.arm(room(status=status))
    world.advance(VOTE_MS - 1)
    world.deadlines.note_vote(voting_table(1))
    assert world.deadlines.vote_over() is None
    assert world.deadlines.vote_time_left(voting_table(1).vote) == 1  # type: ignore[arg-type]
    world.advance(2)
    assert (world.deadlines.vote_over(), world.woken) == (1, [VOTE_MS + 1])
    world.deadlines.note_vote(voting_table(2))
    assert world.deadlines.vote_over() is None, "the next vote has its own time"
    world.deadlines.note_vote(NEW.table)
    world.advance(10 * VOTE_MS)
    assert world.deadlines.vote_over() is None


def test_no_time_for_votes_passes_while_the_store_is_away() -> None:
    """R20: no vote could be stored."""
    world = World()
    world.deadlines.note_vote(voting_table(1))
    world.frozen_at = 1_000
    world.advance(10 * VOTE_MS)
    assert world.deadlines.vote_over() is None
