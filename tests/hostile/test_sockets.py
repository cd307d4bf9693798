"""Hostile sockets against a real hub: garbage, floods, others' tickets, clients that never read (G8)."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from typing import Any, Final

import httpx
import msgpack  # type: ignore[import-untyped]
import pytest

from hub.wire import codec
from hub.wire import messages as m
from tests.hostile.live_hub import LiveHub, Person, Socket, Table, forged, play, table
from tests.wire_client import Refused, WireClient, client_frame

SETTINGS: Final = {"talk_per_seat": "1000/1000", "talk_of_seats": "1000/1000"}
"""High enough that the limits on talk do not interfere."""
ASYNC = pytest.mark.asyncio

# --- garbage ---

FRAMES: Final = 2_000
CLOSES: Final = {1002, 1003, 1006, 1007, 1009, 4000, 4008}
"""Close codes that a socket may get for sending garbage."""
ERRORS: Final = {*codec.BAD_FRAMES, "HELLO_TWICE", "SLOW_DOWN"}


def real(session: int, n: int, ticket: str) -> list[dict[str, Any]]:
    """Messages as a well-behaved client sends them."""
    command = {"session": session, "n": n}
    return [
        {"t": "hello", "ticket": ticket, "session": session},
        {"t": "ping", "n": n},
        {"t": "note", **command, "text": "dear diary"},
        {"t": "say", **command, "channel": "table", "text": "I bid 3", "to": None},
        {"t": "say", **command, "channel": "table", "phrase": "almost.say.agreed"},
        {"t": "do", **command, "prompt": "bid:1", "move": {"move": "bid", "number": 7}},
        {"t": "do", **command, "prompt": "ready:1", "move": {"move": "ready"}},
        {"t": "do", **command, "prompt": "plan:1", "move": {"move": "propose", "bids": [1, 2, 3]}},
        {"t": "preview", "n": n, "prompt": "bid:1", "move": {"move": "lock", "number": None}},
        {"t": "manage", **command, "act": {"do": "ready", "ready": True}},
        {"t": "manage", **command, "act": {"do": "add_bot", "seat": 1, "level": "easy"}},
        {"t": "manage", **command, "act": {"do": "hand_over", "seat": 1}},
    ]


STRANGE: Final[tuple[Any, ...]] = (
    None,
    True,
    -1,
    2**53,
    2**64 - 1,
    0.5,
    b"\xff",
    "",
    "x" * 5000,
    [],
    [[]],
    {},
    {"t": {}},
)


def mutated(message: dict[str, Any], chance: random.Random) -> bytes:
    """One frame that may be wrong in some way: a value, a field, a byte, the length, the framing."""
    match chance.randrange(8):
        case 0 | 1:
            message = {**message, chance.choice([*message, "extra"]): chance.choice(STRANGE)}
        case 2:
            message = {key: value for key, value in message.items() if key != chance.choice([*message])}
        case 3 if "move" in message:
            message = {**message, "move": {**message["move"], "number": chance.choice(STRANGE)}}
        case _:
            pass
    data = bytearray(msgpack.packb(message))
    match chance.randrange(6):
        case 0:
            for _ in range(chance.randint(1, 4)):
                data[chance.randrange(len(data))] = chance.randrange(256)
        case 1:
            del data[chance.randrange(len(data)) :]
        case 2:
            data += data[chance.randrange(len(data)) :]
        case _:
            pass
    if chance.random() < 0.02:
        return client_frame(bytes(data), chance.choice((0, 1, 3, 9, 10, 11)), reserved=chance.randrange(8))
    if chance.random() < 0.02:
        return client_frame(bytes(data), mask=None)
    return client_frame(bytes(data))


@ASYNC
async def test_fuzzed_frames(live_hub: LiveHub) -> None:
    """G8.1: two thousand damaged frames; each is answered as the protocol says, and the table keeps
    playing."""
    chance = random.Random(1)
    async with live_hub.http() as http:
        sitting = await table(live_hub, http, discussion="untilReady")
        bad = sitting.sockets[2]
        await sitting.sockets[0].command("manage", act={"do": "start"})
        sent = 0
        seen: set[Any] = set()
        while sent < FRAMES:
            session = bad.welcome["session"]
            messages = real(session, sent, sitting.places[2]["ticket"])
            frames = [mutated(chance.choice(messages), chance) for _ in range(16)]
            with contextlib.suppress(ConnectionResetError):
                await bad.wire.say(b"".join(frames))
                await bad.say(t="ping", n=10_000_000 + sent)
            sent += len(frames)
            while True:
                message = await bad.read()
                if isinstance(message, int):
                    assert message in CLOSES
                    seen.add(message)
                    await bad.cut()
                    bad = await Socket.sit(live_hub, sitting.places[2])
                    break
                if message["t"] == "error":
                    assert message["code"] in ERRORS, message
                    assert message["advice"]
                    seen.add(message["code"])
                if message["t"] == "verdict" and "code" in message:
                    assert message["code"] in m.HUB_REFUSALS or message["rule"], message
                if message["t"] == "pong" and message["n"] == 10_000_000 + sent - len(frames):
                    break
        assert {1007, "BAD_FIELDS", "UNKNOWN_KIND", "MALFORMED", "FORBIDDEN_VALUE"} <= seen
        for socket in sitting.sockets[:2]:
            assert "code" not in await socket.command("say", channel="table", text="still here")
        await bad.cut()
        await sitting.leave()


@ASYNC
async def test_a_message_of_a_megabyte_closes_the_socket(live_hub: LiveHub) -> None:
    """G8.1: before hello, after it, and in fragments: closed with 1009, and nothing else happens."""
    async with live_hub.http() as http:
        sitting = await table(live_hub, http)
        for welcomed in (False, True):
            for fin in (True, False):
                bad = await Socket.open(live_hub, sitting.room)
                if welcomed:
                    await bad.hello(sitting.places[1]["ticket"])
                await bad.wire.say(client_frame(b"x" * 2**20, fin=fin))
                assert await bad.until_closed() == 1009
                assert bad.heard[-1]["code"] == "TOO_LARGE"
                await bad.cut()
        assert "code" not in await sitting.sockets[1].command("say", channel="table", text="well")
        await sitting.leave()


@ASYNC
async def test_messages_beyond_the_limits(live_hub: LiveHub) -> None:
    """G8.1: each gets the error that docs/PROTOCOL.md names, and closes its socket."""
    move = {"t": "preview", "n": 1, "prompt": "a"}
    wrong = {
        "a long list": (msgpack.packb({**move, "move": {"a": [0] * 1025}}), "TOO_MANY_VALUES"),
        "a long map": (msgpack.packb({**move, "move": {str(i): 0 for i in range(1025)}}), "TOO_MANY_VALUES"),
        "an integer as key": (msgpack.packb({**move, "move": {1: 2}}), "FORBIDDEN_VALUE"),
        "a list as key": (msgpack.packb({**move, "move": 0})[:-1] + b"\x81\x91\x01\x02", "FORBIDDEN_VALUE"),
        "a key twice": (msgpack.packb({**move, "move": 0})[:-1] + b"\x82\xa1a\1\xa1a\2", "DUPLICATE_KEY"),
    }
    async with live_hub.http() as http:
        sitting = await table(live_hub, http)
        for name, (data, code) in wrong.items():
            for welcomed in (False, True):
                bad = await Socket.open(live_hub, sitting.room)
                if welcomed:
                    await bad.hello(sitting.places[1]["ticket"])
                await bad.wire.send(data)
                assert await bad.until_closed() == 1007, name
                assert bad.heard[-1]["code"] == code, name
                await bad.cut()
        await sitting.leave()


# --- floods ---


@ASYNC
async def test_a_flood_hurts_only_its_seat(live_hub: LiveHub) -> None:
    """G8.2, G8.3: six sockets for one seat send as fast as they can. They are warned, then closed; nobody
    else has to wait or is refused."""
    async with live_hub.http() as http:
        sitting = await table(live_hub, http)
        bad = [await Socket.sit(live_hub, sitting.places[2]) for _ in range(6)]

        async def flood(socket: Socket) -> None:
            session = socket.welcome["session"]
            say = {"t": "say", "session": session, "channel": "table", "text": "spam"}
            frames = [client_frame(msgpack.packb({**say, "n": n})) for n in range(400)]
            with contextlib.suppress(ConnectionResetError):
                await socket.wire.say(b"".join(frames))
            assert await socket.until_closed() in (4008, 1006)
            codes = {message.get("code") for message in socket.heard if message["t"] == "verdict"}
            assert codes <= {None, "SLOW_DOWN", "BUSY", "TOO_OLD"}
            assert "SLOW_DOWN" in codes

        async def speak(socket: Socket) -> None:
            for _ in range(20):
                assert "code" not in await socket.command("say", channel="table", text="never mind them")

        await asyncio.gather(*map(flood, bad), *map(speak, sitting.sockets[:2]))
        for socket in bad:
            await socket.cut()
        await sitting.leave()


# --- who may connect ---


@ASYNC
async def test_foreign_origins_are_refused(live_hub: LiveHub) -> None:
    """G8.5"""
    async with live_hub.http() as http:
        sitting = await table(live_hub, http)
        for origin in ("https://evil.example", "null", f"{live_hub.url}.evil.example", "http://127.0.0.1:1"):
            with pytest.raises(Refused) as refused:
                await WireClient.open(live_hub.port, f"/ws/{sitting.room}", origin=origin)
            assert refused.value.status == 403
            assert "origin" in refused.value.body
            answer = await http.get("/api/rooms", headers={"origin": origin})
            assert "access-control-allow-origin" not in answer.headers
        good = await Socket.open(live_hub, sitting.room, origin=live_hub.url)
        await good.hello(sitting.places[0]["ticket"])
        await good.cut()
        await sitting.leave()


async def refusal(live_hub: LiveHub, room: str, ticket: str) -> tuple[dict[str, Any], int]:
    """The error and the close code with which a ticket is refused."""
    socket = await Socket.open(live_hub, room)
    await socket.say(t="hello", ticket=ticket)
    code = await socket.until_closed()
    await socket.cut()
    (error,) = socket.heard
    return error, code


@ASYNC
async def test_invalid_tickets_get_the_same_answer(live_hub: LiveHub) -> None:
    """G4.9, R1: forged, stale, expired, from the future, of the wrong kind: all get the same answer."""
    async with live_hub.http() as http:
        sitting = await table(live_hub, http)
        ticket = sitting.places[1]["ticket"]
        at = int(time.time())
        own_ticket = live_hub.signer.read_ticket(ticket, at)
        fields = {name: getattr(own_ticket, name) for name in own_ticket.__struct_fields__}  # type: ignore[union-attr]
        payload, _, signature = ticket.rpartition(".")
        other = "B" if signature[0] == "A" else "A"
        bad = {
            "nonsense": "nonsense",
            "changed": f"{payload}.{other}{signature[1:]}",
            "cut": ticket[:-1],
            "another's signature": f"{payload}.{sitting.places[0]['ticket'].rpartition('.')[2]}",
            "unsigned": payload,
            "a person's token": sitting.people[1].token,
            "an earlier holder's": forged(
                live_hub, **{**fields, "seat_generation": fields["seat_generation"] - 1}
            ),
            "a later holder's": forged(
                live_hub, **{**fields, "seat_generation": fields["seat_generation"] + 1}
            ),
            "a day old": forged(live_hub, **{**fields, "issued": at - 25 * 3600}),
            "from tomorrow": forged(live_hub, **{**fields, "issued": at + 3600}),
            "another seat": forged(live_hub, **{**fields, "seat": 0}),
            "no such seat": forged(live_hub, **{**fields, "seat": 77}),
            "below all seats": forged(live_hub, **{**fields, "seat": -1}),
            "an old watcher's": forged(live_hub, **{**fields, "seat": None, "issued": at - 2 * 3600}),
        }
        answers = {name: await refusal(live_hub, sitting.room, text) for name, text in bad.items()}
        expected = {"t": "error", "code": "BAD_TICKET", "advice": m.CLOSE_CODES[4003]}
        assert answers == dict.fromkeys(bad, (expected, 4003))
        no_room = await refusal(live_hub, "x" * 22, forged(live_hub, **{**fields, "room": "x" * 22}))
        assert (no_room[0]["code"], no_room[1]) == ("NO_SUCH_ROOM", 4004)
        await sitting.leave()


@ASYNC
async def test_a_ticket_is_valid_only_at_its_tables_address(live_hub: LiveHub) -> None:
    """G4.9: a proxy that routes by the room in the path relies on it."""
    async with live_hub.http() as http:
        first, second = await table(live_hub, http), await table(live_hub, http)
        error, code = await refusal(live_hub, first.room, second.places[1]["ticket"])
        assert (error["code"], code) == ("BAD_TICKET", 4003)
        await first.leave()
        await second.leave()


@ASYNC
async def test_a_page_whose_own_name_points_at_the_hub_opens_no_socket(live_hub: LiveHub) -> None:
    """H14, G8.5: DNS rebinding makes the page's origin and the Host it sends the same."""
    async with live_hub.http() as http:
        sitting = await table(live_hub, http)
        host = f"rebound.example:{live_hub.port}"
        with pytest.raises(Refused) as refused:
            await WireClient.open(live_hub.port, f"/ws/{sitting.room}", origin=f"http://{host}", host=host)
        assert refused.value.status == 400
        assert '"code":"BAD_HOST"' in refused.value.body
        await sitting.leave()


