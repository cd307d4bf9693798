"""Bots in conversation: they hear what their seat hears, and answer at a person's pace (G4.6, G4.10)."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from games import GAMES
from games.almost.rules.game import ALMOST
from games.api import Bot, Character, Decision, Millis, Observation, Refusal, Remark, Seat, open_prompts
from games.dice import Dice
from games.kit.observations import has_said, list_unanswered
from games.kit.remarks import MAX_ANSWERS, MIN_PAUSE_MS
from games.testing import random_play
from hub.runtime.actor import Actor
from hub.runtime.bots import ANSWER_MS, MAX_ANSWER_MS, PACE_MS
from hub.table import game_start, seating
from hub.table.commands import BotRemark
from hub.table.room import Change, Room, Rules, position_of
from hub.telemetry.tasks import Tasks
from hub.wire import messages as m
from tests.secrecy.pair import Pair, new_table

ASYNC = pytest.mark.asyncio
HELLO = "almost.say.trustMe"
LINES = ("almost.say.agreed", "almost.say.noDeal", "almost.say.thanks", "almost.say.oops", "almost.say.hurry")


@pytest.fixture(autouse=True)
def same_random_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the bots of both tables draw the same random numbers."""
    drawing = random.Random
    monkeypatch.setattr("hub.runtime.actor.random.Random", lambda: drawing(5))
    monkeypatch.setattr("hub.runtime.bots.secrets.token_bytes", lambda size: b"t" * size)


class Talker(Bot[Any]):
    """Answers whatever is said to it with its next new line, and never moves."""

    levels = ("easy", "normal", "hard")

    def __init__(self) -> None:
        self.observations: list[Observation] = []
        self.characters: list[Character] = []

    def decide(self, observation: Observation, character: Character, dice: Any) -> Decision[Any] | None:
        self.observations.append(observation)
        self.characters.append(character)
        if not list_unanswered(observation) or not observation.may_speak:
            return None
        remarks = (Remark(line) for line in LINES)
        new = next((remark for remark in remarks if not has_said(observation, remark)), None)
        return None if new is None else Decision(remark=new)


class Listener(Talker):
    """Says nothing that it has heard from anybody."""

    def decide(self, observation: Observation, character: Character, dice: Any) -> Decision[Any] | None:
        heard = {said.key for said in observation.messages}
        if not list_unanswered(observation) or not observation.may_speak:
            return None
        new = next((line for line in LINES if line not in heard), None)
        return None if new is None else Decision(remark=Remark(new))


def with_bots(people: int, seats: int = 4, game: Rules = ALMOST, **options: Any) -> Room:
    """A table that has just begun, with people in its first seats and bots in the others."""
    if game is ALMOST:
        options = {"discussion": "untilReady", "timers": "off", "whispers": True, **options}
    room = new_table(game, seats, options)
    for seat in range(people, seats):
        freed = seating.free_seat(room, seat, Millis(0), by_host=True)
        assert isinstance(freed, Change)
        room = freed.room
    change = game_start.start(game, room, "normal", Millis(0))
    assert isinstance(change, Change)
    return change.room


async def begin(tasks: Tasks, people: int, **options: Any) -> Pair:
    """Two tables, each with its own recording bot."""
    pair = Pair(ALMOST, Seat(0), tasks)
    start = with_bots(people, **options)
    for hub in pair.hubs:
        await hub.put(start)
        hub.actor.bot = Talker()
    for seat in range(people):
        pair.clients.append(await pair.connect(Seat(seat)))
    pair.eyes.append(pair.clients[0])
    await pair.check()
    for _ in range(3):  # until the bots have looked around and wait
        pair.advance(1_000)
        await pair.check()
    return pair


def talkers(pair: Pair) -> list[Talker]:
    bots = [hub.actor.bot for hub in pair.hubs]
    assert all(isinstance(bot, Talker) for bot in bots)
    return bots  # type: ignore[return-value]


def remarks(pair: Pair, hub: int = 0) -> list[tuple[int | None, str | None]]:
    """Who has said which line, as one of the people has heard it."""
    messages = pair.clients[0][hub].messages()
    heard = [message["message"] for message in messages if message["t"] == "talk"]
    return [(one.get("seat"), one["phrase"]) for one in heard if one.get("bot")]


