"""A person continues on another device: at two hubs on one store, raced, killed in between, and refused."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from msgspec.structs import replace

from hub.store import transfers as stored
from hub.store.policy import PolicyStore, Revocation
from hub.store.store import Store
from hub.store.subscriptions import Subscription, Subscriptions
from hub.store.transfers import Transfers
from hub.wire.tickets import Person as Identity
from hub.wire.tickets import Signer, Ticket
from tests.harness.defaults import DEFAULTS
from tests.harness.processes import HubProcess
from tests.hostile.live_hub import LiveHub, Person, Socket
from tests.operators.conftest import SECRET, Fleet

pytestmark = pytest.mark.asyncio

WRONG: Final = (404, "NO_SUCH_TRANSFER")


async def begin(hub: LiveHub, http: httpx.AsyncClient, **more: Any) -> tuple[Person, Socket, str, str]:
    """Bea at a table of her own, connected, with a code to take her to another device."""
    bea = await Person.come(hub, http, "Bea")
    place = await bea.place("/api/rooms", game="almost", seats=3)
    socket = await Socket.sit(hub, place)
    offered = await bea.place("/api/transfers", tables=[place["room"]], **more)
    assert offered["seconds"] == 60
    return bea, socket, place["room"], offered["code"]


async def post(http: httpx.AsyncClient, path: str, **body: Any) -> tuple[int, Any]:
    answer = await http.post(path, json=body)
    value = answer.json()
    return answer.status_code, value["code"] if answer.is_error else value


async def look(person: Person, http: httpx.AsyncClient) -> dict[str, Any]:
    answer = await http.get("/api/transfers", headers={"authorization": f"Bearer {person.token}"})
    value: dict[str, Any] = answer.json()
    return value


async def test_a_seat_moves_to_another_device_at_another_hub(fleet: Fleet) -> None:
    """T8: shown, claimed, confirmed, fetched; the old sockets close, the old token and ticket are void."""
    async with fleet.one.http() as one, fleet.two.http() as two:
        bea, socket, room, code = await begin(fleet.one, one)
        subscription = Subscription("https://push.example/1", b"p" * 65, b"a" * 16, int(time.time()))
        assert await list_subscriptions(fleet, bea, subscription) == [subscription]
        assert await look(bea, one) == {"stage": "offered", "check": None}
        status, claim = await post(two, "/api/transfers/claim", code=f" {code.lower()} ")
        assert status == 200
        assert {name: claim[name] for name in ("name", "tables", "keeps")} == {
            "name": "Bea",
            "tables": 1,
            "keeps": False,
        }
        assert "token" not in str(claim)
        assert room not in str(claim)
        fetch = {"path": "/api/transfers/fetch", "claim": claim["claim"]}
        assert await post(two, **fetch) == (200, {"confirmed": False})
        assert await look(bea, one) == {"stage": "claimed", "check": claim["check"]}
        assert "code" not in await socket.command("manage", act={"do": "ready", "ready": True})
        await bea.place("/api/transfers/confirm", check=claim["check"])
        status, moved = await post(two, **fetch)
        assert (status, moved["confirmed"], moved["name"], moved["tables"]) == (200, True, "Bea", [room])

        assert await socket.until_closed() == 4017
        assert socket.heard[-1]["code"] == "CONTINUED_ELSEWHERE"
        answer = await bea.prompt(f"/api/rooms/{room}/enter")
        assert (answer.status_code, answer.json()["code"]) == (401, "CONTINUED_ELSEWHERE")
        old = await Socket.open(fleet.one, room)
        await old.say(t="hello", ticket=bea_ticket(fleet.one, bea, room))
        assert await old.until_closed() == 4017

        beas = Person(fleet.one, one, moved["token"], "Bea")
        place = await beas.place(f"/api/rooms/{room}/enter")
        assert place["seat"] == 0
        again = await Socket.sit(fleet.one, place)
        assert "code" not in await again.command("manage", act={"do": "ready", "ready": False})
        assert (await post(two, **fetch))[1]["token"] == moved["token"]
        assert await list_subscriptions(fleet, bea) == []
        assert await post(two, "/api/transfers/claim", code=code) == WRONG
        for each in (socket, old, again):
            await each.cut()


async def list_subscriptions(fleet: Fleet, person: Person, *more: Subscription) -> Sequence[Subscription]:
    """The browsers that call this person back, and `more`."""
    identity = Signer(SECRET.encode(), DEFAULTS.token_days).read_person(person.token, time.time())
    assert isinstance(identity, Identity)
    store = await Store.open(fleet.store, forget_days=DEFAULTS.forget_days)
    try:
        subscriptions = Subscriptions(store)
        for subscription in more:
            await subscriptions.add(identity.id, subscription)
        return await subscriptions.list_valid(identity.id, int(time.time()))
    finally:
        await store.close()


def bea_ticket(hub: LiveHub, bea: Person, room: str) -> str:
    """The ticket that Bea's old device has."""
    signer = Signer(SECRET.encode(), DEFAULTS.token_days)
    person = signer.read_person(bea.token, time.time())
    assert isinstance(person, Identity)
    return signer.ticket(Ticket(room, 0, person.id, "Bea", 0, 1, person.issued, person.since))


