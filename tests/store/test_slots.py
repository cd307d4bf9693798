"""All keys of a script, and of a command with several keys, share a slot: a Cluster refuses any others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import pytest

from hub.store import people
from hub.store.audit import AuditLog
from hub.store.calls import Compose, SharedRedis
from hub.store.cluster import find_slot
from hub.store.hubs import HubDescription
from hub.store.policy import Closure, PolicyStore
from hub.store.scripts import load_script
from hub.store.store import Store
from hub.store.subscriptions import Subscription, Subscriptions
from hub.store.transfers import Transfers
from hub.wire.tickets import Person
from tests.harness.owner import Owner
from tests.harness.processes import ROOT, StoreProcess
from tests.store.opening import ONE, TWO, opened, taken
from tests.store.test_people import ANN, put, table_of

pytestmark = pytest.mark.asyncio

LIBRARIES: Final = {"set_expiry"}
"""Scripts that are only parts of others."""
ON_ITS_OWN: Final = {"commit", "rehearse"}
"""Scripts that do not run through the store's calls, or before the test can see it."""
SEVERAL_KEYS: Final = ("UNLINK", "DEL", "EXISTS", "MGET")


async def use_everything(store: Store, owner: Owner) -> None:
    """Calls each script at least once."""
    await store.beat(ONE, 0)
    await store.register("one", HubDescription(1))
    await store.list_registered()
    await store.read_clock()
    assert await owner.create("r")
    await store.put_summary("r", 1, 0, b"summary")
    await store.lobby()
    await store.keep_record("r", b"record", 1)
    await store.renew(owner.token, "r", "R")
    await store.remember_place("ann", "r", "Ann")
    await store.note_handover("r", "two")
    await store.release(owner.token, "r")
    taken(await store.claim("r", TWO, 0))
    audit = AuditLog(store)
    await audit.remove(await audit.add(1, None, "action", "target"))
    await PolicyStore(store).put(Closure("r", 1, 2**31), 1)
    await Subscriptions(store).add("ann", Subscription("https://push", b"", b"", 2**31))
    transfers = Transfers(store, lambda: "CODE")
    await transfers.offer(Person("ann", "Ann", 1, 1), (), keeps=True)
    assert await transfers.claim("CODE") is not None
    await transfers.cancel("ann")
    await people.forget_person(store, ANN)
    await people.forget_room(store, "r")


async def test_all_keys_of_a_script_share_a_slot(
    store_process: StoreProcess, prefix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripts: dict[str, Sequence[str]] = {}
    several: list[Sequence[str]] = []
    exchange: Any = SharedRedis._exchange

    async def note(client: SharedRedis, compose: Compose) -> list[object]:
        for name, *words in compose(None):
            if name == "EVAL":
                keys = words[2 : 2 + words[1]]
                assert keys, "a script without keys has no primary"
                scripts[words[0]] = keys
                several.append(keys)
            elif name in SEVERAL_KEYS:
                several.append(words)
        replies: list[object] = await exchange(client, compose)
        return replies

    async with opened(store_process, prefix) as (store, pipe):
        owner = Owner("one", store, pipe)
        await put(Owner("three", store, pipe), table_of("waiting"))
        monkeypatch.setattr(SharedRedis, "_exchange", note)
        await use_everything(store, owner)
    for keys in several:
        assert len({find_slot(key) for key in keys}) == 1, keys
    known = {path.stem for path in (ROOT / "hub/store/lua").glob("*.lua")} - LIBRARIES - ON_ITS_OWN
    seen = {
        name for name in known if load_script(name) in scripts or load_script("set_expiry", name) in scripts
    }
    assert seen == known, f"not called here: {known - seen}"
    assert any(len(keys) > 1 for keys in several)
    assert len({find_slot(key) for key in store.keys.room("r")}) == 1, "of commits (CommitPipe._command)"
    own_slots = [
        *store.keys.lobby()[:1],
        *store.keys.fleet()[:1],
        f"{prefix}{{policy}}",
        f"{prefix}{{audit}}",
    ]
    assert len({find_slot(key) for key in own_slots}) == len(own_slots)
