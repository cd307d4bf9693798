"""Playing again over the wire: everybody gets their own seat at the next table, and nobody another's."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import httpx
import pytest

from hub.wire.tickets import TicketProblem
from tests.hostile.live_hub import LiveHub, Person, Socket, Table, forged, play, table

ASYNC = pytest.mark.asyncio


async def finished(live_hub: LiveHub, http: httpx.AsyncClient) -> Table:
    """A table of three whose game is over."""
    sitting = await table(live_hub, http, discussion="none")
    await play(sitting)
    return sitting


async def press(person: Person, room: str, **wish: Any) -> tuple[int, Any]:
    """Presses *Play again*, and returns the next room's id, or the code of the refusal."""
    answer = await person.http.post(
        f"/api/rooms/{room}/rematch", headers={"authorization": f"Bearer {person.token}"}, json=wish
    )
    body = answer.json()
    return answer.status_code, body.get("room") or body["code"]


async def look(person: Person, room: str) -> dict[str, Any]:
    answer = await person.http.get(f"/api/rooms/{room}", headers={"authorization": f"Bearer {person.token}"})
    description: dict[str, Any] = answer.json()
    return description


@ASYNC
async def test_everybody_comes_along(live_hub: LiveHub) -> None:
    """R17: a guest presses first; each finds their own seat, a watcher watches, and the game begins."""
    async with live_hub.http() as http:
        old = await finished(live_hub, http)
        eve = await Person.come(live_hub, http, "Eve")
        watching = await Socket.sit(live_hub, await eve.place(f"/api/rooms/{old.room}/enter"))
        assert watching.sections["rematch"] == {
            "seats": [0, 1, 2],
            "pressed": [],
            "room": None,
            "code": None,
            "game": None,
            "rotated": False,
        }
        assert await press(eve, old.room) == (409, "NOT_SEATED")
        status, room = await press(old.people[1], old.room, rotated=True)
        assert status == 200
        assert room != old.room
        for socket in (*old.sockets, watching):
            await socket.until(lambda socket=socket: socket.sections["rematch"]["room"] == room)  # type: ignore[misc]
            assert socket.sections["rematch"]["pressed"] == [1]
        assert await press(eve, old.room) == (200, room)
        path = f"/api/rooms/{room}"
        assert (await eve.place(f"{path}/enter"))["seat"] is None

        sockets = []
        for number, seat in ((1, 0), (2, 1), (0, 2)):
            person = old.people[number]
            assert await press(person, old.room) == (200, room)
            place = await person.place(f"{path}/enter")
            assert place["seat"] == seat
            sockets.append(await Socket.sit(live_hub, place))
            assert sockets[-1].sections["table"]["previous"] == old.room
        assert sockets[0].sections["table"]["host"] == 2
        assert sockets[0].sections["table"]["status"] == "waiting"  # for the salts of clients that have any
        assert "code" not in await sockets[0].command("manage", act={"do": "ready", "ready": True})
        for socket in sockets:
            await socket.until(lambda socket=socket: socket.sections["table"]["status"] == "running")  # type: ignore[misc]
        assert not any(seat["substitute"] for seat in sockets[0].sections["table"]["seats"])
        for socket in (*sockets, watching):
            await socket.cut()
        await old.leave()


@ASYNC
async def test_nobody_else_gets_a_held_seat(live_hub: LiveHub) -> None:
    """R17, R2, T2: not by asking for it, not with a ticket for another table or person."""
    async with live_hub.http() as http:
        old = await finished(live_hub, http)
        eve = await Person.come(live_hub, http, "Eve")
        _, room = await press(old.people[0], old.room)
        path = f"/api/rooms/{room}"
        for seat in range(3):
            for person in (eve, *old.people):
                owner = person is old.people[seat]
                answer = await person.prompt(f"{path}/seats/{seat}")
                expected = (200, None) if owner else (409, "SEAT_TAKEN")
                assert (answer.status_code, answer.json().get("code")) == expected
        assert (await eve.place(f"{path}/enter"))["seat"] is None
        issued = live_hub.signer.read_person(eve.token, time.time())
        assert not isinstance(issued, TicketProblem)
        eves = forged(
            live_hub,
            room=room,
            seat=1,
            person=issued.id,
            name="Eve",
            colour=0,
            seat_generation=1,
            issued=issued.issued,
        )
        for ticket in (eves, old.places[1]["ticket"]):
            socket = await Socket.open(live_hub, room)
            await socket.say(t="hello", ticket=ticket, session=None)
            assert await socket.until_closed() == 4003
            await socket.cut()
        await old.leave()


