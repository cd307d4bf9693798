"""R34, V10: newer rules go on with a game, or end it. Hubs of two builds share a real store and a clock."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
import pytest

from games import GAMES
from games.api import Registration, Seat
from games.dice import Dice
from hub.runtime import orphans
from hub.runtime.homes import Homes
from hub.runtime.placement import GameEnded, OtherVersion, RulesElsewhere, Unavailable
from hub.store.hubs import HubDescription
from hub.table import records
from hub.table.records import Rejected, Verified
from hub.table.room import SCHEMA, unpack_table
from tests.harness.other_build import MAX_PROPOSALS, OTHER_GAMES
from tests.harness.small_hub import ClientLine, SmallHub, person
from tests.runtime.fleet_members import FleetMember, Start, die, drain, forget

pytestmark = pytest.mark.asyncio

OLD = GAMES["almost"].game.version


async def play(hub: SmallHub, game: str = "almost", **options: Any) -> tuple[str, list[ClientLine]]:
    """A game that has begun, and its people's lines."""
    room, followers = await hub.table(game=game, **options)
    lines = [await hub.come(follower) for follower in followers]
    await lines[0].do("manage", act={"do": "start"})
    return room, lines


async def propose(line: ClientLine, *bids: int) -> str | None:
    """Propose a plan; returns the code of the refusal, if any."""
    return line.follower.code(await line.move("plan:1", "propose", bids=list(bids)))


async def cross(start: Start) -> tuple[SmallHub, str, list[ClientLine]]:
    """A game of Almost that another build has taken over: four plans were proposed before."""
    one = await start("one")
    room, lines = await play(one, discussion="untilReady")
    for bid in range(1, 5):
        assert await propose(lines[0], bid, 2, 3) is None
    await drain(one)
    two = await start("two", OTHER_GAMES)
    return two, room, [await two.come(line.follower) for line in lines]


async def crash(start: Start, hub: SmallHub, games: Mapping[str, Registration] = OTHER_GAMES) -> SmallHub:
    """The hub has crashed; returns one with newer rules, which may take its rooms."""
    hub.die()
    for line in hub.lines:
        line.drop()
    other = await start("two", games)
    await other.store.depart(hub.identity)
    return other


async def end_game(lines: Iterable[ClientLine]) -> None:
    """Have everybody leave, so that the table ends its game."""
    for seat, line in enumerate(lines):
        await line.do("manage", act={"do": "free_seat", "seat": seat})


async def fetch_record(hub: SmallHub, room: str) -> bytes:
    record = await hub.task(hub.rooms.record(room, person(0).id))
    assert isinstance(record, bytes)
    return record


async def read_status(hub: SmallHub, room: str) -> str:
    snapshot = await hub.store.snapshot(room)
    assert snapshot is not None
    return unpack_table(snapshot).status


async def test_newer_rules_go_on(start: Start) -> None:
    """R34: by the newer rules, of which the plan that stood at the crossing counts."""
    two, room, lines = await cross(start)
    assert all(line.shown for line in lines)
    codes = [await propose(lines[0], bid, 2, 3) for bid in range(5, 8)]
    assert codes == [None] * (MAX_PROPOSALS - 1) + ["NO_MORE_PLANS"]
    snapshot = await two.store.snapshot(room)
    assert snapshot is not None
    table = unpack_table(snapshot)
    assert (table.version, [crossing.version for crossing in table.crossings]) == (OLD + 1, [OLD])


async def test_the_record_of_a_game_that_went_on(start: Start) -> None:
    """V10: it holds both versions and the state between them; a build recomputes the part that it played."""
    two, room, lines = await cross(start)
    assert await propose(lines[1], 7, 2, 3) is None
    await end_game(lines)
    record = await fetch_record(two, room)
    header, setup, *_ = map(json.loads, record.splitlines())
    (crossing,) = header["crossings"]
    assert (header["version"], crossing["version"], crossing["after"]) == (OLD, OLD + 1, 5)
    assert "state" not in setup, "the newer rules do not know what the older ones did"
    newer, older = records.verify(record, OTHER_GAMES), records.verify(record, GAMES)
    assert isinstance(newer, Verified), newer
    assert newer.not_recomputed == (records.Part(OLD, 1, 5),)
    assert isinstance(older, Verified), older
    assert older.not_recomputed == (records.Part(OLD, 1, 5), records.Part(OLD + 1, 6, newer.entries))
    for n, old, new in [
        (0, crossing["state"], crossing["state"].replace("a", "b", 1)),
        (0, f'"after":{crossing["after"]}', '"after":4'),
        (6, '"bids":[7,2,3]', '"bids":[8,2,3]'),
    ]:
        forged = sign_again(record, n, old, new)
        assert isinstance(records.verify(forged, OTHER_GAMES), Rejected)


