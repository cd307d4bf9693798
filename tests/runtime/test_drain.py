"""R8: a hub that drains hands its rooms over while people play. Hubs share a real store and a clock."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace

from hub.runtime.homes import STEADY, Homes
from hub.runtime.placement import Elsewhere, NextTable, RematchWish, Unavailable
from hub.store.hubs import HubDescription
from hub.table.room import SCHEMA
from tests.harness.small_hub import STEP, WATCHER, ClientLine, SmallHub, person
from tests.runtime.fleet_members import RULES, FleetMember, Start, begin_table, die, drain

pytestmark = pytest.mark.asyncio

TABLES = 4


async def join(start: Start, **settings: Any) -> tuple[SmallHub, SmallHub, FleetMember]:
    """Two hubs that count for one another, the first of which has cores for new tables."""
    one, two = await start("one"), await start("two")
    older, newer = FleetMember(one), FleetMember(two, **settings)
    for _ in range(2 * STEADY + 2):
        await older.register()
        await newer.register()
    return one, two, newer


async def seat_people(hub: SmallHub) -> dict[str, ClientLine]:
    """Tables that are played, each with the line of the person in its first seat."""
    lines: dict[str, ClientLine] = {}
    for _ in range(TABLES):
        room, followers = await hub.table(discussion="untilReady")
        lines[room] = await hub.come(followers[0])
        await lines[room].do("manage", act={"do": "start"})
    return lines


async def take(member: FleetMember) -> None:
    """Have this hub send a heartbeat, and take what others have given to it."""
    await member.hub.beat()
    while member.balance._taking:
        await member.hub.settle()


async def test_rooms_leave_one_after_another_while_people_play(start: Start) -> None:
    """R8, G2.1, G5.6: each between two commands; those that are still here go on until their turn."""
    one, two, newer = await join(start)
    lines = await seat_people(one)
    times = {room: one.rooms._actors[room].table_time() for room in lines}
    draining = one.task(one.rooms.drain())
    while not draining.done():
        await one.settle()
        played = [line for room, line in lines.items() if room in one.rooms._actors]
        for line in played:
            await line.do("note", text=f"still {len(played)}")
        left = {line.code for room, line in lines.items() if room not in one.rooms._actors}
        assert left <= {4001}
        one.clock.move(100)
        one.clock.fire()
    assert [line.code for line in lines.values()] == [4001] * TABLES
    notes = sorted(line.follower.sections["note"]["text"] for line in lines.values())
    assert len(set(notes)) > 1, "they did not all leave at once"
    await take(newer)
    assert set(two.rooms._actors) == set(lines)
    assert one.metrics.rooms_given == TABLES
    for room, line in lines.items():
        assert two.rooms._actors[room].table_time() - times[room] <= 100 * (TABLES + 1)
        back = await two.come(line.follower)
        assert back.follower.sections["note"]["text"] == line.follower.sections["note"]["text"]


async def test_table_time_ends_with_the_release(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """G5.4: if the store answers late, nobody is shown time that the heir takes back."""
    one, _two, _newer = await join(start)
    await seat_people(one)
    release, gone_on = one.store.release, list[int]()

    async def answer_late(token: str, room: str, *, at: int, **given: Any) -> bool:
        released = await release(token, room, at=at, **given)
        for _ in range(4):
            one.clock.move(500)
            await one.lease.beat()
        gone_on.append(one.rooms._actors[room].table_time() - at)
        return released

    monkeypatch.setattr(one.store, "release", answer_late)
    await drain(one)
    assert gone_on == [0] * TABLES


async def test_what_is_held_from_watchers_moves_too(start: Start) -> None:
    """R8, G4.13: at the heir it is shown when its time comes, and not before."""
    one, two, newer = await join(start)
    room, followers = await one.table(discussion="untilReady", watch_delay="30s")
    lines = [await one.come(follower) for follower in followers]
    await lines[0].do("manage", act={"do": "start"})
    watcher = one.follower(await one.task(one.rooms.enter(room, person(WATCHER))))
    await one.come(watcher)
    await one.advance(20_000)
    await lines[1].do("manage", act={"do": "call_vote", "kind": "pause"})
    await drain(one)
    await take(newer)
    await two.come(followers[1])
    late = await two.come(watcher)
    shown_after = 0
    while "vote" not in watcher.sections:
        await two.advance(STEP)
        shown_after += STEP
        if late.closed:  # while the heir reads what the watchers have seen
            late = await two.come(watcher)
    assert 30_000 - STEP <= shown_after <= 32_000


async def test_a_rematch_is_found_at_the_heir(start: Start) -> None:
    """R8, R17: whoever presses at another hub comes to the same next table."""
    one, two, newer = await join(start)
    room, followers = await one.table(discussion="untilReady")
    lines = [await one.come(follower) for follower in followers]
    await lines[0].do("manage", act={"do": "start"})
    await lines[0].do("manage", act={"do": "call_vote", "kind": "end"})
    for line in lines[1:]:
        await line.do("manage", act={"do": "vote", "number": 1, "yes": True})
    assert one.rooms._actors[room].room.table.status == "finished"

    async def press(hub: SmallHub, seat: int) -> NextTable:
        pressed = await hub.task(hub.rooms.play_again(room, person(seat), RematchWish(), None, lambda: None))
        assert isinstance(pressed, NextTable)
        return pressed

    first = await press(one, 1)
    await drain(one)
    await take(newer)
    assert (await press(two, 2)).room == (await press(two, 0)).room == first.room


async def test_whoever_still_comes_is_sent_to_the_heir(start: Start) -> None:
    """R8: a proxy may not have noticed yet. The room is there, or free for its heir."""
    one, two, newer = await join(start)
    room = await begin_table(one)
    await one.task(one.rooms.drain())
    with pytest.raises(Elsewhere) as free:
        await one.task(one.rooms.find(room))
    assert (free.value.hub, free.value.free_room) == (two.identity, room)
    await take(newer)
    with pytest.raises(Elsewhere) as owned:
        await one.task(one.rooms.find(room))
    assert (owned.value.hub, owned.value.free_room) == (two.identity, None)


async def test_a_drained_hub_learns_of_other_hubs(start: Start) -> None:
    """R8: it stays up until an operator restarts it; meanwhile, all others may have been restarted."""
    one, two, _newer = await join(start)
    room, _ = await one.table()
    await one.task(one.rooms.drain())
    three = await start("three")
    await FleetMember(three).settle()
    await die(two, three)
    await FleetMember(one).register()
    with pytest.raises(Elsewhere) as free:
        await one.task(one.rooms.find(room))
    assert (free.value.hub, free.value.free_room) == (three.identity, room)
    assert not await three.store.is_registered(one.identity.incarnation)


async def test_a_drain_that_is_ordered_twice_is_one(start: Start) -> None:
    """R8: an operator's order, then SIGTERM; without another hub, rooms are released."""
    one = await start("one")
    room = await begin_table(one)
    orders = [one.task(one.rooms.drain()) for _ in range(2)]
    await asyncio.gather(*orders)
    with pytest.raises(Unavailable):
        await one.task(one.rooms.find(room))
    two = await start("two")
    assert (await two.task(two.rooms.find(room))).room.table.room == room


