"""``python -m tests.chaos.storm``: many tables while hub and store are killed again and again.

A real hub with its bundled store (PARLEY_ACK=fsync) serves tables of all games, each with two people,
watchers and bots. People come and go, talk, write notes, move and repeat commands. About every 20 seconds
the hub, its store or both are killed with SIGKILL. When its game or the storm is over, a table's log, its
people's commands and its record are checked; a new table takes its place. Memory and descriptors are measured
five minutes after the start (or after a third of the time) and at the end, each time in hubs of one age.

The full form takes half an hour, and its load fills two processors::

    python -m tests.chaos.storm --minutes 30 --tables 50

It prints a table of counts, and exits with 1 if anything was lost, doubled, changed or leaked. `make soak`
runs a short form (test_storm.py).
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import random
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from redis.asyncio import Redis

from games import GAMES
from tests.chaos.storm_figures import Family, Figures, Keys
from tests.chaos.storm_people import Book
from tests.chaos.storm_table import Door, StormTable
from tests.harness.processes import HubProcess, free_port

VICTIMS: Final = ("hub", "store", "both")
EVERY: Final = 20.0
"""Seconds between kills."""
WATCHERS: Final = 2
SAMPLES: Final = 5
SOUND: Final = frozenset({"the bundled store died"})
"""What the hub may log as an error in a storm."""
ASLEEP_SECONDS: Final = 120.0
"""By then, tables with nobody connected have gone to sleep."""


@dataclass(frozen=True)
class Plan:
    """The length and strength of a storm."""

    seconds: float
    tables: int
    seed: int = 1
    every: float = EVERY
    age: float = 40.0
    """Seconds without kills before each measurement."""
    victims: Sequence[str] = VICTIMS


@dataclass
class Report:
    """What a storm did, and everything that was wrong."""

    counts: Counter[str]
    faults: list[str]
    early: Figures
    late: Figures
    alone: Figures
    """After everybody has left."""
    keys: Keys
    errors: Counter[str] = field(default_factory=Counter)
    """What the hub logged as errors."""

    @property
    def problems(self) -> list[str]:
        """One line for everything that must not be."""
        problems = list(self.faults)
        problems += [f"the hub logged: {event} ({times} times)" for event, times in self.errors.items()]
        problems += [f"a key of no known kind: {key}" for key in self.keys.unknown]
        problems += [f"a key without an expiry: {key}" for key in self.keys.without_expiry]
        rooms = self.keys.kinds["heads"]
        if rooms > self.counts["tables"] + self.counts["requests repeated"]:
            problems.append(f"{rooms} rooms for {self.counts['tables']} tables")
        for figures in (self.late, self.alone):
            problems += [*self.early.leaks(figures)]
        if self.alone.rooms:
            problems.append(f"{self.alone.rooms:.0f} rooms stayed awake with nobody in them")
        return problems

    def __str__(self) -> str:
        rows = [f"  {times:>10,}  {name}" for name, times in sorted(self.counts.items())]
        rows.append("  after five minutes, at the end, and when everybody had left:")
        for name, *values in zip(Figures._fields, self.early, self.late, self.alone, strict=True):
            rows.append("  " + " ".join(f"{value:>10.1f}" for value in values) + f"  {name}")
        rows += [f"  {times:>10,}  keys: {name}" for name, times in sorted(self.keys.kinds.items())]
        problems = [f"  {problem}" for problem in self.problems] or [
            "  nothing lost, doubled, changed or leaked"
        ]
        return "\n".join(["", *rows, *problems])


class Storm:
    """A hub in a storm, from its start to its end."""

    def __init__(self, plan: Plan, folder: Path) -> None:
        self.plan = plan
        self.book = Book(plan.seed)
        self.fate = random.Random(plan.seed)
        self.hub = HubProcess(folder / "data", port=free_port(), ack="fsync")
        self.store_socket = folder / "data" / "store" / "store.sock"
        self.errors: Counter[str] = Counter()
        self._door: Door
        self._key = b""
        self._people: list[dict[str, Any]] = []

    async def run(self) -> Report:
        await asyncio.to_thread(self.hub.start)
        self._door = Door(self.hub.url, self.book)
        try:
            self._key = bytes.fromhex((await self._door.ask("GET", "/api/key")).json()["key"])
            for i in range(max(8, self.plan.tables)):
                body = {"name": f"Guest {i}", "colour": i % 12}
                person = (await self._door.ask("POST", "/api/people", None, body)).json()
                self._people.append(person)
            async with asyncio.TaskGroup() as group:
                for place in range(self.plan.tables):
                    group.create_task(self._keep_table(place))
                group.create_task(self._look_around())
                early, late = await self._blow()
                self.book.is_over = True
            alone = await self._sleep()
            async with self._store() as store:
                keys = await Keys.read(store)
        finally:
            await self._door.close()
            code = await asyncio.to_thread(self.hub.stop)
        if code != 0:
            self.book.fail(f"the hub ended with code {code}")
        self.read_log()
        return Report(self.book.counts, self.book.faults, early, late, alone, keys, self.errors)

    # --- tables ---

    async def _keep_table(self, place: int) -> None:
        """One table after the other, until the storm ends."""
        games = itertools.cycle([*GAMES])
        chance = random.Random(f"{self.plan.seed} {place}")
        for game in itertools.islice(games, place % len(GAMES), None):
            if self.book.is_over:
                return
            people = chance.sample(self._people, 2 + WATCHERS)
            table = StormTable(self._door, self.book, game, people, chance)
            try:
                try:
                    await table.play()
                    await table.check(self._store_url, self._key)
                finally:
                    await asyncio.shield(table.close())
            except* (AssertionError, TimeoutError) as problems:
                self.book.fail(f"{table.game} {table.room}: {problems.exceptions!r}")

    async def _look_around(self) -> None:
        """A stranger reads whatever is public."""
        while not self.book.is_over:
            for path in ("/api/rooms", "/api/rooms?page=2", "/metrics"):
                await self._door.ask("GET", path)
            listed = (await self._door.ask("GET", "/api/rooms")).json()["rooms"]
            if listed:
                await self._door.ask("GET", f"/api/rooms/{self.fate.choice(listed)['room']}")
            await asyncio.sleep(2.0)

    # --- kills ---

    async def _blow(self) -> tuple[Figures, Figures]:
        """Kills somebody every so often, and measures twice; nobody is killed meanwhile."""
        loop = asyncio.get_running_loop()
        begun = loop.time()
        first = min(300.0, self.plan.seconds / 3)
        await self._kill_until(begun + first)
        early = await self._measure()
        await self._kill_until(begun + self.plan.seconds - self.plan.age)
        while not self.book.counts["records verified"]:  # a slow machine takes longer
            await self._kill_until(loop.time() + 2 * self.plan.every)
        return early, await self._measure()

    async def _kill_until(self, end: float) -> None:
        loop = asyncio.get_running_loop()
        while (pause := self.plan.every * self.fate.uniform(0.5, 1.5)) < end - loop.time():
            await asyncio.sleep(pause)
            await self.kill(self.fate.choice(self.plan.victims))
        await asyncio.sleep(max(0.0, end - loop.time()))

    async def kill(self, victim: str) -> None:
        self.book.counts[f"kills of {victim}"] += 1
        family = Family.of(self.hub.pid)
        if victim in ("store", "both") and family.store:
            os.kill(family.store, signal.SIGKILL)
        if victim in ("hub", "both"):
            await asyncio.to_thread(self.hub.kill)
            self.read_log()
            await asyncio.to_thread(self.hub.start)
        faults = len(self.book.faults)
        counts = self.book.counts
        print(f"killed: {victim}. Applied: {counts['applied']}. Faults: {faults}.", flush=True)

    def read_log(self) -> None:
        """Counts the errors in the hub's log, and searches it for marks."""
        for line in self.hub.lines:
            self.book.search(line.encode(), None, "the hub's log")
            if not line.startswith("{"):
                continue
            entry = json.loads(line)
            if entry["level"] in ("error", "critical") and entry["event"] not in SOUND:
                self.errors[entry["event"]] += 1
                print(line, flush=True)
            elif entry["level"] == "warning":
                self.book.counts[f"warnings: {entry['event']}"] += 1

    # --- figures ---

    async def _measure(self) -> Figures:
        """The figures of a hub of the planned age, if hubs are killed at all."""
        if "hub" in self.plan.victims:
            await self.kill("hub")
        await asyncio.sleep(self.plan.age)
        figures = Figures.middle([await self._sample() for _ in range(SAMPLES)])
        print(figures, flush=True)
        return figures

    async def _sleep(self) -> Figures:
        """The figures once every table is asleep, or after a while."""
        with suppress(TimeoutError):
            async with asyncio.timeout(ASLEEP_SECONDS):
                while (await self._sample()).rooms:
                    pass
        return await self._sample()

    async def _sample(self) -> Figures:
        await asyncio.sleep(1.0)
        metrics = (await self._door.ask("GET", "/metrics")).text
        async with self._store() as store:
            return await Figures.read(Family.of(self.hub.pid), metrics, store)

    @property
    def _store_url(self) -> str:
        return f"unix://{self.store_socket}"

    def _store(self) -> Redis:
        return Redis(unix_socket_path=str(self.store_socket))


def run(plan: Plan) -> Report:
    """Runs a storm in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="parley-") as folder:
        return asyncio.run(Storm(plan, Path(folder)).run())


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos.storm", description=__doc__.split("\n\n")[0])
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--age", type=float, default=Plan.age)
    parser.add_argument("--kill", default=",".join(VICTIMS), help="hub,store,both: whom to kill")
    options = parser.parse_args(arguments)
    plan = Plan(
        60 * options.minutes, options.tables, options.seed, age=options.age, victims=options.kill.split(",")
    )
    report = run(plan)
    print(report)
    return int(bool(report.problems))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
