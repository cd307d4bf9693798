"""The host's tools without a seat, over the wire: who has them, who has not, and two at once (R26)."""

from __future__ import annotations

import asyncio
from typing import Any, Final

import httpx
import pytest

from tests.hostile.live_hub import LiveHub, Person, Socket, Table

pytestmark = pytest.mark.asyncio
QUICK: Final[dict[str, Any]] = {"discussion": "none", "timers": "off", "target": 4}


async def table(hub: LiveHub, http: httpx.AsyncClient, people: int = 2, **how: Any) -> Table:
    """A private table of three seats. The first of its people hosts it without one."""
    came = [await Person.come(hub, http, name) for name in ("Tess", "Ann", "Bea", "Cy")[: people + 1]]
    placed = await came[0].place(
        "/api/rooms", game="almost", seats=3, options=QUICK, without_seat=True, **how
    )
    assert (placed["seat"], placed["hosting"]) == (None, True)
    path = f"/api/rooms/{placed['room']}/seats"
    places = [placed, *[await came[seat + 1].place(f"{path}/{seat}") for seat in range(people)]]
    return Table(placed["room"], came, places, [await Socket.sit(hub, place) for place in places])


async def act(socket: Socket, **act: Any) -> str | None:
    """Does a table action and returns the code of its refusal."""
    code: str | None = (await socket.command("manage", act=act)).get("code")
    return code


async def sees(socket: Socket, **fields: Any) -> None:
    """Waits until section `table` has these fields."""
    await socket.until(lambda: fields.items() <= socket.sections["table"].items())


async def test_watchers_have_no_tools(live_hub: LiveHub) -> None:
    """R26, GEN-8: whatever session they name; nor has the first seat."""
    async with live_hub.http() as http:
        sitting = await table(live_hub, http)
        host, first, _ = sitting.sockets
        dan = await Person.come(live_hub, http, "Dan")
        place = await dan.place(f"/api/rooms/{sitting.room}/enter")
        assert place["hosting"] is False
        watcher = await Socket.sit(live_hub, place, host.welcome["session"])
        assert (watcher.welcome["session"], watcher.sections["table"]["host_name"]) == (None, "Tess")
        for what in ({"do": "start"}, {"do": "lock", "locked": True}, {"do": "free_seat", "seat": 0}):
            assert await act(watcher, **what) == "NOT_SEATED"
            watcher.n += 1
            await watcher.say(t="manage", session=host.welcome["session"], n=watcher.n, act=what)
            assert (await watcher.answer("verdict", watcher.n))["code"] == "NOT_SEATED"
        assert await act(first, do="start") == "NOT_HOST"
        assert host.sections["table"]["status"] == "waiting"
        await watcher.cut()
        await sitting.leave()


async def test_a_host_without_a_seat_leads_a_game(live_hub: LiveHub) -> None:
    """R26: from the first seat to the next table, and without a vote, a move or a note."""
    async with live_hub.http() as http:
        sitting = await table(live_hub, http)
        host, *seats = sitting.sockets
        assert "knocks" not in host.sections
        assert await act(host, do="add_bot", seat=2, level="normal") is None
        assert await act(host, do="ready", ready=True) == "NOT_SEATED"
        assert await act(host, do="start") is None
        await sees(host, status="running")
        assert not {"choices", "note"} & host.sections.keys()
        assert await act(host, do="call_vote", kind="end") == "NOT_SEATED"
        move = {"move": "lock", "number": 1}
        for kind, fields in (
            ("do", {"prompt": "bid:1", "move": move}),
            ("note", {"text": "mine"}),
        ):
            assert (await host.command(kind, **fields))["code"] == "NOT_SEATED"
        host.n += 1
        await host.say(t="preview", n=host.n, prompt="bid:1", move=move)
        assert (await host.answer("verdict", host.n))["code"] == "NOT_SEATED"
        assert await act(host, do="pause") is None
        await sees(seats[0], status="paused")
        assert await act(host, do="resume") is None
        again = await sitting.people[0].prompt(f"/api/rooms/{sitting.room}/rematch", game=None, rotated=False)
        assert again.json()["code"] == "NOT_NOW"
        for seat in seats:
            assert await act(seat, do="call_vote", kind="end") in (None, "VOTE_RUNNING")
        assert await act(seats[1], do="vote", number=1, yes=True) is None
        await sees(host, status="finished")
        placed = await sitting.people[0].place(f"/api/rooms/{sitting.room}/rematch", game=None, rotated=False)
        place = await sitting.people[0].place(f"/api/rooms/{placed['room']}/enter")
        assert (place["seat"], place["hosting"]) == (None, True)
        next_host = await Socket.sit(live_hub, place)
        table_section = next_host.sections["table"]
        assert (table_section["host"], table_section["host_name"]) == (None, "Tess")
        assert [seat["held"] for seat in table_section["seats"]] == [True, True, False]
        assert await act(next_host, do="start") is None
        await next_host.cut()
        await sitting.leave()


