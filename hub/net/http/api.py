"""The HTTP API: people and games here, tables in hub/net/http/rooms.py, health and metrics in health.py.

Errors are in hub/net/http/errors.py.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from games import api
from hub.net.guard import Guard, NoPolicy
from hub.net.http import errors
from hub.net.http.cors import METHODS, PREFLIGHT_SECONDS, REQUEST_HEADERS, AllowedPages
from hub.net.http.errors import ApiError, encode_json, json_response
from hub.net.http.headers import TOKEN_HEADER, SecurityHeadersMiddleware
from hub.net.http.health import HealthApi
from hub.net.http.hosts import HostMiddleware, KnownHosts
from hub.net.http.limits import RequestLimitMiddleware, RequestLimits
from hub.net.http.lobby import Lobby
from hub.net.http.person_auth import PersonAuth
from hub.net.http.push import PushApi, PushParts
from hub.net.http.relay import RequestRelay
from hub.net.http.request_delay import RequestDelay
from hub.net.http.requests import BODY_SECONDS, client_address, is_local, read_body
from hub.net.http.rooms import RoomsApi
from hub.net.http.static import make_page
from hub.runtime.overload import Overload
from hub.runtime.placement import Elsewhere, Rooms
from hub.table.watch_delay import has_rounds
from hub.telemetry.metrics import Metrics
from hub.wire.names import clean_name, is_reserved
from hub.wire.tickets import COLOURS, Person, Signer


class NewPerson(Struct, frozen=True, forbid_unknown_fields=True):
    name: Annotated[str, Meta(max_length=200)]
    colour: Annotated[int, Meta(ge=0, lt=COLOURS)]


class Api:
    """The request handlers. `wall` returns seconds since 1970, `clock` monotonic seconds."""

    def __init__(
        self,
        rooms: Rooms,
        registry: Mapping[str, api.Registration],
        signer: Signer,
        metrics: Metrics,
        *,
        limits: RequestLimits,
        public_url: str | None = None,
        metrics_token: str | None = None,
        network_urls: Callable[[], list[str]] = list,
        hosts: KnownHosts | None = None,
        guard: Guard | None = None,
        push: PushParts | None = None,
        label: str | None = None,
        overload: Overload | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        wall: Callable[[], float] = time.time,
        clock: Callable[[], float] = time.monotonic,
        body_seconds: float = BODY_SECONDS,
    ) -> None:
        self._signer = signer
        self._network_urls = network_urls
        self.hosts = hosts or KnownHosts(public_url)
        self.limits = limits
        self.wall = wall
        self._body_seconds = body_seconds
        self.guard = guard or Guard(NoPolicy(), wall, metrics)
        auth = PersonAuth(signer, self.guard, metrics, wall)
        self._push = PushApi(push, auth, limits, wall=wall, body_seconds=body_seconds)
        overload = overload or Overload()
        delay = RequestDelay(overload, sleep)
        self._rooms = RoomsApi(
            rooms,
            Lobby(rooms, overload, delay, clock),
            delay,
            auth,
            signer,
            self.limits,
            public_url=public_url,
            label=label,
            wall=wall,
            body_seconds=body_seconds,
        )
        self._health = HealthApi(rooms, metrics, public_url=public_url, metrics_token=metrics_token)
        games = [_describe(registration) for registration in registry.values()]
        self._games = make_page(encode_json(games), "application/json")
        remarks = {key: entry.game.texts.catalogue.get("remarks", {}) for key, entry in registry.items()}
        self._remarks = make_page(encode_json(remarks), "application/json")
        without_texts = [{name: value for name, value in game.items() if name != "texts"} for game in games]
        self._games_without_texts = make_page(encode_json(without_texts), "application/json")
        public = signer.record_key().public_key().public_bytes_raw()
        self._key = encode_json({"algorithm": "Ed25519", "key": public.hex()})

    def routes(self) -> list[BaseRoute]:
        return [
            Route("/api/people", self.new_person, methods=["POST"]),
            Route("/api/games", self.games, methods=["GET"]),
            Route("/api/remarks", self.remarks, methods=["GET"]),
            Route("/api/key", self.key, methods=["GET"]),
            Route("/api/addresses", self.addresses, methods=["GET"]),
            *self._rooms.routes(),
            *self._push.routes(),
            *self._health.routes(),
        ]

    async def new_person(self, request: Request) -> Response:
        self.limits.new_person(client_address(request))
        body = await read_body(request, NewPerson, self._body_seconds)
        name = clean_name(body.name)
        if name is None:
            raise ApiError(
                422,
                "BAD_NAME",
                "A name has 1 to 24 characters, none of them invisible, and at most two marks on a letter.",
            )
        if is_reserved(name):
            raise ApiError(
                422, "NAME_RESERVED", "This name is for the hub's operator alone: choose another one."
            )
        at = int(self.wall())
        person = Person(secrets.token_urlsafe(12), name, body.colour, at, since=at)
        token = self._signer.person_token(person)
        return json_response(
            {"person": person.id, "name": person.name, "colour": person.colour, "token": token}, status=201
        )

    async def games(self, request: Request) -> Response:
        texts = request.query_params.get("texts", "true")
        if texts not in ("true", "false"):
            raise ApiError(422, "BAD_FIELD", "The parameter texts must be true or false.")
        return (self._games if texts == "true" else self._games_without_texts).response(request)

    async def remarks(self, request: Request) -> Response:
        """What only bots say: most of a game's texts, and needed last."""
        return self._remarks.response(request)

    async def key(self, request: Request) -> Response:
        return json_response(self._key)

    async def addresses(self, request: Request) -> Response:
        """The hub's network addresses, for a page that was opened at the hub's localhost address."""
        local = is_local(request)
        return json_response({"addresses": self._network_urls() if local else [], "local": local})


def application(
    handlers: Api,
    metrics: Metrics,
    *,
    origins: Sequence[str] = (),
    routes: Sequence[BaseRoute] = (),
    files: Collection[str] = (),
    relay: RequestRelay | None = None,
) -> ASGIApp:
    """The ASGI application: the API and `routes` (the socket, the site), with limits, headers and errors.

    Requests for `files`, the paths of the site's files, are not limited. `relay` answers those for rooms of
    other hubs; None if there is no other hub.
    """
    middleware = [Middleware(HostMiddleware, hosts=handlers.hosts)]
    if origins:
        middleware.append(
            Middleware(
                AllowedPages,
                allow_origins=list(origins),
                allow_methods=METHODS,
                allow_headers=REQUEST_HEADERS,
                expose_headers=[TOKEN_HEADER],
                max_age=PREFLIGHT_SECONDS,
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
        exception_handlers={**errors.HANDLERS, **({Elsewhere: relay.relay} if relay else {})},
    )
    app.router.redirect_slashes = False
    return SecurityHeadersMiddleware(app, metrics, origins)


def _describe(registration: api.Registration) -> dict[str, Any]:
    game = registration.game
    return {
        "key": game.key,
        "title": game.title,
        "seats": [game.seats[0], game.seats[-1]],
        "minutes": list(game.minutes),
        "options": msgspec.json.schema(game.Options),
        "bots": list(registration.bot.levels),
        "rounds": has_rounds(game),
        "lesson": game.lesson is not None,
        "texts": {group: texts for group, texts in game.texts.catalogue.items() if group != "remarks"},
    }