async def test_one_identity_at_two_addresses(fleet: Fleet) -> None:
    """T8: if the old device keeps the identity, both have it."""
    async with fleet.one.http() as one, fleet.two.http() as two:
        bea, socket, room, code = await begin(fleet.one, one, keeps=True)
        _, claim = await post(two, "/api/transfers/claim", code=code)
        await bea.place("/api/transfers/confirm", check=claim["check"])
        _, linked = await post(two, "/api/transfers/fetch", claim=claim["claim"])
        assert (await look(bea, one))["stage"] == "fetched"
        assert (await bea.place(f"/api/rooms/{room}/enter"))["seat"] == 0
        there = Person(fleet.one, one, linked["token"], "Bea")
        assert (await there.place(f"/api/rooms/{room}/enter"))["seat"] == 0
        assert "code" not in await socket.command("manage", act={"do": "ready", "ready": True})
        await socket.cut()


async def test_two_devices_race_for_one_code(fleet: Fleet) -> None:
    """T8: at two hubs at once, one claims it; the other is answered as if the code were wrong."""
    async with fleet.one.http() as one, fleet.two.http() as two:
        for _ in range(5):
            bea, socket, _, code = await begin(fleet.one, one)
            answers = await asyncio.gather(
                *(post(http, "/api/transfers/claim", code=code) for http in (one, two))
            )
            assert sorted(status for status, _ in answers) == [200, 404]
            assert WRONG in answers
            (claim,) = [value for status, value in answers if status == 200]
            assert (await look(bea, two))["check"] == claim["check"]
            await socket.cut()


async def test_what_is_refused(fleet: Fleet) -> None:
    """T8: only the person can confirm, with the digits shown; nothing is fetched before or after."""
    async with fleet.one.http() as one:
        bea, socket, _, code = await begin(fleet.one, one)
        _, claim = await post(one, "/api/transfers/claim", code=code)
        stranger = await Person.come(fleet.one, one, "Eve")
        other = f"{(int(claim['check']) + 1) % 1000:03}"
        for person, check in ((stranger, claim["check"]), (bea, other), (bea, "")):
            answer = await person.prompt("/api/transfers/confirm", check=check)
            assert (answer.status_code, answer.json()["code"]) == (409, "NOT_CLAIMED")
        assert (await look(stranger, one))["stage"] == "none"
        for secret in (f"{code}.", f"{code}.guess", code, "", "nothing.x", claim["claim"][:-1]):
            assert await post(one, "/api/transfers/fetch", claim=secret) == WRONG
        for wrong in ("", "BCDFGHJK", "BCDFGH", "not a code", "{}", "*" * 64):
            assert await post(one, "/api/transfers/claim", code=wrong) == WRONG
        for path in ("/api/transfers", "/api/transfers/confirm", "/api/transfers/cancel"):
            assert (await post(one, path, check="1"))[0] == 401
        await bea.place("/api/transfers/cancel")
        assert await post(one, "/api/transfers/fetch", claim=claim["claim"]) == WRONG
        first = (await bea.place("/api/transfers", keeps=False))["code"]
        second = (await bea.place("/api/transfers", keeps=False))["code"]
        assert await post(one, "/api/transfers/claim", code=first) == WRONG
        assert (await post(one, "/api/transfers/claim", code=second))[0] == 200
        await socket.cut()


