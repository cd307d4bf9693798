"""A hub under load, driven over standard input: ``python -m bench.drive``.

It prints ``ready`` when the hub has started, every socket is open and every game is running. A line ``rooms
SECONDS`` then plays at 250 tables, ``watchers SECONDS`` at one table with 1,000 watchers. Each is answered
by one line: the server's CPU in microseconds, per command or per watcher's frame. It exits at the end of
its input.
"""

from __future__ import annotations

import sys

from bench import servers
from bench.load import Load
from bench.machine import compiled, cores
from bench.measure import ROOMS, WATCHERS, per_watcher_frame
from bench.tables import Hub


def main() -> None:
    server_core, load_core = cores()
    program = compiled("load")
    with servers.hub(server_core, load_core) as running:
        hub = Hub(running.port)
        tables = [hub.table() for _ in range(ROOMS)]
        watched = hub.table(watchers=WATCHERS)
        hub.close()
        with (
            Load(program, running, tables, server_core, load_core) as rooms,
            Load(program, running, [watched], server_core, load_core) as watchers,
        ):
            for load in (rooms, watchers):
                load.open()
                load.start()
            print("ready", flush=True)
            for line in sys.stdin:
                figure, seconds = line.split()
                if figure == "rooms":
                    microseconds = rooms.play(ROOMS, seconds=float(seconds)).server_us
                else:
                    microseconds = per_watcher_frame(watchers.play(1, seconds=float(seconds)))
                print(microseconds, flush=True)


if __name__ == "__main__":
    main()
