"""The hubs that share the store: their heartbeats, their URLs, and the rooms listed under each."""

from __future__ import annotations

import asyncio
from typing import Any, Final, NamedTuple

from hub.store.client import DAY_MS, PAGE, StoreClient
from hub.store.fitness import text
from hub.store.lease import LEASE_MS, Confirmation
from hub.store.scripts import load_script

CLOCK_KEPT_MS: Final = 7 * DAY_MS


class HubIdentity(NamedTuple):
    """One run of a hub: a random name, and the URL at which other hubs reach it (hub/net/links/)."""

    incarnation: str
    url: str


class HubStore(StoreClient):
    """The data a hub stores about itself and reads about others."""

    async def beat(self, hub: HubIdentity, live: int) -> Confirmation:
        """Stores a heartbeat with the hub's live clock, kept for a week. The hub is then alive for 3 seconds.

        It was not alive when the heartbeat arrived if that was late, or the first.
        """
        name = hub.incarnation
        keys = [
            self.keys.hub(name),
            self.keys.alive(name),
            self.keys.hub_rooms(name),
            self.keys.claims(name),
        ]
        async with self._errors():
            answer = await self._run(BEAT, keys, [live, hub.url, CLOCK_KEPT_MS, LEASE_MS], self._beats)
        return Confirmation(answer[0] == 1, frozenset(map(text, answer[1])))

    async def depart(self, hub: HubIdentity) -> None:
        """Marks this hub as gone: others may take its rooms at once."""
        async with self._errors():
            await self._client.unlink(self.keys.alive(hub.incarnation))

    async def hubs(self) -> list[HubIdentity]:
        """The hubs that are alive."""
        start, end = self.keys.alive("").split("}")
        hubs: list[HubIdentity] = []
        async with self._errors():
            async for key in self._client.scan_iter(f"{start}*}}{end}", count=PAGE):
                url = await self._client.get(key)
                if url is not None:
                    hubs.append(HubIdentity(text(key)[len(start) : -len(end) - 1], text(url)))
        return hubs

    async def rooms_of(self, incarnation: str) -> list[str]:
        """The rooms listed under a hub: all those it owns, and perhaps others."""
        async with self._errors():
            rooms: Any = await self._client.smembers(self.keys.hub_rooms(incarnation))
        return sorted(map(text, rooms))

    async def unlist(self, incarnation: str, room: str) -> None:
        """Removes a room from a hub's list."""
        async with self._errors():
            await self._client.srem(self.keys.hub_rooms(incarnation), room)

    async def _list(self, incarnation: str, room: str) -> None:
        rooms = self.keys.hub_rooms(incarnation)
        await asyncio.gather(  # the second for a new list, unless the hub beats again
            self._client.sadd(rooms, room), self._client.pexpire(rooms, CLOCK_KEPT_MS)
        )


BEAT: Final = load_script("beat")
