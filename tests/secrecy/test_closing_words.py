"""Characters' last lines once a game is over: one each, at a reader's pace (games/kit/closing.py)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games.almost.rules.game import ALMOST
from games.almost.rules.values import Continue, Lock
from games.api import Millis, Outcome, PromptId, Seat
from games.dice import Dice
from games.kit.closing import INTENTS
from games.kit.wordings import read_intent
from hub.runtime.bots import CLOSING_MS
from hub.table.room import Room, position_of
from hub.telemetry.tasks import Tasks
from hub.wire import messages as m
from tests.secrecy.pair import Pair
from tests.secrecy.test_bot_talk import with_bots

ASYNC = pytest.mark.asyncio
BIDS = ((10, 1, 1, 1), (1, 10, 1, 1), (1, 1, 10, 1))


@pytest.fixture(autouse=True)
def same_random_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the bots of both tables draw the same random numbers."""
    drawing = random.Random
    monkeypatch.setattr("hub.runtime.actor.random.Random", lambda: drawing(5))
    monkeypatch.setattr("hub.runtime.bots.secrets.token_bytes", lambda size: b"t" * size)


def play_to_last_reveal(room: Room) -> Room:
    """Seats 0, 1 and 2 have ten points each, seat 3 none; only the person in seat 0 has yet to go on."""
    assert room.position is not None
    state: Any = room.position.state
    dice = Dice(b"closing")

    def answer(kind: str, number: int, moves: list[Any]) -> None:
        nonlocal state
        for seat, move in enumerate(moves):
            prompt = PromptId(f"{kind}:{number}")
            assert ALMOST.check(state, Seat(seat), prompt, move, Millis(0)) is None
            state = ALMOST.apply(state, Seat(seat), prompt, move, Millis(0), dice).state

    for number, bids in enumerate(BIDS, 1):
        answer("bid", number, [Lock(bid) for bid in bids])
        if number < len(BIDS):
            answer("continue", number, [Continue()] * 4)
    return Room(room.table, room.counts, position_of(ALMOST, state))


async def reach_end(tasks: Tasks, people: int) -> Pair:
    pair = Pair(ALMOST, Seat(0), tasks)
    room = play_to_last_reveal(with_bots(people, discussion="none"))
    for hub in pair.hubs:
        await hub.put(room)
    for seat in range(people):
        pair.clients.append(await pair.connect(Seat(seat)))
    pair.eyes.append(pair.clients[0])
    await pair.check()
    return pair


def closings(pair: Pair) -> list[dict[str, Any]]:
    messages = pair.clients[0][0].messages()
    talk = [message["message"] for message in messages if message["t"] == "talk"]
    return [one for one in talk if read_intent(one.get("phrase") or "") in INTENTS]


@ASYNC
async def test_each_character_says_one_line_after_the_end(tasks: Tasks) -> None:
    pair = await reach_end(tasks, 1)
    for _ in range(30):
        pair.advance(500)
        await pair.check()
    assert not closings(pair)  # the person has not gone on
    pair.do(0, m.Do, prompt="continue:3", move={"move": "continue"})
    await pair.check()
    position = pair.hubs[0].actor.room.position
    assert position is not None
    assert isinstance(position.prompts, Outcome)
    assert not closings(pair)
    counts = []
    for _ in range(40):
        pair.advance(500)
        await pair.check()
        counts.append(len(closings(pair)))
    assert counts[CLOSING_MS // 500 - 2] == 0
    assert counts[-1] == 3
    said = {one["seat"]: read_intent(one["phrase"]) for one in closings(pair)}
    assert said == {1: "closingShared", 2: "closingShared", 3: "closingOthers"}
    assert len({one["phrase"] for one in closings(pair)}) == 3


@ASYNC
async def test_who_plays_for_a_person_says_nothing(tasks: Tasks) -> None:
    pair = await reach_end(tasks, 2)
    pair.do(1, m.Manage, act=m.StandIn())
    for _ in range(12):
        pair.advance(500)
        await pair.check()
    pair.do(0, m.Do, prompt="continue:3", move={"move": "continue"})
    for _ in range(40):
        pair.advance(500)
        await pair.check()
    assert {one["seat"] for one in closings(pair)} == {2, 3}
