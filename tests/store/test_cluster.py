"""redis+cluster://: a commit pipe for each primary, and slots that move and fail over (G2, G6)."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from hub.config import Ack, CannotStart, Exit, count_replicas
from hub.store import address as address_module
from hub.store import client as client_module
from hub.store.client import StoreUnavailable
from hub.store.cluster import find_slot
from hub.store.cluster_pipe import ClusterPipe, make_pipe
from hub.store.pipe import Result
from hub.store.replicas import ReplicaQuorum
from hub.store.store import Store
from hub.telemetry.tasks import Tasks
from tests.conftest import BUNDLED
from tests.harness.clusters import PASSWORD, StoreCluster, clustered
from tests.harness.defaults import DEFAULTS
from tests.harness.owner import Owner
from tests.harness.players import PATIENCE
from tests.harness.processes import StoreProcess, free_port
from tests.store.opening import taken

# A selection of the tests of a single store, which here use the Cluster.
from tests.store.test_creation import test_one_of_many_concurrent_creations_gets_the_code
from tests.store.test_heartbeats import (
    test_a_heartbeat_returns_whether_the_hub_still_counted_as_alive,
    test_a_new_owner_resumes_where_the_old_one_was_last_alive,
)
from tests.store.test_lobby import test_summaries_may_be_any_bytes
from tests.store.test_ownership import (
    test_a_dead_owners_room_is_claimed_with_its_data,
    test_a_long_log_is_read_in_pages,
    test_one_of_many_claims_wins,
    test_rooms_are_listed_under_their_hub,
    test_the_old_owner_is_fenced_and_the_new_one_continues,
)
from tests.store.test_policy import test_every_entry_is_read_back_and_changes_the_version
from tests.store.test_registration import (
    test_a_hub_that_leaves_lapses_at_once,
    test_orphans_are_running_rooms_of_their_owner,
)
from tests.store.test_reports import test_a_report_is_closed_or_removed

__all__ = [
    "test_a_dead_owners_room_is_claimed_with_its_data",
    "test_a_heartbeat_returns_whether_the_hub_still_counted_as_alive",
    "test_a_hub_that_leaves_lapses_at_once",
    "test_a_long_log_is_read_in_pages",
    "test_a_new_owner_resumes_where_the_old_one_was_last_alive",
    "test_a_report_is_closed_or_removed",
    "test_every_entry_is_read_back_and_changes_the_version",
    "test_one_of_many_claims_wins",
    "test_one_of_many_concurrent_creations_gets_the_code",
    "test_orphans_are_running_rooms_of_their_owner",
    "test_rooms_are_listed_under_their_hub",
    "test_summaries_may_be_any_bytes",
    "test_the_old_owner_is_fenced_and_the_new_one_continues",
]

pytestmark = pytest.mark.asyncio

APPLIED: Final = (Result.APPLIED, Result.ALREADY)


class Opened(NamedTuple):
    store: Store
    pipe: ClusterPipe
    owner: Owner


@pytest.fixture(scope="module")
def cluster() -> Iterator[StoreCluster]:
    """Three primaries, of which the first has a replica. No test kills one."""
    with tempfile.TemporaryDirectory(prefix="parley-") as folder, asyncio.Runner() as runner:
        context = clustered(BUNDLED, Path(folder), replicas=[0])
        yield runner.run(context.__aenter__())
        runner.run(context.__aexit__(None, None, None))


@pytest.fixture
def store_process(cluster: StoreCluster) -> StoreCluster:
    """For the tests of a single store."""
    return cluster


@asynccontextmanager
async def opened(
    cluster: StoreCluster,
    prefix: str = "parley:",
    ack: Ack = "everysec",
    quorum: ReplicaQuorum | None = None,
) -> AsyncIterator[Opened]:
    quorum = quorum or ReplicaQuorum(count_replicas(ack))
    store = await Store.open(
        cluster.url, prefix=prefix, ack=ack, forget_days=DEFAULTS.forget_days, quorum=quorum
    )
    async with Tasks() as tasks:
        pipe = make_pipe(cluster.url, tasks, prefix=prefix, ack=ack, quorum=quorum)
        assert isinstance(pipe, ClusterPipe)
        await pipe.connect()
        yield Opened(store, pipe, Owner("one", store, pipe))
        await pipe.close()
    await store.close()


async def until_errors(cluster: StoreCluster, code: str, count: int) -> None:
    while await cluster.count_errors(code) < count:  # noqa: ASYNC110 - a node sets no event
        await asyncio.sleep(0)


async def test_commits_go_over_one_connection_to_each_primary(cluster: StoreCluster, prefix: str) -> None:
    """Of thirty rooms in all three primaries, each has all its commits, in order."""
    async with opened(cluster, prefix) as hub:
        owners = [Owner(f"hub{n}", hub.store, hub.pipe) for n in range(30)]
        await asyncio.gather(*(owner.create(f"r{n}") for n, owner in enumerate(owners)))
        for number in range(5):
            results = await asyncio.gather(*(owner.commit(b"%d" % number) for owner in owners))
            assert results == [Result.APPLIED] * 30
        for n in range(30):
            assert await hub.store.log(f"r{n}") == [b"0", b"1", b"2", b"3", b"4"]
        homes = {cluster.home_of(hub.store.keys.room(f"r{n}")[0]) for n in range(30)}
        assert homes == {*cluster.primaries}
        for primary in cluster.primaries:
            clients = await cluster.run(primary, "CLIENT LIST")
            assert [client["cmd"] for client in clients].count("evalsha") == 1
        assert hub.pipe.healthy
        assert hub.pipe.unanswered == 0


async def test_a_slot_moves_while_its_room_is_played(cluster: StoreCluster, prefix: str) -> None:
    """Commits and calls follow ASK and MOVED. What needs a key that does not exist yet waits (TRYAGAIN)."""
    async with opened(cluster, prefix) as hub:
        assert await hub.owner.create("r")
        head = hub.store.keys.room("r")[0]
        slot, source = find_slot(head), cluster.home_of(head)
        target = next(node for node in cluster.primaries if node is not source)
        move = slot, source, target
        before = {code: await cluster.count_errors(code) for code in ("ASK", "MOVED", "TRYAGAIN")}
        assert await hub.owner.commit(b"at home") is Result.APPLIED
        await cluster.begin_move(*move)
        assert await hub.owner.commit(b"before its keys") is Result.APPLIED
        await cluster.move_keys(*move)
        assert await hub.owner.commit(b"after them") is Result.APPLIED
        assert await hub.owner.commit(b"and again") is Result.APPLIED
        assert await hub.store.log("r") == [b"at home", b"before its keys", b"after them", b"and again"]
        assert await cluster.count_errors("ASK") == before["ASK"] + 3
        assert hub.pipe.healthy
        verdict = hub.owner.send(hub.owner.next(b"with talk", talk=[(b"all:0", b"hello")]))
        claim = asyncio.ensure_future(hub.store.claim("r", hub.owner.hub, 0))  # for all keys of the room
        await until_errors(cluster, "TRYAGAIN", before["TRYAGAIN"] + 4)
        assert not verdict.done()
        assert not claim.done()
        await cluster.finish_move(*move)
        assert await verdict in (*APPLIED, Result.FENCED)  # the claim may come first
        await claim
        taken(await hub.owner.take("r"))
        assert await hub.owner.commit(b"from there") is Result.APPLIED
        assert await cluster.count_errors("MOVED") > before["MOVED"]
        assert (await hub.store.log("r"))[-1] == b"from there"
        await cluster.begin_move(slot, target, source)  # and back
        await cluster.move_keys(slot, target, source)
        await cluster.finish_move(slot, target, source)
        assert await hub.owner.commit(b"home again") is Result.APPLIED
        assert hub.pipe.healthy


async def test_a_replica_takes_over(cluster: StoreCluster, prefix: str) -> None:
    """As for maintenance: the rooms of that primary go on at its replica, the others where they are."""
    async with opened(cluster, prefix) as hub:
        owners = [Owner(f"hub{n}", hub.store, hub.pipe) for n in range(12)]
        await asyncio.gather(*(owner.create(f"r{n}") for n, owner in enumerate(owners)))
        former, replica = cluster.primaries[0], cluster.replicas[0]
        for _ in range(2):  # and back
            await cluster.promote(replica)
            results = await asyncio.gather(*(owner.commit(b"x") for owner in owners))
            assert set(results) <= {*APPLIED}
            former, replica = replica, former
        for n in range(12):
            assert await hub.store.log(f"r{n}") == [b"x", b"x"]
        await cluster.until_agreed()


async def test_each_primary_asks_its_own_replicas(
    cluster: StoreCluster, prefix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """G6.4: what is written is confirmed where it is, also after a failover; only the first has a replica."""
    monkeypatch.setattr(client_module, "REPLICA_MS", 30)
    monkeypatch.setattr(client_module, "BEAT_REPLICA_MS", 30)
    former, replica = cluster.primaries[0], cluster.replicas[0]
    quorum = ReplicaQuorum(0)
    async with opened(cluster, prefix, quorum=quorum) as hub:
        owners = [Owner(f"hub{n}", hub.store, hub.pipe) for n in range(12)]
        await asyncio.gather(*(owner.create(f"r{n}") for n, owner in enumerate(owners)))
        homes = [cluster.home_of(hub.store.keys.room(owner.room)[0]) for owner in owners]
        beats = [cluster.home_of(hub.store.keys.hub(owner.hub.incarnation)) for owner in owners]
        inside, outside = homes.index(former), homes.index(cluster.primaries[1])
        quorum.least = 1
        roles = await hub.store.read_roles()
        assert {primary for primary, _ in roles} == {("127.0.0.1", node.port) for node in cluster.primaries}
        waiting = owners[outside].send(owners[outside].next(b"alone"))
        for _ in range(2):  # and back
            assert await owners[inside].commit(b"confirmed") in APPLIED
            await hub.store.beat(owners[beats.index(cluster.primaries[0])].hub, 1)
            taken(await owners[inside].take(owners[inside].room))
            assert await hub.store.is_primary(("127.0.0.1", former.port))
            assert not await hub.store.is_primary(("127.0.0.1", replica.port))
            with pytest.raises(StoreUnavailable, match="too few replicas"):
                await hub.store.beat(owners[beats.index(cluster.primaries[1])].hub, 1)
            with pytest.raises(StoreUnavailable, match="too few replicas"):
                await owners[outside].take(owners[outside].room)
            await cluster.promote(replica)
            await cluster.until_agreed()
            former, replica = replica, former
            listed = {("127.0.0.1", former.port): {("127.0.0.1", replica.port)}}
            while not listed.items() <= (await hub.store.list_replicas()).items():  # a map may be under way
                pass
        assert not waiting.done()


async def test_lists_that_move_are_read_again(
    cluster: StoreCluster, prefix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page is read by the server that began, or the list from its beginning.

    Each time the map is read again, and a busy machine may take longer than a node has.
    """
    monkeypatch.setattr(address_module, "NODE_SECONDS", PATIENCE)
    async with opened(cluster, prefix) as hub:
        key = hub.store.keys.hub_rooms("many")
        rooms = [f"room {n}" for n in range(2000)]
        await hub.store.call("SADD", key, *rooms)
        slot, source = find_slot(key), cluster.home_of(key)
        target = next(node for node in cluster.primaries if node is not source)
        assert await hub.store.rooms_of("many") == sorted(rooms)
        await cluster.begin_move(slot, source, target)
        await cluster.move_keys(slot, source, target)
        with pytest.raises(StoreUnavailable, match="in one place"):
            await hub.store.rooms_of("many")
        await cluster.finish_move(slot, source, target)
        assert await hub.store.rooms_of("many") == sorted(rooms)
        await cluster.begin_move(slot, target, source)
        await cluster.move_keys(slot, target, source)
        await cluster.finish_move(slot, target, source)