@ASYNC
async def test_hello_comes_first_and_only_once(live_hub: LiveHub) -> None:
    """G8.6: hello is the first message, and sent only once; nothing else is handled before it."""
    async with live_hub.http() as http:
        sitting = await table(live_hub, http)
        ticket = sitting.places[1]["ticket"]
        for first in real(1, 0, ticket)[1:]:
            early = await Socket.open(live_hub, sitting.room)
            await early.say(**first)
            assert await early.until_closed() == 4000
            assert [message["code"] for message in early.heard] == ["HELLO_FIRST"]
            await early.cut()
        twice = await Socket.sit(live_hub, sitting.places[1])
        await twice.say(t="hello", ticket=ticket)
        close = await twice.wire.close_frame()
        assert (close.code, close.reason) == (4000, "a socket may say hello only once")
        await twice.cut()
        for first, code in (
            ({"t": "hello", "ticket": ticket, "mood": "good"}, "BAD_FIELDS"),
            ({"t": "greetings", "ticket": ticket}, "UNKNOWN_KIND"),
        ):
            unread = await Socket.open(live_hub, sitting.room)
            await unread.say(**first)
            await unread.say(t="hello", ticket=ticket)
            assert await unread.until_closed() == 4000
            assert [message["code"] for message in unread.heard] == [code]
            await unread.cut()
        hasty = await Socket.open(live_hub, sitting.room)
        hello = client_frame(msgpack.packb({"t": "hello", "ticket": ticket}))
        await hasty.wire.say(hello + client_frame(msgpack.packb({"t": "ping", "n": 1})) * 40)
        assert await hasty.until_closed() == 4008
        assert hasty.heard[-1]["code"] == "TOO_EARLY"
        await hasty.cut()
        assert not any("before" in repr(message) for message in sitting.sockets[0].heard)
        await sitting.leave()


