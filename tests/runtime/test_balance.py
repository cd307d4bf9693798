"""R33: a hub that joins gets its share of the rooms. Hubs share a real store; the tests force the order."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from hub.runtime.homes import STEADY, Homes
from hub.runtime.placement import Elsewhere
from hub.runtime.rendezvous import choose_hub
from hub.store.client import StoreUnavailable
from hub.store.hubs import HubDescription, HubIdentity
from hub.table.room import SCHEMA
from tests.harness.defaults import make_room_limits
from tests.harness.processes import StoreProcess
from tests.harness.small_hub import SmallHub
from tests.runtime.fleet_members import RULES, FleetMember, Start, begin_table, die

pytestmark = pytest.mark.asyncio

TABLES = 12


async def settle(*members: FleetMember) -> None:
    """Register until all members count for one another."""
    for _ in range(2 * STEADY + 2):
        for member in members:
            await member.register()


def share(rooms: Sequence[str], hub: SmallHub, *others: SmallHub) -> set[str]:
    """The rooms that belong to this hub while all of these live."""
    cores = {each.identity.incarnation: 1 for each in (hub, *others)}
    return {room for room in rooms if choose_hub(room, cores) == hub.identity.incarnation}


def misplaced(hub: SmallHub) -> list[str]:
    """The rooms here that are to be handed over."""
    return [room for room in hub.rooms.list_by_presence() if hub.rooms.find_heir(room) is not None]


async def begin_tables(hub: SmallHub, count: int = TABLES) -> list[str]:
    return [await begin_table(hub) for _ in range(count)]


async def join(start: Start) -> tuple[SmallHub, SmallHub, FleetMember, FleetMember, list[str]]:
    """A hub with rooms, and another that has joined and is steady; nothing has moved yet."""
    one = await start("one")
    rooms = await begin_tables(one)
    two = await start("two")
    older, newer = FleetMember(one), FleetMember(two)
    await settle(older, newer)
    return one, two, older, newer, rooms


async def give(member: FleetMember) -> None:
    """Have this hub give away the rooms that belong to others."""
    await until(member.hub, member.hub.task(member.balance.give_misplaced()).done)


async def until(hub: SmallHub, holds: Callable[[], bool]) -> None:
    """Let time pass on this hub until this holds."""
    while not holds():
        await hub.settle()
        if hub.clock._sleeping:
            hub.clock.move(100)
            hub.clock.fire()


async def take(member: FleetMember) -> None:
    """Have this hub send a heartbeat, and take what others have given to it."""
    await member.hub.beat()
    await finish(member)


async def finish(member: FleetMember) -> None:
    """Wait until this hub has taken what it has begun to take."""
    while member.balance._taking:
        await member.hub.settle()


async def test_a_hub_that_joins_gets_its_share(start: Start) -> None:
    """Nobody asks for the rooms, and those that belong to the first hub stay there."""
    one, two, older, newer, rooms = await join(start)
    await give(older)
    await take(newer)
    assert set(two.rooms._actors) == share(rooms, two, one)
    assert set(one.rooms._actors) == share(rooms, one, two)
    assert one.metrics.rooms_given == len(two.rooms._actors) > 0
    assert set(await two.store.rooms_of(two.identity.incarnation)) == set(two.rooms._actors)
    assert set(await one.store.rooms_of(one.identity.incarnation)) == set(one.rooms._actors)
    await take(newer)
    assert (await two.store.beat(two.identity, 10**6)).handovers == set()


async def test_table_time_goes_on_where_it_stopped(start: Start) -> None:
    """G5.6: also if the heir comes a while later."""
    one, two, older, newer, rooms = await join(start)
    moving = share(rooms, two, one)
    times = {room: one.rooms._actors[room].table_time() for room in moving}
    await give(older)
    one.clock.move(5000)
    await take(newer)
    gone_on = {room: two.rooms._actors[room].table_time() for room in moving}
    assert all(times[room] <= at <= times[room] + 100 * TABLES for room, at in gone_on.items())


async def test_a_visitor_is_sent_to_the_heir(start: Start) -> None:
    """Whichever hub they reach; the hub that is asked takes the room only if it must (one hop at most)."""
    one, two, older, newer, rooms = await join(start)
    await give(older)
    room, other = sorted(share(rooms, two, one))[:2]
    with pytest.raises(Elsewhere) as elsewhere:
        await one.task(one.rooms.find(room))
    assert (elsewhere.value.hub, elsewhere.value.free_room) == (two.identity, room)
    actor = await two.task(two.rooms.find(room))
    assert actor.room.table.room == room
    await one.task(one.rooms.find(other, take_free=True))
    await take(newer)
    assert other not in two.rooms._actors
    assert (await two.store.beat(two.identity, 10**6)).handovers == set()


async def test_new_tables_stay_where_they_are_created(start: Start) -> None:
    """Their ids are drawn so that they belong there, rematches' as well."""
    one, two = await start("one"), await start("two")
    members = FleetMember(one), FleetMember(two)
    await settle(*members)
    rooms = await begin_tables(one)
    assert share(rooms, one, two) == set(rooms)
    ids = [two.rooms._creation.draw_room_id(RULES["almost"]) for _ in range(TABLES)]
    assert share(ids, two, one) == set(ids)


