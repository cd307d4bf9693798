"""Bots and secrecy: bots never see other seats' secrets, and their timing reveals none (G4.6, G4.10)."""

from __future__ import annotations

import random
from typing import Any

import pytest
import pytest_asyncio

from games import GAMES
from games.almost.rules.game import ALMOST
from games.almost.rules.values import Lock
from games.api import Bot, Character, Decision, Millis, Observation, PromptId, Registration, Seat
from games.dice import Dice
from games.kit.offers import Decline
from games.sucker.rules.game import SUCKER
from games.takeover.rules.game import TAKEOVER
from games.takeover.rules.values import Pass
from hub.runtime.bots import HEAD_START_MS, MAX_PAUSE_MS
from hub.table import game_start, room, seating
from hub.table.room import Change, Room, Rules
from hub.telemetry.tasks import Tasks
from hub.wire import messages as m
from hub.worker.bot_executor import BotTask
from tests.games.hand_table import START
from tests.games.sucker.table import position as sucker_position
from tests.games.takeover.table import position
from tests.secrecy.in_process_hub import Client, InProcessHub
from tests.secrecy.pair import Pair, new_table

ASYNC = pytest.mark.asyncio


def with_bot(seats: int = 4, game: Rules = ALMOST, **options: Any) -> Room:
    """A table that has just begun, with a bot in its last seat."""
    start = new_table(game, seats, options)
    freed = seating.free_seat(start, seats - 1, Millis(0), by_host=True)
    assert isinstance(freed, Change)
    change = game_start.start(game, freed.room, GAMES[game.key].bot.levels[0], Millis(0))
    assert isinstance(change, Change)
    return change.room


@pytest.fixture(autouse=True)
def same_random_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the bots of both tables draw the same random numbers."""
    drawing = random.Random
    monkeypatch.setattr("hub.runtime.actor.random.Random", lambda: drawing(5))
    monkeypatch.setattr("hub.runtime.bots.secrets.token_bytes", lambda size: b"t" * size)


class Watching(Bot[Any]):
    """A bot that waits, and records its observations."""

    levels: tuple[str, ...] = ("easy",)

    def __init__(self) -> None:
        self.observations: list[Observation] = []

    def decide(self, observation: Observation, character: Character, dice: Any) -> Decision[Any] | None:
        self.observations.append(observation)
        return None


async def watching(pair: Pair) -> Watching:
    """Sets up both tables with three people and one shared bot, and returns the bot."""
    bot = Watching()
    start = with_bot(discussion="none")
    for hub in pair.hubs:
        await hub.put(start)
        hub.actor.bot = bot
    for seat in range(3):
        pair.clients.append(await pair.connect(Seat(seat)))
    return bot


@ASYNC
async def test_a_bots_pace_ignores_what_others_do_in_secret(tasks: Tasks) -> None:
    """G4.10: a bot thinks when it is shown something, not when somebody else does something in secret."""
    pair = Pair(ALMOST, Seat(0), tasks)
    bot = await watching(pair)
    pair.eyes.append(pair.clients[0])
    await pair.check()
    pair.do(0, m.Do, prompt="bid:1", move={"move": "lock", "number": 3})
    for _ in range(6):
        pair.hide(1, m.Do(0, 0, "bid:1", {"move": "bid", "number": 7}), None)
        pair.hide(2, m.Note(0, 0, "trust nobody"), None)
        await pair.check()
        pair.advance(2_000)
        await pair.check()
    pair.do(0, m.Do, prompt="bid:1", move={"move": "unlock"})
    await pair.check()
    one, other = pair.hubs
    assert one.clock.armed == other.clock.armed
    pair.advance(2_500)
    assert len(bot.observations) % 2 == 0
    assert 2 <= len(bot.observations) <= 6


class Trader(Bot[Any]):
    """A bot that passes on its turn, and otherwise declines every offer."""

    levels: tuple[str, ...] = ("easy",)

    def __init__(self, *, slow: bool) -> None:
        self.slow = frozenset({"easy"} if slow else ())

    def decide(self, observation: Observation, character: Character, dice: Any) -> Decision[Any] | None:
        for prompt in observation.prompts:
            if prompt.kind == "turn" and observation.seat in prompt.seats:
                return Decision(prompt.id, Pass())
        offers = (prompt.id for prompt in observation.prompts if prompt.kind == "offer")
        return next((Decision(prompt, Decline()) for prompt in offers), None)


@ASYNC
@pytest.mark.parametrize("slow", [False, True], ids=["quick", "slow"])
async def test_an_earlier_offer_does_not_change_how_long_a_turn_takes(
    slow: bool, tasks: Tasks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """G4.10: a bot about to answer an offer takes its full time for a turn that begins in the meantime."""
    monkeypatch.setattr("hub.runtime.bots.PACE_MS", (1_000, 1_000))
    pair = Pair(TAKEOVER, Seat(0), tasks)
    start = with_bot(3, TAKEOVER)
    state = position({(0, 0): "S2", (0, 1): "S3"}, "S2", "S3", "c5", turn=1)
    for hub in pair.hubs:
        await hub.put(Room(start.table, start.counts, room.position_of(TAKEOVER, state)), at=START)
        hub.actor.bot = Trader(slow=slow)
    for viewer in (Seat(0), Seat(1), None):
        pair.clients.append(await pair.connect(viewer))
    pair.eyes += [pair.clients[0], pair.clients[-1]]
    pair.advance(3_000)
    await pair.check()
    pair.hide(1, m.Do(0, 0, "trade", {"move": "propose", "to": 2, "give": [], "wish": ["coin"]}), None)
    pair.advance(700)
    await pair.check()
    pair.do(1, m.Do, prompt="turn:0", move={"move": "pass"})
    for _ in range(15):
        pair.advance(100)
        await pair.check()
    assert [state.stage.turn for state in pair.states] == [0, 0]


@ASYNC
async def test_a_bots_pace_does_not_depend_on_its_row_or_cards(tasks: Tasks) -> None:
    """G4.10, SLS-2, SLS-18: a bot's move may reveal what it knows, but its timing reveals nothing."""
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
        start = with_bot(4, SUCKER)
        for hub, dealt in zip(pair.hubs, (state, SUCKER.resample(state, Seat(0), drawing)), strict=True):
            await hub.put(Room(start.table, start.counts, room.position_of(SUCKER, dealt)), at=START)
        for viewer in (Seat(0), Seat(1), None):
            pair.clients.append(await pair.connect(viewer))
        pair.advance(300)
        pair.hide(1, m.Do(0, 0, "prisoners:1", {"move": "playCard", "card": 1}), None)  # it is refused
        assert await first_to_move(pair) is not None


