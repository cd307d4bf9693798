"""Talk at simulated tables: bots hear each other as in the hub, and exchanges are counted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from games.almost.rules.game import ALMOST
from games.almost.rules.values import Propose
from games.api import (
    Bot,
    Character,
    Decision,
    LogLine,
    Millis,
    NewPromise,
    Observation,
    Registration,
    Remark,
    Seat,
    TalkPolicy,
)
from games.kit.characters import CHARACTERS
from games.kit.observations import has_said, list_unanswered
from games.simulate import estimates, figures, playing, terminal
from games.simulate import plan as planning
from games.simulate.talk import TICK_MS, Talk
from games.testing import random_play

LINES = ALMOST.texts.phrases
OPEN = TalkPolicy("open", LINES, whispers=True)


class Chatterer(Bot[Any]):
    """Plays like the game's own bot, asks for a plan at the start, and answers all it is told."""

    levels = ("easy", "normal", "hard")
    proposals = frozenset({"almost.say.followPlan", "propose"})
    answers = frozenset({"almost.say.agreed", "agree"})

    def __init__(self) -> None:
        self.heard: list[Observation] = []

    def decide(self, observation: Observation, character: Character, dice: Any) -> Decision[Any] | None:
        self.heard.append(observation)
        decision = OWN.decide(observation, character, dice)
        prompt, move = (None, None) if decision is None else (decision.prompt, decision.move)
        remark = None
        if observation.may_speak:
            unanswered = list_unanswered(observation)
            wanted = ["almost.say.agreed", *LINES] if unanswered else ["almost.say.followPlan"]
            new = [Remark(key) for key in wanted if not has_said(observation, Remark(key))]
            remark = new[0] if new else None
        return Decision(prompt, move, remark) if move or remark else None


OWN = planning.load("almost", None).bot


def play(bot: Bot[Any], games: int, options: Sequence[str] = ()) -> list[playing.Row]:
    plan = planning.plan(
        "almost", None, games=games, seats=4, levels=None, options=options, compare=None, seed=3, limit=2_000
    )
    entry = Registration(ALMOST, bot)
    return [playing.play(entry, planning.match(plan, number), plan.limit) for number in range(games)]


def test_bots_hear_each_other_and_answer() -> None:
    bot = Chatterer()
    rows = play(bot, 6)
    assert all(row.end == "outcome" and not row.refused for row in rows)
    assert sum(sum(row.remarks) for row in rows) > 6
    assert sum(row.exchanges for row in rows) > 3
    assert sum(row.repeated_lines for row in rows) == 0
    assert any(observation.messages and observation.lines for observation in bot.heard)
    for observation in bot.heard:
        times = [spoken.at for spoken in observation.messages if spoken.seat == observation.seat]
        assert times == sorted(times)


class Announcer(Bot[Any]):
    """Promises something without a word or says something, and only then gets ready and bids."""

    levels = OWN.levels

    def __init__(self, *, promises: bool) -> None:
        self._promises = promises

    def decide(self, observation: Observation, character: Character, dice: Any) -> Decision[Any] | None:
        seat = observation.seat
        if self._promises and not any(promise.by == seat for promise in observation.promises):
            return Decision(promise=NewPromise("bid", {"number": 1, "round": 2}))
        if not self._promises and not has_said(observation, Remark("almost.say.oops")):
            return Decision(remark=Remark("almost.say.oops"))
        for prompt in observation.prompts:
            for choice in observation.choices.get(prompt.id, ()):
                if choice.move in ("ready", "lock", "continue"):
                    number = {"number": 1 + seat} if choice.move == "lock" else {}
                    return Decision(prompt.id, msgspec.convert({"move": choice.move, **number}, ALMOST.Move))
        return None


@pytest.mark.parametrize("promises", [False, True])
def test_a_bot_that_has_only_spoken_is_asked_again(*, promises: bool) -> None:
    """Nothing but its own move can go on here: no window runs, and the others have nothing to say to it."""
    options = ["discussion=untilReady,timers=off"]
    row = play(Announcer(promises=promises), 1, options)[0]
    assert row.end == "outcome"
    assert row.refused == 0
    assert sum(row.remarks) == (0 if promises else 4)
    assert row.promises.get("made", 0) == (4 if promises else 0)


