"""A store, hubs that can be killed anywhere, and the clock they share."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

import pytest

from hub.store.binary import find_binary
from tests.harness.faults import Clock, FaultyHub
from tests.harness.processes import StoreProcess

BUNDLED: Final = asyncio.run(find_binary())

Hubs: TypeAlias = Callable[..., FaultyHub]


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a path short enough for sockets."""
    with tempfile.TemporaryDirectory(prefix="parley-") as path:
        yield Path(path)


@pytest.fixture
def store(folder: Path) -> Iterator[StoreProcess]:
    (folder / "store").mkdir()
    with StoreProcess(BUNDLED, folder / "store") as process:
        yield process


@pytest.fixture
def clock(folder: Path) -> Clock:
    return Clock(folder)


@pytest.fixture
def hubs(folder: Path, store: StoreProcess) -> Iterator[Hubs]:
    """Starts hubs on the store. `url`: another address for the store; `clock`: the hub's clock;
    `takes_orphans`: whether the hub takes the rooms of dead ones unasked."""
    with ExitStack() as running:

        def start(
            url: str | None = None, clock: Clock | None = None, takes_orphans: bool = True, **settings: str
        ) -> FaultyHub:
            hub = FaultyHub(
                folder, clock, takes_orphans=takes_orphans, redis_url=url or store.url, **settings
            )
            return running.enter_context(hub)

        yield start


@pytest.fixture
def passive_hubs(hubs: Hubs) -> Hubs:
    """Hubs that take a room only for a visitor, for tests that say who takes it, and when."""
    return partial(hubs, takes_orphans=False)
