"""Calls people back by Web Push: a bounded queue that no move waits for, and the tasks that empty it.

What is sent names the table, and nothing else (R27).
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from hashlib import sha256
from typing import Final, NamedTuple
from urllib.parse import quote, urlsplit

import structlog

from hub.net.push.encryption import PushWriter
from hub.net.push.transport import PushTransport, RefusedEndpoint, Unreachable
from hub.store.client import StoreUnavailable
from hub.store.subscriptions import Subscription, Subscriptions
from hub.telemetry.metrics import Metrics
from hub.wire.limits import Limiter

_log = structlog.get_logger("parley.push")

QUEUE: Final = 256
WORKERS: Final = 4
PADDED: Final = 256
"""Every message has this many bytes, so that its length says nothing."""
REST_SECONDS: Final = 300.0
"""A push service that did not answer is left alone for this long."""
MAX_RESTING: Final = 1000
BUSY: Final = frozenset((408, 425, 429))
"""Answers of a push service that may take a later message; every other answer from 300 to 499 ends a
subscription, 404 and 410 among them (RFC 8030 section 7.3)."""


class Call(NamedTuple):
    """A person to call back, and the table: its code, and its name in addresses."""

    person: str
    code: str
    name: str


class PushSender:
    """`wall` returns seconds since 1970, `clock` monotonic seconds."""

    def __init__(
        self,
        subscriptions: Subscriptions,
        transport: PushTransport,
        writer: PushWriter,
        metrics: Metrics,
        *,
        wall: Callable[[], float] = time.time,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._subscriptions = subscriptions
        self._transport = transport
        self._writer = writer
        self._metrics = metrics
        self._wall = wall
        self._clock = clock
        self._calls: asyncio.Queue[Call] = asyncio.Queue(QUEUE)
        self._per_person = Limiter(rate=1 / 60, burst=3)
        self._resting: dict[str, float] = {}
        """Push services that did not answer, and until when they are left alone."""

    def summon(self, person: str, code: str, name: str) -> None:
        """Queues a call; drops it if too many wait, or if this person has had too many. Never waits."""
        if self._calls.full():
            self._metrics.limited["push queue"] += 1
        elif self._per_person.wait_for(person, self._clock()):
            self._metrics.limited["pushes"] += 1
        else:
            self._calls.put_nowait(Call(person, code, name))

    async def keep(self) -> None:
        """Sends what is queued, one call after another; a hub runs `WORKERS` of these."""
        while True:
            call = await self._calls.get()
            try:
                await self.send(call)
            except StoreUnavailable as error:
                _log.warning("a person could not be called back", reason=type(error).__name__)
                self._metrics.pushes["failed"] += 1
            finally:
                self._calls.task_done()

    async def drain(self) -> None:
        """Waits until everything queued has been sent."""
        await self._calls.join()

    async def send(self, call: Call) -> None:
        """Sends a call to all of the person's browsers at once, so that silent push services hold up a worker
        for one time limit, however many of them a person names. Raises StoreUnavailable.
        """
        subscriptions = await self._subscriptions.list_valid(call.person, int(self._wall()))
        results = await asyncio.gather(*(self._deliver(call, each) for each in subscriptions))
        for subscription, result in zip(subscriptions, results, strict=True):
            self._metrics.pushes[result] += 1
            if result in ("gone", "refused"):
                await self._subscriptions.remove(call.person, subscription.id)

    async def _deliver(self, call: Call, subscription: Subscription) -> str:
        url = urlsplit(subscription.endpoint)
        if self._resting.get(url.netloc, 0.0) > self._clock():
            return "failed"
        try:
            headers, body = self._writer.write(subscription, write_message(call))
            topic = sha256(f"{call.person} {call.name}".encode()).hexdigest()[:32]
            more = {"content-type": "application/octet-stream", "urgency": "high", "topic": topic}
            status = await self._transport.post(subscription.endpoint, {**headers, **more}, body)
        except (RefusedEndpoint, ValueError):
            return "refused"
        except Unreachable:
            self._rest(url.netloc)
            return "failed"
        if 200 <= status < 300:
            return "sent"
        return "gone" if 300 <= status < 500 and status not in BUSY else "failed"

    def _rest(self, service: str) -> None:
        self._resting.pop(service, None)
        if len(self._resting) >= MAX_RESTING:
            del self._resting[next(iter(self._resting))]
        self._resting[service] = self._clock() + REST_SECONDS


def write_message(call: Call) -> bytes:
    """The message: the table's code and its address, as JSON with spaces at its end."""
    message = {"table": call.code, "path": f"/t/{quote(call.name, safe='')}"}
    return json.dumps(message).encode().ljust(PADDED)