async def test_two_screens_at_once(live_hub: LiveHub) -> None:
    """R2, R26: one of two hands over, and the other's tools end with it."""
    async with live_hub.http() as http:
        sitting = await table(live_hub, http)
        one = sitting.sockets[0]
        place = await sitting.people[0].place(f"/api/rooms/{sitting.room}/enter")
        other = await Socket.sit(live_hub, place)
        assert one.welcome["session"] != other.welcome["session"]
        for socket, seat in ((one, 0), (other, 1)):
            await socket.say(
                t="manage", session=socket.welcome["session"], n=1, act={"do": "hand_over", "seat": seat}
            )
        assert set(await asyncio.gather(one.until_closed(), other.until_closed())) == {4003}
        codes = [
            message.get("code")
            for socket in (one, other)
            for message in socket.heard
            if message["t"] == "verdict"
        ]
        assert codes in ([None, "TOO_OLD"], ["TOO_OLD", None], [None], [None, "NOT_HOST"])
        ann, bea = sitting.sockets[1:]
        for socket in (ann, bea):
            await socket.until(lambda socket=socket: socket.sections["table"]["host"] is not None)  # type: ignore[misc]
        assert ann.sections["table"]["host"] == bea.sections["table"]["host"]
        place = await sitting.people[0].place(f"/api/rooms/{sitting.room}/enter")
        assert place["hosting"] is False
        watcher = await Socket.sit(live_hub, place)
        assert await act(watcher, do="start") == "NOT_SEATED"
        await other.cut()
        await watcher.cut()
        await sitting.leave()


async def test_a_seat_and_the_screen_at_once(live_hub: LiveHub) -> None:
    """R2, R26, G4.14: whoever hosts without a seat sits down twice at once, and has one seat."""
    async with live_hub.http() as http:
        sitting = await table(live_hub, http, 1)
        tess = sitting.people[0]
        answers = await asyncio.gather(
            *(tess.prompt(f"/api/rooms/{sitting.room}/seats/{seat}") for seat in (1, 2))
        )
        seats = [answer.json().get("seat") for answer in answers]
        assert set(seats) <= {1, 2, None}
        assert await sitting.sockets[0].until_closed() == 4003
        place = await tess.place(f"/api/rooms/{sitting.room}/enter")
        assert place["seat"] in (1, 2)
        assert place["hosting"] is False
        host = await Socket.sit(live_hub, place)
        section = host.sections["table"]
        assert (section["host"], section["host_name"]) == (place["seat"], None)
        assert sum(seat["name"] == "Tess" for seat in section["seats"]) == 1
        assert await act(host, do="lock", locked=True) is None
        await host.cut()
        await sitting.leave()


async def test_a_game_cannot_begin_without_players(live_hub: LiveHub) -> None:
    async with live_hub.http() as http:
        tess = await Person.come(live_hub, http, "Tess")
        body = {"game": "almost", "seats": 3, "without_seat": True}
        refused = await tess.prompt("/api/rooms", **body, play_now=True)
        assert (refused.status_code, refused.json()["code"]) == (422, "BAD_OPTIONS")
        host = await Socket.sit(live_hub, await tess.place("/api/rooms", **body, bots="normal"))
        assert await act(host, do="start") == "NOT_NOW"
        await host.cut()
