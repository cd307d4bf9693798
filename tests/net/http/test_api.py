"""The HTTP side: what each route answers, and that every error is a code with advice (H1..H11 of SPEC.md)."""

from __future__ import annotations

import asyncio
import gzip
import io
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

import httpx
import msgspec
import pytest

from games import GAMES, api
from games.api import Refusal
from hub.net.http.api import LARGEST_BODY, Api, Limits, application
from hub.net.http.static import Site
from hub.runtime.placement import (
    CODE_ALPHABET,
    BadOptions,
    Elsewhere,
    NoSuchRoom,
    Placed,
    RefusedPlace,
    Unavailable,
    room_code,
    room_id,
)
from hub.telemetry import log
from hub.telemetry.metrics import Metrics
from hub.wire.limits import Limiter
from hub.wire.tickets import Person, Signer, Ticket
from tests.toy import registry

SIGNER = Signer(bytes(range(32)))
ANN = Person("p-ann", "Ann", 1)
BEARER = {"authorization": f"Bearer {SIGNER.person_token(ANN)}"}
ROOM = room_id(bytes(16))
CODE = room_code(bytes(8))
WALL = 1_800_000_000.0
STRANGER = "203.0.113.7"


class FakeRooms:
    """One table, `ROOM`; `answer`, when set, is raised or returned by everything asked of it."""

    def __init__(self) -> None:
        self.asked: list[tuple[Any, ...]] = []
        self.answer: Any = None
        self.is_draining = False
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
    ) -> Placed:
        self._answered("create", person, game, seats, dict(options), open, play_now, bots)
        return Placed(ROOM, CODE, 0, 1)

    async def sit(self, room: str, person: Person, seat: int) -> Placed | RefusedPlace:
        answer: Placed | RefusedPlace | None = self._answered("sit", room, person, seat)
        return answer or Placed(room, CODE, seat, 4)

    async def enter(self, room: str, person: Person) -> Placed | RefusedPlace:
        answer: Placed | RefusedPlace | None = self._answered("enter", room, person)
        return answer or Placed(room, CODE, None, 0)

    async def describe(self, room_or_code: str) -> Mapping[str, Any] | None:
        self._answered("describe", room_or_code)
        return {"room": ROOM, "code": CODE} if room_or_code in (ROOM, CODE) else None

    async def lobby(self) -> Sequence[Mapping[str, Any]]:
        self._answered("lobby")
        return [{"room": ROOM}]

    async def record(self, room: str) -> bytes | Literal["running"] | None:
        answer: bytes | Literal["running"] | None = self._answered("record", room)
        return answer

    def draining(self) -> bool:
        return self.is_draining

    def healthy(self) -> str | None:
        return self.problem


Client: TypeAlias = Callable[..., httpx.AsyncClient]


class World:
    """An API with everything around it faked."""

    def __init__(self, **given: Any) -> None:
        self.rooms = FakeRooms()
        self.metrics = Metrics()
        self.now = 0.0
        self.origins: tuple[str, ...] = given.pop("origins", ())
        self.site = Site(given.pop("web", Path("/nonexistent")))
        self.api = Api(
            self.rooms,
            registry(),
            SIGNER,
            self.metrics,
            limits=Limits(lambda: self.now),
            wall=lambda: WALL,
            **given,
        )
        self.app = application(self.api, self.metrics, origins=self.origins, routes=self.site.routes())

    def client(self, address: str = STRANGER, base: str = "http://hub.example:8420") -> httpx.AsyncClient:
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=False, client=(address, 1))
        return httpx.AsyncClient(transport=transport, base_url=base)

    async def get(self, path: str, **given: Any) -> httpx.Response:
        return await self.prompt("GET", path, **given)

    async def post(self, path: str, json: Any = None, **given: Any) -> httpx.Response:
        if json is not None:
            given["json"] = json
        return await self.prompt("POST", path, **given)

    async def prompt(
        self, method: str, path: str, *, address: str = STRANGER, **given: Any
    ) -> httpx.Response:
        async with self.client(address) as client:
            return await client.request(method, path, **given)


def refused(answer: httpx.Response, status: int, code: str) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/json"
    value: dict[str, Any] = answer.json()
    assert value["code"] == code
    assert value["advice"][-1] == "."
    assert {"code", "advice"} <= set(value)
    return value


