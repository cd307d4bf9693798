"""redis+sentinel://: every new connection goes to the primary that the Sentinels name (G6)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
import pytest_asyncio
from structlog.testing import capture_logs

from hub.config import Ack, CannotStart, Exit, count_replicas
from hub.store import fitness
from hub.store.client import StoreUnavailable
from hub.store.failover import FailoverWatch
from hub.store.pipe import CommitPipe, Result
from hub.store.replicas import ReplicaQuorum, ReplicaWatch
from hub.store.store import Store
from hub.telemetry.tasks import Tasks
from tests.conftest import BUNDLED
from tests.harness.defaults import DEFAULTS
from tests.harness.manual_clock import ManualClock
from tests.harness.owner import Owner
from tests.harness.sentinels import NAME, SentinelProcess, Watched, watched

pytestmark = pytest.mark.asyncio


class Opened(NamedTuple):
    store: Store
    pipe: CommitPipe
    owner: Owner


@asynccontextmanager
async def opened(url: str, ack: Ack) -> AsyncIterator[Opened]:
    quorum = ReplicaQuorum(count_replicas(ack))
    store = await Store.open(url, ack=ack, forget_days=DEFAULTS.forget_days, quorum=quorum)
    replicas = ReplicaWatch(quorum, store.read_roles, store.is_primary, ManualClock())
    await replicas.begin(await store.list_replicas())
    async with Tasks() as tasks:
        pipe = CommitPipe(url, tasks, ack=ack, quorum=quorum)
        await pipe.connect()
        yield Opened(store, pipe, Owner("one", store, pipe))
        await pipe.close()
    await store.close()


@pytest_asyncio.fixture
async def tables(short_path: Path) -> AsyncIterator[Watched]:
    async with watched(BUNDLED, short_path, replicas=2) as tables:
        yield tables


async def test_a_failover_loses_nothing(tables: Watched) -> None:
    """The primary is killed with a commit under way: the pipe follows to the replica that is promoted."""
    async with opened(tables.url, "replica") as hub:
        assert await hub.owner.create("r")
        for n in range(20):
            assert await hub.owner.commit(b"%d" % n) is Result.APPLIED
        tables.primary.freeze()
        verdict = hub.owner.send(hub.owner.next(b"under way"))
        tables.primary.kill()
        assert await verdict in (Result.APPLIED, Result.ALREADY)
        assert await hub.store.log("r") == [*(b"%d" % n for n in range(20)), b"under way"]
        assert await hub.owner.commit(b"after") is Result.APPLIED
        assert hub.pipe.healthy


async def test_a_primary_that_comes_back_gets_no_commit(tables: Watched) -> None:
    """A primary that was frozen through the failover wakes, and takes itself for the primary for a while."""
    async with opened(tables.url, "replica") as hub:
        assert hub.store.sentinels is not None
        watch = FailoverWatch(hub.store.sentinels, (hub.store.follow, hub.pipe.follow), ManualClock())
        assert await hub.owner.create("r")
        tables.primary.freeze()
        assert await hub.owner.commit(b"a") is Result.APPLIED  # by the one that was promoted
        tables.primary.thaw()
        assert await hub.owner.commit(b"b") is Result.APPLIED
        assert b"b" not in await hub.store.log("r")  # of the former primary, whose connection is still open
        await watch.look()
        assert await hub.store.log("r") == [b"a", b"b"]
        assert await hub.owner.commit(b"c") is Result.APPLIED
        async with tables.client(tables.primary) as raw:  # it may have read what was sent before the failover
            assert await raw.xlen("parley:{room:r}:log") <= 1


async def test_a_failover_that_somebody_asks_for(tables: Watched) -> None:
    """The old primary is never down, and its Sentinels list it until all replicas follow the new one."""
    async with opened(tables.url, "replica") as hub:
        assert hub.store.sentinels is not None
        watch = FailoverWatch(hub.store.sentinels, (hub.store.follow, hub.pipe.follow), ManualClock())
        assert await hub.owner.create("r")
        before = await hub.store.sentinels.find_primary()
        assert await hub.store.is_primary(before)
        await tables.fail_over()
        committed = list[bytes]()
        await tables.switched(hub.store.sentinels.find_primary, before)
        for number in range(50):
            await watch.look()
            committed.append(b"%d" % number)
            assert await hub.owner.commit(committed[-1]) in (Result.APPLIED, Result.ALREADY)
            assert await hub.store.sentinels.find_primary() != before
        assert not await hub.store.is_primary(before)
        assert await hub.store.log("r") == committed


async def test_an_answer_from_before_a_failover_is_not_believed(tables: Watched) -> None:
    """Sentinels that were cut off name the primary of an earlier epoch, and may be all that answer."""
    async with opened(tables.url, "everysec") as hub:
        assert hub.store.sentinels is not None
        before = await hub.store.sentinels.find_primary()
        await tables.fail_over()
        await tables.switched(hub.store.sentinels.find_primary, before)
        hub.store.sentinels.epoch += 100
        with pytest.raises(ConnectionError, match="all are behind"):
            await hub.store.sentinels.find_primary()


async def test_sentinels_that_are_gone_are_passed_over(tables: Watched) -> None:
    tables.sentinels[0].kill()
    tables.sentinels[1].freeze()
    async with opened(tables.url, "everysec") as hub:
        assert await hub.owner.create("r")
    tables.sentinels[1].thaw()


async def test_verdicts_wait_for_as_many_replicas_as_asked(tables: Watched) -> None:
    async with opened(tables.url, "replica:2") as hub:
        assert await hub.owner.create("r")
        assert await hub.owner.commit(b"a") is Result.APPLIED
        tables.stores[2].freeze()
        verdict = hub.owner.send(hub.owner.next(b"b"))
        with pytest.raises(StoreUnavailable, match="too few replicas"):
            await hub.store.run("return redis.call('SET', KEYS[1], 'x')", ["parley:{r}"], [])
        assert not verdict.done()
        tables.stores[2].thaw()
        assert await verdict in (Result.APPLIED, Result.ALREADY)


async def test_a_hub_that_starts_misses_a_replica_that_was_just_promoted(tables: Watched) -> None:
    """G6.4: the Sentinels do not know of it yet; the other replica confirms what is discarded later."""
    async with tables.client(tables.stores[1]) as promoted:
        await promoted.replicaof("NO", "ONE")
    async with opened(tables.url, "replica") as hub:
        with pytest.raises(StoreUnavailable, match="too few replicas"):
            await hub.owner.create("r")


async def test_what_operators_are_told(tables: Watched, short_path: Path) -> None:
    for url, said in (
        (tables.url.replace(f"/{NAME}", "/chairs"), "no Sentinel names a primary called chairs"),
        (tables.url.replace("of+the", "not+of+the"), f"no Sentinel names a primary called {NAME}"),
        (tables.url.replace("of%20the", "not"), "refuses the login"),
        ("redis+sentinel://127.0.0.1:1/tables", f"no Sentinel names a primary called {NAME}"),
    ):
        with pytest.raises(CannotStart, match=said) as caught:
            await Store.open(url, forget_days=DEFAULTS.forget_days)
        assert caught.value.exit is Exit.STORE
        assert "of the" not in caught.value.advice, "no password is shown"
        assert "\n" not in caught.value.advice
    # Sentinels that have not noticed a failover name a replica
    folder = short_path / "late"
    folder.mkdir()
    with SentinelProcess(BUNDLED, folder, tables.stores[1].port, 1) as late:
        hosts = tables.url.partition("@")[2].partition("/")[0]
        with pytest.raises(CannotStart, match="is a replica") as caught:
            await Store.open(
                tables.url.replace(hosts, f"127.0.0.1:{late.port}"), forget_days=DEFAULTS.forget_days
            )
        assert caught.value.exit is Exit.STORE
    # too few replicas, now or after a failover
    with pytest.raises(CannotStart, match="2 of 3 replicas"):
        await Store.open(tables.url, ack="replica:3", forget_days=DEFAULTS.forget_days)
    async with opened(tables.url, "replica:2") as hub:
        watch = fitness.FitnessWatch(hub.store.examine, ManualClock(), lambda fitness: None)
        with capture_logs() as logs:
            await watch.look()
            await watch.look()
        assert watch.problem is None
        assert watch.caution is not None
        assert "no move would be confirmed" in watch.caution
        assert [entry["event"] for entry in logs] == ["a failover would stop the tables"]
    async with opened(tables.url, "replica:1") as hub:
        assert (await hub.store.examine()).caution is None