def sign_again(record: bytes, line: int, old: str, new: str) -> bytes:
    """The record with a change in one line, and a chain that fits it; its signature does not."""
    lines = record.splitlines()
    assert old.encode() in lines[line]
    lines[line] = lines[line].replace(old.encode(), new.encode())
    chain, chained = bytes(32), []
    for text in lines[:-1]:
        body = text[: text.rindex(b',"chain":')] + b"}"
        whole, chain = records._chain_line(body, chain)
        chained.append(whole)
    signature = lines[-2][lines[-2].rindex(b',"signature":') :]
    return b"\n".join([*chained[:-1], chained[-1][:-1] + signature, lines[-1]]) + b"\n"


async def test_a_game_that_newer_rules_cannot_convert_ends(start: Start) -> None:
    """R34, V10: without a result; its people are told why, and its record is kept."""
    one = await start("one")
    room, lines = await play(one, "subdivision")
    await drain(one)
    two = await start("two", OTHER_GAMES)
    back = [await two.come(line.follower) for line in lines]
    assert [(line.code, line.heard[-1]["code"]) for line in back] == [(4018, "GAME_ENDED")] * len(back)
    for ask in (two.rooms.find(room), two.rooms.describe(room)):
        with pytest.raises(GameEnded):
            await two.task(ask)
    snapshot = await two.store.snapshot(room)
    assert snapshot is not None
    table = unpack_table(snapshot)
    assert (table.status, table.abandoned, table.outdated) == ("finished", True, True)
    record = await fetch_record(two, room)
    verified = records.verify(record, OTHER_GAMES)
    assert isinstance(verified, Verified), verified
    version = GAMES["subdivision"].game.version
    assert verified.not_recomputed == (records.Part(version, 1, verified.entries),)
    assert verified.outcome is None
    assert isinstance(records.verify(record, GAMES), Verified)


async def test_a_crash_before_the_upgrade(start: Start) -> None:
    """R34, G6.1: what the older rules played after the last snapshot is in the record, too."""
    one = await start("one")
    room, lines = await play(one, "subdivision")
    actor = one.rooms._actors[room]
    assert actor.room.position is not None
    for seat, line in enumerate(lines):
        sample = actor.rules.sample(actor.room.position.state, Seat(seat), Dice(bytes(32)))
        if sample is not None:
            await line.do("do", prompt=sample[0], move=msgspec.to_builtins(sample[1]))
            break
    two = await crash(start, one)
    await two.come(lines[0].follower)
    record = await fetch_record(two, room)
    header = json.loads(record.splitlines()[0])
    verified = records.verify(record, OTHER_GAMES)
    assert isinstance(verified, Verified), verified
    assert header["crossings"][0]["after"] == verified.entries == 2


async def test_newer_rules_go_on_after_a_crash(start: Start) -> None:
    """R34, V10: with what was played after the last snapshot, which they allow as well."""
    one = await start("one")
    room, lines = await play(one, discussion="untilReady")
    for bid in range(1, MAX_PROPOSALS + 1):
        assert await propose(lines[0], bid, 2, 3) is None
    two = await crash(start, one)
    lines = [await two.come(line.follower) for line in lines]
    assert await propose(lines[0], 9, 2, 3) == "NO_MORE_PLANS"
    await end_game(lines)
    verified = records.verify(await fetch_record(two, room), OTHER_GAMES)
    assert isinstance(verified, Verified), verified
    assert verified.not_recomputed == (records.Part(OLD, 1, 1),)


async def test_newer_rules_refuse_what_was_played_before_a_crash(start: Start) -> None:
    """R34, V10: they would have allowed fewer plans, so the game ends; its record says who played what."""
    one = await start("one")
    room, lines = await play(one, discussion="untilReady")
    for bid in range(1, MAX_PROPOSALS + 2):
        assert await propose(lines[0], bid, 2, 3) is None
    two = await crash(start, one)
    assert (await two.come(lines[0].follower)).code == 4018
    verified = records.verify(await fetch_record(two, room), OTHER_GAMES)
    assert isinstance(verified, Verified), verified
    assert verified.not_recomputed == (records.Part(OLD, 1, 2 + MAX_PROPOSALS),)


async def test_an_older_build_leaves_newer_games_alone(start: Start) -> None:
    """R34: it may be running during a roll, or be the one that was rolled back to."""
    two = await start("two", OTHER_GAMES)
    room, _ = await play(two, "subdivision")
    await drain(two)
    before = await two.store.snapshot(room)
    one = await start("one")
    with pytest.raises(OtherVersion) as refused:
        await one.task(one.rooms.find(room))
    assert not isinstance(refused.value, GameEnded)
    assert await one.store.snapshot(room) == before
    again = await start("again", OTHER_GAMES)
    assert (await again.task(again.rooms.find(room))).room.table.status == "running"


