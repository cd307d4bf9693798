"""Bans and revocations hold at every hub within a heartbeat, for requests and for open sockets (O1, O2)."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import httpx
import pytest

from hub.store.policy import Ban, PolicyStore, Revocation, entry_name
from hub.store.store import Store
from hub.wire.tickets import Person as Identity
from hub.wire.tickets import Signer
from tests.harness.defaults import DEFAULTS
from tests.hostile.live_hub import LiveHub, Person, Socket
from tests.operators.conftest import SECRET, Fleet

pytestmark = pytest.mark.asyncio

HOUR: Final = 3600
ELSEWHERE: Final = (("x-forwarded-for", "203.0.113.7"),)
"""Makes this machine a proxy for somebody in another network."""


@asynccontextmanager
async def policy(fleet: Fleet) -> AsyncIterator[PolicyStore]:
    """The policy as a third hub would write it."""
    store = await Store.open(fleet.store, forget_days=DEFAULTS.forget_days)
    try:
        yield PolicyStore(store)
    finally:
        await store.close()


async def sit(hub: LiveHub, http: httpx.AsyncClient, headers: Any = ()) -> tuple[Person, Socket]:
    """Somebody at a table of their own, connected."""
    person = await Person.come(hub, http, "Bea")
    place = await person.place("/api/rooms", game="almost", seats=3)
    socket = await Socket.open(hub, place["room"], headers=headers)
    await socket.hello(place["ticket"])
    return person, socket


async def close_code(socket: Socket) -> int:
    code = await socket.until_closed()
    await socket.cut()
    return code


def person_id(person: Person) -> str:
    identity = Signer(SECRET.encode(), DEFAULTS.token_days).read_person(person.token, time.time())
    assert isinstance(identity, Identity)
    return identity.id


async def test_a_banned_person_is_turned_out_of_every_hub(fleet: Fleet) -> None:
    """O1: the open sockets close with 4014, and requests answer BANNED with the end of the ban."""
    async with fleet.one.http() as one, fleet.two.http() as two, policy(fleet) as policies:
        person, socket = await sit(fleet.one, one)
        other = Person(fleet.two, two, person.token, person.name)
        place = await other.place("/api/rooms", game="almost", seats=3)
        second = await Socket.sit(fleet.two, place)
        bystander, untouched = await sit(fleet.one, one)

        until = int(time.time()) + HOUR
        ban = Ban("person", person_id(person), int(time.time()), until, "ugly words", "Bea")
        await policies.put(ban, int(time.time()))
        assert await close_code(socket) == 4014
        assert await close_code(second) == 4014
        assert socket.heard[-1]["code"] == "BANNED"
        assert "ugly words" not in str(socket.heard)

        for banned in (person, other):
            answer = await banned.prompt("/api/rooms", game="almost", seats=3)
            assert (answer.status_code, answer.json()["code"]) == (403, "BANNED")
            assert answer.json()["until"] == time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(until))
            assert answer.json()["advice"].startswith(
                f"You are banned from this hub until {answer.json()['until']}:"
            )
            assert 0 < int(answer.headers["retry-after"]) <= HOUR
        again = await Socket.open(fleet.two, place["socket"].rpartition("/")[2])
        await again.say(t="hello", ticket=place["ticket"])
        assert await close_code(again) == 4014

        assert "code" not in await untouched.command("manage", act={"do": "ready", "ready": True})
        assert (await bystander.prompt("/api/rooms", game="almost", seats=3)).status_code == 201
        await policies.remove(entry_name(ban), int(time.time()))
        await until_admitted(other)
        await untouched.cut()


async def until_admitted(person: Person) -> None:
    """Asks until the hub no longer answers BANNED."""
    while (await person.prompt("/api/rooms", game="almost", seats=3)).status_code == 403:
        pass


async def test_a_banned_network_is_turned_out_but_not_its_neighbours(fleet: Fleet) -> None:
    """O1"""
    async with fleet.one.http() as http, policy(fleet) as policies:
        _, socket = await sit(fleet.one, http, ELSEWHERE)
        _, neighbour = await sit(fleet.one, http, (("x-forwarded-for", "203.0.113.8"),))
        ban = Ban("network", "203.0.113.7", int(time.time()), int(time.time()) + HOUR)
        await policies.put(ban, int(time.time()))
        assert await close_code(socket) == 4014

        newcomer = {"name": "Bea", "colour": 0}
        answer = await http.post("/api/people", json=newcomer, headers=dict(ELSEWHERE))
        assert (answer.status_code, answer.json()["code"]) == (403, "BANNED")
        assert (await http.get("/healthz", headers=dict(ELSEWHERE))).status_code == 200
        assert (await http.post("/api/people", json=newcomer)).status_code == 201
        assert "code" not in await neighbour.command("manage", act={"do": "ready", "ready": True})
        await policies.remove(entry_name(ban), int(time.time()))
        await neighbour.cut()


@pytest.mark.parametrize("everybody", [False, True])
async def test_revoked_tokens_and_tickets_are_void(fleet: Fleet, everybody: bool) -> None:
    """O2: one person's, or all issued before a time; the person may come back under a new identity."""
    async with fleet.one.http() as http, policy(fleet) as policies:
        person, socket = await sit(fleet.one, http)
        before = int(time.time()) + 1
        revocation = Revocation(None if everybody else person_id(person), before, before + HOUR)
        await policies.put(revocation, before)
        assert await close_code(socket) == 4003
        answer = await person.prompt("/api/rooms", game="almost", seats=3)
        assert (answer.status_code, answer.json()["code"]) == (401, "BAD_TOKEN")
        await policies.remove(entry_name(revocation), before)
