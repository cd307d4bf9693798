"""Rooms that are awake on a hub are renewed twice a day, and listed while somebody is connected."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, cast

import pytest
import pytest_asyncio
from msgspec import Struct
from msgspec.structs import replace

from games.almost.rules.game import ALMOST
from hub.runtime.lobby import LobbyWriter
from hub.runtime.overload import Overload
from hub.runtime.upkeep import REFRESH_SECONDS, RETRY_SECONDS, Upkeep
from hub.store.client import StoreUnavailable
from hub.store.store import RENEWED_MS
from hub.table.room import Room, Table
from hub.telemetry.tasks import Tasks
from tests.harness.manual_clock import ManualClock
from tests.secrecy.pair import CODE, ROOM, new_table

pytestmark = pytest.mark.asyncio


class Awake(Struct):
    """The parts of an actor that the upkeep uses."""

    room: Room
    token: str
    stopped: bool = False
    is_occupied: bool = True
    sequence: int = 7
    watchers: int = 0
    verified: int = 0

    @property
    def shown_table(self) -> Table:
        return self.room.table

    def verify_ownership(self) -> None:
        self.verified += 1


class World:
    """Upkeep with a store that only lists the rooms renewed."""

    def __init__(self, tasks: Tasks) -> None:
        self.clock = ManualClock()
        self.away = False
        self.owned = True
        self.renewed: list[tuple[str, str, str]] = []
        self.actor = Awake(new_table(cast(Any, ALMOST), 3, {}), "3:hub:x")
        self.written: list[tuple[str, int, int, bool]] = []
        lobby = LobbyWriter(cast(Any, self), self.clock, tasks, Overload())
        self.upkeep = Upkeep(cast(Any, self), lobby, self.clock, cast(Any, {ROOM: self.actor}))

    async def renew(self, token: str, room: str, code: str) -> bool:
        if self.away:
            raise StoreUnavailable("away")
        self.renewed.append((token, room, code))
        return self.owned

    async def put_summary(self, room: str, epoch: int, seq: int, summary: bytes) -> None:
        self.written.append((room, epoch, seq, bool(summary)))

    def change(self, **table: Any) -> None:
        room = self.actor.room
        self.actor.room = replace(room, table=replace(room.table, **table))

    async def pass_time(self, seconds: float) -> None:
        await self.clock.asleep()
        self.clock.advance(seconds)
        await self.clock.asleep()


@pytest_asyncio.fixture
async def tasks() -> AsyncIterator[Tasks]:
    async with Tasks() as tasks:
        yield tasks
        assert tasks.failures == 0


async def test_awake_rooms_are_renewed_twice_a_day(tasks: Tasks) -> None:
    world = World(tasks)
    tasks.start("upkeep", world.upkeep.keep_rooms())
    for days in (1, 2, 3):
        await world.pass_time(RENEWED_MS / 1000)
        assert world.renewed == [("3:hub:x", ROOM, CODE)] * days


async def test_a_room_is_renewed_once_the_store_is_back(tasks: Tasks) -> None:
    world = World(tasks)
    tasks.start("upkeep", world.upkeep.keep_rooms())
    world.away = True
    await world.pass_time(RENEWED_MS / 1000)
    world.away = False
    await world.pass_time(RETRY_SECONDS)
    assert len(world.renewed) == 1


async def test_a_room_that_cannot_be_renewed_is_verified(tasks: Tasks) -> None:
    world = World(tasks)
    tasks.start("upkeep", world.upkeep.keep_rooms())
    await world.pass_time(RENEWED_MS / 1000)
    assert world.actor.verified == 0
    world.owned = False
    await world.pass_time(RENEWED_MS / 1000)
    assert (len(world.renewed), world.actor.verified) == (2, 1)


async def test_a_room_that_was_given_up_is_left_alone(tasks: Tasks) -> None:
    world = World(tasks)
    tasks.start("upkeep", world.upkeep.keep_rooms())
    tasks.start("lobby", world.upkeep.keep_lobby())
    world.actor.stopped = True
    await world.pass_time(RENEWED_MS / 1000)
    assert (world.renewed, world.written) == ([], [])


async def test_a_table_is_listed_while_somebody_is_connected(tasks: Tasks) -> None:
    """R12: its line would otherwise end an hour after the last change."""
    world = World(tasks)
    tasks.start("lobby", world.upkeep.keep_lobby())
    world.change(open=True)
    await world.pass_time(REFRESH_SECONDS)
    assert world.written == [(ROOM, 3, 7, True)]
    world.actor.is_occupied = False
    await world.pass_time(REFRESH_SECONDS)
    world.actor.is_occupied = True
    world.change(open=False)
    await world.pass_time(REFRESH_SECONDS)
    world.change(open=True, status="finished")
    await world.pass_time(REFRESH_SECONDS)
    assert len(world.written) == 1
