"""Takes the running rooms of hubs that are gone without waiting for a visitor, so that their windows go on.

Every second each hub registers in the store, and learns who else has. When one has not registered for as
long as a lease, and its heartbeat has run out as well, the others divide its running rooms among them by
rendezvous hashing. A hub that drains says so, and they take what it releases within about a second. Nothing
depends on their agreeing: rooms are taken as for a visitor, which only one hub can do, and never from a hub
that is alive and has not released them (G3.3).
"""

from __future__ import annotations

import asyncio
import os
import time
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final

import structlog
from msgspec.structs import replace

from hub.clock import Clock
from hub.runtime.checkout import read
from hub.runtime.homes import REGISTER_SECONDS, STEADY, Homes
from hub.runtime.placement import Elsewhere, OtherVersion, RoomsError, RulesElsewhere, Unavailable
from hub.runtime.registry import HubRooms
from hub.store.client import StoreDamaged, StoreUnavailable
from hub.store.hubs import HubDescription
from hub.store.store import Store
from hub.table.room import NEVER, SCHEMA, Rules, next_end
from hub.telemetry.metrics import Metrics
from hub.telemetry.repeated_warning import RepeatedWarning
from hub.telemetry.tasks import Tasks

AT_ONCE: Final = 16
"""The number of rooms that are read or taken at the same time."""
IN_TIME: Final = 500
"""The number of rooms that are taken within seconds; if there are more, those whose windows end first come
first."""

_log = structlog.get_logger("parley.orphans")


