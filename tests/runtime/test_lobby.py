"""A room's summary is written soon after a change, once for all changes until then."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any, Final, cast

import msgspec
import pytest
import pytest_asyncio
from msgspec import Struct
from msgspec.structs import replace

from games.almost.rules.game import ALMOST
from hub.runtime.lobby import (
    SLOW_SUMMARY_SECONDS,
    SUMMARY_SECONDS,
    LobbyWriter,
    Summary,
    read_summaries,
    summarize,
    unpack_summary,
)
from hub.runtime.overload import Level, Overload
from hub.store.client import StoreUnavailable
from hub.table.room import Room, Table
from hub.telemetry.tasks import Tasks
from tests.harness.manual_clock import ManualClock
from tests.secrecy.pair import ROOM, new_table

pytestmark = pytest.mark.asyncio

NEW: Final = new_table(cast(Any, ALMOST), 3, {})


class Listed(Struct):
    """An actor as the lobby sees it."""

    room: Room
    token: str = "3:hub:x"
    sequence: int = 7
    watchers: int = 2

    @property
    def shown_table(self) -> Table:
        return self.room.table


class World:
    """A lobby whose store is a list of what was written."""

    def __init__(self, tasks: Tasks) -> None:
        self.clock = ManualClock()
        self.away = False
        self.written: list[tuple[str, int, int, Summary | None]] = []
        self.overload = Overload()
        self.lobby = LobbyWriter(cast(Any, self), self.clock, tasks, self.overload)
        self.listed = Listed(NEW)

    async def put_summary(self, room: str, epoch: int, seq: int, summary: bytes) -> None:
        if self.away:
            raise StoreUnavailable("away")
        self.written.append((room, epoch, seq, unpack_summary(summary) if summary else None))

    def change(self, **table: Any) -> bool:
        room = self.listed.room
        self.listed.room = replace(room, table=replace(room.table, **table))
        return self.lobby.update(self.listed)

    async def pass_time(self) -> None:
        self.clock.advance(SUMMARY_SECONDS)
        await asyncio.sleep(0)  # let the writing task run


@pytest_asyncio.fixture
async def world() -> AsyncIterator[World]:
    async with Tasks() as tasks:
        yield World(tasks)
        assert tasks.failures == 0


async def test_successive_changes_are_written_once(world: World) -> None:
    """The summary shows the room's state at the time of writing."""
    assert world.change(locked=True)
    assert not world.change(locked=False)
    assert not world.change(watching=False)
    assert world.written == []
    await world.pass_time()
    assert world.written == [(ROOM, 3, 7, summarize(world.listed.room.table, 2))]
    assert world.change(watching=True), "the next change is to be written again"
    await world.pass_time()
    assert [summary.watching for *_, summary in world.written if summary] == [False, True]


async def test_changes_are_written_later_under_overload(world: World) -> None:
    """G8.20: and together with those of the meantime."""
    world.overload.level = Level.SLOW_LOBBY
    world.change(locked=True)
    await world.pass_time()
    assert world.written == []
    world.change(locked=False)
    world.clock.advance(SLOW_SUMMARY_SECONDS - SUMMARY_SECONDS)
    await asyncio.sleep(0)
    assert [summary.locked for *_, summary in world.written if summary] == [False]
    world.overload.level = Level.THIN_WATCHERS
    world.change(locked=True)
    await world.pass_time()
    assert [summary.locked for *_, summary in world.written if summary] == [False, True]


@pytest.mark.parametrize("table", [{"open": False}, {"status": "finished"}])
async def test_unlisted_tables_are_removed_from_the_lobby(world: World, table: dict[str, Any]) -> None:
    world.change(**table)
    await world.pass_time()
    assert [summary for *_, summary in world.written] == [None]


async def test_an_unreachable_store(world: World) -> None:
    """A write that fails is repeated until it succeeds, with the room's state at that time."""
    world.away = True
    world.change(locked=True)
    await world.pass_time()
    for _ in range(5):
        await world.clock.wake()
        await asyncio.sleep(0)
    assert world.clock.slept == sorted(world.clock.slept), "it waits longer each time"
    world.change(locked=False)
    await world.pass_time()
    world.away = False
    await world.clock.wake()
    await asyncio.sleep(0)
    states = [summary.locked for *_, summary in world.written if summary]
    assert states == [False, False]


async def test_a_closed_lobby_stops_repeating(world: World) -> None:
    """R8: a room's next owner writes its summary."""
    world.away = True
    world.change(locked=True)
    await world.pass_time()
    world.lobby.close()
    world.away = False
    await world.clock.wake()
    await asyncio.sleep(0)
    assert world.written == []


async def test_a_closed_lobby_writes_nothing(world: World) -> None:
    """R8: a room's next owner writes its summary."""
    world.change(locked=True)
    world.lobby.close()
    await world.pass_time()
    assert world.written == []


async def test_summaries_of_another_version_are_left_out(world: World) -> None:
    summary = summarize(world.listed.room.table, 2)
    packed = msgspec.msgpack.encode(summary)
    assert list(read_summaries([packed, msgspec.msgpack.encode({"room": ROOM}), b"\xc1"])) == [summary]
