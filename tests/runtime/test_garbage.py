"""Garbage is collected while the hub is idle (G8)."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from hub.runtime.garbage import MAX_IDLE, collect_when_idle
from hub.telemetry.metrics import Metrics
from hub.telemetry.tasks import Tasks
from tests.harness.manual_clock import ManualClock


class Cyclic:
    """An object that refers to itself, so that only a collection frees it."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def no_other_collections() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


@pytest.mark.asyncio
@pytest.mark.parametrize(("rooms", "people"), [(0, 0), (MAX_IDLE - 1, 1), (MAX_IDLE, 1), (1, MAX_IDLE)])
async def test_only_an_idle_hub_collects_garbage(rooms: int, people: int) -> None:
    clock, metrics = ManualClock(), Metrics()
    metrics.rooms, metrics.seats = rooms, people
    async with Tasks() as tasks:
        tasks.start("garbage", collect_when_idle(clock, metrics))
        await clock.asleep()
        left = weakref.ref(Cyclic())
        await clock.wake()
        await clock.until(lambda: len(clock.slept) == 2)
        assert (left() is None) == (rooms + people <= MAX_IDLE)
