"""The policy's entries: their version, their expiry and their maximum number."""

from __future__ import annotations

import time
from typing import Final

import pytest

from hub.runtime.policy import read_policy
from hub.store import policy as stored
from hub.store.policy import Ban, Closure, PolicyEntry, PolicyFull, PolicyStore, Revocation, entry_name
from tests.harness.processes import StoreProcess
from tests.store.contents import raw_client
from tests.store.opening import opened

pytestmark = pytest.mark.asyncio

AT: Final = int(time.time())
HOUR: Final = 3600
BAN: Final = Ban("person", "p-bea", AT, AT + HOUR, "ugly words", "Bea")
ENTRIES: Final[tuple[PolicyEntry, ...]] = (
    BAN,
    Ban("network", "2001:db8::/64", AT, AT + HOUR),
    Revocation("p-bea", AT, AT + HOUR),
    Revocation(None, AT - HOUR, AT + HOUR),
    Closure("room", AT, AT + HOUR),
)


async def test_every_entry_is_read_back_and_changes_the_version(
    store_process: StoreProcess, prefix: str
) -> None:
    async with opened(store_process, prefix) as (store, _):
        policies = PolicyStore(store)
        versions = [await policies.version()]
        for entry in ENTRIES:
            await policies.put(entry, AT)
            versions.append(await policies.version())
        assert set(await policies.entries(AT)) == set(ENTRIES)
        assert await policies.remove(entry_name(BAN), AT)
        assert not await policies.remove(entry_name(BAN), AT)
        versions.append(await policies.version())
        assert versions == sorted(set(versions))
        assert BAN not in await policies.entries(AT)


async def test_entries_end_by_themselves(store_process: StoreProcess, prefix: str) -> None:
    """O1: one that has ended is not read, is dropped with the next write, and never outlives the last."""
    async with opened(store_process, prefix) as (store, _), raw_client(store_process) as raw:
        policies = PolicyStore(store)
        await policies.put(BAN, AT)
        assert await policies.entries(AT + HOUR) == []
        later = Ban("person", "p-ann", AT + HOUR, AT + 2 * HOUR)
        await policies.put(later, AT + HOUR)
        assert await policies.entries(AT) == [later]
        assert HOUR < await raw.ttl(f"{prefix}{{policy}}:entries") <= 2 * HOUR + 24 * HOUR


async def test_a_full_policy_takes_no_more(
    store_process: StoreProcess, prefix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored, "MAX_POLICY_ENTRIES", 1)
    async with opened(store_process, prefix) as (store, _):
        policies = PolicyStore(store)
        await policies.put(BAN, AT)
        await policies.put(BAN, AT)
        with pytest.raises(PolicyFull):
            await policies.put(ENTRIES[1], AT)


async def test_the_policy_is_looked_up_by_person_network_and_time() -> None:
    """O1, O2"""
    policy = read_policy(ENTRIES)
    assert policy.find_ban("p-bea", None, AT) == BAN
    assert policy.find_ban("p-bea", None, AT + HOUR) is None
    assert policy.find_ban("p-ann", "2001:db8::/64", AT) == ENTRIES[1]
    assert policy.find_ban("p-ann", "203.0.113.7", AT) is None
    assert policy.find_ban(None, None, AT) is None
    assert policy.is_revoked("p-bea", AT - 1)
    assert policy.is_revoked("p-bea", AT + 1)  # by a hub whose clock is ahead
    assert not policy.is_revoked("p-ann", AT - HOUR)
    assert policy.is_revoked("p-ann", AT - HOUR - 1)
