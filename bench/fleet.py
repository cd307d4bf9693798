"""``python -m bench.fleet``: what it costs to be one of two hubs, and to be relayed from one to the other.

Two hubs share a store. All tables live at the first, the owner. People are connected to the owner, or to the
second hub, which relays for them. A third hub is alone on its store. All hubs share one core, and two sides
take turns, so that other work affects both equally. The CPU of both hubs counts.
Each run starts fresh processes, because where a process finds memory affects its speed as long as it lives.
The intervals are over the runs.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import geometric_mean, median
from typing import Final, NamedTuple

from bench.compare import CALM_SECONDS, LEAST_PAIRS, TURN_SECONDS, interval
from bench.load import Load
from bench.machine import CannotMeasure, compile_program, cores, interpreter, resident_kb
from bench.servers import Running, start_fleet_hub, start_shared_store
from bench.tables import SEATS, Hub, Table
from hub.store.binary import find_binary

ROOMS: Final = 100
WATCHERS: Final = 1000
TURNS: Final = 60
"""The number of turns of each side within a run, against each other side."""
WARM_SECONDS: Final = TURN_SECONDS / 2
MEASURED_SHARE: Final = TURN_SECONDS / (TURN_SECONDS + WARM_SECONDS)
"""The hubs' CPU is read around a whole turn, but its first moments do not count as commands."""
STEADY_SECONDS: Final = 10.0
"""Until then the owner would share its tables with the second hub, and hand some over."""


class Side(NamedTuple):
    """One way to be connected, with the hubs that work for it."""

    hubs: Sequence[Running]
    rooms: Load
    watched: Load
    socket_kb: float
    """Memory of all its hubs for a seated socket on which nothing happens."""


class Figures(NamedTuple):
    """Of all hubs of a side: microseconds of CPU for a command and for a watcher's frame, KB for a socket."""

    command: float
    frame: float
    socket: float


class Comparison(NamedTuple):
    """Two sides that took turns in one run."""

    before: Figures
    after: Figures


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.fleet", description=__doc__.split("\n\n")[0])
    parser.add_argument("--runs", type=int, default=10, help="how many runs of about 100 seconds each (10)")
    runs = parser.parse_args(arguments).runs
    if runs < LEAST_PAIRS:
        parser.error(f"--runs must be at least {LEAST_PAIRS}: one run has no interval.")
    print(interpreter())
    homes: list[Comparison] = []
    relays: list[Comparison] = []
    try:
        for number in range(runs):
            home, relayed = _run(owner_first=number % 2 == 1)
            homes.append(home)
            relays.append(relayed)
            ratios = (pair.after.command / pair.before.command for pair in (home, relayed))
            at_owner, through = (f"{ratio:.3f}" for ratio in ratios)
            print(f"run {number + 1} of {runs}: command {at_owner}, relayed {through}", file=sys.stderr)
    except CannotMeasure as problem:
        print(f"bench: {problem}", file=sys.stderr)
        return 1
    print(_report("at the owner", "alone on its store", homes))
    print(_report("through another hub", "at the owner", relays))
    return 0


def _report(after: str, before: str, comparisons: Sequence[Comparison]) -> str:
    """A table of these comparisons: medians, ratio and 95% interval."""
    heads = f"{'CPU of all hubs per':<22}{before:>20}{after:>22}{'ratio':>8}   95% interval"
    rows = ["", heads]
    for name, unit in (("command", "us"), ("frame", "us"), ("socket", "KB")):
        old, new = ([getattr(side, name) for side in sides] for sides in zip(*comparisons, strict=True))
        ratio, low, high = interval(old, new)
        cells = f"{median(old):>17.2f} {unit}{median(new):>19.2f} {unit}{ratio:>8.3f}"
        rows.append(f"{name:<22}{cells}   {low:.3f} to {high:.3f}")
    return "\n".join(rows)


def _run(*, owner_first: bool) -> tuple[Comparison, Comparison]:
    """Starts all hubs, then compares: at the owner with alone, and through another hub with at the owner.

    `owner_first`: which is started first, since the others find less free memory in one piece.
    Raises CannotMeasure.
    """
    server_core, load_core = cores()
    program = compile_program("load")
    binary = asyncio.run(find_binary())
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="parley-bench-")))

        def start(name: str, store: Running) -> Running:
            return stack.enter_context(start_fleet_hub(folder / name, store, server_core))

        def connect(hub: Running, tables: Sequence[Table]) -> Load:
            load = stack.enter_context(Load(program, hub, tables, server_core, load_core))
            load.open()
            return load

        def open_side(owner: Running, front: Running, hubs: Sequence[Running]) -> Side:
            http = Hub(owner.port)
            tables = [http.table() for _ in range(ROOMS)]
            watched = http.table(watchers=WATCHERS)
            http.close()
            before = sum(resident_kb(hub.pid) for hub in hubs)
            rooms = connect(front, tables)
            socket_kb = (sum(resident_kb(hub.pid) for hub in hubs) - before) / (ROOMS * SEATS)
            watching = connect(front, [watched])
            for load in (rooms, watching):
                load.start()
            return Side(hubs, rooms, watching, socket_kb)

        stores = [
            stack.enter_context(start_shared_store(folder / f"store{number}", binary, load_core))
            for number in (0, 1)
        ]
        started: dict[str, Running] = {}
        for name in ("owner", "front", "alone") if owner_first else ("alone", "owner", "front"):
            started[name] = start(name, stores[0] if name == "alone" else stores[1])
        alone, owner, front = started["alone"], started["owner"], started["front"]
        time.sleep(STEADY_SECONDS)
        by_itself = open_side(alone, alone, [alone])
        at_owner = open_side(owner, owner, [owner, front])
        home = _compare(by_itself, at_owner)
        relayed = open_side(owner, front, [owner, front])
        return home, _compare(at_owner, relayed)


def _compare(before: Side, after: Side) -> Comparison:
    """Both sides' means of turns measured in alternating order."""
    means: list[list[float]] = [[], []]
    for measure in (_measure_command, _measure_frame):
        time.sleep(CALM_SECONDS)
        turns: tuple[list[float], list[float]] = ([], [])
        for number in range(TURNS):
            for i in (0, 1) if number % 2 == 0 else (1, 0):
                turns[i].append(measure((before, after)[i]))
        for side_means, measured in zip(means, turns, strict=True):
            side_means.append(geometric_mean(measured))
    return Comparison(Figures(*means[0], before.socket_kb), Figures(*means[1], after.socket_kb))


def _measure_command(side: Side) -> float:
    """One turn: microseconds for a command."""
    begin = _read_cpu(side.hubs)
    play = side.rooms.play(ROOMS, seconds=TURN_SECONDS, warm=WARM_SECONDS)
    return (_read_cpu(side.hubs) - begin) * MEASURED_SHARE / play.commands


def _measure_frame(side: Side) -> float:
    """One turn: microseconds for a watcher's frame."""
    begin = _read_cpu(side.hubs)
    play = side.watched.play(1, seconds=TURN_SECONDS, warm=WARM_SECONDS)
    return (_read_cpu(side.hubs) - begin) * MEASURED_SHARE / play.watcher_frames


def _read_cpu(hubs: Sequence[Running]) -> float:
    """The CPU that these hubs have used, in microseconds."""
    return sum(int(Path(f"/proc/{hub.pid}/schedstat").read_text().split()[0]) for hub in hubs) / 1000


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
