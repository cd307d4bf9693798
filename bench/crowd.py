"""``python -m bench.crowd``: the delays of a bystander while a crowd attacks from another table.

The crowd opens many sockets with watchers' tickets, from an address that is not the hub's own machine, and
some of them say 500 characters twenty times a second. The seats they watch may change the table as often,
through eight sockets each. Meanwhile, a seat at another table sends twenty commands a second, each of which
is stored. The report gives the time to their verdicts before and during the attack.

``--hub FOLDER`` attacks the version that is set up in FOLDER.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import re
import resource
import socket
import statistics
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

import msgpack  # type: ignore[import-untyped]
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from bench import servers
from bench.machine import CannotMeasure, cores, pin
from bench.tables import Hub, Socket
from hub.wire.messages import SUBPROTOCOL

SAY_SECONDS: Final = 0.05
PONG_SECONDS: Final = 10.0
OPEN_AT_ONCE: Final = 50
SOCKETS_PER_SEAT: Final = 8
MASK: Final = bytes(4)
PONG: Final = b"\x8a\x80" + MASK


@dataclass(frozen=True)
class Attack:
    """The numbers of sockets, people and talkers, and the duration; `seats` take part."""

    sockets: int = 900
    people: int = 1
    talkers: int = 40
    seats: int = 0
    seconds: float = 20.0


@dataclass(frozen=True)
class Latency:
    """Milliseconds from a command to its verdict."""

    count: int
    p50: float
    p99: float
    worst: float

    @classmethod
    def of(cls, seconds: Sequence[float]) -> Latency:
        ordered = sorted(seconds)
        p99 = ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)]
        return cls(len(ordered), statistics.median(ordered) * 1000, p99 * 1000, ordered[-1] * 1000)


@dataclass(frozen=True)
class Outcome:
    """What the crowd received, the bystander's delays, and the hub's counts during the attack."""

    opened: int
    still_open: int
    said: int
    megabytes_heard: float
    before: Latency
    opening: Latency
    during: Latency
    counted: dict[str, int]


# --- the crowd, in a process of its own ---


class Watcher(asyncio.Protocol):
    """One of the crowd's sockets: says hello with its ticket, and counts the bytes it hears."""

    def __init__(self, place: Socket) -> None:
        self.place = place
        self.transport: asyncio.Transport | None = None
        self.welcomed = False
        self.session = 0
        self.heard = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.write(handshake(self.place.path))

    def data_received(self, data: bytes) -> None:
        if self.heard == 0 and data.startswith(b"HTTP/1.1 101"):
            self.send(client_frame(msgpack.packb({"t": "hello", "ticket": self.place.ticket})))
        self.heard += len(data)
        if not self.welcomed and b"welcome" in data:
            self.welcomed = True
            self._read_session(data)

    def _read_session(self, data: bytes) -> None:
        unpacker = msgpack.Unpacker()
        unpacker.feed(data[data.index(b"\xa7session") :])
        _, session = unpacker.unpack(), unpacker.unpack()
        self.session = session or 0

    def connection_lost(self, exc: Exception | None) -> None:
        self.transport = None

    def send(self, data: bytes) -> bool:
        if self.transport is None or self.transport.is_closing():
            return False
        self.transport.write(data)
        return True


def client_frame(payload: bytes) -> bytes:
    """A binary frame, masked with zeros."""
    size = len(payload)
    length = bytes([0x80 | size]) if size < 126 else bytes([0x80 | 126]) + size.to_bytes(2, "big")
    return b"\x82" + length + MASK + payload


def handshake(path: str) -> bytes:
    """The request that opens a socket."""
    lines = (
        f"GET {path} HTTP/1.1",
        "Host: 127.0.0.1",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        f"Sec-WebSocket-Protocol: {SUBPROTOCOL}",
    )
    return "\r\n".join((*lines, "", "")).encode()