async def test_wrong_codes_are_limited_by_network(fleet: Fleet) -> None:
    """T8: after thirty wrong codes even the right one is refused there, with the time to wait."""
    async with fleet.one.http() as one:
        bea, socket, _, code = await begin(fleet.one, one)
        there = {"x-forwarded-for": "203.0.113.50"}

        async def claim(code: str, headers: dict[str, str]) -> httpx.Response:
            return await one.post("/api/transfers/claim", json={"code": code}, headers=headers)

        statuses = [(await claim("ZZZZZZZZ", there)).status_code for _ in range(31)]
        assert statuses == [404] * 30 + [429]
        refused = await claim(code, there)
        assert (refused.status_code, refused.json()["code"]) == (429, "SLOW_DOWN")
        assert int(refused.headers["retry-after"]) > 0
        assert (await claim(code, {"x-forwarded-for": "198.51.100.7"})).status_code == 200
        assert (await look(bea, one))["stage"] == "claimed"
        await socket.cut()


async def test_a_person_is_limited(fleet: Fleet) -> None:
    async with fleet.one.http() as one:
        bea = await Person.come(fleet.one, one, "Bea")
        answers = [await bea.prompt("/api/transfers", keeps=True) for _ in range(11)]
        assert [answer.status_code for answer in answers] == [201] * 10 + [429]
        assert (answers[-1].json()["code"], "retry-after" in answers[-1].headers) == ("SLOW_DOWN", True)


async def test_a_revoked_person_cannot_escape_to_another_device(fleet: Fleet) -> None:
    """O2: what was confirmed before the revocation is not handed over after it."""
    async with fleet.one.http() as one:
        bea, socket, _, code = await begin(fleet.one, one)
        _, claim = await post(one, "/api/transfers/claim", code=code)
        await bea.place("/api/transfers/confirm", check=claim["check"])
        store = await Store.open(fleet.store, forget_days=DEFAULTS.forget_days)
        try:
            person = Signer(SECRET.encode(), DEFAULTS.token_days).read_person(bea.token, time.time())
            assert isinstance(person, Identity)
            at = int(time.time())
            await PolicyStore(store).put(Revocation(person.id, at + 1, at + 60), at)
            assert await socket.until_closed() == 4003
            assert await post(one, "/api/transfers/fetch", claim=claim["claim"]) == WRONG
        finally:
            await store.close()
        await socket.cut()


async def test_a_hub_is_killed_in_between(fleet: Fleet, tmp_path: Path) -> None:
    """T8, G6.1, L1: a hub is killed when the code is claimed, and another goes on; no log has it."""
    with HubProcess(tmp_path, redis_url=fleet.store, secret=SECRET, log_level="debug") as mortal:
        dying = LiveHub(mortal.url, mortal.pid, tmp_path)
        async with dying.http() as http:
            bea, socket, room, code = await begin(dying, http)
            _, claim = await post(http, "/api/transfers/claim", code=code)
            await socket.cut()
        mortal.kill()
        assert mortal.lines
        assert not [line for line in mortal.lines if code in line or claim["claim"] in line or "Bea" in line]
    async with fleet.two.http() as http:
        beas = Person(fleet.two, http, bea.token, "Bea")
        assert await look(beas, http) == {"stage": "claimed", "check": claim["check"]}
        assert await post(http, "/api/transfers/claim", code=code) == WRONG
        await beas.place("/api/transfers/confirm", check=claim["check"])
        _, moved = await post(http, "/api/transfers/fetch", claim=claim["claim"])
        assert moved["tables"] == [room]
        answer = await beas.prompt("/api/transfers", keeps=False)
        assert (answer.status_code, answer.json()["code"]) == (401, "CONTINUED_ELSEWHERE")
        bea_again = Person(fleet.two, http, moved["token"], "Bea")
        assert (await bea_again.prompt("/api/transfers", keeps=False)).status_code == 201


def stays(_person: str, _since: int) -> bool:
    """That nobody has left a device."""
    return False


