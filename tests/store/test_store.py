"""The store's contract off the hot path: a room's ownership, data for its new owner, and its table time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from games.api import Millis
from hub.store.pipe import CommitPipe, Result
from hub.store.store import (
    HubIdentity,
    Missing,
    OwnedByOther,
    Ownership,
    Store,
    StoreUnavailable,
    first_token,
    incarnation_of,
)
from hub.telemetry.tasks import Tasks
from tests.harness.fault_proxy import Fault, FaultProxy
from tests.harness.owner import Owner
from tests.harness.processes import StoreProcess
from tests.store.contents import delete_room, raw_client, rooms_of
from tests.store.resumption import resumed_at

pytestmark = pytest.mark.asyncio

ONE = HubIdentity("one", "http://one")
TWO = HubIdentity("two", "http://two")


@asynccontextmanager
async def opened(store_process: StoreProcess, prefix: str) -> AsyncIterator[tuple[Store, CommitPipe]]:
    store = await Store.open(store_process.url, prefix=prefix)
    async with Tasks() as tasks:
        pipe = CommitPipe(store_process.url, tasks, prefix=prefix)
        await pipe.connect()
        try:
            yield store, pipe
        finally:
            await pipe.close()
            await store.close()


@asynccontextmanager
async def behind_proxy(store_process: StoreProcess, prefix: str) -> AsyncIterator[tuple[Store, FaultProxy]]:
    async with FaultProxy(store_process.socket, folder=store_process.socket.parent) as proxy:
        store = await Store.open(proxy.url, prefix=prefix)
        try:
            yield store, proxy
        finally:
            await store.close()


def taken(answer: Ownership | OwnedByOther | Missing) -> Ownership:
    assert isinstance(answer, Ownership)
    return answer


# --- creating and finding ---


async def test_create_and_find(store_process: StoreProcess, prefix: str) -> None:
    async with opened(store_process, prefix) as (store, _):
        token = first_token("one")
        assert await store.create("r", "CODE", b"S", "waiting", b"a table", token, 0, 0)
        assert await store.resolve("CODE") == "r"
        assert await store.resolve("EDOC") is None
        assert await store.snapshot("r") == b"S"
        assert await store.lobby() == {"r": b"a table"}
        assert await rooms_of(store, "one") == ["r"]
        assert incarnation_of(token) == "one"


async def test_an_id_or_code_is_given_once(store_process: StoreProcess, prefix: str) -> None:
    async with opened(store_process, prefix) as (store, _):
        assert await store.create("r", "CODE", b"S", "waiting", b"", first_token("one"), 0, 0)
        assert not await store.create("r", "OTHER", b"T", "waiting", b"", first_token("two"), 0, 0)
        assert not await store.create("q", "CODE", b"T", "waiting", b"", first_token("two"), 0, 0)
        assert await store.snapshot("r") == b"S"
        assert await store.snapshot("q") is None
        assert await store.resolve("CODE") == "r"
        assert await rooms_of(store, "two") == []
        assert await store.lobby() == {}


async def test_many_want_one_code(store_process: StoreProcess, prefix: str) -> None:
    async with opened(store_process, prefix) as (store, _):
        created = await asyncio.gather(
            *(store.create(f"r{n}", "CODE", b"", "waiting", b"", first_token("one"), 0, 0) for n in range(8))
        )
        assert sum(created) == 1
        assert await store.resolve("CODE") == f"r{created.index(True)}"


async def test_create_again_after_a_lost_answer(store_process: StoreProcess, prefix: str) -> None:
    """Repeated with the same token, the call finds what it has already written."""
    async with behind_proxy(store_process, prefix) as (store, proxy):
        for command, at in (("SET", 0), ("EVAL", 0), ("SET", 1)):
            room, token = f"{command}{at}", first_token("one")
            proxy.plan(Fault.CUT_AFTER, command=command, skip=at)
            with pytest.raises(StoreUnavailable):
                await store.create(room, room, b"S", "waiting", b"", token, 0, 0)
            assert await store.create(room, room, b"S", "waiting", b"", token, 0, 0)
            assert await store.resolve(room) == room


async def test_a_room_that_is_gone_for_good(store_process: StoreProcess, prefix: str) -> None:
    async with opened(store_process, prefix) as (store, pipe):
        owner = Owner("one", store, pipe)
        await owner.create("r", "CODE")
        await owner.commit(b"a", talk=[(b"all:0", b"t")], notes=[(0, b"n")])
        await delete_room(store, "r")
        assert await store.resolve("CODE") is None
        assert await store.claim("r", TWO, 0) == Missing()
        assert await store.log("r") == []
        assert await store.talk("r") == {}
        assert await store.notes("r") == {}
        assert await owner.commit(b"b") is Result.FENCED
        assert await store.snapshot("r") is None
        await delete_room(store, "r")


# --- taking and giving up ---


async def test_take_what_is_nowhere(store_process: StoreProcess, prefix: str) -> None:
    async with opened(store_process, prefix) as (store, _):
        assert await store.claim("r", ONE, 0) == Missing()
        assert await rooms_of(store, "one") == []


async def test_a_live_owner_keeps_its_room(store_process: StoreProcess, prefix: str) -> None:
    async with opened(store_process, prefix) as (store, pipe):
        owner = Owner("one", store, pipe)
        await store.beat(ONE, 10)
        await owner.create("r")
        assert await store.claim("r", TWO, 0) == OwnedByOther("http://one")
        assert await rooms_of(store, "two") == []
        assert await owner.commit(b"a") is Result.APPLIED


async def test_a_dead_owners_room_is_taken_with_all_it_held(store_process: StoreProcess, prefix: str) -> None:
    async with opened(store_process, prefix) as (store, pipe):
        owner = Owner("one", store, pipe)
        await owner.create("r", "CODE")
        await owner.commit(b"a", b"b", talk=[(b"all:0", b"t1"), (b"all:1", b"t2")], notes=[(1, b"n")])
        await owner.commit(b"c", snapshot=b"")
        got = taken(await store.claim("r", TWO, 7))
        assert (got.epoch, got.seq, got.status, got.code) == (2, 3, "running", "CODE")
        assert (got.snapshot, got.entries) == (b"after 2", [b"c"])
        assert (got.talk, got.notes) == ({b"all:0": b"t1", b"all:1": b"t2"}, {1: b"n"})
        assert got.token.startswith("2:two:")
        assert await rooms_of(store, "two") == ["r"]
        assert await rooms_of(store, "one") == []


async def test_a_room_with_talk_as_it_was_kept_once(store_process: StoreProcess, prefix: str) -> None:
    """R7: talk that an older version kept in one stream is dropped; the room continues, and keeps
    later talk."""
    async with opened(store_process, prefix) as (store, pipe), raw_client(store_process) as raw:
        owner = Owner("one", store, pipe)
        await owner.create("r")
        await owner.commit(b"a", notes=[(1, b"n")])
        await raw.xadd(f"{prefix}{{room:r}}:talk", {"e": b"t1"})
        two = Owner("two", store, pipe)
        got = taken(await store.claim("r", TWO, 7))
        assert (got.talk, got.notes, got.seq) == ({}, {1: b"n"}, 1)
        await two.take("r")
        assert await two.commit(b"b", talk=[(b"all:0", b"t2")]) is Result.APPLIED
        assert await store.talk("r") == {b"all:0": b"t2"}


async def test_the_old_owner_is_fenced_and_the_new_one_goes_on(
    store_process: StoreProcess, prefix: str
) -> None:
    """G3."""
    async with opened(store_process, prefix) as (store, pipe):
        one, two = Owner("one", store, pipe), Owner("two", store, pipe)
        await one.create("r")
        await one.commit(b"a")
        await two.take("r")
        assert await one.commit(b"x", talk=[(b"all:0", b"x")], notes=[(0, b"x")]) is Result.FENCED
        assert await two.commit(b"b") is Result.APPLIED
        assert await one.commit(b"x") is Result.FENCED
        assert await store.log_with_ids("r") == [("1-1", b"a"), ("2-2", b"b")]
        assert await store.talk("r") == {}


async def test_taken_back_is_not_the_same_run(store_process: StoreProcess, prefix: str) -> None:
    """ABA: a commit from the first ownership stays fenced, even if its sequence number fits again."""
    async with opened(store_process, prefix) as (store, pipe):
        one, two = Owner("one", store, pipe), Owner("two", store, pipe)
        await one.create("r")
        stale = one.next(b"stale")
        await two.take("r")
        await one.take("r")
        assert await one.send(stale) is Result.FENCED
        assert await one.commit(b"fresh") is Result.APPLIED
        assert await one.send(stale) is Result.FENCED
        assert await store.log("r") == [b"fresh"]


async def test_one_of_many_takers_wins(store_process: StoreProcess, prefix: str) -> None:
    async with opened(store_process, prefix) as (store, pipe):
        first = Owner("first", store, pipe)
        await first.create("r")
        await first.commit(b"a")
        owners = [Owner(f"hub{n}", store, pipe) for n in range(6)]
        answers = await asyncio.gather(*(owner.take("r") for owner in owners))
        tokens = [answer.token for answer in answers if isinstance(answer, Ownership)]
        assert (
            len(set(tokens)) == len(tokens) >= 1
        )  # without heartbeats, each may take it from the one before
        results = await asyncio.gather(*(owner.commit(b"b") for owner in owners if owner.token))
        assert results.count(Result.APPLIED) == 1
        assert await store.log("r") == [b"a", b"b"]


async def test_my_own_url_is_an_earlier_life_of_mine(store_process: StoreProcess, prefix: str) -> None:
    """A hub restarted within its predecessor's lease does not have to wait for the lease to run out."""
    async with opened(store_process, prefix) as (store, pipe):
        before = Owner("before", store, pipe)
        await store.beat(HubIdentity("before", "http://same"), 10)
        await before.create("r")
        assert taken(await store.claim("r", HubIdentity("after", "http://same"), 0)).epoch == 2
        assert await before.commit(b"x") is Result.FENCED


