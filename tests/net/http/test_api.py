"""The HTTP API: what each route returns; every error is a code with advice (H1..H13 of SPEC.md)."""

from __future__ import annotations

import gzip
from typing import Any

import httpx
import msgspec
import pytest

from games import GAMES, api
from games.api import Refusal
from hub.net.http.api import Api, application
from hub.runtime.placement import (
    BadOptions,
    GameEnded,
    NoSuchRoom,
    OtherVersion,
    Placed,
    RefusedPlace,
    Unavailable,
)
from hub.wire.tickets import Person, Signer, Ticket
from tests.harness.defaults import DEFAULTS, make_request_limits
from tests.net.http.world import (
    ANN,
    BEARER,
    BROKEN_HOSTS,
    CODE,
    ELSEWHERE,
    LOOPBACK,
    NEW,
    PROXIED,
    ROOM,
    SIGNER,
    STRANGER,
    WALL,
    World,
    asynchronous,
    refused,
)
from tests.toy import registry

# --- people ---


@asynchronous
async def test_a_person_is_made() -> None:
    """H1"""
    world = World()
    answer = await world.post("/api/people", {"name": "  Bea  Lee ", "colour": 11})
    assert answer.status_code == 201
    person = answer.json()
    assert set(person) == {"person", "name", "colour", "token"}
    assert (person["name"], person["colour"]) == ("Bea Lee", 11)
    assert SIGNER.read_person(person["token"], WALL) == Person(
        person["person"], "Bea Lee", 11, int(WALL), since=int(WALL)
    )
    other = await world.post("/api/people", {"name": "Bea Lee", "colour": 11})
    assert other.json()["person"] != person["person"]
    assert answer.headers["cache-control"] == "no-store"


@asynchronous
@pytest.mark.parametrize("name", ["", "   ", "x" * 25, "a\nb", "\u202eAnn", "\u200b"])
async def test_bad_names(name: str) -> None:
    """H1"""
    refused(await World().post("/api/people", {"name": name, "colour": 0}), 422, "BAD_NAME")


@asynchronous
async def test_the_operators_name_is_reserved() -> None:
    """T6: in whatever letters it is written, the Cyrillic ones among them."""
    for name in ("Operator", "OPERATOR", "0perat0r", "\u041e\u0440er\u0430tor", "Operator 2", "[Operator]"):
        refused(await World().post("/api/people", {"name": name, "colour": 0}), 422, "NAME_RESERVED")
    for name in ("Operetta", "Smooth Operator", "Opera"):
        assert (await World().post("/api/people", {"name": name, "colour": 0})).status_code == 201


# --- games ---


@asynchronous
async def test_games() -> None:
    """H2"""
    (toy,) = (await World().get("/api/games")).json()
    assert (toy["key"], toy["title"], toy["seats"], toy["minutes"]) == ("toy", "Toy", [2, 3], [1, 1])
    assert toy["bots"] == ["easy", "hard"]
    assert toy["rounds"] is False
    assert toy["texts"] == {"title": "Toy"}
    (lean,) = (await World().get("/api/games?texts=false")).json()
    assert lean == {name: value for name, value in toy.items() if name != "texts"}
    refused(await World().get("/api/games?texts=some"), 422, "BAD_FIELD")
    schema = toy["options"]["$defs"]["ToyOptions"]
    assert schema["properties"]["sides"] == {"type": "integer", "default": 6}


@asynchronous
async def test_the_registrys_games_can_be_described() -> None:
    """H2: a hub could not start with an options type that has no JSON schema."""
    world = World()
    real = Api(world.rooms, GAMES, SIGNER, world.metrics, limits=make_request_limits())
    app = application(real, world.metrics)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost") as client:
        answer = await client.get("/api/games")
        games = answer.json()
        again = await client.get("/api/games", headers={"if-none-match": answer.headers["etag"]})
        plain = await client.get("/api/games", headers={"accept-encoding": "identity"})
        remarks = (await client.get("/api/remarks")).json()
    assert [game["key"] for game in games] == list(GAMES)
    assert {key: set(remarks[key]) for key in remarks} == {
        key: set(registration.game.texts.remarks) for key, registration in GAMES.items()
    }
    for game in games:
        texts = game["texts"]
        assert texts["title"] == game["title"]
        assert set(texts["lines"]) == set(GAMES[game["key"]].game.texts.lines)
        assert texts["refusals"]["SEATS"] == "This game is for {least} to {most} players."
        assert "ui" not in texts
        assert "remarks" not in texts
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