asynchronous = pytest.mark.asyncio


# --- people ---


@asynchronous
async def test_a_person_is_made() -> None:
    """H1"""
    world = World()
    answer = await world.post("/api/people", {"name": "  Bea  Lee ", "colour": 11})
    assert answer.status_code == 201
    made = answer.json()
    assert set(made) == {"person", "name", "colour", "token"}
    assert (made["name"], made["colour"]) == ("Bea Lee", 11)
    assert SIGNER.read_person(made["token"]) == Person(made["person"], "Bea Lee", 11)
    other = await world.post("/api/people", {"name": "Bea Lee", "colour": 11})
    assert other.json()["person"] != made["person"]
    assert answer.headers["cache-control"] == "no-store"


@asynchronous
@pytest.mark.parametrize("name", ["", "   ", "x" * 25, "a\nb", "\u202eAnn", "\u200b"])
async def test_bad_names(name: str) -> None:
    """H1"""
    refused(await World().post("/api/people", {"name": name, "colour": 0}), 422, "BAD_NAME")


@asynchronous
@pytest.mark.parametrize(
    "body",
    [
        {},
        {"name": "Ann"},
        {"name": "Ann", "colour": 12},
        {"name": "Ann", "colour": -1},
        {"name": "Ann", "colour": "1"},
        {"name": "Ann", "colour": 1.5},
        {"name": "Ann", "colour": True},
        {"name": 7, "colour": 1},
        {"name": None, "colour": 1},
        {"name": "x" * 300, "colour": 1},
        {"name": "Ann", "colour": 1, "person": "p-bea"},
        [],
        "Ann",
        7,
    ],
    ids=repr,
)
async def test_bad_fields(body: Any) -> None:
    """H8"""
    refused(await World().post("/api/people", body), 422, "BAD_FIELD")


@asynchronous
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b'{"name":"Ann","colour":NaN}',
        b"\xff\xfe",
        b'{"name":"\xff","colour":1}',
        b'{"name":"Ann","colour":1}{}',
    ],
    ids=lambda body: repr(body[:20]),
)
async def test_what_is_no_json(body: bytes) -> None:
    """H8"""
    answer = await World().post("/api/people", content=body, headers={"content-type": "application/json"})
    refused(answer, 400, "BAD_JSON")


@asynchronous
@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "", "application/jsonp"])
async def test_another_content_type(kind: str) -> None:
    """H8: a form of a foreign page cannot send what this takes without asking first (CORS)."""
    answer = await World().post("/api/people", content=b"{}", headers={"content-type": kind})
    refused(answer, 415, "NOT_JSON")


@asynchronous
async def test_large_bodies() -> None:
    """H8: by the length it says, and by what comes when it says none."""
    world = World()
    headers = {"content-type": "application/json; charset=utf-8"}
    fits = b'{"name":"Ann","colour":1}'.ljust(LARGEST_BODY)
    assert (await world.post("/api/people", content=fits, headers=headers)).status_code == 201
    refused(await world.post("/api/people", content=fits + b" ", headers=headers), 413, "TOO_LARGE")
    sent = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal sent
        while True:
            sent += 1000
            yield b" " * 1000

    refused(await world.post("/api/people", content=endless(), headers=headers), 413, "TOO_LARGE")
    assert sent <= LARGEST_BODY + 2000
    for length in ("x", "-1", "1e3", "9" * 30):
        answer = await world.post("/api/people", content=b"{}", headers={**headers, "content-length": length})
        refused(answer, 413, "TOO_LARGE")


@asynchronous
async def test_a_body_that_does_not_come() -> None:
    """H8"""
    world = World(body_seconds=0)

    async def never() -> AsyncIterator[bytes]:
        yield b"{"
        await asyncio.Event().wait()

    answer = await world.post("/api/people", content=never(), headers={"content-type": "application/json"})
    refused(answer, 408, "TOO_SLOW")


# --- games ---


