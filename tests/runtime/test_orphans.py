"""R32: a hub takes its share of dead hubs' rooms. The hubs share a real store; the tests force the order."""

from __future__ import annotations

import pytest

from hub.runtime import orphans as sweep
from hub.runtime.homes import STEADY
from hub.runtime.placement import OtherVersion
from hub.runtime.rendezvous import choose_hub
from hub.store.client import StoreUnavailable
from tests.harness.defaults import make_room_limits
from tests.harness.processes import StoreProcess
from tests.runtime.fleet_members import RULES, FleetMember, Start, begin_table, die
from tests.store.contents import raw_client

pytestmark = pytest.mark.asyncio


async def test_a_dead_hubs_rooms_are_divided(start: Start) -> None:
    """R32: by cores, each taken by the hub that the hash names."""
    one, two, three = [await start(name) for name in ("one", "two", "three")]
    rooms = [await begin_table(one) for _ in range(24)]
    both = FleetMember(two), FleetMember(three, cores=3)
    for member in both * (STEADY + 2):
        await member.register()
    await die(one, two)
    for member in both:
        await member.register()
    cores = {two.identity.incarnation: 1, three.identity.incarnation: 3}
    for hub in (two, three):
        share = {room for room in rooms if choose_hub(room, cores) == hub.identity.incarnation}
        assert set(hub.rooms._actors) == share
    assert both[0].taken + both[1].taken == len(rooms)