async def test_take_again_what_is_mine(store_process: StoreProcess, prefix: str) -> None:
    """The same hub, which is still alive, begins a new ownership of the room."""
    async with opened(store_process, prefix) as (store, _):
        await store.beat(ONE, 10)
        await store.create("r", "CODE", b"S", "waiting", b"", first_token("one"), 0, 0)
        first, second = taken(await store.claim("r", ONE, 0)), taken(await store.claim("r", ONE, 0))
        assert (first.epoch, second.epoch) == (2, 3)
        assert first.token != second.token


@pytest.mark.parametrize("fault", [Fault.CUT_BEFORE, Fault.CUT_AFTER])
@pytest.mark.parametrize(
    ("command", "skip"), [("HGET", 0), ("GET", 0), ("SADD", 0), ("EVAL", 0), ("SREM", 0), ("SET", 0)]
)
async def test_take_again_after_trouble(
    store_process: StoreProcess, prefix: str, fault: Fault, command: str, skip: int
) -> None:
    """Whichever answer is lost, the call can simply be repeated."""
    async with (
        opened(store_process, prefix) as (direct, pipe),
        behind_proxy(store_process, prefix) as (
            store,
            proxy,
        ),
    ):
        owner = Owner("one", direct, pipe)
        await owner.create("r", "CODE")
        owner.at, owner.live = 500, 100
        await owner.commit(b"a")
        await direct.beat(ONE, 350)
        await direct.depart(ONE)
        proxy.plan(fault, command=command, skip=skip)
        with pytest.raises(StoreUnavailable):
            await store.claim("r", TWO, 9)
        got = taken(await store.claim("r", TWO, 9))
        assert (got.seq, got.at, got.snapshot) == (1, 750, b"after 1")
        assert await rooms_of(direct, "two") == ["r"]
        assert await direct.resolve("CODE") == "r"
        two = Owner("two", direct, pipe)
        two.room, two.token, two.seq = "r", got.token, got.seq
        assert await two.commit(b"b") is Result.APPLIED