async def test_only_what_is_played_moves(start: Start) -> None:
    """A table that waits, with nobody connected, will sleep soon; one with somebody moves with them."""
    one = await start("one")
    empty = [(await one.table())[0] for _ in range(TABLES)]
    tables = [await one.table() for _ in range(TABLES)]
    lines = [await one.come(followers[0]) for _, followers in tables]
    two = await start("two")
    older, newer = FleetMember(one), FleetMember(two)
    await settle(older, newer)
    await give(older)
    await take(newer)
    occupied = share([room for room, _ in tables], two, one)
    assert set(two.rooms._actors) == occupied
    assert set(empty) <= set(one.rooms._actors)
    assert [line.code for line in lines] == [4001 if room in occupied else None for room, _ in tables]


async def test_people_find_everything_as_it_was(start: Start) -> None:
    """R1, R20, G6.1: their seats, their notes, and a vote, which whoever comes first does not decide."""
    one = await start("one")
    tables = [await one.table(discussion="untilReady") for _ in range(TABLES)]
    for _, followers in tables:
        lines = [await one.come(follower) for follower in followers]
        await lines[0].do("manage", act={"do": "start"})
        await lines[1].do("note", text="remember")
        n = await lines[0].do("manage", act={"do": "call_vote", "kind": "pause"})
        assert lines[0].follower.code(n) is None
    two = await start("two")
    older, newer = FleetMember(one), FleetMember(two)
    await settle(older, newer)
    await give(older)
    moved = [table for table in tables if table[0] in share([room for room, _ in tables], two, one)]
    assert moved
    for _, followers in moved:
        lines = [await two.come(follower) for follower in followers]
        assert all(line.shown for line in lines)
        await two.settle()
        assert lines[1].follower.sections["note"]["text"] == "remember"
        assert lines[0].follower.sections["vote"]["yes"] == 1


async def test_a_hub_with_trouble_keeps_its_rooms(start: Start) -> None:
    """For a moment it takes none; what it runs stays, and others give it nothing."""
    one, two = await start("one"), await start("two")
    older, newer = FleetMember(one), FleetMember(two)
    await settle(older, newer)
    await begin_tables(one)
    one.rooms._store_problem = lambda: "it does not answer"
    await settle(older, newer)
    assert misplaced(one) == []
    one.rooms._store_problem = lambda: None
    await older.register()
    await newer.register()
    assert misplaced(two) == []


async def test_nothing_moves_without_a_store(start: Start, store: StoreProcess) -> None:
    """The other hubs may be gone, and nobody would know."""
    one = await start("one")
    await begin_tables(one)
    two = await start("two")
    older, newer = FleetMember(one), FleetMember(two)
    await settle(older, newer)
    assert misplaced(one)
    store.kill()
    await older.register()
    assert misplaced(one) == []


