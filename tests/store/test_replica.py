"""PARLEY_ACK=replica (G6): a commit is answered once a replica has it, so a failover does not lose it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
import redis.asyncio

from games.api import Millis
from hub.store import client as client_module
from hub.store.client import StoreUnavailable
from hub.store.cluster import Primary
from hub.store.hubs import HubIdentity
from hub.store.lease import Lease
from hub.store.pipe import CommitPipe, Hooks, Result
from hub.store.replicas import MISSED_SECONDS, ReplicaQuorum, ReplicaWatch
from hub.store.store import Missing, Ownership, Store
from hub.table.table_time import GRACE, TableTime
from hub.telemetry.tasks import Tasks
from tests.conftest import servers
from tests.harness.defaults import DEFAULTS
from tests.harness.fault_proxy import Fault, FaultProxy
from tests.harness.manual_clock import ManualClock
from tests.harness.owner import Owner
from tests.harness.processes import StoreProcess, free_port

pytestmark = pytest.mark.asyncio

TIMEOUT = 1000.0
"""The pipe's timeout on the manual clock, which is never reached."""


class Pair:
    """A primary and its replica, and a pipe to the primary through a proxy."""

    binary: Path
    primary: StoreProcess
    replica: StoreProcess
    proxy: FaultProxy
    store: Store
    pipe: CommitPipe
    owner: Owner

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.quorum = ReplicaQuorum(1)
        self.sent: list[int] = []
        """The number of commits in each pipeline."""

    async def unmet(self) -> None:
        """Wait until a WAIT has failed: the pipe then sets the timer for its next try."""
        await self.clock.until(lambda: len(self.clock.armed) == 2)

    async def settle(self, verdict: asyncio.Future[Result]) -> Result:
        """Waits for the verdict, moving the clock on whenever the pipe waits to try again."""
        while not verdict.done():
            stuck = asyncio.ensure_future(self.clock.until(lambda: len(self.clock.armed) == 2))
            asleep = asyncio.ensure_future(self.clock.asleep())
            waiting: list[asyncio.Future[Any]] = [verdict, stuck, asleep]
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            stuck.cancel()
            asleep.cancel()
            if not verdict.done():
                self.clock.advance(1.0)
        return verdict.result()


@pytest_asyncio.fixture(params=servers(), ids=lambda path: path.name)
async def pair(request: pytest.FixtureRequest, short_path: Path) -> AsyncIterator[Pair]:
    pair = Pair()
    pair.binary = request.param
    async with AsyncExitStack() as closing:
        for name in ("primary", "replica"):
            folder = short_path / name
            folder.mkdir()
            process = StoreProcess(request.param, folder, port=free_port(), repl_diskless_sync_delay="0")
            setattr(pair, name, closing.enter_context(process))
        await follow(pair.primary, pair.replica)
        tasks = await closing.enter_async_context(Tasks())
        pair.proxy = await closing.enter_async_context(FaultProxy(pair.primary.socket, folder=short_path))
        pair.store = await Store.open(
            pair.proxy.url, ack="replica", forget_days=DEFAULTS.forget_days, quorum=pair.quorum
        )
        closing.push_async_callback(pair.store.close)
        pair.pipe = CommitPipe(
            pair.proxy.url,
            tasks,
            ack="replica",
            timeout=TIMEOUT,
            replica_seconds=0.03,
            clock=pair.clock,
            quorum=pair.quorum,
            hooks=Hooks(pipeline=pair.sent.append),
        )
        await pair.pipe.connect()
        closing.push_async_callback(pair.pipe.close)
        pair.owner = Owner("one", pair.store, pair.pipe)
        assert await pair.owner.create("r")
        yield pair


async def follow(primary: StoreProcess, replica: StoreProcess, replicas: int = 1) -> None:
    """Make the replica follow the primary, and wait until it does, as the last of so many."""
    async with (
        redis.asyncio.Redis.from_url(replica.url) as behind,
        redis.asyncio.Redis.from_url(
            primary.url, socket_timeout=None, single_connection_client=True
        ) as ahead,
    ):
        await behind.replicaof("127.0.0.1", str(primary.port))
        await ahead.set("first", "write")
        assert await ahead.wait(replicas, 30_000) >= replicas


