"""The operators' HTTP API, at one of two hubs (O1 to O6)."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from hub.store.reports import Report, Reports
from hub.store.store import Store
from hub.wire.messages import TalkMessage
from tests.harness.defaults import DEFAULTS
from tests.harness.processes import HubProcess, free_port
from tests.hostile.live_hub import LiveHub, Person, Socket, Table, table
from tests.operators.conftest import ADMIN_TOKEN, BEARER, Fleet
from tests.operators.test_policy import close_code, person_id, until_admitted

pytestmark = pytest.mark.asyncio

READS: Final = ("session", "tables", "people", "reports", "bans", "audit")
SECRET_TEXT: Final = "PLANTED-SECRET"


async def ask(http: httpx.AsyncClient, path: str, **body: Any) -> Any:
    """The answer to an operator's request: a POST if there is a body, otherwise a GET."""
    if body:
        answer = await http.post(f"/admin/api/{path}", headers=BEARER, json=body)
    else:
        answer = await http.get(f"/admin/api/{path}", headers=BEARER)
    assert answer.is_success, answer.text
    return answer.json()


async def audit(http: httpx.AsyncClient) -> list[tuple[str, str]]:
    entries = (await ask(http, "audit"))["entries"]
    return [(entry["action"], entry["target"]) for entry in entries]


@asynccontextmanager
async def seated(hub: LiveHub, **options: Any) -> AsyncIterator[tuple[httpx.AsyncClient, Table]]:
    """A private table with three people, connected."""
    async with hub.http() as http:
        sitting = await table(hub, http, **options)
        yield http, sitting
        await sitting.leave()


# --- who may ---


async def test_without_the_setting_there_is_no_admin_page(tmp_path: Path) -> None:
    """O3: every path answers exactly like one that does not exist."""
    with HubProcess(tmp_path) as hub:
        async with LiveHub(hub.url, hub.pid, tmp_path).http() as http:
            for method, path in (("GET", ""), ("GET", "/api/session"), ("POST", "/api/session")):
                for accept in ("text/html", "application/json"):
                    headers = {**BEARER, "accept": accept}
                    answer = await http.request(method, f"/admin{path}", headers=headers)
                    unknown = await http.request(method, f"/nothing{path}", headers=headers)
                    assert (answer.status_code, answer.content) == (unknown.status_code, unknown.content)
                    assert answer.status_code in (404, 405)


async def test_every_method_of_a_path_is_named(fleet: Fleet) -> None:
    """O3: 405 names all of them (RFC 9110 section 15.5.6)."""
    async with fleet.one.http() as http:
        for path in ("session", "bans"):
            answer = await http.request("DELETE", f"/admin/api/{path}", headers=BEARER)
            assert answer.status_code == 405
            assert set(answer.headers["allow"].split(", ")) == {"GET", "HEAD", "POST"}


async def test_only_operators_are_answered(fleet: Fleet) -> None:
    """O3"""
    async with fleet.one.http() as http:
        guest = await Person.come(fleet.one, http, "Bea")
        for i, path in enumerate(READS):
            assert (await http.get(f"/admin/api/{path}")).status_code == 401
            as_guest = {"authorization": f"Bearer {guest.token}", "x-forwarded-for": f"198.51.100.{i}"}
            assert (await http.get(f"/admin/api/{path}", headers=as_guest)).status_code == 401
            assert (await http.get(f"/admin/api/{path}", headers=BEARER)).status_code == 200
        for path in ("bans", "drain", "revocations", "tables/x/close", "reports/x/handle"):
            assert (await http.post(f"/admin/api/{path}", json={})).status_code == 401


