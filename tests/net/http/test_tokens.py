"""Tokens end, and use renews them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from hub.net.guard import Guard
from hub.runtime.policy import Policy
from hub.store.policy import Ban, Revocation
from hub.wire.tickets import DAY, Person
from tests.harness.defaults import DEFAULTS
from tests.net.http.world import ANN, BEARER, ROOM, SIGNER, WALL, SettablePolicy, World, refused

pytestmark = pytest.mark.asyncio
ENTER = f"/api/rooms/{ROOM}/enter"


def bearer(age: int) -> dict[str, str]:
    """The header of somebody whose token was issued this many seconds ago."""
    token = SIGNER.person_token(replace(ANN, issued=int(WALL) - age))
    return {"authorization": f"Bearer {token}"}


async def test_a_token_older_than_a_day_is_renewed_by_use() -> None:
    """T7"""
    answer = await World().post(ENTER, headers=bearer(DAY))
    assert answer.status_code == 200
    fresh = SIGNER.read_person(answer.headers["parley-token"], WALL)
    assert fresh == Person(ANN.id, ANN.name, ANN.colour, int(WALL), ANN.since)


async def test_a_young_token_is_not_renewed() -> None:
    answer = await World().post(ENTER, headers=bearer(DAY - 1))
    assert answer.status_code == 200
    assert "parley-token" not in answer.headers


async def test_an_expired_token_is_refused_with_advice() -> None:
    """T7"""
    world = World()
    answer = await world.post(ENTER, headers=bearer(DEFAULTS.token_days * DAY))
    assert "POST /api/people" in refused(answer, 401, "TOKEN_EXPIRED")["advice"]
    assert "parley-token" not in answer.headers
    assert world.rooms.asked == []
    assert world.metrics.tickets_refused == {"expired": 1}


async def test_pages_of_other_origins_may_read_the_fresh_token() -> None:
    world = World(origins=("https://play.example.org",))
    headers = {**bearer(DAY), "origin": "https://play.example.org"}
    answer = await world.post(ENTER, headers=headers)
    assert answer.headers["access-control-expose-headers"] == "parley-token"


@pytest.mark.parametrize(
    "policy",
    [
        Policy(departures={ANN.id: ANN.since + 1}),
        Policy(revocations={ANN.id: Revocation(ANN.id, 0, int(WALL) + 60)}),
        Policy(revoked_before=ANN.since + 1),
        Policy(persons={ANN.id: Ban("person", ANN.id, 0, int(WALL) + 60)}),
    ],
    ids=["departed", "revoked", "all revoked", "banned"],
)
async def test_a_void_token_describes_a_table_to_nobody(policy: Policy) -> None:
    """T8, O1, O2: GET /api/rooms/{room} needs no token, and a void one is as good as none."""
    current = SettablePolicy()
    world = World(guard=Guard(current, lambda: WALL))
    await world.get(f"/api/rooms/{ROOM}", headers=BEARER)
    current.policy = policy
    assert (await world.get(f"/api/rooms/{ROOM}", headers=BEARER)).status_code == 200
    assert world.rooms.asked == [("describe", ROOM, ANN.id), ("describe", ROOM, None)]
