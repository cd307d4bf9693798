"""What only a bot's seat is sent changes neither what others hear from it nor when (G4.10).

Two tables with a bot in the last seat differ only in what is private between it and seat 1, or known to it
alone. At every tenth of a second, seat 0 and a watcher must have been sent the same.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Final

import pytest

from games.almost.bot.bot import BOT as ALMOST_BOT
from games.almost.rules.game import ALMOST
from games.api import Seat
from games.takeover.bot.bot import BOT as TAKEOVER_BOT
from games.takeover.rules.game import TAKEOVER
from hub.table.room import Room, Rules, position_of
from hub.telemetry.tasks import Tasks
from hub.wire import messages as m
from tests.games.hand_table import START
from tests.games.takeover.table import position
from tests.secrecy.pair import Pair
from tests.secrecy.test_bot_talk import with_bots

ASYNC = pytest.mark.asyncio
BOT_SEAT: Final = Seat(3)
CONFIDANT: Final = 1
STEP_MS: Final = 100
SEEDS: Final = (8, 13, 17, 30)
"""With these, the bot once spoke aloud after offers alone."""
Tell = Callable[[Pair], None]
"""Tells the bot something in private at the first table only, or everybody the same at both."""


@pytest.fixture(autouse=True, params=SEEDS)
def same_random_numbers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the bots of both tables draw the same random numbers."""
    seed: int = request.param
    monkeypatch.setattr("hub.runtime.actor.random.Random", lambda: Random(seed))
    monkeypatch.setattr("hub.runtime.bots.secrets.token_bytes", lambda size: bytes([seed]) * size)


async def begin(tasks: Tasks, game: Rules, bot: Any, states: tuple[Any, Any] | None, **options: Any) -> Pair:
    """Both tables, in these states or at the beginning."""
    pair = Pair(game, Seat(0), tasks)
    room = with_bots(3, game=game, timers="off", **options)
    for number, hub in enumerate(pair.hubs):
        if states is not None:
            room = Room(room.table, room.counts, position_of(game, states[number]))
        await hub.put(room, at=START)
        hub.actor.bot = bot
    for seat in range(3):
        pair.clients.append(await pair.connect(Seat(seat)))
    pair.eyes += [pair.clients[0], await pair.connect(None)]
    await pair.check()
    return pair


async def follow(pair: Pair, seconds: int) -> None:
    for _ in range(seconds * 1_000 // STEP_MS):
        pair.advance(STEP_MS)
        await pair.check()


def count_heard(pair: Pair) -> int:
    """How many remarks of the bot seat 0 has heard."""
    messages = (message for message in pair.clients[0][0].messages() if message["t"] == "talk")
    return sum(message["message"].get("seat") == BOT_SEAT for message in messages)


# --- offers ---

STACKS: Final = {
    (0, 0): "S3",
    (1, 0): "S5",
    (2, 0): "M4",
    (3, 0): "C3",
    (5, 3): "A1",
    (4, 0): "C5",
    (5, 0): "A4",
}


async def begin_trading(tasks: Tasks) -> Pair:
    """It is the turn of seat 2, and the bot has nothing to do."""
    state = position(STACKS, "S3 a5 c2", "M4 m5 a2", "C3 m2", "S5 c5 m3", turn=2, timers="off")
    pair = await begin(tasks, TAKEOVER, TAKEOVER_BOT, (state, state))
    await follow(pair, 10)
    return pair


def offer(pair: Pair) -> None:
    move = {"move": "propose", "to": BOT_SEAT, "give": ["A2"], "wish": ["coin", "coin"]}
    pair.hide(CONFIDANT, m.Do(0, 0, "trade", move), None)


def threaten(pair: Pair) -> None:
    pair.do(0, m.MakePromise, kind="cover", terms={"coin": "S5", "turn": 3}, to=(BOT_SEAT,))


def plead(pair: Pair) -> None:
    pair.do(0, m.Say, channel="table", phrase="takeover.say.spareMine")


@pytest.mark.parametrize("say", [threaten, plead])
@pytest.mark.parametrize("lead", [-6, 0, 6, 25])
@ASYNC
async def test_an_offer_does_not_change_when_a_bot_answers_others(say: Tell, lead: int, tasks: Tasks) -> None:
    """Whether the bot gets it before somebody speaks to it, or while it is about to answer."""
    pair = await begin_trading(tasks)
    heard = count_heard(pair)
    await tell_both(pair, offer, say, lead)
    await follow(pair, 15)
    assert count_heard(pair) > heard


async def tell_both(pair: Pair, private: Tell, say: Tell, lead: int) -> None:
    """`lead`: how many steps somebody speaks aloud before the bot is told something in private."""
    first, second = (say, private) if lead > 0 else (private, say)
    first(pair)
    await pair.check()
    for _ in range(abs(lead)):
        pair.advance(STEP_MS)
        await pair.check()
    second(pair)
    await pair.check()


@ASYNC
async def test_offers_alone_do_not_make_a_bot_speak(tasks: Tasks) -> None:
    pair = await begin_trading(tasks)
    for _ in range(6):
        offer(pair)
        await follow(pair, 6)
    lines = [len(hub.actor.list_seen_lines(BOT_SEAT)) for hub in pair.hubs]
    assert lines[0] >= lines[1] + 12, "it has answered each offer"


# --- whispers ---


def whisper(pair: Pair) -> None:
    say = m.Say(0, 0, "table", None, "almost.say.agreed", BOT_SEAT)
    pair.hide(CONFIDANT, say, None)


def promise_in_private(pair: Pair) -> None:
    promise = m.MakePromise(0, 0, "bid", {"number": 4, "round": 1}, (BOT_SEAT,), private=True)
    pair.hide(CONFIDANT, promise, None)


def ask_for_trust(pair: Pair) -> None:
    pair.do(0, m.Say, channel="table", phrase="almost.say.trustMe")


@pytest.mark.parametrize("tell", [whisper, promise_in_private])
@pytest.mark.parametrize("lead", [-15, -6, 0, 6])
@ASYNC
async def test_a_whisper_does_not_change_when_a_bot_answers_others(
    tell: Tell, lead: int, tasks: Tasks
) -> None:
    pair = await begin(tasks, ALMOST, ALMOST_BOT, None, discussion="untilReady", whispers=True)
    await follow(pair, 40)
    heard = count_heard(pair)
    await tell_both(pair, tell, ask_for_trust, lead)
    await follow(pair, 15)
    assert count_heard(pair) > heard


# --- stocks cashed out in secret ---


@ASYNC
async def test_a_secret_cash_out_does_not_make_a_turn_longer(tasks: Tasks) -> None:
    """At the first table, the bot must turn a stock into cash before it can pay for its merger (TKO-6)."""
    stacks = {(0, 0): "S5", (1, 0): "A1 A2 A3 A5 C1 C4", (5, 0): "M4", (5, 3): "C3", (3, 3): "S2"}
    one, other = (
        position(stacks, "C4 s3", "C3 a4", "S2 m2", hand, turn=3, voluntaryCashOut=True, timers="off")
        for hand in ("S5 M4", "S5 m4")
    )
    pair = await begin(tasks, TAKEOVER, TAKEOVER_BOT, (one, other), voluntaryCashOut=True)
    await follow(pair, 6)
    assert [state.stage.turn for state in pair.states] == [0, 0]