@asynchronous
async def test_games() -> None:
    """H2"""
    (toy,) = (await World().get("/api/games")).json()
    assert (toy["key"], toy["title"], toy["seats"], toy["minutes"]) == ("toy", "Toy", [2, 3], [1, 1])
    assert toy["bots"] == ["easy", "hard"]
    assert toy["texts"] == {"title": "Toy"}
    schema = toy["options"]["$defs"]["ToyOptions"]
    assert schema["properties"]["sides"] == {"type": "integer", "default": 6}


@asynchronous
async def test_the_registrys_games_can_be_described() -> None:
    """H2: an options type without a JSON schema would keep a hub from starting."""
    world = World()
    real = Api(world.rooms, GAMES, SIGNER, world.metrics)
    app = application(real, world.metrics)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://hub") as client:
        answer = await client.get("/api/games")
        games = answer.json()
        again = await client.get("/api/games", headers={"if-none-match": answer.headers["etag"]})
        plain = await client.get("/api/games", headers={"accept-encoding": "identity"})
    assert [game["key"] for game in games] == list(GAMES)
    for game in games:
        texts = game["texts"]
        assert texts["title"] == game["title"]
        assert set(texts["lines"]) == set(GAMES[game["key"]].game.texts.lines)
        assert texts["refusals"]["SEATS"] == "This game is for {least} to {most} players."
        assert "ui" not in texts
    assert answer.headers["content-encoding"] == "gzip"
    assert plain.json() == games
    assert "content-encoding" not in plain.headers
    assert len(plain.content) < 128 * 1024
    assert (again.status_code, again.content) == (304, b"")


@asynchronous
async def test_the_public_key() -> None:
    """T5"""
    answer = (await World().get("/api/key")).json()
    public = SIGNER.record_key().public_key().public_bytes_raw()
    assert answer == {"algorithm": "Ed25519", "key": public.hex()}


# --- rooms ---

NEW = {"game": "toy", "seats": 2}


@asynchronous
async def test_a_room_is_made() -> None:
    """H3"""
    world = World()
    body = {**NEW, "options": {"sides": 4}, "open": True, "play_now": True, "bots": "hard"}
    answer = await world.post("/api/rooms", body, headers=BEARER)
    assert answer.status_code == 201
    made = answer.json()
    assert set(made) == {"room", "code", "seat", "ticket", "socket"}
    assert (made["room"], made["code"], made["seat"]) == (ROOM, CODE, 0)
    assert made["socket"] == f"ws://hub.example:8420/ws/{ROOM}"
    expected = Ticket(ROOM, 0, ANN.id, ANN.name, ANN.colour, 1, int(WALL))
    assert SIGNER.read_ticket(made["ticket"], WALL) == expected
    assert world.rooms.asked == [("create", ANN, "toy", 2, {"sides": 4}, True, True, "hard")]


@asynchronous
async def test_defaults_of_a_new_room() -> None:
    world = World()
    assert (await world.post("/api/rooms", NEW, headers=BEARER)).status_code == 201
    assert world.rooms.asked == [("create", ANN, "toy", 2, {}, False, False, None)]


@asynchronous
@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"game": "chess"}, "NO_SUCH_GAME"),
        ({"seats": 1}, "BAD_SEATS"),
        ({"seats": 4}, "BAD_SEATS"),
        ({"bots": "godlike"}, "NO_SUCH_LEVEL"),
        ({"seats": 0}, "BAD_FIELD"),
        ({"seats": 100}, "BAD_FIELD"),
        ({"options": []}, "BAD_FIELD"),
        ({"options": None}, "BAD_FIELD"),
        ({"open": 1}, "BAD_FIELD"),
        ({"more": 1}, "BAD_FIELD"),
        ({"game": "x" * 65}, "BAD_FIELD"),
    ],
)
async def test_what_room_cannot_be_made(change: dict[str, Any], code: str) -> None:
    """H3"""
    world = World()
    refused(await world.post("/api/rooms", {**NEW, **change}, headers=BEARER), 422, code)
    assert world.rooms.asked == []


@asynchronous
async def test_options_nested_without_end() -> None:
    """H8"""
    body = b'{"game":"toy","seats":2,"options":{"sides":' + b"[" * 9000 + b"]" * 4000
    headers = {**BEARER, "content-type": "application/json"}
    refused(await World().post("/api/rooms", content=body, headers=headers), 400, "BAD_JSON")