async def test_nothing_is_left_of_a_dead_hub(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not looked at again, and its description stays for those that have other rules (R34)."""
    one, two = await start("one"), await start("two")
    await begin_table(one)
    member = FleetMember(two)
    await member.settle()
    await die(one, two)
    asked: list[str] = []
    is_alive = two.store.is_alive

    async def note(hub: str) -> bool:
        asked.append(hub)
        return await is_alive(hub)

    monkeypatch.setattr(two.store, "is_alive", note)
    for _ in range(4):  # takes the room, finds nothing left, and looks no more
        await member.register()
    assert asked == [one.identity.incarnation] * 2
    assert one.identity.incarnation in await two.store.list_descriptions()
    await two.store.register(one.identity.incarnation, member.orphans.describe())
    await member.register()
    await two.store.unregister(one.identity.incarnation)
    await member.register()
    assert len(asked) == 3, "it had come back"


async def test_a_stalled_hub_keeps_its_rooms(start: Start) -> None:
    """G3.3: it has not registered in time, but its heartbeat has not run out."""
    one, two = await start("one"), await start("two")
    room = await begin_table(one)
    member = FleetMember(two)
    await member.settle()
    await FleetMember(one).register()
    await two.store.unregister(one.identity.incarnation)
    await member.register()
    assert (member.taken, list(one.rooms._actors)) == (0, [room])
    one.die()
    await two.store.depart(one.identity)
    await member.register()
    assert (member.taken, list(two.rooms._actors)) == (1, [room])


async def test_tables_that_are_not_played_wait_for_their_people(start: Start) -> None:
    one, two = await start("one"), await start("two")
    await one.table()
    member = FleetMember(two)
    await member.settle()
    await die(one, two)
    await member.register()
    assert (member.taken, len(two.rooms._actors)) == (0, 0)


async def test_a_hub_that_has_just_come_waits(start: Start) -> None:
    """When a store comes back, the first to register must not take the rooms of all others."""
    one, two = await start("one"), await start("two")
    await begin_table(one)
    member = FleetMember(two)
    await die(one, two)
    for _ in range(STEADY + 1):
        await member.register()
        assert member.taken == 0
    await member.register()
    assert member.taken == 1


async def test_a_hub_that_had_lapsed_waits_again(start: Start) -> None:
    """It was frozen, or cut off: whom it sees as lapsed may only have been cut off, too."""
    one, two = await start("one"), await start("two")
    await begin_table(one)
    member = FleetMember(two)
    await member.settle()
    await die(one, two)
    await two.store.unregister(two.identity.incarnation)
    await member.register()
    assert member.taken == 0
    await member.settle()
    assert member.taken == 1


async def test_a_draining_hub_takes_none(start: Start) -> None:
    """R8: the others take its share."""
    one, two, three = [await start(name) for name in ("one", "two", "three")]
    for _ in range(8):
        await begin_table(one)
    leaves, stays = FleetMember(two), FleetMember(three)
    for member in (leaves, stays) * (STEADY + 2):
        await member.register()
    await two.task(two.rooms.drain())
    await die(one, two)
    await leaves.register()
    await stays.register()
    assert (leaves.taken, stays.taken) == (0, 8)


async def test_a_hub_that_leaves_hands_over_at_once(start: Start) -> None:
    """R8, R32, G5.6: it is still alive, and its table time stops where the next owner goes on."""
    one, two = await start("one"), await start("two")
    rooms = {await begin_table(one) for _ in range(4)}
    await one.table()
    member = FleetMember(two)
    await member.settle()
    await FleetMember(one).register()
    await one.advance(800)
    times = {room: one.rooms._actors[room].table_time() for room in rooms}
    await one.task(one.rooms.drain())
    await member.register()
    assert {room: actor.table_time() for room, actor in two.rooms._actors.items()} == times
    assert set(times) == rooms
    assert await two.store.rooms_of(one.identity.incarnation) == []


async def test_a_full_hub_takes_no_more(start: Start) -> None:
    """What does not fit falls to the others, or waits for a visitor."""
    one, two = await start("one"), await start("two")
    for _ in range(8):
        await begin_table(one)
    two.rooms._limits = make_room_limits(rooms=3)
    member = FleetMember(two)
    await member.settle()
    await die(one, two)
    await member.register()
    assert member.taken == 3
    await member.register()
    assert (member.taken, member.orphans.describe().cores) == (3, 0)


async def test_the_earliest_windows_come_first(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """If there are more rooms than can be taken within seconds."""
    monkeypatch.setattr(sweep, "IN_TIME", 3)
    monkeypatch.setattr(sweep, "AT_ONCE", 1)
    one, two = await start("one"), await start("two")
    rooms = []
    for _ in range(6):
        rooms.append(await begin_table(one, timers="fast"))
        await one.advance(100)
    member = FleetMember(two)
    await member.settle()
    await die(one, two)
    await member.register()
    assert list(two.rooms._actors) == rooms


async def test_hubs_take_what_they_carry(start: Start) -> None:
    """Hubs differ in a game's rules: the others leave its tables to those that have them."""
    one, two, three = [await start(name) for name in ("one", "two", "three")]
    for _ in range(8):
        await begin_table(one)
    older, newer = FleetMember(two, games={"shares": RULES["shares"]}), FleetMember(three)
    for member in (older, newer) * (STEADY + 2):
        await member.register()
    await die(one, two)
    await older.register()
    await newer.register()
    assert (older.taken, newer.taken) == (0, 8)


async def test_a_closed_table_is_left_alone(start: Start) -> None:
    """O6: and its hub is not looked at again."""
    one, two = await start("one"), await start("two")
    closed, other = await begin_table(one), await begin_table(one)
    two.rooms._closures = lambda: {closed}
    member = FleetMember(two)
    await member.settle()
    await die(one, two)
    for _ in range(3):
        await member.register()
    assert list(two.rooms._actors) == [other]
    assert member.orphans._empty == {one.identity.incarnation}


async def test_a_damaged_room_does_not_hold_up_the_others(start: Start, store: StoreProcess) -> None:
    """A key of the wrong type or a token that is none: such a room is left alone, and said to be damaged."""
    one, two = await start("one"), await start("two")
    rooms = [await begin_table(one) for _ in range(5)]
    member = FleetMember(two)
    await member.settle()
    await die(one, two)
    head, token, epoch = [two.store.keys.room(room) for room in rooms[:3]]
    async with raw_client(store) as raw:
        await raw.delete(head[0])
        await raw.lpush(head[0], "x")
        await raw.hset(token[0], "token", b"\xff")
        await raw.hset(epoch[0], "epoch", "x")
    await member.register()
    assert set(two.rooms._actors) == set(rooms[3:])
    assert member.orphans._refused == set(rooms[:3])
    for room in rooms[:3]:
        with pytest.raises(OtherVersion):
            await two.task(two.rooms.find(room))


async def test_a_room_that_is_damaged_while_it_is_played(start: Start, store: StoreProcess) -> None:
    """G3.9: it stops and is refused until it is repaired; the hub, its store and its other tables go on."""
    hub = await start("one")
    broken, sound = [await begin_table(hub) for _ in range(2)]
    log = hub.store.keys.room(broken)[1]
    async with raw_client(store) as raw:
        kept = await raw.dump(log) or b""
        await raw.delete(log)
        await raw.set(log, "in the way")
        await hub.advance(60_000)
        assert list(hub.rooms._actors) == [sound]
        assert hub.pipe.problem is None
        with pytest.raises(OtherVersion):
            await hub.task(hub.rooms.find(broken))
        await raw.delete(log)
        await raw.restore(log, 0, kept)
    await hub.task(hub.rooms.find(broken))
    assert set(hub.rooms._actors) == {broken, sound}


async def test_a_store_that_is_away(start: Start, store: StoreProcess) -> None:
    """It is logged, and nothing is taken until the hub has registered for as long as a lease again."""
    one, two = await start("one"), await start("two")
    await begin_table(one)
    member = FleetMember(two)
    await member.settle()
    await die(one, two)
    store.kill()
    await member.register()
    store.start()
    await member.register()
    assert member.taken == 0
    await member.settle()
    assert member.taken == 1


async def test_a_take_without_an_answer_is_tried_again(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """The store has given this hub the room, so nobody else would look at it."""
    one, two = await start("one"), await start("two")
    room = await begin_table(one)
    member = FleetMember(two)
    await member.settle()
    await die(one, two)

    async def lose(room: str) -> list[bytes]:
        raise StoreUnavailable("the answer was lost")

    with monkeypatch.context() as lost:
        lost.setattr(two.store, "log", lose)
        await member.register()
    assert not two.rooms.is_awake(room)
    await member.register()
    assert two.rooms.is_awake(room)
    assert member.taken == 1
