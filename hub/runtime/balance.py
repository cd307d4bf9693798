"""Moves rooms to the hubs where they belong once a hub has come: one at a time, between two commands (R33).

The hub that runs a room releases it, notes it for its heir, and tells the room's people to come back.
Whichever hub they reach leaves the room to the heir, who takes it for them, or with its next heartbeat if
nobody comes.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from typing import Final

import structlog

from hub.clock import Clock
from hub.runtime.homes import REGISTER_SECONDS, Homes
from hub.runtime.placement import RoomsError, Unavailable
from hub.runtime.registry import HubRooms
from hub.store.client import StoreUnavailable
from hub.store.store import Store
from hub.telemetry.metrics import Metrics
from hub.telemetry.tasks import Tasks

PAUSE_SECONDS: Final = 0.1
"""The time from one room to the next, so that their people do not all come back at once."""

_log = structlog.get_logger("parley.balance")


class Balance:
    """Gives rooms of this hub to others, and takes what others give to it."""

    def __init__(
        self,
        rooms: HubRooms,
        homes: Homes,
        store: Store,
        incarnation: str,
        tasks: Tasks,
        clock: Clock,
        metrics: Metrics,
    ) -> None:
        self._rooms = rooms
        self._homes = homes
        self._store = store
        self._incarnation = incarnation
        self._tasks = tasks
        self._clock = clock
        self._metrics = metrics
        self._taking: set[str] = set()

    async def keep(self) -> None:
        """Gives rooms away whenever the other hubs have changed, forever."""
        balanced_for = None
        while True:
            await self._clock.sleep(REGISTER_SECONDS)
            hubs = self._homes.steady
            if hubs != balanced_for:
                await self.give_misplaced()
                balanced_for = hubs

    async def give_misplaced(self) -> None:
        """Gives away the rooms that belong to other hubs."""
        given = 0
        for room in self._rooms.list_misplaced():
            heir = self._rooms.find_heir(room)  # the hubs, or the room, may have changed since
            if heir is not None:
                await self._rooms.give(room, heir)
                given += 1
                await self._clock.sleep(PAUSE_SECONDS)
        self._metrics.rooms_given += given
        if given:
            _log.info("handed rooms over to hubs that have come", rooms=given)

    def take(self, rooms: Collection[str]) -> None:
        """Begins to take rooms that other hubs have given to this one."""
        for room in rooms:
            if room not in self._taking:
                self._taking.add(room)
                self._tasks.start("take over", self._take(room))

    async def _take(self, room: str) -> None:
        try:
            await self._rooms.find(room, take_free=True)
        except Unavailable:  # the next heartbeat brings it again
            return
        except RoomsError as error:
            _log.info("a room was not taken over", room=room, reason=type(error).__name__)
        except Exception:  # noqa: BLE001 - logged by the task that loads it
            pass
        finally:
            self._taking.discard(room)
        with suppress(StoreUnavailable):
            await self._store.end_handover(room, self._incarnation)