async def test_a_device_that_was_left_takes_nobody_back(fleet: Fleet) -> None:
    """T8: what it got from a hub that had not heard of it yet is void, and what it confirmed there ends."""
    signer = Signer(SECRET.encode(), DEFAULTS.token_days)
    store = await Store.open(fleet.store, forget_days=DEFAULTS.forget_days)
    try:
        async with fleet.one.http() as one, fleet.two.http() as two:
            bea, socket, room, code = await begin(fleet.one, one)
            old = signer.read_person(bea.token, time.time())
            assert isinstance(old, Identity)
            _, claim = await post(one, "/api/transfers/claim", code=code)
            await bea.place("/api/transfers/confirm", check=claim["check"])
            _, moved = await post(one, "/api/transfers/fetch", claim=claim["claim"])
            assert await socket.until_closed() == 4017

            later = int(time.time()) + 30  # by the clock of the other hub
            token = signer.person_token(replace(old, issued=later))
            answer = await Person(fleet.one, one, token, "Bea").prompt("/api/transfers", keeps=False)
            assert (answer.status_code, answer.json()["code"]) == (401, "CONTINUED_ELSEWHERE")
            ticket = signer.ticket(Ticket(room, 0, old.id, "Bea", 0, 1, later, old.since))
            again = await Socket.open(fleet.one, room)
            await again.say(t="hello", ticket=ticket)
            assert await again.until_closed() == 4017

            transfers = Transfers(store, lambda: "CDFGHJKL")
            await transfers.offer(old, (), keeps=False)
            stolen = await transfers.claim("CDFGHJKL")
            assert stolen is not None
            assert await transfers.confirm(old.id, stolen.transfer.check)
            for http in (one, two):
                assert await post(http, "/api/transfers/fetch", claim=stolen.secret) == WRONG
            beas = Person(fleet.one, one, moved["token"], "Bea")
            assert (await beas.place(f"/api/rooms/{room}/enter"))["seat"] == 0

            there = signer.read_person(moved["token"], time.time())
            assert isinstance(there, Identity)
            await transfers.offer(there, (), keeps=False)
            second = await transfers.claim("CDFGHJKL")
            assert second is not None
            assert await transfers.confirm(there.id, second.transfer.check)
            assert (await post(one, "/api/transfers/fetch", claim=second.secret))[0] == 200
            # the first transfer can be fetched no more: that would make its device valid again
            assert await post(two, "/api/transfers/fetch", claim=claim["claim"]) == WRONG
            assert (await beas.prompt(f"/api/rooms/{room}/enter")).status_code == 401
            await transfers.cancel(there.id)
            await again.cut()
            await socket.cut()
    finally:
        await store.close()


async def test_codes_and_transfers_expire(fleet: Fleet) -> None:
    """T8: in the store, by its own clock: a minute for the code, two to confirm, ten to fetch."""
    store = await Store.open(fleet.store, forget_days=DEFAULTS.forget_days)
    try:
        transfers = Transfers(store, lambda: "BCDFGHJK")
        bea = Identity("p-bea", "Bea", 0, 1000)

        async def left() -> int:
            return int(await store.call("TTL", store.key("transfer:BCDFGHJK")))

        assert await transfers.offer(bea, (), keeps=False) == "BCDFGHJK"
        assert 0 < await left() <= stored.CODE_SECONDS == 60
        claim = await transfers.claim("BCDFGHJK")
        assert claim is not None
        assert 60 < await left() <= stored.CONFIRM_SECONDS
        assert await transfers.confirm("p-bea", claim.transfer.check)
        assert 120 < await left() <= stored.FETCH_SECONDS
        transfer = await transfers.fetch(claim.secret, 2000, stays)
        assert transfer is not None
        assert transfer.fetched == Identity("p-bea", "Bea", 0, 2000, since=2001)
        await transfers.cancel("p-bea")
        assert await transfers.fetch(claim.secret, 2000, stays) is None
    finally:
        await store.close()


async def test_every_step_has_its_place() -> None:
    """T8: a transfer cannot skip a step, and only its claim fetches it."""
    bea = Identity("p-bea", "Bea", 0, 1000, since=1000)
    offered = stored.Transfer(bea, (), keeps=False)
    assert stored.confirm(offered, "") is None
    assert stored.fetch(offered, b"", 2000, stays) is None
    claimed = stored.claim(offered, b"c" * 32, "417")
    assert claimed is not None
    assert stored.claim(claimed, b"d" * 32, "999") is None
    assert stored.fetch(claimed, b"c" * 32, 2000, stays) is claimed
    assert stored.fetch(claimed, b"d" * 32, 2000, stays) is None
    confirmed = stored.confirm(claimed, "417")
    assert confirmed is not None
    assert stored.confirm(confirmed, "417") is confirmed
    left: list[tuple[str, int]] = [("p-bea", 1000)]
    assert stored.fetch(confirmed, b"c" * 32, 2000, lambda *device: device in left) is None
    fetched = stored.fetch(confirmed, b"c" * 32, 900, stays)
    assert fetched is not None
    assert fetched.fetched == Identity("p-bea", "Bea", 0, 900, since=1001)
    assert stored.fetch(fetched, b"c" * 32, 5000, lambda *device: device in left) is fetched
    left.append(("p-bea", 1001))
    assert stored.fetch(fetched, b"c" * 32, 5000, lambda *device: device in left) is None
