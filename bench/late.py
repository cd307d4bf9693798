"""How late a client learns that a window has ended, in real time: ``python -m bench.late PORT WINDOWS``.

Tables of Almost are started one after another, so that their windows end at different times. All seats are
connected but idle. Each message carries table time; the smallest difference from this program's clock gives
the offset between the two to within a millisecond. A window is late by the time from its end to the arrival
of the message that closes it: the hub's timer, the commit and the path to the client.

Prints one line of JSON: how many milliseconds late each of the first WINDOWS windows was, in the order in
which they ended.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from typing import Any, Final

import msgpack  # type: ignore[import-untyped]
import uvloop
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from bench.tables import Hub, Table
from hub.wire.messages import SUBPROTOCOL

TABLES: Final = 250
APART: Final = 0.05
"""Seconds between the starts of two tables."""
PINGS: Final = 20


class Watched:
    """One table: the host's socket, which watches the windows, and the others', so that nobody is away."""

    def __init__(self, table: Table, port: int, late: list[float], enough: asyncio.Event, limit: int) -> None:
        self._table = table
        self._port = port
        self._late = late
        self._enough = enough
        self._limit = limit
        self._offset = float("inf")
        """This program's clock at table time 0, in milliseconds."""
        self._ends: dict[str, int] = {}
        self._last_end = -1

    async def run(self) -> None:
        sockets = [await self._open(socket.path, socket.ticket) for socket in self._table.seats]
        try:
            async with asyncio.TaskGroup() as group:
                for idle in sockets[1:]:
                    group.create_task(_drain(idle))
                await self._watch(sockets[0])
        finally:
            await asyncio.gather(*(socket.close() for socket in sockets))

    async def _open(self, path: str, ticket: str) -> ClientConnection:
        socket = await connect(
            f"ws://127.0.0.1:{self._port}{path}",
            subprotocols=[Subprotocol(SUBPROTOCOL)],
            compression=None,
            ping_interval=None,
            proxy=None,
        )
        await socket.send(msgpack.packb({"t": "hello", "ticket": ticket, "session": None}))
        return socket

    async def _watch(self, socket: ClientConnection) -> None:
        session = 0
        async for data in socket:
            arrived = time.monotonic() * 1000
            message: dict[str, Any] = msgpack.unpackb(data)
            if message["t"] == "welcome":
                session = message["session"]
            elif message["t"] == "view":
                start = {"t": "manage", "session": session, "n": 0, "act": {"do": "start"}}
                await socket.send(msgpack.packb(start))
            elif message["t"] == "verdict":
                for number in range(PINGS):
                    await socket.send(msgpack.packb({"t": "ping", "n": number}))
            if "now" in message and self._ends:
                self._offset = min(self._offset, arrived - message["now"])
            windows = message.get("sections", {}).get("windows")
            if windows is not None:
                ends = {window["id"]: window["end"] for window in windows["windows"] if "end" in window}
                self._update(ends, arrived)
            if self._enough.is_set():
                return

    def _update(self, ends: dict[str, int], arrived: float) -> None:
        """Records the windows that are no longer open; several that end together count once."""
        closed = {end for window, end in self._ends.items() if window not in ends}
        self._ends = ends
        for end in closed:
            if end > self._last_end and not self._enough.is_set():
                self._last_end = end
                self._late.append(arrived - self._offset - end)
                if len(self._late) == self._limit:
                    self._enough.set()


async def _drain(socket: ClientConnection) -> None:
    async for _ in socket:
        pass


async def measure(port: int, windows: int) -> list[float]:
    """The lateness of this many windows, in milliseconds."""
    hub = Hub(port)
    tables = [hub.table("clock") for _ in range(min(TABLES, windows))]
    hub.close()
    late: list[float] = []
    enough = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        running = []
        for table in tables:
            watched = Watched(table, port, late, enough, windows)
            running.append(group.create_task(watched.run()))
            await asyncio.sleep(APART)
        await enough.wait()
        for task in running:
            task.cancel()
    return late


def main() -> None:
    port, windows = map(int, sys.argv[1:3])
    print(json.dumps(uvloop.run(measure(port, windows))))


if __name__ == "__main__":
    main()
