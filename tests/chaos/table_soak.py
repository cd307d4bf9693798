"""Many tables of a game on two hubs and one store, all going through the same ticks.

In a tick the people at every table send commands before and after a span of time. The commands are processed
in this order and, unless commits are held back, in one turn. Then some tables change hands, and everything
that anybody was sent is compared with a reference version of the game (`SoakTable.check`).
"""

from __future__ import annotations

import asyncio
import random
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, Generic, TypeVar

from hub.runtime.placement import Placed
from hub.store.hubs import HubIdentity
from hub.store.lease import LEASE_MS
from tests.chaos.held_back import Gate, HeldBack
from tests.chaos.soak_table import SoakTable, Way
from tests.harness.follower import Follower, settled
from tests.harness.manual_clock import ManualClock
from tests.harness.small_hub import ClientLine, SmallHub, person

T = TypeVar("T", bound=SoakTable)

WAYS: Final[Mapping[Way, float]] = {
    "stays": 0.94,
    "slow": 0.01,
    "leaves": 0.02,
    "stalls": 0.015,
    "stalls and is left": 0.015,
}
"""The probability of each way a tick can go for a table (`Way`)."""
PAUSE: Final = 24_000
"""The longest pause between ticks, in milliseconds."""
LONGEST: Final = 1000
"""The longest tick, in milliseconds: a hub's clock does not advance further than this without a heartbeat."""


