"""An operator removes a person or a table that a hub is running: nothing remains, and nothing comes back."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
import redis.asyncio

from hub.store import people
from hub.store.store import Store
from hub.table.room import unpack_table
from tests.chaos.conftest import Hubs
from tests.chaos.talking_table import TALKING, proposes
from tests.harness.defaults import DEFAULTS
from tests.harness.plain_http import plain_http
from tests.harness.players import Player, Table
from tests.harness.processes import StoreProcess

pytestmark = pytest.mark.asyncio


@pytest_asyncio.fixture
async def opened(store: StoreProcess) -> AsyncIterator[Store]:
    opened = await Store.open(store.url, forget_days=DEFAULTS.forget_days)
    yield opened
    await opened.close()


async def contents(store: StoreProcess) -> bytes:
    """Everything the store holds, except the lobby's and the hubs' own keys."""
    dump = []
    async with redis.asyncio.Redis.from_url(store.url) as raw:
        async for key in raw.scan_iter("parley:*"):
            if not any(part in key for part in (b"{lobby}", b"{hub:", b"{hubs}")):
                dump += [key, repr(await _read(raw, key)).encode()]
    return b"\n".join(dump)


async def _read(raw: redis.asyncio.Redis, key: bytes) -> object:
    match await raw.type(key):
        case b"string":
            return await raw.get(key)
        case b"hash":
            return await raw.hgetall(key)
        case b"stream":
            return await raw.xrange(key)
        case kind:
            assert kind == b"set"
            return await raw.smembers(key)


async def talk(table: Table) -> None:
    """Everybody says and notes something, and makes moves."""
    for seat, player in enumerate(table.players):
        await player.do("say", channel="table", text=f"words of {seat}")
        await player.do("note", text=f"thoughts of {seat}")
        await proposes(player, 1 + seat, 2, 3)
        await player.answered()


async def come_back(player: Player) -> None:
    """Reconnects a player whose lines and messages have since changed or been removed."""
    player.knows.lines.clear()
    player.knows.talk.clear()
    player.knows.remarks.clear()
    await player.resume()


async def person_of(store: Store, table: Table, seat: int) -> str:
    snapshot = await store.snapshot(table.room)
    assert snapshot is not None
    person = unpack_table(snapshot).seats[seat].person
    assert person is not None
    return person


async def test_a_person_is_forgotten_during_a_game(hubs: Hubs, store: StoreProcess, opened: Store) -> None:
    """The game goes on with a bot in their seat, as after any player has left."""
    hub = hubs()
    async with await Table.made(hub.url, options=TALKING) as table:
        await table.start()
        await talk(table)
        person = await person_of(opened, table, 1)
        (part,) = await people.export(opened, person)
        assert (part.room, part.names, part.seats, part.is_host) == (table.room, ["Player B"], [1], False)
        assert [message.text for message in part.messages] == ["words of 1"]
        assert part.notes == {1: "thoughts of 1"}

        before = await contents(store)
        traces = (person.encode(), b"Player B", b"words of 1", b"thoughts of 1")
        assert all(trace in before for trace in traces)
        assert await people.forget_person(opened, person) == 1
        gone = [await player.gone() for player in table.players]
        assert gone == [4001] * 3
        first, forgotten, third = table.players
        assert not await forgotten.open()
        assert forgotten.closed == 4003
        for player in (first, third):
            await come_back(player)
            await player.do("say", channel="table", text=f"more of {player.name}")
        assert first.knows.sections["table"]["seats"][1]["name"] == "Bot B"
        left = await contents(store)
        assert [trace for trace in traces if trace in left] == []
        assert all(f"words of {seat}".encode() in left for seat in (0, 2))
        assert await people.export(opened, person) == []
        assert await people.forget_person(opened, person) == 0


async def test_a_person_who_left_is_forgotten(hubs: Hubs, store: StoreProcess, opened: Store) -> None:
    """Their name in the log and what they said outlive their seat."""
    hub = hubs()
    async with await Table.made(hub.url, options=TALKING) as table:
        host, leaver, _ = table.players
        await leaver.do("say", channel="table", text="words of 1")
        person = await person_of(opened, table, 1)
        await leaver.send("manage", act={"do": "free_seat", "seat": 1})
        assert await leaver.gone() == 4010
        await host.do("say", channel="table", text="words of 0")
        assert b"Player B" in await contents(store)
        assert await people.forget_person(opened, person) == 1
        await host.gone()
        await come_back(host)
        await host.do("say", channel="table", text="more")
        left = await contents(store)
        assert [trace for trace in (person.encode(), b"Player B", b"words of 1") if trace in left] == []
        assert b"words of 0" in left


async def test_a_running_table_is_forgotten(hubs: Hubs, store: StoreProcess, opened: Store) -> None:
    """Its hub, which had it in memory, writes nothing more about it."""
    hub = hubs()
    async with await Table.made(hub.url, options=TALKING, open=True) as table:
        await table.start()
        await talk(table)
        assert await people.forget_room(opened, table.room)
        await proposes(table.players[0], 5, 6, 7)
        for player in table.players:
            assert await player.gone() == 4001
            assert not await player.open()
            assert player.closed == 4004
        assert table.room.encode() not in await contents(store)
        assert b"{room:" not in await contents(store)
        async with plain_http(hub.url) as http:
            assert (await http.get(f"/api/rooms/{table.room}")).status_code == 404
            assert (await http.get("/api/rooms")).json() == {"rooms": [], "total": 0}
        assert not await people.forget_room(opened, table.room)
