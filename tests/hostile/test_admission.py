"""Coming in at a table: removals hold, private codes reveal nothing, and only the host sees who knocks."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from tests.harness.processes import HubProcess
from tests.hostile.live_hub import LiveHub, Person, Socket

ASYNC = pytest.mark.asyncio

ASK: Final = (409, "ASK_TO_COME_IN")
REMOVED: Final = (409, "REMOVED")


class Sitting:
    """A waiting table with Ann (host), Bo and Di, all connected."""

    def __init__(
        self, live_hub: LiveHub, http: httpx.AsyncClient, placed: dict[str, Any], people: list[Person]
    ) -> None:
        self.live_hub = live_hub
        self.http = http
        self.room: str = placed["room"]
        self.code: str = placed["code"]
        self.path = f"/api/rooms/{self.room}"
        self.people = people
        self.sockets: list[Socket] = []

    @classmethod
    async def begin(cls, live_hub: LiveHub, http: httpx.AsyncClient, *, open: bool = False) -> Sitting:
        people = [await Person.come(live_hub, http, name) for name in ("Ann", "Bo", "Di")]
        placed = await people[0].place("/api/rooms", game="almost", seats=4, open=open)
        table = cls(live_hub, http, placed, people)
        places = [placed, *[await people[seat].place(f"{table.path}/seats/{seat}") for seat in (1, 2)]]
        table.sockets = [await Socket.sit(live_hub, place) for place in places]
        return table

    async def come(self, name: str) -> Person:
        return await Person.come(self.live_hub, self.http, name)

    async def act(self, by: int, /, **act: Any) -> str | None:
        """Does a table action in seat `by`, and returns the code of its refusal."""
        code: str | None = (await self.sockets[by].command("manage", act=act)).get("code")
        return code

    async def visitor(self, section: str, name: str) -> str:
        """The id of somebody whom the host sees in this section."""
        host = self.sockets[0]
        await host.until(lambda: name in names(host, section))
        return next(str(id) for id, other in host.sections[section][section] if other == name)

    async def leave(self) -> None:
        for socket in self.sockets:
            await socket.cut()


def names(socket: Socket, section: str) -> list[str]:
    return [name for _, name in (socket.sections.get(section) or {section: []})[section]]


async def outcome(person: Person, path: str) -> tuple[int, str | None]:
    answer = await person.prompt(path)
    return answer.status_code, answer.json().get("code")


@ASYNC
async def test_a_removal_holds(live_hub: LiveHub) -> None:
    """R13: neither the person removed nor a new guest gets in again unless the host lets them in."""
    async with live_hub.http() as http:
        table = await Sitting.begin(live_hub, http, open=True)
        bo, cy = table.people[1], await table.come("Cy")
        assert await table.act(0, do="free_seat", seat=1) is None
        assert await table.sockets[1].until_closed() == 4010
        for way in ("enter", "seats/1", "ask"):
            assert await outcome(bo, f"{table.path}/{way}") == REMOVED
        for room in (table.path, f"/api/rooms/{table.code}"):
            for way in ("enter", "seats/1"):
                assert await outcome(cy, f"{room}/{way}") == ASK
        assert (await cy.place(f"{table.path}/ask")) == {"admitted": False, "host": True}
        cys = await table.visitor("knocks", "Cy")
        assert await table.act(0, do="admit", id=cys) is None
        assert (await cy.place(f"{table.path}/ask"))["admitted"]
        await table.sockets[0].until(lambda: table.sockets[0].sections["knocks"] is None)
        assert (await cy.place(f"{table.path}/seats/1"))["seat"] == 1
        await table.leave()


@ASYNC
async def test_whoever_is_refused_stays_out_until_admission_ends(live_hub: LiveHub) -> None:
    """R13: the host switches admission on and off; a refused person stays barred."""
    async with live_hub.http() as http:
        table = await Sitting.begin(live_hub, http)
        cy, eve = await table.come("Cy"), await table.come("Eve")
        assert (await outcome(eve, f"{table.path}/enter"))[0] == 200
        assert await table.act(0, do="admission", on=True) is None
        assert await outcome(eve, f"{table.path}/enter") == ASK
        await cy.place(f"{table.path}/ask")
        assert await table.act(0, do="refuse", id=await table.visitor("knocks", "Cy")) is None
        assert await outcome(cy, f"{table.path}/ask") == REMOVED
        assert await table.act(0, do="admission", on=False) is None
        assert await outcome(cy, f"{table.path}/enter") == REMOVED
        assert (await outcome(eve, f"{table.path}/enter"))[0] == 200
        await table.leave()


@ASYNC
async def test_only_the_host_sees_who_knocks(live_hub: LiveHub) -> None:
    """G4, R13: others hear nothing, not even an empty frame, and cannot decide; a new host sees it."""
    async with live_hub.http() as http:
        table = await Sitting.begin(live_hub, http)
        host, bo = table.sockets[:2]
        assert await table.act(0, do="admission", on=True) is None
        await bo.until(lambda: bo.sections["table"]["admission"])
        await bo.ping()
        heard = len(bo.heard)
        cy = await table.come("Cy")
        await cy.place(f"{table.path}/ask")
        cys = await table.visitor("knocks", "Cy")
        await bo.ping()
        assert [message["t"] for message in bo.heard[heard:]] == ["pong"]
        assert "knocks" not in bo.sections
        assert await table.act(1, do="admit", id=cys) == "NOT_HOST"
        assert await table.act(0, do="admit", id="1.999") == "NO_SUCH_PERSON"
        assert await table.act(0, do="hand_over", seat=1) is None
        await host.until(lambda: host.sections["table"]["host"] == 1)
        assert host.sections["knocks"] is None
        await bo.until(lambda: bo.sections["table"]["host"] == 1)
        assert names(bo, "knocks") == ["Cy"]
        assert await table.act(0, do="admit", id=cys) == "NOT_HOST"
        assert await table.act(1, do="admit", id=cys) is None
        await table.leave()


@ASYNC
async def test_nobody_knocks_under_a_name_of_the_table(live_hub: LiveHub) -> None:
    """R10: nor of somebody else who knocks: the host decides by names."""
    async with live_hub.http() as http:
        table = await Sitting.begin(live_hub, http)
        host = table.sockets[0]
        assert await table.act(0, do="admission", on=True) is None
        for name in ("B\u043e", "\u0410nn", "Bot D", "Cy", "\u0421y"):  # three Cyrillic letters
            await (await table.come(name)).place(f"{table.path}/ask")
        numbered = ["B\u043e 2", "\u0410nn 2", "Bot D 2", "Cy", "\u0421y 2"]
        await host.until(lambda: names(host, "knocks") == numbered)
        await table.leave()


@ASYNC
async def test_a_private_code_shows_nothing_of_its_table(live_hub: LiveHub) -> None:
    """R14: it lets a stranger ask, and a seated person in."""
    async with live_hub.http() as http:
        table = await Sitting.begin(live_hub, http)
        by_code = f"/api/rooms/{table.code}"
        assert len(table.code) == 8
        eve = await table.come("Eve")
        bearer = {"authorization": f"Bearer {eve.token}"}
        for headers in ({}, bearer, {"authorization": "Bearer nonsense"}):
            answer = await http.get(f"/api/rooms/{table.code.lower()}", headers=headers)
            assert (answer.status_code, answer.json()) == (200, {"closed": True, "code": table.code})
        assert (await http.get(f"{by_code}/record")).status_code == 404
        for way in ("enter", "seats/3"):
            answer = await eve.prompt(f"{by_code}/{way}")
            assert (answer.status_code, answer.json()["code"]) == ASK
            assert table.room not in answer.text
        asked = await eve.prompt(f"{by_code}/ask")
        assert asked.json() == {"admitted": False, "host": True}
        assert (await table.people[1].place(f"{by_code}/enter"))["seat"] == 1
        seated = await http.get(by_code, headers={"authorization": f"Bearer {table.people[1].token}"})
        assert seated.json()["room"] == table.room
        assert await table.act(0, do="admit", id=await table.visitor("knocks", "Eve")) is None
        assert (await eve.place(f"{by_code}/enter"))["seat"] is None
        assert (await http.get(by_code, headers=bearer)).json()["room"] == table.room
        invited = await table.come("Flo")
        assert (await invited.place(f"{table.path}/enter"))["seat"] is None
        await table.leave()


@ASYNC
async def test_a_knock_waits_for_the_host(live_hub: LiveHub) -> None:
    """R13: the person who asks learns that the host is away; the host sees the knock on returning."""
    async with live_hub.http() as http:
        table = await Sitting.begin(live_hub, http)
        host = table.sockets[0]
        eve = await table.come("Eve")
        await host.cut()
        bo = table.sockets[1]
        await bo.until(lambda: not bo.sections["presence"]["connected"][0])
        assert await eve.place(f"/api/rooms/{table.code}/ask") == {"admitted": False, "host": False}
        table.sockets[0] = await Socket.sit(live_hub, await table.people[0].place(f"{table.path}/enter"))
        assert await table.visitor("knocks", "Eve")
        assert (await eve.place(f"/api/rooms/{table.code}/ask"))["host"]
        await table.leave()


@ASYNC
async def test_few_may_knock_from_one_network(live_hub: LiveHub) -> None:
    """G8.9: a crowd of guests from one network leaves room at the door for others."""
    async with live_hub.http() as http:
        table = await Sitting.begin(live_hub, http)
        await table.act(0, do="admission", on=True)
        guests = [await table.come(f"Guest {i}") for i in range(7)]

        async def ask(guest: Person, address: str) -> int:
            headers = {"authorization": f"Bearer {guest.token}", "x-forwarded-for": address}
            return (await http.post(f"{table.path}/ask", headers=headers)).status_code

        assert [await ask(guest, "203.0.113.1") for guest in guests[:6]] == [200] * 5 + [429]
        assert await ask(guests[0], "203.0.113.1") == 200
        assert await ask(guests[6], "198.51.100.1") == 200
        await table.leave()


@ASYNC
async def test_the_host_removes_one_watcher(live_hub: LiveHub) -> None:
    """R13: all their sockets close, their ticket is void, and other watchers stay."""
    async with live_hub.http() as http:
        table = await Sitting.begin(live_hub, http)
        eve, flo = await table.come("Eve"), await table.come("Flo")
        place = await eve.place(f"{table.path}/enter")
        eves = [await Socket.sit(live_hub, place) for _ in range(2)]
        flos = await Socket.sit(live_hub, await flo.place(f"{table.path}/enter"))
        visitor = await table.visitor("watchers", "Eve")
        host, bo = table.sockets[:2]
        await host.until(lambda: names(host, "watchers") == ["Eve", "Flo"])
        assert await table.act(1, do="remove_watcher", id=visitor) == "NOT_HOST"
        assert await table.act(0, do="remove_watcher", id=visitor) is None
        assert [await socket.until_closed() for socket in eves] == [4015, 4015]
        await host.until(lambda: names(host, "watchers") == ["Flo"])
        assert "watchers" not in bo.sections
        again = await Socket.open(live_hub, table.room)
        await again.say(t="hello", ticket=place["ticket"])
        assert await again.until_closed() == 4015
        assert await outcome(eve, f"{table.path}/enter") == REMOVED
        assert flos.sections["table"]["admission"] is False
        await flos.until(lambda: flos.sections["table"]["admission"])
        for socket in (*eves, again, flos):
            await socket.cut()
        assert (await outcome(flo, f"{table.path}/enter"))[0] == 200, "she was there when admission began"
        assert await outcome(flo, f"{table.path}/seats/3") == ASK
        await table.leave()


@ASYNC
async def test_wrong_codes_are_limited_by_network(live_hub: LiveHub) -> None:
    """R14, G8.9: after 30 wrong codes a network's right ones are refused too; links and others are not."""
    async with live_hub.http() as http:
        table = await Sitting.begin(live_hub, http)

        async def look(name: str, address: str) -> httpx.Response:
            return await http.get(f"/api/rooms/{name}", headers={"x-forwarded-for": address})

        wrong = [(await look("BBBBBBBB", "203.0.113.9")).status_code for _ in range(31)]
        assert wrong == [404] * 30 + [429]
        refused = await look(table.code, "203.0.113.9")
        assert (refused.status_code, refused.json()["code"]) == (429, "SLOW_DOWN")
        assert int(refused.headers["retry-after"]) > 0
        assert (await look(table.room, "203.0.113.9")).status_code == 200
        assert (await look(table.code, "203.0.113.10")).status_code == 200
        assert await live_hub.figure('parley_limited_total{limit="wrong codes"}') == 2
        await table.leave()


@ASYNC
async def test_the_hosts_decisions_survive_a_crash(tmp_path: Path) -> None:
    """R13, G6.1: admission, the people admitted and the people barred are committed."""
    with HubProcess(tmp_path) as hub:
        live_hub = LiveHub(hub.url, hub.pid, tmp_path)
        async with live_hub.http() as http:
            table = await Sitting.begin(live_hub, http)
            cy, eve = await table.come("Cy"), await table.come("Eve")
            assert await table.act(0, do="free_seat", seat=1) is None
            await cy.place(f"{table.path}/ask")
            assert await table.act(0, do="admit", id=await table.visitor("knocks", "Cy")) is None
            await table.leave()
        hub.kill()
        hub.start()
        live_hub = LiveHub(hub.url, hub.pid, tmp_path)
        async with live_hub.http() as http:
            for person in (*table.people, cy, eve):
                person.http = http
            assert await outcome(table.people[1], f"{table.path}/enter") == REMOVED
            assert await outcome(eve, f"{table.path}/enter") == ASK
            assert (await cy.place(f"{table.path}/enter"))["seat"] is None