@ASYNC
async def test_watchers_only_watch(live_hub: LiveHub) -> None:
    """G4.3: any command from a watcher is refused and changes nothing."""
    async with live_hub.http() as http:
        sitting = await table(live_hub, http)
        nosy = await Person.come(live_hub, http, "Nosy")
        place = await nosy.place(f"/api/rooms/{sitting.room}/enter")
        assert place["seat"] is None
        watcher = await Socket.sit(live_hub, place)
        assert not {"choices", "note", "mine"} & set(watcher.sections)
        before = watcher.sections["table"]
        for message in real(1, 5, place["ticket"])[2:]:
            await watcher.say(**message)
            verdict = await watcher.answer("verdict", 5)
            assert verdict["code"] == ("WATCHERS_UNHEARD" if message["t"] == "say" else "NOT_SEATED")
        assert "code" not in await watcher.command("say", channel="watchers", text="among us")
        await watcher.ping()
        assert watcher.sections["table"] == before
        for socket in sitting.sockets:
            await socket.ping()
            assert "among us" not in repr(socket.heard)
        await watcher.cut()
        await sitting.leave()


# --- seats ---


@ASYNC
async def test_only_one_of_two_people_gets_a_seat(live_hub: LiveHub) -> None:
    """R2: in each of eight races, exactly one gets the seat and the other is refused."""
    async with live_hub.http() as http:
        host = await Person.come(live_hub, http, "Host")
        racers = [await Person.come(live_hub, http, f"Racer {i}") for i in range(2)]
        for _ in range(8):
            placed = await host.place("/api/rooms", game="almost", seats=3)
            path = f"/api/rooms/{placed['room']}/seats/1"
            answers = await asyncio.gather(*(racer.prompt(path) for racer in racers))
            assert sorted(answer.status_code for answer in answers) == [200, 409]
            (lost,) = [answer.json() for answer in answers if answer.status_code == 409]
            assert lost["code"] == "SEAT_TAKEN"
            assert lost["advice"]
            winner = next(i for i, answer in enumerate(answers) if answer.status_code == 200)
            won = await Socket.sit(live_hub, answers[winner].json())
            assert won.sections["table"]["seats"][1]["name"] == racers[winner].name
            await won.cut()


