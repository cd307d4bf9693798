"""An HTTP API on top of a fake port to the rooms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal, TypeAlias

import httpx
import pytest

from hub.net.http.api import Api, application
from hub.net.http.hosts import KnownHosts
from hub.net.http.static import Site
from hub.runtime.placement import (
    Complaint,
    Knocked,
    LobbyPage,
    NextTable,
    NoSuchRoom,
    Placed,
    RefusedPlace,
    RematchWish,
    room_code,
    room_id,
)
from hub.runtime.policy import EMPTY_POLICY
from hub.store.reports import Report
from hub.telemetry.metrics import Metrics
from hub.wire.messages import Grace, WatchDelay
from hub.wire.tickets import Person, Signer
from tests.harness.defaults import DEFAULTS, make_request_limits
from tests.toy import registry

SIGNER = Signer(bytes(range(32)), DEFAULTS.token_days)
WALL = 1_800_000_000.0
ANN = Person("p-ann", "Ann", 1, int(WALL), since=int(WALL) - 3600)
BEARER = {"authorization": f"Bearer {SIGNER.person_token(ANN)}"}
ROOM = room_id(bytes(16))
CODE = room_code(bytes(8), open=True)
STRANGER = "203.0.113.7"

LOOPBACK = ("localhost", "LOCALHOST:8420", "127.0.0.1:8420", "127.8.9.10", "[::1]", "[::1]:8420")
"""Values of Host in local requests."""
ELSEWHERE = (
    *(
        "",
        "rebound.example",
        "rebound.example:8420",
        "localhost.rebound.example",
        "127.0.0.1.rebound.example",
    ),
    *(
        "192.168.7.7:8420",
        "[2001:db8::1]:8420",
        "localhost@rebound.example",
        "localhost/x",
        "127.0.0.1:8420:1",
    ),
)
"""Values of Host in other requests."""
BROKEN_HOSTS = (
    *("", "a'b", "a&b=c", "a;b", "%2f", "a,b", "a b", "u@a", "a/b", "a?b", "a#b", "a\\b", ".a", "-", "a:b"),
    *("a:", "a:123456", "[::1", "[::1]x", "::1", "a" * 254, "<script>", "é".encode().decode("latin-1")),
)
"""Values of Host that cannot be part of a URL, or not safely."""
PROXIED = (
    *("forwarded", "via", "x-real-ip", "x-client-ip", "true-client-ip", "cf-connecting-ip"),
    *("fly-client-ip", "fastly-client-ip", "x-cluster-client-ip", "cdn-loop", "x-original-forwarded-for"),
    *("x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-forwarded-port", "x-forwarded-server"),
)
"""Headers of requests that came through a proxy."""


class FakeRooms:
    """Rooms with one table, `ROOM`; if `answer` is set, every call returns it, or raises an exception."""

    def __init__(self) -> None:
        self.asked: list[tuple[Any, ...]] = []
        self.answer: Any = None
        self.draining = False
        self.problem: str | None = None

    def _answered(self, *asked: Any) -> Any:
        self.asked.append(asked)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    async def create(
        self,
        person: Person,
        game: str,
        seats: int,
        options: Mapping[str, Any],
        *,
        open: bool,
        play_now: bool,
        bots: str | None,
        grace: Grace | None = None,
        watch_delay: WatchDelay = "none",
        without_seat: bool = False,
        network: str | None = None,
    ) -> Placed:
        options = dict(options)
        self._answered(
            *("create", person, game, seats, options, open, play_now, bots, grace, watch_delay),
            without_seat,
            network,
        )
        return Placed(ROOM, CODE, 0, 1)

    async def create_lesson(self, person: Person, game: str, network: str | None = None) -> Placed:
        self._answered("create_lesson", person, game, network)
        return Placed(ROOM, ROOM, 0, 1)

    async def sit(
        self, room: str, person: Person, seat: int, network: str | None = None
    ) -> Placed | RefusedPlace:
        answer: Placed | RefusedPlace | None = self._answered("sit", room, person, seat)
        return answer or Placed(ROOM, CODE, seat, 4)

    async def enter(self, room: str, person: Person, network: str | None = None) -> Placed | RefusedPlace:
        answer: Placed | RefusedPlace | None = self._answered("enter", room, person)
        return answer or Placed(ROOM, CODE, None, 0)

    async def ask(self, room: str, person: Person, network: str | None) -> Knocked | RefusedPlace:
        answer: Knocked | RefusedPlace | None = self._answered("ask", room, person, network)
        return answer or Knocked(admitted=False, host=True)

    async def play_again(
        self, room: str, person: Person, wish: RematchWish, network: str | None, charge: Callable[[], None]
    ) -> NextTable | RefusedPlace:
        charge()
        answer: NextTable | RefusedPlace | None = self._answered("play_again", room, person, wish, network)
        return answer or NextTable("n" * 22, CODE)

    async def report(self, room: str, sender: Person, complaint: Complaint, at: int) -> Report | RefusedPlace:
        answer: RefusedPlace | None = self._answered("report", room, sender, complaint, at)
        return answer or Report("r", at, ROOM, CODE, sender.id, sender.name, complaint.reason)

    async def describe(self, room: str, person: str | None = None) -> Mapping[str, Any]:
        self._answered("describe", room, person)
        if room not in (ROOM, CODE):
            raise NoSuchRoom(room)
        return {"room": ROOM, "code": CODE}

    async def lobby(self, page: int) -> LobbyPage:
        answer: LobbyPage | None = self._answered("lobby", page)
        return answer or LobbyPage([{"room": ROOM}], 1)

    async def record(self, room: str, person: str | None) -> bytes | Literal["running", "closed"] | None:
        answer: bytes | Literal["running", "closed"] | None = self._answered("record", room, person)
        if room not in (ROOM, CODE):
            raise NoSuchRoom(room)
        return answer

    def is_draining(self) -> bool:
        return self.draining

    def find_caution(self) -> str | None:
        return None

    def find_problem(self) -> str | None:
        return self.problem


class SettablePolicy:
    """A policy that a test changes."""

    def __init__(self) -> None:
        self.policy = EMPTY_POLICY


Client: TypeAlias = Callable[..., httpx.AsyncClient]


class World:
    """An API with fakes for everything around it."""

    def __init__(self, **settings: Any) -> None:
        self.rooms = FakeRooms()
        self.metrics = Metrics()
        self.time = 0.0
        self.origins: tuple[str, ...] = settings.pop("origins", ())
        self.site = Site(settings.pop("web", Path("/nonexistent")), settings.get("public_url"))
        self.api = Api(
            self.rooms,
            registry(),
            SIGNER,
            self.metrics,
            hosts=KnownHosts(settings.get("public_url"), ("hub.example",)),
            limits=make_request_limits(lambda: self.time, self.metrics.limited),
            wall=lambda: WALL,
            clock=lambda: self.time,
            **settings,
        )
        self.app = application(
            self.api,
            self.metrics,
            origins=self.origins,
            routes=self.site.routes(),
            files=self.site.files(),
        )

    def client(self, address: str = STRANGER, base: str = "http://hub.example:8420") -> httpx.AsyncClient:
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=False, client=(address, 1))
        return httpx.AsyncClient(transport=transport, base_url=base)

    async def get(self, path: str, **arguments: Any) -> httpx.Response:
        return await self.prompt("GET", path, **arguments)

    async def post(self, path: str, json: Any = None, **arguments: Any) -> httpx.Response:
        if json is not None:
            arguments["json"] = json
        return await self.prompt("POST", path, **arguments)

    async def prompt(
        self, method: str, path: str, *, address: str = STRANGER, **arguments: Any
    ) -> httpx.Response:
        async with self.client(address) as client:
            return await client.request(method, path, **arguments)


def refused(answer: httpx.Response, status: int, code: str) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/json"
    value: dict[str, Any] = answer.json()
    assert value["code"] == code
    assert value["advice"][-1] == "."
    assert {"code", "advice"} <= set(value)
    return value


asynchronous = pytest.mark.asyncio
NEW = {"game": "toy", "seats": 2}