async def test_a_giver_dies_before_it_names_the_heir(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """R32: the room is released, and still listed under the dead hub."""
    one, two, _older, newer, rooms = await join(start)
    room = misplaced(one)[0]

    async def lose(*_: Any) -> None:
        one.die()
        await asyncio.Event().wait()

    monkeypatch.setattr(one.store, "note_handover", lose)
    one.task(one.rooms.give(room, two.identity.incarnation))
    await until(one, lambda: one.dead)
    await two.store.depart(one.identity)
    await settle(newer)
    assert set(two.rooms._actors) == set(rooms)


async def test_an_heir_dies_before_it_takes(start: Start) -> None:
    """R32: what it was given is an orphan."""
    one, two, older, _newer, rooms = await join(start)
    await give(older)
    await die(two, one)
    await settle(older)
    assert set(one.rooms._actors) == set(rooms)


async def test_a_room_that_was_not_released(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """The store did not answer in time: the giver still owns the room, and takes it up again by itself."""
    one, two, older, _newer, rooms = await join(start)
    before = {room: one.rooms._actors[room].table_time() for room in rooms}

    async def lose(*_: Any, **__: Any) -> None:
        raise StoreUnavailable("no answer")

    with monkeypatch.context() as lost:
        lost.setattr(one.store, "release", lose)
        await give(older)
    assert set(one.rooms._actors) == share(rooms, one, two)
    await older.register()
    await one.task(older.balance.take_asleep())
    await finish(older)
    assert set(one.rooms._actors) == set(rooms)
    assert set(await one.store.rooms_of(one.identity.incarnation)) == set(rooms)
    assert all(one.rooms._actors[room].table_time() <= at + 3000 for room, at in before.items())
    assert two.rooms._actors == {}


async def test_a_full_heir_takes_later(start: Start) -> None:
    """It was not full when the room was given to it. Visitors go to others meanwhile."""
    one, two, older, newer, rooms = await join(start)
    await give(older)
    limits, two.rooms._limits = two.rooms._limits, make_room_limits(rooms=0)
    await take(newer)
    assert two.rooms._actors == {}
    for member in (newer, older):
        await member.register()
    room, *others = sorted(share(rooms, two, one))
    await one.task(one.rooms.find(room))
    await two.store.call("DEL", two.store.keys.handovers(two.identity.incarnation))  # as after a minute
    two.rooms._limits = limits
    await two.task(newer.balance.take_asleep())
    await finish(newer)
    assert set(two.rooms._actors) == set(others)


async def test_a_hub_that_cannot_be_reached_gets_nothing(start: Start) -> None:
    """Its PARLEY_HUB_URL is wrong, say: nobody could play in its rooms but through itself."""
    one = await start("one")
    rooms = await begin_tables(one)
    older, newer = FleetMember(one), FleetMember(await start("two"))
    await settle(older, newer)
    asked: list[HubIdentity] = []

    async def reach(hub: HubIdentity) -> bool:
        asked.append(hub)
        return False

    older.balance.reach = reach
    await give(older)
    assert set(one.rooms._actors) == set(rooms)
    assert asked == [newer.hub.identity]


async def test_a_hub_that_is_leaving_gets_no_visitors(start: Start) -> None:
    """R8: it is alive, and the others have seen it register; but it has said that it leaves."""
    one, two = await start("one"), await start("two")
    room = await begin_table(one)
    members = FleetMember(one), FleetMember(two)
    await settle(*members)
    await one.task(one.rooms.drain())
    actor = await two.task(two.rooms.find(room))
    assert actor.room.table.room == room


async def test_builds_that_differ(start: Start) -> None:
    """A hub gets only tables whose game it carries, and is sent only visitors of those."""
    one = await start("one")
    await begin_tables(one)
    two = await start("two")
    await settle(FleetMember(one), FleetMember(two, games={"shares": RULES["shares"]}))
    assert misplaced(one) == []


def told(cores: int = 1) -> HubDescription:
    return HubDescription(cores, {"almost": 1}, SCHEMA)


async def test_an_unknown_fleet() -> None:
    """With the bundled store, or before the first registration, every room belongs here."""

    async def read() -> bytes | None:
        raise AssertionError("nothing depends on it")

    homes = Homes("a")
    assert await homes.rank("r", read) == []
    assert homes.find_heir("r", "almost", 1) is None
    assert homes.draw_room_id(lambda: "r", "almost", 1) == "r"
    homes.update({"a": told(0), "b": told(0)})
    assert await homes.rank("r", read) == []


async def test_a_hub_counts_after_a_while() -> None:
    """It must have taken rooms four times in a row; a visitor may be sent to it at once."""

    async def read() -> bytes | None:
        raise AssertionError("all hubs are alike")

    homes = Homes("a")
    room = next(f"r{i}" for i in range(100) if choose_hub(f"r{i}", {"a": 1, "b": 1}) == "b")
    for _ in range(STEADY - 1):
        homes.update({"a": told(), "b": told()})
        assert homes.find_heir(room, "almost", 1) is None
        assert (await homes.rank(room, read))[0] == "b"
    homes.update({"a": told(), "b": told()})
    assert homes.find_heir(room, "almost", 1) == "b"
    assert homes.find_heir(room, "almost", 2) is None
    homes.update({"a": told(), "b": told(0)})
    assert homes.find_heir(room, "almost", 1) is None, "it has to be steady again"
    assert await homes.rank(room, read) == ["a"]
    homes.forget()
    assert homes.steady == {}
