"""One repeat of every measurement: each of the hub's figures alongside that of a floor."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from bench import servers
from bench.load import Load, Play
from bench.machine import CannotMeasure, pin, resident_kb
from bench.tables import SEATS, Hub, Table, bare_tables

ROOMS: Final = 250
FEW_ROOMS: Final = 50
CLOCKS: Final = 10
"""Idle tables whose windows run out; they show how late windows close under load."""
WATCHERS: Final = 1000
RATE: Final = 500
TOO_BUSY: Final = 0.9
"""If the load's core is busier than this, the load limits the measurement itself."""


@dataclass(frozen=True)
class Pace:
    """The length of one measurement in seconds, the number of repeats, and how many windows to wait for."""

    seconds: float
    repeats: int
    windows: int


@dataclass(frozen=True)
class Pair:
    """A measurement of the hub, and one of the floor in the same minute."""

    hub: Play
    floor: Play

    @property
    def honest(self) -> bool:
        """Whether the load's core was idle enough; otherwise the load was saturated, not the server."""
        return max(self.hub.load_core, self.floor.load_core) <= TOO_BUSY


@dataclass
class Repeat:
    """Every measurement once; commands are in rooms of four seats."""

    few: Pair
    many: Pair
    joined: Pair
    steady: Pair
    watched: Pair
    echo: Play
    append_us: float
    socket_kb: float
    late: dict[str, float] = field(default_factory=dict)
    """For each bound in seconds of table time, how many windows closed at most that late."""


def per_watcher_frame(play: Play) -> float:
    """Server CPU per frame sent to a watcher, in microseconds."""
    return play.server_us * play.commands / play.watcher_frames


@dataclass(frozen=True)
class Bench:
    """Everything needed to measure: the compiled programs, the cores and the pace."""

    load: Path
    floor: Path
    server_core: int
    load_core: int
    pace: Pace

    def repeat(self) -> Repeat:
        with servers.hub(self.server_core, self.load_core) as running:
            hub = Hub(running.port)
            tables = [hub.table() for _ in range(ROOMS)] + [hub.table("clock") for _ in range(CLOCKS)]
            hub.close()
            idle_kb = resident_kb(running.pid)
            with self._load(running, tables) as load:
                load.open()
                socket_kb = (resident_kb(running.pid) - idle_kb) / ((ROOMS + CLOCKS) * SEATS)
                with self._run_floor(load, ROOMS) as floor:
                    few = self._pair(load, floor, FEW_ROOMS)
                    many = self._pair(load, floor, ROOMS)
                    joined = self._pair(load, floor, ROOMS, flight=3)
                    steady = self._pair(load, floor, ROOMS, rate=RATE)
                append_us = self._append(running, tables[0])
            watched = self._measure_watched(running)
            hub = Hub(running.port)
            late = _lateness(hub.metrics())
            hub.close()
        return Repeat(few, many, joined, steady, watched, self._echo(), append_us, socket_kb, late)

    @contextmanager
    def _run_floor(self, load: Load, rooms: int, watchers: int = 0) -> Iterator[Load]:
        """Starts the games of `load` and yields the load of a floor whose frames are as large."""
        load.start()
        sizes = load.play(rooms, seconds=1.0)
        server = servers.floor(self.floor, sizes.mover_bytes, sizes.other_bytes, self.server_core)
        with server as running, self._load(running, bare_tables(rooms, SEATS, watchers)) as floor:
            floor.open()
            yield floor

    def _pair(self, hub: Load, floor: Load, rooms: int, *, flight: int = 1, rate: float = 0) -> Pair:
        seconds = self.pace.seconds

        def measure() -> Pair:
            return Pair(
                hub.play(rooms, flight=flight, rate=rate, seconds=seconds),
                floor.play(rooms, flight=flight, rate=rate, seconds=seconds),
            )

        pair = measure()
        return pair if pair.honest else measure()

    def _measure_watched(self, running: servers.Running) -> Pair:
        """One room with a thousand watchers."""
        hub = Hub(running.port)
        table = hub.table(watchers=WATCHERS)
        hub.close()
        with self._load(running, [table]) as load:
            load.open()
            with self._run_floor(load, 1, WATCHERS) as floor:
                return self._pair(load, floor, 1)

    def _echo(self) -> Play:
        with (
            servers.echo(self.server_core) as running,
            self._load(running, bare_tables(ROOMS, 1)) as load,
        ):
            load.open()
            return load.play(ROOMS, seconds=self.pace.seconds)

    def late(self) -> list[float]:
        """The lateness of each window on an otherwise idle hub, in milliseconds."""
        with servers.hub(self.server_core, self.load_core) as running:
            output = _run(self.load_core, "bench.late", str(running.port), str(self.pace.windows))
        return [float(milliseconds) for milliseconds in json.loads(output)]

    def _append(self, running: servers.Running, table: Table) -> float:
        room = table.seats[0].path.rpartition("/")[2]
        seconds = str(self.pace.seconds)
        output = _run(self.server_core, "bench.append", running.store_url, room, str(ROOMS), seconds)
        return float(json.loads(output)["us"])

    def _load(self, running: servers.Running, tables: Sequence[Table]) -> Load:
        return Load(self.load, running, tables, self.server_core, self.load_core)


def _run(core: int, module: str, *arguments: str) -> str:
    """Runs a module on this core and returns its output. Raises CannotMeasure if it fails."""
    process = subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        stdout=subprocess.PIPE,
        text=True,
        cwd=servers.ROOT,
        start_new_session=True,
    )
    pin(process.pid, core)
    output, _ = process.communicate()
    if process.returncode != 0:
        raise CannotMeasure(f"{module} failed: its output is above.")
    return output


def _lateness(metrics: str) -> dict[str, float]:
    buckets = re.findall(r'^parley_window_late_seconds_bucket\{le="([^"]+)"\} (\S+)$', metrics, re.MULTILINE)
    return {bound: float(count) for bound, count in buckets}
