"""The load generator (load.c), driven through its standard input."""

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
    """The figures of one run.

    `..._us` is CPU per command in microseconds, `..._cpu` the number of cores used, and `..._core` the share
    of its core used by all programs together, from 0 to 1.
    """

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
        """The work that other programs did on the two cores, as a number of busy cores."""
        store = 0 if self.store_us == self.server_us else self.store_cpu
        return max(0.0, self.server_core + self.load_core - self.server_cpu - store - self.load_cpu)


class Load:
    """Sockets at these tables on a server, served by load.c on the load's core."""

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
        """Connects every socket and waits until each has its view."""
        self._request("open")

    def start(self) -> None:
        """Starts the games."""
        self._request("start")

    def play(
        self, rooms: int, *, flight: int = 1, rate: float = 0, seconds: float, warm: float = WARM_SECONDS
    ) -> Play:
        """Plays in the first `rooms` rooms, with `flight` commands of each in flight.

        `rate` is the total number of commands per second; 0 means as fast as answers arrive. `warm` is how
        many seconds it plays before it counts.
        """
        request = f"play {rooms} {flight} {rate} {warm} {seconds}"
        return msgspec.json.decode(self._request(request), type=Play)

    def _request(self, command: str) -> str:
        self._send(command)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise CannotMeasure(f"The load failed at `{command}`: its output is above.")
        json.loads(answer)
        return answer

    def _send(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
