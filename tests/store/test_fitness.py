"""The startup check: the stores it refuses, and its reasons."""

from __future__ import annotations

from pathlib import Path

import pytest
import redis.asyncio

from hub.config import CannotStart, Exit
from hub.store import fitness
from hub.store.store import Store, first_token
from tests.harness.processes import StoreProcess
from tests.store.contents import raw_client

pytestmark = pytest.mark.asyncio


async def refusal(url: str, ack: str = "everysec") -> str:
    with pytest.raises(CannotStart) as caught:
        await Store.open(url, ack=ack)  # type: ignore[arg-type]
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
        ({}, "replica", "no replica"),
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


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("+@all -eval -@scripting", "does not let this user"),
        ("+@all -info", "does not let this user"),
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
    store = await Store.open(own_store.url)
    assert await store.resolve("CODE") is None
    await store.close()
    assert "appendfsync of the store" in await refusal(own_store.url, "fsync")


async def test_a_store_that_syncs_each_write_is_fit_for_fsync(own_store: StoreProcess) -> None:
    async with raw_client(own_store) as raw:
        await raw.config_set("appendfsync", "always")
    store = await Store.open(own_store.url, ack="fsync")
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
