"""The commit pipe against a real store: each commit has exactly one effect, whatever happens (G1-G3, G6)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import redis.asyncio

from hub.config import CannotStart
from hub.store.pipe import Backoff, Commit, CommitPipe, Hooks, Result
from hub.store.store import Store
from hub.telemetry.tasks import Tasks
from tests.harness.fault_proxy import Fault, FaultProxy
from tests.harness.manual_clock import ManualClock
from tests.harness.owner import Owner
from tests.harness.processes import StoreProcess

pytestmark = pytest.mark.asyncio

TIMEOUT = 2.0


class Bench:
    """A store, a proxy in front of it, a pipe through the proxy, and an owner of a room."""

    def __init__(
        self, store: Store, proxy: FaultProxy, pipe: CommitPipe, clock: ManualClock, tasks: Tasks
    ) -> None:
        self.store = store
        self.proxy = proxy
        self.pipe = pipe
        self.clock = clock
        self.tasks = tasks
        self.owner = Owner("one", store, pipe)
        self.resent = 0
        self.pipelines: list[int] = []
        self.latencies: list[float] = []
        self.health: list[bool] = []

    def listen(self, hooks: Hooks) -> None:
        def resent(count: int) -> None:
            self.resent += count

        hooks.health = self.health.append
        hooks.pipeline = self.pipelines.append
        hooks.latency = self.latencies.append
        hooks.resent = resent

    async def owners(self, count: int) -> list[Owner]:
        """Creates this many hubs, each with its own room: `r0`, `r1`..."""
        owners = [Owner(f"hub{n}", self.store, self.pipe) for n in range(count)]
        for n, owner in enumerate(owners):
            assert await owner.create(f"r{n}")
        return owners

    async def logs(self, count: int) -> list[list[bytes]]:
        return [await self.store.log(f"r{n}") for n in range(count)]

    async def again(self) -> None:
        """Let the pipe reconnect after it has noticed a lost connection."""
        await self.clock.wake()

    async def unanswered(self) -> None:
        """Let the pipe time out without an answer (twice, since it may have had one just before)."""
        self.clock.advance(2 * TIMEOUT)
        await self.again()


@asynccontextmanager
async def bench(store_process: StoreProcess, prefix: str, *, ack: str = "everysec") -> AsyncIterator[Bench]:
    clock = ManualClock()
    async with (
        Tasks(_fail) as tasks,
        FaultProxy(store_process.socket, folder=store_process.socket.parent) as proxy,
    ):
        store = await Store.open(store_process.url, prefix=prefix)
        hooks = Hooks()
        pipe = CommitPipe(proxy.url, tasks, prefix=prefix, timeout=TIMEOUT, clock=clock, hooks=hooks)
        bench = Bench(store, proxy, pipe, clock, tasks)
        bench.listen(hooks)
        await pipe.connect()
        assert await bench.owner.create("r")
        try:
            yield bench
        finally:
            await pipe.close()
            await store.close()


def raw_client(store: StoreProcess) -> redis.asyncio.Redis:
    return redis.asyncio.Redis.from_url(store.url)


def _fail(name: str, error: BaseException) -> None:
    raise AssertionError(f"{name} failed") from error


# --- without faults ---


async def test_applied_then_already(store_process: StoreProcess, prefix: str) -> None:
    """G2: a repeated commit is answered, and writes nothing."""
    async with bench(store_process, prefix) as b:
        commit = b.owner.next(b"a", b"b", talk=[(b"all:0", b"hello")], notes=[(2, b"mine")])
        assert await b.owner.send(commit) is Result.APPLIED
        assert await b.owner.send(commit) is Result.ALREADY
        assert await b.store.log_with_ids("r") == [("1-1", b"a"), ("1-2", b"b")]
        assert await b.store.talk("r") == {b"all:0": b"hello"}
        assert await b.store.notes("r") == {2: b"mine"}
        assert await b.store.snapshot("r") == b"after 2"


async def test_any_bytes(store_process: StoreProcess, prefix: str) -> None:
    blob = bytes(range(256)) * 300
    async with bench(store_process, prefix) as b:
        assert (
            await b.owner.commit(blob, b"", snapshot=blob, talk=[(b"all:0", blob)], notes=[(0, blob)])
            is Result.APPLIED
        )
        assert await b.store.log("r") == [blob, b""]
        assert await b.store.snapshot("r") == blob
        assert await b.store.talk("r") == {b"all:0": blob}
        assert await b.store.notes("r") == {0: blob}


@pytest.mark.parametrize(
    "changed",
    [
        {"token": "1:other:00000000"},
        {"token": "1"},
        {"token": ""},
        {"base": 1, "seq": 2},
        {"base": 0, "seq": 2},
        {"base": 5, "seq": 6},
        {"room": "nowhere"},
    ],
    ids=str,
)
async def test_fenced(store_process: StoreProcess, prefix: str, changed: dict[str, Any]) -> None:
    """G3: the whole token is compared, and the commit must follow the last one or repeat it."""
    async with bench(store_process, prefix) as b:
        assert await b.owner.commit(b"a") is Result.APPLIED
        assert await b.owner.commit(b"b") is Result.APPLIED
        assert await b.owner.commit(b"c") is Result.APPLIED
        forged = b.owner.next(b"x", talk=[(b"all:0", b"x")], notes=[(0, b"x")], **changed)
        assert await b.owner.send(forged) is Result.FENCED
        assert await b.store.log("r") == [b"a", b"b", b"c"]
        assert await b.store.talk("r") == {}
        assert await b.store.notes("r") == {}
        assert await b.store.snapshot("r") == b"after 3"
        assert await b.store.snapshot("nowhere") is None


async def test_a_prefix_of_the_token_is_not_the_token(store_process: StoreProcess, prefix: str) -> None:
    async with bench(store_process, prefix) as b:
        for token in (b.owner.token[:-1], b.owner.token + "0", b.owner.token.upper() + " "):
            assert await b.owner.send(b.owner.next(b"x", token=token)) is Result.FENCED
        assert await b.store.log("r") == []


async def test_one_write_for_all_rooms_of_a_tick(store_process: StoreProcess, prefix: str) -> None:
    """Commits submitted in one tick are sent together, and a fenced one does not affect the others."""
    async with bench(store_process, prefix) as b:
        owners = await b.owners(5)
        owners[2].token = "1:stale:0"
        b.pipelines.clear()
        verdicts = await asyncio.gather(*(owner.commit(b"x") for owner in owners))
        assert verdicts == [Result.APPLIED, Result.APPLIED, Result.FENCED, Result.APPLIED, Result.APPLIED]
        assert b.pipelines == [5]
        assert len(b.latencies) == 1
        assert b.pipe.unanswered == 0


async def test_a_snapshot_left_out_stays(store_process: StoreProcess, prefix: str) -> None:
    """A new owner gets the log since that snapshot."""
    async with bench(store_process, prefix) as b:
        await b.owner.commit(b"a", snapshot=b"S1")
        await b.owner.commit(b"b", b"c", snapshot=b"")
        await b.owner.commit(b"d", snapshot=b"")
        ownership = await b.owner.take("r")
        assert (ownership.snapshot, ownership.entries, ownership.seq) == (b"S1", [b"b", b"c", b"d"], 4)  # type: ignore[union-attr]
        await b.owner.commit(b"e", snapshot=b"")
        assert await b.store.log_with_ids("r") == [
            *[("1-1", b"a"), ("1-2", b"b"), ("1-3", b"c"), ("1-4", b"d")],
            ("2-5", b"e"),
        ]
        ownership = await b.owner.take("r")
        assert (ownership.snapshot, ownership.entries, ownership.seq) == (b"S1", [b"b", b"c", b"d", b"e"], 5)  # type: ignore[union-attr]


async def test_talk_goes_into_its_slots(store_process: StoreProcess, prefix: str) -> None:
    async with bench(store_process, prefix) as b:
        await b.owner.commit(talk=[(b"all:0", b"a"), (b"0-1:0", b"b")])
        await b.owner.commit(talk=[(b"all:1", b"c"), (b"0-1:0", b"d")])
        assert await b.store.talk("r") == {b"all:0": b"a", b"all:1": b"c", b"0-1:0": b"d"}
        assert await b.store.log("r") == []


@pytest.mark.parametrize(("base", "seq", "entries"), [(3, 3, ()), (3, 2, ()), (3, 4, (b"a", b"b"))])
async def test_a_commit_that_contradicts_itself(
    store_process: StoreProcess, prefix: str, base: int, seq: int, entries: tuple[bytes, ...]
) -> None:
    async with bench(store_process, prefix) as b:
        commit = Commit("r", b.owner.token, base, seq, 0, 0, "running", b"", entries)
        with pytest.raises(ValueError, match="sequence"):
            b.pipe.submit(commit, lambda result: None)


async def test_nothing_is_written_when_a_check_fails_late(store_process: StoreProcess, prefix: str) -> None:
    """A key of the wrong type is noticed before the first write: the commit waits, then is written whole."""
    keys = [f"{prefix}{{room:r}}:{part}" for part in ("log", "talk", "notes")]
    async with bench(store_process, prefix) as b, raw_client(store_process) as raw:
        for key in keys:
            await raw.set(key, b"in the way")
            verdict = b.owner.send(b.owner.next(b"x", talk=[(b"all:0", b"t")], notes=[(1, b"n")]))
            calls = b.proxy.count("EVALSHA")
            other = Owner("two", b.store, b.pipe)
            await b.proxy.commands("EVALSHA", calls + 1)
            assert await other.create("r" + key)
            assert await other.commit(b"fine") is Result.APPLIED  # other rooms are not affected
            assert not verdict.done()
            assert not b.pipe.healthy
            assert await raw.hget(f"{prefix}{{room:r}}:head", "seq") == str(b.owner.seq).encode()
            await raw.delete(key)
            b.clock.advance(2.0)
            assert await verdict is Result.APPLIED
            assert b.pipe.healthy
        assert await b.store.log("r") == [b"x"] * 3
        assert await b.store.talk("r") == {b"all:0": b"t"}


# --- faults ---


@pytest.mark.parametrize(
    ("fault", "result"),
    [
        (Fault.CUT_BEFORE, Result.APPLIED),
        (Fault.CUT_AFTER, Result.ALREADY),
        (Fault.GARBLE_REPLY, Result.ALREADY),
    ],
    ids=lambda value: value.name,
)
async def test_cut(store_process: StoreProcess, prefix: str, fault: Fault, result: Result) -> None:
    async with bench(store_process, prefix) as b:
        b.proxy.plan(fault)
        verdict = b.owner.send(b.owner.next(b"a"))
        await b.proxy.happened(fault)
        await b.again()
        assert await verdict is result
        assert await b.store.log("r") == [b"a"]
        assert b.resent == 1
        assert b.health == [True, False, True]


async def test_lost_reply_is_asked_for_again(store_process: StoreProcess, prefix: str) -> None:
    """Without an answer, the commit is sent again after the timeout, no sooner, over another connection."""
    async with bench(store_process, prefix) as b:
        b.proxy.plan(Fault.LOSE_REPLY)
        verdict = b.owner.send(b.owner.next(b"a"))
        await b.proxy.happened(Fault.LOSE_REPLY)
        b.clock.advance(TIMEOUT * 0.99)
        assert b.health == [True]
        b.clock.advance(TIMEOUT)
        assert b.health == [True, False]
        await b.again()
        assert await verdict is Result.ALREADY
        assert await b.store.log("r") == [b"a"]


async def test_lost_reply_in_the_middle_moves_no_verdict(store_process: StoreProcess, prefix: str) -> None:
    """The next room's `fenced` must not be taken for the first room's verdict."""
    async with bench(store_process, prefix) as b:
        stale = Owner("stale", b.store, b.pipe)
        assert await stale.create("other")
        stale.token = "1:stale:0"
        b.proxy.plan(Fault.LOSE_REPLY)
        first, second = b.owner.send(b.owner.next(b"a")), stale.send(stale.next(b"x"))
        await b.proxy.happened(Fault.LOSE_REPLY)
        await b.again()
        assert await first is Result.ALREADY
        assert await second is Result.FENCED
        assert await b.store.log("r") == [b"a"]


async def test_repeated_reply_moves_no_verdict(store_process: StoreProcess, prefix: str) -> None:
    async with bench(store_process, prefix) as b:
        stale = Owner("stale", b.store, b.pipe)
        assert await stale.create("other")
        stale.token = "1:stale:0"
        b.proxy.plan(Fault.REPEAT_REPLY)
        first, second = b.owner.send(b.owner.next(b"a")), stale.send(stale.next(b"x"))
        assert await first is Result.APPLIED
        await b.again()
        assert await second is Result.FENCED
        assert await b.store.log("r") == [b"a"]


async def test_repeated_reply_with_nobody_waiting(store_process: StoreProcess, prefix: str) -> None:
    async with bench(store_process, prefix) as b:
        b.proxy.plan(Fault.REPEAT_REPLY)
        assert await b.owner.commit(b"a") is Result.APPLIED
        await b.again()
        assert await b.owner.commit(b"b") is Result.APPLIED
        assert await b.store.log("r") == [b"a", b"b"]


async def test_repeated_command(store_process: StoreProcess, prefix: str) -> None:
    async with bench(store_process, prefix) as b:
        b.proxy.plan(Fault.REPEAT_COMMAND)
        assert await b.owner.commit(b"a") is Result.APPLIED
        assert await b.owner.commit(b"b") is Result.APPLIED
        assert await b.store.log("r") == [b"a", b"b"]


async def test_a_late_command_has_no_second_effect(store_process: StoreProcess, prefix: str) -> None:
    """The first copy arrives after the second, and even after later commits."""
    async with bench(store_process, prefix) as b:
        b.proxy.plan(Fault.HOLD_COMMAND)
        verdict = b.owner.send(b.owner.next(b"a"))
        await b.proxy.happened(Fault.HOLD_COMMAND)
        await b.unanswered()
        assert await verdict is Result.APPLIED
        assert await b.owner.commit(b"b") is Result.APPLIED
        connections = b.proxy.open
        b.proxy.release()
        await b.proxy.until(lambda: b.proxy.open < connections)
        assert await b.owner.commit(b"c") is Result.APPLIED
        assert await b.store.log("r") == [b"a", b"b", b"c"]


async def test_late_replies_are_not_heard(store_process: StoreProcess, prefix: str) -> None:
    async with bench(store_process, prefix) as b:
        b.proxy.plan(Fault.HOLD_REPLY)
        verdict = b.owner.send(b.owner.next(b"a"))
        await b.proxy.happened(Fault.HOLD_REPLY)
        await b.unanswered()
        assert await verdict is Result.ALREADY
        b.proxy.release()
        assert await b.owner.commit(b"b") is Result.APPLIED
        assert await b.store.log("r") == [b"a", b"b"]


@pytest.mark.parametrize(
    "fault", [Fault.CUT_BEFORE, Fault.CUT_AFTER, Fault.LOSE_REPLY, Fault.REPEAT_REPLY, Fault.HOLD_COMMAND]
)
@pytest.mark.parametrize("skip", range(4))
async def test_every_room_of_a_pipeline(
    store_process: StoreProcess, prefix: str, fault: Fault, skip: int
) -> None:
    """Wherever in a pipeline the fault occurs, each room's commit has one effect and the right verdict."""
    async with bench(store_process, prefix) as b:
        owners = await b.owners(4)
        b.proxy.plan(fault, skip=skip)
        verdicts = [owner.send(owner.next(b"a")) for owner in owners]
        await b.proxy.happened(fault)
        if fault is Fault.HOLD_COMMAND or (fault is Fault.LOSE_REPLY and skip == 3):
            await b.unanswered()
        else:
            await b.again()  # a lost or repeated reply is noticed at the next reply
        results = await asyncio.gather(*verdicts)
        b.proxy.release()
        assert Result.FENCED not in results
        assert {await owner.commit(b"b") for owner in owners} == {Result.APPLIED}
        assert await b.logs(4) == [[b"a", b"b"]] * 4