@asynchronous
async def test_bad_options() -> None:
    """H3: the game's own refusal, with its rule and what its sentence needs."""
    world = World()
    world.rooms.answer = BadOptions(
        Refusal("ONE_SIDE", "TOY-1", {"least": 2}), "a die has two sides at least."
    )
    answer = await world.post("/api/rooms", NEW, headers=BEARER)
    refusal = refused(answer, 422, "ONE_SIDE")
    assert (refusal["rule"], refusal["args"]) == ("TOY-1", {"least": 2})


@asynchronous
async def test_lobby_and_room() -> None:
    """H4"""
    world = World()
    assert (await world.get("/api/rooms")).json() == {"rooms": [{"room": ROOM}]}
    for name in (ROOM, CODE, CODE.lower()):
        assert (await world.get(f"/api/rooms/{name}")).json()["room"] == ROOM
    for name in ("nothing", "ZZZZZZ", "Z" * 22, "x" * 5000, "%00", "%2e%2e"):
        refused(await world.get(f"/api/rooms/{name}"), 404, "NO_SUCH_ROOM")


@asynchronous
@pytest.mark.parametrize("name", [ROOM, CODE, CODE.lower()])
async def test_entering(name: str) -> None:
    """H5"""
    world = World()
    place = (await world.post(f"/api/rooms/{name}/enter", headers=BEARER)).json()
    assert set(place) == {"seat", "ticket", "socket"}
    assert place["seat"] is None
    expected = Ticket(ROOM, None, ANN.id, ANN.name, ANN.colour, 0, int(WALL))
    assert SIGNER.read_ticket(place["ticket"], WALL) == expected
    assert world.rooms.asked[-1] == ("enter", ROOM, ANN)


@asynchronous
async def test_entering_a_table_one_sits_at() -> None:
    """H5"""
    world = World()
    world.rooms.answer = Placed(ROOM, CODE, 1, 9)
    place = (await world.post(f"/api/rooms/{ROOM}/enter", headers=BEARER)).json()
    assert place["seat"] == 1
    ticket = SIGNER.read_ticket(place["ticket"], WALL)
    assert isinstance(ticket, Ticket)
    assert (ticket.seat, ticket.seat_generation) == (1, 9)


@asynchronous
async def test_sitting_down() -> None:
    """H6"""
    world = World()
    place = (await world.post(f"/api/rooms/{ROOM}/seats/1", headers=BEARER)).json()
    assert place["seat"] == 1
    assert world.rooms.asked == [("sit", ROOM, ANN, 1)]
    world.rooms.answer = RefusedPlace("SEAT_TAKEN", "Somebody else sits there.")
    refused(await world.post(f"/api/rooms/{ROOM}/seats/1", headers=BEARER), 409, "SEAT_TAKEN")
    world.rooms.answer = RefusedPlace("NO_SUCH_SEAT", "This table has no such seat.")
    refused(await world.post(f"/api/rooms/{ROOM}/seats/7", headers=BEARER), 404, "NO_SUCH_SEAT")
    for seat in ("-1", "x", "1.0", ""):
        refused(await world.post(f"/api/rooms/{ROOM}/seats/{seat}", headers=BEARER), 404, "NOT_FOUND")


@asynchronous
@pytest.mark.parametrize("path", ["/api/rooms", f"/api/rooms/{ROOM}/enter", f"/api/rooms/{ROOM}/seats/0"])
@pytest.mark.parametrize(
    ("header", "code"),
    [
        (None, "NO_TOKEN"),
        ("", "NO_TOKEN"),
        ("Basic YTpi", "NO_TOKEN"),
        ("Bearer", "BAD_TOKEN"),
        ("Bearer x", "BAD_TOKEN"),
        (BEARER["authorization"] + "x", "BAD_TOKEN"),
        (f"Bearer {Signer(bytes(32)).person_token(ANN)}", "BAD_TOKEN"),
        (f"Bearer {SIGNER.ticket(Ticket(ROOM, 0, ANN.id, 'Ann', 1, 1, int(WALL)))}", "BAD_TOKEN"),
    ],
)
async def test_who_are_you(path: str, header: str | None, code: str) -> None:
    """H7: no token, a forged one, a ticket in its place; the answer does not say what is wrong with it."""
    world = World()
    headers = {} if header is None else {"authorization": header}
    answer = await world.post(path, NEW, headers=headers)
    refused(answer, 401, code)
    assert answer.headers["www-authenticate"] == "Bearer"
    assert world.rooms.asked == []