async def test_release_lets_anybody_in(store_process: StoreProcess, prefix: str) -> None:
    async with opened(store_process, prefix) as (store, pipe):
        one, two = Owner("one", store, pipe), Owner("two", store, pipe)
        await store.beat(ONE, 10)
        await one.create("r")
        await one.commit(b"a")
        assert await store.release(one.token, "r")
        assert await store.release(one.token, "r")  # repeated after a lost answer
        assert await rooms_of(store, "one") == []
        assert await one.commit(b"x") is Result.FENCED
        assert taken(await two.take("r")).seq == 1
        assert not await store.release(one.token, "r")
        assert await two.commit(b"b") is Result.APPLIED
        assert await store.log("r") == [b"a", b"b"]


async def test_release_of_an_earlier_run_leaves_the_later_one_listed(
    store_process: StoreProcess, prefix: str
) -> None:
    async with opened(store_process, prefix) as (store, pipe):
        one = Owner("one", store, pipe)
        await one.create("r")
        before = one.token
        await one.take("r")
        assert not await store.release(before, "r")
        assert await rooms_of(store, "one") == ["r"]
        assert await one.commit(b"a") is Result.APPLIED


async def test_release_of_what_is_not_there(store_process: StoreProcess, prefix: str) -> None:
    async with opened(store_process, prefix) as (store, _):
        assert not await store.release("1:one:0", "r")