@ASYNC
async def test_whom_the_host_removed_stays_outside(live_hub: LiveHub) -> None:
    """R17, R13: neither press nor the next table's address lets them in, and the old one does not name it."""
    async with live_hub.http() as http:
        old = await finished(live_hub, http)
        eve = await Person.come(live_hub, http, "Eve")
        watching = await Socket.sit(live_hub, await eve.place(f"/api/rooms/{old.room}/enter"))
        host = old.sockets[0]
        await host.until(lambda: bool(host.sections.get("watchers")))
        eves = host.sections["watchers"]["watchers"][0][0]
        assert "code" not in await host.command("manage", act={"do": "remove_watcher", "id": eves})
        assert await watching.until_closed() == 4015
        await watching.cut()
        _, room = await press(old.people[2], old.room)
        assert await press(eve, old.room) == (409, "REMOVED")
        assert "next" not in await look(eve, old.room)
        for way in ("enter", "seats/1", "ask", "rematch"):
            answer = await eve.prompt(
                f"/api/rooms/{room}/{way}", **({"game": "almost"} if way == "rematch" else {})
            )
            assert (answer.status_code, answer.json()["code"]) == (409, "REMOVED")
        await old.leave()


@ASYNC
async def test_it_is_refused_before_the_end_and_with_wishes_that_cannot_be(live_hub: LiveHub) -> None:
    """R17: nothing is decided by a refusal."""
    async with live_hub.http() as http:
        sitting = await table(live_hub, http, discussion="none")
        ann = sitting.people[0]
        assert await press(ann, sitting.room) == (409, "NOT_NOW")
        await play(sitting)
        for wish, code in (
            ({"game": "chess"}, "NO_SUCH_GAME"),
            ({"game": "subdivision" * 9}, "BAD_FIELD"),
            ({"rotated": 1}, "BAD_FIELD"),
            ({"seats": 4}, "BAD_FIELD"),
        ):
            assert await press(ann, sitting.room, **wish) == (422, code)
        assert "next" not in await look(ann, sitting.room)
        nobody = await http.post(f"/api/rooms/{sitting.room}/rematch", json={})
        assert nobody.status_code == 401
        await sitting.leave()


@ASYNC
async def test_everybody_presses_at_the_same_moment(live_hub: LiveHub) -> None:
    """R17: each of them twice, with different wishes; there is one next table, and each is counted once."""
    async with live_hub.http() as http:
        old = await finished(live_hub, http)
        before = await live_hub.figure("parley_rooms")
        games = ("almost", "shares", "subdivision")
        wishes = [(person, game) for person, game in zip(old.people, games, strict=True) for _ in range(2)]
        answers = await asyncio.gather(*(press(person, old.room, game=game) for person, game in wishes))
        assert {status for status, _ in answers} == {200}
        (room,) = {room for _, room in answers}
        for socket in old.sockets:
            await socket.until(lambda socket=socket: len(socket.sections["rematch"]["pressed"]) == 3)  # type: ignore[misc]
        assert await live_hub.figure("parley_rooms") == before + 1
        described = await look(old.people[0], room)
        assert described["game"] == old.sockets[0].sections["rematch"]["game"]
        assert described["game"] in games
        await old.leave()


@ASYNC
async def test_the_old_link_leads_on(live_hub: LiveHub) -> None:
    """R17, R14: to the next table's link, or for a private table's code to its code, where one asks."""
    async with live_hub.http() as http:
        old = await finished(live_hub, http)
        late = await Person.come(live_hub, http, "Late")
        code = old.sockets[0].sections["table"]["code"]
        assert "next" not in await look(late, old.room)
        _, room = await press(old.people[1], old.room)
        assert (await look(late, old.room))["next"] == room
        led = await look(late, code)
        assert led.keys() == {"closed", "code", "next"}
        assert led["next"] == (await look(old.people[0], room))["code"]
        assert led["next"] not in (room, code)
        assert (await late.prompt(f"/api/rooms/{led['next']}/enter")).json()["code"] == "ASK_TO_COME_IN"
        assert await press(late, code) == (409, "ASK_TO_COME_IN")
        await old.leave()