async def test_a_session_is_a_cookie_that_no_other_site_can_use(fleet: Fleet) -> None:
    """O3: the token is posted once; every POST must come from the hub's own page."""
    async with fleet.one.http() as http:
        own_page, other = {"origin": fleet.one.url}, {"origin": "https://evil.example"}
        for origin in (other, {}):
            answer = await http.post("/admin/api/session", json={"token": ADMIN_TOKEN}, headers=origin)
            assert (answer.status_code, answer.json()["code"]) == (403, "BAD_ORIGIN")
        answer = await http.post("/admin/api/session", json={"token": ADMIN_TOKEN}, headers=own_page)
        assert answer.status_code == 200
        assert ADMIN_TOKEN not in answer.text
        cookie = answer.headers["set-cookie"].lower()
        assert all(part in cookie for part in ("httponly", "samesite=strict", "path=/admin", "max-age=43200"))
        assert "secure" not in cookie
        assert (await http.get("/admin/api/tables")).status_code == 200

        ban = {"kind": "person", "target": "p-nobody", "days": 1}
        for origin in (other, {}):
            assert (await http.post("/admin/api/bans", json=ban, headers=origin)).status_code == 403
        assert (await http.post("/admin/api/bans", json=ban, headers=own_page)).status_code == 201
        assert (await http.post("/admin/api/session/end", headers=own_page)).status_code == 200
        assert (await http.get("/admin/api/tables")).status_code == 401

        name, _, value = answer.headers["set-cookie"].partition(";")[0].partition("=")
        forged = {"cookie": f"{name}={'0' * 24}-{int(time.time()) + 99999}.{value.partition('.')[2]}"}
        assert (await http.get("/admin/api/tables", headers=forged)).status_code == 401


async def test_signing_out_voids_copies_of_the_cookie(fleet: Fleet) -> None:
    """O3: at both hubs, within a heartbeat; the operator's other session goes on."""
    async with fleet.one.http() as http, fleet.two.http() as two:
        own_page = {"origin": fleet.one.url}
        copies = []
        for _ in range(2):
            answer = await http.post("/admin/api/session", json={"token": ADMIN_TOKEN}, headers=own_page)
            copies.append({"cookie": answer.headers["set-cookie"].partition(";")[0]})
            http.cookies.clear()
        copy, other = copies
        assert (await two.get("/admin/api/session", headers=copy)).status_code == 200
        answer = await http.post("/admin/api/session/end", headers={**own_page, **copy})
        assert answer.status_code == 200
        assert (await http.get("/admin/api/session", headers=copy)).status_code == 401
        while (await two.get("/admin/api/session", headers=copy)).status_code != 401:
            pass
        for hub in (http, two):
            assert (await hub.get("/admin/api/session", headers=other)).status_code == 200


async def test_with_a_public_url_only_the_page_there_may_act(tmp_path: Path) -> None:
    """O3: no other name and no plain HTTP; a browser on the hub's own machine may, directly."""
    port = free_port()
    direct = f"127.0.0.1:{port}"
    settings = {"admin_token": ADMIN_TOKEN, "public_url": "https://play.example.org"}
    with HubProcess(tmp_path, port=port, **settings) as hub:
        async with LiveHub(f"http://{direct}", hub.pid, tmp_path).http() as http:
            proxied = {"x-forwarded-for": "203.0.113.7"}
            for origin, host, status in (
                ("https://play.example.org", "play.example.org", 200),
                ("https://PLAY.example.org:443", "10.0.0.5:8420", 200),
                ("http://play.example.org", "play.example.org", 403),
                ("https://play.example.org:8443", "play.example.org:8443", 403),
                ("https://evil.example", "evil.example", 403),
                ("null", "play.example.org", 403),
            ):
                headers = {**proxied, "origin": origin, "host": host}
                answer = await http.post("/admin/api/session", json={"token": ADMIN_TOKEN}, headers=headers)
                assert answer.status_code == status, (origin, answer.text)
                assert ("secure" in answer.headers.get("set-cookie", "").lower()) == (status == 200)
            for origin, host, status in (
                ("https://play.example.org", direct, 200),  # through a proxy that adds no headers
                (f"http://{direct}", direct, 200),
                ("http://evil.example", "evil.example", 403),
            ):
                headers = {"origin": origin, "host": host}
                answer = await http.post("/admin/api/session", json={"token": ADMIN_TOKEN}, headers=headers)
                assert answer.status_code == status, (origin, answer.text)


