"""Hubs that share a store and register there when the test says so."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from games import GAMES
from hub.runtime.balance import Balance
from hub.runtime.homes import STEADY
from hub.runtime.orphans import Orphans
from hub.runtime.placement import Placed
from tests.harness.small_hub import SmallHub, person

Start: TypeAlias = Callable[..., Awaitable[SmallHub]]
"""Starts a hub with this name, and perhaps games of its own, on the store and the clock that all share."""
RULES: Any = {key: registration.game for key, registration in GAMES.items()}


class FleetMember:
    """The registration of one hub, done when the test says so."""

    def __init__(self, hub: SmallHub, cores: int = 1, games: Any = RULES) -> None:
        self.hub = hub
        hub.rooms._homes.cores = cores
        self.orphans = Orphans(
            hub.rooms,
            hub.store,
            hub.identity.incarnation,
            games,
            hub.tasks,
            hub.clock,
            hub.metrics,
            hub.rooms._homes,
        )
        self.balance = Balance(
            hub.rooms,
            hub.rooms._homes,
            hub.store,
            hub.identity.incarnation,
            hub.tasks,
            hub.clock,
        )
        hub.lease.handed_over = self.balance.take

    async def register(self) -> None:
        """Register once, and wait until the rooms that this has found are taken."""
        await self.hub.task(self.orphans.register())
        if self.orphans._taking is not None:
            await self.orphans._taking

    async def settle(self) -> None:
        """Register until the hub takes rooms, and the others know."""
        for _ in range(STEADY + 2):
            await self.register()

    @property
    def taken(self) -> int:
        return self.hub.metrics.orphans_taken


async def begin_table(hub: SmallHub, **options: Any) -> str:
    """A game that has begun; nobody is connected."""
    placed = await hub.task(
        hub.rooms.create(
            person(0), "almost", 3, {"discussion": "none", **options}, open=False, play_now=True, bots=None
        )
    )
    assert isinstance(placed, Placed)
    return placed.room


async def drain(hub: SmallHub) -> None:
    """Have the hub drain, and let the time pass for which it waits."""
    draining = hub.task(hub.rooms.drain())
    while not draining.done():
        await hub.settle()
        if hub.clock._sleeping:
            hub.clock.move(10)
            hub.clock.fire()
    draining.result()


async def forget(name: str, other: SmallHub) -> None:
    """The hub with this name was last there more than a minute ago."""
    registered, descriptions = other.store.keys.fleet()
    await other.store._client.zrem(registered, name)
    await other.store._client.hdel(descriptions, name)


async def die(hub: SmallHub, other: SmallHub) -> None:
    """The hub, which was registered, is dead and its lease is over, as after three seconds."""
    await FleetMember(hub).register()
    hub.die()
    await other.store.depart(hub.identity)