async def test_all_primaries_are_scanned(cluster: StoreCluster, prefix: str) -> None:
    async with opened(cluster, prefix) as hub:
        rooms = {f"r{n}" for n in range(30)}
        await asyncio.gather(*(Owner("one", hub.store, hub.pipe).create(room) for room in rooms))
        heads = {hub.store.keys.room(room)[0] for room in rooms}
        assert {key async for key in hub.store.scan_keys(f"{prefix}*}}:head")} == heads


async def test_what_operators_are_told(cluster: StoreCluster) -> None:
    first = cluster.primaries[0]
    host = f"127.0.0.1:{first.port}"
    for url, said in (
        (f"redis://:{PASSWORD}@{host}", "is a node of a Cluster: name it with redis\\+cluster://"),
        (f"redis+cluster://:wrong@{host}", f"{host} refuses the login \\(WRONGPASS\\): correct the password"),
        ("redis+cluster://127.0.0.1:1", "cannot be reached"),
    ):
        with pytest.raises(CannotStart, match=said) as caught:
            await Store.open(url, forget_days=DEFAULTS.forget_days)
        assert caught.value.exit is Exit.STORE
        assert "\n" not in caught.value.advice
    with pytest.raises(CannotStart, match="has 0 of 1 replicas"):  # two of the primaries
        await Store.open(cluster.url, ack="replica", forget_days=DEFAULTS.forget_days)
    node = cluster.primaries[1]
    async with opened(cluster) as hub:
        assert (await hub.store.examine()).caution is None
        await cluster.run(node, "CONFIG SET", "cluster-require-full-coverage", "yes")
        await cluster.run(node, "CONFIG SET", "maxmemory-policy", "allkeys-lru")
        fitness = await hub.store.examine()
        await cluster.run(node, "CONFIG SET", "cluster-require-full-coverage", "no")
        await cluster.run(node, "CONFIG SET", "maxmemory-policy", "noeviction")
        assert "cluster-require-full-coverage is yes" in str(fitness.caution)
        assert f"127.0.0.1:{node.port} may drop tables" in str(fitness.problem)


