"""``python -m bench.fleet``: what it costs to be one of two hubs, and to be relayed from one to the other.

Two hubs share a store. All tables live at the first, the owner. People are connected to the owner, or to the
second hub, which relays for them. A third figure is that of a hub which is alone on its store. The hubs share
one core and take turns, so that other work affects all equally. The CPU of both hubs counts.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from bench.compare import interval
from bench.load import WARM_SECONDS, Load
from bench.machine import CannotMeasure, compile_program, cores, interpreter, resident_kb
from bench.servers import Running, start_fleet_hub, start_shared_store
from bench.tables import SEATS, Hub, Table
from hub.store.binary import find_binary

ROOMS: Final = 100
WATCHERS: Final = 1000
TURNS: Final = 8
TURN_SECONDS: Final = 3.0
STEADY_SECONDS: Final = 10.0
"""Until then the owner would share its tables with the second hub, and hand some over."""


class Side(NamedTuple):
    """One way to be connected, with the hubs that work for it."""

    name: str
    hubs: Sequence[Running]
    rooms: Load
    watched: Load
    socket_kb: float
    """Memory of all its hubs for a seated socket on which nothing happens."""


class Figures(NamedTuple):
    """Microseconds of CPU of all hubs, for a command and for a watcher's frame."""

    command: float
    frame: float


def main() -> int:
    print(interpreter())
    try:
        server_core, load_core = cores()
        with contextlib.ExitStack() as stack:
            sides = list(_open_sides(stack, server_core, load_core))
            turns: dict[str, list[Figures]] = {side.name: [] for side in sides}
            for number in range(TURNS):
                for side in sides if number % 2 == 0 else reversed(sides):
                    turns[side.name].append(_measure(side))
    except CannotMeasure as problem:
        print(f"bench: {problem}", file=sys.stderr)
        return 1
    print(f"{'CPU of all hubs per':<22}{'command':>12}{'frame':>12}{'socket':>12}")
    medians = [Figures(*map(median, zip(*turns[side.name], strict=True))) for side in sides]
    for side, figures in zip(sides, medians, strict=True):
        print(f"{side.name:<22}{figures.command:>9.1f} us{figures.frame:>9.2f} us{side.socket_kb:>9.1f} KB")
    for name, other in ((AT_HOME, ALONE), (RELAYED, AT_HOME)):
        print(f"\n{name}, in multiples of those {other}, with 95% intervals:")
        for figure in Figures._fields:
            before, after = ([getattr(turn, figure) for turn in turns[side]] for side in (other, name))
            ratio, low, high = interval(before, after)
            print(f"{figure:<22}{ratio:>12.3f}   {low:.3f} to {high:.3f}")
    sockets = {side.name: side.socket_kb for side in sides}
    print(f"{'socket':<22}{sockets[RELAYED] / sockets[AT_HOME]:>12.2f}")
    return 0


ALONE: Final = "alone on its store"
AT_HOME: Final = "at the owner"
RELAYED: Final = "through another hub"


def _open_sides(stack: contextlib.ExitStack, server_core: int, load_core: int) -> Iterator[Side]:
    """All sides, with people connected and games begun."""
    program = compile_program("load")
    binary = asyncio.run(find_binary())
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="parley-bench-")))

    def start(name: str, store: Running) -> Running:
        return stack.enter_context(start_fleet_hub(folder / name, store, server_core))

    def connect(hub: Running, tables: Sequence[Table]) -> Load:
        load = stack.enter_context(Load(program, hub, tables, server_core, load_core))
        load.open()
        return load

    def open_side(name: str, owner: Running, front: Running, hubs: Sequence[Running]) -> Side:
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
        return Side(name, hubs, rooms, watching, socket_kb)

    stores = [
        stack.enter_context(start_shared_store(folder / f"store{number}", binary, load_core))
        for number in (0, 1)
    ]
    alone = start("alone", stores[0])
    owner, front = start("owner", stores[1]), start("front", stores[1])
    time.sleep(STEADY_SECONDS)
    yield open_side(ALONE, alone, alone, [alone])
    yield open_side(AT_HOME, owner, owner, [owner, front])
    yield open_side(RELAYED, owner, front, [owner, front])


def _measure(side: Side) -> Figures:
    """One turn. The hubs' CPU is that of the load's first moments, too, so these count as commands."""
    share = TURN_SECONDS / (TURN_SECONDS + WARM_SECONDS)
    before = _read_cpu(side.hubs)
    play = side.rooms.play(ROOMS, seconds=TURN_SECONDS)
    between = _read_cpu(side.hubs)
    watched = side.watched.play(1, seconds=TURN_SECONDS)
    after = _read_cpu(side.hubs)
    return Figures(
        (between - before) * share / play.commands, (after - between) * share / watched.watcher_frames
    )


def _read_cpu(hubs: Sequence[Running]) -> float:
    """The CPU that these hubs have used, in microseconds."""
    return sum(int(Path(f"/proc/{hub.pid}/schedstat").read_text().split()[0]) for hub in hubs) / 1000


if __name__ == "__main__":
    sys.exit(main())
