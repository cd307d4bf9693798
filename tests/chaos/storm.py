"""``python -m tests.chaos.storm``: many tables while hubs, their store and the network fail again and again.

Real hubs serve tables of all games, each with two people, watchers and bots. People come and go, talk, write
notes, move and repeat commands, at whichever hub answers. Meanwhile a seeded schedule of faults runs
(storm_schedule.py): hubs and stores are killed, frozen, stopped and failed over, their clocks step, a disk or
a memory is full, and routes are cut, stalled, delayed or lose what they carry, several at once. When its game
or the storm is over, a table's log is compared with everything that its people sent and were shown, and its
record is verified; a new table takes its place.

In all shapes but `bundled`, three hubs share a store. In the shape `bundled`, one hub has a store of its
own; there, memory and descriptors are measured five minutes after the start (or after a third of the
time) and at the end, each time in hubs of one age. `make chaos` runs it::

    make chaos ARGS="--seed 7 --minutes 10 --store sentinel"

It ends with a table of counts and times, and exits with 1 if anything was lost, doubled, changed or leaked.
The same seed gives the same faults. `make test` and `make soak` run short forms (test_storm.py).
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, get_args

from games import GAMES
from hub.config import Ack, count_replicas
from tests.chaos.storm_figures import Family, Figures, Keys
from tests.chaos.storm_fleet import Fleet, open_fleet
from tests.chaos.storm_owners import OwnerWatch
from tests.chaos.storm_people import Book, TableLost
from tests.chaos.storm_report import Begun, Report
from tests.chaos.storm_schedule import HubFault, Shape, TimedFault, plan_faults, plan_rolls
from tests.chaos.storm_table import Door, StormTable
from tests.harness.other_build import GO_ON
from tests.harness.processes import HubProcess
from tests.harness.wall_clocks import ADVICE, find_library

WATCHERS: Final = 2
SAMPLES: Final = 5
SOUND: Final = frozenset({
    "the bundled store died",
    "the store's settings no longer suit",  # after a failover there may be no replica for a while
    "a bot decides on the event loop",  # its worker did not answer in time
})  # fmt: skip
"""What a hub may log as an error in a storm."""
ASLEEP_SECONDS: Final = 120.0
"""By then, tables with nobody connected have gone to sleep."""
PROGRESS_SECONDS: Final = 10.0


@dataclass(frozen=True)
class Plan:
    """The length and strength of a storm."""

    seconds: float
    tables: int
    seed: int = 1
    shape: Shape = "bundled"
    hubs: int = 3
    """The hubs on a shared store."""
    faults: Sequence[TimedFault] | None = None
    """None: those that the seed gives."""
    ack: str | None = None
    """What verdicts wait for; None: what the shape of the store needs."""
    age: float = 40.0
    """Seconds without faults before memory is measured."""
    pace: float = 1.0
    """How many times as long as usual people think before they act."""
    games: Sequence[str] = tuple(GAMES)
    """Those that are played."""

    @property
    def names(self) -> list[str]:
        """Those of the hubs; a bundled store has one."""
        return [f"hub {i}" for i in range(1 if self.shape == "bundled" else self.hubs)]

    @property
    def may_lose(self) -> bool:
        """Whether the store may lose what it has confirmed, because verdicts wait for less than it needs."""
        return self.ack is not None and _rank(self.ack) < _rank(NEEDED[self.shape])

    def list_faults(self) -> Sequence[TimedFault]:
        if self.faults is not None:
            return self.faults
        return plan_faults(self.seed, self.seconds, self.shape, self.names)


NEEDED: Final[Mapping[Shape, Ack]] = {
    "bundled": "fsync",
    "one": "fsync",
    "sentinel": "replica:1",
    "cluster": "replica:1",
}
"""What verdicts must wait for, for a store of this shape to lose nothing."""


def _rank(ack: Ack) -> int:
    """The place of a setting among all of them, the weakest first."""
    return {"everysec": 0, "fsync": 1}.get(ack, 1 + count_replicas(ack))


class Storm:
    """Hubs in a storm, from their start to their end."""

    def __init__(self, plan: Plan, folder: Path) -> None:
        self.plan = plan
        self.book = Book(plan.seed, plan.pace, may_lose=plan.may_lose)
        self.fate = random.Random(plan.seed)
        self.errors: Counter[str] = Counter()
        self.begun: list[Begun] = []
        self._faults = plan.list_faults()
        self._folder = folder
        self._door: Door
        self._fleet: Fleet
        self._owners: OwnerWatch
        self._key = b""
        self._people: list[dict[str, Any]] = []

    async def run(self) -> Report:
        plan = self.plan
        report = Report(plan.shape, self.book, self.begun, self.errors)
        steps_clocks = any(fault.kind == "step hub's clock" for fault in self._faults)
        async with open_fleet(
            plan.shape, plan.names, self._folder, self.read_log, steps_clocks=steps_clocks, ack=plan.ack
        ) as self._fleet:
            self._owners = OwnerWatch(self._fleet)
            self._door = Door(self._fleet.urls, self.book)
            try:
                await self._invite()
                async with asyncio.TaskGroup() as group:
                    group.create_task(self._owners.keep())
                    telling = group.create_task(self._tell())
                    async with asyncio.TaskGroup() as tables:
                        for place in range(plan.tables):
                            tables.create_task(self._keep_table(place))
                        tables.create_task(self._look_around())
                        await self._blow(report)
                        self.book.is_over = True
                    self._owners.is_over = True
                    telling.cancel()
                if plan.shape == "bundled":
                    report.alone = await self._sleep()
                async with await self._fleet.open_store() as store:
                    report.keys = await Keys.read(store)
            finally:
                await self._door.close()
            for hub in self._fleet.hubs:
                code = await asyncio.to_thread(hub.process.stop)
                self.read_log(hub.process)
                if code != 0:
                    self.book.fail(f"{hub.name} ended with code {code}")
        return report

    # --- tables ---

    async def _invite(self) -> None:
        self._key = bytes.fromhex((await self._door.ask("GET", "/api/key")).json()["key"])
        for i in range(max(8, self.plan.tables)):
            body = {"name": f"Guest {i}", "colour": i % 12}
            self._people.append((await self._door.ask("POST", "/api/people", None, body)).json())

    async def _keep_table(self, place: int) -> None:
        """One table after the other, until the storm ends."""
        games = itertools.cycle(self.plan.games)
        chance = random.Random(f"{self.plan.seed} {place}")
        for game in itertools.islice(games, place % len(self.plan.games), None):
            if self.book.is_over:
                return
            people = chance.sample(self._people, 2 + WATCHERS)
            table = StormTable(self._door, self.book, self._owners, game, people, chance)
            try:
                try:
                    await table.play()
                    await table.check(self._fleet.find_store_url, self._key)
                finally:
                    await asyncio.shield(table.close())
            except* TableLost:
                self.book.counts["tables lost"] += 1
                self.book.check_owners(table.room)
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

    async def _tell(self) -> None:
        """Says every so often how far the storm is."""
        begun, counts = time.monotonic(), self.book.counts
        while True:
            await asyncio.sleep(PROGRESS_SECONDS)
            print(
                f"{time.monotonic() - begun:6.0f} s: {counts['commands']:,} commands, "
                f"{len(self.begun)} faults, {counts['tables checked']} tables checked, "
                f"{len(self.book.faults)} violations",
                flush=True,
            )

    # --- faults ---

    async def _blow(self, report: Report) -> None:
        """Lets all faults happen, and measures twice; nothing happens meanwhile."""
        plan, loop = self.plan, asyncio.get_running_loop()
        faults = self._faults
        middle = min(300.0, plan.seconds / 3)
        parts = [
            [fault for fault in faults if fault.at <= middle],
            [fault for fault in faults if fault.at > middle],
        ]
        begun = loop.time()
        for part in parts:
            async with asyncio.TaskGroup() as group:
                for fault in part:
                    await asyncio.sleep(max(0.0, begun + fault.at - loop.time()))
                    self.begun.append(Begun(time.monotonic(), fault.kind))
                    print(fault, flush=True)
                    group.create_task(self._fleet.strike(fault))
            if plan.shape == "bundled":
                paused = loop.time()
                figures = await self._measure()
                report.late, report.early = figures, report.early or figures
                begun += loop.time() - paused
        await asyncio.sleep(max(0.0, begun + plan.seconds - loop.time()))
        self.book.counts.update({f"faults: {kind}": times for kind, times in self._fleet.counts.items()})

    def read_log(self, hub: HubProcess) -> None:
        """Counts the errors in a hub's log, and searches it for marks."""
        for line in hub.lines:
            self.book.search(line.encode(), None, "a hub's log")
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
        """The figures of a hub of the planned age."""
        (hub,) = self._fleet.hubs
        await self._fleet.strike(TimedFault(0.0, "kill hub", hub.name))
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
        async with await self._fleet.open_store() as store:
            return await Figures.read(Family.of(self._fleet.hubs[0].process.pid), metrics, store)


