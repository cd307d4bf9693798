"""Skipping to the end over the wire: who may not, when not, and two at once (R25)."""

from __future__ import annotations

import asyncio
import itertools
import random
from typing import Any, Final

import httpx
import msgpack  # type: ignore[import-untyped]
import pytest

from games import GAMES
from games.kit.choices import sample_raw_move
from hub.table.records import Verified, verify
from tests.chaos.storm_people import read_choices
from tests.hostile.live_hub import LiveHub, Person, Socket, Table
from tests.secrecy.pair import Chance
from tests.wire_client import client_frame

pytestmark = pytest.mark.asyncio
SETTINGS: Final = {"rate": "100000"}
SEATS: Final = 4
PLAIN: Final[dict[str, Any]] = {"blindAlly": False, "blackmail": False, "timers": "relaxed"}
SKIP: Final[dict[str, Any]] = {"do": "skip_to_end"}


async def table(hub: LiveHub, http: httpx.AsyncClient, *, without_seat: bool = False) -> Table:
    """A waiting table of So Long Sucker with four people in its seats; the first of all is host."""
    people = [await Person.come(hub, http, f"Guest {chr(65 + seat)}") for seat in range(SEATS + without_seat)]
    host, seated = people[0], people[1:]
    placed = await host.place(
        "/api/rooms", game="sucker", seats=SEATS, options=PLAIN, without_seat=without_seat
    )
    path = f"/api/rooms/{placed['room']}/seats"
    first = SEATS - len(seated)
    places = [placed, *[await person.place(f"{path}/{first + i}") for i, person in enumerate(seated)]]
    return Table(placed["room"], people, places, [await Socket.sit(hub, place) for place in places])


async def act(socket: Socket, **act: Any) -> str | None:
    """Does a table action and returns the code of its refusal."""
    code: str | None = (await socket.command("manage", act=act)).get("code")
    return code


async def act_at_once(socket: Socket, *acts: dict[str, Any]) -> list[str | None]:
    """Does table actions that the hub reads together, and returns the codes of their refusals."""
    numbers = range(socket.n + 1, socket.n + 1 + len(acts))
    socket.n = numbers[-1]
    session = socket.welcome["session"]
    frames = [
        client_frame(msgpack.packb({"t": "manage", "session": session, "n": n, "act": what}))
        for n, what in zip(numbers, acts, strict=True)
    ]
    await socket.wire.say(b"".join(frames))
    return [(await socket.answer("verdict", n)).get("code") for n in numbers]


async def sees(socket: Socket, **fields: Any) -> None:
    """Waits until section `table` has these fields."""
    await socket.until(lambda: fields.items() <= socket.sections["table"].items())


def out(socket: Socket) -> list[int]:
    section = socket.sections.get("out_seats")
    return [] if section is None else section["seats"]


async def play(sockets: dict[int, Socket], wanted: int, chance: Chance) -> bool:
    """These seats make any legal moves until so many are out; False if more are, or all."""
    one = next(iter(sockets.values()))
    while len(out(one)) < wanted:
        if one.sections["table"]["status"] == "finished":
            return False
        socket = sockets[one.sections["prompts"]["prompts"][0]["seats"][0]]
        await socket.ping()  # it has been shown everything now
        choices = read_choices(socket.sections["choices"]["choices"])
        sample = sample_raw_move(choices, SEATS, chance)
        assert sample is not None
        assert "code" not in await socket.command("do", prompt=sample[0], move=dict(sample[1]))
        await one.ping()
    for socket in sockets.values():
        await socket.until(lambda socket=socket: len(out(socket)) >= wanted)  # type: ignore[misc]
    return len(out(one)) == wanted


async def play_at_a_table(
    hub: LiveHub, http: httpx.AsyncClient, wanted: int, *, without_seat: bool = False
) -> tuple[Table, dict[int, Socket]]:
    """A table with so many people out, and the sockets of its seats: random games are tried until one is."""
    for seed in itertools.count():
        sitting = await table(hub, http, without_seat=without_seat)
        assert await act(sitting.sockets[0], **SKIP) == ("NOT_SEATED" if without_seat else "NOT_NOW")
        assert await act(sitting.sockets[0], do="start") is None
        sockets = dict(enumerate(sitting.sockets[-SEATS:]))
        for socket in sockets.values():
            await sees(socket, status="running")
            assert await act(socket, **SKIP) == "NOT_OUT"
        chance = Chance(random.Random(seed))
        if await play(sockets, wanted, chance):
            return sitting, sockets
        await sitting.leave()
    raise AssertionError


def count_lines(socket: Socket, key: str) -> int:
    return sum(line[1] == key for message in socket.heard for line in message.get("lines", ()))