async def test_wrong_tokens_are_limited(fleet: Fleet) -> None:
    """O3: after five from one network, not even the right one is compared; others are not affected."""
    async with fleet.two.http() as http:
        wrong = {"authorization": "Bearer wrong", "x-forwarded-for": "203.0.113.99"}
        statuses = [(await http.get("/admin/api/session", headers=wrong)).status_code for _ in range(6)]
        assert statuses == [401] * 5 + [429]
        right = await http.get("/admin/api/session", headers={**wrong, **BEARER})
        assert right.status_code == 429
        assert 0 < int(right.headers["retry-after"]) <= 601
        assert (await http.get("/admin/api/session", headers=BEARER)).status_code == 200
        assert await fleet.two.figure('parley_limited_total{limit="admin tries"}') == 2


async def test_wrong_tokens_from_many_networks_lock_no_operator_out(fleet: Fleet) -> None:
    """O3: networks that have sent no wrong token may still sign in; the others may not."""
    async with fleet.one.http() as http:
        for number in range(50):
            wrong = {"authorization": "Bearer wrong", "x-forwarded-for": f"203.0.{number}.9"}
            assert (await http.get("/admin/api/session", headers=wrong)).status_code == 401
        again = {**BEARER, "x-forwarded-for": "203.0.7.9"}
        assert (await http.get("/admin/api/session", headers=again)).status_code == 429
        fresh = {**BEARER, "x-forwarded-for": "198.51.100.9"}
        assert (await http.get("/admin/api/session", headers=fresh)).status_code == 200


# --- what they see ---


async def test_tables_and_people_of_both_hubs(fleet: Fleet) -> None:
    """O4: a private table shows at both hubs, with the people seated at it."""
    async with seated(fleet.one) as (http, sitting), fleet.two.http() as two:
        (row,) = [row for row in (await ask(http, "tables"))["tables"] if row["room"] == sitting.room]
        (far,) = [row for row in (await ask(two, "tables"))["tables"] if row["room"] == sitting.room]
        assert (row["hub"], row["open"], row["taken"], row["game"]) == (None, False, 3, "almost")
        assert far["hub"].startswith("wss://127.0.0.1:")
        assert far["people"] == row["people"]
        assert [seat["name"] for seat in row["people"]] == ["Guest A", "Guest B", "Guest C"]

        people = {person["person"]: person for person in (await ask(http, "people"))["people"]}
        host = people[person_id(sitting.people[0])]
        assert (host["name"], host["networks"]) == ("Guest A", [])
        assert host["places"] == [{"room": sitting.room, "seat": 0}]


async def test_an_operator_watches_a_table_closed_to_watchers(fleet: Fleet) -> None:
    """O4: the operator sees what a watcher would see."""
    async with seated(fleet.one) as (http, sitting):
        host = sitting.sockets[0]
        assert "code" not in await host.command("manage", act={"do": "close_watching", "closed": True})
        place = await ask(http, f"tables/{sitting.room}/watch", reason="")
        watcher = await Socket.sit(fleet.one, place)
        assert watcher.welcome.get("seat") is None
        assert not {"note", "choices", "mine"} & set(watcher.sections)
        await watcher.cut()