async def test_commits_share_the_next_wait_while_one_is_under_way(pair: Pair) -> None:
    """A WAIT holds up its connection; one for each commit would add up to a long pause of all tables."""
    others = [Owner(name, pair.store, pair.pipe) for name in "st"]
    for other in others:
        assert await other.create(other.hub.incarnation)
    pair.quorum.least = 2
    verdicts = [pair.owner.send(pair.owner.next(b"a"))]
    await asyncio.sleep(0)
    assert pair.sent == [1]
    for other in others:
        verdicts.append(other.send(other.next(b"a")))
        await asyncio.sleep(0)
    assert pair.sent == [1]
    await pair.unmet()
    assert pair.sent == [1, 2]
    pair.quorum.least = 1
    for verdict in verdicts:
        assert await pair.settle(verdict) in (Result.APPLIED, Result.ALREADY)


async def test_a_commit_is_confirmed_once_a_replica_has_it(pair: Pair) -> None:
    assert await pair.owner.commit(b"a") is Result.APPLIED
    async with redis.asyncio.Redis.from_url(pair.replica.url) as raw:
        log: Any = await raw.xrange("parley:{room:r}:log")
        assert [fields for _, fields in log] == [{b"e": b"a"}]


@pytest.mark.parametrize("command", ["wait", "role"])
async def test_a_user_who_may_not_ask_the_replicas(pair: Pair, command: str) -> None:
    """The hub says which right is missing, and goes on when the user has it."""
    async with redis.asyncio.Redis.from_url(pair.primary.url) as raw:
        await raw.acl_setuser("default", enabled=True, commands=[f"-{command}"])
        verdict = pair.owner.send(pair.owner.next(b"a"))
        await pair.clock.until(lambda: not pair.pipe.healthy)
        assert "WAIT and ROLE" in (pair.pipe.problem or "")
        await raw.acl_setuser("default", enabled=True, commands=[f"+{command}"])
    assert await pair.settle(verdict) in (Result.APPLIED, Result.ALREADY)
    assert pair.pipe.problem is None


async def test_no_verdict_before(pair: Pair) -> None:
    """While WAIT fails, the commit is applied but gets no verdict, however often it is sent."""
    pair.replica.freeze()
    verdict = pair.owner.send(pair.owner.next(b"a"))
    for sendings in range(1, 4):
        await pair.unmet()
        assert pair.proxy.count("EVALSHA") == sendings
        assert not verdict.done()
        assert not pair.pipe.healthy
        pair.clock.advance(1.0)
    assert await pair.store.log("r") == [b"a"]
    pair.replica.thaw()
    assert await pair.settle(verdict) is Result.ALREADY
    assert await pair.store.log("r") == [b"a"]


async def test_no_verdict_over_another_connection_either(pair: Pair) -> None:
    """A WAIT on a new connection would succeed at once, so the script writes before answering `already`."""
    pair.replica.freeze()
    pair.proxy.plan(Fault.CUT_AFTER)
    verdict = pair.owner.send(pair.owner.next(b"a"))
    await pair.proxy.happened(Fault.CUT_AFTER)
    await pair.clock.wake()
    await pair.unmet()
    assert pair.proxy.count("EVALSHA") == 2
    assert not verdict.done()
    pair.replica.thaw()
    assert await pair.settle(verdict) is Result.ALREADY


