"""What a room does without a command: windows end, substitutes and new hosts take over, empty tables sleep.

One timer per room waits for whichever comes first. Windows and absences end in table time, which can be
paused; how long a table has been empty, or waited for salts, is measured in real time; how long a host has
been gone, and a vote has run, on the live clock, which stops while the hub cannot let anybody in.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from games.api import Millis, Seat
from hub.clock import Clock, Timer
from hub.runtime.ports import LiveClock
from hub.runtime.table_clock import TableClock
from hub.table.absence import stand_in_time
from hub.table.room import NEVER, Room, Table, next_end
from hub.table.salt_exchange import REVEAL_TIMEOUT_MS
from hub.table.seating import find_unseated_place, is_host_gone
from hub.table.table_time import TableTime
from hub.table.votes import VOTE_MS, Vote

EMPTY_TIMEOUT_MS: Final = 60_000
"""Milliseconds after which a table with nobody connected pauses, or goes to sleep if it is not running."""
RETURN_MS: Final = 10_000
"""How many milliseconds, on the live clock, a new owner of a room gives people to come back before a vote
goes on without them."""
HOST_TIMEOUT_MS: Final = 30_000
"""Milliseconds after which a host who is not connected is replaced by somebody who is (GEN-13)."""
FROZEN_RETRY_MS: Final = 100
"""The shortest wait, in milliseconds, while the live clock is frozen."""


class Deadlines:
    """A room's timer, and the conditions it waits for besides windows: absent people and an empty table."""

    __slots__ = (
        "_absences_count_from",
        "_armed",
        "_clock",
        "_host_absence",
        "_lets_in",
        "_live_clock",
        "_salts_since",
        "_table_clock",
        "_vote",
        "_wake",
        "absences",
        "disconnected",
        "empty_since",
        "host_due",
        "timer",
        "vote_due",
    )

    def __init__(
        self, clock: Clock, live_clock: LiveClock, table_clock: TableClock, wake: Callable[[], None]
    ) -> None:
        self.absences: dict[Seat, Millis] = {}
        """The seats of disconnected people that no substitute plays, with the table time at which each
        absence began."""
        self.disconnected: frozenset[Seat] = frozenset()
        """The seats of all disconnected people, and the place of a disconnected host without a seat."""
        self._absences_count_from = live_clock.now_live() + RETURN_MS
        self._host_absence: tuple[str, int] | None = None
        """The host who is not connected, and since when on the live clock."""
        self.host_due: int | None = None
        """When somebody else becomes host, on the live clock; None if the host, or nobody, is connected."""
        self._lets_in = True
        self._vote = 0
        """The number of the running vote."""
        self.vote_due: int | None = None
        """When its time is up, on the live clock; None if no vote is running."""
        self._clock = clock
        self._live_clock = live_clock
        self._table_clock = table_clock
        self._wake = wake
        self.empty_since: int | None = clock.now_ms()
        """When the last connection left, on the hub's clock in milliseconds; None while there are any."""
        self._salts_since: tuple[int, int] | None = None
        """While salts are being revealed: the number of restarts so far, and when this hub began to wait."""
        self.timer: Timer | None = None
        """The timer; None if it is not set."""
        self._armed: (
            tuple[Millis, TableTime, int | None, tuple[int, int] | None, int | None, int | None] | None
        ) = None
        """The basis on which the timer was set: the next end, the table time used to compute it,
        `empty_since`, `_salts_since`, `host_due` and `vote_due`."""

    # --- absent people ---

    def note_absences(self, table: Table, is_connected: Callable[[int], bool]) -> None:
        at = self._table_clock.read()
        people = [Seat(i) for i, state in enumerate(table.seats) if state.person is not None]
        disconnected = [seat for seat in people if not is_connected(seat)]
        self.disconnected = frozenset(disconnected)
        self.absences = {
            seat: self.absences.get(seat, at) for seat in disconnected if not table.seats[seat].substitute
        }
        place = find_unseated_place(table)
        if table.host_name is not None and not is_connected(place):
            self.disconnected |= {place}
        self._note_host(table, is_replaceable=len(disconnected) < len(people))

    def list_absent(self, vote: Vote) -> frozenset[Seat]:
        """The seats that count as absent in this vote.

        A new owner of the room waits a while for everybody: whoever comes back first must not decide alone.
        A vote about a seat is decided by more than those who are connected, or not before its time is up.
        """
        is_new = self._live_clock.now_live() < self._absences_count_from
        return frozenset() if is_new and vote.seat is None else self.disconnected

    def _note_host(self, table: Table, *, is_replaceable: bool) -> None:
        """`is_replaceable`: somebody is connected, and can become host."""
        host = table.host
        if host is None or not is_host_gone(table, self.disconnected):
            self._host_absence = None
        elif self._host_absence is None or self._host_absence[0] != host:
            self._host_absence = host, self._live_clock.now_live()
        absence = self._host_absence if is_replaceable and self._lets_in else None
        self.host_due = None if absence is None else absence[1] + HOST_TIMEOUT_MS

    def host_too_long(self) -> bool:
        """Whether somebody else is to become host."""
        return self.host_due is not None and self._live_clock.now_live() >= self.host_due

    def let_nobody_in(self) -> None:
        """From now on no host is replaced, because none can come back to this hub."""
        self._lets_in = False
        self.host_due = None

    # --- an empty table ---

    def table_is_empty(self) -> None:
        """Starts the wait when the last connection has left, or starts it again."""
        self.empty_since = self._clock.now_ms()

    def table_is_occupied(self) -> None:
        self.empty_since = None

    def empty_too_long(self) -> bool:
        since = self.empty_since
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

    # --- a running vote ---

    def note_vote(self, table: Table) -> None:
        """Starts the time of a vote when it begins, or when this hub takes the room."""
        vote = table.vote
        if vote is None:
            self.vote_due = None
        elif self.vote_due is None or vote.number != self._vote:
            self._vote = vote.number
            self.vote_due = self._live_clock.now_live() + VOTE_MS

    def vote_time_left(self, vote: Vote) -> int:
        """Milliseconds left in this vote; all of them if it is not committed yet."""
        if self.vote_due is None or vote.number != self._vote:
            return VOTE_MS
        return max(0, self.vote_due - self._live_clock.now_live())

    def vote_over(self) -> int | None:
        """The number of the vote whose time is up."""
        due = self.vote_due
        return None if due is None or self._live_clock.now_live() < due else self._vote

    # --- the timer ---

    def arm(self, room: Room) -> None:
        """Sets the timer for what comes next; leaves it alone if it is already set for that."""
        time = self._table_clock.time
        end = NEVER
        if time.live is not None:
            end = next_end(room)
            for seat, since in self.absences.items():
                end = min(end, stand_in_time(room.table, seat, since))
        due = (end, time, self.empty_since, self._salts_since, self.host_due, self.vote_due)
        if self.timer is not None:
            if due == self._armed:
                return
            self.timer.cancel()
            self.timer = None
        self._armed = due
        waits: list[int] = []
        if end < NEVER:
            waits.append(self._wait_live(end - time.read(self._live_clock.now_live())))
        if self.host_due is not None:
            waits.append(self._wait_live(self.host_due - self._live_clock.now_live()))
        if self.vote_due is not None:
            waits.append(self._wait_live(self.vote_due - self._live_clock.now_live()))
        if self.empty_since is not None:
            waits.append(max(0, self.empty_since + EMPTY_TIMEOUT_MS - self._clock.now_ms()))
        if self._salts_since is not None:
            waits.append(max(0, self._salts_since[1] + REVEAL_TIMEOUT_MS - self._clock.now_ms()))
        if waits:
            self.timer = self._clock.call_later((min(waits) + 1) / 1000, self._fire)

    def _wait_live(self, left: int) -> int:
        """How long to wait until the live clock has run for this many milliseconds."""
        left = max(0, left)
        return max(FROZEN_RETRY_MS, left) if self._live_clock.is_frozen() else left

    def _fire(self) -> None:
        self.timer = None
        self._wake()

    def close(self) -> None:
        """Stops the timer, and lets go of the room."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
        del self._wake
