"""Absent people are called back through their browsers' push services (R27)."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from cryptography.exceptions import InvalidTag

from hub.net.push.encryption import PushWriter
from hub.net.push.sender import PADDED, QUEUE, Call, PushSender
from hub.net.push.transport import PushTransport, RefusedEndpoint, Unreachable
from hub.store import people
from hub.store.subscriptions import LIFE_DAYS, MAX_SUBSCRIPTIONS, Subscriptions
from hub.telemetry.metrics import Metrics
from hub.wire.tickets import Signer
from tests.harness.defaults import DEFAULTS
from tests.harness.processes import StoreProcess
from tests.net.push.push_service import Browser, PushService, run_service, verify
from tests.store.contents import raw_client
from tests.store.opening import opened

pytestmark = pytest.mark.asyncio

AT = 1_800_000_000
DAY = 24 * 3600
CALL = Call("p-ann", "BCDFGH", "c2VjcmV0LXJvb20taWQtMj")
SIGNER = Signer(bytes(range(32)), DEFAULTS.token_days)


class World(NamedTuple):
    service: PushService
    subscriptions: Subscriptions
    sender: PushSender
    metrics: Metrics
    writer: PushWriter

    async def browser(self, path: str = "/a", person: str = "p-ann", at: int = AT) -> Browser:
        browser = Browser(self.service.endpoint(path=path), at)
        await self.subscriptions.add(person, browser.subscription)
        return browser

    async def endpoints(self, at: int = AT) -> list[str]:
        listed = await self.subscriptions.list_valid("p-ann", at)
        return sorted(entry.endpoint.partition(f":{self.service.port}")[2] for entry in listed)


class Clock:
    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


class WaitsForAll(PushTransport):
    """Answers no request before it has this many."""

    def __init__(self, requests: int) -> None:
        super().__init__()
        self._missing = requests
        self._complete = asyncio.Event()

    async def post(self, endpoint: str, headers: Mapping[str, str], body: bytes) -> int:
        self._missing -= 1
        if not self._missing:
            self._complete.set()
        await self._complete.wait()
        return 201


@asynccontextmanager
async def make_world(
    folder: Path, process: StoreProcess, prefix: str, clock: Clock | None = None, **transport: Any
) -> AsyncIterator[World]:
    async with opened(process, prefix) as (store, _), run_service(folder) as service:
        metrics = Metrics()
        subscriptions = Subscriptions(store)
        writer = PushWriter(SIGNER.push_key(), "hub@example.org")
        sender = PushSender(
            subscriptions,
            service.transport(**transport),
            writer,
            metrics,
            wall=lambda: AT,
            clock=clock or Clock(),
        )
        yield World(service, subscriptions, sender, metrics, writer)


async def test_a_message_names_the_table_and_nothing_else(
    tmp_path: Path, store_process: StoreProcess, prefix: str
) -> None:
    async with make_world(tmp_path, store_process, prefix) as world:
        browser = await world.browser()
        other = await world.browser("/b", person="p-bea")
        await world.sender.send(CALL)
        (request,) = world.service.requests
        message = browser.decrypt(request.body)
        assert json.loads(message) == {"table": "BCDFGH", "path": "/t/c2VjcmV0LXJvb20taWQtMj"}
        assert len(message) == PADDED
        with pytest.raises(InvalidTag):
            other.decrypt(request.body)
        headers = request.headers
        assert {name: headers[name] for name in ("content-encoding", "ttl", "urgency")} == {
            "content-encoding": "aes128gcm",
            "ttl": "600",
            "urgency": "high",
        }
        assert b"BCDFGH" not in repr(request).encode()
        assert len(headers["topic"]) == 32
        assert world.metrics.pushes == {"sent": 1}


async def test_the_hub_signs_with_the_key_that_browsers_get(
    tmp_path: Path, store_process: StoreProcess, prefix: str
) -> None:
    async with make_world(tmp_path, store_process, prefix) as world:
        browser = await world.browser()
        headers, _ = world.writer.write(browser.subscription, b"x")
        key = base64.urlsafe_b64decode(world.writer.public_key + "=")
        claims = verify(headers["authorization"], "https://push.example", key)
        assert claims["sub"] == "mailto:hub@example.org"
        again = PushWriter(Signer(bytes(range(32)), 1).push_key(), "x@example.org")
        assert again.public_key == world.writer.public_key, "the same on every hub with this secret"
        assert PushWriter(Signer(bytes(32), 1).push_key(), "").public_key != again.public_key


@pytest.mark.parametrize(
    ("status", "result", "left"),
    [
        *((201, "sent", ["/a"]), (404, "gone", []), (410, "gone", []), (307, "gone", [])),
        *((403, "gone", []), (429, "failed", ["/a"]), (500, "failed", ["/a"])),
    ],
)
async def test_what_the_push_service_answers(
    status: int, result: str, left: list[str], tmp_path: Path, store_process: StoreProcess, prefix: str
) -> None:
    async with make_world(tmp_path, store_process, prefix) as world:
        await world.browser()
        world.service.answer = f"HTTP/1.1 {status} Words\r\ncontent-length: 0\r\n\r\n".encode()
        await world.sender.send(CALL)
        assert world.metrics.pushes == {result: 1}
        assert await world.endpoints() == left


async def test_an_endpoint_that_leads_inside_is_removed(
    tmp_path: Path, store_process: StoreProcess, prefix: str
) -> None:
    async with make_world(tmp_path, store_process, prefix, is_allowed=lambda address: False) as world:
        await world.browser()
        await world.sender.send(CALL)
        assert (world.metrics.pushes, await world.endpoints()) == ({"refused": 1}, [])
        assert world.service.connections == 0


async def test_a_service_that_does_not_answer_is_left_alone_for_a_while(
    tmp_path: Path, store_process: StoreProcess, prefix: str
) -> None:
    clock = Clock()
    async with make_world(tmp_path, store_process, prefix, clock) as world:
        await world.browser()
        world.service.answer = b""
        await world.sender.send(CALL)
        await world.sender.send(CALL)
        assert world.metrics.pushes == {"failed": 2}
        assert world.service.connections == 1
        clock.seconds += 301
        await world.sender.send(CALL)
        assert world.service.connections == 2
        assert await world.endpoints() == ["/a"]


async def test_services_that_do_not_answer_hold_up_a_call_together(
    tmp_path: Path, store_process: StoreProcess, prefix: str
) -> None:
    """A person with five of them keeps a worker busy for one time limit, not for five."""
    async with make_world(tmp_path, store_process, prefix) as world:
        for n in range(MAX_SUBSCRIPTIONS):
            await world.browser(f"/{n}", at=AT + n)
        transport = WaitsForAll(MAX_SUBSCRIPTIONS)
        sender = PushSender(world.subscriptions, transport, world.writer, world.metrics, wall=lambda: AT)
        await sender.send(CALL)
        assert world.metrics.pushes == {"sent": MAX_SUBSCRIPTIONS}


async def test_no_call_waits_for_another(tmp_path: Path, store_process: StoreProcess, prefix: str) -> None:
    """Whoever calls people back never waits: what does not fit into the queue is dropped, and counted."""
    async with make_world(tmp_path, store_process, prefix) as world:
        for n in range(QUEUE + 10):
            world.sender.summon(f"p-{n}", "BCDFGH", "BCDFGH")
        assert world.metrics.limited["push queue"] == 10
        working = asyncio.ensure_future(world.sender.keep())
        await world.sender.drain()
        for _ in range(5):
            world.sender.summon("p-ann", "BCDFGH", "BCDFGH")
        await world.sender.drain()
        assert world.metrics.limited["pushes"] == 2, "a person is called three times at once, not more"
        working.cancel()


async def test_subscriptions_are_few_and_expire(
    tmp_path: Path, store_process: StoreProcess, prefix: str
) -> None:
    async with make_world(tmp_path, store_process, prefix) as world:
        for n in range(MAX_SUBSCRIPTIONS + 2):
            await world.browser(f"/{n}", at=AT + n)
        assert await world.endpoints() == ["/2", "/3", "/4", "/5", "/6"]
        await world.browser("/2", at=AT + 50)
        await world.browser("/7", at=AT + 51)
        assert await world.endpoints() == ["/2", "/4", "/5", "/6", "/7"]
        assert await world.endpoints(AT + LIFE_DAYS * DAY + 50) == ["/7"]
        async with raw_client(store_process) as raw:
            keys = [key async for key in raw.scan_iter(f"{prefix}*push*")]
            assert len(keys) == 2
            for key in keys:
                assert 0 < await raw.pttl(key) <= LIFE_DAYS * DAY * 1000
        await people.forget_person(world.subscriptions._store, "p-ann")
        async with raw_client(store_process) as raw:
            assert [key async for key in raw.scan_iter(f"{prefix}*push*")] == []


async def test_the_defaults_call_nothing_on_this_machine(tmp_path: Path) -> None:
    async with run_service(tmp_path) as service:
        with pytest.raises((RefusedEndpoint, Unreachable)):
            await PushTransport().post(service.endpoint("localhost"), {}, b"")
        assert service.connections == 0