async def test_script_flush_in_mid_flight(store_process: StoreProcess, prefix: str) -> None:
    """On NOSCRIPT, the script is loaded again."""
    async with bench(store_process, prefix) as b, raw_client(store_process) as raw:
        owners = await b.owners(3)
        b.proxy.plan(Fault.HOLD_COMMAND, skip=1)
        verdicts = [owner.send(owner.next(b"a")) for owner in owners]
        await b.proxy.happened(Fault.HOLD_COMMAND)
        assert await verdicts[0] is Result.APPLIED
        await raw.script_flush()
        b.proxy.release()
        await b.again()
        assert await asyncio.gather(*verdicts[1:]) == [Result.APPLIED, Result.APPLIED]
        assert await b.logs(3) == [[b"a"]] * 3


async def test_store_away_for_long(store_process: StoreProcess, prefix: str) -> None:
    """The pipe retries at increasing intervals; commits made meanwhile are sent once the store is back."""
    async with bench(store_process, prefix) as b:
        b.proxy.down = True
        b.proxy.cut()
        first, second = await b.owners(2)
        verdicts = [first.send(first.next(b"a"))]
        for _ in range(11):
            await b.again()
        await b.clock.asleep()
        waits = b.clock.slept
        assert all(0.01 <= wait <= 1.0 for wait in waits)
        assert waits[0] <= 0.02
        assert min(waits[-3:]) >= 0.5
        verdicts += [second.send(second.next(b"a"))]
        b.proxy.down = False
        await b.again()
        assert await asyncio.gather(*verdicts) == [Result.APPLIED, Result.APPLIED]
        assert await b.logs(2) == [[b"a"], [b"a"]]