@ASYNC
async def test_a_character_answers_at_a_persons_pace(tasks: Tasks) -> None:
    """Under its own name, after 1.2 to 4 seconds."""
    pair = await begin(tasks, 3)
    pair.do(0, m.Say, channel="table", phrase=HELLO)
    await pair.check()
    before = pair.hubs[0].actor.table_time()
    while not remarks(pair):
        pair.advance(50)
        await pair.check()
    assert ANSWER_MS[0] <= pair.hubs[0].actor.table_time() - before <= MAX_ANSWER_MS + 100
    assert remarks(pair) == [(3, LINES[0])]
    talk = [one["message"] for one in pair.clients[0][0].messages() if one["t"] == "talk"]
    assert talk[-1]["name"] == pair.room.table.seats[3].name
    assert talkers(pair)[0].characters[-1].key == pair.room.table.seats[3].character


class SlowStore:
    """Lets what bots say wait until it is stored, or refused."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._waiting: list[Callable[[], object]] = []
        self._refused: set[Actor] | None = None
        perform = Actor.perform

        def store_late(actor: Actor, command: Any, responder: Any) -> bool:
            if not isinstance(command, BotRemark):
                return perform(actor, command, responder)
            if self._refused is not None and actor not in self._refused:
                self._refused.add(actor)
                self._waiting.append(partial(responder.answer, 0, Refusal("NOT_NOW", "GEN-7")))
            else:
                self._waiting.append(partial(perform, actor, command, responder))
            return True

        monkeypatch.setattr(Actor, "perform", store_late)
        monkeypatch.setattr("hub.runtime.bots.ANSWER_MS", (2_000, 2_000))

    def refuse_first(self) -> None:
        self._refused = set()

    async def advance(self, pair: Pair) -> None:
        pair.advance(100)
        waiting, self._waiting = self._waiting, []
        for store in waiting:
            store()
        await pair.check()


async def greet_listeners(pair: Pair) -> None:
    for hub in pair.hubs:
        hub.actor.bot = Listener()
    pair.do(0, m.Say, channel="table", phrase=HELLO)
    await pair.check()


@ASYNC
async def test_two_bots_never_say_the_same_at_one_moment(
    tasks: Tasks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each has decided before it has heard the other; whoever comes second takes its time again."""
    store = SlowStore(monkeypatch)
    pair = await begin(tasks, 2)
    await greet_listeners(pair)
    times = []
    for _ in range(100):
        count = len(remarks(pair))
        await store.advance(pair)
        times += [pair.hubs[0].actor.table_time()] * (len(remarks(pair)) - count)
    said = remarks(pair)
    assert {seat for seat, _ in said} == {2, 3}
    assert len({line for _, line in said}) == len(said)
    assert times[1] - times[0] >= 2_000


