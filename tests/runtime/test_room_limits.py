"""How many rooms a hub keeps awake: in all, by network and by person (G8.9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from games import GAMES
from games.almost.rules.game import ALMOST
from hub.runtime.deadlines import EMPTY_TIMEOUT_MS
from hub.runtime.placement import HubFull, TooManyTables, Unavailable
from hub.runtime.room_limits import RoomLimits
from hub.telemetry.tasks import Tasks
from hub.wire.limits import Creator
from tests.runtime.test_registry import Hub
from tests.secrecy.pair import ROOM, new_table

ASYNC = pytest.mark.asyncio
LAPTOP, PHONE = "203.0.113.7", "203.0.113.8"


@pytest.fixture
def limited() -> Counter[str]:
    return Counter()


def test_a_person_creates_so_many(limited: Counter[str]) -> None:
    """From this machine, too, and whichever network they use."""
    limits = RoomLimits(limited, per_person=2)
    limits.take(Creator(None, "ann"))
    limits.take(Creator(LAPTOP, "ann"))
    with pytest.raises(TooManyTables, match="You have 2 tables open"):
        limits.take(Creator(PHONE, "ann"))
    limits.take(Creator(LAPTOP, "bea"))
    limits.give_back(Creator(LAPTOP, "ann"))
    limits.take(Creator(PHONE, "ann"))
    assert limited == {"person rooms": 1}


def test_a_network_creates_a_tenth(limited: Counter[str]) -> None:
    """However many people it claims to be; this machine may create all."""
    limits = RoomLimits(limited, rooms=25)
    for person in ("ann", "bea"):
        limits.take(Creator(LAPTOP, person))
    with pytest.raises(TooManyTables, match="Your network has 2 tables open"):
        limits.take(Creator(LAPTOP, "cat"))
    limits.take(Creator(PHONE, "cat"))
    for number in range(22):
        limits.take(Creator(None, f"{number}"))
    with pytest.raises(HubFull):
        limits.take(Creator(None, "dee"))
    assert limited == {"network rooms": 1, "rooms": 1}


def test_small_hubs_have_room_for_everybody(limited: Counter[str]) -> None:
    limits = RoomLimits(limited, rooms=3)
    limits.take(Creator(LAPTOP, "ann"))
    limits.take(Creator(PHONE, "bea"))


def test_refusals_take_nothing(limited: Counter[str]) -> None:
    limits = RoomLimits(limited, rooms=1, per_person=1)
    limits.take(Creator(LAPTOP, "ann"))
    for creator in (Creator(LAPTOP, "ann"), Creator(LAPTOP, "bea"), Creator(PHONE, "bea")):
        with pytest.raises((HubFull, TooManyTables)):
            limits.take(creator)
    limits.give_back(Creator(LAPTOP, "ann"))
    assert (limits._rooms, +limits._by_network, +limits._by_person) == (0, {}, {})


@pytest_asyncio.fixture
async def hub() -> AsyncIterator[Hub]:
    async with Tasks() as tasks:
        hub = Hub(GAMES, tasks)
        hub.rooms._limits = RoomLimits(hub.metrics.limited, rooms=20, per_person=3)
        yield hub
        assert tasks.failures == 0


@ASYNC
async def test_a_room_counts_while_it_is_awake(hub: Hub) -> None:
    """R7: a room that falls asleep frees its creator's share."""
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
async def test_a_room_that_wakes_counts_against_the_hub_alone(hub: Hub) -> None:
    """A full hub wakes nobody's room; the room can be woken once there is space."""
    hub.rooms._limits = RoomLimits(hub.metrics.limited, rooms=1)
    placed = await hub.create(network=LAPTOP)
    with pytest.raises(HubFull):
        await hub.put(new_table(ALMOST, 3, {}))
    hub.rooms._actors[placed.room].stop("asleep")
    await hub.settle()
    actor = await hub.finish(hub.rooms.find(ROOM))
    assert actor.creator == Creator(None, ROOM)
    with pytest.raises(HubFull):
        await hub.create(network=LAPTOP)
    assert hub.metrics.limited == {"rooms": 2}