@asynchronous
async def test_addresses_for_other_devices() -> None:
    """H13"""
    urls = ["http://192.168.7.7:8420"]
    world = World(network_urls=lambda: urls)

    async def addresses(address: str, host: str, **headers: str) -> list[str]:
        answer = await world.get("/api/addresses", address=address, headers={"host": host, **headers})
        listed: list[str] = answer.json().get("addresses", [])
        assert answer.json().get("local", False) == (listed != [])
        assert listed == [] or answer.status_code == 200
        return listed

    for host in LOOPBACK:
        assert await addresses("127.0.0.1", host) == urls, host
        assert await addresses("::ffff:127.0.0.1", host) == urls, host
        assert await addresses(STRANGER, host) == [], "a stranger gets none"
    for host in ELSEWHERE:
        assert await addresses("127.0.0.1", host) == [], host
    for name in PROXIED:
        assert await addresses("127.0.0.1", "localhost:8420", **{name: "127.0.0.1"}) == [], name


# --- rooms ---


@asynchronous
async def test_a_room_is_made() -> None:
    """H3"""
    world = World()
    settings = {"open": True, "play_now": True, "bots": "hard", "grace": "3min", "watch_delay": "2min"}
    settings["without_seat"] = True
    body = {**NEW, "options": {"sides": 4}, **settings}
    answer = await world.post("/api/rooms", body, headers=BEARER)
    assert answer.status_code == 201
    placed = answer.json()
    assert set(placed) == {"room", "code", "seat", "hosting", "ticket", "socket"}
    assert (placed["room"], placed["code"], placed["seat"]) == (ROOM, CODE, 0)
    assert placed["socket"] == f"ws://hub.example:8420/ws/{ROOM}"
    expected = Ticket(ROOM, 0, ANN.id, ANN.name, ANN.colour, 1, int(WALL), ANN.since)
    assert SIGNER.read_ticket(placed["ticket"], WALL) == expected
    asked = ("create", ANN, "toy", 2, {"sides": 4}, True, True, "hard", "3min", "2min", True, STRANGER)
    assert world.rooms.asked == [asked]


@asynchronous
async def test_defaults_of_a_new_room() -> None:
    world = World()
    assert (await world.post("/api/rooms", NEW, headers=BEARER)).status_code == 201
    assert world.rooms.asked == [
        ("create", ANN, "toy", 2, {}, False, False, None, None, "none", False, STRANGER)
    ]


@asynchronous
@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"seats": 0}, "BAD_FIELD"),
        ({"seats": 100}, "BAD_FIELD"),
        ({"options": []}, "BAD_FIELD"),
        ({"options": None}, "BAD_FIELD"),
        ({"open": 1}, "BAD_FIELD"),
        ({"more": 1}, "BAD_FIELD"),
        ({"game": "x" * 65}, "BAD_FIELD"),
    ],
)
async def test_rooms_that_cannot_be_created(change: dict[str, Any], code: str) -> None:
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
    """H3: the response is the game's own refusal, with its rule and the arguments for its text."""
    world = World()
    world.rooms.answer = BadOptions(
        Refusal("ONE_SIDE", "TOY-1", {"least": 2}), "a die has two sides at least."
    )
    answer = await world.post("/api/rooms", NEW, headers=BEARER)
    refusal = refused(answer, 422, "ONE_SIDE")
    assert (refusal["rule"], refusal["args"]) == ("TOY-1", {"least": 2})


@asynchronous
async def test_bad_options_without_a_rule() -> None:
    """H3: only a code and a sentence are sent."""
    world = World()
    world.rooms.answer = BadOptions(Refusal("NO_SUCH_GAME", ""), "This hub has these games: toy.")
    answer = await world.post("/api/rooms", {**NEW, "game": "chess"}, headers=BEARER)
    assert refused(answer, 422, "NO_SUCH_GAME") == {
        "code": "NO_SUCH_GAME",
        "advice": "This hub has these games: toy.",
    }


@asynchronous
async def test_lobby_and_room() -> None:
    """H4"""
    world = World()
    assert (await world.get("/api/rooms")).json() == {"rooms": [{"room": ROOM}], "total": 1}
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
    assert set(place) == {"seat", "hosting", "ticket", "socket"}
    assert place["seat"] is None
    expected = Ticket(ROOM, None, ANN.id, ANN.name, ANN.colour, 0, int(WALL), ANN.since)
    assert SIGNER.read_ticket(place["ticket"], WALL) == expected
    assert world.rooms.asked[-1] == ("enter", name.upper() if len(name) == len(CODE) else name, ANN)


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
    for seat in ("-1", "x", "1.0", "", "9" * 5000):
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
        (f"Bearer {Signer(bytes(32), DEFAULTS.token_days).person_token(ANN)}", "BAD_TOKEN"),
        (f"Bearer {SIGNER.ticket(Ticket(ROOM, 0, ANN.id, 'Ann', 1, 1, int(WALL)))}", "BAD_TOKEN"),
    ],
)
async def test_requests_without_a_valid_token(path: str, header: str | None, code: str) -> None:
    """H7: with no token, a forged one, or a ticket instead; the response does not say which."""
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
        (OtherVersion(), 410, "OTHER_VERSION"),
        (GameEnded(), 410, "GAME_ENDED"),
        (Unavailable("The store cannot be reached."), 503, "UNAVAILABLE"),
    ],
)
@pytest.mark.parametrize("path", ["/api/rooms", f"/api/rooms/{ROOM}/enter", f"/api/rooms/{ROOM}/seats/0"])
async def test_errors_of_the_rooms_become_http_errors(
    path: str, answer: Exception, status: int, code: str
) -> None:
    """H8"""
    world = World()
    world.rooms.answer = answer
    refused(await world.post(path, NEW, headers=BEARER), status, code)