@ASYNC
async def test_what_a_bot_may_not_say_holds_up_no_other(
    tasks: Tasks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """G4.10: how long another bot takes must not show what this one wanted to say."""
    store = SlowStore(monkeypatch)
    pair = await begin(tasks, 2)
    store.refuse_first()
    await greet_listeners(pair)
    for _ in range(30):
        await store.advance(pair)
    assert remarks(pair)[:1] == [(3, LINES[0])]


@ASYNC
async def test_a_bot_says_at_most_one_thing_in_eight_seconds(tasks: Tasks) -> None:
    pair = await begin(tasks, 3)
    times = []
    for number in range(400):
        if number % 20 == 0:
            pair.do(0, m.Say, channel="table", phrase=HELLO)
        said = len(remarks(pair))
        pair.advance(100)
        await pair.check()
        if len(remarks(pair)) > said:
            times.append(pair.hubs[0].actor.table_time())
    assert len(times) >= 3
    assert all(later - earlier >= MIN_PAUSE_MS - 100 for earlier, later in pairwise(times))


@ASYNC
async def test_a_bot_that_must_be_silent_still_plays_at_its_usual_pace(tasks: Tasks) -> None:
    """G4.10: somebody who speaks to it does not keep it from an open prompt for as long as it is silent."""
    pair = await begin(tasks, 3)
    pair.do(0, m.Say, channel="table", phrase=HELLO)
    while not remarks(pair):
        pair.advance(50)
        await pair.check()
    pair.do(0, m.Say, channel="table", phrase=HELLO)
    await pair.check()
    pair.advance(500)
    await pair.check()
    asked = len(talkers(pair)[0].observations)
    pair.do(0, m.Do, prompt="ready:1", move={"move": "ready"})
    await pair.check()
    pair.advance(PACE_MS[1] + 1)
    await pair.check()
    later = talkers(pair)[0].observations[asked:]
    assert any(seen.sections["readiness"].done[0] for seen in later)  # type: ignore[attr-defined]
    said = len(remarks(pair))
    for _ in range(10):
        pair.advance(1_000)
        await pair.check()
    assert len(remarks(pair)) > said, "it answers once it may"


@ASYNC
async def test_bots_do_not_talk_on_without_end(tasks: Tasks) -> None:
    """Two answers at most, until somebody moves or a person says something."""
    pair = await begin(tasks, 1)
    for number in (1, 2):
        pair.do(0, m.Say, channel="table", phrase=HELLO)
        for _ in range(60):
            pair.advance(1_000)
            await pair.check()
        assert len(remarks(pair)) == MAX_ANSWERS * number


@ASYNC
async def test_a_bot_answers_no_whisper_between_others_and_no_free_text(tasks: Tasks) -> None:
    """G4: nor is what it sees, says, or how long it takes, affected by them."""
    pair = await begin(tasks, 3)
    for number in range(12):
        pair.hide(1, m.Say(0, 0, "table", None, HELLO, 2), None)
        pair.hide(2, m.Say(0, 0, "table", "trust nobody", None, 1), m.Note(0, 0, "a note"))
        if number % 3 == 0:
            pair.do(0, m.Say, channel="table", phrase=HELLO)
        await pair.check()
        pair.advance(700)
        await pair.check()
    one, other = talkers(pair)
    assert [o for o in one.observations if o.seat == 3] == [o for o in other.observations if o.seat == 3]
    assert remarks(pair) == remarks(pair, 1) != []
    assert pair.hubs[0].clock.armed == pair.hubs[1].clock.armed
    assert all(spoken.to is None for spoken in one.observations[-1].messages)


@ASYNC
async def test_the_pace_of_one_bot_ignores_a_whisper_to_another(tasks: Tasks) -> None:
    """G4.10: the bot in seat 2 is whispered to at one table; the one in seat 3 does the same at both."""
    pair = await begin(tasks, 2)
    pair.hide(1, m.Say(0, 0, "table", None, HELLO, 2), None)
    pair.advance(300)
    pair.do(0, m.Say, channel="table", phrase=HELLO, to=3)
    heard: list[list[int]] = [[], []]
    for _ in range(80):
        pair.advance(100)
        for index, hub in enumerate(pair.hubs):
            await hub.settle()
            bot = talkers(pair)[index]
            if any(o.seat == 3 and o.messages for o in bot.observations[-2:]):
                heard[index].append(hub.actor.table_time())
    first, second = ([o for o in bot.observations if o.seat == 3] for bot in talkers(pair))
    assert [o.sections for o in first] == [o.sections for o in second]
    assert heard[0][:1] == heard[1][:1] != []


@ASYNC
async def test_a_bot_remembers_after_a_crash_what_it_knew(tasks: Tasks) -> None:
    """G6: a new owner gives the same observation: lines, talk, whispers, and what it has said itself."""
    pair = await begin(tasks, 3)
    for number in range(100):
        pair.do(number % 3, m.Say, channel="table", text=f"free text {number}")
        if number % 10 == 0:
            pair.do(number % 3, m.Say, channel="table", phrase=HELLO, to=3 if number % 20 else None)
        pair.advance(2_000)
        await pair.check()
    pair.do(0, m.Do, prompt="plan:1", move={"move": "propose", "bids": [10, 1, 1, 1]})
    await pair.check()
    hub = pair.hubs[0]
    knew = hub.actor.list_seen_lines(Seat(3)), hub.actor.list_spoken(Seat(3))
    assert [spoken for spoken in knew[1] if spoken.to == 3]
    assert [spoken for spoken in knew[1] if spoken.seat == 3]
    assert knew[0]
    await hub.restart()
    assert (hub.actor.list_seen_lines(Seat(3)), hub.actor.list_spoken(Seat(3))) == knew


@ASYNC
@pytest.mark.parametrize("leaves", [False, True], ids=["away", "gone"])
async def test_a_substitute_knows_no_whispers_and_starts_no_talk(leaves: bool, tasks: Tasks) -> None:
    """G4.6: whatever its person has said or been told in private, before and after."""
    pair = await begin(tasks, 3)
    pair.hide(1, m.Say(0, 0, "table", None, HELLO, 2), None)
    pair.hide(2, m.Say(0, 0, "table", None, "almost.say.noDeal", 1), None)
    pair.do(1, m.Manage, act=m.FreeSeat(seat=1) if leaves else m.StandIn())
    await pair.check()
    pair.advance(3_000)
    pair.do(0, m.Say, channel="table", phrase=HELLO)
    for _ in range(10):
        pair.advance(1_000)
        await pair.check()
    one, other = ([o for o in bot.observations if o.seat == 1] for bot in talkers(pair))
    assert one == other != []
    assert all(character.is_substitute for character in _played(pair, 1))
    assert not [seat for seat, _ in remarks(pair) if seat == 1]


def _played(pair: Pair, seat: int) -> list[Character]:
    bot = talkers(pair)[0]
    return [
        character
        for observation, character in zip(bot.observations, bot.characters, strict=True)
        if observation.seat == seat
    ]


class Rude(Talker):
    """Says what it may not say, at every opportunity, before it moves."""

    def decide(self, observation: Observation, character: Character, dice: Any) -> Decision[Any] | None:
        super().decide(observation, character, dice)
        if observation.may_speak:
            return Decision(remark=Remark("nonsense"))
        return None


@ASYNC
async def test_a_bot_that_may_not_say_something_still_plays(tasks: Tasks) -> None:
    """G8: a defect in a bot costs it its words, not the table its move."""
    pair = await begin(tasks, 3)
    for hub in pair.hubs:
        hub.actor.bot = Rude()
    pair.do(0, m.Say, channel="table", phrase=HELLO)
    for _ in range(10):
        pair.advance(1_000)
        await pair.check()
    last = talkers(pair)[0].observations[-1]
    assert not last.may_speak
    assert remarks(pair) == []


# --- every game's own bots ---


class Recorder(Bot[Any]):
    """A game's own bot; records when it was asked first, what it observed and what it decided."""

    def __init__(self, bot: Bot[Any], clock: Any) -> None:
        self.levels = bot.levels
        self.first: tuple[int, Observation, Decision[Any] | None] | None = None
        self._bot = bot
        self._clock = clock

    def decide(self, observation: Observation, character: Character, dice: Any) -> Decision[Any] | None:
        decision = self._bot.decide(observation, character, dice)
        if self.first is None:
            self.first = self._clock.now_ms(), observation, decision
        return decision


STATES = 24
"""The number of positions of each game that are compared, of random games with the usual options."""


@ASYNC
@pytest.mark.parametrize("key", sorted(GAMES))
async def test_what_a_bot_does_not_see_changes_neither_its_words_nor_its_pace(key: str, tasks: Tasks) -> None:
    """G4.10: at two tables that look the same to its seat, a bot does the same, after the same time."""
    game, bot = GAMES[key].game, GAMES[key].bot
    seats = game.seats[len(game.seats) // 2]
    viewer, drawing, decided = Seat(seats - 1), Dice(key.encode()), 0
    start = with_bots(seats - 1, seats, game, timers="off")
    options = msgspec.convert({"timers": "off"}, game.Options)  # no window ends and shows what was hidden
    steps = list(random_play.play(game, seats, options, key.encode(), random_play.STYLES[0], 400))
    asked = [step for step in steps if open_prompts(game.prompts(step.state), viewer)]
    for step in asked[:: max(1, len(asked) // STATES)]:
        pair = Pair(game, Seat(0), tasks)
        recorders = []
        for hub, state in zip(
            pair.hubs, (step.state, game.resample(step.state, viewer, drawing)), strict=True
        ):
            room = Room(start.table, start.counts, position_of(game, state))
            await hub.put(room, at=step.event.at)
            recorders.append(Recorder(bot, hub.clock))
            hub.actor.bot = recorders[-1]
        pair.clients.append(await pair.connect(Seat(0)))
        for client in pair.clients[0]:
            client.command(m.Say, channel="table", phrase=game.texts.phrases[0])
        for _ in range(8):
            pair.advance(500)
            for hub in pair.hubs:
                await hub.settle()
        one, other = recorders
        assert one.first == other.first
        decided += one.first is not None and one.first[2] is not None
    assert decided
