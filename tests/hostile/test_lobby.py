"""A lobby with thousands of tables costs a hub, its store and its readers little."""

from __future__ import annotations

import asyncio
import secrets
from typing import Any, cast

import httpx
import msgspec
import pytest

from games import GAMES
from games.almost.rules.game import ALMOST
from hub.net.http.api import Api, application
from hub.runtime.lobby import summarize
from hub.runtime.placement import room_code, room_id
from hub.store.store import Store
from hub.telemetry.tasks import Tasks
from tests.harness.defaults import DEFAULTS, make_request_limits
from tests.harness.fault_proxy import FaultProxy
from tests.harness.processes import StoreProcess
from tests.secrecy.in_process_hub import InProcessHub
from tests.secrecy.pair import new_table

pytestmark = pytest.mark.asyncio

TABLES = 2_000


async def fill(store: Store) -> None:
    """Lists many tables, as hubs would."""
    summary = summarize(new_table(cast(Any, ALMOST), 4, {}).table, 3)
    for _ in range(TABLES):
        room, code = room_id(secrets.token_bytes(16)), room_code(secrets.token_bytes(8), open=True)
        line = msgspec.structs.replace(summary, room=room, code=code, host=f"Host of {code}")
        await store.put_summary(room, 1, 1, msgspec.msgpack.encode(line))


async def test_a_crowded_lobby(store_process: StoreProcess, prefix: str) -> None:
    """R12: it was once 800 KB, read from the store and sent again for every reader."""
    async with (
        Tasks() as tasks,
        FaultProxy(store_process.socket, folder=store_process.socket.parent) as proxy,
    ):
        store = await Store.open(proxy.url, prefix=prefix, forget_days=DEFAULTS.forget_days)
        await fill(store)
        hub = InProcessHub(GAMES, tasks)
        hub.rooms._store = store
        limits = make_request_limits(lambda: 0.0)
        api = Api(hub.rooms, GAMES, hub.signer, hub.metrics, limits=limits, clock=lambda: 0.0)
        transport = httpx.ASGITransport(application(api, hub.metrics), client=("203.0.113.7", 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as http:
            before = len(proxy.seen)
            answers = await asyncio.gather(*(http.get("/api/rooms") for _ in range(100)))
            assert len(proxy.seen) - before == 1, "one call to the store for 100 requests"
            listing = answers[0].json()
            assert (len(listing["rooms"]), listing["total"]) == (50, TABLES)
            assert len(answers[0].content) < 25_000
            assert int(answers[0].headers["content-length"]) < 6_000
            known = {"if-none-match": answers[0].headers["etag"]}
            again = await http.get("/api/rooms", headers=known)
            assert (again.status_code, again.content) == (304, b"")
            pages = [await http.get("/api/rooms", params={"page": n}) for n in range(1, 42)]
        await store.close()
    listed = [room["room"] for page in pages for room in page.json()["rooms"]]
    assert len(listed) == len(set(listed)) == TABLES
    assert len(proxy.seen) - before == 41, "the first page is still the same"