async def test_an_untouched_room_is_forgotten(store_process: StoreProcess, prefix: str) -> None:
    """After the number of days set when it was released; if it is taken before then, it is kept for good."""
    async with opened(store_process, prefix) as (store, pipe), raw_client(store_process) as raw:
        one = Owner("one", store, pipe)
        await one.create("r")
        await one.commit(b"a", talk=[(b"all:0", b"t")], notes=[(0, b"n")])
        await store.release(one.token, "r", forget_days=2)
        keys = [f"{prefix}{{room:r}}:{part}" for part in ("head", "log", "talk", "notes")]
        for key in keys:
            assert 2 * 86_400_000 - 60_000 < await raw.pttl(key) <= 2 * 86_400_000
        await one.take("r")
        assert [await raw.pttl(key) for key in keys] == [-1] * 4


async def test_the_epoch_survives_a_lost_counter(store_process: StoreProcess, prefix: str) -> None:
    """A failover may lose the last write to the head but keep the last one to the log: ids must increase."""
    async with opened(store_process, prefix) as (store, pipe), raw_client(store_process) as raw:
        one = Owner("one", store, pipe)
        await one.create("r")
        for _ in range(3):
            await one.take("r")
        await one.commit(b"a")
        await raw.hset(f"{prefix}{{room:r}}:head", mapping={"epoch": "2", "token": "2:gone:0"})
        assert taken(await one.take("r")).epoch == 5
        assert await one.commit(b"b") is Result.APPLIED
        assert await store.log_with_ids("r") == [("4-1", b"a"), ("5-2", b"b")]


async def test_a_long_log_is_read_in_pages(store_process: StoreProcess, prefix: str) -> None:
    async with opened(store_process, prefix) as (store, pipe):
        one = Owner("one", store, pipe)
        await one.create("r")
        entries = [b"%d" % n for n in range(1203)]
        await one.commit(*entries[:700])
        await one.take("r")
        await one.commit(*entries[700:])
        assert await store.log("r") == entries


# --- table time (G5) ---


@pytest.mark.parametrize(
    ("status", "committed", "beaten", "resumes"),
    [
        pytest.param("running", 2_000, 5_500, 13_500, id="lived on after its last commit"),
        pytest.param("running", 2_000, 1_700, 10_000, id="committed after its last beat"),
        pytest.param("running", 2_000, None, 10_000, id="never beat"),
        pytest.param("paused", 2_000, 5_500, 10_000, id="paused"),
        pytest.param("waiting", 2_000, 5_500, 10_000, id="waiting"),
        pytest.param("finished", 2_000, 5_500, 10_000, id="finished"),
    ],
)
async def test_a_taker_resumes_where_the_owner_was_last_alive(
    store_process: StoreProcess,
    prefix: str,
    status: str,
    committed: int,
    beaten: int | None,
    resumes: int,
) -> None:
    async with opened(store_process, prefix) as (store, pipe):
        one = Owner("one", store, pipe)
        await one.create("r")
        one.at, one.live = 10_000, committed
        await one.commit(b"a", status=status)
        if beaten is not None:
            await store.beat(ONE, beaten)
            await store.depart(ONE)
        assert taken(await store.claim("r", TWO, 77)).at == resumes
        expected = resumed_at(Millis(10_000), committed, beaten, running=status == "running")
        assert resumes == expected


