"""The HTTP side of a hub: who somebody is, which tables there are, a ticket to one of them; health, metrics.

It knows nothing of rooms but the port in hub/runtime/placement.py. Every error, of whatever kind, is
`{"code": ..., "advice": ...}` with a sentence for people.
"""

from __future__ import annotations

import asyncio
import gzip
import ipaddress
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Annotated, Any, Final, TypeVar

import msgspec
import structlog
from msgspec import Meta, Struct
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from games import api
from hub.net.http.static import make_page
from hub.runtime.placement import (
    CODE_ALPHABET,
    CODE_LENGTH,
    BadOptions,
    Elsewhere,
    NoSuchRoom,
    Placed,
    RefusedPlace,
    Rooms,
    Unavailable,
    socket_url,
)
from hub.telemetry.metrics import Metrics
from hub.wire.limits import Limiter, network
from hub.wire.tickets import COLOURS, Person, Signer, Ticket, TicketProblem, clean_name

LARGEST_BODY: Final = 16 * 1024
BODY_SECONDS: Final = 10.0
"""How long a request's body may take to arrive."""

_log = structlog.get_logger("parley.api")
_encode = msgspec.json.Encoder(order="deterministic").encode


class NewPerson(Struct, frozen=True, forbid_unknown_fields=True):
    name: Annotated[str, Meta(max_length=200)]
    colour: Annotated[int, Meta(ge=0, lt=COLOURS)]


class NewRoom(Struct, frozen=True, forbid_unknown_fields=True):
    game: Annotated[str, Meta(max_length=64)]
    seats: Annotated[int, Meta(ge=1, le=99)]
    options: dict[str, Any] = {}
    open: bool = False
    play_now: bool = False
    bots: Annotated[str, Meta(max_length=64)] | None = None


class Refused(Exception):
    """The answer to a request that is not granted."""

    def __init__(self, status: int, code: str, advice: str, **more: Any) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.advice = advice
        self.more = more
        self.headers: dict[str, str] = {}


Body = TypeVar("Body", NewPerson, NewRoom)