async def test_kill_and_restart_of_the_store(own_store: StoreProcess, prefix: str) -> None:
    """G6: what is on disk survives the restart, and commits in flight are sent again."""
    async with bench(own_store, prefix) as b:
        assert await b.owner.commit(b"a") is Result.APPLIED
        await own_store.synced()
        b.proxy.plan(Fault.LOSE_REPLY)
        verdict = b.owner.send(b.owner.next(b"b"))
        await b.proxy.happened(Fault.LOSE_REPLY)
        own_store.kill()
        await b.clock.asleep()
        own_store.start()
        await b.again()
        assert await verdict in (Result.APPLIED, Result.ALREADY)
        assert await b.owner.commit(b"c") is Result.APPLIED
        assert await b.store.log("r") == [b"a", b"b", b"c"]


async def test_a_store_that_loads_is_waited_for(own_store: StoreProcess, prefix: str) -> None:
    async with bench(own_store, prefix) as b, raw_client(own_store) as raw:
        await raw.config_set("min-replicas-to-write", 1)  # NOREPLICAS: any write is refused
        verdict = b.owner.send(b.owner.next(b"a"))
        await b.proxy.until(lambda: b.proxy.count("EVALSHA") == 1)
        await raw.config_set("min-replicas-to-write", 0)
        while not verdict.done():
            b.clock.advance(0.01)  # far too short for the pipe to abandon the connection
            await raw.ping()
        assert verdict.result() is Result.APPLIED
        assert await b.store.log("r") == [b"a"]