@ASYNC
async def test_a_removed_person_loses_every_socket_of_the_seat(live_hub: LiveHub) -> None:
    """R1, R13: every socket of the seat is closed, its ticket is void, and its person may not even watch."""
    async with live_hub.http() as http:
        sitting = await table(live_hub, http)
        tab = await Socket.sit(live_hub, sitting.places[1])
        verdict = await sitting.sockets[0].command("manage", act={"do": "free_seat", "seat": 1})
        assert "code" not in verdict
        for socket in (tab, sitting.sockets[1]):
            await socket.say(t="say", session=1, n=99, channel="table", text="you cannot do this")
            assert await socket.until_closed() == 4010
        assert (await refusal(live_hub, sitting.room, sitting.places[1]["ticket"]))[1] == 4003
        again = await sitting.people[1].prompt(f"/api/rooms/{sitting.room}/enter")
        assert again.json()["code"] == "REMOVED"
        await sitting.sockets[2].ping()
        assert "you cannot do this" not in repr(sitting.sockets[2].heard)
        assert sitting.sockets[2].sections["table"]["seats"][1]["name"] is None
        await tab.cut()
        await sitting.leave()


@ASYNC
async def test_the_oldest_tabs_of_a_seat_are_closed(live_hub: LiveHub) -> None:
    """G2.3, G8.9: a seat has at most eight sockets, and its last four client instances are known."""
    async with live_hub.http() as http:
        sitting = await table(live_hub, http)
        tabs = [sitting.sockets[1], *[await Socket.sit(live_hub, sitting.places[1]) for _ in range(12)]]
        assert len({tab.welcome["session"] for tab in tabs}) == 13
        for tab in tabs[:5]:
            assert await tab.until_closed() == 4011
        for i, tab in enumerate(tabs[5:]):
            verdict = await tab.command("say", channel="table", text=f"tab {i}")
            assert verdict.get("code") == (None if i >= 4 else "TOO_OLD")
        known = tabs[-1].welcome["session"]
        back = await Socket.sit(live_hub, sitting.places[1], session=known)
        assert back.welcome["session"] == known
        forgotten = await Socket.sit(live_hub, sitting.places[1], session=tabs[0].welcome["session"])
        assert forgotten.welcome["session"] == known + 1
        for tab in (*tabs, back, forgotten):
            await tab.cut()
        await sitting.leave()


