"""The HTTP API: people, games, tables and their tickets; health and metrics.

It reaches rooms only through the port in hub/runtime/placement.py. Errors are in hub/net/http/errors.py.
"""

from __future__ import annotations

import gzip
import secrets
import time
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct
from starlette.applications import Starlette
from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from games import api
from hub.net.guard import Guard, NoPolicy
from hub.net.http import errors
from hub.net.http.errors import ApiError, authentication_error, ban_error, encode_json, json_response
from hub.net.http.headers import TOKEN_HEADER, SecurityHeadersMiddleware, set_fresh_token
from hub.net.http.hosts import HostMiddleware, KnownHosts
from hub.net.http.limits import RequestLimitMiddleware, RequestLimits
from hub.net.http.lobby import Lobby
from hub.net.http.requests import BODY_SECONDS, bearer_token, client_address, is_local, read_body
from hub.net.http.static import make_page
from hub.runtime.placement import (
    PRIVATE_CODE_LENGTH,
    Complaint,
    NoSuchRoom,
    Placed,
    RefusedPlace,
    Rooms,
    is_code,
    socket_url,
)
from hub.telemetry.metrics import Metrics
from hub.wire.limits import network
from hub.wire.names import clean_name
from hub.wire.tickets import COLOURS, Person, Signer, Ticket, TicketProblem

Result = TypeVar("Result")


class SeatConvertor(IntegerConvertor):
    """A seat number in a path. Python refuses to convert thousands of digits, which would be a 500."""

    regex = "[0-9]{1,20}"


register_url_convertor("seat", SeatConvertor())


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


