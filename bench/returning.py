"""``python -m bench.returning``: how soon everybody is back after a hub was killed.

People sit at 600 running tables, and watch them. The hub is killed and started again. Every socket
comes back as Parley's own client does: at growing intervals with jitter, and again if it hears nothing for
eight seconds. A socket is served once it has its view. Prints one JSON object; seconds count from the moment
at which the new hub listens. The exit code is 1 if not all were served in time.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import random
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final, cast

import msgpack  # type: ignore[import-untyped]
import uvloop

from bench import servers
from bench.crowd import OPEN_AT_ONCE, PONG, client_frame, handshake
from bench.machine import CannotMeasure, cores, interpreter, pin, read_cpu_seconds, read_wait_seconds
from bench.overload import read_metric
from bench.tables import Hub, Socket

TABLES: Final = 600
WATCHERS: Final = 6
THREADS: Final = 16
TARGET_SECONDS: Final = 10.0
DEADLINE_SECONDS: Final = 30.0
LOOK_SECONDS: Final = 0.02
FIRST_WAIT_SECONDS: Final = 0.25
"""Before a second attempt, as in client-js/src/sdk/socket.ts."""
LONGEST_WAIT_SECONDS: Final = 8.0
"""The same before any later one."""
GIVE_UP_SECONDS: Final = 8.0
"""How long an attempt may hear nothing, as there."""
PING: Final = b"\x89\0"
VIEW: Final = b"\xa1t\xa4view"


class Client:
    """One person's socket, which comes back until it has its view."""

    def __init__(self, place: Socket, port: int, chance: random.Random) -> None:
        self.place = place
        self.session: int | None = None
        self.attempts: list[float] = []
        """When it has tried to come back since it was served last."""
        self.served_at: float | None = None
        self._port = port
        self._chance = chance
        self._attempt: Attempt | None = None
        self._patience: asyncio.TimerHandle | None = None

    async def open(self) -> None:
        loop = asyncio.get_running_loop()
        self.attempts.append(time.monotonic())
        self._attempt = attempt = Attempt(self)
        self._patience = loop.call_later(GIVE_UP_SECONDS, self.lose, attempt)
        try:
            await loop.create_connection(lambda: attempt, "127.0.0.1", self._port)
        except OSError:
            self.lose(attempt)

    def start_game(self) -> None:
        assert self._attempt is not None
        act = {"t": "manage", "session": self.session, "n": 0, "act": {"do": "start"}}
        self._attempt.send(msgpack.packb(act))

    def forget(self) -> None:
        """Starts again from zero."""
        self.attempts, self.served_at = [], None

    def serve(self, session: int | None) -> None:
        """It has its view."""
        self.session, self.served_at = session, time.monotonic()
        if self._patience is not None:
            self._patience.cancel()

    def lose(self, attempt: Attempt) -> None:
        """Leaves this attempt alone, and makes another later."""
        attempt.end()
        if self._attempt is not attempt:
            return
        self._attempt = None
        if self._patience is not None:
            self._patience.cancel()
        loop = asyncio.get_running_loop()
        longest = min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2 ** len(self.attempts))
        wait = longest / 2 + longest / 2 * self._chance.random()
        loop.call_later(wait, lambda: loop.create_task(self.open()))


class Attempt(asyncio.Protocol):
    """One attempt to come back."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._transport: asyncio.Transport | None = None
        self._heard = b""
        self._has_ended = self._is_served = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's is no subclass
        if self._has_ended:
            self._transport.abort()
        else:
            self._transport.write(handshake(self._client.place.path))

    def data_received(self, data: bytes) -> None:
        client = self._client
        if self._is_served:
            if data.endswith(PING):
                cast(asyncio.Transport, self._transport).write(PONG)
            return
        if not self._heard and data.startswith(b"HTTP/1.1 101"):
            hello = {"t": "hello", "ticket": client.place.ticket, "session": client.session}
            self.send(msgpack.packb(hello))
        self._heard += data
        if VIEW in self._heard:
            unpacker = msgpack.Unpacker()
            unpacker.feed(self._heard[self._heard.index(b"\xa7session") :])
            _, session = unpacker.unpack(), unpacker.unpack()
            self._heard, self._is_served = b"", True
            client.serve(session)

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        self._client.lose(self)

    def send(self, message: bytes) -> None:
        cast(asyncio.Transport, self._transport).write(client_frame(message))

    def end(self) -> None:
        self._has_ended = True
        if self._transport is not None:
            self._transport.abort()


def run_clients(port: int, places: Sequence[Socket], hosts: Sequence[int], parent: Connection) -> None:
    """Opens all sockets and starts the games; then, at the parent's word, reports when each was served."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    uvloop.run(_come_and_return(port, places, hosts, parent))


