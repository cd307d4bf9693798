"""Moves rooms to the hubs where they belong once a hub has joined: one at a time, between two commands (R33).

The hub that runs a room releases it, notes it for its heir, and tells the room's people to come back.
Whichever hub they reach leaves the room to the heir, who takes it for them, or with its next heartbeat if
nobody comes. What is lost on the way stays listed under one of the two, which looks for it now and then.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from typing import Final

import structlog

from hub.clock import Clock
from hub.runtime.homes import REGISTER_SECONDS, Homes
from hub.runtime.placement import RoomsError, RulesElsewhere, Unavailable
from hub.runtime.registry import HubRooms
from hub.store.client import StoreUnavailable
from hub.store.hubs import HubIdentity
from hub.store.store import Store
from hub.telemetry.tasks import Tasks

PAUSE_SECONDS: Final = 0.1
"""The time from one room to the next, so that their people do not all come back at once."""
LOOK_SECONDS: Final = 10.0
"""How often a hub looks for running rooms that are listed under it and that nobody runs."""

_log = structlog.get_logger("parley.balance")


async def reach_everybody(_hub: HubIdentity) -> bool:
    """Takes every hub to be reachable."""
    return True


class Balance:
    """Gives rooms of this hub to others, and takes what others give to it.

    `reach` says whether a link to another hub can be opened: most people could not play in the rooms of one
    that cannot be reached.
    """

    def __init__(
        self,
        rooms: HubRooms,
        homes: Homes,
        store: Store,
        incarnation: str,
        tasks: Tasks,
        clock: Clock,
    ) -> None:
        self._rooms = rooms
        self._homes = homes
        self._store = store
        self._incarnation = incarnation
        self._tasks = tasks
        self._clock = clock
        self.reach: Callable[[HubIdentity], Awaitable[bool]] = reach_everybody
        self._taking: set[str] = set()
        self._refused: set[str] = set()
        """Rooms listed under this hub that it cannot run."""

    async def keep(self) -> None:
        """Gives rooms away whenever the other hubs have changed, and looks for lost ones, forever."""
        balanced_for = None
        next_look = self._clock.time() + LOOK_SECONDS
        while True:
            await self._clock.sleep(REGISTER_SECONDS)
            with suppress(StoreUnavailable):  # tried again a second later
                if self._clock.time() >= next_look:
                    next_look = self._clock.time() + LOOK_SECONDS
                    await self.take_asleep()
                hubs = self._homes.steady
                if hubs != balanced_for:
                    await self.give_misplaced()
                    balanced_for = hubs

    async def give_misplaced(self) -> None:
        """Gives away the rooms that belong to other hubs. Raises StoreUnavailable."""
        reached: dict[str, bool] = {}
        given = 0
        for room in self._rooms.list_by_presence():
            await asyncio.sleep(0)  # the tables that are played here have their turn
            heir = self._rooms.find_heir(room)
            if heir is None:
                continue
            if heir not in reached:
                hub = await self._store.find_hub(heir)
                reached[heir] = hub is not None and await self.reach(hub)
            if reached[heir] and self._rooms.find_heir(room) == heir and await self._rooms.give(room, heir):
                given += 1
                await self._clock.sleep(PAUSE_SECONDS)
        if given:
            _log.info("handed rooms over to hubs that have joined", rooms=given)

    async def take_asleep(self) -> None:
        """Begins to take the running rooms that are listed here and that nobody runs.

        Raises StoreUnavailable.
        """
        if self._rooms.can_take_orphans():
            asleep = await self._rooms.list_asleep()
            self._refused.intersection_update(asleep)
            self.take(room for room in asleep if room not in self._refused)

    def take(self, rooms: Iterable[str]) -> None:
        """Begins to take rooms that other hubs have given to this one."""
        for room in rooms:
            if room not in self._taking:
                self._taking.add(room)
                self._tasks.start("take over", self._take(room))

    async def _take(self, room: str) -> None:
        try:
            await self._rooms.find(room, take_free=True, is_asked=False)
        except RulesElsewhere:
            self._refused.add(room)
        except Unavailable:  # the next heartbeat brings it again
            return
        except RoomsError as error:
            self._refused.add(room)
            _log.info("a room was not taken over", room=room, reason=type(error).__name__)
        except Exception:  # noqa: BLE001 - logged by the task that loads it
            self._refused.add(room)
        finally:
            self._taking.discard(room)
        with suppress(StoreUnavailable):
            await self._store.end_handover(room, self._incarnation)
