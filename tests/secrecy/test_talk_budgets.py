"""Limits on talk reveal nothing about whispers (G4, G8.11).

Two tables in lockstep: seats 1 and 2 whisper at one of them only, and everybody talks at both. Each of
the others must be sent the same bytes at both, verdicts included.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest

from games.almost.rules.game import ALMOST
from games.api import Seat
from hub.runtime import talk_budgets
from hub.telemetry.tasks import Tasks
from hub.wire import messages as m
from hub.wire.limits import Budget, TalkBudget
from tests.secrecy.in_process_hub import TALK_LIMITS, Client
from tests.secrecy.pair import Leak, Pair, new_table

pytestmark = pytest.mark.asyncio
BURST: Final = int(TALK_LIMITS.per_seat.burst)
AT_ONCE: Final = int(TALK_LIMITS.of_seats.burst)
OPTIONS: Final = {"discussion": "untilReady", "whispers": True}
SEATS: Final = 6


async def sit(viewer: Seat | None, tasks: Tasks) -> Pair:
    """Two running tables at which whispers are allowed."""
    pair = Pair(ALMOST, viewer, tasks)
    table = new_table(ALMOST, SEATS, OPTIONS)
    await pair.sit(table, table)
    pair.do(0, m.Manage, act=m.Start())
    await pair.check()
    assert ALMOST.talk_policy(pair.state, Seat(1)).whispers
    return pair


async def whisper(pair: Pair, count: int) -> None:
    """Seats 1 and 2 whisper to each other, at the first table only."""
    for number in range(count):
        for seat, to in ((1, 2), (2, 1)):
            pair.hide(seat, m.Say(0, 0, "table", f"secret {number}", None, to), None)
        await pair.check()


async def talk(pair: Pair, count: int) -> None:
    """Everybody, viewer included, says `count` messages at both tables."""
    for number in range(count):
        for seat in range(SEATS):
            pair.do(seat, m.Say, channel="table", text=f"public {number}")
        await pair.check()


def verdicts(client: Client, code: str | None) -> int:
    return sum(message["t"] == "verdict" and message.get("code") == code for message in client.messages())


async def play(viewer: Seat | None, tasks: Tasks) -> Pair:
    """Talks to everybody before, between and after more whispers than a seat may say."""
    pair = await sit(viewer, tasks)
    await talk(pair, 2)
    await whisper(pair, BURST + 5)
    await talk(pair, BURST)
    pair.advance(2_000)
    await whisper(pair, 3)
    await talk(pair, BURST)
    return pair


@pytest.mark.parametrize("viewer", [Seat(0), Seat(3), None], ids=str)
async def test_whispers_do_not_change_what_may_be_said(viewer: Seat | None, tasks: Tasks) -> None:
    """G4, G8.11: not by the seats that whisper, nor by all seats, nor by the viewer."""
    pair = await play(viewer, tasks)
    assert verdicts(pair.clients[1][0], "SLOW_DOWN") > verdicts(pair.clients[1][1], "SLOW_DOWN") > 0
    said = sum(verdicts(clients[1], None) for clients in pair.clients)
    assert said > AT_ONCE, "the seats' common budget was used up, and has refilled a little"
    assert pair.hubs[0].metrics.limited["seat talk"] > 0


@pytest.mark.parametrize("viewer", [Seat(0), Seat(3), None], ids=str)
async def test_a_commit_under_way_does_not_change_what_may_be_said(viewer: Seat | None, tasks: Tasks) -> None:
    """G4, G8.11: a message that waits for the commit of a whisper counts from when it was received."""
    pair = await sit(viewer, tasks)
    for number in range(BURST):
        pair.do(3, m.Say, channel="table", text=f"public {number}")
    await pair.check()
    pair.hide(1, m.Say(0, 0, "table", "secret", None, 2), None)
    for hub in pair.hubs:
        hub.clock.run_soon()
    assert [hub.actor.idle for hub in pair.hubs] == [False, True]
    pair.do(3, m.Say, channel="table", text="one too many")
    for hub in pair.hubs:
        hub.clock.run_soon()
        hub.clock.move(600)
    await pair.check()
    assert [verdicts(client, "SLOW_DOWN") for client in pair.clients[3]] == [1, 1]


class OnePurse(TalkBudget):
    """The mistake: whispers and public talk share one budget of all seats."""

    last: Any = None

    def __init__(self, each: Budget, shared: Budget | None) -> None:
        super().__init__(each, shared)
        if shared is None:
            self._shared = OnePurse.last._shared
        OnePurse.last = self


class OneEach(TalkBudget):
    """The mistake: a seat's whispers count towards its public talk."""

    last: Any = None

    def __init__(self, each: Budget, shared: Budget | None) -> None:
        super().__init__(each, shared)
        if shared is None:
            self._speakers = OneEach.last._speakers
        OneEach.last = self


@pytest.mark.parametrize("mistake", [OnePurse, OneEach])
async def test_planted_mistakes_are_found(
    mistake: Callable[..., Any], tasks: Tasks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """G4"""
    monkeypatch.setattr(talk_budgets, "TalkBudget", mistake)
    with pytest.raises(Leak):
        await play(Seat(0), tasks)


async def test_a_repeated_command_keeps_its_verdict(tasks: Tasks) -> None:
    """G2, G8.11: an applied message is answered as before however much has been said since, and counts
    once."""
    pair = await sit(None, tasks)
    client = pair.hubs[0].client(Seat(1))
    await client.open()
    session = client.session
    assert session is not None
    first = m.Say(session, 0, "table", "first")
    client.send(first)
    for _ in range(BURST):
        client.send(first)
    await pair.hubs[0].settle()
    for n in range(1, BURST + 3):
        client.send(m.Say(session, n, "table", f"more {n}"))
    client.send(first)
    await pair.hubs[0].settle()
    assert [(v["n"], v.get("code")) for v in client.messages() if v["t"] == "verdict"] == [
        *((0, None) for _ in range(BURST + 1)),
        *((n, None) for n in range(1, BURST)),
        *((n, "SLOW_DOWN") for n in range(BURST, BURST + 3)),
        (0, None),
    ]
    pair.hubs[0].advance(1000)
    client.send(m.Say(session, BURST + 2, "table", "again"))
    await pair.hubs[0].settle()
    assert client.messages()[-1]["message"]["text"] == "again"
