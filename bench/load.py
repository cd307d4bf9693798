"""The load generator (load.c), driven over its standard input."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import msgspec

from bench.machine import CannotMeasure, pin
from bench.servers import Running
from bench.tables import Table

WARM_SECONDS: Final = 0.5


class Play(msgspec.Struct, frozen=True):
    """What one run of play has shown. `..._us` is CPU per command, `..._cpu` cores used, `..._core` how busy
    that core was with everything on this machine."""

    seconds: float
    commands: int
    frames: int
    watcher_frames: int
    mover_bytes: float
    other_bytes: float
    server_us: float
    store_us: float
    server_cpu: float
    store_cpu: float
    load_cpu: float
    server_core: float
    load_core: float
    p50_ms: float
    p99_ms: float

    @property
    def others(self) -> float:
        """Cores' worth of work by programs that do not belong to the bench, on the two cores together."""
        store = 0 if self.store_us == self.server_us else self.store_cpu
        return max(0.0, self.server_core + self.load_core - self.server_cpu - store - self.load_cpu)


class Load:
    """Sockets at these tables of a server, on the load's core."""

    def __init__(
        self, program: Path, server: Running, tables: Sequence[Table], server_core: int, load_core: int
    ) -> None:
        self._tables = tables
        self._process = subprocess.Popen(
            [program, *map(str, (server.port, server.pid, server.store, server_core, load_core))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        pin(self._process.pid, load_core)
        for table in tables:
            self._send(f"room {table.kind} {len(table.seats)} {len(table.watchers)}")
            for socket in (*table.seats, *table.watchers):
                self._send(f"{socket.path} {socket.ticket}")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()

    def open(self) -> None:
        """Connects every socket, and waits until each has its view."""
        self._prompt("open")

    def start(self) -> None:
        """Starts the games."""
        self._prompt("start")

    def play(self, rooms: int, *, flight: int = 1, rate: float = 0, seconds: float) -> Play:
        """Play in the first `rooms`: `rate` commands a second in all, or (0) as fast as answers come."""
        return msgspec.json.decode(
            self._prompt(f"play {rooms} {flight} {rate} {WARM_SECONDS} {seconds}"), type=Play
        )

    def _prompt(self, command: str) -> str:
        self._send(command)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise CannotMeasure(f"The load gave up at `{command}`: what it said stands above.")
        json.loads(answer)
        return answer

    def _send(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