async def test_a_store_that_is_no_cluster(short_path: Path) -> None:
    port = free_port()
    with (
        StoreProcess(BUNDLED, short_path, port=port),
        pytest.raises(CannotStart, match="cluster support disabled"),
    ):
        await Store.open(f"redis+cluster://127.0.0.1:{port}", forget_days=DEFAULTS.forget_days)


@pytest.mark.at_length
@pytest.mark.parametrize("coverage", ["no", "yes"])
async def test_a_primary_is_killed(short_path: Path, coverage: str) -> None:
    """Its replica takes over with all that was confirmed, and a commit under way goes on there.

    If the Cluster needs all its slots, the other primaries refuse everything until then (CLUSTERDOWN).
    """
    async with (
        clustered(BUNDLED, short_path, replicas=range(3), cluster_require_full_coverage=coverage) as cluster,
        opened(cluster, ack="replica") as hub,
    ):
        owners = [Owner(f"hub{n}", hub.store, hub.pipe) for n in range(12)]
        await asyncio.gather(*(owner.create(f"r{n}") for n, owner in enumerate(owners)))
        for number in range(5):
            await asyncio.gather(*(owner.commit(b"%d" % number) for owner in owners))
        victim = cluster.primaries[1]
        homes = [cluster.home_of(hub.store.keys.room(owner.room)[0]) for owner in owners]
        assert len({*homes}) == 3
        victim.freeze()
        verdicts = [owner.send(owner.next(b"under way")) for owner in owners]
        victim.kill()
        if coverage == "no":
            elsewhere = [verdict for verdict, home in zip(verdicts, homes, strict=True) if home is not victim]
            assert await asyncio.gather(*elsewhere) == [Result.APPLIED] * len(elsewhere)
        await cluster.until_primary(cluster.replicas[1])
        victim.start()  # it follows its former replica, which needs one to confirm
        assert {*await asyncio.gather(*verdicts)} <= {*APPLIED}
        expected = [*(b"%d" % number for number in range(5)), b"under way"]
        for owner in owners:
            assert await hub.store.log(owner.room) == expected
            assert await owner.commit(b"after") in APPLIED
        assert hub.pipe.healthy