def run_crowd(
    address: tuple[str, int],
    places: Sequence[Socket],
    seats: Sequence[Socket],
    attack: Attack,
    parent: Connection,
) -> None:
    """The crowd's process. Reports when its sockets are open and when it has ended; waits for a signal to
    attack."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    os.setpriority(os.PRIO_PROCESS, 0, 10)  # a real crowd does not share the hub's machine
    asyncio.run(_attack(address, places, seats, attack, parent))


async def _attack(
    address: tuple[str, int],
    places: Sequence[Socket],
    seats: Sequence[Socket],
    attack: Attack,
    parent: Connection,
) -> None:
    loop = asyncio.get_running_loop()
    watchers = [Watcher(places[i % len(places)]) for i in range(attack.sockets)]
    for start in range(0, len(watchers), OPEN_AT_ONCE):
        some = watchers[start : start + OPEN_AT_ONCE]
        await asyncio.gather(
            *(open_socket(loop, address, watcher) for watcher in some), return_exceptions=True
        )
        await asyncio.sleep(0.05)
    await asyncio.sleep(1.0)
    opened = sum(watcher.welcomed for watcher in watchers)
    talkers = [watcher for watcher in watchers if watcher.welcomed][-attack.talkers :]
    helpers = [Watcher(seat) for seat in seats[: attack.seats] for _ in range(SOCKETS_PER_SEAT)]
    for helper in helpers:
        await open_socket(loop, address, helper)
    await asyncio.sleep(1.0)
    parent.send(opened)
    await loop.run_in_executor(None, parent.recv)
    heard = sum(watcher.heard for watcher in watchers)
    end, said, turn, pong_at = loop.time() + attack.seconds, 0, 0, loop.time()
    while loop.time() < end:
        at = loop.time()
        message = {"t": "say", "session": 0, "n": said, "channel": "watchers", "text": "x" * 500}
        frame = client_frame(msgpack.packb(message))
        said += sum(talker.send(frame) for talker in talkers)
        turn += 1
        for helper in helpers:
            act = {"do": "ready", "ready": turn % 2 == 0}
            command = {"t": "manage", "session": helper.session, "n": turn, "act": act}
            helper.send(client_frame(msgpack.packb(command)))
        if at >= pong_at:
            pong_at = at + PONG_SECONDS
            for watcher in watchers:
                watcher.send(PONG)
        await asyncio.sleep(max(0.0, SAY_SECONDS - (loop.time() - at)))
    heard = sum(watcher.heard for watcher in watchers) - heard
    parent.send((sum(watcher.transport is not None for watcher in watchers), said, heard))


async def open_socket(loop: asyncio.AbstractEventLoop, address: tuple[str, int], watcher: Watcher) -> None:
    await loop.create_connection(lambda: watcher, *address)


# --- the bystander ---


class Bystander:
    """A seat at another table. Its commands are notes, which the hub stores like every other command."""

    def __init__(self, connection: ClientConnection, session: int) -> None:
        self._connection = connection
        self._session = session
        self._n = 0

    @classmethod
    async def sit(cls, port: int, place: Socket) -> Bystander:
        connection = await connect(
            f"ws://127.0.0.1:{port}{place.path}",
            subprotocols=[Subprotocol(SUBPROTOCOL)],
            ping_interval=None,
            proxy=None,
        )
        await connection.send(msgpack.packb({"t": "hello", "ticket": place.ticket}))
        welcome = msgpack.unpackb(await connection.recv())
        return cls(connection, welcome["session"])

    async def command(self) -> float:
        """Sends a command; returns the seconds until its verdict. Raises CannotMeasure if it is refused."""
        start = time.perf_counter()
        await self._connection.send(self._next())
        while True:
            answer = msgpack.unpackb(await self._connection.recv(), strict_map_key=False)
            if answer["t"] == "verdict":
                if "code" in answer:
                    raise CannotMeasure(f"The bystander was refused: {answer}")
                return time.perf_counter() - start

    async def send_many(self, count: int) -> list[tuple[float, bool]]:
        """Sends `count` commands at once; returns when each was answered, and whether with BUSY."""
        for _ in range(count):
            await self._connection.send(self._next())
        answers: list[tuple[float, bool]] = []
        while len(answers) < count:
            answer = msgpack.unpackb(await self._connection.recv(), strict_map_key=False)
            if answer["t"] == "verdict":
                answers.append((time.perf_counter(), answer.get("code") == "BUSY"))
        return answers

    def _next(self) -> bytes:
        self._n += 1
        note = {"t": "note", "session": self._session, "n": self._n, "text": f"note {self._n}"}
        return bytes(msgpack.packb(note))

    async def watch(self, seconds: float) -> list[float]:
        """Sends a command every 50 ms, or as soon as the last one was answered, for this long."""
        took: list[float] = []
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            took.append(await self.command())
            await asyncio.sleep(max(0.0, SAY_SECONDS - took[-1]))
        return took

    async def leave(self) -> None:
        await self._connection.close()


# --- both together ---


async def attack_hub(port: int, attack: Attack) -> Outcome:
    """Attacks a hub on this machine that listens on every address. Raises CannotMeasure."""
    hub = Hub(port)
    table, bystanders = hub.table(), hub.table()
    places = [hub.watch(table.room, f"Crowd {i}") for i in range(attack.people)]
    hub.close()
    parent, child = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(
        target=run_crowd, args=((foreign_address(), port), places, table.seats, attack, child), daemon=True
    )
    bystander = await Bystander.sit(port, bystanders.seats[0])
    try:
        before = await bystander.watch(min(5.0, attack.seconds))
        process.start()
        waiting = asyncio.create_task(asyncio.to_thread(parent.recv))
        opening: list[float] = []
        while not waiting.done():
            opening += await bystander.watch(0.5)
        opened: int = await waiting
        counts = _read_counts(port)
        parent.send("go")
        during = await bystander.watch(attack.seconds)
        still_open, said, heard = await asyncio.to_thread(parent.recv)
        counted = _read_counts(port)
        counted.subtract(counts)
    finally:
        process.kill()
        process.join()
        await bystander.leave()
    figures = {name: value for name, value in counted.items() if value}
    latencies = Latency.of(before), Latency.of(opening), Latency.of(during)
    return Outcome(opened, still_open, said, heard / 1e6, *latencies, figures)


def foreign_address() -> str:
    """An address of this machine that a hub does not treat as local. Raises CannotMeasure."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing
        except OSError as error:
            raise CannotMeasure("This machine has only a loopback address: connect a network.") from error
        return str(probe.getsockname()[0])