async def test_a_read_only_store_is_left(own_store: StoreProcess, prefix: str) -> None:
    """On READONLY, the address is resolved again, since this store used to be the primary."""
    async with bench(own_store, prefix) as b, raw_client(own_store) as raw:
        await raw.replicaof("127.0.0.1", "1")
        verdict = b.owner.send(b.owner.next(b"a"))
        await b.again()
        await raw.replicaof("NO", "ONE")
        while not verdict.done():
            b.clock.advance(1.0)
            await raw.ping()
        assert verdict.result() in (Result.APPLIED, Result.ALREADY)
        assert b.proxy.accepted > 1


async def test_a_defect_behind_one_verdict_hurts_no_other(store_process: StoreProcess, prefix: str) -> None:
    async with bench(store_process, prefix) as b:
        problems: list[str] = []
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda loop, context: problems.append(context["message"]))

        def broken(result: Result) -> None:
            raise RuntimeError("a defect")

        other = (await b.owners(1))[0]
        b.pipe.submit(b.owner.next(b"a"), broken)
        assert await other.commit(b"b") is Result.APPLIED
        assert len(problems) == 1
        assert "room r" in problems[0]


async def test_commits_before_connecting_wait(store_process: StoreProcess, prefix: str) -> None:
    async with bench(store_process, prefix) as b:
        late = CommitPipe(store_process.url, b.tasks, prefix=prefix)
        b.owner.pipe = late
        verdict = b.owner.send(b.owner.next(b"a"))
        assert late.unanswered == 1
        await late.connect()
        assert await verdict is Result.APPLIED
        assert late.unanswered == 0
        await late.close()


