"""What a hub does from time to time so that the store keeps what it holds about rooms in use."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final

import structlog

from hub.clock import Clock
from hub.runtime.actor import Actor
from hub.runtime.lobby import LobbyWriter
from hub.store.store import LISTED_MS, RENEWED_MS, Store, StoreUnavailable

RETRY_SECONDS: Final = 60.0
REFRESH_SECONDS: Final = LISTED_MS / 1000 / 3
"""How often the lobby is told that somebody is still at a table."""

_log = structlog.get_logger("upkeep")


class Upkeep:
    """Renews the expiry of the rooms that are awake on this hub, and of their lines in the lobby."""

    def __init__(
        self,
        store: Store,
        lobby: LobbyWriter,
        clock: Clock,
        list_actors: Callable[[], Collection[Actor]],
    ) -> None:
        self._store = store
        self._lobby = lobby
        self._clock = clock
        self._list_actors = list_actors

    async def keep_rooms(self) -> None:
        """Renews each room twice a day, forever: half as long as the shortest expiry."""
        while True:
            await self._clock.sleep(RENEWED_MS / 1000)
            waiting = [*self._list_actors()]
            while waiting := [actor for actor in waiting if not await self._renew(actor)]:
                _log.warning("rooms were not renewed", rooms=len(waiting))
                await self._clock.sleep(RETRY_SECONDS)

    async def keep_lobby(self) -> None:
        """Refreshes the lines of the tables where somebody is connected, forever."""
        while True:
            await self._clock.sleep(REFRESH_SECONDS)
            for actor in [*self._list_actors()]:
                if actor.is_occupied and not actor.stopped:
                    await self._lobby.refresh(actor)

    async def _renew(self, actor: Actor) -> bool:
        """Renews one room; returns False if that must be tried again."""
        if not actor.stopped:
            try:
                await self._store.renew(actor.token, actor.room.table.room, actor.room.table.code)
            except StoreUnavailable:
                return False
        return True