async def test_nothing_hidden_reaches_an_operator(fleet: Fleet) -> None:
    """O4, G4: notes, whispers and sealed bids change no byte of what the operator's API answers."""
    async with seated(fleet.one, discussion="none") as (http, sitting):
        host, *_ = sitting.sockets
        assert "code" not in await host.command("manage", act={"do": "start"})
        for socket in sitting.sockets:
            await socket.until(lambda socket=socket: "choices" in socket.sections)  # type: ignore[misc]

        async def read_everything() -> list[bytes]:
            paths = ("tables", "people", "reports", "bans", "audit")
            return [(await http.get(f"/admin/api/{path}", headers=BEARER)).content for path in paths]

        before = await read_everything()
        applied = [
            await host.command("note", text=SECRET_TEXT),
            await host.command("do", prompt="bid:1", move={"move": "lock", "number": 2}),
        ]
        assert [verdict.get("code") for verdict in applied] == [None, None]
        await host.command("say", channel="table", text=SECRET_TEXT, to=1)
        after = await read_everything()
        assert after == before
        assert SECRET_TEXT.encode() not in b"".join(after)


async def test_reports_are_read_and_closed(fleet: Fleet) -> None:
    """O5"""
    store = await Store.open(fleet.store, forget_days=DEFAULTS.forget_days)
    talk = TalkMessage(channel="table", name="Bea", at=5, seat=1, text="ugly words")
    at = int(time.time())
    await Reports(store, DEFAULTS.forget_days).add(
        Report("r-1", at, "room", "BCDFGH", "p-ann", "Ann", "insults", lines=(talk,))
    )
    await store.close()
    async with fleet.one.http() as one, fleet.two.http() as two:
        assert [report["id"] for report in (await ask(one, "reports"))["reports"]] == ["r-1"]
        assert (await ask(two, "reports/r-1"))["lines"][0]["text"] == "ugly words"
        await ask(two, "reports/r-1/handle", reason="banned Bea")
        assert (await ask(one, "reports/r-1"))["handled"]["note"] == "banned Bea"
        assert ("close report", "r-1") in await audit(one)
        missing = await one.post("/admin/api/reports/none/handle", headers=BEARER, json={})
        assert (missing.status_code, missing.json()["code"]) == (404, "NO_SUCH_REPORT")


# --- what they do ---


async def test_a_ban_at_one_hub_holds_at_the_other(fleet: Fleet) -> None:
    """O1, O6"""
    async with seated(fleet.two) as (two, sitting), fleet.one.http() as one:
        target = person_id(sitting.people[1])
        ban = await ask(one, "bans", kind="person", target=target, days=7, reason="ugly words")
        assert ban["until"] - ban["at"] == 7 * 24 * 3600
        assert await close_code(sitting.sockets[1]) == 4014
        assert target in [entry["target"] for entry in (await ask(two, "bans"))["bans"]]
        await ask(one, "bans/lift", kind="person", target=target)
        await until_admitted(sitting.people[1])
        assert {("ban person", target), ("unban person", target)} <= set(await audit(two))


@pytest.mark.parametrize(
    ("ban", "code"),
    [
        ({"kind": "network", "target": "127.0.0.1", "days": 1}, "BAD_NETWORK"),
        ({"kind": "network", "target": "::1", "days": 1}, "BAD_NETWORK"),
        ({"kind": "network", "target": "203.0.113.0/24", "days": 1}, "BAD_NETWORK"),
        ({"kind": "network", "target": "everybody", "days": 1}, "BAD_NETWORK"),
        ({"kind": "person", "target": "p-bea", "days": 367}, "BAD_FIELD"),
        ({"kind": "person", "target": "p-bea", "days": 0}, "BAD_FIELD"),
        ({"kind": "person", "target": "p-bea"}, "BAD_FIELD"),
    ],
)
async def test_bans_end_and_never_shut_out_this_machine(fleet: Fleet, ban: dict[str, Any], code: str) -> None:
    """O1"""
    async with fleet.one.http() as http:
        answer = await http.post("/admin/api/bans", headers=BEARER, json=ban)
        assert (answer.status_code, answer.json()["code"]) == (422, code)


async def test_an_ipv6_address_bans_its_network(fleet: Fleet) -> None:
    """O1"""
    async with fleet.one.http() as http:
        ban = await ask(http, "bans", kind="network", target="2001:DB8::17", days=0.5)
        assert ban["target"] == "2001:db8::/64"
        await ask(http, "bans/lift", kind="network", target="2001:db8:0:0::/64")


