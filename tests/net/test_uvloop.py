"""A short version of other tests, run on the hub's uvloop rather than on asyncio's own loop."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import uvloop

from hub.store.embedded import Embedded
from hub.store.pipe import CommitPipe, Result
from hub.store.store import Store
from hub.telemetry.tasks import Tasks
from tests.harness.defaults import DEFAULTS
from tests.harness.fault_proxy import Fault, FaultProxy
from tests.harness.owner import Owner
from tests.harness.processes import StoreProcess


def run(work: Coroutine[Any, Any, None]) -> None:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(work)


def test_commits(store_process: StoreProcess, prefix: str) -> None:
    async def commits() -> None:
        upstream = store_process.socket
        async with Tasks() as tasks, FaultProxy(upstream, folder=upstream.parent) as proxy:
            store = await Store.open(proxy.url, prefix=prefix, forget_days=DEFAULTS.forget_days)
            pipe = CommitPipe(proxy.url, tasks, prefix=prefix)
            await pipe.connect()
            owners = [Owner(f"hub{n}", store, pipe) for n in range(3)]
            for owner in owners:
                assert await owner.create(owner.hub.incarnation)
            for fault in (Fault.CUT_BEFORE, Fault.CUT_AFTER, Fault.REPEAT_REPLY):
                proxy.plan(fault, skip=1)
                verdicts = await asyncio.gather(*(owner.commit(b"x" * 5000) for owner in owners))
                assert Result.FENCED not in verdicts
            for owner in owners:
                assert await store.log(owner.room) == [b"x" * 5000] * 3
            await pipe.close()
            await store.close()

    run(commits())


def test_the_bundled_store(short_path: Path) -> None:
    async def use() -> None:
        async with Tasks() as tasks:
            embedded = Embedded(short_path / "data", ack="fsync")
            url = await embedded.start(tasks)
            store = await Store.open(url, ack="fsync", forget_days=DEFAULTS.forget_days)
            pipe = CommitPipe(url, tasks, ack="fsync")
            await pipe.connect()
            owner = Owner("one", store, pipe)
            assert await owner.create("r")
            assert await owner.commit(b"a") is Result.APPLIED
            os.kill(embedded.pid or 0, signal.SIGKILL)
            assert await owner.commit(b"b") in (Result.APPLIED, Result.ALREADY)
            assert await store.log("r") == [b"a", b"b"]
            assert embedded.restarts == 1
            await pipe.close()
            await store.close()
            await embedded.stop()

    run(use())