async def test_no_game_ends_while_another_hub_may_have_its_rules(start: Start) -> None:
    """R34: one that was there a moment ago, or that this hub cannot have seen yet."""
    one = await start("one")
    room, _ = await play(one, "subdivision")
    await drain(one)
    two = await start("two", OTHER_GAMES)
    versions = {key: registration.game.version for key, registration in GAMES.items()}
    await two.store.register("other", HubDescription(1, versions, SCHEMA))
    await two.store.put_summary(room, 1, 10**6, b"listed")
    with pytest.raises(Unavailable):
        await two.task(two.rooms.find(room))
    assert room in (await two.store.lobby(0, 9))[1], "another hub goes on with it"
    await two.store.unregister("other")
    with pytest.raises(Unavailable):
        await two.task(two.rooms.find(room))
    await forget("other", two)
    two.rooms._outdated._homes = Homes(two.identity.incarnation, alone=False)
    with pytest.raises(Unavailable):
        await two.task(two.rooms.find(room))
    two.rooms._outdated._homes = two.rooms._homes
    with pytest.raises(GameEnded):
        await two.task(two.rooms.find(room))


async def test_rooms_of_a_dead_hub_with_older_rules(start: Start) -> None:
    """R32, R34: the one that newer rules can convert goes on at once; the others wait, and hold nobody up."""
    one, two = await start("one"), await start("two", OTHER_GAMES)
    rooms = [(await play(one, game))[0] for game in ("subdivision", "almost", "subdivision")]
    rules: Any = {key: registration.game for key, registration in OTHER_GAMES.items()}
    member = FleetMember(two, games=rules)
    await member.settle()
    await die(one, two)
    await member.register()
    assert set(two.rooms._actors) == {rooms[1]}
    for room in (rooms[0], rooms[2]):
        with pytest.raises(Unavailable):
            await two.task(two.rooms.find(room))
    await forget(one.identity.incarnation, two)
    await member.register()
    for room in (rooms[0], rooms[2]):
        assert await read_status(two, room) == "running", "nobody has asked for it"
        with pytest.raises(RulesElsewhere):
            await two.task(two.rooms.find(room, take_free=True, is_asked=False))
        assert await read_status(two, room) == "running"
    for room in (rooms[0], rooms[2]):
        with pytest.raises(GameEnded):
            await two.task(two.rooms.find(room))


@pytest.mark.parametrize("is_alive", [True, False])
async def test_rooms_of_a_living_hub_with_older_rules(
    start: Start, monkeypatch: pytest.MonkeyPatch, is_alive: bool
) -> None:
    """R32, R34: one that has drained, or another that takes no rooms: its rules count, and hold nobody up."""
    monkeypatch.setattr(orphans, "AT_ONCE", 1)
    one, two = await start("one"), await start("two", OTHER_GAMES)
    rooms = [(await play(one, game))[0] for game in ("subdivision", "almost", "subdivision", "almost")]
    rules: Any = {key: registration.game for key, registration in OTHER_GAMES.items()}
    member = FleetMember(two, games=rules)
    await member.settle()
    await FleetMember(one).register()
    await drain(one)
    if not is_alive:
        await die(one, two)
        await two.store._client.hdel(two.store.keys.fleet()[1], one.identity.incarnation)
        versions = {key: registration.game.version for key, registration in GAMES.items()}
        await two.store.register("full", HubDescription(0, versions, SCHEMA))
    await member.register()
    assert set(two.rooms._actors) == {rooms[1], rooms[3]}
    assert not member.orphans._uncertain
    for room in (rooms[0], rooms[2]):
        with pytest.raises(RulesElsewhere):
            await two.task(two.rooms.find(room))


@pytest.mark.parametrize(("before", "after"), [(GAMES, OTHER_GAMES), (OTHER_GAMES, GAMES)])
async def test_a_table_that_waits_crosses_without_a_trace(start: Start, before: Any, after: Any) -> None:
    """R34: its game has not begun, so the rules of the hub that begins it count, newer or older."""
    one = await start("one", before)
    _, followers = await one.table(game="subdivision")
    await drain(one)
    two = await start("two", after)
    lines = [await two.come(follower) for follower in followers]
    await lines[0].do("manage", act={"do": "start"})
    table = next(iter(two.rooms._actors.values())).room.table
    assert (table.version, table.crossings) == (after["subdivision"].game.version, ())