@asynchronous
@pytest.mark.parametrize(
    ("answer", "status", "code"),
    [
        (NoSuchRoom(), 404, "NO_SUCH_ROOM"),
        (Elsewhere("https://b.example"), 409, "MOVED"),
        (Unavailable("The store cannot be reached."), 503, "UNAVAILABLE"),
    ],
)
@pytest.mark.parametrize("path", ["/api/rooms", f"/api/rooms/{ROOM}/enter", f"/api/rooms/{ROOM}/seats/0"])
async def test_what_rooms_answer_instead(path: str, answer: Exception, status: int, code: str) -> None:
    """H8"""
    world = World()
    world.rooms.answer = answer
    value = refused(await world.post(path, NEW, headers=BEARER), status, code)
    if code == "MOVED":
        assert value["url"] == "https://b.example"


@asynchronous
async def test_the_public_address_is_used_where_there_is_one() -> None:
    world = World(public_url="https://play.example.org")
    place = (await world.post(f"/api/rooms/{ROOM}/enter", headers=BEARER)).json()
    assert place["socket"] == f"wss://play.example.org/ws/{ROOM}"


# --- records ---


@asynchronous
async def test_records() -> None:
    """H6"""
    world = World()
    plain = b'{"parley_record":1}\n' * 50
    for kept in (plain, gzip.compress(plain)):
        world.rooms.answer = kept
        for coding in ("gzip", "identity"):
            answer = await world.get(f"/api/rooms/{ROOM}/record", headers={"accept-encoding": coding})
            assert answer.status_code == 200
            assert answer.content == plain
            assert "attachment" in answer.headers["content-disposition"]
    world.rooms.answer = "running"
    refused(await world.get(f"/api/rooms/{ROOM}/record"), 409, "STILL_RUNNING")
    world.rooms.answer = None
    refused(await world.get(f"/api/rooms/{ROOM}/record"), 404, "NO_RECORD")
    refused(await world.get("/api/rooms/ZZZZZZ/record"), 404, "NO_SUCH_ROOM")


# --- operators ---


@asynchronous
async def test_health_and_readiness() -> None:
    """H9"""
    world = World()
    assert (await world.get("/healthz")).status_code == 200
    assert (await world.get("/readyz")).status_code == 200
    world.rooms.problem = "the store does not answer."
    assert refused(await world.get("/readyz"), 503, "STORE")["advice"] == "the store does not answer."
    world.rooms.is_draining = True
    refused(await world.get("/readyz"), 503, "DRAINING")
    assert (await world.get("/healthz")).status_code == 200


@asynchronous
async def test_metrics() -> None:
    world = World()
    await world.get("/api/games")
    await world.get("/nothing")
    answer = await world.get("/metrics", address="127.0.0.1")
    assert answer.headers["content-type"].startswith("text/plain")
    assert 'parley_http_requests_total{status="200"} 1.0' in answer.text
    assert 'parley_http_requests_total{status="404"} 1.0' in answer.text


@asynchronous
async def test_figures_are_for_the_operator_alone() -> None:
    """G4: on a quiet hub a count that moves tells that somebody drafts."""
    here = {"address": "127.0.0.1"}
    refused(await World().get("/metrics"), 403, "FIGURES_CLOSED")
    refused(await World(public_url="https://play.example").get("/metrics", **here), 403, "FIGURES_CLOSED")
    passed_on = {"x-forwarded-for": "127.0.0.1"}  # whatever a client made of it, a proxy asks
    refused(await World().get("/metrics", headers=passed_on, **here), 403, "FIGURES_CLOSED")
    world = World(public_url="https://play.example", metrics_token="prometheus-only-1")
    refused(await world.get("/metrics", **here), 401, "BAD_TOKEN")
    wrong = {"authorization": "Bearer prometheus-only-2"}
    refused(await world.get("/metrics", headers=wrong), 401, "BAD_TOKEN")
    right = {"authorization": "Bearer prometheus-only-1"}
    assert (await world.get("/metrics", headers=right)).status_code == 200