def count_cores() -> int:
    """The processor cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS
        return os.cpu_count() or 1


class Orphans:
    """Registers one hub, and takes its share of the rooms of hubs that are dead."""

    def __init__(
        self,
        rooms: HubRooms,
        store: Store,
        incarnation: str,
        games: Mapping[str, Rules],
        tasks: Tasks,
        clock: Clock,
        metrics: Metrics,
        homes: Homes,
        *,
        version: str = "",
        label: str = "",
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._rooms = rooms
        self._store = store
        self._incarnation = incarnation
        self._games = games
        self._tasks = tasks
        self._clock = clock
        self._metrics = metrics
        self._homes = homes
        versions = {key: rules.version for key, rules in games.items()}
        self._about = HubDescription(0, versions, SCHEMA, version, label)
        self._wall = wall
        self._in_a_row = 0
        """Registrations in a row, each in time for the others to see that this hub lives."""
        self._taking: asyncio.Task[None] | None = None
        self._empty: set[str] = set()
        """Hubs that have lapsed, of which no running room is left."""
        self._refused: set[str] = set()
        """Rooms of lapsed hubs that this hub cannot take, such as those that an operator has closed."""
        self._uncertain: set[str] = set()
        """Rooms that this hub may have taken without an answer: nobody else would look at them."""
        self._away = RepeatedWarning(
            _log, "this hub could not register", "this hub registers again", clock.time
        )
        self._stuck = RepeatedWarning(
            _log, "rooms of a dead hub could not be taken yet", "rooms of dead hubs are taken", clock.time
        )

    async def keep(self) -> None:
        """Registers every second, forever."""
        while True:
            await self.register()
            await self._clock.sleep(REGISTER_SECONDS)

    def describe(self) -> HubDescription:
        """What this hub says of itself: no cores while it takes no rooms."""
        takes = self._in_a_row >= STEADY and self._rooms.can_take_orphans()
        cores = self._homes.cores if takes else 0
        return replace(self._about, cores=cores, clock_ms=int(self._wall() * 1000))

    async def register(self) -> None:
        """Registers once; begins to take the rooms of dead hubs, if there are any and it is not doing so.

        A hub that drains takes no part in the fleet, and only reads who does: it may stay up for long, and
        relays whoever comes.
        """
        description = self.describe()
        is_leaving = self._rooms.is_draining()
        try:
            if is_leaving:
                fleet = await self._store.unregister(self._incarnation)
            else:
                fleet = await self._store.register(self._incarnation, description)
        except StoreUnavailable as error:
            self._in_a_row = 0
            self._homes.forget()
            advice = "its rooms are safe; find out why the store does not answer"
            self._away.warn(reason=str(error), advice=advice)
            return
        self._away.end()
        self._in_a_row = self._in_a_row + 1 if fleet.was_registered else 0
        self._homes.update({**fleet.living, self._incarnation: description} if is_leaving else fleet.living)
        self._empty.intersection_update(fleet.lapsed)
        lapsed = [hub for hub in fleet.lapsed if hub not in self._empty]
        if not lapsed:
            self._refused.clear()
        is_ready = description.cores > 0 and fleet.was_registered
        if is_ready and (lapsed or self._uncertain) and self._taking is None:
            self._taking = self._tasks.start("orphans", self._take_all(lapsed))

    async def _take_all(self, lapsed: Sequence[str]) -> None:
        try:
            await self._in_parallel(tuple(self._uncertain), partial(self._take, None))
            for hub in lapsed:
                await self._take_from(hub)
            self._stuck.end()
        except (StoreUnavailable, Unavailable) as error:
            advice = "they are tried again every second for a minute, then wait for a visitor"
            self._stuck.warn(reason=str(error), advice=advice)
        finally:
            self._taking = None

    async def _take_from(self, hub: str) -> None:
        """Takes this hub's share of a lapsed one's rooms. Raises StoreUnavailable, Unavailable."""
        # one that is alive has stalled, or drains, or has not missed its last heartbeat yet
        alive = await self._store.is_alive(hub)
        orphans = await self._store.find_orphans(hub, alive=alive, on_damaged=self._refuse_damaged)
        orphans = [room for room in orphans if room not in self._refused]
        if not (orphans or alive):
            self._empty.add(hub)
        if not orphans:
            return
        share = await self._choose(orphans)
        if len(share) > IN_TIME:
            share = await self._sort(share)
        before = self._metrics.orphans_taken
        await self._in_parallel(share, partial(self._take, hub))
        if count := self._metrics.orphans_taken - before:
            _log.info(
                "took the rooms of a hub that is gone", rooms=count, left_to_others=len(orphans) - len(share)
            )

    async def _choose(self, orphans: Sequence[str]) -> list[str]:
        """The orphans that fall to this hub."""
        share: list[str] = []

        async def choose(room: str) -> None:
            try:
                rank = await self._homes.rank(room, partial(self._store.snapshot, room))
            except StoreDamaged:
                self._refuse_damaged(room)
                return
            if rank[:1] == [self._incarnation]:
                share.append(room)

        await self._in_parallel(orphans, choose)
        return share

    async def _sort(self, share: Sequence[str]) -> list[str]:
        """Those whose window ends first, as far as their snapshots tell, come first."""
        ends: dict[str, int] = {}

        async def look_up(room: str) -> None:
            try:
                stored = await self._store.read_head(room)
            except StoreDamaged:  # noticed again when it is taken
                stored = None
            ends[room] = NEVER if stored is None else self._find_end(*stored)

        await self._in_parallel(share, look_up)
        return sorted(share, key=ends.__getitem__)

    def _find_end(self, snapshot: bytes, zero: int) -> int:
        """When the room's next window ends, on the live clock of its last owner."""
        try:
            return next_end(read(snapshot, self._games)) - zero
        except OtherVersion:
            return NEVER

    def _refuse_damaged(self, room: str) -> None:
        """Leaves one room alone that is damaged in the store; the others go on."""
        if room not in self._refused:
            self._refused.add(room)
            _log.warning("an orphan was not taken", room=room, reason=StoreDamaged.__name__)

    async def _take(self, hub: str | None, room: str) -> None:
        """Takes a room that is listed under a lapsed hub, if any, unless that cannot be.

        Raises StoreUnavailable, Unavailable.
        """
        if self._rooms.is_awake(room):
            self._uncertain.discard(room)
            return
        try:
            await self._rooms.find(room, take_free=True, is_asked=False)
        except RulesElsewhere:  # left to a hub that has them or, a minute later, to whoever comes
            self._refused.add(room)
            self._uncertain.discard(room)
        except Unavailable:  # this hub is full or drains, or the store is away: the next room fares no better
            self._uncertain.add(room)
            raise
        except Elsewhere:  # another hub was quicker
            self._uncertain.discard(room)
        except RoomsError as error:
            self._refused.add(room)
            self._uncertain.discard(room)
            _log.info("an orphan was not taken", room=room, reason=type(error).__name__)
        except Exception:  # noqa: BLE001 - logged by the task that loads it; the other rooms do not wait for it
            self._refused.add(room)
            self._uncertain.discard(room)
        else:
            self._uncertain.discard(room)
            self._metrics.orphans_taken += 1
            if hub is not None:
                await self._store.unlist(hub, room)  # a released room stays listed under whoever left

    async def _in_parallel(
        self, rooms: Iterable[str], work: Callable[[str], Coroutine[Any, Any, None]]
    ) -> None:
        """Does this for each room, several at a time; raises the first error, and then begins no more."""
        waiting = deque(rooms)

        async def work_on() -> None:
            try:
                while waiting:
                    await work(waiting.popleft())
                    await asyncio.sleep(0)  # the tables that are played here have their turn
            except BaseException:
                waiting.clear()
                raise

        results = await asyncio.gather(*(work_on() for _ in range(AT_ONCE)), return_exceptions=True)
        for error in results:
            if error is not None:
                raise error
