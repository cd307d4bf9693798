"""The HTTP API for Web Push: only what can be a browser's subscription is stored, for its sender alone."""

from __future__ import annotations

import base64
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from hub.net.guard import Guard
from hub.net.http.push import PushParts
from hub.net.push.encryption import PushWriter
from hub.runtime.policy import Policy
from hub.store.client import StoreUnavailable
from hub.store.subscriptions import Subscription
from tests.net.http.world import ANN, BEARER, SIGNER, WALL, SettablePolicy, World, asynchronous, refused

ENDPOINT = "https://push.example/a"
POINT = base64.urlsafe_b64decode(PushWriter(SIGNER.push_key(), "").public_key + "=")
AUTH = bytes(range(16))


def encode(key: bytes) -> str:
    return base64.urlsafe_b64encode(key).rstrip(b"=").decode()


def body(endpoint: str = ENDPOINT, point: bytes = POINT, auth: bytes = AUTH, **more: Any) -> dict[str, Any]:
    return {"endpoint": endpoint, "keys": {"p256dh": encode(point), "auth": encode(auth)}, **more}


class KeptSubscriptions:
    """Subscriptions in memory."""

    def __init__(self) -> None:
        self.stored: dict[tuple[str, bytes], Subscription] = {}
        self.is_down = False

    async def add(self, person: str, subscription: Subscription) -> None:
        if self.is_down:
            raise StoreUnavailable("down")
        self.stored[person, subscription.id] = subscription

    async def remove(self, person: str, id: bytes) -> None:
        self.stored.pop((person, id), None)


def make_world() -> tuple[World, dict[tuple[str, bytes], Subscription], KeptSubscriptions]:
    kept: Any = KeptSubscriptions()
    return World(push=PushParts(kept, "the key")), kept.stored, kept


@asynchronous
async def test_a_browser_subscribes_and_leaves() -> None:
    world, stored, _ = make_world()
    assert (await world.get("/api/push")).json() == {"key": "the key"}
    for _ in range(2):
        answer = await world.post("/api/push", body(expirationTime=None), headers=BEARER)
        assert (answer.status_code, answer.json()) == (201, {"subscribed": True})
    (entry,) = stored.items()
    assert entry == ((ANN.id, entry[1].id), Subscription(ENDPOINT, POINT, AUTH, int(WALL)))
    answer = await world.post("/api/push/end", {"endpoint": ENDPOINT}, headers=BEARER)
    assert (answer.json(), stored) == ({"subscribed": False}, {})


@asynchronous
@pytest.mark.parametrize(
    "wrong",
    [
        *(body("http://push.example/"), body("https://localhost/"), body("https://10.0.0.1/")),
        *(body(point=bytes(65)), body(point=POINT[:64]), body(auth=AUTH + b"x"), body(auth=b"")),
    ],
)
async def test_what_is_no_subscription_is_refused(wrong: dict[str, Any]) -> None:
    world, stored, _ = make_world()
    refused(await world.post("/api/push", wrong, headers=BEARER), 422, "BAD_SUBSCRIPTION")
    assert stored == {}


@asynchronous
async def test_nobody_subscribes_for_another() -> None:
    world, stored, _ = make_world()
    refused(await world.post("/api/push", body()), 401, "NO_TOKEN")
    refused(await world.post("/api/push/end", {"endpoint": ENDPOINT}), 401, "NO_TOKEN")
    refused(await world.post("/api/push", body(person="p-bea"), headers=BEARER), 422, "BAD_FIELD")
    assert stored == {}


@asynchronous
async def test_a_person_subscribes_seldom() -> None:
    world, _, _ = make_world()
    answers = [await world.post("/api/push", body(), headers=BEARER) for _ in range(21)]
    assert [answer.status_code for answer in answers] == [201] * 20 + [429]
    assert world.metrics.limited["subscriptions"] == 1


@asynchronous
async def test_a_store_that_is_down() -> None:
    world, _, kept = make_world()
    kept.is_down = True
    answer = await world.post("/api/push", body(), headers=BEARER)
    assert (answer.status_code, answer.json()["code"]) == (503, "UNAVAILABLE")
    assert answer.headers["retry-after"] == "2"


@asynchronous
async def test_a_hub_that_calls_nobody_back() -> None:
    world = World()
    refused(await world.get("/api/push"), 404, "PUSH_OFF")
    refused(await world.post("/api/push", body(), headers=BEARER), 404, "PUSH_OFF")


@asynchronous
async def test_a_device_that_is_left_while_it_subscribes() -> None:
    """T8: its body arrives after the departure."""
    kept: Any = KeptSubscriptions()
    current = SettablePolicy()
    world = World(push=PushParts(kept, "the key"), guard=Guard(current, lambda: WALL))
    packed = json.dumps(body()).encode()

    async def slow() -> AsyncIterator[bytes]:
        yield packed[:9]
        current.policy = Policy(departures={ANN.id: ANN.since + 1})
        yield packed[9:]

    headers = {**BEARER, "content-type": "application/json"}
    refused(await world.post("/api/push", content=slow(), headers=headers), 401, "CONTINUED_ELSEWHERE")
    assert kept.stored == {}