# --- errors, whatever they are ---


@asynchronous
@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/nothing", 404, "NOT_FOUND"),
        ("POST", "/nothing", 404, "NOT_FOUND"),
        ("GET", "/api", 404, "NOT_FOUND"),
        ("GET", "/api/nothing", 404, "NOT_FOUND"),
        ("DELETE", "/api/nothing", 404, "NOT_FOUND"),
        ("GET", "/api/games/", 404, "NOT_FOUND"),
        ("GET", "/api/people", 405, "METHOD_NOT_ALLOWED"),
        ("DELETE", "/api/rooms", 405, "METHOD_NOT_ALLOWED"),
        ("PUT", f"/api/rooms/{ROOM}", 405, "METHOD_NOT_ALLOWED"),
        ("GET", f"/api/rooms/{ROOM}/enter", 405, "METHOD_NOT_ALLOWED"),
        ("POST", "/", 405, "METHOD_NOT_ALLOWED"),
        ("POST", "/healthz", 405, "METHOD_NOT_ALLOWED"),
        ("BREW", "/api/games", 405, "METHOD_NOT_ALLOWED"),
    ],
)
async def test_wrong_addresses_and_methods(method: str, path: str, status: int, code: str) -> None:
    """H8"""
    answer = await World().prompt(method, path)
    refused(answer, status, code)
    if status == 405:
        assert answer.headers["allow"]


@asynchronous
async def test_a_defect_is_told_in_the_log_and_not_to_the_outside() -> None:
    """H8"""
    world = World()
    world.rooms.answer = KeyError("bid 7")
    said = io.StringIO()
    log.configure(stream=said, pretty=False)
    answer = await world.post("/api/rooms", NEW, headers=BEARER)
    refused(answer, 500, "DEFECT")
    assert "bid 7" not in answer.text
    assert "KeyError" in said.getvalue()
    assert "bid 7" not in said.getvalue()


@asynchronous
@pytest.mark.parametrize("host", ["", "[", "a b", "evil.example", "x:y", "x" * 3000, "\u00e4"])
async def test_strange_hosts(host: str) -> None:
    """H8"""
    headers = {**BEARER, "host": host.encode("latin-1")}
    answer = await World().post(f"/api/rooms/{ROOM}/enter", headers=headers)
    assert answer.status_code in (200, 400)


# --- headers ---


@asynchronous
@pytest.mark.parametrize("path", ["/", "/api/games", "/nothing", "/metrics", "/api/people"])
async def test_security_headers_everywhere(path: str) -> None:
    """H10"""
    headers = (await World().get(path)).headers
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == "'self'"
    assert policy["style-src"] == "'self'"
    assert policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"
    assert policy["base-uri"] == "'none'"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-frame-options"] == "DENY"


@asynchronous
async def test_a_browser_at_an_address_of_nothing(tmp_path: Path) -> None:
    """H10, H12"""
    (tmp_path / "index.html").write_text("the page")
    world = World(web=tmp_path)
    browser = {"accept": "text/html,*/*;q=0.8"}
    answer = await world.get("/nothing", headers=browser)
    assert (answer.status_code, answer.text) == (404, "the page")
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    assert answer.headers["x-content-type-options"] == "nosniff"
    refused(await world.get("/nothing"), 404, "NOT_FOUND")
    refused(await world.get("/api/nothing", headers=browser), 404, "NOT_FOUND")
    refused(await world.get("/api/people", headers=browser), 405, "METHOD_NOT_ALLOWED")
    refused(await world.post("/nothing", headers=browser), 404, "NOT_FOUND")
    refused(await world.post("/healthz", headers=browser), 405, "METHOD_NOT_ALLOWED")


@asynchronous
async def test_security_headers_of_a_defect() -> None:
    """H10: the answer of last resort is made outside the middleware of the application."""
    world = World()
    world.rooms.answer = RuntimeError()
    log.configure(stream=io.StringIO())
    answer = await world.get("/api/rooms")
    refused(answer, 500, "DEFECT")
    assert answer.headers["x-content-type-options"] == "nosniff"


