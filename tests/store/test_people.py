"""What the store holds about a person, and its removal from rooms and records that no hub is using."""

from __future__ import annotations

from typing import Any, Final, cast

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from games import GAMES
from games.almost.rules.game import ALMOST
from games.api import Seat
from hub.runtime.checkout import restore
from hub.store import people
from hub.store.client import DAY_MS
from hub.store.store import Ownership, Store
from hub.table import records
from hub.table.room import (
    Change,
    Player,
    Room,
    SeatState,
    Snapshots,
    Table,
    move,
    pack_logged,
    unpack,
    unpack_table,
)
from hub.wire.limits import Opener
from tests.harness.owner import Owner
from tests.harness.processes import StoreProcess
from tests.secrecy.pair import ROOM, new_table
from tests.store.contents import raw_client
from tests.store.opening import ONE, opened
from tests.table.almost_rooms import NOW, running
from tests.whole_games import play, record_of

pytestmark = pytest.mark.asyncio

RULES: Final[Any] = ALMOST
KEY: Final = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
ANN: Final = "ann's id"
BEA: Final = "bea's id"


def seat(table: Table, person: str, name: str, number: int) -> Table:
    seats = list(table.seats)
    seats[number] = SeatState(person=person, name=name, seat_generation=1)
    return replace(table, seats=tuple(seats), host=table.host or person)


def table_of(status: str) -> Room:
    """A table in this status with Ann and Bea, and a third seat."""
    room = new_table(RULES, 3, {})
    table = replace(room.table, seats=(SeatState(),) * 3, host=None)
    table = seat(seat(table, ANN, "Ann", 0), BEA, "Bea", 1)
    return replace(room, table=replace(table, status=status))


async def put(owner: Owner, room: Room) -> None:
    assert await owner.create(room.table.room, room.table.code)
    await owner.commit(snapshot=Snapshots().pack(room), status=room.table.status)


async def read(store: Store) -> Table:
    snapshot = await store.snapshot(ROOM)
    assert snapshot is not None
    return unpack_table(snapshot)


async def test_before_the_game_the_seat_becomes_free(store_process: StoreProcess, prefix: str) -> None:
    """The next person is host."""
    async with opened(store_process, prefix) as (store, pipe):
        owner = Owner("one", store, pipe)
        await put(owner, table_of("waiting"))
        assert await people.forget_person(store, ANN) == 1
        table = await read(store)
        assert table.seats[0] == SeatState(seat_generation=2)
        assert (table.seats[1].person, table.host) == (BEA, BEA)


@pytest.mark.parametrize(("status", "substitute"), [("running", True), ("paused", True), ("finished", False)])
async def test_later_the_seat_gets_the_name_of_a_bot(
    store_process: StoreProcess, prefix: str, status: str, substitute: bool
) -> None:
    async with opened(store_process, prefix) as (store, pipe):
        await put(Owner("one", store, pipe), table_of(status))
        assert await people.forget_person(store, ANN) == 1
        state = (await read(store)).seats[0]
        assert (state.person, state.name, state.substitute) == (None, "Bot A", substitute)
        snapshot = await store.snapshot(ROOM)
        assert unpack(cast(bytes, snapshot), {"almost": RULES}).table.seats[0] == state


async def test_a_person_whose_list_has_ended_is_found(store_process: StoreProcess, prefix: str) -> None:
    """All rooms are searched, as well as the listed ones, because a list expires."""
    async with opened(store_process, prefix) as (store, pipe), raw_client(store_process) as raw:
        await put(Owner("one", store, pipe), table_of("waiting"))
        await store.remember_place(BEA, "a room that is gone", "Bea")
        await store.remember_place(BEA, ROOM, "Bea 2")
        assert 0 < await raw.pttl(f"{prefix}person:{BEA}") <= 90 * DAY_MS
        assert set(await people.find_tables(store, ANN)) == {ROOM}
        (part,) = await people.export(store, BEA)
        assert (part.names, part.is_host) == (["Bea", "Bea 2"], False)
        assert (await people.export(store, ANN))[0].is_host
        await people.forget_person(store, BEA)
        assert not await raw.exists(f"{prefix}person:{BEA}")


