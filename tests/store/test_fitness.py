"""The startup check: the stores it refuses, and its reasons."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final, TypeAlias

import pytest
import redis.asyncio
from structlog.testing import capture_logs

from hub.config import Ack, CannotStart, Exit
from hub.store import fitness
from hub.store.fitness import Fitness, FitnessWatch
from hub.store.lease import Lease
from hub.store.pipe import CommitPipe
from hub.store.store import Store, first_token
from hub.telemetry.tasks import Tasks
from tests.harness.defaults import DEFAULTS
from tests.harness.manual_clock import ManualClock
from tests.harness.owner import Owner
from tests.harness.processes import ROOT, StoreProcess
from tests.store.contents import raw_client
from tests.store.opening import ONE, opened

pytestmark = pytest.mark.asyncio


async def refusal(url: str, ack: str = "everysec") -> str:
    with pytest.raises(CannotStart) as caught:
        await Store.open(url, ack=ack, forget_days=DEFAULTS.forget_days)
    assert caught.value.exit is Exit.STORE
    assert caught.value.advice.endswith(".")
    assert "\n" not in caught.value.advice
    return caught.value.advice


@pytest.mark.parametrize(
    ("options", "ack", "said"),
    [
        ({"maxmemory-policy": "allkeys-lru"}, "everysec", "maxmemory-policy is allkeys-lru"),
        ({"requirepass": "secret"}, "everysec", "refuses the login"),
        ({}, "fsync", "appendfsync of the store"),
        ({"appendonly": "no"}, "fsync", "no append-only file"),
        ({}, "replica", "0 of 1 replicas"),
    ],
    ids=lambda value: str(value),
)
async def test_unfit(own_store: StoreProcess, options: dict[str, str], ack: str, said: str) -> None:
    async with raw_client(own_store) as raw:
        for name, value in options.items():
            await raw.config_set(name, value)
    assert said in await refusal(own_store.url, ack)


async def test_unreachable(short_path: Path) -> None:
    advice = await refusal(f"unix://{short_path}/none.sock")
    assert "cannot be reached" in advice
    assert "PARLEY_REDIS_URL" in advice


async def test_a_store_that_dies_while_it_is_checked(
    own_store: StoreProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the rehearsal and the reading of its settings."""
    read = fitness._settings

    async def die_first(client: redis.asyncio.Redis, info: dict[str, Any]) -> Any:
        own_store.kill()
        return await read(client, info)

    monkeypatch.setattr(fitness, "_settings", die_first)
    assert "cannot be reached" in await refusal(own_store.url)


async def make_full(raw: redis.asyncio.Redis, store: StoreProcess) -> None:
    await raw.config_set("maxmemory", "1")


async def make_replica(raw: redis.asyncio.Redis, store: StoreProcess) -> None:
    await raw.execute_command("REPLICAOF", "127.0.0.1", "1")  # type: ignore[no-untyped-call]


async def fill_disk(raw: redis.asyncio.Redis, store: StoreProcess) -> None:
    """A snapshot cannot be written: as on a full disk, the store then refuses writes."""
    (store.socket.parent / "dump.rdb").mkdir()
    await raw.config_set("save", "3600 1")
    await raw.bgsave()
    while (await raw.info("persistence"))["rdb_bgsave_in_progress"]:
        pass


Fault: TypeAlias = Callable[[redis.asyncio.Redis, StoreProcess], Awaitable[None]]

REFUSING: Final[dict[str, tuple[Fault, str]]] = {
    "full": (make_full, "is full (OOM): give it more memory"),
    "read-only": (make_replica, "is a read-only replica (READONLY): use its primary"),
    "disk": (fill_disk, "cannot write to its disk (MISCONF): make room on the disk"),
}


@pytest.mark.parametrize("name", REFUSING)
async def test_a_store_that_refuses_writes(own_store: StoreProcess, name: str) -> None:
    """Operators meet these every day: one sentence that says what to do, instead of a traceback."""
    fault, said = REFUSING[name]
    async with raw_client(own_store) as raw:
        await fault(raw, own_store)
    assert said in await refusal(own_store.url)


async def test_a_database_that_does_not_exist(own_store: StoreProcess) -> None:
    advice = await refusal(f"{own_store.url}?db=99")
    assert "has no database 99" in advice
    assert "PARLEY_REDIS_URL" in advice