def test_each_seat_is_a_character_of_its_level() -> None:
    levels = {character.key: character.level for character in CHARACTERS}
    for row in play(OWN, 3):
        assert len(set(row.characters)) == 4
        of_level = [levels[key] == level for key, level in zip(row.characters, row.levels, strict=True)]
        assert all(of_level)


class Parrot(Chatterer):
    """Always says the same."""

    def decide(self, observation: Observation, character: Character, dice: Any) -> Decision[Any] | None:
        decision = super().decide(observation, character, dice)
        answer = None if decision is None else decision.answer
        return None if answer is None else Decision(*answer, Remark("almost.say.oops"))


def test_repeated_lines_are_an_alarm() -> None:
    plan = planning.plan(
        "almost", None, games=4, seats=4, levels=None, options=[], compare=None, seed=3, limit=2_000
    )
    entry = Registration(ALMOST, Parrot())
    rows = [playing.play(entry, planning.match(plan, number), plan.limit) for number in range(4)]
    assert sum(row.repeated_lines for row in rows)
    text = terminal.text(figures.report(plan, entry, rows))
    assert "lines that they had said before" in text
    assert "repeated lines" in text
    for character in CHARACTERS:
        seated = [row for row in rows if character.key in row.characters]
        assert (f"{character.name} ({character.level}) wins" in text) == bool(seated)


def test_a_characters_rate_counts_its_games() -> None:
    rows = play(OWN, 8)
    plan = planning.plan(
        "almost", None, games=8, seats=4, levels=None, options=[], compare=None, seed=3, limit=2_000
    )
    (side,) = figures.report(plan, Registration(ALMOST, OWN), rows).sides
    key = next(key for row in rows for key in row.characters)
    games = [row for row in rows if key in row.characters]
    wins = sum(figures.share_of(row, row.characters.index(key)) for row in games)
    assert side.figures[f"character:{key}"].interval == estimates.proportion(wins, len(games))


def talk() -> Talk:
    return Talk(Registration(ALMOST, Chatterer()), 3)


def test_an_exchange_is_a_proposal_answered_by_whom_it_was_for() -> None:
    table = talk()
    table.note_move(Seat(0), Propose((1, 2, 3)))
    assert table.say(OPEN, Seat(0), Remark("almost.say.agreed"))  # its own proposal
    assert table.exchanges == 0
    assert table.say(OPEN, Seat(1), Remark("almost.say.agreed"))
    assert table.exchanges == 1
    table.pass_time(Millis(20_000))
    assert table.say(OPEN, Seat(2), Remark("almost.say.followPlan", to=Seat(0)))
    table.note_move(Seat(1), Propose((1, 2, 3)))
    assert table.exchanges == 1


def test_bots_may_not_say_everything_or_all_the_time() -> None:
    table = talk()
    assert not table.say(OPEN, Seat(0), Remark("nonsense"))
    assert table.say(TalkPolicy("closed"), Seat(0), Remark("almost.say.agreed"))
    assert table.say(OPEN, Seat(0), Remark("almost.say.agreed"))
    assert table.say(OPEN, Seat(0), Remark("almost.say.oops"))  # too soon: it is lost
    assert table.remarks == {Seat(0): 1}
    before = table.at
    table.pass_time(Millis(0))
    assert table.at == before + TICK_MS


def test_a_seat_reads_its_lines_only() -> None:
    table = talk()
    table.read((LogLine("a", {}, None), LogLine("b", {}, frozenset({Seat(1), Seat(2)}))))
    plan = planning.match(
        planning.plan(
            "almost", None, games=1, seats=3, levels=None, options=[], compare=None, seed=3, limit=9
        ),
        0,
    )
    game = playing._Play(Registration(ALMOST, OWN), plan)
    observations = [
        table.observe(random_play.observation(ALMOST, game._state, Seat(seat), 3)) for seat in range(3)
    ]
    assert [[line.key for line in one.lines] for one in observations] == [["a"], ["a", "b"], ["a", "b"]]
    assert observations[1].lines[1].to == frozenset({Seat(1)})
