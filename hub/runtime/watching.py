"""The watchers of one room: with the seats in its subscribers, or delayed, in subscribers of their own.

A table's watching delay begins with its game. Until then, and at tables without one, watchers are followers
like the seats.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from games.api import Millis, Refusal, Seat
from hub.runtime.deadlines import Deadlines
from hub.runtime.delayed_watchers import DelayedWatchers, Publication, resume
from hub.runtime.ownership_check import OwnershipCheck
from hub.runtime.ports import Services, Viewer
from hub.runtime.subscribers import Subscribers
from hub.runtime.table_clock import TableClock
from hub.runtime.watcher_pace import WatcherPace
from hub.table.admission import is_at_table, refuse_entry
from hub.table.latecomers import explain_refusal
from hub.table.log import NumberedLine
from hub.table.room import Room, Rules, Table
from hub.table.seating import host_seat
from hub.table.table_time import TableTime
from hub.table.watch_delay import Backlog, is_delayed
from hub.wire import messages as m

START = Millis(0)


class Watching:
    """What the watchers of a room follow. `on_table` is called when delayed watchers see a change of the
    table."""

    __slots__ = (
        "_deadlines",
        "_epoch",
        "_on_table",
        "_ownership",
        "_pace",
        "_seats",
        "_services",
        "_table_clock",
        "delayed",
        "subscribers",
    )

    def __init__(
        self,
        seats: Subscribers,
        table_clock: TableClock,
        deadlines: Deadlines,
        ownership: OwnershipCheck,
        services: Services,
        on_table: Callable[[], None],
        epoch: str,
    ) -> None:
        """`epoch`: what clients are told (hub/runtime/subscribers.py)."""
        self._seats = seats
        self._epoch = epoch
        self._table_clock = table_clock
        self._deadlines = deadlines
        self._ownership = ownership
        self._services = services
        self._on_table = on_table
        self.subscribers = seats
        """The subscribers that watchers belong to."""
        self._pace = WatcherPace(services.overload, services.clock, self._send_view)
        seats.pace_watchers(self._pace)
        self.delayed: DelayedWatchers | None = None
        """None while watchers see the present."""

    def resume(self, backlog: Backlog, rules: Rules, at: Millis) -> None:
        """Continues the delay of a room that this hub has just taken."""
        services = self._services
        self.delayed = resume(
            backlog,
            rules,
            at,
            services.clock,
            services.live_clock,
            self._ownership,
            services.metrics,
            self._on_table,
        )
        self.subscribers = self.delayed.subscribers
        self.subscribers.pace_watchers(self._pace)

    def begin(self, rules: Rules, before: Room, after: Table, notes: Sequence[str]) -> None:
        """Begins the delay if the game has: watchers have seen the room as it was before, and stay there."""
        if self.delayed is not None or not is_delayed(after):
            return
        self.subscribers = self._seats.part_with_watchers(before, notes)
        self.delayed = DelayedWatchers(
            self.subscribers,
            rules,
            Publication(before, START, TableTime(START, None), self._seats.presence),
            self._services.clock,
            self._services.live_clock,
            self._ownership,
            after.watch_delay,
            self._on_table,
        )

    def add(self, viewer: Viewer, welcome: bytes) -> None:
        self.subscribers.add(viewer, welcome, self._epoch, self.table_time())

    def _send_view(self) -> None:
        self.subscribers.send_view_to_watchers(self._epoch, self.table_time())

    def hold(
        self,
        room: Room,
        at: Millis,
        lines: Sequence[NumberedLine] = (),
        talk: Sequence[m.TalkMessage] = (),
        *,
        rerendered: bool = False,
    ) -> None:
        """Keeps what was just published to the seats, if watchers have a delay.

        `rerendered`: its update was rendered again (hub/runtime/subscribers.py).
        """
        if self.delayed is None:
            return
        vote = room.table.vote
        self.delayed.hold(
            Publication(
                room,
                at,
                self._table_clock.time,
                self._seats.presence,
                self._seats.stopped_by,
                0 if vote is None else self._deadlines.vote_time_left(vote),
                lines,
                talk,
                rerendered,
            )
        )

    def find_shown(self, table: Table) -> Table:
        """The table as watchers see it, instead of this one."""
        return table if self.delayed is None else self.delayed.room.table

    def table_time(self) -> Millis:
        """The table time that watchers are shown."""
        return self._table_clock.read_shown() if self.delayed is None else self.delayed.table_time()

    def is_host_connected(self, table: Table) -> bool:
        """Whether the host is connected, as watchers see it."""
        shown = self.find_shown(table)
        presence = self._seats.presence if self.delayed is None else self.delayed.presence
        if shown.host_name is not None:
            return presence.host
        host = host_seat(shown)
        return host is not None and self._is_connected(host)

    def _is_connected(self, seat: int) -> bool:
        if self.delayed is None:
            return self._seats.is_connected(seat)
        return self.delayed.presence.connected[seat]

    def explain_refusal(self, table: Table, person: str, seat: int, *, invited: bool) -> Refusal | None:
        """Why a person without a seat, who sees the table with a delay, is refused one; None for everybody
        else."""
        if self.delayed is None or is_at_table(table, person):
            return None
        shown = self.find_shown(table)
        absent = [Seat(i) for i in range(len(shown.seats)) if not self._is_connected(i)]
        refusal = refuse_entry(shown, person, invited=invited)
        return refusal or explain_refusal(shown, person, seat, absent)

    @property
    def is_catching_up(self) -> bool:
        """Whether watchers may have seen more from an earlier owner of the room."""
        return self.delayed is not None and self.delayed.is_catching_up

    @property
    def is_behind(self) -> bool:
        """Whether watchers have yet to see something."""
        return bool(self.delayed)

    def close(self) -> None:
        self._on_table = _ignore
        self._pace.close()
        if self.delayed is not None:
            self.delayed.close()
            self.subscribers.close_all(4001)


def _ignore() -> None:
    pass