def _read_counts(port: int) -> Counter[str]:
    """The hub's counts of commands, frames, sockets and refusals."""
    hub = Hub(port)
    metrics = hub.metrics()
    hub.close()
    counts = r"^parley_((?:limited|commands|frames|sockets)\w*(?:\{.*\})?) (\S+)$"
    lines = re.findall(counts, metrics, re.MULTILINE)
    return Counter({name: int(float(value)) for name, value in lines})


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.crowd", description=__doc__.split("\n\n")[0])
    parser.add_argument("--hub", type=Path, default=servers.ROOT, metavar="FOLDER")
    parser.add_argument("--sockets", type=int, default=Attack.sockets)
    parser.add_argument("--people", type=int, default=Attack.people)
    parser.add_argument("--talkers", type=int, default=Attack.talkers)
    parser.add_argument("--seats", type=int, default=Attack.seats)
    parser.add_argument("--seconds", type=float, default=Attack.seconds)
    options = parser.parse_args(arguments)
    attack = Attack(options.sockets, options.people, options.talkers, options.seats, options.seconds)
    try:
        server_core, load_core = cores()
        with servers.public_hub(options.hub.resolve(), server_core, load_core) as running:
            pin(os.getpid(), load_core)
            outcome = asyncio.run(attack_hub(running.port, attack))
    except CannotMeasure as problem:
        print(f"bench: {problem}", file=sys.stderr)
        return 1
    print(json.dumps({"attack": asdict(attack), **asdict(outcome)}, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