async def test_the_rehearsal_leaves_nothing(own_store: StoreProcess) -> None:
    async with raw_client(own_store) as raw:
        await (await Store.open(own_store.url, forget_days=DEFAULTS.forget_days)).close()
        assert await raw.keys("*") == []


async def test_the_rehearsal_has_every_command() -> None:
    """A right that is missing shows at the start: hub/store/lua/rehearse.lua names each command once."""
    used = set()
    for path in (ROOT / "hub" / "store").rglob("*"):
        if path.suffix in (".lua", ".py") and path.name != "rehearse.lua":
            used |= set(re.findall(r"""\bcall\(['"]([A-Z]+)['"]""", path.read_text()))
    assert len(used) > 20
    used -= {"INFO", "BGREWRITEAOF"}  # `check` needs INFO itself; the other may be refused
    assert used <= set(re.findall(r"call\('([A-Z]+)'", fitness.REHEARSE))


@pytest.mark.parametrize("name", REFUSING)
async def test_commits_that_are_refused_name_the_reason(own_store: StoreProcess, name: str) -> None:
    """`/readyz` shows it; it is gone after the next commit that is applied."""
    fault, said = REFUSING[name]
    async with opened(own_store, "p:") as (store, pipe), raw_client(own_store) as raw:
        owner = Owner("one", store, pipe)
        await owner.create("r")
        assert pipe.healthy
        await fault(raw, own_store)
        verdict = owner.send(owner.next(b"a"))
        assert isinstance(pipe, CommitPipe)
        while pipe.problem is None:  # noqa: ASYNC110
            await asyncio.sleep(0)
        for _ in range(3):  # it stays, although the commit is sent again and again
            assert said in str(pipe.problem)
            refused = pipe._backoff._next
            while pipe._backoff._next == refused < 1.0:  # noqa: ASYNC110
                await asyncio.sleep(0)
        await raw.config_set("maxmemory", "0")
        await raw.config_set("save", "")
        await raw.execute_command("REPLICAOF", "NO", "ONE")  # type: ignore[no-untyped-call]
        await verdict
        assert pipe.problem is None


async def test_refused_commits_are_logged_once(own_store: StoreProcess) -> None:
    """Not each time they are sent again; there is one more line when it is over."""
    async with opened(own_store, "p:") as (store, pipe), raw_client(own_store) as raw:
        owner = Owner("one", store, pipe)
        await owner.create("r")
        await make_full(raw, own_store)
        assert isinstance(pipe, CommitPipe)
        with capture_logs() as logs:
            verdict = owner.send(owner.next(b"a"))
            while pipe._backoff._next < 0.1:  # noqa: ASYNC110 - several times
                await asyncio.sleep(0)
            await raw.config_set("maxmemory", "0")
            await verdict
        events = [entry["event"] for entry in logs]
        assert events == ["commit will be sent again", "commits are answered again"]
        assert logs[-1]["times"] > 1


@pytest.mark.parametrize("name", REFUSING)
async def test_heartbeats_that_are_refused_name_the_reason(own_store: StoreProcess, name: str) -> None:
    """For a hub on which nobody plays."""
    fault, said = REFUSING[name]
    async with opened(own_store, "p:") as (store, _), raw_client(own_store) as raw:
        clock = ManualClock()
        lease = Lease("one", lambda live: store.beat(ONE, live), clock)
        await lease.beat()
        assert lease.problem is None
        await fault(raw, own_store)
        async with Tasks() as tasks:
            tasks.start("heartbeat", lease.keep())
            await clock.asleep()
        assert said in str(lease.problem)


