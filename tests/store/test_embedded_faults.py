"""A bundled store that is damaged, hung, short of space or cannot be started is reported with what to do."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from hub.clock import LoopClock
from hub.config import CannotStart, Exit
from hub.store.diagnosis import diagnose
from hub.store.embedded import MAX_BACKOFF, POLL_SECONDS, RESTART_SECONDS, START_SECONDS, Embedded
from hub.telemetry.tasks import Tasks
from tests.harness.manual_clock import ManualClock
from tests.harness.processes import ROOT, Process
from tests.store.bundled_store import SILENT, passing, refusal, running, until_restarted
from tests.tools.programs import write_program

pytestmark = pytest.mark.asyncio


def contents(folder: Path) -> dict[str, str]:
    """A hash of every file in the folder, by path."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


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
    async with Tasks(lambda name, error, _: over.set_result(error)) as tasks:
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
    assert RESTART_SECONDS - 10 < clock.skipped < RESTART_SECONDS + MAX_BACKOFF
    assert len([entry for entry in logs if "trying again" in entry["event"]]) >= 60 / MAX_BACKOFF


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
            await until_restarted(store, 1)
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