async def _come_and_return(
    port: int, places: Sequence[Socket], hosts: Sequence[int], parent: Connection
) -> None:
    chance = random.Random(1)
    clients = [Client(place, port, chance) for place in places]
    for start in range(0, len(clients), OPEN_AT_ONCE):
        some = clients[start : start + OPEN_AT_ONCE]
        await asyncio.gather(*(client.open() for client in some))
        await wait_until_served(some)
    for host in hosts:
        clients[host].start_game()
    await asyncio.sleep(2.0)
    for client in clients:
        client.forget()
    parent.send("ready")
    cpu = time.process_time()
    await wait_until_served(clients)
    parent.send(([(client.served_at, client.attempts) for client in clients], time.process_time() - cpu))
    await asyncio.get_running_loop().run_in_executor(None, parent.recv)


async def wait_until_served(clients: Sequence[Client]) -> None:
    """Waits until all have their view, or until it has taken too long."""
    for _ in range(round(DEADLINE_SECONDS / LOOK_SECONDS)):
        if all(client.served_at is not None for client in clients):
            return
        await asyncio.sleep(LOOK_SECONDS)


def make_places(port: int, tables: int, watchers: int) -> list[Socket]:
    """The places at `tables` tables: the seats, the host's first, then the watchers' sockets."""

    def make_some(count: int) -> list[Socket]:
        hub, places = Hub(port), list[Socket]()
        for _ in range(count):
            table = hub.table()
            places += (*table.seats, *[hub.watch(table.room, "Bench watcher")] * watchers)
        hub.close()
        return places

    with ThreadPoolExecutor(THREADS) as hands:  # each request waits for the store
        shares = [len(range(hand, tables, THREADS)) for hand in range(THREADS)]
        return [place for some in hands.map(make_some, shares) for place in some]


def measure(server_core: int, load_core: int, tables: int, watchers: int) -> dict[str, Any]:
    """Raises CannotMeasure."""
    port = servers.free_port()
    with tempfile.TemporaryDirectory(prefix="parley-bench-") as folder:
        parent, child = multiprocessing.Pipe()
        with servers.hub_at(Path(folder), port, server_core, load_core) as running:
            places = make_places(port, tables, watchers)
            hosts = list(range(0, len(places), len(places) // tables))
            people = multiprocessing.get_context("spawn").Process(
                target=run_clients, args=(port, places, hosts, child), daemon=True
            )
            people.start()
            child.close()
            parent.recv()
            os.kill(running.pid, signal.SIGKILL)
            killed_at = time.monotonic()
        with servers.hub_at(Path(folder), port, server_core, load_core) as running:
            ready_at = time.monotonic()
            cpu, waited = read_cpu_seconds(running.pid), read_wait_seconds(running.pid)
            served: list[tuple[float | None, list[float]]]
            served, clients_cpu = parent.recv()
            opened = read_metric(port, "parley_sockets_opened_total")
            cpu = read_cpu_seconds(running.pid) - cpu
            waited = read_wait_seconds(running.pid) - waited
            load_average = os.getloadavg()
            parent.send("end")
        people.kill()
        people.join()
    after = sorted(at - ready_at for at, _ in served if at is not None)
    if not after:
        raise CannotMeasure("Nobody was served again.")
    return {
        "sockets": len(places),
        "tables": tables,
        "served": len(after),
        "down_for": round(ready_at - killed_at, 2),
        "p50_s": round(after[len(after) // 2], 2),
        "p99_s": round(after[len(after) * 99 // 100], 2),
        "last_s": round(after[-1], 2),
        "server_cpu_s": round(cpu, 2),
        "server_waited_s": round(waited, 2),
        "clients_cpu_s": round(clients_cpu, 2),
        "attempts": sum(at > ready_at for _, attempts in served for at in attempts),
        "sockets_opened": round(opened),
        "load_average": load_average,
        "python": interpreter(),
    }


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.returning", description=__doc__.split("\n\n")[0])
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--watchers", type=int, default=WATCHERS, help="sockets of watchers at each table")
    options = parser.parse_args(arguments)
    try:
        server_core, load_core = cores()
        pin(os.getpid(), load_core)
        figures = measure(server_core, load_core, options.tables, options.watchers)
    except CannotMeasure as problem:
        print(f"bench: {problem}", file=sys.stderr)
        return 1
    print(json.dumps(figures, indent=2))
    if figures["served"] == figures["sockets"] and figures["last_s"] <= TARGET_SECONDS:
        return 0
    print(f"bench: not all were served within {TARGET_SECONDS:.0f} s", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