async def test_time_goes_on_through_takers_that_never_commit(
    store_process: StoreProcess, prefix: str
) -> None:
    """Each owner's lifetime is measured from when it took the room, by its own clock."""
    async with opened(store_process, prefix) as (store, pipe):
        one = Owner("one", store, pipe)
        await one.create("r")
        one.at, one.live = 1_000, 100
        await one.commit(b"a")
        await store.beat(ONE, 400)
        await store.depart(ONE)
        assert taken(await store.claim("r", TWO, 50_000)).at == 1_300
        await store.beat(TWO, 51_000)
        await store.depart(TWO)
        await store.beat(ONE, 999_999)  # a late heartbeat from the first owner no longer changes anything
        await store.depart(ONE)
        assert taken(await store.claim("r", HubIdentity("three", "http://three"), 0)).at == 2_300


async def test_time_stands_still_between_release_and_take(store_process: StoreProcess, prefix: str) -> None:
    async with opened(store_process, prefix) as (store, pipe):
        one = Owner("one", store, pipe)
        await one.create("r")
        one.at, one.live = 1_000, 100
        await one.commit(b"a")
        await store.release(one.token, "r", at=1_600)
        await store.beat(ONE, 9_999)
        assert taken(await store.claim("r", TWO, 0)).at == 1_600
        await store.release("3:x:0", "r", at=99_999)
        got = taken(await store.claim("r", HubIdentity("two", "http://two"), 0))
        assert got.at == 1_600
        await store.release(got.token, "r", at=5)  # table time never goes back
        assert taken(await store.claim("r", TWO, 0)).at == 1_600


async def test_heartbeats_never_go_back(store_process: StoreProcess, prefix: str) -> None:
    """Not even if a delayed heartbeat arrives after a later one."""
    async with opened(store_process, prefix) as (store, pipe):
        one = Owner("one", store, pipe)
        await one.create("r")
        await store.beat(ONE, 900)
        await store.beat(ONE, 300)
        await store.depart(ONE)
        assert taken(await store.claim("r", TWO, 0)).at == 900


async def test_how_long_heartbeats_last(store_process: StoreProcess, prefix: str) -> None:
    async with opened(store_process, prefix) as (store, _), raw_client(store_process) as raw:
        await store.beat(ONE, 900)
        assert 2_000 < await raw.pttl(f"{prefix}{{hub:one}}:alive") <= 3_000
        assert await raw.ttl(f"{prefix}{{hub:one}}") > 6 * 86_400
        await store.create("r", "CODE", b"S", "waiting", b"", first_token("one"), 0, 0)
        await store.beat(ONE, 901)
        assert await raw.ttl(f"{prefix}{{hub:one}}:rooms") > 6 * 86_400


async def test_heartbeats_have_a_connection_of_their_own(store_process: StoreProcess, prefix: str) -> None:
    """The heartbeat gets through however many other calls hang."""
    async with behind_proxy(store_process, prefix) as (store, proxy):
        for _ in range(8):
            proxy.plan(Fault.HOLD_COMMAND, command="GET")
        hanging = [asyncio.ensure_future(store.resolve("X")) for _ in range(12)]
        await proxy.happened(Fault.HOLD_COMMAND, 8)
        await store.beat(ONE, 1)
        proxy.release()
        assert await asyncio.gather(*hanging) == [None] * 12


async def test_a_heartbeat_tells_whether_the_hub_still_counted_as_alive(
    store_process: StoreProcess, prefix: str
) -> None:
    async with opened(store_process, prefix) as (store, _):
        assert not await store.beat(ONE, 1)
        assert await store.beat(ONE, 2)
        await store.depart(ONE)
        assert not await store.beat(ONE, 3)
        assert await store.beat(ONE, 2)  # a late heartbeat does not mean that the hub had died


# --- hubs ---


