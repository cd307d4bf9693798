"""A hub on a real store of its own, with time advanced by the test."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path

import pytest
import pytest_asyncio

from games import GAMES
from games.api import Registration
from hub.store.binary import find_binary
from tests.harness.processes import StoreProcess
from tests.harness.small_hub import SmallHub, manual_clock, stepping
from tests.runtime.fleet_members import Start


@pytest_asyncio.fixture
async def store() -> AsyncIterator[StoreProcess]:
    binary = await find_binary()
    with (
        tempfile.TemporaryDirectory(prefix="parley-") as folder,
        StoreProcess(binary, Path(folder)) as process,
    ):
        yield process


@pytest.fixture
def steps() -> Iterator[None]:
    with stepping():
        yield


@pytest_asyncio.fixture
async def hub(steps: None, store: StoreProcess) -> AsyncIterator[SmallHub]:
    hub = await SmallHub("one", manual_clock()).open(store.url, "a:")
    yield hub
    await hub.close()


@pytest_asyncio.fixture
async def start(steps: None, store: StoreProcess) -> AsyncIterator[Start]:
    """Starts hubs that share the store and the clock."""
    clock, hubs = manual_clock(), []

    async def start(name: str, games: Mapping[str, Registration] = GAMES) -> SmallHub:
        hubs.append(await SmallHub(name, clock, games).open(store.url, "a:"))
        return hubs[-1]

    yield start
    for hub in hubs:
        await hub.close()
