"""Claiming and releasing rooms: fencing, epochs, and the data for a room's new owner."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from hub.store.client import StoreUnavailable
from hub.store.hubs import HubIdentity
from hub.store.pipe import Result
from hub.store.store import TAKE, TAKEN_KEPT_MS, Missing, OwnedByOther, Ownership, first_token
from tests.harness.fault_proxy import Fault
from tests.harness.owner import Owner
from tests.harness.processes import StoreProcess
from tests.store.contents import raw_client, rooms_of
from tests.store.opening import ONE, TWO, behind_proxy, opened, taken

pytestmark = pytest.mark.asyncio


async def test_claiming_a_missing_room(store_process: StoreProcess, prefix: str) -> None:
    async with opened(store_process, prefix) as (store, _):
        assert await store.claim("r", ONE, 0) == Missing()
        assert await rooms_of(store, "one") == []


async def test_a_live_owner_keeps_its_room(store_process: StoreProcess, prefix: str) -> None:
    async with opened(store_process, prefix) as (store, pipe):
        owner = Owner("one", store, pipe)
        await store.beat(ONE, 10)
        await owner.create("r")
        assert await store.claim("r", TWO, 0) == OwnedByOther(ONE)
        assert await rooms_of(store, "two") == []
        assert await owner.commit(b"a") is Result.APPLIED


async def test_a_dead_owners_room_is_claimed_with_its_data(store_process: StoreProcess, prefix: str) -> None:
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


async def test_talk_in_the_old_format_is_dropped(store_process: StoreProcess, prefix: str) -> None:
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


async def test_the_old_owner_is_fenced_and_the_new_one_continues(
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


async def test_a_reclaimed_room_fences_the_first_epoch(store_process: StoreProcess, prefix: str) -> None:
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


async def test_one_of_many_claims_wins(store_process: StoreProcess, prefix: str) -> None:
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


async def test_a_live_hub_keeps_its_rooms_from_one_with_its_url(
    store_process: StoreProcess, prefix: str
) -> None:
    """Its heartbeat alone says whether a hub lives; two hubs with one URL would steal each other's rooms."""
    async with opened(store_process, prefix) as (store, pipe):
        before = Owner("before", store, pipe)
        await store.beat(HubIdentity("before", "http://same"), 10)
        await before.create("r")
        assert await store.claim("r", HubIdentity("after", "http://same"), 0) == OwnedByOther(
            HubIdentity("before", "http://same")
        )
        assert await before.commit(b"a") is Result.APPLIED
        await store.depart(HubIdentity("before", "http://same"))
        assert taken(await store.claim("r", HubIdentity("after", "http://same"), 0)).epoch == 2
        assert await before.commit(b"x") is Result.FENCED


async def test_an_owner_may_claim_its_room_again(store_process: StoreProcess, prefix: str) -> None:
    """The same hub, which is still alive, begins a new ownership of the room."""
    async with opened(store_process, prefix) as (store, _):
        await store.beat(ONE, 10)
        await store.create("r", "CODE", b"S", "waiting", b"", first_token("one"), 0, 0)
        first, second = taken(await store.claim("r", ONE, 0)), taken(await store.claim("r", ONE, 0))
        assert (first.epoch, second.epoch) == (2, 3)
        assert first.token != second.token


