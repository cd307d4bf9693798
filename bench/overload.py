"""``python -m bench.overload``: what a hub does with three times as much work as its core can do.

Seats play at 70% of what the core carries. Then watchers join until their frames, each sent at once, would
bring the work to 300%, with readers of the lobby and people who create tables, who ask again as
soon as they are answered. After that they all leave, and five seconds later the seats are measured again.
Last, all seats send more commands at once than a turn decides. Prints one JSON object;
the exit code is 1 if something that was promised for overload was not kept.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import re
import resource
import statistics
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from multiprocessing.connection import Connection
from typing import Any, Final

from bench import servers
from bench.crowd import OPEN_AT_ONCE, Bystander, Watcher, open_socket
from bench.load import Load, Play
from bench.machine import CannotMeasure, compile_program, cores, interpreter, pin, resident_kb
from bench.tables import Hub, Socket, Table
from hub.runtime.overload import FRAME_SECONDS

ROOMS: Final = 100
SEATED_SHARE: Final = 0.7
OFFERED: Final = 3.0
READERS: Final = 20
CREATORS: Final = 20
SECONDS: Final = 10.0
WELCOME_SECONDS: Final = 60.0
"""How long the watchers may take to be let in, before anything else begins."""
RECOVERY_SECONDS: Final = 5.0
TARGET_MS: Final = 500.0
BURST: Final = 30
"""Commands that each seat sends at once: fewer than its share of the mailbox."""


def count_watchers(seated_rate: float) -> int:
    """How many watchers bring the work to `OFFERED` cores while seats send this many commands a second."""
    frames = (OFFERED - SEATED_SHARE) / FRAME_SECONDS
    return round(frames / (seated_rate / ROOMS))


# --- those who look on, in a process of their own ---


def run_crowd(
    port: int, places: Sequence[Socket], tokens: Sequence[str], count: int, parent: Connection
) -> None:
    """Watches, reads and creates until the parent says so; then reports what the others were answered."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    os.setpriority(os.PRIO_PROCESS, 0, 10)  # a real crowd does not share the hub's machine
    asyncio.run(_look_on(port, places, tokens, count, parent))