async def test_the_rooms_of_hubs(store_process: StoreProcess, prefix: str) -> None:
    async with opened(store_process, prefix) as (store, pipe):
        await store.beat(ONE, 1)
        await store.beat(TWO, 1)
        one, two = Owner("one", store, pipe), Owner("two", store, pipe)
        await one.create("r1")
        await one.create("r2")
        await two.create("r3")
        await store.depart(ONE)
        assert await rooms_of(store, "one") == ["r1", "r2"]
        await two.take("r1")
        await two.take("r2")
        assert await rooms_of(store, "two") == ["r1", "r2", "r3"]
        assert await rooms_of(store, "one") == []


# --- lobby and records ---


async def test_an_older_summary_never_wins(store_process: StoreProcess, prefix: str) -> None:
    async with opened(store_process, prefix) as (store, _):
        assert await store.put_summary("r", 1, 5, b"five")
        assert not await store.put_summary("r", 1, 4, b"four")
        assert await store.put_summary("r", 1, 5, b"five again")
        assert await store.put_summary("r", 2, 1, b"new run")
        assert not await store.put_summary("r", 1, 9, b"old run")
        assert await store.lobby() == {"r": b"new run"}
        assert not await store.put_summary("r", 1, 99, b"")
        assert await store.put_summary("r", 2, 3, b"")
        assert await store.lobby() == {}
        assert not await store.put_summary("r", 2, 2, b"late")
        assert await store.lobby() == {}
        assert await store.put_summary("r", 2, 4, b"back")
        assert await store.lobby() == {"r": b"back"}


async def test_summaries_are_any_bytes(store_process: StoreProcess, prefix: str) -> None:
    async with opened(store_process, prefix) as (store, _):
        rooms = {f"r{n}": bytes([n, 32, 10, 0, 255 - n]) for n in range(200)}
        for room, summary in rooms.items():
            await store.put_summary(room, 1, 10**12, summary)
        assert await store.lobby() == rooms


async def test_removed_summaries_are_forgotten_in_time(store_process: StoreProcess, prefix: str) -> None:
    async with opened(store_process, prefix) as (store, _), raw_client(store_process) as raw:
        await store.put_summary("old", 1, 1, b"")
        await raw.zadd(f"{prefix}{{lobby}}:gone", {"old": 1000})
        await store.put_summary("new", 1, 1, b"x")
        assert await raw.hkeys(f"{prefix}{{lobby}}") == [b"new"]
        assert await raw.zcard(f"{prefix}{{lobby}}:gone") == 0


async def test_records(store_process: StoreProcess, prefix: str) -> None:
    async with opened(store_process, prefix) as (store, _), raw_client(store_process) as raw:
        await store.keep_record("r", b"\x00record", 90)
        await store.keep_record("q", b"record", 0)
        assert await store.record("r") == b"\x00record"
        assert await store.record("q") is None
        assert 89 * 86_400 < await raw.ttl(f"{prefix}record:r") <= 90 * 86_400


# --- trouble ---


async def test_nothing_is_tried_twice(store_process: StoreProcess, prefix: str) -> None:
    """The client library would retry; here, repeating a call is up to its caller."""
    async with behind_proxy(store_process, prefix) as (store, proxy):
        proxy.plan(Fault.CUT_AFTER, command="EVAL")
        before = proxy.count("EVAL")
        with pytest.raises(StoreUnavailable):
            await store.put_summary("r", 1, 1, b"x")
        assert proxy.count("EVAL") == before + 1


async def test_a_store_that_is_away(store_process: StoreProcess, prefix: str) -> None:
    async with behind_proxy(store_process, prefix) as (store, proxy):
        proxy.down = True
        proxy.cut()
        for call in (
            store.resolve("X"),
            store.claim("r", ONE, 0),
            store.beat(ONE, 1),
            store.log("r"),
            store.lobby(),
            rooms_of(store, "one"),
            store.release("1:one:0", "r"),
            store.create("r", "C", b"", "waiting", b"", first_token("one"), 0, 0),
        ):
            with pytest.raises(StoreUnavailable, match="the store at"):
                await call
        proxy.down = False
        assert await store.resolve("X") is None