async def test_a_record_stays_genuine(store_process: StoreProcess, prefix: str) -> None:
    """Only the name is gone, and the record ends when it would have ended."""
    entry = GAMES["almost"]
    config, log, _ = play(entry, 3, entry.game.Options(), bytes(32))
    plain = record_of(config, log, GAMES, KEY)
    verified = records.verify(plain, GAMES, None)
    assert isinstance(verified, records.Verified)
    players = tuple(
        Player(person, name, b"k" * 16, "")
        for person, name in zip((ANN, BEA, None), verified.names, strict=True)
    )
    room = table_of("finished")
    async with opened(store_process, prefix) as (store, pipe), raw_client(store_process) as raw:
        await put(Owner("one", store, pipe), replace(room, table=replace(room.table, players=players)))
        await store.keep_record(ROOM, plain, 7)
        await raw.pexpire(f"{prefix}record:{ROOM}", 1_000_000)
        await people.forget_person(store, BEA)
        stored = await store.record(ROOM)
        assert stored is not None
        left = records.verify(stored, GAMES, None)
        assert isinstance(left, records.Verified)
        assert left.names == (verified.names[0], None, verified.names[2])
        assert 0 < await raw.pttl(f"{prefix}record:{ROOM}") <= 1_000_000
        table = await read(store)
        assert [player.person for player in table.players] == [ANN, None, None]
        assert (table.players[1].name, table.players[1].name_key) == (None, None)
        assert await people.forget_room(store, ROOM)
        assert await store.record(ROOM) is None


async def test_a_room_is_removed_whole(store_process: StoreProcess, prefix: str) -> None:
    """Its last owner is fenced and notified, and its late writes leave nothing behind."""
    async with opened(store_process, prefix) as (store, pipe), raw_client(store_process) as raw:
        await store.beat(ONE, 10)
        owner, room = Owner("one", store, pipe), table_of("waiting")
        await put(owner, room)
        await owner.commit(b"entry", snapshot=b"", talk=[(b"all:0", b"x")], notes=[(0, b"n")])
        await store.remember_place(ANN, ROOM, "Ann")
        await store.put_summary(ROOM, 1, 1, b"a table")
        assert await people.forget_room(store, ROOM)
        assert (await store.beat(ONE, 11)).taken == {owner.token}
        assert not await store.put_summary(ROOM, 1, 2, b"late")
        assert not await store.renew(owner.token, ROOM, room.table.code)
        assert not await store.release(owner.token, ROOM)
        assert (await store.lobby()).total == 0
        keys = [key.decode().removeprefix(prefix) async for key in raw.scan_iter(f"{prefix}*")]
        assert sorted(keys) == ["{hub:one}", "{hub:one}:alive", "{hub:one}:claims", "{lobby}", "{lobby}:gone"]
        assert not await people.forget_room(store, ROOM)


async def test_a_damaged_room_is_removed(store_process: StoreProcess, prefix: str) -> None:
    """It does not get in the way of exporting or removing people, either."""
    async with opened(store_process, prefix) as (store, pipe), raw_client(store_process) as raw:
        assert await Owner("one", store, pipe).create(ROOM, "CODE")
        assert await people.forget_person(store, ANN) == 0
        assert await people.forget_room(store, ROOM)
        assert not [key async for key in raw.scan_iter(f"{prefix}*{ROOM}*")]
        assert await store.resolve("CODE") is None


async def test_a_game_plays_on_from_moves_after_the_snapshot(
    store_process: StoreProcess, prefix: str
) -> None:
    """They are replayed as before, by the room's next owner."""
    before = running("ann", "bea", "cy", discussion="untilReady", maxBid=100)
    change = move(RULES, before, Seat(0), "plan:1", {"move": "propose", "bids": [1, 2, 3, 4]}, NOW)
    assert isinstance(change, Change)
    async with opened(store_process, prefix) as (store, pipe):
        owner = Owner("one", store, pipe)
        await put(owner, before)
        await owner.commit(*map(pack_logged, change.logged), snapshot=b"")
        assert await people.forget_person(store, "ann") == 1
        owned = await store.claim(before.table.room, ONE, 0)
        assert isinstance(owned, Ownership)
        assert len(owned.entries) == 1
        restored = restore(owned, 0, [], {"almost": RULES}, Opener(None, "ann")).room
        assert restored.position == change.room.position
        assert restored.table.seats[0].name == "Bot A"