@asynchronous
async def test_foreign_pages() -> None:
    """H10: no page of another origin may read an answer, unless the operator named it."""
    asking = {"origin": "https://a.example", "access-control-request-method": "POST"}
    asking["access-control-request-headers"] = "authorization,content-type"
    strict = World()
    assert "access-control-allow-origin" not in (await strict.get("/api/games", headers=asking)).headers
    assert (await strict.prompt("OPTIONS", "/api/rooms", headers=asking)).status_code == 405
    world = World(origins=("https://a.example",))
    answer = await world.prompt("OPTIONS", "/api/rooms", headers=asking)
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == "https://a.example"
    other = {**asking, "origin": "https://b.example"}
    assert (await world.prompt("OPTIONS", "/api/rooms", headers=other)).status_code == 400
    policy = (await world.get("/")).headers["content-security-policy"]
    assert "connect-src 'self' https://a.example wss://a.example;" in policy


# --- limits ---


@asynchronous
async def test_one_address_may_ask_only_so_much() -> None:
    """H11"""
    world = World()
    async with world.client() as client:
        answers = [(await client.get("/api/rooms")).status_code for _ in range(300)]
        assert answers[:200] == [200] * 200
        assert answers[200:] == [429] * 100
        answer = await client.get("/api/rooms")
        refused(answer, 429, "SLOW_DOWN")
        assert answer.headers["retry-after"] == "1"
        world.now += 1
        assert (await client.get("/api/rooms")).status_code == 200
    assert (await world.get("/api/rooms", address="203.0.113.8")).status_code == 200


@asynchronous
async def test_addresses_of_one_ipv6_network_are_one() -> None:
    """H11"""
    world = World()
    for i in range(200):
        assert (await world.get("/api/rooms", address=f"2001:db8::{i:x}")).status_code == 200
    refused(await world.get("/api/rooms", address="2001:db8::ffff"), 429, "SLOW_DOWN")
    assert (await world.get("/api/rooms", address="2001:db8:0:1::1")).status_code == 200


@asynchronous
@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
async def test_this_machine_is_not_limited_by_address(address: str) -> None:
    """H11: it is the owner's, or a proxy's that does its own limiting."""
    world = World()
    async with world.client(address) as client:
        assert {(await client.get("/api/rooms")).status_code for _ in range(250)} == {200}


@asynchronous
async def test_one_person_may_make_only_so_many_tables() -> None:
    """H11: wherever it asks from."""
    world = World()
    async with world.client("127.0.0.1") as client:
        made = [(await client.post("/api/rooms", json=NEW, headers=BEARER)).status_code for _ in range(21)]
    assert made == [201] * 20 + [429]
    refused(await world.post("/api/rooms", NEW, headers=BEARER, address="203.0.113.8"), 429, "SLOW_DOWN")


def test_limits_remember_only_so_many() -> None:
    """H11: a flood of addresses costs no memory."""
    limiter = Limiter(rate=1, burst=2, keys=100)
    for i in range(10_000):
        assert limiter.take(f"k{i}", 0) == 0
    assert len(limiter) == 100


def test_a_limit_fills_again() -> None:
    limiter = Limiter(rate=2, burst=3)
    assert [limiter.take("a", 0) for _ in range(4)] == [0, 0, 0, 0.5]
    assert limiter.take("a", 0.25) == 0.25
    assert limiter.take("a", 0.5) == 0
    assert [limiter.take("a", 100) for _ in range(4)] == [0, 0, 0, 0.5]


# --- names of rooms ---


def test_room_ids_and_codes() -> None:
    assert len(room_id(bytes(range(16)))) == 22
    assert room_code(bytes(8)) != room_code(bytes([255] * 8))
    assert set(room_code(bytes(range(8)))) <= set(CODE_ALPHABET)
    assert not set(CODE_ALPHABET) & set("AEIOUY0123456789")
    with pytest.raises(ValueError, match="16 bytes"):
        room_id(bytes(15))
    with pytest.raises(ValueError, match="8 bytes"):
        room_code(bytes(7))


def test_the_toy_is_a_registry() -> None:
    assert isinstance(registry()["toy"], api.Registration)
    assert msgspec.json.schema(registry()["toy"].game.Options)
