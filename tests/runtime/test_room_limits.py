"""Limits on the rooms a hub keeps awake: in all, by site and by person (G8.13)."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from games import GAMES
from games.almost.rules.game import ALMOST
from hub.runtime.deadlines import EMPTY_TIMEOUT_MS
from hub.runtime.overload import Level, Overload
from hub.runtime.placement import HubFull, NoSuchRoom, Placed, TooManyTables, Unavailable
from hub.telemetry.tasks import Tasks
from hub.wire.limits import Opener
from tests.harness.defaults import make_room_limits
from tests.runtime.test_registry import Hub
from tests.secrecy.pair import ROOM, new_table

ASYNC = pytest.mark.asyncio
LAPTOP, PHONE = "203.0.113.7", "198.51.100.8"


@pytest.fixture
def limited() -> Counter[str]:
    return Counter()


def test_rooms_created_by_a_person_are_limited(limited: Counter[str]) -> None:
    """From this machine, too, and whichever network they use."""
    limits = make_room_limits(limited, per_person=2)
    limits.take(Opener(None, "ann"))
    limits.take(Opener(LAPTOP, "ann"))
    with pytest.raises(TooManyTables, match="You have 2 tables open"):
        limits.take(Opener(PHONE, "ann"))
    limits.take(Opener(LAPTOP, "bea"))
    limits.give_back(Opener(LAPTOP, "ann"))
    limits.take(Opener(PHONE, "ann"))
    assert limited == {"person rooms": 1}


def test_a_network_may_create_a_tenth_of_the_rooms(limited: Counter[str]) -> None:
    """The number of people in it makes no difference; this machine may create all of a hub's rooms."""
    limits = make_room_limits(limited, rooms=25)
    for person in ("ann", "bea"):
        limits.take(Opener(LAPTOP, person))
    with pytest.raises(TooManyTables, match="Your network has 2 tables open"):
        limits.take(Opener(LAPTOP, "cat"))
    limits.take(Opener(PHONE, "cat"))
    for number in range(22):
        limits.take(Opener(None, f"{number}"))
    with pytest.raises(HubFull):
        limits.take(Opener(None, "dee"))
    assert limited == {"network rooms": 1, "rooms": 1}


def test_an_overloaded_hub_creates_no_rooms_and_wakes_all(limited: Counter[str]) -> None:
    """G8.21: it creates them again once that is over."""
    overload = Overload()
    limits = make_room_limits(limited, overload=overload)
    overload.level = Level.REFUSE_TABLES
    with pytest.raises(HubFull, match="too much to do") as refused:
        limits.take(Opener(PHONE, "ann"))
    assert refused.value.wait == 10
    assert overload.spared[Level.REFUSE_TABLES] > 0
    limits.take(Opener(PHONE, "ann"), waking=True)
    overload.level = Level.SLOW_LOBBY
    limits.take(Opener(PHONE, "ann"))
    assert limited == {"overload tables": 1}


def test_a_site_has_one_share_for_all_its_networks(limited: Counter[str]) -> None:
    """G8.13: an IPv6 /48 has 65,536 networks."""
    limits = make_room_limits(limited, rooms=25)
    for number in range(2):
        limits.take(Opener(f"2001:db8:5:{number}::/64", f"p-{number}"))
    with pytest.raises(TooManyTables):
        limits.take(Opener("2001:db8:5:2::/64", "p-2"))
    limits.take(Opener("2001:db8:6::/64", "p-2"))
    limits.give_back(Opener("2001:db8:5:1::/64", "p-1"))
    limits.take(Opener("2001:db8:5:2::/64", "p-3"))


def test_small_hubs_have_room_for_everybody(limited: Counter[str]) -> None:
    limits = make_room_limits(limited, rooms=3)
    limits.take(Opener(LAPTOP, "ann"))
    limits.take(Opener(PHONE, "bea"))