def run(plan: Plan) -> Report:
    """Runs a storm in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="parley-") as folder:
        return asyncio.run(Storm(plan, Path(folder)).run())


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos.storm", description=__doc__.split("\n\n")[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--tables", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--store", choices=get_args(Shape), default="one", help="the shape of the store")
    parser.add_argument("--hubs", type=int, default=Plan.hubs)
    parser.add_argument("--ack", help="PARLEY_ACK, to try less than the store needs")
    parser.add_argument("--age", type=float, default=Plan.age)
    parser.add_argument("--pace", type=float, default=Plan.pace, help="how many times as long people think")
    parser.add_argument("--rolls", type=int, help="no faults but this many rolling restarts of all hubs")
    parser.add_argument("--kill", action="store_true", help="hubs are killed in the rolls, not stopped")
    parser.add_argument("--gap", type=float, default=20.0, help="seconds between two restarts of a roll")
    parser.add_argument(
        "--upgrade", action="store_true", help="hubs get newer rules in the middle one of the rolls"
    )
    options = parser.parse_args(arguments)
    if options.ack is not None and options.store == "bundled":
        parser.error("a bundled store always has PARLEY_ACK=fsync here: leave --ack out")
    if find_library() is None:
        print(ADVICE)
    plan = Plan(
        60 * options.minutes,
        options.tables,
        options.seed,
        options.store,
        options.hubs,
        ack=options.ack,
        age=options.age,
        pace=options.pace,
    )
    if options.rolls:
        middle = (options.rolls + 1) // 2 if options.upgrade else None
        kind: HubFault = "kill hub" if options.kill else "stop hub"
        rolls = plan_rolls(options.rolls, plan.names, options.gap, kind, middle)
        games = GO_ON if options.upgrade else plan.games
        plan = replace(plan, faults=rolls, seconds=rolls[-1].at + options.gap, games=games)
    report = run(plan)
    print(report)
    return int(bool(report.problems))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
