"""The rooms of one hub are found, created, described and handed over, with the store in memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest
import pytest_asyncio
from msgspec.structs import replace

from games import GAMES
from games.almost.rules.game import ALMOST
from hub.runtime import creation
from hub.runtime.actor import Actor
from hub.runtime.deadlines import EMPTY_TIMEOUT_MS
from hub.runtime.lobby import SUMMARY_SECONDS, Summary
from hub.runtime.placement import (
    BadOptions,
    Elsewhere,
    NoSuchRoom,
    OtherVersion,
    Placed,
    RefusedPlace,
    Unavailable,
)
from hub.table.room import Player, Snapshots, unpack
from hub.telemetry.tasks import Tasks
from tests.secrecy.in_process_hub import InProcessHub
from tests.secrecy.pair import CODE, ROOM, new_table

pytestmark = pytest.mark.asyncio

RULES: Any = ALMOST


class Hub(InProcessHub):
    """A hub that creates tables and seats people at them."""

    async def create(self, **arguments: Any) -> Placed:
        fields: dict[str, Any] = {"open": True, "play_now": False, "bots": None, **arguments}
        game, seats, options = (
            fields.pop("game", "almost"),
            fields.pop("seats", 3),
            fields.pop("options", {}),
        )
        return await self.finish(self.rooms.create(self.person(0), game, seats, options, **fields))

    async def sit(self, room: str, seat: int, person: int) -> Placed | RefusedPlace:
        return await self.finish(self.rooms.sit(room, self.person(person), seat))

    async def write_summaries(self) -> None:
        self.advance(round(SUMMARY_SECONDS * 1000))
        await self.settle()

    def table(self, room: str) -> Any:
        return self.rooms._actors[room].room.table


@pytest_asyncio.fixture
async def hub() -> AsyncIterator[Hub]:
    async with Tasks() as tasks:
        yield Hub(GAMES, tasks)
        assert tasks.failures == 0


# --- finding ---


async def test_a_room_is_checked_out_once(hub: Hub) -> None:
    """G3: this holds no matter how many clients ask for it at once."""
    await hub.put(new_table(RULES, 3, {}))
    hub.store.claimed.clear()
    hub.rooms._actors.clear()
    one, other = await hub.finish(asyncio.gather(hub.rooms.find(ROOM), hub.rooms.find(ROOM)))
    assert one is other is await hub.rooms.find(ROOM)
    assert hub.store.claimed == [ROOM]


async def test_a_stored_room_is_restored(hub: Hub) -> None:
    """G6: the room comes back with its table time and its notes."""
    room = new_table(RULES, 3, {})
    await hub.put(room, at=1234)
    hub.store.heads[ROOM].notes[1] = b"treasure"
    await hub.restart()
    actor = hub.actor
    assert actor.room == room
    assert actor.table_time() == 1234
    assert actor._notes == ["", "treasure", ""]


async def test_no_such_room(hub: Hub) -> None:
    with pytest.raises(NoSuchRoom):
        await hub.finish(hub.rooms.find("r" * 22))
    for asked in ("r" * 22, "BCDFGH", "BCDFGHJK"):
        with pytest.raises(NoSuchRoom):
            await hub.finish(hub.rooms.describe(asked))


async def test_a_room_of_another_hub(hub: Hub) -> None:
    """R8: the owner is known, so that the client can be relayed to it."""
    await hub.put(new_table(RULES, 3, {}))
    hub.rooms._actors.clear()
    hub.store.others[ROOM] = "http://other"
    with pytest.raises(Elsewhere) as caught:
        await hub.finish(hub.rooms.find(ROOM))
    assert caught.value.hub.url == "http://other"
    hub.store.others.clear()
    assert isinstance(await hub.finish(hub.rooms.find(ROOM)), Actor)


async def test_an_unreachable_store_is_reported(hub: Hub) -> None:
    """G8: the failure is reported as such, and rooms are found again afterwards."""
    await hub.put(new_table(RULES, 3, {}))
    hub.rooms._actors.clear()
    hub.store.away = True
    for awaitable in (hub.rooms.find(ROOM), hub.rooms.lobby(1), hub.rooms.describe(CODE), hub.create()):
        with pytest.raises(Unavailable):
            await hub.finish(awaitable)
    hub.store.away = False
    assert isinstance(await hub.finish(hub.rooms.find(ROOM)), Actor)


async def test_a_room_that_cannot_be_read_is_released(hub: Hub) -> None:
    """Another hub may know its game; until then, the lobby leaves it out."""
    room = new_table(RULES, 3, {})
    await hub.put(room)
    hub.rooms._actors.clear()
    hub.store.heads[ROOM].snapshot = b"\x93"
    hub.store.heads[ROOM].summary = b"listed"
    for awaitable in (hub.rooms.find(ROOM), hub.rooms.describe(ROOM), hub.rooms.record(ROOM, None)):
        with pytest.raises(OtherVersion):
            await hub.finish(awaitable)
    assert hub.store.released == [(ROOM, None)]
    assert hub.store.heads[ROOM].summary == b""


# --- creating ---


async def test_a_new_table(hub: Hub) -> None:
    """GEN-13: whoever creates it is its host."""
    placed = await hub.create()
    assert (placed.seat, placed.seat_generation) == (0, 1)
    table = hub.table(placed.room)
    assert (table.code, table.status, table.host) == (placed.code, "waiting", "person 0")
    stored = unpack(hub.store.heads[placed.room].snapshot, {"almost": RULES})
    assert stored.table == table


async def test_a_table_can_start_at_once(hub: Hub) -> None:
    placed = await hub.create(play_now=True)
    table = hub.table(placed.room)
    assert table.status == "running"
    assert [seat.bot is None for seat in table.seats] == [True, False, False]


async def test_free_seats_are_filled_with_bots_of_the_level(hub: Hub) -> None:
    placed = await hub.create(bots="hard")
    assert [seat.bot for seat in hub.table(placed.room).seats] == [None, "hard", "hard"]
    assert hub.table(placed.room).status == "waiting"


async def test_private_tables_are_relaxed(hub: Hub) -> None:
    """GEN-6: timers are relaxed unless the creator chose otherwise."""
    relaxed, fast = await hub.create(open=False), await hub.create(open=False, options={"timers": "fast"})
    assert hub.table(relaxed.room).options["timers"] == "relaxed"
    assert hub.table(fast.room).options["timers"] == "fast"


def form_values(options: type[msgspec.Struct], *, open: bool) -> dict[str, Any]:
    """The values a client's form begins with, from the JSON schema (client-js/src/app/home/options.ts).

    A value is None if it depends on other options.
    """
    _, components = msgspec.json.schema_components([options])
    values = {}
    for name, schema in components[options.__name__]["properties"].items():
        parts = (schema, *schema.get("anyOf", ()))
        private = next((part["private"] for part in parts if "private" in part), schema["default"])
        values[name] = schema["default"] if open else private
    return values


@pytest.mark.parametrize("open", [True, False])
@pytest.mark.parametrize("key", GAMES)
async def test_options_left_out_are_those_of_the_form(hub: Hub, key: str, open: bool) -> None:
    """A form sends only the options that differ from its defaults, so the hub must fill in the same ones."""
    rules = GAMES[key].game
    placed = await hub.create(game=key, seats=rules.seats[0], open=open)
    options, form = hub.table(placed.room).options, form_values(rules.Options, open=open)
    assert options == {name: options[name] if value is None else value for name, value in form.items()}


@pytest.mark.parametrize(
    ("arguments", "code", "advice"),
    [
        ({"game": "chess"}, "NO_SUCH_GAME", f"This hub has these games: {', '.join(GAMES)}."),
        ({"seats": 99}, "BAD_SEATS", "Almost is for 3 to 10 players."),
        ({"seats": 2}, "BAD_SEATS", "Almost is for 3 to 10 players."),
        ({"options": {"discussion": "never"}}, "BAD_OPTIONS", "The option discussion must be one of "),
        ({"bots": "godlike"}, "NO_SUCH_LEVEL", "Its bot has these levels: easy, normal, hard."),
        ({"bots": ""}, "NO_SUCH_LEVEL", "Its bot has these levels: easy, normal, hard."),
    ],
)
async def test_tables_that_cannot_be_created(
    hub: Hub, arguments: dict[str, Any], code: str, advice: str
) -> None:
    with pytest.raises(BadOptions) as caught:
        await hub.create(**arguments)
    assert caught.value.refusal.code == code
    assert caught.value.advice.startswith(advice)
    assert not hub.store.heads


async def test_a_code_that_is_in_use(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another code is tried, but only a limited number of times."""
    codes = iter(["AAAAAA", "AAAAAA", "BBBBBB"])
    monkeypatch.setattr(creation, "room_code", lambda entropy, open: next(codes, "BBBBBB"))
    assert (await hub.create()).code == "AAAAAA"
    assert (await hub.create()).code == "BBBBBB"
    with pytest.raises(Unavailable, match="no free table code"):
        await hub.create()


