"""What a room does without a command: windows end, substitutes take over, and an empty table sleeps.

One timer per room waits for whichever comes first. Windows and absences end in table time, which can be
paused; how long a table has been empty, or waited for salts, is measured in real time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from games.api import Millis, Seat
from hub.clock import Clock, Timer
from hub.runtime.ports import LiveClock
from hub.runtime.table_clock import TableClock
from hub.table.commands import ABSENCE_TIMEOUT_MS
from hub.table.room import NEVER, Room, SeatState, Table, next_end
from hub.table.salt_exchange import REVEAL_TIMEOUT_MS
from hub.table.table_time import TableTime

EMPTY_TIMEOUT_MS: Final = 60_000
"""Milliseconds after which a table with nobody connected pauses, or goes to sleep if it is not running."""
FROZEN_RETRY_MS: Final = 100
"""The shortest wait, in milliseconds, while the live clock is frozen."""


class Deadlines:
    """A room's timer, and the conditions it waits for besides windows: absent seats and an empty table."""

    __slots__ = (
        "_armed",
        "_clock",
        "_empty_since",
        "_live_clock",
        "_salts_since",
        "_table_clock",
        "_wake",
        "absences",
        "timer",
    )

    def __init__(
        self, clock: Clock, live_clock: LiveClock, table_clock: TableClock, wake: Callable[[], None]
    ) -> None:
        self.absences: dict[Seat, Millis] = {}
        """The seats of disconnected people, with the table time at which each absence began."""
        self._clock = clock
        self._live_clock = live_clock
        self._table_clock = table_clock
        self._wake = wake
        self._empty_since: int | None = clock.now_ms()
        self._salts_since: tuple[int, int] | None = None
        """While salts are being revealed: the number of restarts so far, and when this hub began to wait."""
        self.timer: Timer | None = None
        """The timer; None if it is not set."""
        self._armed: tuple[Millis, TableTime, int | None, tuple[int, int] | None] | None = None
        """The basis on which the timer was set: the next end, the table time used to compute it,
        `_empty_since` and `_salts_since`."""

    # --- absent seats ---

    def note_absences(self, seats: tuple[SeatState, ...], is_connected: Callable[[int], bool]) -> None:
        at = self._table_clock.read()
        absences: dict[Seat, Millis] = {}
        for i, state in enumerate(seats):
            if state.person is not None and not state.substitute and not is_connected(i):
                absences[Seat(i)] = self.absences.get(Seat(i), at)
        self.absences = absences

    def end_absence(self, seat: Seat) -> None:
        self.absences.pop(seat, None)

    # --- an empty table ---

    def table_is_empty(self) -> None:
        """Starts the wait when the last connection has left, or starts it again."""
        self._empty_since = self._clock.now_ms()

    def table_is_occupied(self) -> None:
        self._empty_since = None

    def empty_too_long(self) -> bool:
        since = self._empty_since
        return since is not None and self._clock.now_ms() >= since + EMPTY_TIMEOUT_MS

    # --- salts that are not revealed ---

    def note_salts(self, table: Table) -> None:
        """Starts the wait for salts when their exchange begins or is repeated."""
        if table.exchange is None:
            self._salts_since = None
        elif self._salts_since is None or self._salts_since[0] != table.restarts:
            self._salts_since = (table.restarts, self._clock.now_ms())

    def salts_too_late(self) -> bool:
        """Whether the wait has timed out; if so, starts it again."""
        since = self._salts_since
        if since is None or self._clock.now_ms() < since[1] + REVEAL_TIMEOUT_MS:
            return False
        self._salts_since = (since[0], self._clock.now_ms())
        return True

    # --- the timer ---

    def arm(self, room: Room) -> None:
        """Sets the timer for what comes next; leaves it alone if it is already set for that."""
        time = self._table_clock.time
        end = NEVER
        if time.live is not None:
            end = next_end(room)
            if self.absences:
                end = min(end, Millis(min(self.absences.values()) + ABSENCE_TIMEOUT_MS))
        due = (end, time, self._empty_since, self._salts_since)
        if self.timer is not None:
            if due == self._armed:
                return
            self.timer.cancel()
            self.timer = None
        self._armed = due
        waits: list[int] = []
        if end < NEVER:
            left = max(0, end - time.read(self._live_clock.now_live()))
            waits.append(max(FROZEN_RETRY_MS, left) if self._live_clock.is_frozen() else left)
        if self._empty_since is not None:
            waits.append(max(0, self._empty_since + EMPTY_TIMEOUT_MS - self._clock.now_ms()))
        if self._salts_since is not None:
            waits.append(max(0, self._salts_since[1] + REVEAL_TIMEOUT_MS - self._clock.now_ms()))
        if waits:
            self.timer = self._clock.call_later((min(waits) + 1) / 1000, self._fire)

    def _fire(self) -> None:
        self.timer = None
        self._wake()

    def close(self) -> None:
        """Stops the timer, and lets go of the room."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
        del self._wake
