"""The servers under load: the hub with its own store, the floor and the echo; each is a context manager."""

from __future__ import annotations

import contextlib
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.machine import BENCH, CannotMeasure, children, pin

ROOT: Final = BENCH.parent
READY_SECONDS: Final = 30.0
END_SECONDS: Final = 20.0
UNLIMITED: Final = dict.fromkeys(
    ("PARLEY_RATE", "PARLEY_SOCKETS_PER_PLACE", "PARLEY_SOCKETS_PER_PERSON", "PARLEY_WATCHERS_PER_TABLE"),
    "1000000",
)


@dataclass(frozen=True)
class Running:
    """A server: its port, its process, and the process of its store (its own if it has none)."""

    port: int
    pid: int
    store: int
    store_url: str = ""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def hub(server_core: int, load_core: int) -> Iterator[Running]:
    """`parley serve` with its defaults, except for the limits on messages and sockets."""
    with (
        tempfile.TemporaryDirectory(prefix="parley-bench-") as folder,
        hub_at(Path(folder), 0, server_core, load_core) as running,
    ):
        yield running


@contextlib.contextmanager
def hub_at(folder: Path, port: int, server_core: int, load_core: int) -> Iterator[Running]:
    """Like `hub`, with its tables in this folder and on this port (0: any free one)."""
    settings = {"PARLEY_DATA": str(folder), "PARLEY_LOG_LEVEL": "warning", **UNLIMITED}
    command = [sys.executable, "-m", "hub", "serve", "--port", str(port)]
    with _start(command, r"is ready: http://127\.0\.0\.1:(\d+)", settings) as (process, ready):
        (store,) = children(process.pid)
        pin(process.pid, server_core)
        pin(store, load_core)
        yield Running(int(ready[1]), process.pid, store, f"unix://{folder}/store/store.sock")


@contextlib.contextmanager
def public_hub(version: Path, server_core: int, load_core: int) -> Iterator[Running]:
    """`parley serve` of the version in a folder, with its defaults, on every address of this machine."""
    with tempfile.TemporaryDirectory(prefix="parley-bench-") as folder:
        settings = {"PARLEY_DATA": folder, "PARLEY_LOG_LEVEL": "warning"}
        python = str(version / ".venv" / "bin" / "python")
        command = [python, "-m", "hub", "serve", "--port", "0", "--host", "0.0.0.0"]
        with _start(command, r"is ready: http://127\.0\.0\.1:(\d+)", settings, version) as (process, ready):
            (store,) = children(process.pid)
            pin(process.pid, server_core)
            pin(store, load_core)
            yield Running(int(ready[1]), process.pid, store)


@contextlib.contextmanager
def start_shared_store(folder: Path, binary: Path, core: int) -> Iterator[Running]:
    """A store that several hubs may share; it syncs its file every second, as the bundled one does."""
    folder.mkdir()
    port = free_port()
    command = [str(binary), "--port", str(port), "--dir", str(folder), "--save", "", "--appendonly", "yes"]
    with _start(command, "Ready to accept connections") as (process, _):
        pin(process.pid, core)
        yield Running(port, process.pid, process.pid, f"redis://127.0.0.1:{port}")


@contextlib.contextmanager
def start_fleet_hub(folder: Path, store: Running, core: int) -> Iterator[Running]:
    """`parley serve` on a store that it may share, with its defaults except for the limits."""
    settings = {
        "PARLEY_DATA": str(folder),
        "PARLEY_LOG_LEVEL": "warning",
        "PARLEY_REDIS_URL": store.store_url,
        "PARLEY_SECRET": "bench " * 8,
        **UNLIMITED,
    }
    command = [sys.executable, "-m", "hub", "serve", "--port", "0"]
    with _start(command, r"is ready: http://127\.0\.0\.1:(\d+)", settings) as (process, ready):
        pin(process.pid, core)
        yield Running(int(ready[1]), process.pid, store.pid, store.store_url)


@contextlib.contextmanager
def floor(program: Path, mover_bytes: float, other_bytes: float, core: int) -> Iterator[Running]:
    """A server that does the least possible work to send frames of these sizes (floor.c)."""
    port = free_port()
    command = [str(program), str(port), str(round(mover_bytes)), str(round(other_bytes))]
    with _start(command, "ready") as (process, _):
        pin(process.pid, core)
        yield Running(port, process.pid, process.pid)


@contextlib.contextmanager
def echo(core: int) -> Iterator[Running]:
    """The hub's socket stack with nothing behind it."""
    port = free_port()
    with _start([sys.executable, "-m", "bench.echo", str(port)], "ready") as (process, _):
        pin(process.pid, core)
        yield Running(port, process.pid, process.pid)


@contextlib.contextmanager
def _start(
    command: list[str], ready: str, settings: Mapping[str, str] | None = None, folder: Path = ROOT
) -> Iterator[tuple[subprocess.Popen[str], re.Match[str]]]:
    """Starts a process, waits until its output matches `ready`, and terminates it afterwards."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PARLEY_")}
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        text=True,
        cwd=folder,
        env={**clean, **(settings or {})},
        start_new_session=True,
    )
    try:
        yield process, _wait(process, command, ready)
    finally:
        process.terminate()
        try:
            process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        assert process.stdout is not None
        process.stdout.close()


def _wait(process: subprocess.Popen[str], command: list[str], ready: str) -> re.Match[str]:
    assert process.stdout is not None
    end = time.monotonic() + READY_SECONDS
    for line in process.stdout:
        if match := re.search(ready, line):
            return match
        if time.monotonic() > end:
            break
    raise CannotMeasure(f"{' '.join(command)} did not become ready: its output is above.")