class Api:
    """The request handlers. `wall` returns seconds since 1970, `clock` monotonic seconds."""

    def __init__(
        self,
        rooms: Rooms,
        registry: Mapping[str, api.Registration],
        signer: Signer,
        metrics: Metrics,
        *,
        public_url: str | None = None,
        metrics_token: str | None = None,
        network_urls: Callable[[], list[str]] = list,
        hosts: KnownHosts | None = None,
        limits: RequestLimits | None = None,
        guard: Guard | None = None,
        wall: Callable[[], float] = time.time,
        clock: Callable[[], float] = time.monotonic,
        body_seconds: float = BODY_SECONDS,
    ) -> None:
        self._rooms = rooms
        self._lobby = Lobby(rooms, clock)
        self._signer = signer
        self._metrics = metrics
        self._public_url = public_url
        self._metrics_token = metrics_token
        self._network_urls = network_urls
        self.hosts = hosts or KnownHosts(public_url)
        self._limits = limits or RequestLimits(limited=metrics.limited)
        self.wall = wall
        self._body_seconds = body_seconds
        self.guard = guard or Guard(NoPolicy(), wall, metrics)
        games = [_describe(registration) for registration in registry.values()]
        self._games = make_page(encode_json(games), "application/json")
        without_texts = [{name: value for name, value in game.items() if name != "texts"} for game in games]
        self._games_without_texts = make_page(encode_json(without_texts), "application/json")
        public = signer.record_key().public_key().public_bytes_raw()
        self._key = encode_json({"algorithm": "Ed25519", "key": public.hex()})

    @property
    def limits(self) -> RequestLimits:
        return self._limits

    def routes(self) -> list[BaseRoute]:
        return [
            Route("/api/people", self.new_person, methods=["POST"]),
            Route("/api/games", self.games, methods=["GET"]),
            Route("/api/key", self.key, methods=["GET"]),
            Route("/api/addresses", self.addresses, methods=["GET"]),
            Route("/api/rooms", self.lobby, methods=["GET"]),
            Route("/api/rooms", self.new_room, methods=["POST"]),
            Route("/api/rooms/{room}", self.room, methods=["GET"]),
            Route("/api/rooms/{room}/enter", self.enter, methods=["POST"]),
            Route("/api/rooms/{room}/reports", self.report, methods=["POST"]),
            Route("/api/rooms/{room}/ask", self.ask, methods=["POST"]),
            Route("/api/rooms/{room}/seats/{seat:seat}", self.sit, methods=["POST"]),
            Route("/api/rooms/{room}/record", self.record, methods=["GET"]),
            Route("/healthz", self.health, methods=["GET"]),
            Route("/readyz", self.readiness, methods=["GET"]),
            Route("/metrics", self.figures, methods=["GET"]),
        ]

    # --- people and games ---

    async def new_person(self, request: Request) -> Response:
        self._limits.new_person(client_address(request))
        body = await read_body(request, NewPerson, self._body_seconds)
        name = clean_name(body.name)
        if name is None:
            raise ApiError(
                422,
                "BAD_NAME",
                "A name has 1 to 24 characters, none of them invisible, and at most two marks on a letter.",
            )
        person = Person(secrets.token_urlsafe(12), name, body.colour, int(self.wall()))
        token = self._signer.person_token(person)
        return json_response(
            {"person": person.id, "name": person.name, "colour": person.colour, "token": token}, status=201
        )

    async def games(self, request: Request) -> Response:
        texts = request.query_params.get("texts", "true")
        if texts not in ("true", "false"):
            raise ApiError(422, "BAD_FIELD", "The parameter texts must be true or false.")
        return (self._games if texts == "true" else self._games_without_texts).response(request)

    async def key(self, request: Request) -> Response:
        return json_response(self._key)

    async def addresses(self, request: Request) -> Response:
        """The hub's network addresses, for a page that was opened at the hub's localhost address."""
        return json_response({"addresses": self._network_urls() if is_local(request) else []})

    # --- rooms ---

    async def new_room(self, request: Request) -> Response:
        person = self._person(request)
        self._limits.new_table(person.id, client_address(request))
        base = self._base_url(request)
        body = await read_body(request, NewRoom, self._body_seconds)
        placed = await self._rooms.create(
            person,
            body.game,
            body.seats,
            body.options,
            open=body.open,
            play_now=body.play_now,
            bots=body.bots,
            network=network(client_address(request)),
        )
        place = self._place(base, person, placed)
        return json_response({"room": placed.room, "code": placed.code, **place}, status=201)

    async def lobby(self, request: Request) -> Response:
        return await self._lobby.response(request)

    async def room(self, request: Request) -> Response:
        token = bearer_token(request)
        person = None if token is None else self._signer.read_person(token, self.wall())
        id = person.id if isinstance(person, Person) else None
        return json_response(await self._find(request, id, lambda room: self._rooms.describe(room, id)))

    async def enter(self, request: Request) -> Response:
        person = self._person(request)
        self._limits.place(person.id)
        base = self._base_url(request)
        origin = network(client_address(request))
        placed = await self._find(request, person.id, lambda room: self._rooms.enter(room, person, origin))
        return json_response(self._place(base, person, placed))

    async def sit(self, request: Request) -> Response:
        person = self._person(request)
        self._limits.place(person.id)
        base = self._base_url(request)
        seat: int = request.path_params["seat"]
        origin = network(client_address(request))
        placed = await self._find(
            request, person.id, lambda room: self._rooms.sit(room, person, seat, origin)
        )
        return json_response(self._place(base, person, placed))

    async def ask(self, request: Request) -> Response:
        person = self._person(request)
        self._limits.place(person.id)
        origin = network(client_address(request))
        knocked = await self._find(request, person.id, lambda room: self._rooms.ask(room, person, origin))
        if isinstance(knocked, RefusedPlace):
            raise _refuse_place(knocked)
        return json_response({"admitted": knocked.admitted, "host": knocked.host})

    async def report(self, request: Request) -> Response:
        person = self._person(request)
        self._limits.report(person.id)
        complaint = await read_body(request, Complaint, self._body_seconds)
        at = int(self.wall())
        report = await self._find(
            request, person.id, lambda room: self._rooms.report(room, person, complaint, at)
        )
        if isinstance(report, RefusedPlace):
            raise _refuse_place(report)
        return json_response({"sent": True}, status=201)

    async def record(self, request: Request) -> Response:
        person = None if bearer_token(request) is None else self._person(request)
        id = None if person is None else person.id
        record = await self._find(request, id, lambda room: self._rooms.record(room, id))
        if record == "closed":
            advice = "This table could not be watched, so its record is for those who played"
            if person is None:
                raise authentication_error(
                    "NO_TOKEN", f"{advice}: send your token as Authorization: Bearer <token>."
                )
            raise ApiError(403, "RECORD_CLOSED", f"{advice}.")
        if record == "running":
            raise ApiError(409, "STILL_RUNNING", "The record is written at the end of the game.")
        if record is None:
            raise ApiError(404, "NO_RECORD", "This table has no record, or its record has expired.")
        assert isinstance(record, bytes)
        return _record_response(request, record)

    # --- for operators ---

    async def health(self, request: Request) -> Response:
        return json_response({"ok": True})

    async def readiness(self, request: Request) -> Response:
        if self._rooms.draining():
            raise ApiError(503, "DRAINING", "This hub is shutting down and accepts no new tables.")
        problem = self._rooms.healthy()
        if problem is not None:
            raise ApiError(503, "STORE", problem)
        return json_response({"ready": True})

    async def figures(self, request: Request) -> Response:
        """Metrics, for the operator only: on a quiet hub, a changing count could reveal a draft (G4)."""
        if self._metrics_token is None:
            if self._public_url is not None or not is_local(request):
                advice = "Set PARLEY_METRICS_TOKEN on the hub, then send it as Authorization: Bearer <token>."
                raise ApiError(403, "FIGURES_CLOSED", advice)
        elif not secrets.compare_digest((bearer_token(request) or "").encode(), self._metrics_token.encode()):
            raise authentication_error(
                "BAD_TOKEN", "Send PARLEY_METRICS_TOKEN as Authorization: Bearer <token>."
            )
        return Response(self._metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    # --- internal ---

    def _person(self, request: Request) -> Person:
        token = bearer_token(request)
        if token is None:
            advice = (
                "Identify yourself: POST /api/people gives a token to send as Authorization: Bearer <token>."
            )
            raise authentication_error("NO_TOKEN", advice)
        at = self.wall()
        person = self._signer.read_person(token, at)
        if isinstance(person, TicketProblem):
            self._metrics.tickets_refused[person.value] += 1
            if person is TicketProblem.EXPIRED:
                advice = "This token has not been used for too long: get a new one with POST /api/people."
                raise authentication_error("TOKEN_EXPIRED", advice)
            raise authentication_error(
                "BAD_TOKEN", "This hub did not issue this token: get a new one with POST /api/people."
            )
        if self.guard.is_revoked(person.id, person.issued):
            self._metrics.tickets_refused["revoked"] += 1
            advice = "This token is no longer valid: get a new one with POST /api/people."
            raise authentication_error("BAD_TOKEN", advice)
        ban = self.guard.ban(person.id, None)
        if ban is not None:
            raise ban_error(ban, at)
        fresh = self._signer.fresh_token(person, at)
        if fresh is not None:
            set_fresh_token(request, fresh)
        return person

    async def _find(
        self, request: Request, person: str | None, call: Callable[[str], Awaitable[Result]]
    ) -> Result:
        """Calls a method of the rooms with the room in the path. Counts wrong codes; too many get 429."""
        name: str = request.path_params["room"]
        if not is_code(name):
            return await call(name)
        name = name.upper()
        private = len(name) == PRIVATE_CODE_LENGTH
        address = client_address(request)
        self._limits.code(address)
        if private and self._limits.has_many_wrong_codes() and await self._is_stranger(name, person):
            self._limits.stranger_code()
        try:
            return await call(name)
        except NoSuchRoom:
            self._limits.wrong_code(address, private=private)
            raise

    async def _is_stranger(self, code: str, person: str | None) -> bool:
        """Whether this is nobody's code, or this person has to ask to come in there."""
        try:
            return "closed" in await self._rooms.describe(code, person)
        except NoSuchRoom:
            return True

    def _base_url(self, request: Request) -> str:
        """Where this client reaches the hub."""
        return self._public_url or str(request.base_url).rstrip("/")

    def _place(self, base: str, person: Person, placed: Placed | RefusedPlace) -> dict[str, Any]:
        if isinstance(placed, RefusedPlace):
            raise _refuse_place(placed)
        issued = int(self.wall())
        ticket = Ticket(
            placed.room, placed.seat, person.id, person.name, person.colour, placed.seat_generation, issued
        )
        return {
            "seat": placed.seat,
            "ticket": self._signer.ticket(ticket),
            "socket": socket_url(base, placed.room),
        }


def application(
    handlers: Api,
    metrics: Metrics,
    *,
    origins: Sequence[str] = (),
    routes: Sequence[BaseRoute] = (),
    files: Collection[str] = (),
) -> ASGIApp:
    """The ASGI application: the API and `routes` (the socket, the site), with limits, headers and errors.

    Requests for `files`, the paths of the site's files, are not limited.
    """
    middleware = [Middleware(HostMiddleware, hosts=handlers.hosts)]
    if origins:
        middleware.append(
            Middleware(
                CORSMiddleware,
                allow_origins=list(origins),
                allow_methods=["GET", "POST"],
                allow_headers=["authorization", "content-type"],
                expose_headers=[TOKEN_HEADER],
                max_age=3600,
            )
        )
    middleware.append(
        Middleware(
            RequestLimitMiddleware,
            limits=handlers.limits,
            guard=handlers.guard,
            wall=handlers.wall,
            free=files,
        )
    )
    app = Starlette(
        routes=[*handlers.routes(), *routes],
        middleware=middleware,
        exception_handlers=errors.HANDLERS,
    )
    app.router.redirect_slashes = False
    return SecurityHeadersMiddleware(app, metrics, origins)


def _refuse_place(refused: RefusedPlace) -> ApiError:
    return ApiError(404 if refused.code == "NO_SUCH_SEAT" else 409, refused.code, refused.advice)


def _describe(registration: api.Registration) -> dict[str, Any]:
    game = registration.game
    return {
        "key": game.key,
        "title": game.title,
        "seats": [game.seats[0], game.seats[-1]],
        "minutes": list(game.minutes),
        "options": msgspec.json.schema(game.Options),
        "bots": list(registration.bot.levels),
        "texts": game.texts.catalogue,
    }


def _record_response(request: Request, record: bytes) -> Response:
    """A record, stored and sent compressed; decompressed for a client that does not accept gzip."""
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
