"""What bots know, and what the pace of a bot tells (G4.6, G4.10)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games import GAMES
from games.almost.rules import ALMOST
from games.api import Decision, Millis, Seat, Sight
from games.dice import Dice
from games.kit.offers import Decline
from games.sucker.rules import SUCKER
from games.takeover.rules import TAKEOVER
from games.takeover.values import Pass
from hub.core import messages as m
from hub.core import room, table
from hub.core.room import Change, Room, Rules
from hub.io.tasks import Tasks
from tests.games.sucker_table import START as SUCKER_START
from tests.games.sucker_table import position as sucker_position
from tests.games.takeover_table import START, position
from tests.secrecy.pair import Pair, new_table

ASYNC = pytest.mark.asyncio


def with_bot(seats: int = 4, game: Rules = ALMOST, **options: Any) -> Room:
    """A table that has just begun, whose last seat is a bot's."""
    made = new_table(game, seats, options)
    freed = table.free_seat(made, seats - 1, Millis(0), by_host=True)
    assert isinstance(freed, Change)
    change = table.start(game, freed.room, GAMES[game.key].bot.levels[0], Millis(0))
    assert isinstance(change, Change)
    return change.room


@pytest.fixture(autouse=True)
def alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both tables' bots draw the same."""
    drawing = random.Random
    monkeypatch.setattr("hub.actor.random.Random", lambda: drawing(5))
    monkeypatch.setattr("hub.bots.secrets.token_bytes", lambda size: b"t" * size)


class Watching:
    """A bot that waits, and keeps what it was shown."""

    levels: tuple[str, ...] = ("easy",)

    def __init__(self) -> None:
        self.sights: list[Sight] = []

    def decide(self, sight: Sight, level: str, dice: Any) -> Decision[Any] | None:
        self.sights.append(sight)
        return None


@ASYNC
async def test_the_pace_of_a_bot(tasks: Tasks) -> None:
    """G4.10: a bot thinks when it is shown something, not when somebody else does something in secret."""
    pair = Pair(ALMOST, Seat(0), tasks)
    bot = Watching()
    made = with_bot(discussion="none")
    for rig in pair.rigs:
        await rig.put(made)
        rig.actor.bot = bot
    for seat in range(3):
        pair.clients.append(await pair.connect(Seat(seat)))
    pair.eyes.append(pair.clients[0])
    await pair.check()
    pair.do(0, m.Do, ask="bid:1", move={"move": "lock", "number": 3})
    for _ in range(6):
        pair.hide(1, m.Do(0, 0, "bid:1", {"move": "bid", "number": 7}), None)
        pair.hide(2, m.Note(0, 0, "trust nobody"), None)
        await pair.check()
        pair.advance(2_000)
        await pair.check()
    pair.do(0, m.Do, ask="bid:1", move={"move": "unlock"})
    await pair.check()
    one, other = pair.rigs
    assert one.timers.armed == other.timers.armed
    pair.advance(2_500)
    assert len(bot.sights) % 2 == 0
    assert 2 <= len(bot.sights) <= 6


class Trader:
    """A bot that passes on its turn, and off turn declines what it is offered."""

    levels: tuple[str, ...] = ("easy",)

    def decide(self, sight: Sight, level: str, dice: Any) -> Decision[Any] | None:
        for ask in sight.asks:
            if ask.kind == "turn" and sight.seat in ask.seats:
                return Decision(ask.id, Pass())
        offers = (ask.id for ask in sight.asks if ask.kind == "offer")
        return next((Decision(ask, Decline()) for ask in offers), None)


@ASYNC
async def test_a_turn_is_as_slow_whatever_is_offered_before_it(
    tasks: Tasks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """G4.10: a bot that was about to answer an offer takes its whole time for the turn that begins then."""
    monkeypatch.setattr("hub.bots.PACE", (1_000, 1_000))
    pair = Pair(TAKEOVER, Seat(0), tasks)
    made = with_bot(3, TAKEOVER)
    state = position({(0, 0): "S2", (0, 1): "S3"}, "S2", "S3", "c5", turn=1)
    for rig in pair.rigs:
        await rig.put(Room(made.table, made.counts, room.position(TAKEOVER, state)), at=START)
        rig.actor.bot = Trader()
    for viewer in (Seat(0), Seat(1), None):
        pair.clients.append(await pair.connect(viewer))
    pair.eyes += [pair.clients[0], pair.clients[-1]]
    pair.advance(3_000)
    await pair.check()
    pair.hide(1, m.Do(0, 0, "trade", {"move": "propose", "to": 2, "give": [], "wish": ["coin"]}), None)
    pair.advance(700)
    await pair.check()
    pair.do(1, m.Do, ask="turn:0", move={"move": "pass"})
    for _ in range(15):
        pair.advance(100)
        await pair.check()
    assert [state.stage.turn for state in pair.states] == [0, 0]


@ASYNC
async def test_a_bot_is_as_slow_whatever_its_row_and_its_cards(tasks: Tasks) -> None:
    """G4.10, SLS-2, SLS-18: what it does may tell of what it knows, when it does it tells nothing."""
    drawing = Dice(b"rows and cards")
    state = sucker_position(
        "3R 1G",
        "2B 1Y",
        "2G 1R",
        "3Y 1R 1B",
        piles=["RB", "G", "YB"],
        mover=3,
        trail="RG",
        cards=[(3, 1, "tribute"), (1, 3, "return")],
    )
    for _ in range(8):
        pair = Pair(SUCKER, Seat(0), tasks)
        made = with_bot(4, SUCKER)
        for rig, now in zip(pair.rigs, (state, SUCKER.resample(state, Seat(0), drawing)), strict=True):
            await rig.put(Room(made.table, made.counts, room.position(SUCKER, now)), at=SUCKER_START)
        for viewer in (Seat(0), Seat(1), None):
            pair.clients.append(await pair.connect(viewer))
        pair.advance(300)
        pair.hide(1, m.Do(0, 0, "prisoners:1", {"move": "playCard", "card": 1}), None)  # is refused
        assert await first_to_move(pair) is not None


async def first_to_move(pair: Pair) -> int | None:
    """The time at which both tables' bots have moved; AssertionError where it is not one and the same."""
    before = pair.states
    for time in range(50, 3_000, 50):
        pair.advance(50)
        for rig in pair.rigs:
            await rig.settle()
        moved = [now != then for now, then in zip(pair.states, before, strict=True)]
        if any(moved):
            assert all(moved)
            return time
    return None


@ASYNC
async def test_a_keeper_is_not_shown_the_notes(tasks: Tasks) -> None:
    """G4.6: taking a seat over never shows its notes."""
    pair = Pair(ALMOST, None, tasks)
    bot = Watching()
    made = with_bot(discussion="none")
    for rig in pair.rigs:
        await rig.put(made)
        rig.actor.bot = bot
    for seat in range(3):
        pair.clients.append(await pair.connect(Seat(seat)))
    pair.do(1, m.Note, text="a secret of mine")
    pair.do(1, m.Manage, act=m.StandIn())
    await pair.check()
    pair.advance(2_500)
    kept = [sight for sight in bot.sights if sight.seat == 1]
    assert kept
    assert all("note" not in sight.sections for sight in kept)
