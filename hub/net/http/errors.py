"""Errors from the HTTP API: each becomes `{"code": ..., "advice": ...}` with a human-readable sentence."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import Any, Final

import msgspec
import structlog
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from hub.net.guard import end_of, explain_ban
from hub.net.http.headers import SECURITY_HEADERS
from hub.runtime.placement import (
    BadOptions,
    DoorCrowded,
    GameEnded,
    HubFull,
    NoSuchRoom,
    OtherVersion,
    TableClosed,
    TooManyReports,
    TooManyTables,
    Unavailable,
)
from hub.store.policy import Ban
from hub.wire.messages import CLOSE_CODES

_log = structlog.get_logger("parley.http")
encode_json = msgspec.json.Encoder(order="deterministic").encode

ADVICE: Final[Mapping[int, str]] = {
    404: "There is nothing here.",
    405: "This address does not support that method.",
}


class ApiError(Exception):
    """A request that is refused, with the response to send."""

    def __init__(self, status: int, code: str, advice: str, **more: Any) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.advice = advice
        self.more = more
        self.headers: dict[str, str] = {}


DEFECT: Final = ApiError(500, "DEFECT", "The hub has a defect and did nothing. Details are in its log.")


def authentication_error(code: str, advice: str) -> ApiError:
    error = ApiError(401, code, advice)
    error.headers["www-authenticate"] = "Bearer"
    return error


def later_error(status: int, code: str, advice: str, wait: float) -> ApiError:
    """The error for a request that may be repeated after `wait` seconds, rounded up in Retry-After."""
    error = ApiError(status, code, advice)
    error.headers["retry-after"] = str(math.ceil(wait))
    return error


def ban_error(ban: Ban, at: float) -> ApiError:
    sentence = explain_ban(ban)
    advice = f"{sentence[0].upper()}{sentence[1:]}: wait until then, or ask the hub's operator."
    error = ApiError(403, "BANNED", advice, until=end_of(ban))
    error.headers["retry-after"] = str(max(1, ban.until - int(at)))
    return error


def json_response(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A JSON response; `value` may be encoded already."""
    content = value if isinstance(value, bytes) else encode_json(value)
    headers = {"cache-control": "no-store", **(headers or {})}
    return Response(content, status, headers, media_type="application/json")


def error_response(
    status: int, code: str, advice: str, headers: Mapping[str, str] | None = None, **more: Any
) -> Response:
    """An error, with the security headers: the application's middleware does not see every error (H10)."""
    headers = {**SECURITY_HEADERS, **(headers or {})}
    return json_response({"code": code, "advice": advice, **more}, status, headers)


def refuse(error: ApiError) -> Response:
    """The response to a refused request."""
    return error_response(error.status, error.code, error.advice, error.headers, **error.more)


def pack_refusal(error: ApiError) -> bytes:
    """The same response as HTTP/1.1, for a request that no application can answer; the connection ends."""
    response = refuse(error)
    lines = [b"HTTP/1.1 %d %b" % (error.status, HTTPStatus(error.status).phrase.encode("ascii"))]
    lines += [b"%b: %b" % header for header in response.raw_headers]
    return b"\r\n".join((*lines, b"connection: close", b"", bytes(response.body)))


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    status = HTTPStatus(error.status_code)
    return error_response(status, status.name, ADVICE.get(status, f"{status.phrase}."), error.headers)


async def _api_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, ApiError)
    return refuse(error)


async def _no_such_room(request: Request, error: Exception) -> Response:
    advice = "There is no such table: check the code, or ask for a new link."
    return error_response(404, "NO_SUCH_ROOM", advice)


async def _table_closed(request: Request, error: Exception) -> Response:
    return error_response(410, "TABLE_CLOSED", "This hub's operator closed the table.")


async def _other_version(request: Request, error: Exception) -> Response:
    advice = "This table was made by another version of Parley and cannot be opened here."
    return error_response(410, "OTHER_VERSION", advice)


async def _game_ended(request: Request, error: Exception) -> Response:
    return error_response(410, "GAME_ENDED", f"{CLOSE_CODES[4018].capitalize()}. Its record is kept.")


async def _too_many_reports(request: Request, error: Exception) -> Response:
    assert isinstance(error, TooManyReports)
    advice = "This table has been reported several times within the hour: try again later."
    return refuse(later_error(429, "SLOW_DOWN", advice, error.wait))


async def _door_crowded(request: Request, error: Exception) -> Response:
    advice = "Too many people ask to come in at this table: wait a minute and ask again."
    return refuse(later_error(429, "DOOR_CROWDED", advice, 60))


async def _unavailable(request: Request, error: Exception) -> Response:
    assert isinstance(error, Unavailable)
    return refuse(later_error(503, "UNAVAILABLE", error.advice, 2))


async def _hub_full(request: Request, error: Exception) -> Response:
    assert isinstance(error, HubFull)
    return refuse(later_error(503, "HUB_FULL", error.advice, error.wait))


async def _too_many_tables(request: Request, error: Exception) -> Response:
    assert isinstance(error, TooManyTables)
    return refuse(later_error(429, "TOO_MANY_TABLES", error.advice, 60))


async def _bad_options(request: Request, error: Exception) -> Response:
    assert isinstance(error, BadOptions)
    refusal = error.refusal
    more: dict[str, Any] = {"rule": refusal.rule, "args": refusal.args} if refusal.rule else {}
    return error_response(422, refusal.code, error.advice, **more)


async def _defect(request: Request, error: Exception) -> Response:
    endpoint = getattr(request.scope.get("endpoint"), "__name__", None)  # the path may contain a table's code
    _log.error("request failed", method=request.method, endpoint=endpoint, exc_info=error)
    return refuse(DEFECT)


HANDLERS: Final[Mapping[Any, Callable[[Request, Exception], Awaitable[Response]]]] = {
    HTTPException: _http_error,
    ApiError: _api_error,
    NoSuchRoom: _no_such_room,
    TableClosed: _table_closed,
    OtherVersion: _other_version,
    GameEnded: _game_ended,
    HubFull: _hub_full,
    TooManyTables: _too_many_tables,
    DoorCrowded: _door_crowded,
    TooManyReports: _too_many_reports,
    Unavailable: _unavailable,
    BadOptions: _bad_options,
    Exception: _defect,
}
"""The response to each exception a handler may raise, but for `Elsewhere` (hub/net/http/relay.py)."""