class TableSoak(ABC, Generic[T]):
    """Two hubs on one store with many tables open at once."""

    def __init__(self, hubs: tuple[SmallHub, SmallHub], clock: ManualClock, seats: int, seed: int) -> None:
        self.hubs = hubs
        self.gates = {hub.url: Gate(hub) for hub in hubs}
        self.clock = clock
        self.seats = seats
        self.fate = random.Random(seed)
        self.tables: list[T] = []
        self.ended: list[T] = []
        self.ticks = 0
        self._met: Counter[str] = Counter()
        """The number of times each event happened at the tables that ended."""

    def _other(self, hub: SmallHub) -> SmallHub:
        return self.hubs[1] if hub is self.hubs[0] else self.hubs[0]

    def _held_back(self, table: T) -> HeldBack:
        return HeldBack(table, self.gates[table.hub.url], self._other(table.hub))

    async def quiet(self) -> None:
        for gate in self.gates.values():
            await gate.quiet()

    # --- tables ---

    async def fill(self, tables: int) -> None:
        """Open new tables in place of those that have ended."""
        missing = tables - len(self.tables)
        for _ in range(missing):  # one after the other, so that a seed always plays the same games
            self.tables.append(await self.opened())

    @abstractmethod
    async def opened(self) -> T:
        """A new table whose followers have heard nothing yet."""

    async def seated(
        self, game: str, options: Mapping[str, Any], watched: bool
    ) -> tuple[str, list[Follower], list[ClientLine]]:
        """A started table on one of the hubs: its room, its people and perhaps a watcher."""
        hub = self.fate.choice(self.hubs)
        placed = await hub.rooms.create(
            person(0), game, self.seats, options, open=True, play_now=False, bots=None
        )
        people = [placed]
        for seat in range(1, self.seats):
            sat = await hub.rooms.sit(placed.room, person(seat), seat)
            assert isinstance(sat, Placed)
            people.append(sat)
        if watched:
            people.append(Placed(placed.room, placed.code, None, 0))
        followers = [hub.follower(one) for one in people]
        lines = [await hub.come(follower) for follower in followers]
        await lines[0].do("manage", act={"do": "start"})
        return placed.room, followers, lines

    @property
    def events(self) -> int:
        """The number of commands and ended windows so far."""
        return sum(table.events for table in (*self.ended, *self.tables))

    @property
    def met(self) -> Counter[str]:
        """The number of times each event happened at all tables."""
        return sum((table.met for table in self.tables), Counter(self._met))

    async def settled(self, every: int) -> None:
        """Check, for every nth table, that the store holds what everybody was promised, each command once."""
        for table in (*self.ended, *self.tables)[::every]:
            await settled(self.hubs[0].store, table.room, table.followers)

    # --- a tick ---

    async def tick(self) -> None:
        """Everybody sends commands, some tables move, and everything is checked."""
        await self._pass_time(self._pause())
        self.ticks += 1
        await self._beat()
        span = self._span()
        for table in self.tables:
            (way,) = self.fate.choices([*WAYS], [*WAYS.values()])
            table.begin(self.ticks, span, way)
        staying = [table for table in self.tables if table.way == "stays"]
        slow = [self._held_back(table) for table in self.tables if table.way != "stays"]
        if slow:
            for one in slow:
                one.early()
            await self.quiet()
            for one in slow:
                one.flown()
        for table in staying:
            table.decide(table.say(table.plan.early))
        self.clock.move(span)
        for table in staying:
            table.decide(table.say(table.plan.late))
        for one in slow:
            one.late()
        await self.quiet()
        for one in slow:
            one.landed()
        await self._move(slow)
        self.clock.fire()
        await self.quiet()
        await self._at_the_border()
        for table in self.tables:
            table.check()
        for table in self.tables:
            if table.over:
                self.ended.append(table)
                self._met.update(table.met)
        self.tables = [table for table in self.tables if not table.over]

    async def _pass_time(self, milliseconds: int) -> None:
        """Let this much time pass without commands; windows end as they fall due."""
        end = self.clock.now_ms() + milliseconds
        while self.clock.now_ms() < end:
            await self._beat()
            self.clock.move(min(LONGEST, end - self.clock.now_ms()))
            self.clock.fire()
            await self.quiet()
        await self._at_the_border()
        for table in self.tables:
            table.pass_time(table.actor.table_time())

    async def _beat(self) -> None:
        for hub in self.hubs:
            await hub.lease.beat()
        await self.quiet()

    def _pause(self) -> int:
        """The pause before a tick: none, or until just before windows end at many tables."""
        if self.fate.random() < 0.7:
            return 0
        left = self._left()
        pauses = range(0, PAUSE + 1, LONGEST // 2)
        return max(pauses, key=lambda pause: sum(pause < one <= pause + LONGEST for one in left))

    def _span(self) -> int:
        """The length of a tick, which sometimes ends at the same moment as a window."""
        near = [left for left in self._left() if left <= LONGEST]
        return self.fate.choice([*near, LONGEST, LONGEST, LONGEST, self.fate.randint(1, LONGEST)])

    def _left(self) -> list[int]:
        """The time left in every window that should run out within a tick."""
        return [end - table.actor.table_time() for table in self.tables for end in table.ends()]

    async def _move(self, slow: Sequence[HeldBack]) -> None:
        leaving = [one for one in slow if one.table.way == "leaves"]
        await asyncio.gather(*(one.leave() for one in leaving))
        for hub in self.hubs:
            stalled = [one for one in slow if one.table.way.startswith("stalls") and one.hub is hub]
            if stalled:
                self.clock.move(LEASE_MS)
                await self._other(hub).lease.beat()
                await hub.store.depart(HubIdentity(hub.lease.incarnation, hub.url))
                await asyncio.gather(*(one.take_over() for one in stalled))
                await self.quiet()
                await hub.lease.beat()  # it is still alive, and finds out which tables it has lost
                await self.quiet()
                await asyncio.gather(*(one.follow() for one in stalled))
        for one in slow:
            if one.table.way == "slow":
                one.gate.open(one.table.room)
        await self.quiet()

    async def _at_the_border(self) -> None:
        """End the windows due in this millisecond at tables where no command has done so."""
        for table in self.tables:
            at = table.actor.table_time()
            table.pass_time(at - 1)
            if table.next_end() == at:
                table.hub.within(table.actor.verify_ownership)
        await self.quiet()
