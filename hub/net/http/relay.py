"""Requests for rooms of other hubs: passed on to the owner over a link, and answered here as it answered.

One hop at most: an owner that has just lost the room says so, and the front looks again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from typing import Any, Final
from urllib.parse import unquote

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Scope

from hub.clock import Clock
from hub.net.http.errors import later_error, refuse
from hub.net.links import messages as l
from hub.net.links.front import RETRY_SECONDS, TRIES, LinkLost, OwnerLinks
from hub.runtime.placement import Elsewhere, RoomsError

RELAY_SECONDS: Final = 4.0
"""How long an owner may take to answer: less than a hub that stops waits for its requests."""
SILENT: Final = "The hub that has this table does not answer: look whether it was done, and try again."
ELSEWHERE: Final = "parley.elsewhere"
"""In the scope of a request that may not be relayed: the `Elsewhere` that it has met, or None."""


class RequestRelay:
    """Relays requests, and serves those that other hubs relay.

    `app` is this hub's own application; `take` takes a free room here, whichever hub it belongs to.
    """

    def __init__(self, clock: Clock, take: Callable[[str], Awaitable[object]]) -> None:
        self._clock = clock
        self._take = take
        self.app: ASGIApp | None = None
        self.front: OwnerLinks | None = None
        """None if no other hub shares the store."""

    async def relay(self, request: Request, error: Exception) -> Response:
        """The exception handler for `Elsewhere`: answers as the room's owner does."""
        assert isinstance(error, Elsewhere)
        if ELSEWHERE in request.scope:
            request.scope[ELSEWHERE] = error
        elif self.front is not None:
            response = await self._relay(self.front, error, _pack(request))
            if response is not None:
                return response
        advice = "This table is moving to another hub: try again in a moment."
        return refuse(later_error(503, "UNAVAILABLE", advice, 1))

    async def _relay(self, front: OwnerLinks, error: Elsewhere, relayed: l.Request) -> Response | None:
        """The owner's response; None if the room has no owner that can be reached."""
        elsewhere: Elsewhere | None = error
        for _ in range(TRIES):
            if elsewhere is not None:
                try:
                    async with asyncio.timeout(RELAY_SECONDS):
                        response = await front.request(elsewhere.hub, relayed)
                except TimeoutError:
                    return refuse(later_error(503, "UNAVAILABLE", SILENT, 1))
                except LinkLost:
                    await self._take_or_wait(elsewhere)
                else:
                    if not response.elsewhere:
                        return _unpack(response)
            response, elsewhere = await self._serve_once(relayed)  # perhaps the room is here by now
            if elsewhere is None:
                return _unpack(response)
        return None

    async def serve(self, request: l.Request) -> l.Response:
        """The response to a request that another hub has relayed."""
        response, elsewhere = await self._serve_once(request)
        if elsewhere is not None and elsewhere.free_room is not None:  # one hop at most
            await self._take_or_wait(elsewhere)
            response, _ = await self._serve_once(request)
        return response

    async def _take_or_wait(self, elsewhere: Elsewhere) -> None:
        """Takes a free room here, or leaves the owner of one some time to come back."""
        if elsewhere.free_room is None:
            await self._clock.sleep(RETRY_SECONDS)
            return
        with suppress(RoomsError):  # the request itself meets the same error
            await self._take(elsewhere.free_room)

    async def _serve_once(self, request: l.Request) -> tuple[l.Response, Elsewhere | None]:
        """Has this hub's application answer. Also says where the room is if that is another hub."""
        assert self.app is not None
        scope = _make_scope(request)
        replies: list[Message] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": request.body, "more_body": False}

        async def send(message: Message) -> None:
            replies.append(message)

        try:
            await self.app(scope, receive, send)
        except Exception:
            if not replies:
                raise  # otherwise it was answered and logged, and is only raised again
        start = replies[0]
        body = b"".join(message.get("body", b"") for message in replies[1:])
        elsewhere: Elsewhere | None = scope[ELSEWHERE]
        headers = _pairs(start["headers"])
        return l.Response(request.n, start["status"], headers, body, elsewhere is not None), elsewhere


def _pack(request: Request) -> l.Request:
    raw_path: bytes = request.scope.get("raw_path") or request.url.path.encode()
    query: bytes = request.scope["query_string"]
    target = raw_path.partition(b"?")[0] + (b"?" + query if query else b"")
    remote = None if request.client is None else request.client.host
    body: bytes = getattr(request.state, "body", b"")
    return l.Request(
        0,
        request.method,
        request.url.scheme,
        target.decode("latin-1"),
        _pairs(request.headers.raw),
        body,
        remote,
    )


def _make_scope(request: l.Request) -> Scope:
    path, _, query = request.target.partition("?")
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": request.scheme,
        "path": unquote(path),
        "raw_path": path.encode("latin-1"),
        "query_string": query.encode("latin-1"),
        "root_path": "",
        "headers": list(request.headers),
        "client": None if request.remote is None else (request.remote, 0),
        "server": None,
        "extensions": {},
        "state": {},
        ELSEWHERE: None,
    }


def _unpack(response: l.Response) -> Response:
    unpacked = Response(response.body, response.status)
    unpacked.raw_headers = list(response.headers)
    return unpacked


def _pairs(headers: Iterable[Any]) -> tuple[tuple[bytes, bytes], ...]:
    return tuple((bytes(name), bytes(value)) for name, value in headers)
