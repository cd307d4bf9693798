"""The commit pipe with lost, repeated and late replies, and with stores that go away (G3)."""

from __future__ import annotations

import asyncio

import pytest

from hub.store.pipe import CommitPipe, Result
from tests.harness.fault_proxy import Fault
from tests.harness.owner import Owner
from tests.harness.processes import StoreProcess
from tests.store.contents import raw_client
from tests.store.pipe_bench import TIMEOUT, bench

pytestmark = pytest.mark.asyncio


@pytest.mark.parametrize(
    ("fault", "result"),
    [
        (Fault.CUT_BEFORE, Result.APPLIED),
        (Fault.CUT_AFTER, Result.ALREADY),
        (Fault.GARBLE_REPLY, Result.ALREADY),
    ],
    ids=lambda value: value.name,
)
async def test_a_cut_connection(
    store_process: StoreProcess, prefix: str, fault: Fault, result: Result
) -> None:
    async with bench(store_process, prefix) as b:
        b.proxy.plan(fault)
        verdict = b.owner.send(b.owner.next(b"a"))
        await b.proxy.happened(fault)
        await b.again()
        assert await verdict is result
        assert await b.store.log("r") == [b"a"]
        assert b.resent == 1
        assert b.health == [True, False, True]


async def test_a_lost_reply_is_resent(store_process: StoreProcess, prefix: str) -> None:
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


async def test_a_lost_reply_does_not_shift_verdicts(store_process: StoreProcess, prefix: str) -> None:
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


async def test_a_repeated_reply_does_not_shift_verdicts(store_process: StoreProcess, prefix: str) -> None:
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


async def test_a_repeated_reply_without_a_pending_commit(store_process: StoreProcess, prefix: str) -> None:
    async with bench(store_process, prefix) as b:
        b.proxy.plan(Fault.REPEAT_REPLY)
        assert await b.owner.commit(b"a") is Result.APPLIED
        await b.again()
        assert await b.owner.commit(b"b") is Result.APPLIED
        assert await b.store.log("r") == [b"a", b"b"]


async def test_a_repeated_command(store_process: StoreProcess, prefix: str) -> None:
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


async def test_late_replies_are_ignored(store_process: StoreProcess, prefix: str) -> None:
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
async def test_a_fault_anywhere_in_a_pipeline(
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


async def test_the_script_is_flushed_during_a_commit(store_process: StoreProcess, prefix: str) -> None:
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


async def test_a_store_that_is_unreachable_for_long(store_process: StoreProcess, prefix: str) -> None:
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


async def test_the_store_is_killed_and_restarted(own_store: StoreProcess, prefix: str) -> None:
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


async def test_a_loading_store_is_waited_for(own_store: StoreProcess, prefix: str) -> None:
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


async def test_a_read_only_store_is_abandoned(own_store: StoreProcess, prefix: str) -> None:
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


async def test_an_exception_in_one_callback_does_not_affect_others(
    store_process: StoreProcess, prefix: str
) -> None:
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
        assert (
            problems[0] == "a commit callback failed"
        )  # names no room: anyone who knows its id may enter it


async def test_commits_wait_for_the_connection(store_process: StoreProcess, prefix: str) -> None:
    async with bench(store_process, prefix) as b:
        late = CommitPipe(store_process.url, b.tasks, prefix=prefix)
        b.owner.pipe = late
        verdict = b.owner.send(b.owner.next(b"a"))
        assert late.unanswered == 1
        await late.connect()
        assert await verdict is Result.APPLIED
        assert late.unanswered == 0
        await late.close()


async def test_closing_leaves_unanswered_commits_unresolved(store_process: StoreProcess, prefix: str) -> None:
    async with bench(store_process, prefix) as b:
        b.proxy.plan(Fault.HOLD_REPLY)
        verdict = b.owner.send(b.owner.next(b"a"))
        await b.proxy.happened(Fault.HOLD_REPLY)
        await b.pipe.close()
        b.proxy.release()
        assert b.pipe.unanswered == 1
        assert not verdict.done()