@pytest.mark.parametrize(
    ("setting", "before", "after", "ack", "said"),
    [
        ("maxmemory-policy", "noeviction", "allkeys-lru", "everysec", "maxmemory-policy is allkeys-lru"),
        ("appendonly", "yes", "no", "everysec", "writes no append-only file any more"),
        ("appendonly", "yes", "no", "fsync", "writes no append-only file"),
        ("appendfsync", "always", "everysec", "fsync", "appendfsync of the store"),
    ],
)
async def test_a_change_for_the_worse_is_noticed_within_a_minute(
    own_store: StoreProcess, setting: str, before: str, after: str, ack: Ack, said: str
) -> None:
    async with raw_client(own_store) as raw, Tasks() as tasks:
        if ack == "fsync":
            await raw.config_set("appendfsync", "always")
        store = await Store.open(own_store.url, ack=ack, forget_days=DEFAULTS.forget_days)
        clock = ManualClock()
        reports: list[Fitness] = []
        watch = FitnessWatch(store.examine, clock, reports.append)
        with capture_logs() as logs:
            tasks.start("watch", watch.keep())

            async def pass_minutes(count: int) -> None:
                for _ in range(count):
                    await clock.wake()
                await clock.asleep()

            await pass_minutes(2)
            assert watch.problem is None
            await raw.config_set(setting, after)
            await pass_minutes(3)
            assert said in str(watch.problem)
            await raw.config_set(setting, before)
            await pass_minutes(2)
            assert watch.problem is None
        assert clock.slept[0] == 60
        fit = [report.problem is None for report in reports]
        assert fit[0]
        assert fit[-1]
        assert not all(fit)
        assert [entry["log_level"] for entry in logs if entry["log_level"] != "debug"] == ["error", "info"]
        await store.close()


async def test_the_memory_of_a_store(own_store: StoreProcess) -> None:
    """M1: used and allowed; without a `maxmemory` of its own, the machine's memory is the limit."""
    store = await Store.open(own_store.url, forget_days=DEFAULTS.forget_days)
    async with raw_client(own_store) as raw:
        without_limit = await store.examine()
        await raw.config_set("maxmemory", 100_000_000)
        before = await store.examine()
        await raw.set("large", bytes(2_000_000))
        after = await store.examine()
    await store.close()
    assert (
        0
        < without_limit.used_bytes
        < without_limit.max_bytes
        == os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    )
    assert before.max_bytes == after.max_bytes == 100_000_000
    assert after.used_bytes - before.used_bytes > 1_000_000


async def test_a_store_that_gives_no_answer_is_not_judged(own_store: StoreProcess) -> None:
    store = await Store.open(own_store.url, forget_days=DEFAULTS.forget_days)
    watch = FitnessWatch(store.examine, ManualClock(), lambda fitness: None)
    own_store.kill()
    await watch.look()
    assert watch.problem is None
    await store.close()


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("+@all -eval -@scripting", "does not let this user"),
        ("+@all -info", "does not let this user"),
        ("+@all -xadd", "does not let this user"),
        ("+@all -pexpire", "does not let this user"),
    ],
)
async def test_forbidden(own_store: StoreProcess, rules: str, said: str) -> None:
    async with raw_client(own_store) as raw:
        await raw.acl_setuser("hub", enabled=True, passwords=["+pw"], keys=["*"], categories=[], reset=True)
        await raw.execute_command("ACL", "SETUSER", "hub", "allchannels", *rules.split())  # type: ignore[no-untyped-call]
    assert said in await refusal(f"unix://hub:pw@{own_store.socket}")


async def test_a_store_that_keeps_its_settings_to_itself(own_store: StoreProcess) -> None:
    """Like managed stores: the eviction policy is read from INFO, and `fsync` cannot be promised."""
    async with raw_client(own_store) as raw:
        await raw.execute_command("ACL", "SETUSER", "default", "-config")  # type: ignore[no-untyped-call]
    store = await Store.open(own_store.url, forget_days=DEFAULTS.forget_days)
    assert await store.resolve("CODE") is None
    await store.close()
    assert "appendfsync of the store" in await refusal(own_store.url, "fsync")


async def test_a_store_that_syncs_each_write_is_fit_for_fsync(own_store: StoreProcess) -> None:
    async with raw_client(own_store) as raw:
        await raw.config_set("appendfsync", "always")
    store = await Store.open(own_store.url, ack="fsync", forget_days=DEFAULTS.forget_days)
    try:
        assert await store.create("r", "CODE", b"S", "waiting", b"", first_token("one"), 0, 0)
        assert await store.snapshot("r") == b"S"
    finally:
        await store.close()


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"redis_version": "6.2.14"}, "is version 6.2.14"),
        ({"redis_version": ""}, "is version unknown"),
        ({"redis_version": "7.2.4", "cluster_enabled": 1}, "Cluster"),
    ],
    ids=str,
)
async def test_too_old(
    store_process: StoreProcess, monkeypatch: pytest.MonkeyPatch, facts: dict[str, object], said: str
) -> None:
    async def info(client: redis.asyncio.Redis) -> dict[str, object]:
        return facts

    monkeypatch.setattr(fitness, "_info", info)
    assert said in await refusal(store_process.url)