async def _look_on(
    port: int, places: Sequence[Socket], tokens: Sequence[str], count: int, parent: Connection
) -> None:
    loop = asyncio.get_running_loop()
    watchers = [Watcher(places[i % len(places)]) for i in range(count)]
    for start in range(0, len(watchers), OPEN_AT_ONCE):
        some = watchers[start : start + OPEN_AT_ONCE]
        await asyncio.gather(*(open_socket(loop, ("127.0.0.1", port), watcher) for watcher in some))
    with suppress(TimeoutError):
        async with asyncio.timeout(WELCOME_SECONDS):
            while not all(watcher.welcomed for watcher in watchers):  # noqa: ASYNC110 - they set no event
                await asyncio.sleep(0.2)
    parent.send(sum(watcher.welcomed for watcher in watchers))
    await loop.run_in_executor(None, parent.recv)
    answers: Counter[str] = Counter()
    body = json.dumps({"game": "almost", "seats": 4}).encode()
    get = b"GET /api/rooms HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    askers = [_ask(port, get, "lobby", answers) for _ in range(READERS)]
    for token in tokens:
        head = (
            f"POST /api/rooms HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            f"Authorization: Bearer {token}\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        askers.append(_ask(port, head.encode() + body, "table", answers))
    tasks = [asyncio.ensure_future(asker) for asker in askers]
    await loop.run_in_executor(None, parent.recv)
    for task in tasks:
        task.cancel()
    parent.send((sum(watcher.transport is not None for watcher in watchers), answers))


async def _ask(port: int, request: bytes, name: str, answers: Counter[str]) -> None:
    """Sends a request again and again on one connection, and counts the answers by status and code."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    while True:
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        size = re.search(rb"content-length: (\d+)", head)
        content = await reader.readexactly(int(size[1]) if size else 0)
        code = re.search(rb'"code":"([A-Z_]+)"', content) if not head.startswith(b"HTTP/1.1 2") else None
        answers[f"{name} {head[9:12].decode()}{' ' + code[1].decode() if code else ''}"] += 1


# --- what the hub does meanwhile ---


class Sampler(threading.Thread):
    """Reads the hub's metrics and memory twice a second."""

    def __init__(self, running: servers.Running) -> None:
        super().__init__(daemon=True)
        self._running = running
        self.levels: list[int] = []
        self.memory_kb: list[int] = []
        self._ended = threading.Event()

    def run(self) -> None:
        while not self._ended.wait(0.5):
            self.levels.append(int(read_metric(self._running.port, "parley_overload_level")))
            self.memory_kb.append(resident_kb(self._running.pid))

    def end(self) -> None:
        self._ended.set()
        self.join()


def read_metric(port: int, name: str) -> float:
    """A metric by its name, with its labels if it has any."""
    hub = Hub(port)
    line = re.search(rf"^{re.escape(name)} (\S+)$", hub.metrics(), re.MULTILINE)
    hub.close()
    return float(line[1]) if line else 0.0


async def burst(port: int, tables: Sequence[Table]) -> dict[str, float]:
    """All seats send `BURST` commands at once; the share answered BUSY, and milliseconds to the answers."""
    seats = [await Bystander.sit(port, seat) for table in tables for seat in table.seats]
    answered = await asyncio.gather(*(_send_at_once(seat) for seat in seats))
    for seat in seats:
        await seat.leave()
    busy = [after for verdicts in answered for after, is_busy in verdicts if is_busy]
    other = [after for verdicts in answered for after, is_busy in verdicts if not is_busy]
    return {
        "commands": len(busy) + len(other),
        "busy_share": len(busy) / (len(busy) + len(other)),
        "busy_p50_ms": statistics.median(busy) * 1000 if busy else 0.0,
        "slowest_busy_ms": max(busy, default=0.0) * 1000,
        "slowest_other_ms": max(other, default=0.0) * 1000,
    }


async def _send_at_once(seat: Bystander) -> list[tuple[float, bool]]:
    start = time.perf_counter()
    return [(at - start, is_busy) for at, is_busy in await seat.send_many(BURST)]


def measure(server_core: int, load_core: int) -> dict[str, Any]:
    program = compile_program("load")
    with servers.hub(server_core, load_core) as running:
        hub = Hub(running.port)
        tables = [hub.table() for _ in range(ROOMS)]
        places = [hub.watch(table.room, "Bench watcher") for table in tables]
        tokens = [hub.person(f"Creator {i}", 3) for i in range(CREATORS)]
        spare = [hub.table() for _ in range(ROOMS)]
        hub.close()
        with Load(program, running, tables, server_core, load_core) as load:
            load.open()
            load.start()
            capacity = load.play(ROOMS, seconds=5.0)
            rate = SEATED_SHARE * capacity.commands / capacity.seconds
            before, memory = load.play(ROOMS, rate=rate, seconds=5.0), resident_kb(running.pid)
            count = count_watchers(rate)
            parent, child = multiprocessing.Pipe()
            crowd = multiprocessing.get_context("spawn").Process(
                target=run_crowd, args=(running.port, places, tokens, count, child), daemon=True
            )
            crowd.start()
            watching = parent.recv()
            frames = read_metric(running.port, 'parley_frames_total{direction="out"}')
            parent.send("go")
            sampler = Sampler(running)
            sampler.start()
            during = load.play(ROOMS, rate=rate, seconds=SECONDS)
            frames = read_metric(running.port, 'parley_frames_total{direction="out"}') - frames
            sampler.end()
            parent.send("end")
            still_watching, answers = parent.recv()
            crowd.kill()
            crowd.join()
            time.sleep(RECOVERY_SECONDS)
            level = int(read_metric(running.port, "parley_overload_level"))
            after, memory_after = load.play(ROOMS, rate=rate, seconds=5.0), resident_kb(running.pid)
        return {
            "capacity": round(capacity.commands / capacity.seconds),
            "seated_rate": round(rate),
            "watchers": {"offered": count, "let_in": watching, "at_the_end": still_watching},
            "watchers_frames_offered_per_second": round(rate / ROOMS * count),
            "watchers_frames_per_second": round(frames / (SECONDS + 0.5) - 4 * rate),
            "levels": sampler.levels,
            "http": dict(answers),
            "before": _describe(before),
            "during": _describe(during),
            "after": _describe(after),
            "level_after": level,
            "memory_mb": [round(kb / 1024) for kb in (memory, max(sampler.memory_kb), memory_after)],
            "burst": asyncio.run(burst(running.port, spare)),
            "load_average": os.getloadavg(),
            "python": interpreter(),
        }


def find_shortfalls(figures: dict[str, Any]) -> list[str]:
    """What was promised for overload (docs/PERFORMANCE.md), and not kept."""
    watchers, during, memory = figures["watchers"], figures["during"], figures["memory_mb"]
    kept = {
        f"seats' p99 was {during['p99_ms']:.0f} ms": during["p99_ms"] <= TARGET_MS,
        "seats could not play on": during["commands_per_second"] >= 0.95 * figures["seated_rate"],
        "watchers were cut off": watchers["at_the_end"] >= watchers["let_in"],
        "the hub was never overloaded": any(figures["levels"]),
        "the level came and went": count_relapses(figures["levels"]) <= 1,
        "something still gave way 5 s after the end": figures["level_after"] == 0,
        "BUSY came late": figures["burst"]["slowest_busy_ms"] <= TARGET_MS,
        "the hub's memory grew": memory[1] <= 2 * memory[0],
    }
    return [problem for problem, is_kept in kept.items() if not is_kept]


def count_relapses(levels: Sequence[int]) -> int:
    """How often something gave way again after nothing had."""
    began = [level for before, level in pairwise((0, *levels)) if before == 0 < level]
    return max(0, len(began) - 1)


def _describe(play: Play) -> dict[str, float]:
    rate = round(play.commands / play.seconds)
    return {
        "commands_per_second": rate,
        "p50_ms": play.p50_ms,
        "p99_ms": play.p99_ms,
        "server_cpu": play.server_cpu,
        "store_cpu": play.store_cpu,
        "load_cpu": play.load_cpu,
        "server_core": play.server_core,
        "load_core": play.load_core,
    }


def main() -> int:
    try:
        server_core, load_core = cores()
        pin(os.getpid(), load_core)
        figures = measure(server_core, load_core)
    except CannotMeasure as problem:
        print(f"bench: {problem}", file=sys.stderr)
        return 1
    print(json.dumps(figures, indent=2))
    shortfalls = find_shortfalls(figures)
    for problem in shortfalls:
        print(f"bench: {problem}", file=sys.stderr)
    return 1 if shortfalls else 0


if __name__ == "__main__":
    sys.exit(main())