async def test_a_drain_that_fails_ends_for_whoever_waits(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R8: a second order must not wait for a drain that a second signal has cancelled, for one."""
    one = await start("one")
    room = await begin_table(one)

    async def fail(_: str) -> None:
        await asyncio.sleep(0)
        raise RuntimeError("a defect")

    monkeypatch.setattr(one.store, "unregister", fail)
    orders = [one.task(one.rooms.drain()) for _ in range(2)]
    first, second = await asyncio.gather(*orders, return_exceptions=True)
    assert (type(first), second) == (RuntimeError, None)
    assert not one.rooms.is_awake(room)


async def test_rooms_go_to_newer_rules_if_there_are_no_others(start: Start) -> None:
    """R33: the last hub of an older build hands its rooms to those that may know how to go on."""
    newer_rules = {**RULES, "almost": _Raised()}
    one, _two, newer = await join(start, games=newer_rules)
    homes, room = one.rooms._homes, "any room"
    version = RULES["almost"].version
    assert homes.find_heir(room, "almost", version) is None, "it stays while this hub does"
    assert homes.find_heir(room, "almost", version, leaving=True) == newer.hub.identity.incarnation
    assert homes.find_heir(room, "almost", version + 1, leaving=True) == newer.hub.identity.incarnation
    assert homes.find_heir(room, "almost", version + 2, leaving=True) is None


async def test_rooms_go_to_hubs_that_take_rooms_steadily() -> None:
    """R33: one that has just come, or is full, is no reason to leave a room without an heir."""
    versions = {key: rules.version for key, rules in RULES.items()}
    homes, steady = Homes("leaving"), HubDescription(1, versions, SCHEMA)
    for _ in range(STEADY):
        homes.update({"steady": steady})
    homes.update({"steady": steady, "new": replace(steady, cores=64)})
    heirs = {homes.find_heir(f"room {n}", "almost", versions["almost"], leaving=True) for n in range(8)}
    assert heirs == {"steady"}


class _Raised:
    version = RULES["almost"].version + 1