async def first_to_move(pair: Pair) -> int | None:
    """The time at which both tables' bots have moved; fails if they differ."""
    before = pair.states
    for time in range(50, 3_000, 50):
        pair.advance(50)
        for hub in pair.hubs:
            await hub.settle()
        moved = [state != then for state, then in zip(pair.states, before, strict=True)]
        if any(moved):
            assert all(moved)
            return time
    return None


@ASYNC
async def test_a_substitute_is_not_shown_the_notes(tasks: Tasks) -> None:
    """G4.6: taking over a seat never shows its notes."""
    pair = Pair(ALMOST, None, tasks)
    bot = await watching(pair)
    pair.do(1, m.Note, text="a secret of mine")
    pair.do(1, m.Manage, act=m.StandIn())
    await pair.check()
    pair.advance(2_500)
    kept = [observation for observation in bot.observations if observation.seat == 1]
    assert kept
    assert all("note" not in observation.sections for observation in kept)


# --- slow bots ---

PACE = 1_000
"""The time that bots take in these tests, in milliseconds; slow bots think during the last part."""
QUIET = PACE - HEAD_START_MS
BID = PromptId("bid:1")


class Elsewhere:
    """An executor for slow bots; the test makes their decisions."""

    def __init__(self) -> None:
        self.thoughts: list[BotTask] = []

    def submit(self, thought: BotTask) -> None:
        self.thoughts.append(thought)

    def answer(self, number: int, thought: int = -1) -> None:
        """Finishes a task: the bot locks this number."""
        self.thoughts[thought].finish(Decision(BID, Lock(number)))


class Slow(Bot[Any]):
    """A bot that thinks for a long time, except at its quick level, where it locks 1."""

    levels = ("quick", "easy")
    slow = frozenset({"easy"})

    def decide(self, observation: Observation, character: Character, dice: Any) -> Decision[Any] | None:
        return Decision(BID, Lock(1 if character.level == "quick" else 2))


class SlowTable:
    """Three people and a slow bot, prompted for their bids."""

    def __init__(self, tasks: Tasks) -> None:
        self.elsewhere = Elsewhere()
        self.hub = InProcessHub({ALMOST.key: Registration(ALMOST, Slow())}, tasks, self.elsewhere)
        self.clients: list[Client] = []

    async def begin(self) -> None:
        await self.hub.put(with_bot(discussion="none", timers="off"))
        self.clients = [self.hub.client(Seat(seat)) for seat in range(3)]
        for client in self.clients:
            await client.open()

    @property
    def thoughts(self) -> list[BotTask]:
        return self.elsewhere.thoughts

    def bid(self) -> int | None:
        """The bot's bid."""
        bid: int | None = self.hub.state.bids.draft[3]
        return bid

    def lock(self, seat: int) -> None:
        """Locks a number for this seat, which everybody sees."""
        self.clients[seat].command(m.Do, prompt=BID, move={"move": "lock", "number": 2})
        self.hub.pump()

    def unlock(self, seat: int) -> None:
        self.clients[seat].command(m.Do, prompt=BID, move={"move": "unlock"})
        self.hub.pump()

    def answer(self, number: int, thought: int = -1) -> None:
        self.elsewhere.answer(number, thought)
        self.hub.pump()


