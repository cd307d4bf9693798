"""What a bot is told in private changes nothing that others hear, nor when they hear it (G4.6, G4.10).

A bot may act on what it is told, as a person may; here it is told what changes no move.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final

import pytest
from msgspec.structs import replace

from games import GAMES
from games.almost.bot.bot import BOT
from games.almost.rules.game import ALMOST
from games.api import Character, Decision, Millis, NewPromise, Observation, Promise, Remark, Seat, Spoken
from games.dice import Dice
from games.kit.characters import CHARACTERS
from games.kit.discretion import DiscreetBot, share_with
from games.kit.observations import list_unanswered
from games.kit.promises import merge_heard, view_public
from games.testing import random_play
from hub.telemetry.tasks import Tasks
from hub.wire import messages as m
from tests.secrecy.pair import Leak, Pair
from tests.secrecy.test_bot_talk import Talker, with_bots

ASYNC = pytest.mark.asyncio
BOT_SEAT: Final = Seat(3)
CONFIDANT: Final = 1
PHRASES: Final = tuple(sorted(ALMOST.texts.phrases))


@pytest.fixture(autouse=True)
def same_random_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the bots of both tables draw the same random numbers."""
    monkeypatch.setattr("hub.runtime.actor.random.Random", lambda: Random(5))
    monkeypatch.setattr("hub.runtime.bots.secrets.token_bytes", lambda size: b"t" * size)


class Gossip(Talker):
    """Repeats aloud what it was told last: a phrase, or the number of a promise."""

    def decide(self, observation: Observation, character: Character, dice: Any) -> Decision[Any] | None:
        self.observations.append(observation)
        unanswered = list_unanswered(observation)
        if not unanswered or not observation.may_speak:
            return None
        last = unanswered[-1]
        if last.key.startswith("promise."):
            args = {"to": last.seat, "round": last.args["round"], "number": last.args["number"]}
            return Decision(remark=Remark("almost.bot.heardBid.1", args))
        return Decision(remark=Remark(last.key))


async def begin(tasks: Tasks, bot: Any) -> Pair:
    pair = Pair(ALMOST, Seat(0), tasks)
    start = with_bots(3)
    for hub in pair.hubs:
        await hub.put(start)
        hub.actor.bot = bot()
    for seat in range(3):
        pair.clients.append(await pair.connect(Seat(seat)))
    pair.eyes += [pair.clients[0], await pair.connect(None)]
    await pair.check()
    for _ in range(5):
        pair.advance(1_000)
        await pair.check()
    return pair


async def confide(pair: Pair, seed: int) -> None:
    """Somebody tells the bot one thing at one table, and another thing at the other, while others talk."""
    chance = Random(seed)
    for number in range(24):
        one, other = chance.sample(PHRASES, 2)
        match chance.randrange(6):
            case 0 | 1 | 2:
                whispers = (m.Say(0, 0, "table", None, key, BOT_SEAT) for key in (one, other))
                pair.hide(CONFIDANT, *whispers)
            case 3 if number > 4:
                promises = (_promise(number % 10 + 1), _promise((number + 3) % 10 + 1))
                pair.hide(CONFIDANT, *promises)
            case 4:
                pair.do(chance.choice((0, 2)), m.Say, channel="table", phrase=chance.choice(PHRASES))
            case _:
                pass
        for _ in range(chance.randrange(1, 9)):
            pair.advance(500)
            await pair.check()


def _promise(number: int) -> m.MakePromise:
    return m.MakePromise(0, 0, "bid", {"number": number, "round": 2}, (BOT_SEAT,), private=True)


def list_whispers(pair: Pair) -> list[list[str]]:
    """What the bot has whispered at each table."""
    return [
        [
            message["message"]["phrase"]
            for message in client.messages()
            if message["t"] == "talk" and message["message"].get("to") == CONFIDANT
        ]
        for client in pair.clients[CONFIDANT]
    ]


@pytest.mark.parametrize("bot", [Gossip, lambda: BOT], ids=["a gossip", "Almost's bot"])
@pytest.mark.parametrize("seed", range(3))
@ASYNC
async def test_others_hear_the_same_whatever_a_bot_is_told(bot: Any, seed: int, tasks: Tasks) -> None:
    pair = await begin(tasks, bot)
    await confide(pair, seed)
    one, other = list_whispers(pair)
    assert one
    assert one != other


@ASYNC
async def test_a_bot_that_gossips_is_found(tasks: Tasks, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: nothing keeps a bot from saying aloud what it was told."""
    monkeypatch.setattr("hub.runtime.bots.DiscreetBot", lambda bot, quiet: bot)
    pair = await begin(tasks, Gossip)
    with pytest.raises(Leak):
        await confide(pair, 0)


# --- every game's own bots ---

POSITIONS: Final = 12


@pytest.mark.parametrize("key", sorted(GAMES))
def test_what_is_told_in_private_changes_no_words_of_any_bot(key: str) -> None:
    """With every phrase and promise: if the move is the same, so is all that others hear."""
    game, bot = GAMES[key].game, DiscreetBot(GAMES[key].bot)
    seats, options, chance = game.seats[0], game.Options(), Random(7)
    steps = list(random_play.play(game, seats, options, key.encode(), random_play.STYLES[0], 300))
    whispered = 0
    for step in steps[:: max(1, len(steps) // POSITIONS)]:
        seat = Seat(chance.randrange(seats))
        others = [Seat(other) for other in range(seats) if other != seat]
        seen = random_play.observation(game, step.state, seat, seats)
        seen = replace(seen, talk_policy=replace(seen.talk_policy, whispers=True))
        if not seen.choices and not game.texts.phrases:
            continue
        by = chance.choice(others)
        said: list[tuple[Spoken, ...]] = [
            (Spoken(by, seat, phrase, {}, Millis(5)),) for phrase in game.texts.phrases
        ]
        views = [replace(seen, messages=messages) for messages in said]
        views += [
            replace(seen, promises=made, messages=merge_heard((), made, seat))
            for made in _list_promises(game, step.state, by, seat)
        ]
        character = chance.choice([one for one in CHARACTERS if one.level != "hard"])
        decisions = [bot.decide(view, character, Dice(b"private")) for view in views]
        plain = GAMES[key].bot.decide(share_with(views[0], None), character, Dice(b"private"))
        for decision in decisions:
            if (decision and decision.answer) == (plain and plain.answer):
                assert _aloud(decision) == _aloud(plain)
            else:
                assert _aloud(decision) == (None, None)
            whispered += bool(decision and decision.remark and decision.remark.to == by)
    assert whispered


def _list_promises(game: Any, state: Any, by: Seat, to: Seat) -> list[tuple[Promise, ...]]:
    promises: list[tuple[Promise, ...]] = []
    for choice in game.promises.choices(view_public(game, state), by):
        terms: dict[str, int | str] = {}
        for name, domain in choice.fields.items():
            if name != "to":
                terms[name] = domain.of[0] if hasattr(domain, "of") else domain.least
        new = NewPromise(choice.move, terms, (to,), private=True)
        for judgement in (None, "kept", "broken"):
            made = replace(new.promise("p", by, Millis(5), 1), judgement=judgement)
            promises.append((made,))
    return promises


def _aloud(decision: Decision[Any] | None) -> tuple[Remark | None, NewPromise | None]:
    if decision is None:
        return None, None
    remark, promise = decision.remark, decision.promise
    return (
        None if remark is not None and remark.to is not None else remark,
        None if promise is not None and promise.private else promise,
    )
