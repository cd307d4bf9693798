"""Reports: the hub adds only the messages that the sender heard, and nobody at the table notices."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from hub.store.reports import Report, Reports
from hub.store.store import Store
from tests.harness.defaults import DEFAULTS
from tests.harness.processes import HubProcess, StoreProcess
from tests.hostile.live_hub import LiveHub, Person, Socket

ASYNC = pytest.mark.asyncio


async def reported(store_url: str) -> list[Report]:
    """The reports in a store, the newest first."""
    store = await Store.open(store_url, forget_days=DEFAULTS.forget_days)
    try:
        return [*await Reports(store, DEFAULTS.forget_days).reports()]
    finally:
        await store.close()


def texts(report: Report) -> list[str | None]:
    return [line.text for line in report.lines]


@ASYNC
async def test_a_report_holds_what_its_sender_heard(own_store: StoreProcess, tmp_path: Path) -> None:
    """R15, G4: talk among watchers, and talk before the sender came, is left out."""
    with HubProcess(tmp_path, redis_url=own_store.url, secret="s" * 32) as hub:
        live_hub = LiveHub(hub.url, hub.pid, tmp_path)
        async with live_hub.http() as http:
            sockets, people, path = await begin(live_hub, http)
            ann = sockets[0]
            eve, flo = [await Person.come(live_hub, http, name) for name in ("Eve", "Flo")]
            eves = await Socket.sit(live_hub, await eve.place(f"{path}/enter"))
            await say(ann, "to all")
            await say(eves, "before Flo", channel="watchers")
            flos = await Socket.sit(live_hub, await flo.place(f"{path}/enter"))
            await say(eves, "after Flo", channel="watchers")
            await ann.ping()
            heard = len(ann.heard)

            async def send(person: Person, **body: Any) -> int:
                return (await person.prompt(f"{path}/reports", **body)).status_code

            assert await send(people[1], reason="harassment", text="rude", seat=0) == 201
            assert await send(people[2], reason="other", seat=0) == 201
            assert await send(flo, reason="spam", watcher="Eve") == 201
            assert await send(flo, reason="nonsense") == 422
            both = await flo.prompt(f"{path}/reports", reason="spam", seat=0, watcher="Eve")
            assert (both.status_code, both.json()["code"]) == (422, "BAD_FIELD")
            assert "seat or a watcher" in both.json()["advice"]
            assert await send(flo, reason="spam", seat=3) == 404
            assert await send(await Person.come(live_hub, http, "Gus"), reason="spam") == 409
            await ann.ping()
            assert [message["t"] for message in ann.heard[heard:]] == ["pong"]
            by_name = {report.reporter_name: report for report in await reported(own_store.url)}
            by_bo, by_cy, by_flo = by_name["Bo"], by_name["Cy"], by_name["Flo"]
            assert texts(by_bo) == ["to all"]
            assert texts(by_cy) == ["to all"]
            assert texts(by_flo) == ["to all", "after Flo"]
            assert (by_bo.reporter_name, by_bo.reason, by_bo.text) == ("Bo", "harassment", "rude")
            assert by_bo.about is not None
            assert (by_bo.about.name, by_bo.about.seat) == ("Ann", 0)
            assert by_bo.about.person is not None
            assert by_flo.about is not None
            assert (by_flo.about.name, by_flo.about.seat) == ("Eve", None)
            assert by_flo.about.person is not None

            removed = await ann.command("manage", act={"do": "free_seat", "seat": 1})
            assert "code" not in removed
            assert await send(people[1], reason="harassment", seat=0) == 201
            after = [report for report in await reported(own_store.url) if report.id != by_bo.id]
            assert [report.lines for report in after if report.reporter_name == "Bo"] == [()]
            assert [await send(people[1], reason="spam") for _ in range(4)] == [201, 201, 201, 429]
            for socket in (*sockets, eves, flos):
                await socket.cut()


async def begin(live_hub: LiveHub, http: httpx.AsyncClient) -> tuple[list[Socket], list[Person], str]:
    """A waiting table with Ann, Bo and Cy, and a free seat."""
    people = [await Person.come(live_hub, http, name) for name in ("Ann", "Bo", "Cy")]
    placed = await people[0].place("/api/rooms", game="shares", seats=4)
    path = f"/api/rooms/{placed['room']}"
    places = [placed, *[await people[seat].place(f"{path}/seats/{seat}") for seat in (1, 2)]]
    return [await Socket.sit(live_hub, place) for place in places], people, path


async def say(socket: Socket, text: str, *, channel: str = "table", **more: Any) -> None:
    verdict = await socket.command("say", channel=channel, text=text, **more)
    assert "code" not in verdict, verdict