@pytest_asyncio.fixture
async def slow(tasks: Tasks, monkeypatch: pytest.MonkeyPatch) -> SlowTable:
    monkeypatch.setattr("hub.runtime.bots.PACE_MS", (PACE, PACE))
    start = SlowTable(tasks)
    await start.begin()
    return start


@ASYNC
async def test_a_slow_bots_decision_is_applied_when_its_time_is_up(slow: SlowTable) -> None:
    """G4.10: it is done no sooner, however quickly the bot thought, and no later."""
    slow.hub.advance(QUIET - 1)
    assert not slow.thoughts
    slow.hub.advance(1)
    assert [thought.arguments[0].seat for thought in slow.thoughts] == [3]
    slow.answer(5)
    slow.hub.advance(HEAD_START_MS - 1)
    assert slow.bid() is None
    slow.hub.advance(1)
    assert slow.bid() == 5
    assert len(slow.thoughts) == 1


@ASYNC
async def test_a_late_decision_is_applied_at_once(slow: SlowTable) -> None:
    slow.hub.advance(PACE + 50)
    assert slow.bid() is None
    slow.answer(5)
    assert slow.bid() == 5


@ASYNC
async def test_a_bot_whose_view_changes_decides_again(slow: SlowTable) -> None:
    """The bot's earlier tasks no longer count, whether answered or not; its time stays the same."""
    slow.hub.advance(QUIET)
    slow.answer(5)
    slow.lock(0)
    slow.lock(1)
    slow.answer(6, thought=1)
    slow.hub.advance(HEAD_START_MS)
    assert slow.bid() is None
    assert len(slow.thoughts) == 3
    assert len({thought.arguments[2].below("x", 1 << 64) for thought in slow.thoughts}) == 1
    slow.answer(7)
    assert slow.bid() == 7


@ASYNC
async def test_view_changes_cannot_keep_a_bot_from_deciding(slow: SlowTable) -> None:
    """G8: if somebody keeps changing its view, a bot eventually uses its quick level, on the loop."""
    slow.hub.advance(PACE)
    for _ in range(3):
        slow.lock(0)
        slow.unlock(0)
    assert slow.bid() == 1


@ASYNC
@pytest.mark.parametrize("how", ["taken back", "paused", "handed over"])
async def test_an_obsolete_decision_is_discarded(how: str, slow: SlowTable) -> None:
    """GEN-7: an answer changes nothing once a person has the seat back, or the table is paused or gone."""
    slow.lock(1)
    slow.clients[0].command(m.Manage, act=m.StandIn())
    slow.hub.advance(PACE)
    assert {thought.arguments[0].seat for thought in slow.thoughts} == {0, 3}
    actor = slow.hub.actor
    match how:
        case "taken back":
            slow.clients[0].command(m.Manage, act=m.TakeBack())
        case "paused":
            slow.clients[0].command(m.Manage, act=m.Pause())
        case _:
            actor.halt()
            slow.hub.pump()
            assert actor.idle
            actor.stop("handed over")
    slow.hub.pump()
    for thought in range(len(slow.thoughts)):
        slow.answer(9, thought)
    position = actor.room.position
    assert position is not None
    assert position.state.bids.draft == (None, 2, None, 9 if how == "taken back" else None)


class Hesitant(Bot[Any]):
    """A bot that takes a given time to bid."""

    levels: tuple[str, ...] = ("easy",)

    def __init__(self, after: int) -> None:
        self.after = Millis(after)

    def decide(self, observation: Observation, character: Character, dice: Any) -> Decision[Any] | None:
        bids = (prompt.id for prompt in observation.prompts if prompt.kind == "bid")
        offered = {choice.move for choices in observation.choices.values() for choice in choices}
        if "unlock" in offered:
            return None
        return next((Decision(prompt, Lock(7), after=self.after) for prompt in bids), None)


@ASYNC
@pytest.mark.parametrize(
    ("after", "until"),
    [(5_000, 5_000), (100, 1_000), (10**9, MAX_PAUSE_MS)],
    ids=["within the bounds", "too short", "too long"],
)
async def test_a_bot_chooses_its_pace_within_bounds(
    after: int, until: int, tasks: Tasks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """G4.10: a number that another seat drafts in the meantime does not change the pace."""
    monkeypatch.setattr("hub.runtime.bots.PACE_MS", (1_000, 1_000))
    pair = Pair(ALMOST, Seat(0), tasks)
    start = with_bot(discussion="none")
    for hub in pair.hubs:
        await hub.put(start)
        hub.actor.bot = Hesitant(after)
    for seat in range(3):
        pair.clients.append(await pair.connect(Seat(seat)))
    pair.eyes.append(pair.clients[0])
    await pair.check()

    def locked() -> list[bool]:
        positions = (hub.actor.room.position for hub in pair.hubs)
        return [position.state.bids.locked[3] for position in positions if position is not None]

    pair.advance(until - 400)
    await pair.check()
    pair.hide(1, m.Do(0, 0, "bid:1", {"move": "bid", "number": 7}), None)
    pair.advance(300)
    await pair.check()
    assert locked() == [False, False]
    pair.advance(200)
    await pair.check()
    assert locked() == [True, True]