async def test_who_may_not_skip_and_two_who_may(live_hub: LiveHub) -> None:
    """R25, V1: nobody before the start, in the game, watching, in a pause, or once it is over."""
    async with live_hub.http() as http:
        sitting, sockets = await play_at_a_table(live_hub, http, 2)
        first, second = out(sitting.sockets[0])
        dan = await Person.come(live_hub, http, "Dan")
        watcher = await Socket.sit(live_hub, await dan.place(f"/api/rooms/{sitting.room}/enter"))
        assert await act(watcher, **SKIP) == "NOT_SEATED"
        ann, bea = sockets[first], sockets[second]
        playing = [seat for seat in sockets if seat not in (first, second)]
        for seat in playing:
            assert await act(sockets[seat], do="stand_in") is None
            assert await act(sockets[seat], **SKIP) == "NOT_OUT"
        assert [await act(socket, **SKIP) for socket in (ann, bea)] == ["OTHERS_PLAY"] * 2
        for seat in playing:
            assert await act(sockets[seat], do="free_seat", seat=seat) is None
        await ann.until(lambda: ann.sections["table"]["host"] in (first, second))
        host = sockets[ann.sections["table"]["host"]]
        assert await act(host, do="pause") is None
        assert await act(ann, **SKIP) == "NOT_NOW"
        assert await act(host, do="resume") is None
        assert ann.sections["windows"]["windows"], "a timer runs"
        for socket in (ann, bea):
            await socket.say(t="manage", session=socket.welcome["session"], n=900, act=SKIP)
        codes = [(await socket.answer("verdict", 900)).get("code") for socket in (ann, bea)]
        # bots may end the game between the two
        assert codes in ([None, None], [None, "NOT_NOW"], ["NOT_NOW", None])
        for socket in (ann, bea, watcher):
            await sees(socket, status="finished", skipping=False, abandoned=False)
            assert count_lines(socket, "table.skipped") == 1
        ann.n = 900
        assert await act(ann, **SKIP) == "NOT_NOW"
        record = await http.get(f"/api/rooms/{sitting.room}/record")
        assert isinstance(verify(record.content, GAMES), Verified)
        await watcher.cut()
        await sitting.leave()


async def test_a_host_without_a_seat_and_malformed_commands(live_hub: LiveHub) -> None:
    """R25, R26, G8.1: the screen cannot skip for the people, and `skip_to_end` has no fields."""
    async with live_hub.http() as http:
        sitting, seats = await play_at_a_table(live_hub, http, 1, without_seat=True)
        screen = sitting.sockets[0]
        (seat,) = out(seats[0])
        for i, socket in seats.items():
            if i != seat:
                assert await act(socket, do="free_seat", seat=i) is None
        ann = seats[seat]
        assert await act(screen, **SKIP) == "NOT_SEATED"
        for what in (
            {"do": "skip_to_end", "seat": seat},
            {"do": "skip_to_end", "on": True},
            {"do": "skip_to_end", "do ": ""},
            {"do": ["skip_to_end"]},
            "skip_to_end",
        ):
            ann.n += 1
            await ann.say(t="manage", session=ann.welcome["session"], n=ann.n, act=what)
            assert (await ann.answer("error", ann.n))["code"] == "BAD_FIELDS"
        await sees(ann, skipping=False)
        assert await act(ann, **SKIP) is None
        await sees(screen, status="finished")
        assert count_lines(screen, "table.skipped") == 1
        assert await act(screen, **SKIP) == "NOT_SEATED"
        await sitting.leave()


async def test_a_pause_and_a_latecomer_in_between(live_hub: LiveHub) -> None:
    """R25, R16: a pause stops the bots, too, and a latecomer has them take their time again."""
    async with live_hub.http() as http:
        sitting, sockets = await play_at_a_table(live_hub, http, 1)
        (seat,) = out(sockets[0])
        ann = sockets.pop(seat)
        await ann.ping()
        if ann.sections["table"]["host"] != seat:
            assert await act(sockets[ann.sections["table"]["host"]], do="hand_over", seat=seat) is None
        for other, socket in sockets.items():
            assert await act(socket, do="free_seat", seat=other) is None
        assert await act_at_once(ann, SKIP, SKIP, {"do": "pause"}, SKIP) == [None, None, None, "NOT_NOW"]
        await sees(ann, status="paused", skipping=True)
        dan, eve = [await Person.come(live_hub, http, name) for name in ("Dan", "Eve")]
        path = f"/api/rooms/{sitting.room}/seats/{next(iter(sockets))}"
        answers = await asyncio.gather(*(person.prompt(path) for person in (dan, eve)))
        assert sorted(answer.json().get("code", "") for answer in answers) == ["", "SEAT_TAKEN"]
        await sees(ann, status="paused", skipping=False)
        place = next(answer.json() for answer in answers if answer.status_code == 200)
        late = await Socket.sit(live_hub, place)
        assert await act(late, **SKIP) == "NOT_NOW"
        assert await act(ann, do="resume") is None
        assert await act(late, **SKIP) == "NOT_OUT"
        assert await act(ann, **SKIP) == "OTHERS_PLAY"
        assert await act(late, do="free_seat", seat=place["seat"]) is None
        assert await act(ann, **SKIP) is None
        await sees(ann, status="finished", abandoned=False)
        assert count_lines(ann, "table.skipped") == 2
        await late.cut()
        await sitting.leave()