async def test_rooms_are_not_taken_without_a_replica(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a failover could undo a take, two hubs would believe they own the room."""
    monkeypatch.setattr(client_module, "REPLICA_MS", 30)
    hub = HubIdentity("two", "http://two")
    pair.replica.freeze()
    with pytest.raises(StoreUnavailable, match="too few replicas"):
        await pair.store.claim("r", hub, 0)
    pair.replica.thaw()
    monkeypatch.undo()
    ownership = await pair.store.claim("r", hub, 0)
    assert isinstance(ownership, Ownership)
    assert await pair.owner.commit(b"x") is Result.FENCED


async def test_a_primary_of_the_past_says_of_no_room_that_there_is_none(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its successor may have the room: a hub that has not heard of the failover asks again."""
    monkeypatch.setattr(client_module, "REPLICA_MS", 30)
    hub = HubIdentity("two", "http://two")
    assert await pair.store.claim("unknown", hub, 0) == Missing()
    async with redis.asyncio.Redis.from_url(pair.replica.url) as raw:
        await raw.replicaof("NO", "ONE")
    promoted = await Store.open(pair.replica.url, forget_days=DEFAULTS.forget_days)
    assert await Owner("one", promoted, pair.pipe).create("new")
    await promoted.close()
    with pytest.raises(StoreUnavailable, match="too few replicas"):
        await pair.store.claim("new", hub, 0)
    with pytest.raises(StoreUnavailable, match="too few replicas"):
        await pair.store.locate("new", hub, rank_nobody)
    with pytest.raises(StoreUnavailable, match="too few replicas"):
        await pair.store.resolve("NEW")


async def rank_nobody() -> list[str]:
    return []


async def test_failover(pair: Pair) -> None:
    """The primary dies and the replica is promoted: every answered commit is there, and the owner
    carries on."""
    for n in range(20):
        assert await pair.owner.commit(b"%d" % n) is Result.APPLIED
    pair.proxy.plan(Fault.LOSE_REPLY)
    verdict = pair.owner.send(pair.owner.next(b"under way"))
    await pair.proxy.happened(Fault.LOSE_REPLY)
    pair.primary.kill()
    async with redis.asyncio.Redis.from_url(pair.replica.url) as raw:
        await raw.replicaof("NO", "ONE")
    pair.proxy.upstream = pair.replica.socket
    pair.primary.start()
    await follow(pair.replica, pair.primary)
    watch = ReplicaWatch(pair.quorum, pair.store.read_roles, is_known_primary, pair.clock)
    await watch.look()
    pair.clock.advance(MISSED_SECONDS)  # at a fixed address, the promoted replica is missed like any other
    await watch.look()
    assert await pair.settle(verdict) in (Result.APPLIED, Result.ALREADY)
    assert await pair.store.log("r") == [*(b"%d" % n for n in range(20)), b"under way"]


async def test_table_time_goes_back_at_no_failover(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """G5.4: a primary that was superseded accepts heartbeats, but confirms none that the next owner, at the
    promoted replica, will not know of."""
    monkeypatch.setattr(client_module, "BEAT_REPLICA_MS", 30)
    lease = Lease("one", lambda live: pair.store.beat(pair.owner.hub, live), pair.clock)
    shown = TableTime(Millis(pair.owner.at), pair.owner.live)
    pair.clock.advance(0.5)
    await lease.beat()
    async with redis.asyncio.Redis.from_url(pair.replica.url) as raw:
        await raw.replicaof("NO", "ONE")
    for _ in range(3):
        pair.clock.advance(0.5)
        with pytest.raises(StoreUnavailable, match="too few replicas"):
            await lease.beat()
    assert lease.is_frozen()
    promoted = await Store.open(pair.replica.url, forget_days=DEFAULTS.forget_days)
    await promoted.depart(pair.owner.hub)
    ownership = await promoted.claim("r", HubIdentity("two", "http://two"), 0)
    await promoted.close()
    assert isinstance(ownership, Ownership)
    assert ownership.at == shown.read(lease.now_live()) == 500 + GRACE


async def test_the_replica_that_was_promoted_is_missed(
    pair: Pair, short_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """G6.4: while the primary is alive, its other replica confirms what is discarded later."""
    monkeypatch.setattr(client_module, "REPLICA_MS", 30)
    looks = ReplicaWatch(pair.quorum, pair.store.read_roles, is_known_primary, pair.clock)
    (short_path / "other").mkdir()
    with StoreProcess(
        pair.binary, short_path / "other", port=free_port(), repl_diskless_sync_delay="0"
    ) as other:
        await follow(pair.primary, other, replicas=2)
        await looks.look()
        async with redis.asyncio.Redis.from_url(pair.replica.url) as raw:
            await raw.replicaof("NO", "ONE")
        verdict = pair.owner.send(pair.owner.next(b"discarded"))
        await pair.unmet()
        await looks.look()
        assert not verdict.done()
        with pytest.raises(StoreUnavailable, match="too few replicas"):
            await pair.store.claim("r", HubIdentity("two", "http://two"), 0)
        pair.clock.advance(MISSED_SECONDS)  # it was none, or this would be known by now
        await looks.look()
        assert await pair.settle(verdict) is Result.ALREADY


async def test_a_replica_that_was_promoted_before_the_hub_started_is_missed() -> None:
    """G6.4: a Sentinel still names it as a replica; it has never followed while this hub looked."""
    clock, quorum, here = ManualClock(), ReplicaQuorum(1), ("here", 1)
    role: list[Any] = ["master", 100, [("other", "1", "100")]]

    async def look_up() -> list[tuple[Primary | None, list[Any]]]:
        return [(here, role)]

    watch = ReplicaWatch(quorum, look_up, is_known_primary, clock)
    await watch.begin({here: [("other", 1), ("promoted", 1)]})
    assert not quorum.is_met(quorum.begin_wait(here), 1, role)
    clock.advance(MISSED_SECONDS)
    await watch.look()
    assert quorum.is_met(quorum.begin_wait(here), 1, role), "it was none, or this would be known by now"


async def is_known_primary(_primary: object) -> bool:
    return True


@pytest.mark.parametrize("is_primary", [True, False])
async def test_a_replica_is_missed_until_its_primary_is_known_to_be_none_of_the_past(
    is_primary: bool,
) -> None:
    """G6.4"""
    clock, quorum, here = ManualClock(), ReplicaQuorum(1), ("here", 1)
    role: list[Any] = []

    async def look_up() -> list[tuple[Primary | None, list[Any]]]:
        return [(here, role)]

    async def is_known(primary: Primary | None) -> bool:
        assert primary == here
        return is_primary

    watch = ReplicaWatch(quorum, look_up, is_known, clock)

    def follow(written: int, **offsets: int) -> None:
        role[:] = ["master", written, [(name, "1", str(offset)) for name, offset in offsets.items()]]

    async def look(written: int, *, after: float = 1.0, **offsets: int) -> int:
        follow(written, **offsets)
        clock.advance(after)
        await watch.look()
        return quorum.count_required(here)

    assert quorum.count_required(here) == 1
    assert await look(100, a=100, b=90) == 2
    assert await look(200, a=100, b=200, c=0) == 2, "one that has only just joined is behind"
    assert await look(300, a=300, b=300, c=200) == 3
    wait = quorum.begin_wait(here)
    assert await look(320, a=310, c=310, d=200) == 3
    follow(320, a=310, c=310, d=310)
    assert not quorum.is_met(wait, 3, role), "d stands in for b, which may have been promoted"
    assert quorum.is_met(wait, 4, role)
    assert not quorum.is_met(wait, 4, ["slave", "there", 1, "connected", 310])
    assert await look(400, a=400, b=320, c=390, d=390) == 4, "b is back"
    assert await look(500, a=500, b=399, c=450, d=450) == 4, "b hangs"
    assert await look(600, a=600, c=600, d=600, after=MISSED_SECONDS - 0.1) == 4
    assert await look(700, a=700, c=700, d=700, after=0.1) == (3 if is_primary else 4)
    assert await look(800) == (3 if is_primary else 4)
    assert await look(900, after=MISSED_SECONDS) == (1 if is_primary else 4), "at least those asked for"
    assert quorum.count_required(("there", 1)) == 1


async def test_each_primary_misses_replicas_of_its_own() -> None:
    """G6.4: one that does not answer changes nothing for the others, and is waited for as before."""
    clock, quorum, one, two = ManualClock(), ReplicaQuorum(1), ("one", 1), ("two", 1)
    roles: dict[Primary, list[str]] = {one: ["a", "b"], two: ["c", "d", "e"]}

    async def look_up() -> list[tuple[Primary | None, list[Any]]]:
        return [(one, ["master", 1, [(name, "1", "1") for name in names]]) for one, names in roles.items()]

    async def is_known(primary: Primary | None) -> bool:
        return primary == two

    watch = ReplicaWatch(quorum, look_up, is_known, clock)

    async def look(**followers: list[str]) -> tuple[int, int]:
        roles.clear()
        roles.update({(name, 1): names for name, names in followers.items()})
        await watch.look()
        clock.advance(MISSED_SECONDS)
        return quorum.count_required(one), quorum.count_required(two)

    assert await look(one=["a", "b"], two=["c", "d", "e"]) == (2, 3)
    assert await look(one=["a"], two=["c", "d"]) == (2, 3)
    assert await look(one=["a"], two=["c", "d"]) == (2, 2), "`one` may be a former primary"
    assert await look(two=["c"]) == (2, 2)
    assert await look(two=["c"]) == (2, 1)
