"""The commit pipe without faults: what is applied, fenced, or left unwritten."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from hub.store.pipe import Commit, Result
from tests.harness.owner import Owner
from tests.harness.processes import StoreProcess
from tests.store.contents import raw_client
from tests.store.pipe_bench import bench

pytestmark = pytest.mark.asyncio


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


async def test_one_write_carries_the_commits_of_a_tick(store_process: StoreProcess, prefix: str) -> None:
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


async def test_a_commit_without_a_snapshot_keeps_the_last_one(
    store_process: StoreProcess, prefix: str
) -> None:
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


async def test_talk_is_written_to_its_slots(store_process: StoreProcess, prefix: str) -> None:
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


async def test_nothing_is_written_of_a_damaged_room(store_process: StoreProcess, prefix: str) -> None:
    """G3.9: a key of the wrong type is noticed before the first write, and the pipe stays healthy."""
    keys = [f"{prefix}{{room:r}}:{part}" for part in ("log", "talk", "notes")]
    async with bench(store_process, prefix) as b, raw_client(store_process) as raw:
        other = Owner("two", b.store, b.pipe)
        assert await other.create("other")
        for key in keys:
            await raw.set(key, b"in the way")
            before = b.owner.seq
            assert await b.owner.commit(b"x", talk=[(b"all:0", b"t")], notes=[(1, b"n")]) is Result.DAMAGED
            assert b.pipe.healthy
            assert await other.commit(b"fine") is Result.APPLIED
            assert await raw.hget(f"{prefix}{{room:r}}:head", "seq") == str(before).encode()
            await raw.delete(key)
            b.owner.seq = before
            assert await b.owner.commit(b"x", talk=[(b"all:0", b"t")], notes=[(1, b"n")]) is Result.APPLIED
        assert await b.store.log("r") == [b"x"] * 3
        assert await b.store.talk("r") == {b"all:0": b"t"}
