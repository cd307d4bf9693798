"""Two hubs and one room, in any order of takes, commits, late commands and faults (G1-G3).

At every step the store's log must match the verdicts exactly: nothing lost, nothing duplicated, and
nothing from a hub that was not the owner.
"""

from __future__ import annotations

import asyncio
import itertools
from typing import Any, TypeVar

import pytest
import redis.asyncio
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from hub.store.pipe import Commit, CommitPipe, Result
from hub.store.store import Ownership, Store
from hub.telemetry.tasks import Tasks
from tests.harness.defaults import DEFAULTS
from tests.harness.fault_proxy import Fault, FaultProxy
from tests.harness.manual_clock import ManualClock
from tests.harness.owner import Owner
from tests.harness.processes import StoreProcess
from tests.store.contents import delete_room

T = TypeVar("T")
TIMEOUT = 2.0
HUBS = st.sampled_from([0, 1])
AT_ONCE = st.sampled_from(
    [
        Fault.NONE,
        Fault.CUT_BEFORE,
        Fault.CUT_AFTER,
        Fault.LOSE_REPLY,
        Fault.REPEAT_REPLY,
        Fault.GARBLE_REPLY,
        Fault.REPEAT_COMMAND,
        Fault.HOLD_REPLY,
    ]
)
_prefixes = itertools.count()


