"""The bundled store dies with its hub; if it does not, the next hub on the folder ends it."""

from __future__ import annotations

import asyncio
import fcntl
import os
import signal
import sys
from collections.abc import MutableMapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import redis.asyncio
from structlog.testing import capture_logs

from hub.config import Exit
from hub.store import embedded
from hub.store.embedded import Embedded
from hub.telemetry.tasks import Tasks
from tests.harness.manual_clock import ManualClock
from tests.harness.processes import ROOT, Process, read_state
from tests.store.bundled_store import SILENT, passing, refusal, running

pytestmark = pytest.mark.asyncio


HUB = """
import asyncio, sys
from pathlib import Path
from hub.config import Ack
from hub.store.embedded import Embedded
from hub.telemetry.tasks import Tasks

async def main() -> None:
    async with Tasks() as tasks:
        store = Embedded(Path(sys.argv[1]))
        await store.start(tasks)
        print("ready", store.pid, flush=True)
        await asyncio.Event().wait()

asyncio.run(main())
"""


def hub_process(data: Path) -> Process:
    return Process([sys.executable, "-c", HUB, data], ready=r"ready (\d+)", folder=ROOT)


@pytest.mark.skipif(sys.platform != "linux", reason="parent-death signals are Linux's")
async def test_it_dies_with_its_hub(short_path: Path) -> None:
    """When the hub is killed with SIGKILL, the server shuts down cleanly, and the next hub waits for that."""
    with hub_process(short_path / "data") as hub:
        client = redis.asyncio.Redis.from_url(f"unix://{short_path}/data/store/store.sock")
        async with client:
            await client.set("a", "b")
        watch = os.pidfd_open(int(hub.ready[1]))
        hub.kill()
        async with running(short_path / "data") as (_, client):
            assert await client.get("a") == b"b"
        gone = asyncio.Event()
        loop = asyncio.get_running_loop()
        loop.add_reader(watch, gone.set)
        await gone.wait()
        loop.remove_reader(watch)
        os.close(watch)


async def test_an_orphaned_server_is_shut_down(short_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a parent-death signal, the next hub on the folder shuts the old server down."""
    monkeypatch.setattr(embedded, "_die_with_parent", lambda: None)
    monkeypatch.setattr(embedded, "START_SECONDS", float("inf"))  # the new server starts in real time
    data = short_path / "data"
    clock = ManualClock()
    async with Tasks() as tasks:
        orphaned = Embedded(data)
        await orphaned.start(tasks)
        process = orphaned._process
        assert process is not None

        async def leaves() -> None:
            """Lets time pass until the server is told to exit; then lets it take the time it needs."""
            for _ in range(200):
                await clock.wake()
            await process.wait()
            while True:
                await clock.wake()

        abandon(orphaned)
        passing = tasks.start("time", leaves())
        heir = Embedded(data, clock=clock)
        await heir.start(tasks)
        passing.cancel()
        assert process.returncode == 0
        assert heir.pid != orphaned.pid
        await heir.stop()
        await orphaned.stop()


def abandon(store: Embedded) -> None:
    """Leave the server without a hub, as SIGKILL does where there is no parent-death signal."""
    assert store._supervisor is not None
    store._supervisor.cancel()
    for lock in store._locks:
        os.close(lock)
    store._locks.clear()


def killed(logs: Sequence[MutableMapping[str, Any]]) -> list[int]:
    """The processes that were killed, as the log tells."""
    return [entry["pid"] for entry in logs if "killed" in entry["event"]]


def is_running(pid: int) -> bool:
    """Whether a process still has its files open: neither gone nor a zombie."""
    try:
        return read_state(pid) not in "ZX"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="the proof of whose server it is comes from /proc")
async def test_a_hung_server_of_a_killed_hub_is_killed(short_path: Path) -> None:
    """SIGSTOP stands for a disk that hangs. The hub is killed for real, and its data is kept."""
    data = short_path / "data"
    async with Tasks() as tasks:
        with hub_process(data) as hub:
            async with redis.asyncio.Redis.from_url(f"unix://{data}/store/store.sock") as client:
                await client.set("a", "b")
            pid = int(hub.ready[1])
            os.kill(pid, signal.SIGSTOP)
            hub.kill()
        clock = ManualClock()
        heir = Embedded(data, clock=clock)
        with capture_logs() as logs:
            # the machine takes its time to end a process that was killed
            async with passing(clock, tasks, lambda: bool(killed(logs)) and is_running(pid)):
                heir._prepare()
                await heir._lock()
        assert clock.time() - 1000 >= 10
        assert killed(logs) == [pid]
        await heir.stop()
    async with running(data) as (_, client):
        assert await client.get("a") == b"b"


@pytest.mark.skipif(sys.platform != "linux", reason="the proof of whose server it is comes from /proc")
async def test_a_strangers_server_is_not_killed(short_path: Path) -> None:
    """It has the socket, but not the folder's lock, which somebody else holds: nothing is proved."""
    data = short_path / "data"
    (data / "store").mkdir(parents=True)
    stranger = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        SILENT,
        data / "store" / "store.sock",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert stranger.stdout is not None
    await stranger.stdout.readline()
    clock = ManualClock()
    with (data / "store" / "server.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        async with Tasks() as tasks, passing(clock, tasks):
            problem = await refusal(data, clock=clock)
    assert problem.exit is Exit.DATA
    assert "a previous hub" in problem.advice
    assert stranger.returncode is None
    stranger.kill()
    await stranger.wait()
