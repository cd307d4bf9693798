"""R32: a hub takes its share of dead hubs' rooms. The hubs share a real store; the tests force the order."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeAlias

import pytest
import pytest_asyncio

from games import GAMES
from hub.runtime import orphans as sweep
from hub.runtime.orphans import STEADY, Orphans
from hub.runtime.placement import Placed
from hub.runtime.rendezvous import choose_hub
from hub.store.client import StoreUnavailable
from tests.harness.defaults import make_room_limits
from tests.harness.processes import StoreProcess
from tests.harness.small_hub import SmallHub, manual_clock, person

pytestmark = pytest.mark.asyncio

Start: TypeAlias = Callable[[str], Awaitable[SmallHub]]
RULES: Any = {key: registration.game for key, registration in GAMES.items()}


@pytest_asyncio.fixture
async def start(steps: None, store: StoreProcess) -> AsyncIterator[Start]:
    """Starts hubs that share the store and the clock."""
    clock, hubs = manual_clock(), []

    async def start(name: str) -> SmallHub:
        hubs.append(await SmallHub(name, clock).open(store.url, "a:"))
        return hubs[-1]

    yield start
    for hub in hubs:
        await hub.close()


class Sweeper:
    """The registration of one hub, done when the test says so."""

    def __init__(self, hub: SmallHub, cores: int = 1, games: Any = RULES) -> None:
        self.hub = hub
        self.orphans = Orphans(
            hub.rooms,
            hub.store,
            hub.identity.incarnation,
            games,
            hub.tasks,
            hub.clock,
            hub.metrics,
            lambda: cores,
        )

    async def register(self) -> None:
        """Register once, and wait until the rooms that this has found are taken."""
        await self.hub.task(self.orphans.register())
        if self.orphans._taking is not None:
            await self.orphans._taking

    async def settle(self) -> None:
        """Register until the hub takes rooms, and the others know."""
        for _ in range(STEADY + 2):
            await self.register()

    @property
    def taken(self) -> int:
        return self.hub.metrics.orphans_taken


async def begin_table(hub: SmallHub, **options: Any) -> str:
    """A game that has begun; nobody is connected."""
    placed = await hub.task(
        hub.rooms.create(
            person(0), "almost", 3, {"discussion": "none", **options}, open=False, play_now=True, bots=None
        )
    )
    assert isinstance(placed, Placed)
    return placed.room


async def die(hub: SmallHub, other: SmallHub) -> None:
    """The hub, which was registered, is dead and its lease is over, as after three seconds."""
    await Sweeper(hub).register()
    hub.die()
    await other.store.depart(hub.identity)


async def test_a_dead_hubs_rooms_are_divided(start: Start) -> None:
    """R32: by cores, each taken by the hub that the hash names."""
    one, two, three = [await start(name) for name in ("one", "two", "three")]
    rooms = [await begin_table(one) for _ in range(24)]
    sweepers = Sweeper(two), Sweeper(three, cores=3)
    for sweeper in sweepers * (STEADY + 2):
        await sweeper.register()
    await die(one, two)
    for sweeper in sweepers:
        await sweeper.register()
    cores = {two.identity.incarnation: 1, three.identity.incarnation: 3}
    for hub in (two, three):
        share = {room for room in rooms if choose_hub(room, cores) == hub.identity.incarnation}
        assert set(hub.rooms._actors) == share
    assert sweepers[0].taken + sweepers[1].taken == len(rooms)
    for _ in range(2):  # finds nothing left, then says so
        await sweepers[0].register()
    fleet = await two.store.register(two.identity.incarnation, sweepers[0].orphans.describe())
    assert fleet.lapsed == []


async def test_a_stalled_hub_keeps_its_rooms(start: Start) -> None:
    """G3.3: it has not registered in time, but its heartbeat has not run out."""
    one, two = await start("one"), await start("two")
    room = await begin_table(one)
    sweeper = Sweeper(two)
    await sweeper.settle()
    await Sweeper(one).register()
    await two.store.unregister(one.identity.incarnation)
    await sweeper.register()
    assert (sweeper.taken, list(one.rooms._actors)) == (0, [room])
    one.die()
    await two.store.depart(one.identity)
    await sweeper.register()
    assert (sweeper.taken, list(two.rooms._actors)) == (1, [room])


async def test_tables_that_are_not_played_wait_for_their_people(start: Start) -> None:
    one, two = await start("one"), await start("two")
    await one.table()
    sweeper = Sweeper(two)
    await sweeper.settle()
    await die(one, two)
    await sweeper.register()
    assert (sweeper.taken, len(two.rooms._actors)) == (0, 0)


async def test_a_hub_that_has_just_come_waits(start: Start) -> None:
    """When a store comes back, the first to register must not take the rooms of all others."""
    one, two = await start("one"), await start("two")
    await begin_table(one)
    sweeper = Sweeper(two)
    await die(one, two)
    for _ in range(STEADY + 1):
        await sweeper.register()
        assert sweeper.taken == 0
    await sweeper.register()
    assert sweeper.taken == 1


async def test_a_hub_that_had_lapsed_waits_again(start: Start) -> None:
    """It was frozen, or cut off: whom it sees as lapsed may only have been cut off, too."""
    one, two = await start("one"), await start("two")
    await begin_table(one)
    sweeper = Sweeper(two)
    await sweeper.settle()
    await die(one, two)
    await two.store.unregister(two.identity.incarnation)
    await sweeper.register()
    assert sweeper.taken == 0
    await sweeper.settle()
    assert sweeper.taken == 1


async def test_a_draining_hub_takes_none(start: Start) -> None:
    """R8: the others take its share."""
    one, two, three = [await start(name) for name in ("one", "two", "three")]
    for _ in range(8):
        await begin_table(one)
    leaves, stays = Sweeper(two), Sweeper(three)
    for sweeper in (leaves, stays) * (STEADY + 2):
        await sweeper.register()
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
    sweeper = Sweeper(two)
    await sweeper.settle()
    await Sweeper(one).register()
    await one.advance(800)
    times = {room: one.rooms._actors[room].table_time() for room in rooms}
    await one.task(one.rooms.drain())
    await sweeper.register()
    assert {room: actor.table_time() for room, actor in two.rooms._actors.items()} == times
    assert set(times) == rooms
    assert await two.store.rooms_of(one.identity.incarnation) == []


async def test_a_full_hub_takes_no_more(start: Start) -> None:
    """What does not fit falls to the others, or waits for a visitor."""
    one, two = await start("one"), await start("two")
    for _ in range(8):
        await begin_table(one)
    two.rooms._limits = make_room_limits(rooms=3)
    sweeper = Sweeper(two)
    await sweeper.settle()
    await die(one, two)
    await sweeper.register()
    assert sweeper.taken == 3
    await sweeper.register()
    assert (sweeper.taken, sweeper.orphans.describe().cores) == (3, 0)


async def test_the_earliest_windows_come_first(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """If there are more rooms than can be taken within seconds."""
    monkeypatch.setattr(sweep, "IN_TIME", 3)
    monkeypatch.setattr(sweep, "AT_ONCE", 1)
    one, two = await start("one"), await start("two")
    rooms = []
    for _ in range(6):
        rooms.append(await begin_table(one, timers="fast"))
        await one.advance(100)
    sweeper = Sweeper(two)
    await sweeper.settle()
    await die(one, two)
    await sweeper.register()
    assert list(two.rooms._actors) == rooms


async def test_hubs_take_what_they_carry(start: Start) -> None:
    """Hubs differ in a game's rules: the others leave its tables to those that have them."""
    one, two, three = [await start(name) for name in ("one", "two", "three")]
    for _ in range(8):
        await begin_table(one)
    older, newer = Sweeper(two, games={"shares": RULES["shares"]}), Sweeper(three)
    for sweeper in (older, newer) * (STEADY + 2):
        await sweeper.register()
    await die(one, two)
    await older.register()
    await newer.register()
    assert (older.taken, newer.taken) == (0, 8)