class Hub:
    """An owner with its own proxy and clock."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.clock = ManualClock()
        self.past: list[Commit] = []
        self.open: tuple[Commit, asyncio.Future[Result]] | None = None
        """A commit that is held on its way to the store."""

    async def start(self, process: StoreProcess, prefix: str, store: Store, tasks: Tasks) -> None:
        self.proxy = await FaultProxy(process.socket, folder=process.socket.parent).__aenter__()
        self.pipe = CommitPipe(self.proxy.url, tasks, prefix=prefix, timeout=TIMEOUT, clock=self.clock)
        await self.pipe.connect()
        self.owner = Owner(self.name, store, self.pipe)

    async def stop(self) -> None:
        await self.pipe.close()
        await self.proxy.__aexit__(None, None, None)

    async def settle(self, end: asyncio.Future[T]) -> T:
        """Waits for a result, letting the pipe reconnect whenever it needs to."""
        while not end.done():
            asleep = asyncio.ensure_future(self.clock.asleep())
            waiting: list[asyncio.Future[Any]] = [end, asleep]
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            if asleep.done():
                self.clock.advance(5.0)
            else:
                asleep.cancel()
        return end.result()


class Races(RuleBasedStateMachine):
    """Races between two hubs; `log`, `seq` and `token` are what the store must hold."""

    def __init__(self, process: StoreProcess) -> None:
        super().__init__()
        self.process = process
        self.prefix = f"races{next(_prefixes)}:"
        self.runner = asyncio.Runner()
        self.tasks = Tasks()
        self.hubs = [Hub("one"), Hub("two")]
        self.log: list[bytes] = []
        self.seq = 0
        self.token = ""
        self.names = itertools.count()

    def run(self, work: Any) -> Any:
        return self.runner.run(work)

    @initialize()
    def start(self) -> None:
        async def start() -> None:
            self.store = await Store.open(
                self.process.url, prefix=self.prefix, forget_days=DEFAULTS.forget_days
            )
            self.raw = redis.asyncio.Redis.from_url(self.process.url)
            for hub in self.hubs:
                await hub.start(self.process, self.prefix, self.store, self.tasks)
            assert await self.hubs[0].owner.create("r")
            self.token = self.hubs[0].owner.token

        self.run(start())

    def teardown(self) -> None:
        async def stop() -> None:
            for hub in self.hubs:
                await hub.stop()
            await self.tasks.close()
            await delete_room(self.store, "r")
            await self.store.close()
            await self.raw.aclose()

        self.run(stop())
        self.runner.close()

    # --- steps ---

    @rule(which=HUBS)
    def take(self, which: int) -> None:
        owner = self.hubs[which].owner
        ownership = self.run(owner.take("r"))
        assert isinstance(ownership, Ownership)
        assert (ownership.seq, ownership.token != self.token) == (self.seq, True)
        assert ownership.snapshot == (b"after %d" % self.seq if self.seq else b"born")
        self.token = ownership.token

    @rule(which=HUBS, entries=st.integers(0, 3), fault=AT_ONCE)
    def commit(self, which: int, entries: int, fault: Fault) -> None:
        hub = self.hubs[which]
        if hub.open is not None or not hub.owner.token:
            return
        commit = self.next(hub, entries)

        async def through() -> Result:
            before = hub.proxy.happenings(fault)
            if fault is not Fault.NONE:
                hub.proxy.plan(fault)
            verdict = hub.owner.send(commit)
            if fault in (Fault.LOSE_REPLY, Fault.HOLD_REPLY):
                reached = asyncio.ensure_future(hub.proxy.happened(fault, before + 1))
                await hub.settle(reached)
                hub.clock.advance(2 * TIMEOUT)
            result = await hub.settle(verdict)
            hub.proxy.release()
            return result

        self.told(commit, self.run(through()))

    @rule(which=HUBS, entries=st.integers(0, 3))
    def send_late(self, which: int, entries: int) -> None:
        """Sends a commit that is held on its way."""
        hub = self.hubs[which]
        if hub.open is not None or not hub.owner.token:
            return
        commit = self.next(hub, entries)

        async def hold() -> None:
            before = hub.proxy.happenings(Fault.HOLD_COMMAND)
            hub.proxy.plan(Fault.HOLD_COMMAND)
            hub.open = commit, hub.owner.send(commit)
            reached = asyncio.ensure_future(hub.proxy.happened(Fault.HOLD_COMMAND, before + 1))
            await hub.settle(reached)

        self.run(hold())

    @precondition(lambda self: any(hub.open for hub in self.hubs))
    @rule(which=HUBS)
    def arrive(self, which: int) -> None:
        """Lets the held commit arrive."""
        hub = self.hubs[which]
        if hub.open is None:
            return
        (commit, verdict), hub.open = hub.open, None

        async def release() -> Result:
            hub.proxy.release()
            return await hub.settle(verdict)

        self.told(commit, self.run(release()))

    @precondition(lambda self: any(hub.open for hub in self.hubs))
    @rule(which=HUBS, late=st.booleans())
    def lose_patience(self, which: int, late: bool) -> None:
        """Sends the held commit again over another connection; the first copy arrives later, or never."""
        hub = self.hubs[which]
        if hub.open is None:
            return
        (commit, verdict), hub.open = hub.open, None

        async def again() -> Result:
            hub.clock.advance(2 * TIMEOUT)
            result = await hub.settle(verdict)
            connections = hub.proxy.open
            if late:
                hub.proxy.release()
                await hub.proxy.until(lambda: hub.proxy.open < connections)
            return result

        self.told(commit, self.run(again()))

    @precondition(lambda self: any(hub.past for hub in self.hubs))
    @rule(which=HUBS, back=st.integers(0, 5))
    def repeat(self, which: int, back: int) -> None:
        """Sends a past commit again, unchanged."""
        hub = self.hubs[which]
        if hub.open is not None or not hub.past:
            return
        commit = hub.past[-1 - back % len(hub.past)]
        result = self.run(hub.settle(self.run(self.sent(hub, commit))))
        last = (commit.token, commit.seq) == (self.token, self.seq)
        assert result is (Result.ALREADY if last else Result.FENCED)

    @rule(which=HUBS)
    def give_up(self, which: int) -> None:
        owner = self.hubs[which].owner
        if not owner.token:
            return
        released = self.run(self.store.release(owner.token, "r"))
        assert released == (owner.token == self.token) or self.token == f"free {owner.token}"
        if owner.token == self.token:
            self.token = f"free {owner.token}"

    @rule()
    def forget_scripts(self) -> None:
        self.run(self.raw.script_flush())

    # --- invariants ---

    @invariant()
    def the_log_is_what_was_said(self) -> None:
        if not hasattr(self, "store"):
            return
        logged = self.run(self.store.log_with_ids("r"))
        ids = [tuple(map(int, at.split("-"))) for at, _ in logged]
        assert [entry for _, entry in logged] == self.log
        assert [epoch for epoch, _ in ids] == sorted(epoch for epoch, _ in ids)
        numbers = [n for _, n in ids]
        assert numbers == sorted(set(numbers))
        assert self.run(self.raw.hget(f"{self.prefix}{{room:r}}:head", "seq")) == str(self.seq).encode()

    def next(self, hub: Hub, entries: int) -> Commit:
        commit = hub.owner.next(
            *(b"%d by %s" % (next(self.names), hub.name.encode()) for _ in range(entries))
        )
        hub.past.append(commit)
        return commit

    async def sent(self, hub: Hub, commit: Commit) -> asyncio.Future[Result]:
        return hub.owner.send(commit)

    def told(self, commit: Commit, result: Result) -> None:
        """Checks that the verdict is right for the order of arrivals, and updates the model."""
        if commit.token == self.token and commit.base == self.seq:
            assert result in (Result.APPLIED, Result.ALREADY)
            self.log += commit.entries
            self.seq = commit.seq
        else:
            assert result is Result.FENCED


@pytest.mark.timeout(600)
@pytest.mark.parametrize("examples", [16, pytest.param(40, marks=pytest.mark.at_length)])
def test_races(examples: int, store_process: StoreProcess) -> None:
    run_state_machine_as_test(
        lambda: Races(store_process),  # type: ignore[arg-type]  # any factory will do
        settings=settings(
            max_examples=examples,
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow],
        ),
    )