# --- sitting down ---


async def test_sitting_down(hub: Hub) -> None:
    """A person may sit down with the room's id or with its code."""
    placed = await hub.create()
    assert await hub.sit(placed.code.lower(), 2, person=2) == Placed(placed.room, placed.code, 2, 1)
    assert await hub.sit(placed.room, 1, person=1) == Placed(placed.room, placed.code, 1, 1)


async def test_a_seat_that_is_taken(hub: Hub) -> None:
    placed = await hub.create()
    refused = await hub.sit(placed.room, 0, person=1)
    assert isinstance(refused, RefusedPlace)
    assert refused.code == "SEAT_TAKEN"


async def test_entering_as_a_seated_person_or_as_a_watcher(hub: Hub) -> None:
    placed = await hub.create()
    assert await hub.finish(hub.rooms.enter(placed.room, hub.person(0))) == placed
    watcher = Placed(placed.room, placed.code, None, 0)
    assert await hub.finish(hub.rooms.enter(placed.code, hub.person(5))) == watcher
    actor = hub.rooms._actors[placed.room]
    actor.room = msgspec.structs.replace(
        actor.room, table=msgspec.structs.replace(actor.room.table, watching=False)
    )
    refused = await hub.finish(hub.rooms.enter(placed.room, hub.person(5)))
    assert isinstance(refused, RefusedPlace)
    assert refused.code == "WATCHING_CLOSED"