def test_a_person_wakes_any_number(limited: Counter[str]) -> None:
    """But cannot create another while they are awake."""
    limits = make_room_limits(limited, per_person=2)
    for _ in range(3):
        limits.take(Opener(LAPTOP, "ann"), waking=True)
    with pytest.raises(TooManyTables):
        limits.take(Opener(LAPTOP, "ann"))


def test_refusals_take_nothing(limited: Counter[str]) -> None:
    limits = make_room_limits(limited, rooms=1, per_person=1)
    limits.take(Opener(LAPTOP, "ann"))
    for opener in (Opener(LAPTOP, "ann"), Opener(LAPTOP, "bea"), Opener(PHONE, "bea")):
        with pytest.raises((HubFull, TooManyTables)):
            limits.take(opener)
    limits.give_back(Opener(LAPTOP, "ann"))
    assert (limits._rooms, +limits._by_site, +limits._by_person) == (0, {}, {})


@pytest_asyncio.fixture
async def hub() -> AsyncIterator[Hub]:
    async with Tasks() as tasks:
        hub = Hub(GAMES, tasks)
        hub.rooms._limits = make_room_limits(hub.metrics.limited, rooms=20, per_person=3)
        yield hub
        assert tasks.failures == 0


@ASYNC
async def test_a_room_counts_while_it_is_awake(hub: Hub) -> None:
    """R7: a room that falls asleep frees its opener's share."""
    for _ in range(2):
        await hub.create(network=LAPTOP)
    with pytest.raises(TooManyTables):
        await hub.create(network=LAPTOP)
    hub.advance(EMPTY_TIMEOUT_MS + 10)
    await hub.settle()
    assert not hub.rooms._actors
    assert hub.rooms._limits._rooms == 0
    for _ in range(2):
        await hub.create(network=LAPTOP)
    assert hub.metrics.limited == {"network rooms": 1}


@ASYNC
async def test_a_table_that_is_not_created_takes_nothing(hub: Hub) -> None:
    hub.store.away = True
    for _ in range(4):
        with pytest.raises(Unavailable):
            await hub.create(network=LAPTOP)
    hub.store.away = False
    await hub.create(network=LAPTOP)
    assert hub.rooms._limits._rooms == 1


@ASYNC
async def test_a_room_that_wakes_counts_against_whoever_wakes_it(hub: Hub) -> None:
    """Otherwise a network could create its share again and again, and wake all of it at once."""
    await hub.put(new_table(ALMOST, 3, {}))
    hub.rooms._actors[ROOM].stop("asleep")
    await hub.settle()
    actor = await hub.finish(hub.rooms.find(ROOM, Opener(LAPTOP, "ann")))
    assert actor.opener == Opener(LAPTOP, "ann")
    await hub.create(network=LAPTOP)
    with pytest.raises(TooManyTables):
        await hub.create(network=LAPTOP)
    actor.stop("asleep")
    placed = await hub.create(network=LAPTOP)
    with pytest.raises(TooManyTables):
        await hub.finish(hub.rooms.enter(ROOM, hub.person(1), LAPTOP))
    watching = await hub.finish(hub.rooms.enter(placed.room, hub.person(1), LAPTOP))  # it is awake already
    assert isinstance(watching, Placed)
    await hub.finish(hub.rooms.sit(ROOM, hub.person(1), 1, PHONE))
    assert hub.rooms._actors[ROOM].opener == Opener(PHONE, "person 1")
    assert hub.metrics.limited == {"network rooms": 2}


@ASYNC
async def test_a_full_hub_wakes_no_room(hub: Hub) -> None:
    """It can be woken once there is space; a room that is not found takes none."""
    hub.rooms._limits = make_room_limits(hub.metrics.limited, rooms=1)
    with pytest.raises(NoSuchRoom):
        await hub.finish(hub.rooms.find("r" * 22))
    placed = await hub.create(network=LAPTOP)
    with pytest.raises(HubFull):
        await hub.put(new_table(ALMOST, 3, {}))
    hub.rooms._actors[placed.room].stop("asleep")
    await hub.settle()
    await hub.finish(hub.rooms.find(ROOM))
    assert hub.metrics.limited == {"rooms": 1}