@pytest.mark.parametrize("fault", [Fault.CUT_BEFORE, Fault.CUT_AFTER])
@pytest.mark.parametrize(
    ("command", "skip"),
    [("HGET", 0), ("GET", 0), ("SADD", 0), ("EVAL", 0), ("EVAL", 1), ("SREM", 0), ("SET", 0)],
)
async def test_a_claim_is_repeated_after_a_fault(
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
        assert (got.seq, got.at, got.snapshot) == (1, 1_750, b"after 1")
        assert await rooms_of(direct, "two") == ["r"]
        assert await direct.resolve("CODE") == "r"
        two = Owner("two", direct, pipe)
        two.room, two.token, two.seq = "r", got.token, got.seq
        assert await two.commit(b"b") is Result.APPLIED


async def test_an_owner_that_comes_back_to_life_learns_which_rooms_were_taken(
    store_process: StoreProcess, prefix: str
) -> None:
    """G3.7: also if the store counts it as alive again by then. Rooms that it had released are not among
    them."""
    async with opened(store_process, prefix) as (store, pipe), raw_client(store_process) as raw:
        taken_away, kept, released = (Owner("one", store, pipe) for _ in range(3))
        for owner, room in ((taken_away, "r1"), (kept, "r2"), (released, "r3")):
            await owner.create(room)
        await store.release(released.token, "r3")
        assert await store.beat(ONE, 1) == (False, set(), set())
        await store.depart(ONE)
        two = Owner("two", store, pipe)
        await two.take("r1")
        await two.take("r3")
        assert await store.beat(ONE, 2) == (False, {taken_away.token}, set())
        assert await store.beat(ONE, 3) == (True, {taken_away.token}, set())  # an answer may get lost
        assert await taken_away.commit(b"x") is Result.FENCED
        assert await kept.commit(b"x") is Result.APPLIED
        assert 0 < await raw.pttl(f"{prefix}{{hub:one}}:claims") <= TAKEN_KEPT_MS


@pytest.mark.parametrize("writes", [False, True])
async def test_an_owner_comes_back_to_life_while_its_room_is_being_taken(
    store_process: StoreProcess, prefix: str, *, writes: bool
) -> None:
    """G3.7: its heartbeat arrives after it was found dead, and before the room is taken; whoever is about to
    take the room has already said so. If it writes to the room before that, it stays the owner: it has shown
    later times than whoever takes the room knows of (G5.4)."""
    async with (
        opened(store_process, prefix) as (direct, pipe),
        behind_proxy(store_process, prefix) as (store, proxy),
    ):
        owner = Owner("one", direct, pipe)
        await owner.create("r")
        proxy.plan(Fault.HOLD_COMMAND, command="EVAL", skip=1)
        claiming = asyncio.ensure_future(store.claim("r", TWO, 0))
        await proxy.happened(Fault.HOLD_COMMAND)
        await direct.beat(ONE, 1)
        assert (await direct.beat(ONE, 2)).taken == {owner.token}
        if writes:
            assert await owner.commit(b"a") is Result.APPLIED
        proxy.release()
        claim = await claiming
        assert (await direct.beat(ONE, 3)).taken == {owner.token}
        if writes:
            assert claim == OwnedByOther(ONE)
            assert await owner.commit(b"x") is Result.APPLIED
        else:
            assert taken(claim).seq == 0
            assert await owner.commit(b"x") is Result.FENCED


async def test_an_operator_takes_a_room_from_an_owner_that_goes_on_writing(
    store_process: StoreProcess, prefix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table whose bots play on would otherwise keep it for ever."""
    async with opened(store_process, prefix) as (store, pipe):
        owner = Owner("one", store, pipe)
        await owner.create("r")
        await store.beat(ONE, 1)
        run, takes = store._run, 0

        async def write_before_it_is_taken(script: str, *rest: Any) -> Any:
            nonlocal takes
            if script == TAKE:
                takes += 1
                assert takes == 1, "it would be tried again and again"
                assert await owner.commit(b"a") is Result.APPLIED
            return await run(script, *rest)

        monkeypatch.setattr(store, "_run", write_before_it_is_taken)
        assert taken(await store.claim("r", TWO, 0, evict=True)).seq == 1


async def test_a_claim_that_ends_before_it_takes_the_room_changes_nothing(
    store_process: StoreProcess, prefix: str
) -> None:
    """G3.7: as if its hub had been killed in between."""
    async with (
        opened(store_process, prefix) as (direct, pipe),
        behind_proxy(store_process, prefix) as (store, proxy),
    ):
        owner = Owner("one", direct, pipe)
        await owner.create("r")
        proxy.plan(Fault.CUT_BEFORE, command="EVAL", skip=1)
        with pytest.raises(StoreUnavailable):
            await store.claim("r", TWO, 0)
        assert (await direct.beat(ONE, 1)).taken == {owner.token}
        assert await owner.commit(b"a") is Result.APPLIED


async def test_any_hub_may_claim_a_released_room(store_process: StoreProcess, prefix: str) -> None:
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


async def test_releasing_an_earlier_epoch_leaves_the_later_one_listed(
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


async def test_releasing_a_missing_room(store_process: StoreProcess, prefix: str) -> None:
    async with opened(store_process, prefix) as (store, _):
        assert not await store.release("1:one:0", "r")


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


async def test_rooms_are_listed_under_their_hub(store_process: StoreProcess, prefix: str) -> None:
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