async def test_a_table_is_closed_from_the_other_hub(fleet: Fleet) -> None:
    """O6: its sockets close with 4016, it leaves the lobby, and nobody enters it again at either hub."""
    async with fleet.two.http() as two, fleet.one.http() as one:
        people = [await Person.come(fleet.two, two, name) for name in ("Ann", "Bea")]
        placed = await people[0].place("/api/rooms", game="almost", seats=3, open=True)
        host = await Socket.sit(fleet.two, placed)
        watcher = await Socket.sit(fleet.two, await people[1].place(f"/api/rooms/{placed['room']}/enter"))
        await ask(one, f"tables/{placed['code']}/close", reason="spam")
        assert placed["room"] not in [row["room"] for row in (await ask(one, "tables"))["tables"]]
        for socket in (host, watcher):
            assert await close_code(socket) == 4016
            assert socket.heard[-1]["code"] == "TABLE_CLOSED"
        for http in (one, two):
            path = f"/api/rooms/{placed['room']}"
            person = Person(fleet.two, http, people[0].token, "Ann")
            for answer in (await person.prompt(f"{path}/enter"), await http.get(path)):
                assert (answer.status_code, answer.json()["code"]) == (410, "TABLE_CLOSED")
        again = await Socket.open(fleet.two, placed["room"])
        await again.say(t="hello", ticket=placed["ticket"])
        assert await close_code(again) == 4016
        assert ("close table", placed["room"]) in await audit(two)

        await ask(one, f"tables/{placed['room']}/reopen", reason="")
        while (await two.get(f"/api/rooms/{placed['room']}")).status_code == 410:
            pass
        back = await Socket.sit(fleet.two, await people[0].place(f"/api/rooms/{placed['room']}/enter"))
        assert back.welcome["seat"] == 0
        await back.cut()


async def test_revoking_a_person(fleet: Fleet) -> None:
    """O2, O6"""
    async with seated(fleet.two) as (_, sitting), fleet.one.http() as one:
        await ask(one, "revocations", person=person_id(sitting.people[2]))
        assert await close_code(sitting.sockets[2]) == 4003
        both = await one.post("/admin/api/revocations", headers=BEARER, json={"person": "p", "before": 5})
        assert both.status_code == 422


async def test_nothing_is_done_that_the_audit_log_lacks(fleet: Fleet) -> None:
    """O6: an action whose note cannot be stored is not done, and one that is refused is not noted."""
    store = await Store.open(fleet.store, forget_days=DEFAULTS.forget_days)
    times, kept = store.key("{audit}:times"), store.key("{audit}:kept")
    async with fleet.one.http() as http:
        await ask(http, "bans", kind="person", target="p-noted", days=1)
        await store.call("RENAME", times, kept)
        await store.call("SET", times, "not a list of entries")
        ban = {"kind": "person", "target": "p-unnoted", "days": 1}
        answer = await http.post("/admin/api/bans", headers=BEARER, json=ban)
        assert (answer.status_code, answer.json()["code"]) == (503, "STORE")
        assert "may or may not" in answer.json()["advice"]
        assert int(answer.headers["retry-after"]) > 0
        lifted = {"kind": "person", "target": "p-noted"}
        assert (await http.post("/admin/api/bans/lift", headers=BEARER, json=lifted)).status_code == 503
        await store.call("RENAME", kept, times)
        targets = {entry["target"] for entry in (await ask(http, "bans"))["bans"]}
        assert "p-noted" in targets
        assert "p-unnoted" not in targets

        lifted = {"kind": "person", "target": "p-unnoted"}
        assert (await http.post("/admin/api/bans/lift", headers=BEARER, json=lifted)).status_code == 404
        assert "p-unnoted" not in [target for _, target in await audit(http)]
    await store.close()