async def test_close_forgets_nothing_it_could_have_said(store_process: StoreProcess, prefix: str) -> None:
    async with bench(store_process, prefix) as b:
        b.proxy.plan(Fault.HOLD_REPLY)
        verdict = b.owner.send(b.owner.next(b"a"))
        await b.proxy.happened(Fault.HOLD_REPLY)
        await b.pipe.close()
        b.proxy.release()
        assert b.pipe.unanswered == 1
        assert not verdict.done()


# --- at startup ---


async def test_nobody_there(short_path: Path) -> None:
    async with Tasks() as tasks:
        pipe = CommitPipe(f"unix://{short_path}/none", tasks)
        with pytest.raises(CannotStart, match=r"cannot be reached"):
            await pipe.connect()


async def test_wrong_password(own_store: StoreProcess) -> None:
    async with raw_client(own_store) as raw, Tasks() as tasks:
        await raw.config_set("requirepass", "right")
        for url in (f"unix://{own_store.socket}", f"unix://:wrong@{own_store.socket}"):
            with pytest.raises(CannotStart, match="refuses the connection"):
                await CommitPipe(url, tasks).connect()
        pipe = CommitPipe(f"unix://default:right@{own_store.socket}?db=3", tasks)
        await pipe.connect()
        assert pipe.healthy
        await pipe.close()


@pytest.mark.parametrize("url", ["redis+cluster://a", "http://a", "nonsense"])
async def test_other_urls(url: str) -> None:
    async with Tasks() as tasks:
        with pytest.raises(CannotStart, match="PARLEY_REDIS_URL"):
            CommitPipe(url, tasks)


async def test_backoff_doubles_to_a_bound() -> None:
    backoff = Backoff(0.1, 1.0)
    waits = [backoff.next() for _ in range(6)]
    for wait, most in zip(waits, (0.1, 0.2, 0.4, 0.8, 1.0, 1.0), strict=True):
        assert most / 2 <= wait <= most
    backoff.reset()
    assert backoff.next() <= 0.1
