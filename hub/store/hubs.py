"""The hubs that share the store: their heartbeats, their URLs, and the rooms listed under each.

A hub's heartbeat decides whether others may take its rooms. Its registration only tells them that there may
be rooms to take, and who is there to do it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct

from hub.store.client import DAY_MS, StoreClient
from hub.store.fitness import text
from hub.store.lease import LEASE_MS, Confirmation
from hub.store.scripts import load_script

CLOCK_KEPT_MS: Final = 7 * DAY_MS
FORGET_MS: Final = 60_000
"""This long after a hub has lapsed or left, its rooms wait for their people, as a table does that nobody has
been connected to for so long (R6), and its rules count no more (R34)."""


class HubIdentity(NamedTuple):
    """One run of a hub: a random name, and the URL at which other hubs reach it (hub/net/links/)."""

    incarnation: str
    url: str


class HubDescription(Struct, frozen=True):
    """What a hub says of itself to the others."""

    cores: int
    """The processor cores that it may use; 0 while it takes no rooms."""
    games: Mapping[str, int] = {}
    """The games that it carries, with the versions of their rules."""
    schema: int = 0
    """The version of the format in which it stores rooms."""
    version: str = ""
    """The version of Parley."""
    label: str = ""
    """Its name in the addresses of sockets."""
    clock_ms: int = 0
    """The time of day on its machine when it said so, in milliseconds since 1970."""


class Fleet(NamedTuple):
    """The hubs on the store."""

    was_registered: bool
    """Whether this hub had registered in time, so that it has seen the others do so, too."""
    living: Mapping[str, HubDescription]
    lapsed: Sequence[str]
    """The hubs that have left, or not registered for as long as a lease, within the last minute."""


class RegisteredHub(NamedTuple):
    """A living hub that has registered in time."""

    identity: HubIdentity
    description: HubDescription
    clock_ahead_ms: int | None
    """How far its clock is ahead of the store's; None if it does not say what time it has."""

    @property
    def label(self) -> str:
        return self.description.label or self.identity.incarnation


class HubStore(StoreClient):
    """The data a hub stores about itself and reads about others."""

    async def beat(self, hub: HubIdentity, live: int) -> Confirmation:
        """Stores a heartbeat with the hub's live clock, kept for a week. The hub is then alive for 3 seconds.

        It was not alive when the heartbeat arrived if that was late, or the first. With
        PARLEY_ACK=replica:<k>, replicas confirm a heartbeat like a commit: no failover may set back the table
        time that is shown because of it.
        """
        name = hub.incarnation
        keys = [
            self.keys.hub(name),
            self.keys.alive(name),
            self.keys.hub_rooms(name),
            self.keys.claims(name),
            self.keys.handovers(name),
        ]
        async with self._errors():
            answer = await self._run(BEAT, keys, [live, hub.url, CLOCK_KEPT_MS, LEASE_MS], self._beats)
        was_alive, *lists = answer
        tokens, rooms = (frozenset(map(text, members)) for members in lists)
        return Confirmation(was_alive == 1, tokens, rooms)

    async def depart(self, hub: HubIdentity) -> None:
        """Marks this hub as gone: others may take its rooms at once."""
        async with self._errors():
            await self._client.unlink(self.keys.alive(hub.incarnation))
        await self.unregister(hub.incarnation)

    async def register(self, incarnation: str, description: HubDescription) -> Fleet:
        """Registers this hub, to be repeated every second."""
        return await self._register(incarnation, msgspec.json.encode(description))

    async def unregister(self, incarnation: str) -> Fleet:
        """Lets the other hubs know at once that this one is leaving, if it was registered.

        May be repeated, for who is there now.
        """
        return await self._register(incarnation, b"")

    async def _register(self, incarnation: str, description: bytes) -> Fleet:
        async with self._errors():  # does not wait for a replica: nothing that was decided depends on it
            answer = await self._client.eval(
                REGISTER, 2, *self.keys.fleet(), incarnation, description, LEASE_MS, FORGET_MS
            )
        was_registered, living, lapsed = answer
        pairs = zip(living[::2], living[1::2], strict=True)
        return Fleet(
            was_registered == 1,
            {text(name): _read_description(said) for name, said in pairs},
            [text(name) for name in lapsed],
        )

    async def list_descriptions(self) -> Mapping[str, HubDescription]:
        """What hubs say of themselves that were there within the last minute."""
        async with self._errors():  # few: a hub that is gone stays for a minute
            said: Any = await self._client.hgetall(self.keys.fleet()[1])
        return {text(name): _read_description(description) for name, description in said.items()}

    async def is_registered(self, incarnation: str) -> bool:
        """Whether the hub takes part in the fleet: it has registered in time, and does not leave."""
        async with self._errors():
            at_ms = await self._client.zscore(self.keys.fleet()[0], incarnation)
        return at_ms is not None and at_ms > await self.read_clock() * 1000 - LEASE_MS

    async def list_registered(self) -> list[RegisteredHub]:
        """The hubs that take part in the fleet now, for somebody who does not."""
        async with self._errors():
            answer = await self._client.eval(FLEET, 2, *self.keys.fleet(), LEASE_MS)
        hubs = []
        for name, at_ms, said in zip(answer[::3], answer[1::3], answer[2::3], strict=True):
            hub = await self.find_hub(text(name))
            if hub is not None:
                description = _read_description(said)
                ahead_ms = description.clock_ms - int(at_ms) if description.clock_ms else None
                hubs.append(RegisteredHub(hub, description, ahead_ms))
        return hubs

    async def read_clock(self) -> float:
        """The time of day on the machine where hubs are registered, in seconds since 1970."""
        async with self._errors():
            seconds, microseconds = await self._client.eval(CLOCK, 1, self.keys.fleet()[0])
        return float(seconds) + float(microseconds) / 1e6

    async def is_alive(self, incarnation: str) -> bool:
        """Whether the hub's lease has not run out, so that nobody may take its rooms."""
        async with self._errors():
            return bool(await self._client.exists(self.keys.alive(incarnation)))

    async def find_hub(self, incarnation: str) -> HubIdentity | None:
        """A hub with its URL; None if it is not alive."""
        async with self._errors():
            url = await self._client.get(self.keys.alive(incarnation))
        return None if url is None else HubIdentity(incarnation, text(url))

    async def hubs(self) -> list[HubIdentity]:
        """The hubs that are alive."""
        start, end = self.keys.alive("").split("}")
        hubs: list[HubIdentity] = []
        for key in sorted({key async for key in self.scan_keys(f"{start}*}}{end}")}):
            hub = await self.find_hub(key[len(start) : -len(end) - 1])
            if hub is not None:
                hubs.append(hub)
        return hubs

    async def rooms_of(self, incarnation: str) -> list[str]:
        """The rooms listed under a hub: all those it owns, and perhaps others."""
        return sorted(map(text, await self.read_all("SSCAN", self.keys.hub_rooms(incarnation))))

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
REGISTER: Final = load_script("register")
FLEET: Final = load_script("fleet")
CLOCK: Final = load_script("clock")


def _read_description(said: bytes) -> HubDescription:
    """What a hub of any version said of itself; one that cannot be understood takes no rooms."""
    try:
        return msgspec.json.decode(said, type=HubDescription)
    except msgspec.MsgspecError:
        return HubDescription(0)