async def test_a_room_lost_to_another_hub_while_a_person_sits_down(hub: Hub) -> None:
    """G3: a person waiting for a seat is asked to try again."""
    placed = await hub.create()
    hub.store.heads[placed.room].token = "2:other"
    with pytest.raises(Unavailable, match="another hub"):
        await hub.sit(placed.room, 1, person=1)
    assert placed.room not in hub.rooms._actors


# --- the lobby ---


async def test_open_tables_are_listed(hub: Hub) -> None:
    """Their summaries are written once for all changes made in quick succession."""
    placed = await hub.create()
    await hub.create(open=False)
    await hub.sit(placed.room, 1, person=1)
    assert not (await hub.finish(hub.rooms.lobby(1))).rooms
    await hub.write_summaries()
    (listed,) = (await hub.finish(hub.rooms.lobby(1))).rooms
    assert listed == await hub.finish(hub.rooms.describe(placed.code))
    assert (listed["room"], listed["taken"], listed["host"]) == (placed.room, 2, "Name 0")
    assert msgspec.convert(listed, Summary).status == "waiting"


async def test_a_sleeping_room_is_described_from_the_store(hub: Hub) -> None:
    placed = await hub.create()
    awake = await hub.finish(hub.rooms.describe(placed.room))
    hub.rooms._actors.clear()
    assert await hub.finish(hub.rooms.describe(placed.room)) == awake


async def test_a_private_code_shows_nothing_of_a_room_at_another_hub(hub: Hub) -> None:
    """R14: the stored table says who is at it."""
    placed = await hub.create(open=False)
    hub.rooms._actors.clear()
    hub.store.others[placed.room] = "http://other"
    stranger = await hub.finish(hub.rooms.describe(placed.code, hub.person(5).id))
    assert stranger == {"closed": True, "code": placed.code}
    seated = await hub.finish(hub.rooms.describe(placed.code, hub.person(0).id))
    assert seated["room"] == placed.room


# --- records ---


async def test_records(hub: Hub) -> None:
    """There is no record for a room that does not exist, and none before the game ends."""
    placed = await hub.create()
    assert await hub.finish(hub.rooms.record("r" * 22, None)) is None
    assert await hub.finish(hub.rooms.record(placed.room, hub.person(0).id)) == "running"
    head = hub.store.heads[placed.room]
    head.record = b"record"
    assert await hub.finish(hub.rooms.record(placed.room, None)) == "running"
    room = unpack(head.snapshot, {"almost": RULES})
    for watching, person, answer in [
        (True, None, b"record"),
        (True, "stranger", b"record"),
        (False, None, "closed"),
        (False, "stranger", "closed"),
        (False, "ann", b"record"),
    ]:
        players = (Player("ann", "Ann", bytes(16), "hash"), Player(None, "Bot B", bytes(16), "hash"))
        table = replace(room.table, status="finished", watching=watching, players=players)
        head.snapshot = Snapshots().pack(replace(room, table=table))
        assert await hub.finish(hub.rooms.record(placed.code, person)) == answer


