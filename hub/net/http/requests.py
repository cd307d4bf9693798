"""Reading requests: the JSON body within limits, where the request comes from, the bearer token."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from hub.net.http.errors import ApiError
from hub.net.http.hosts import host_name
from hub.wire.advice import MAX_ECHO, shorten
from hub.wire.limits import network

MAX_BODY_BYTES: Final = 16 * 1024
MAX_DIGITS: Final = 20
"""The digits of a Content-Length that are read: Python refuses to convert thousands of them."""
BODY_SECONDS: Final = 10.0
"""How long a request's body may take to arrive."""
MAX_PROBLEM: Final = len("Object contains unknown field `") + MAX_ECHO
"""The length of msgspec's longest message that repeats what the client sent."""

PROXY_HEADER: Final = re.compile(
    r"forwarded|via|x-real-ip|cdn-loop|x-amzn-trace-id|x-(forwarded|original|envoy)-.*|.*-(client|connecting)-ip"
)
"""Headers that only a proxy adds."""

Body = TypeVar("Body")
Handler: TypeAlias = Callable[[Request], Awaitable[Response]]


def route_by_method(path: str, **handlers: Handler) -> Route:
    """One route with a handler for each method. With a route for each, 405 would name only the first's."""

    async def handle(request: Request) -> Response:
        return await handlers["GET" if request.method == "HEAD" else request.method](request)

    return Route(path, handle, methods=[*handlers])


async def read_body(request: Request, kind: type[Body], seconds: float = BODY_SECONDS) -> Body:
    """The request's JSON body. Raises ApiError if it is too large, too slow, or not of this type."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise ApiError(415, "NOT_JSON", "Send JSON, with the header Content-Type: application/json.")
    length = request.headers.get("content-length", "0")
    if not length.isdecimal() or len(length) > MAX_DIGITS or int(length) > MAX_BODY_BYTES:
        raise _too_large()
    data = bytearray()
    try:
        async with asyncio.timeout(seconds):
            async for chunk in request.stream():
                data += chunk
                if len(data) > MAX_BODY_BYTES:
                    raise _too_large()
    except TimeoutError:
        advice = f"The request's body did not arrive within {seconds:g} seconds: send it again."
        raise ApiError(408, "TOO_SLOW", advice) from None
    except ClientDisconnect:
        raise ApiError(400, "CUT_OFF", "The request's body ended early: send it again in full.") from None
    request.state.body = bytes(data)  # for another hub, if the room is there (hub/net/http/relay.py)
    try:
        body = msgspec.json.decode(data, type=kind)
        json.loads(data, object_pairs_hook=_check_keys, parse_int=str)
    except msgspec.ValidationError as error:
        raise ApiError(422, "BAD_FIELD", f"{shorten(str(error), MAX_PROBLEM)}.") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise ApiError(400, "BAD_JSON", "The request's body is not JSON.") from None
    return body


def _check_keys(pairs: list[tuple[str, object]]) -> None:
    """Raises ApiError unless the keys of a JSON object are all different; msgspec would use the last one."""
    if len(dict(pairs)) != len(pairs):
        raise ApiError(400, "DUPLICATE_KEY", "The request's body has the same key twice: send each key once.")


def _too_large() -> ApiError:
    return ApiError(413, "TOO_LARGE", f"A request's body may have at most {MAX_BODY_BYTES} bytes.")


def client_address(request: Request) -> str | None:
    return None if request.client is None else request.client.host


def base_url(request: Request, public_url: str | None) -> str:
    """The URL at which this client reaches the hub, without a trailing slash."""
    return public_url or str(request.base_url).rstrip("/")


def is_local(request: Request) -> bool:
    """Whether a program on this machine sent this request, directly, to a loopback address.

    A page from elsewhere can resolve its own name to this machine (DNS rebinding), but not change its Host.
    """
    host = host_name(request)
    return (
        network(client_address(request)) is None
        and host is not None
        and (host == "localhost" or network(host) is None)
        and not any(map(PROXY_HEADER.fullmatch, request.headers))
    )


def bearer_token(request: Request) -> str | None:
    """The token in an `Authorization: Bearer` header (RFC 6750 section 2.1)."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None