async def test_a_closed_table_is_left_alone(start: Start) -> None:
    """O6: and its hub is forgotten all the same."""
    one, two = await start("one"), await start("two")
    closed, other = await begin_table(one), await begin_table(one)
    two.rooms._closures = lambda: {closed}
    sweeper = Sweeper(two)
    await sweeper.settle()
    await die(one, two)
    for _ in range(3):
        await sweeper.register()
    assert list(two.rooms._actors) == [other]
    assert (await two.store.register("x", sweeper.orphans.describe())).lapsed == []


async def test_a_store_that_is_away(start: Start, store: StoreProcess) -> None:
    """It is logged, and nothing is taken until the hub has registered for as long as a lease again."""
    one, two = await start("one"), await start("two")
    await begin_table(one)
    sweeper = Sweeper(two)
    await sweeper.settle()
    await die(one, two)
    store.kill()
    await sweeper.register()
    store.start()
    await sweeper.register()
    assert sweeper.taken == 0
    await sweeper.settle()
    assert sweeper.taken == 1


async def test_a_take_without_an_answer_is_tried_again(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """The store has given this hub the room, so nobody else would look at it."""
    one, two = await start("one"), await start("two")
    room = await begin_table(one)
    sweeper = Sweeper(two)
    await sweeper.settle()
    await die(one, two)

    async def lose(room: str) -> list[bytes]:
        raise StoreUnavailable("the answer was lost")

    with monkeypatch.context() as lost:
        lost.setattr(two.store, "log", lose)
        await sweeper.register()
    assert not two.rooms.is_awake(room)
    await sweeper.register()
    assert two.rooms.is_awake(room)
    assert sweeper.taken == 1