# --- leaving ---


async def test_sleeping_rooms_are_released_however_long_the_store_is_away(hub: Hub) -> None:
    """R7: each is released, with the table time at which it fell asleep."""
    await hub.put(new_table(RULES, 3, {}), at=500)
    hub.store.away = True
    hub.rooms.on_stopped(ROOM, "asleep")
    for _ in range(5):
        await hub.clock.wake()
        await asyncio.sleep(0)
    assert hub.store.released == []
    hub.store.away = False
    await hub.clock.wake()
    await hub.settle()
    assert hub.store.released == [(ROOM, 500)]


async def test_an_empty_room_goes_to_sleep(hub: Hub) -> None:
    """R7: the room is released with its table time."""
    await hub.put(new_table(RULES, 3, {}), at=500)
    hub.advance(EMPTY_TIMEOUT_MS + 10)
    await hub.settle()
    assert hub.store.released == [(ROOM, 500)]
    assert ROOM not in hub.rooms._actors
    assert hub.metrics.passivated == 1


async def test_draining(hub: Hub) -> None:
    """R8: rooms are stored whole and released, and no newcomers are let in."""
    placed = await hub.create()
    await hub.finish(hub.rooms.drain())
    assert hub.rooms.is_draining()
    assert [room for room, _ in hub.store.released] == [placed.room]
    assert not hub.rooms._actors
    for awaitable in (hub.rooms.find(placed.room), hub.create()):
        with pytest.raises(Unavailable, match="shutting down"):
            await hub.finish(awaitable)


async def test_a_table_that_is_created_while_its_hub_drains(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R8: it is released, or its hub would run it until it ends."""
    create = hub.store.create

    async def drain_meanwhile(*fields: Any) -> bool:
        created = await create(*fields)
        await hub.rooms.drain()
        return created

    monkeypatch.setattr(hub.store, "create", drain_meanwhile)
    creating = asyncio.ensure_future(hub.create())
    await hub.clock.asleep()
    hub.pump()
    await hub.clock.wake()
    with pytest.raises(Unavailable, match="shutting down"):
        await creating
    assert [room for room, _ in hub.store.released] == list(hub.store.heads)
    assert (hub.rooms._actors, hub.rooms._limits._rooms) == ({}, 0)


async def test_draining_waits_for_decided_changes(hub: Hub) -> None:
    """R8: every decided change is stored before its room is released, by the next check at the latest."""
    placed = await hub.create()
    sitting = asyncio.ensure_future(hub.rooms.sit(placed.room, hub.person(1), 1))
    draining = asyncio.ensure_future(hub.rooms.drain())
    await hub.clock.asleep()
    assert not hub.store.released
    hub.pump()
    assert isinstance(await sitting, Placed)
    await hub.clock.wake()
    await draining
    assert [room for room, _ in hub.store.released] == [placed.room]


async def test_draining_does_not_wait_for_a_room_that_is_lost_meanwhile(hub: Hub) -> None:
    """R8, G3.4: its last commit is fenced, because another hub or an operator has taken it."""
    placed = await hub.create()
    await hub.finish(hub.rooms.sit(placed.room, hub.person(1), 1))
    sitting = asyncio.ensure_future(hub.rooms.sit(placed.room, hub.person(2), 2))
    draining = asyncio.ensure_future(hub.rooms.drain())
    await hub.clock.asleep()
    hub.store.heads[placed.room].token = "2:other"
    hub.pump()
    with pytest.raises(Unavailable):
        await sitting
    await hub.clock.wake()
    for _ in range(5):  # turns of the event loop; waiting for it would also pass after eight seconds
        await asyncio.sleep(0)
    assert draining.done()
    await draining
    assert not hub.store.released


async def test_verifying_ownership(hub: Hub) -> None:
    """G3: a room that another hub now owns is released; the others are kept."""
    kept, lost = await hub.create(), await hub.create()
    hub.store.heads[lost.room].token = "2:other"
    hub.rooms.verify_ownership()
    await hub.settle()
    assert list(hub.rooms._actors) == [kept.room]


async def test_health(hub: Hub) -> None:
    assert hub.rooms.find_problem() is None
    hub.rooms._store_problem = lambda: "the store does not answer"
    assert hub.rooms.find_problem() == "the store does not answer"