# --- clients that never read ---

CROWD: Final = 200
SOCKETS_EACH: Final = 8
WAITING: Final = 256 * 1024 + 160 * 1024
"""Bytes the hub may hold for each client that does not read, with a margin; the kernel holds more."""


async def shout(sockets: list[Socket], turns: int) -> None:
    """Sends enough long messages on each socket to make the hub cut every client that never reads."""
    for _ in range(turns):
        for socket in sockets:
            assert "code" not in await socket.command("say", channel="table", text="🐙" * 500)


async def deaf(live_hub: LiveHub, place: dict[str, Any]) -> Socket:
    """A watcher that is welcomed and then reads nothing more."""
    socket = await Socket.open(live_hub, place["socket"].rpartition("/")[2], receive_buffer=4096)
    await socket.say(t="hello", ticket=place["ticket"])
    assert isinstance(await socket.read(), dict)
    return socket


async def crowd(live_hub: LiveHub, http: httpx.AsyncClient, loud: Table) -> int:
    """Has the hub drop 200 watchers of a busy table who never read their sockets; returns its peak memory."""
    people = [await Person.come(live_hub, http, f"Deaf {i}") for i in range(CROWD // SOCKETS_EACH)]
    places = [await person.place(f"/api/rooms/{loud.room}/enter") for person in people]
    before = await live_hub.figure("parley_drops_total")
    sockets = [await deaf(live_hub, place) for place in places for _ in range(SOCKETS_EACH)]
    most = live_hub.memory()

    async def watch() -> None:
        nonlocal most
        while await live_hub.figure("parley_drops_total") < before + CROWD:
            most = max(most, live_hub.memory())

    talkers = [await Socket.sit(live_hub, loud.places[i % 3]) for i in range(9)]
    quiet = await table(live_hub, http, discussion="none")
    tasks = (watch(), play(quiet), *(shout([talker], 45) for talker in talkers))
    _, scores, *_ = await asyncio.gather(*tasks)
    assert scores == [2, 0, 0]
    for socket in (*sockets, *talkers):
        await socket.cut()
    await quiet.leave()
    return max(most, live_hub.memory())


@ASYNC
async def test_clients_that_never_read_are_dropped(live_hub: LiveHub) -> None:
    """G8.4: another table is unaffected, and memory stays bounded, even the second time."""
    async with live_hub.http() as http:
        loud = await table(live_hub, http)
        before = live_hub.memory()
        first = await crowd(live_hub, http, loud)
        assert first - before < CROWD * WAITING
        second = await crowd(live_hub, http, loud)
        assert second - first < CROWD * WAITING // 4
        await loud.leave()