class Limits:
    """How much one address, and one person, may ask of the hub."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._requests = Limiter(rate=20, burst=200)
        self._people = Limiter(rate=0.5, burst=40)
        self._places = Limiter(rate=2, burst=60)
        self._tables = Limiter(rate=0.2, burst=20)

    def request(self, address: str | None) -> None:
        self._per_address(self._requests, address)

    def person(self, address: str | None) -> None:
        self._per_address(self._people, address)

    def place(self, person: str) -> None:
        self._check(self._places, person)

    def table(self, person: str) -> None:
        self._check(self._tables, person)

    def _per_address(self, limiter: Limiter, address: str | None) -> None:
        # Everybody behind a proxy on this machine that names no client has this address: limits are its job.
        key = network(address)
        if key is not None:
            self._check(limiter, key)

    def _check(self, limiter: Limiter, key: str) -> None:
        wait = limiter.take(key, self._clock())
        if wait:
            refused = Refused(
                429, "SLOW_DOWN", "Too many requests in a short time: wait a moment and try again."
            )
            refused.headers["retry-after"] = str(int(wait) + 1)
            raise refused


class Api:
    """The handlers of every route. `wall` gives seconds since 1970."""

    def __init__(
        self,
        rooms: Rooms,
        registry: Mapping[str, api.Registration],
        signer: Signer,
        metrics: Metrics,
        *,
        public_url: str | None = None,
        metrics_token: str | None = None,
        limits: Limits | None = None,
        wall: Callable[[], float] = time.time,
        body_seconds: float = BODY_SECONDS,
    ) -> None:
        self._rooms = rooms
        self._registry = registry
        self._signer = signer
        self._metrics = metrics
        self._public_url = public_url
        self._metrics_token = metrics_token
        self._limits = limits or Limits()
        self._wall = wall
        self._body_seconds = body_seconds
        games = _encode([_describe(entry) for entry in registry.values()])
        self._games = make_page(games, "application/json")
        public = signer.record_key().public_key().public_bytes_raw()
        self._key = _encode({"algorithm": "Ed25519", "key": public.hex()})

    def routes(self) -> list[BaseRoute]:
        return [
            Route("/api/people", self.new_person, methods=["POST"]),
            Route("/api/games", self.games, methods=["GET"]),
            Route("/api/key", self.key, methods=["GET"]),
            Route("/api/rooms", self.lobby, methods=["GET"]),
            Route("/api/rooms", self.new_room, methods=["POST"]),
            Route("/api/rooms/{room}", self.room, methods=["GET"]),
            Route("/api/rooms/{room}/enter", self.enter, methods=["POST"]),
            Route("/api/rooms/{room}/seats/{seat:int}", self.sit, methods=["POST"]),
            Route("/api/rooms/{room}/record", self.record, methods=["GET"]),
            Route("/healthz", self.health, methods=["GET"]),
            Route("/readyz", self.readiness, methods=["GET"]),
            Route("/metrics", self.figures, methods=["GET"]),
        ]

    # --- people and games ---

    async def new_person(self, request: Request) -> Response:
        address = _address(request)
        self._limits.request(address)
        self._limits.person(address)
        wanted = await self._body(request, NewPerson)
        name = clean_name(wanted.name)
        if name is None:
            raise Refused(422, "BAD_NAME", "A name has 1 to 24 characters, none of them invisible.")
        person = Person(secrets.token_urlsafe(12), name, wanted.colour)
        token = self._signer.person_token(person)
        return _json(
            {"person": person.id, "name": person.name, "colour": person.colour, "token": token}, status=201
        )

    async def games(self, request: Request) -> Response:
        return self._games.response(request)

    async def key(self, request: Request) -> Response:
        return _json(self._key)

    # --- rooms ---

    async def new_room(self, request: Request) -> Response:
        person = self._person(request)
        self._limits.table(person.id)
        wanted = await self._body(request, NewRoom)
        entry = self._registry.get(wanted.game)
        if entry is None:
            raise Refused(422, "NO_SUCH_GAME", f"The games here are: {', '.join(self._registry)}.")
        seats = entry.game.seats
        if wanted.seats not in seats:
            raise Refused(
                422,
                "BAD_SEATS",
                f"{entry.game.title} is for {seats[0]} to {seats[-1]} players.",
                rule="GEN-1",
            )
        if wanted.bots is not None and wanted.bots not in entry.bot.levels:
            raise Refused(422, "NO_SUCH_LEVEL", f"The levels of its bot are: {', '.join(entry.bot.levels)}.")
        placed = await self._rooms.create(
            person,
            wanted.game,
            wanted.seats,
            wanted.options,
            open=wanted.open,
            play_now=wanted.play_now,
            bots=wanted.bots,
        )
        place = self._place(request, person, placed)
        return _json({"room": placed.room, "code": placed.code, **place}, status=201)

    async def lobby(self, request: Request) -> Response:
        self._limits.request(_address(request))
        return _json({"rooms": await self._rooms.lobby()})

    async def room(self, request: Request) -> Response:
        return _json(await self._described(request))

    async def enter(self, request: Request) -> Response:
        person = self._person(request)
        self._limits.place(person.id)
        placed = await self._rooms.enter(await self._room_id(request), person)
        return _json(self._place(request, person, placed))

    async def sit(self, request: Request) -> Response:
        person = self._person(request)
        self._limits.place(person.id)
        placed = await self._rooms.sit(await self._room_id(request), person, request.path_params["seat"])
        return _json(self._place(request, person, placed))

    async def record(self, request: Request) -> Response:
        self._limits.request(_address(request))
        record = await self._rooms.record(await self._room_id(request))
        if record == "running":
            raise Refused(409, "STILL_RUNNING", "The record is written when the game is over.")
        if record is None:
            raise Refused(404, "NO_RECORD", "This table has no record, or it was too old to be kept.")
        assert isinstance(record, bytes)
        return _packed(request, record)

    # --- for operators ---

    async def health(self, request: Request) -> Response:
        return _json({"ok": True})

    async def readiness(self, request: Request) -> Response:
        if self._rooms.draining():
            raise Refused(503, "DRAINING", "This hub is shutting down and takes no new tables.")
        problem = self._rooms.healthy()
        if problem is not None:
            raise Refused(503, "STORE", problem)
        return _json({"ready": True})

    async def figures(self, request: Request) -> Response:
        """For the operator alone: on a quiet hub, a count that moves tells that somebody drafts (G4)."""
        if self._metrics_token is None:
            local = _is_local(_address(request)) and "x-forwarded-for" not in request.headers
            if self._public_url is not None or not local:
                advice = "Set PARLEY_METRICS_TOKEN on the hub, and send it as Authorization: Bearer <token>."
                raise Refused(403, "FIGURES_CLOSED", advice)
        elif not secrets.compare_digest((_bearer(request) or "").encode(), self._metrics_token.encode()):
            raise _unknown("BAD_TOKEN", "Send PARLEY_METRICS_TOKEN as Authorization: Bearer <token>.")
        return Response(self._metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    # --- shared ---

    def _person(self, request: Request) -> Person:
        self._limits.request(_address(request))
        token = _bearer(request)
        if token is None:
            advice = (
                "Say who you are: POST /api/people gives a token to send as Authorization: Bearer <token>."
            )
            raise _unknown("NO_TOKEN", advice)
        person = self._signer.read_person(token)
        if isinstance(person, TicketProblem):
            self._metrics.tickets_refused[person.value] += 1
            raise _unknown(
                "BAD_TOKEN", "This hub did not make this token: make a new one with POST /api/people."
            )
        return person

    async def _described(self, request: Request) -> Mapping[str, Any]:
        self._limits.request(_address(request))
        name = request.path_params["room"]
        room = await self._rooms.describe(name.upper() if _is_code(name) else name)
        if room is None:
            raise NoSuchRoom
        return room

    async def _room_id(self, request: Request) -> str:
        name: str = request.path_params["room"]
        if _is_code(name):
            room = (await self._described(request))["room"]
            assert isinstance(room, str)
            return room
        return name

    def _place(self, request: Request, person: Person, placed: Placed | RefusedPlace) -> dict[str, Any]:
        if isinstance(placed, RefusedPlace):
            raise Refused(404 if placed.code == "NO_SUCH_SEAT" else 409, placed.code, placed.advice)
        now = int(self._wall())
        ticket = Ticket(
            placed.room, placed.seat, person.id, person.name, person.colour, placed.seat_generation, now
        )
        base = self._public_url or str(request.base_url).rstrip("/")
        return {
            "seat": placed.seat,
            "ticket": self._signer.ticket(ticket),
            "socket": socket_url(base, placed.room),
        }

    async def _body(self, request: Request, kind: type[Body]) -> Body:
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise Refused(415, "NOT_JSON", "Send JSON, with the header Content-Type: application/json.")
        length = request.headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > LARGEST_BODY:
            raise _too_large()
        data = bytearray()
        try:
            async with asyncio.timeout(self._body_seconds):
                async for chunk in request.stream():
                    data += chunk
                    if len(data) > LARGEST_BODY:
                        raise _too_large()
        except TimeoutError:
            raise Refused(408, "TOO_SLOW", "The request's body did not arrive in time.") from None
        except ClientDisconnect:
            raise Refused(400, "CUT_OFF", "The request's body ended early.") from None
        try:
            return msgspec.json.decode(data, type=kind)
        except msgspec.ValidationError as error:
            raise Refused(422, "BAD_FIELD", f"{error}.") from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise Refused(400, "BAD_JSON", "The request's body is not JSON.") from None


def application(
    handlers: Api, metrics: Metrics, *, origins: Sequence[str] = (), routes: Sequence[BaseRoute] = ()
) -> ASGIApp:
    """The whole HTTP side: the API, then `routes` (the socket, the site), with headers and errors for all."""
    middleware = []
    if origins:
        middleware.append(
            Middleware(
                CORSMiddleware,
                allow_origins=list(origins),
                allow_methods=["GET", "POST"],
                allow_headers=["authorization", "content-type"],
                max_age=3600,
            )
        )
    app = Starlette(
        routes=[*handlers.routes(), *routes],
        middleware=middleware,
        exception_handlers={
            HTTPException: _http_error,
            Refused: _refused,
            NoSuchRoom: _no_such_room,
            Elsewhere: _elsewhere,
            Unavailable: _unavailable,
            BadOptions: _bad_options,
            Exception: _defect,
        },
    )
    app.router.redirect_slashes = False
    return Front(app, metrics, origins)


class Front:
    """What every HTTP answer goes through: security headers, and a count by status."""

    def __init__(self, app: ASGIApp, metrics: Metrics, origins: Sequence[str]) -> None:
        self._app = app
        self._metrics = metrics
        sockets = [f"ws{origin.removeprefix('http')}" for origin in origins]
        self._headers = {
            "content-security-policy": "; ".join(
                (
                    "default-src 'none'",
                    "script-src 'self'",
                    # style="" of the client's own templates; sheets come from here alone
                    "style-src 'self'; style-src-attr 'unsafe-inline'",
                    "img-src 'self' data:",
                    "font-src 'self'; manifest-src 'self'; media-src 'self'; worker-src 'self'",
                    " ".join(("connect-src 'self'", *origins, *sockets)),
                    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
                )
            ),
            "x-content-type-options": "nosniff",
            "x-frame-options": "DENY",
            "referrer-policy": "no-referrer",
            "cross-origin-opener-policy": "same-origin",
            "cross-origin-resource-policy": "same-origin",
            "permissions-policy": "camera=(), microphone=(), geolocation=()",
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._metrics.requests[message["status"]] += 1
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers[name] = value
            await send(message)

        await self._app(scope, receive, send_with_headers)


# --- answers ---


def _json(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    content = value if isinstance(value, bytes) else _encode(value)
    headers = {"cache-control": "no-store", **(headers or {})}
    return Response(content, status, headers, media_type="application/json")


def _error(
    status: int, code: str, advice: str, headers: Mapping[str, str] | None = None, **more: Any
) -> Response:
    return _json({"code": code, "advice": advice, **more}, status, headers)


def _packed(request: Request, record: bytes) -> Response:
    """A record, kept and sent packed; unpacked for a client that does not take gzip."""
    headers = {
        "cache-control": "no-store",
        "content-disposition": 'attachment; filename="game.parley.jsonl"',
        "vary": "accept-encoding",
    }
    packed = record.startswith(b"\x1f\x8b")
    if packed and "gzip" in request.headers.get("accept-encoding", "").lower():
        headers["content-encoding"] = "gzip"
    elif packed:
        record = gzip.decompress(record)
    return Response(record, headers=headers, media_type="application/x-ndjson")


def _unknown(code: str, advice: str) -> Refused:
    refused = Refused(401, code, advice)
    refused.headers["www-authenticate"] = "Bearer"
    return refused


def _too_large() -> Refused:
    return Refused(413, "TOO_LARGE", f"A request's body has at most {LARGEST_BODY} bytes.")


ADVICE: Final[Mapping[int, str]] = {
    404: "There is nothing here.",
    405: "This address does not take that method.",
}


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    status = HTTPStatus(error.status_code)
    return _error(status, status.name, ADVICE.get(status, f"{status.phrase}."), error.headers)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return _error(error.status, error.code, error.advice, error.headers, **error.more)


async def _no_such_room(request: Request, error: Exception) -> Response:
    return _error(
        404, "NO_SUCH_ROOM", "There is no such table: look at the code again, or ask for a new link."
    )


async def _elsewhere(request: Request, error: Exception) -> Response:
    assert isinstance(error, Elsewhere)
    return _error(
        409, "MOVED", "This table lives on another hub: ask there, with the same token.", url=error.url
    )


async def _unavailable(request: Request, error: Exception) -> Response:
    assert isinstance(error, Unavailable)
    return _error(503, "UNAVAILABLE", error.advice, {"retry-after": "2"})


async def _bad_options(request: Request, error: Exception) -> Response:
    assert isinstance(error, BadOptions)
    refusal = error.refusal
    return _error(422, refusal.code, error.advice, rule=refusal.rule, args=refusal.args)


async def _defect(request: Request, error: Exception) -> Response:
    endpoint = getattr(request.scope.get("endpoint"), "__name__", None)  # not the path: it may hold a code
    _log.error("request failed", method=request.method, endpoint=endpoint, exc_info=error)
    return _error(500, "DEFECT", "The hub made a mistake; nothing was done. It is in the log.")


# --- small things ---


def _describe(entry: api.Registration) -> dict[str, Any]:
    game = entry.game
    return {
        "key": game.key,
        "title": game.title,
        "seats": [game.seats[0], game.seats[-1]],
        "minutes": list(game.minutes),
        "options": msgspec.json.schema(game.Options),
        "bots": list(entry.bot.levels),
        "texts": game.texts.catalogue,
    }


def _address(request: Request) -> str | None:
    return None if request.client is None else request.client.host


def _is_local(address: str | None) -> bool:
    try:
        return address is None or ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def _bearer(request: Request) -> str | None:
    """The token of an `Authorization: Bearer` header (RFC 6750 section 2.1)."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def _is_code(name: str) -> bool:
    return len(name) == CODE_LENGTH and all(letter in CODE_ALPHABET for letter in name.upper())
