"""The next table of a finished one: who it counts against, who hosts it, and what a refusal leaves behind."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
import pytest_asyncio
from msgspec.structs import replace

from games import GAMES
from games.almost.rules.game import ALMOST
from hub.runtime import rematches
from hub.runtime.placement import NextTable, RefusedPlace, RematchWish, TooManyTables, Unavailable
from hub.table.room import SeatState
from hub.telemetry.tasks import Tasks
from hub.wire.limits import Opener
from tests.harness.defaults import make_room_limits
from tests.runtime.test_registry import Hub
from tests.secrecy.pair import CODE, ROOM, new_table

pytestmark = pytest.mark.asyncio

RULES: Any = ALMOST


class Ending(Hub):
    """A hub with a finished table, and people who press."""

    async def end(self) -> None:
        """A finished table: person 0 is its host, person 1 a guest, and the last seat is a bot's."""
        room = new_table(RULES, 3, {})
        seats = (
            *(SeatState(person=self.person(seat).id, name=f"P{seat}", seat_generation=1) for seat in (0, 1)),
            SeatState(bot="normal", ready=True),
        )
        table = replace(room.table, seats=seats, host=self.person(0).id, status="finished")
        await self.put(replace(room, table=table))

    async def press(self, number: int, **wish: Any) -> NextTable | RefusedPlace:
        self.charged = 0
        answer = self.rooms.play_again(ROOM, self.person(number), RematchWish(**wish), None, self.charge)
        return await self.finish(answer)

    def charge(self) -> None:
        self.charged += 1


@pytest_asyncio.fixture
async def hub() -> AsyncIterator[Ending]:
    async with Tasks() as tasks:
        hub = Ending(GAMES, tasks)
        await hub.end()
        yield hub
        assert tasks.failures == 0


async def test_the_first_press_is_charged_and_opens_the_room(hub: Ending) -> None:
    """R17, G8.13: the room counts against the person who pressed first, and only once."""
    first = await hub.press(1)
    assert isinstance(first, NextTable)
    assert hub.charged == 1
    assert hub.rooms._actors[first.room].opener.person == hub.person(1).id
    assert await hub.press(0) == first
    assert hub.charged == 0
    assert hub.rooms._limits._rooms == 2


async def test_somebody_present_hosts(hub: Ending) -> None:
    """R17: the host is not connected, so whoever pressed first follows."""
    first = await hub.press(1)
    assert isinstance(first, NextTable)
    assert hub.table(first.room).host == hub.person(1).id


async def test_a_limit_leaves_nothing_decided(hub: Ending) -> None:
    """R17, G8.13: somebody else may press."""
    hub.rooms._limits = hub.rooms._rematches._limits = make_room_limits(hub.metrics.limited, per_person=1)
    hub.rooms._limits.take(Opener(None, hub.person(1).id))
    with pytest.raises(TooManyTables):
        await hub.press(1)
    assert hub.table(ROOM).rematch is None
    assert isinstance(await hub.press(0), NextTable)


async def test_the_code_may_be_in_use(hub: Ending, monkeypatch: pytest.MonkeyPatch) -> None:
    """R17: the finished table then names the code that the next one has."""
    codes: Iterator[str] = iter([CODE, CODE, "GHJKLMNP"])
    monkeypatch.setattr(rematches, "room_code", lambda entropy, *, open: next(codes))
    first = await hub.press(0)
    assert isinstance(first, NextTable)
    assert first.code == "GHJKLMNP" == hub.table(ROOM).rematch.code == hub.table(first.room).code
    assert hub.store.heads[first.room].code == "GHJKLMNP"


async def test_a_store_that_is_away_is_asked_again(hub: Ending) -> None:
    """R17, G6.1: the press is committed, so the next one creates the same room."""
    create = hub.store.create

    async def fail(*args: Any) -> bool:
        hub.store.create = create  # type: ignore[method-assign]
        hub.store.away = True
        return await create(*args)

    hub.store.create = fail  # type: ignore[assignment]
    with pytest.raises(Unavailable):
        await hub.press(0)
    hub.store.away = False
    chosen = hub.table(ROOM).rematch
    assert chosen.room not in hub.store.heads
    assert hub.rooms._limits._rooms == 1
    assert await hub.press(1, game="shares") == NextTable(chosen.room, chosen.code)
    assert hub.table(chosen.room).game == "almost"
    assert hub.table(chosen.room).previous == ROOM


async def test_another_hub_may_create_it_first(hub: Ending) -> None:
    """R17, G3: a hub that was stopped before the creation finds the room there, and leaves it alone."""
    create = hub.store.create

    async def create_second(room: str, code: str, *args: Any) -> bool:
        hub.store.create = create  # type: ignore[method-assign]
        assert await create(room, code, *args)
        hub.store.heads[room].token = "1:other:x"
        hub.store.others[room] = "http://other"
        return await create(room, code, *args)

    hub.store.create = create_second  # type: ignore[assignment]
    first = await hub.press(0)
    assert isinstance(first, NextTable)
    assert list(hub.rooms._actors) == [ROOM]
    assert hub.rooms._limits._rooms == 1
    assert hub.store.heads[first.room].token == "1:other:x"
    assert await hub.press(1) == first


async def test_a_hub_that_drains_keeps_no_next_table(hub: Ending, monkeypatch: pytest.MonkeyPatch) -> None:
    """R8, R17: it exists, and whichever hub its people reach next runs it."""
    create = hub.store.create

    async def drain_meanwhile(*fields: Any) -> bool:
        created = await create(*fields)
        hub.rooms._draining = True
        return created

    monkeypatch.setattr(hub.store, "create", drain_meanwhile)
    pressing = asyncio.ensure_future(hub.press(0))
    await hub.clock.asleep()
    hub.pump()
    await hub.clock.wake()
    pressed = await pressing
    assert isinstance(pressed, NextTable)
    assert list(hub.rooms._actors) == [ROOM]
    assert [room for room, _ in hub.store.released] == [pressed.room]
