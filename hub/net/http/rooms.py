"""The HTTP API for tables: creating and finding them, places with their tickets, records.

It reaches rooms only through the port in hub/runtime/placement.py.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Annotated, Any, TypeVar

from msgspec import Meta, Struct
from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from hub.net.http.downloads import Downloads
from hub.net.http.errors import ApiError, authentication_error, json_response
from hub.net.http.limits import RequestLimits
from hub.net.http.lobby import Lobby
from hub.net.http.person_auth import PersonAuth
from hub.net.http.request_delay import RequestDelay
from hub.net.http.requests import (
    BODY_SECONDS,
    base_url,
    bearer_token,
    client_address,
    read_body,
    route_by_method,
)
from hub.runtime.placement import (
    PRIVATE_CODE_LENGTH,
    Complaint,
    NoSuchRoom,
    Placed,
    RefusedPlace,
    RematchWish,
    Rooms,
    is_code,
    socket_url,
)
from hub.wire.limits import network
from hub.wire.messages import Grace, WatchDelay
from hub.wire.tickets import Person, Signer, Ticket

Result = TypeVar("Result")


class SeatConvertor(IntegerConvertor):
    """A seat number in a path. Python refuses to convert thousands of digits, which would be a 500."""

    regex = "[0-9]{1,20}"


register_url_convertor("seat", SeatConvertor())


class NewRoom(Struct, frozen=True, forbid_unknown_fields=True):
    game: Annotated[str, Meta(max_length=64)]
    seats: Annotated[int, Meta(ge=1, le=99)]
    options: dict[str, Any] = {}
    open: bool = False
    play_now: bool = False
    bots: Annotated[str, Meta(max_length=64)] | None = None
    grace: Grace | None = None
    watch_delay: WatchDelay = "none"
    without_seat: bool = False


class NewLesson(Struct, frozen=True, forbid_unknown_fields=True):
    game: Annotated[str, Meta(max_length=64)]


class RoomsApi:
    """The request handlers. `wall` returns seconds since 1970."""

    def __init__(
        self,
        rooms: Rooms,
        lobby: Lobby,
        delay: RequestDelay,
        auth: PersonAuth,
        signer: Signer,
        limits: RequestLimits,
        *,
        public_url: str | None = None,
        label: str | None = None,
        wall: Callable[[], float] = time.time,
        body_seconds: float = BODY_SECONDS,
    ) -> None:
        self._rooms = rooms
        self._lobby = lobby
        self._delay = delay
        self._auth = auth
        self._signer = signer
        self._limits = limits
        self._downloads = Downloads(limits.limited)
        self._public_url = public_url
        self._label = label
        self._wall = wall
        self._body_seconds = body_seconds

    def routes(self) -> list[BaseRoute]:
        return [
            route_by_method("/api/rooms", GET=self.lobby, POST=self.new_room),
            Route("/api/lessons", self.new_lesson, methods=["POST"]),
            Route("/api/rooms/{room}", self.room, methods=["GET"]),
            Route("/api/rooms/{room}/enter", self.enter, methods=["POST"]),
            Route("/api/rooms/{room}/reports", self.report, methods=["POST"]),
            Route("/api/rooms/{room}/rematch", self.rematch, methods=["POST"]),
            Route("/api/rooms/{room}/ask", self.ask, methods=["POST"]),
            Route("/api/rooms/{room}/seats/{seat:seat}", self.sit, methods=["POST"]),
            Route("/api/rooms/{room}/record", self.record, methods=["GET"]),
        ]

    async def new_room(self, request: Request) -> Response:
        person = self._auth.person(request)
        await self._delay.wait()
        body = await read_body(request, NewRoom, self._body_seconds)
        self._limits.new_table(person.id, client_address(request))
        base = base_url(request, self._public_url)
        placed = await self._rooms.create(
            person,
            body.game,
            body.seats,
            body.options,
            open=body.open,
            play_now=body.play_now,
            bots=body.bots,
            grace=body.grace,
            watch_delay=body.watch_delay,
            without_seat=body.without_seat,
            network=network(client_address(request)),
        )
        place = self._place(base, person, placed)
        return json_response({"room": placed.room, "code": placed.code, **place}, status=201)

    async def new_lesson(self, request: Request) -> Response:
        person = self._auth.person(request)
        await self._delay.wait()
        body = await read_body(request, NewLesson, self._body_seconds)
        address = client_address(request)
        self._limits.new_table(person.id, address)
        base = base_url(request, self._public_url)
        placed = await self._rooms.create_lesson(person, body.game, network(address))
        return json_response({"room": placed.room, **self._place(base, person, placed)}, status=201)

    async def lobby(self, request: Request) -> Response:
        return await self._lobby.response(request)

    async def room(self, request: Request) -> Response:
        person = self._auth.find_person(request)
        id = None if person is None else person.id
        return json_response(await self._call(request, id, lambda room: self._rooms.describe(room, id)))

    async def enter(self, request: Request) -> Response:
        person = self._auth.person(request)
        self._limits.place(person.id)
        base = base_url(request, self._public_url)
        client = network(client_address(request))
        placed = await self._call(request, person.id, lambda room: self._rooms.enter(room, person, client))
        return json_response(self._place(base, person, placed))

    async def sit(self, request: Request) -> Response:
        person = self._auth.person(request)
        self._limits.place(person.id)
        self._limits.seat(person.id)
        base = base_url(request, self._public_url)
        seat: int = request.path_params["seat"]
        client = network(client_address(request))
        placed = await self._call(
            request, person.id, lambda room: self._rooms.sit(room, person, seat, client)
        )
        return json_response(self._place(base, person, placed))

    async def rematch(self, request: Request) -> Response:
        person = self._auth.person(request)
        await self._delay.wait()
        wish = await read_body(request, RematchWish, self._body_seconds)
        self._limits.place(person.id)
        address = client_address(request)
        charge = partial(self._limits.new_table, person.id, address)
        answer = await self._call(
            request,
            person.id,
            lambda room: self._rooms.play_again(room, person, wish, network(address), charge),
        )
        if isinstance(answer, RefusedPlace):
            raise _refuse_place(answer)
        return json_response({"room": answer.room, "code": answer.code})

    async def ask(self, request: Request) -> Response:
        person = self._auth.person(request)
        self._limits.place(person.id)
        client = network(client_address(request))
        knocked = await self._call(request, person.id, lambda room: self._rooms.ask(room, person, client))
        if isinstance(knocked, RefusedPlace):
            raise _refuse_place(knocked)
        return json_response({"admitted": knocked.admitted, "host": knocked.host})

    async def report(self, request: Request) -> Response:
        person = self._auth.person(request)
        complaint = await read_body(request, Complaint, self._body_seconds)
        self._limits.report(person.id, client_address(request))
        at = int(self._wall())
        report = await self._call(
            request, person.id, lambda room: self._rooms.report(room, person, complaint, at)
        )
        if isinstance(report, RefusedPlace):
            raise _refuse_place(report)
        return json_response({"sent": True}, status=201)

    async def record(self, request: Request) -> Response:
        person = None if bearer_token(request) is None else self._auth.person(request)
        id = None if person is None else person.id
        record = await self._call(request, id, lambda room: self._rooms.record(room, id))
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
        return self._downloads.response(request, record)

    # --- internal ---

    async def _call(
        self, request: Request, person: str | None, call: Callable[[str], Awaitable[Result]]
    ) -> Result:
        """Calls a method of the rooms with the room in the path. Counts wrong codes; too many get 429."""
        name: str = request.path_params["room"]
        if not is_code(name):
            return await call(name)
        name = name.upper()
        private = len(name) == PRIVATE_CODE_LENGTH
        address = client_address(request)
        self._limits.code(address, private=private)
        if private and self._limits.has_many_wrong_codes() and await self._is_stranger(name, person):
            self._limits.stranger_code()
        try:
            return await call(name)
        except NoSuchRoom:
            self._limits.wrong_code(address, private=private)
            raise

    async def _is_stranger(self, code: str, person: str | None) -> bool:
        """Whether no table has this code, or this person has to ask to come in there."""
        try:
            return "closed" in await self._rooms.describe(code, person)
        except NoSuchRoom:
            return True

    def _place(self, base: str, person: Person, placed: Placed | RefusedPlace) -> dict[str, Any]:
        if isinstance(placed, RefusedPlace):
            raise _refuse_place(placed)
        ticket = Ticket(
            placed.room,
            placed.seat,
            person.id,
            person.name,
            person.colour,
            placed.seat_generation,
            int(self._wall()),
            person.since,
        )
        return {
            "seat": placed.seat,
            "hosting": placed.hosting,
            "ticket": self._signer.ticket(ticket),
            "socket": socket_url(base, placed.room, self._label),
        }


def _refuse_place(refused: RefusedPlace) -> ApiError:
    return ApiError(404 if refused.code == "NO_SUCH_SEAT" else 409, refused.code, refused.advice)
