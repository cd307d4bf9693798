"""A hub's periodic work on the store, so that rooms in use do not expire there."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

import structlog

from hub.clock import Clock
from hub.runtime.actor import Actor
from hub.runtime.lobby import LobbyWriter
from hub.runtime.ports import SummarySource
from hub.runtime.store_calls import repeat
from hub.store.client import StoreUnavailable
from hub.store.lobby import LISTED_MS
from hub.store.store import RENEWED_MS, Store

RETRY_SECONDS: Final = 60.0
REFRESH_SECONDS: Final = LISTED_MS / 1000 / 3
"""How often the lobby's line of a table in use is refreshed."""

_log = structlog.get_logger("upkeep")


class Upkeep:
    """Renews the expiry of the rooms that are awake on this hub, and of their lines in the lobby."""

    def __init__(self, store: Store, lobby: LobbyWriter, clock: Clock, actors: Mapping[str, Actor]) -> None:
        self._store = store
        self._lobby = lobby
        self._clock = clock
        self._actors = actors

    async def keep_rooms(self) -> None:
        """Renews each room twice a day, forever; the shortest expiry is one day."""
        while True:
            await self._clock.sleep(RENEWED_MS / 1000)
            waiting = [*self._actors.values()]
            while waiting := [actor for actor in waiting if not await self._renew(actor)]:
                _log.warning("rooms were not renewed", rooms=len(waiting))
                await self._clock.sleep(RETRY_SECONDS)

    async def keep_lobby(self) -> None:
        """Refreshes the lines of the tables where somebody is connected, forever."""
        while True:
            await self._clock.sleep(REFRESH_SECONDS)
            for actor in [*self._actors.values()]:
                if actor.is_occupied and not actor.stopped:
                    await self._lobby.refresh(actor)

    async def renew(self, source: SummarySource) -> None:
        """Renews a room whose game has begun; its expiry is later from then on."""
        table = source.room.table
        await repeat("renew", partial(self._store.renew, source.token, table.room, table.code), self._clock)

    async def _renew(self, actor: Actor) -> bool:
        """Renews one room; returns False if that must be tried again."""
        if actor.stopped:
            return True
        try:
            renewed = await self._store.renew(actor.token, actor.room.table.room, actor.room.table.code)
        except StoreUnavailable:
            return False
        if not renewed:  # the room was taken, and no heartbeat has said so
            actor.verify_ownership()
        return True
