"""A hub under load, driven through standard input: ``python -m bench.drive [FIGURE ...]``.

The figures are ``rooms`` and ``watchers``, by default both. It prints ``ready`` when the hub has started,
every socket is open and every game is running. A line ``rooms SECONDS`` then plays at 250 tables,
``watchers SECONDS`` at one table with 1,000 watchers; half as many seconds before that warm up. Each is
answered by one line: the server's CPU in microseconds, per command or per watcher's frame. It exits at the
end of its input.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack

from bench import servers
from bench.load import Load
from bench.machine import compile_program, cores
from bench.measure import ROOMS, WATCHERS, per_watcher_frame
from bench.tables import Hub


def main(figures: list[str]) -> None:
    server_core, load_core = cores()
    program = compile_program("load")
    with servers.hub(server_core, load_core) as running, ExitStack() as stack:
        hub = Hub(running.port)
        tables = {"rooms": [hub.table() for _ in range(ROOMS)]} if "rooms" in figures else {}
        if "watchers" in figures:
            tables["watchers"] = [hub.table(watchers=WATCHERS)]
        hub.close()
        loads = {
            figure: stack.enter_context(Load(program, running, played, server_core, load_core))
            for figure, played in tables.items()
        }
        for load in loads.values():
            load.open()
            load.start()
        print("ready", flush=True)
        for line in sys.stdin:
            figure, length = line.split()
            rooms = ROOMS if figure == "rooms" else 1
            seconds = float(length)
            play = loads[figure].play(rooms, seconds=seconds, warm=seconds / 2)
            microseconds = play.server_us if figure == "rooms" else per_watcher_frame(play)
            print(microseconds, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or ["rooms", "watchers"])
