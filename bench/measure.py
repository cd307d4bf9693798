"""One repeat of every measurement: the hub, and right beside each figure the floor to hold it against."""

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
from bench.tables import SEATS, Hub, Table, bare

ROOMS: Final = 250
FEW_ROOMS: Final = 50
CLOCKS: Final = 10
"""Tables nobody plays at, whose windows end by themselves: how late are they closed under load?"""
WATCHERS: Final = 1000
RATE: Final = 500
TOO_BUSY: Final = 0.9
"""A core of the load that is busier than this measures itself."""


@dataclass(frozen=True)
class Pace:
    """How long one measurement takes, how often all are repeated, and how many windows are waited for."""

    seconds: float
    repeats: int
    windows: int


@dataclass(frozen=True)
class Pair:
    """What the hub took, and the floor in the same minute."""

    hub: Play
    floor: Play

    @property
    def honest(self) -> bool:
        """Whether the load had a core to itself, more or less: else saturation is its own."""
        return max(self.hub.load_core, self.floor.load_core) <= TOO_BUSY


@dataclass
class Repeat:
    """Every measurement once. Commands are those of rooms of four, unless said otherwise."""

    few: Pair
    many: Pair
    joined: Pair
    steady: Pair
    watched: Pair
    echo: Play
    append_us: float
    socket_kb: float
    late: dict[str, float] = field(default_factory=dict)
    """Windows closed, by how late at most (seconds of table time)."""


def per_watcher_frame(play: Play) -> float:
    """Server CPU per frame sent to a watcher, in microseconds."""
    return play.server_us * play.commands / play.watcher_frames


@dataclass(frozen=True)
class Bench:
    """What measuring needs: compiled programs, cores, pace."""

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
            before = resident_kb(running.pid)
            with self._load(running, tables) as load:
                load.open()
                socket_kb = (resident_kb(running.pid) - before) / ((ROOMS + CLOCKS) * SEATS)
                with self._floor_beside(load, ROOMS) as floor:
                    few = self._pair(load, floor, FEW_ROOMS)
                    many = self._pair(load, floor, ROOMS)
                    joined = self._pair(load, floor, ROOMS, flight=3)
                    steady = self._pair(load, floor, ROOMS, rate=RATE)
                append_us = self._append(running, tables[0])
            watched = self._watched(running)
            hub = Hub(running.port)
            late = _lateness(hub.metrics())
            hub.close()
        return Repeat(few, many, joined, steady, watched, self._echo(), append_us, socket_kb, late)

    @contextmanager
    def _floor_beside(self, load: Load, rooms: int, watchers: int = 0) -> Iterator[Load]:
        """Starts the games of `load`, measures the size of the hub's frames, and yields a floor's load that
        sends frames of that size."""
        load.start()
        sizes = load.play(rooms, seconds=1.0)
        server = servers.floor(self.floor, sizes.mover_bytes, sizes.other_bytes, self.server_core)
        with server as running, self._load(running, bare(rooms, SEATS, watchers)) as floor:
            floor.open()
            yield floor

    def _pair(self, hub: Load, floor: Load, rooms: int, *, flight: int = 1, rate: float = 0) -> Pair:
        seconds = self.pace.seconds

        def once() -> Pair:
            return Pair(
                hub.play(rooms, flight=flight, rate=rate, seconds=seconds),
                floor.play(rooms, flight=flight, rate=rate, seconds=seconds),
            )

        pair = once()
        return pair if pair.honest else once()

    def _watched(self, running: servers.Running) -> Pair:
        """One room that a thousand watch."""
        hub = Hub(running.port)
        table = hub.table(watchers=WATCHERS)
        hub.close()
        with self._load(running, [table]) as load:
            load.open()
            with self._floor_beside(load, 1, WATCHERS) as floor:
                return self._pair(load, floor, 1)

    def _echo(self) -> Play:
        with (
            servers.echo(self.server_core) as running,
            self._load(running, bare(ROOMS, 1)) as load,
        ):
            load.open()
            return load.play(ROOMS, seconds=self.pace.seconds)

    def late(self) -> list[float]:
        """How late each of so many windows ended, in milliseconds: a hub with nothing else to do."""
        with servers.hub(self.server_core, self.load_core) as running:
            told = _asked(self.load_core, "bench.late", str(running.port), str(self.pace.windows))
        return [float(milliseconds) for milliseconds in json.loads(told)]

    def _append(self, running: servers.Running, table: Table) -> float:
        room = table.seats[0].path.rpartition("/")[2]
        seconds = str(self.pace.seconds)
        told = _asked(self.server_core, "bench.append", running.store_url, room, str(ROOMS), seconds)
        return float(json.loads(told)["us"])

    def _load(self, running: servers.Running, tables: Sequence[Table]) -> Load:
        return Load(self.load, running, tables, self.server_core, self.load_core)


def _asked(core: int, program: str, *given: str) -> str:
    """What a program of ours prints, run on this core."""
    process = subprocess.Popen(
        [sys.executable, "-m", program, *given],
        stdout=subprocess.PIPE,
        text=True,
        cwd=servers.ROOT,
        start_new_session=True,
    )
    pin(process.pid, core)
    told, _ = process.communicate()
    if process.returncode != 0:
        raise CannotMeasure(f"{program} failed: what it said stands above.")
    return told


def _lateness(metrics: str) -> dict[str, float]:
    found = re.findall(r'^parley_window_late_seconds_bucket\{le="([^"]+)"\} (\S+)$', metrics, re.MULTILINE)
    return {bound: float(count) for bound, count in found}