@asynchronous
async def test_the_public_address_is_used_where_there_is_one() -> None:
    world = World(public_url="https://play.example.org")
    place = (await world.post(f"/api/rooms/{ROOM}/enter", headers=BEARER)).json()
    assert place["socket"] == f"wss://play.example.org/ws/{ROOM}"


@asynchronous
@pytest.mark.parametrize("path", ["/api/rooms", f"/api/rooms/{ROOM}/enter", f"/api/rooms/{ROOM}/seats/0"])
async def test_a_host_that_cannot_be_part_of_an_address(path: str) -> None:
    """H8: nothing is done for a request whose response would contain a broken address."""
    for host in BROKEN_HOSTS:
        world = World()
        refused(
            await world.post(path, NEW, headers={**BEARER, "host": host.encode("latin-1")}), 400, "BAD_HOST"
        )
        assert world.rooms.asked == []
        public = World(public_url="https://play.example.org")
        answer = await public.post(path, NEW, headers={**BEARER, "host": host.encode("latin-1")})
        assert answer.json()["socket"] == f"wss://play.example.org/ws/{ROOM}"


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


@asynchronous
async def test_a_record_for_the_people_who_played() -> None:
    """H6: the rooms decide, given the person whose token was sent."""
    world = World()
    world.rooms.answer = b'{"parley_record":1}\n'
    assert (await world.get(f"/api/rooms/{ROOM}/record")).status_code == 200
    assert (await world.get(f"/api/rooms/{ROOM}/record", headers=BEARER)).status_code == 200
    assert [asked for asked in world.rooms.asked if asked[0] == "record"] == [
        ("record", ROOM, None),
        ("record", ROOM, ANN.id),
    ]
    forged = {"authorization": "Bearer x"}
    refused(await world.get(f"/api/rooms/{ROOM}/record", headers=forged), 401, "BAD_TOKEN")
    world.rooms.answer = "closed"
    answer = await world.get(f"/api/rooms/{ROOM}/record")
    refused(answer, 401, "NO_TOKEN")
    assert answer.headers["www-authenticate"] == "Bearer"
    refused(await world.get(f"/api/rooms/{ROOM}/record", headers=BEARER), 403, "RECORD_CLOSED")


# --- operators ---


@asynchronous
async def test_health_and_readiness() -> None:
    """H9"""
    world = World()
    assert (await world.get("/healthz")).status_code == 200
    assert (await world.get("/readyz")).status_code == 200
    world.rooms.problem = "the store does not answer."
    assert refused(await world.get("/readyz"), 503, "STORE")["advice"] == "the store does not answer."
    world.rooms.draining = True
    assert "to another hub" in refused(await world.get("/readyz"), 503, "DRAINING")["advice"]
    assert (await world.get("/healthz")).status_code == 200


@asynchronous
async def test_metrics() -> None:
    world = World()
    await world.get("/api/games")
    await world.get("/nothing")
    answer = await world.get("/metrics", address="127.0.0.1", headers={"host": "127.0.0.1"})
    assert answer.headers["content-type"].startswith("text/plain")
    assert 'parley_http_requests_total{status="200"} 1.0' in answer.text
    assert 'parley_http_requests_total{status="404"} 1.0' in answer.text


@asynchronous
async def test_metrics_are_for_the_operator_alone() -> None:
    """G4: on a quiet hub, a changing count would reveal that somebody is drafting a move."""
    local: dict[str, Any] = {"address": "127.0.0.1", "headers": {"host": "localhost:8420"}}
    refused(await World().get("/metrics"), 403, "METRICS_CLOSED")
    refused(await World(public_url="https://play.example").get("/metrics", **local), 403, "METRICS_CLOSED")
    for name in PROXIED:  # whatever its value, the request came through a proxy
        passed_on = {**local, "headers": {**local["headers"], name: "127.0.0.1"}}
        refused(await World().get("/metrics", **passed_on), 403, "METRICS_CLOSED")
    world = World(public_url="https://play.example", metrics_token="prometheus-only-1")
    refused(await world.get("/metrics", **local), 401, "BAD_TOKEN")
    wrong = {"authorization": "Bearer prometheus-only-2"}
    refused(await world.get("/metrics", headers=wrong), 401, "BAD_TOKEN")
    right = {"authorization": "Bearer prometheus-only-1"}
    assert (await world.get("/metrics", headers=right)).status_code == 200


def test_the_toy_is_a_registry() -> None:
    assert isinstance(registry()["toy"], api.Registration)
    assert msgspec.json.schema(registry()["toy"].game.Options)
