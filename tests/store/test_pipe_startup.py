"""Connecting the commit pipe to a store."""

from __future__ import annotations

from pathlib import Path

import pytest

from hub.config import CannotStart
from hub.store.pipe import Backoff, CommitPipe
from hub.telemetry.tasks import Tasks
from tests.harness.processes import StoreProcess
from tests.store.contents import raw_client

pytestmark = pytest.mark.asyncio


async def test_a_store_that_cannot_be_reached(short_path: Path) -> None:
    async with Tasks() as tasks:
        pipe = CommitPipe(f"unix://{short_path}/none", tasks)
        with pytest.raises(CannotStart, match=r"cannot be reached"):
            await pipe.connect()


async def test_wrong_password(own_store: StoreProcess) -> None:
    async with raw_client(own_store) as raw, Tasks() as tasks:
        await raw.config_set("requirepass", "right")
        for url in (f"unix://{own_store.socket}", f"unix://:wrong@{own_store.socket}"):
            with pytest.raises(CannotStart, match="refuses the connection"):
                await CommitPipe(url, tasks).connect()
        pipe = CommitPipe(f"unix://default:right@{own_store.socket}?db=3", tasks)
        await pipe.connect()
        assert pipe.healthy
        await pipe.close()


@pytest.mark.parametrize("url", ["redis+ring://a", "http://a", "nonsense"])
async def test_invalid_urls(url: str) -> None:
    async with Tasks() as tasks:
        with pytest.raises(CannotStart, match="PARLEY_REDIS_URL"):
            CommitPipe(url, tasks)


async def test_backoff_doubles_to_a_bound() -> None:
    backoff = Backoff(0.1, 1.0)
    waits = [backoff.next_delay() for _ in range(6)]
    for wait, most in zip(waits, (0.1, 0.2, 0.4, 0.8, 1.0, 1.0), strict=True):
        assert most / 2 <= wait <= most
    backoff.reset()
    assert backoff.next_delay() <= 0.1
