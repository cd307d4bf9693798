"""The lobby's contents: one summary for each open room, in the store for every hub to read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Final

import msgspec
from msgspec import Struct

from hub.clock import Clock
from hub.runtime.overload import Overload
from hub.runtime.ports import SummarySource
from hub.runtime.store_calls import repeat
from hub.store.store import Store
from hub.table import seating
from hub.table.room import Table
from hub.telemetry.tasks import Tasks

SUMMARY_SECONDS: Final = 0.2
"""Changes to a room within this time are written together."""
SLOW_SUMMARY_SECONDS: Final = 2.0
"""The same while the lobby is slowed."""


class Summary(Struct, frozen=True):
    """A room's entry in the lobby."""

    room: str
    code: str
    game: str
    status: str
    seats: int
    taken: int
    watchers: int
    host: str | None
    options: Mapping[str, Any]
    open: bool
    locked: bool
    watching: bool
    people: int = 0
    """The number of seats that a person holds, whether or not they are connected."""


_pack = msgspec.msgpack.Encoder().encode
unpack_summary = msgspec.msgpack.Decoder(Summary).decode


def read_summaries(lines: Iterable[bytes]) -> Iterator[Summary]:
    """The summaries that this version of Parley can read: during an upgrade, hubs of two versions write
    them."""
    for packed in lines:
        try:
            yield unpack_summary(packed)
        except msgspec.DecodeError:
            continue


def summarize(table: Table, watchers: int) -> Summary:
    host = seating.host_seat(table)
    return Summary(
        room=table.room,
        code=table.code,
        game=table.game,
        status=table.status,
        seats=len(table.seats),
        taken=sum(seat.person is not None or seat.bot is not None for seat in table.seats),
        watchers=watchers,
        host=table.host_name if host is None else table.seats[host].name,
        options=table.options,
        open=table.open,
        locked=table.locked,
        watching=table.watching,
        people=sum(seat.person is not None for seat in table.seats),
    )


class LobbyWriter:
    """Writes the summaries of this hub's rooms, less often under overload."""

    def __init__(self, store: Store, clock: Clock, tasks: Tasks, overload: Overload) -> None:
        self._overload = overload
        self._store = store
        self._clock = clock
        self._tasks = tasks
        self._due: set[str] = set()
        self._unwritten: dict[str, SummarySource] = {}
        """The rooms whose summaries have changed since they were last written, while a task writes them."""
        self._writing: set[str] = set()
        self._closed = False

    def close(self) -> None:
        """Stops writing: each room's next owner will write."""
        self._closed = True

    def update(self, source: SummarySource) -> bool:
        """Schedules a write of a room's summary; returns False if one is already due."""
        room = source.room.table.room
        if room in self._due:
            return False
        self._due.add(room)
        seconds = SLOW_SUMMARY_SECONDS if self._overload.slows_lobby else SUMMARY_SECONDS
        self._clock.call_later(seconds, partial(self._start, source))
        return True

    def _start(self, source: SummarySource) -> None:
        self._due.discard(source.room.table.room)
        if not self._closed:
            self._tasks.start("summary", self._write(source))

    async def refresh(self, source: SummarySource) -> None:
        """Writes the summary of a listed room again, so that it stays in the lobby."""
        if _is_listed(source.shown_table) and not self._closed:
            await self._write(source)

    async def _write(self, source: SummarySource) -> None:
        """Writes a room's summary, waiting for the store for as long as it is away; one task per room does
        so."""
        room = source.room.table.room
        self._unwritten[room] = source
        if room in self._writing:
            return
        self._writing.add(room)
        try:
            while room in self._unwritten and not self._closed:
                await repeat("summary", partial(self._put, self._unwritten.pop(room)), self._clock)
        finally:
            self._writing.discard(room)
            self._unwritten.pop(room, None)

    async def _put(self, source: SummarySource) -> None:
        if self._closed:
            return
        table = source.shown_table
        packed = _pack(summarize(table, source.watchers)) if _is_listed(table) else b""
        epoch = int(source.token.partition(":")[0])
        await self._store.put_summary(table.room, epoch, source.sequence, packed)


def _is_listed(table: Table) -> bool:
    """Whether the lobby shows this table.

    One that plays again would show that the game before it is over, which its watchers may not know yet.
    """
    if table.previous is not None and table.watch_delay != "none" and table.status == "waiting":
        return False
    return table.open and table.status != "finished"
