"""Whole games of bots that talk, with everything that is said and the state it was said in.

As in the hub, a bot may speak with its move, and is asked when somebody has spoken to it or to all.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from msgspec.structs import replace

from games.api import (
    MAX_LINES_SEEN,
    Character,
    Decision,
    Millis,
    Observation,
    Outcome,
    Promise,
    Seat,
    SeenLine,
    Spoken,
)
from games.dice import Dice
from games.kit.promises import judge, merge_heard, refuse, report_making, view_public
from games.kit.remarks import SpokenMemory, find_fault, find_silence, find_unanswered, hear, may_answer
from games.subdivision.bot.bot import BOT
from games.subdivision.rules.game import SUBDIVISION as GAME
from games.subdivision.rules.promises import SubdivisionPromises
from games.subdivision.rules.values import SubdivisionOptions, SubdivisionState
from games.testing import random_play

NORMAL = SubdivisionOptions()
MOVE_MS = 2_500
ANSWER_MS = 3_000
"""How long a bot takes over a move, and over an answer."""


class Scene(NamedTuple):
    """Something said, the state it was said in, and what everybody knew then."""

    said: Spoken
    state: SubdivisionState
    promises: tuple[Promise, ...]
    before: tuple[Spoken, ...]
    """What was said before."""
    character: Character
    lines: tuple[SeenLine, ...]
    """The log."""


class TalkingTable:
    """A table of bots."""

    def __init__(
        self, characters: Sequence[Character], name: str, options: SubdivisionOptions = NORMAL
    ) -> None:
        self.characters, seats = tuple(characters), len(characters)
        self.seats = [Seat(seat) for seat in range(seats)]
        self.seed = sha256(name.encode()).digest()
        self.dice, self.thoughts = Dice(self.seed), Dice(self.seed + b" thoughts")
        self.at = Millis(0)
        self.state: SubdivisionState = GAME.setup(seats, options, self.at, self.dice).state
        self.promises: tuple[Promise, ...] = ()
        self.lines: list[SeenLine] = []
        self.memory = SpokenMemory()
        self.scenes: list[Scene] = []
        self.entries = 0
        self.asked: dict[Seat, Spoken] = {}

    @property
    def is_over(self) -> bool:
        return isinstance(GAME.prompts(self.state), Outcome)

    def play(self) -> Outcome:
        while not self.is_over:
            self.move()
            self.converse()
        outcome = GAME.prompts(self.state)
        assert isinstance(outcome, Outcome)
        return outcome

    def list_heard(self, seat: Seat) -> tuple[Spoken, ...]:
        return merge_heard(self.memory.list_heard(seat), self.promises, seat)

    def observe(self, seat: Seat) -> Observation:
        lines, messages = tuple(self.lines[-MAX_LINES_SEEN:]), self.list_heard(seat)
        return replace(
            random_play.observation(GAME, self.state, seat, len(self.seats)),
            promises=self.promises,
            lines=lines,
            messages=messages,
            may_speak=not find_silence(messages, seat, self.at) and may_answer(lines, messages),
        )

    def move(self) -> None:
        seat = self.state.stage.turn
        assert seat is not None
        self.at = Millis(self.at + MOVE_MS)
        decision = self.decide(seat)
        assert decision is not None
        self.make_promise(seat, decision)
        answer = decision.answer
        assert answer is not None
        assert GAME.check(self.state, seat, *answer, self.at) is None
        before = self.state
        step = GAME.apply(before, seat, *answer, self.at, self.dice)
        self.state = step.state
        self.promises, reports = judge(GAME, self.promises, before, step, over=self.is_over)
        self.lines += [SeenLine(line.key, line.args, None, self.at) for line in (*step.lines, *reports)]
        self.entries += 1
        self.speak(seat, decision)

    def converse(self) -> None:
        """Lets everybody answer who was spoken to, until nobody does."""
        spoke = True
        while spoke and not self.is_over:
            spoke = False
            for seat in self.seats:
                said = find_unanswered(self.list_heard(seat), seat, self.at)
                if said is None or self.asked.get(seat) == said or self.characters[seat].is_substitute:
                    continue
                self.asked[seat] = said
                decision = self.decide(seat)
                if decision is not None and decision.answer is None:
                    self.make_promise(seat, decision)
                    self.at = Millis(self.at + ANSWER_MS)
                    self.speak(seat, decision)
                    spoke = True

    def decide(self, seat: Seat) -> Decision[Any] | None:
        return BOT.decide(self.observe(seat), self.characters[seat], self.thoughts)

    def make_promise(self, seat: Seat, decision: Decision[Any]) -> None:
        if decision.promise is None:
            return
        promise = replace(decision.promise, bot=True).promise(
            f"{self.entries} {seat} {len(self.promises)}", seat, self.at, self.entries
        )
        rules, view = SubdivisionPromises(), view_public(GAME, self.state)
        assert refuse(rules, self.promises, view, promise, len(self.seats)) is None
        self.promises = (*self.promises, rules.complete(promise, view))
        line = report_making(promise)
        self.lines.append(SeenLine(line.key, line.args, None, self.at))

    def speak(self, seat: Seat, decision: Decision[Any]) -> None:
        remark = decision.remark
        if remark is None:
            return
        policy = GAME.talk_policy(self.state, seat)
        assert find_fault(GAME.texts, policy, seat, len(self.seats), remark) is None
        said = hear(remark, seat, self.at)
        heard = self.memory.list_heard(seat)
        self.scenes.append(
            Scene(said, self.state, self.promises, heard, self.characters[seat], tuple(self.lines))
        )
        self.memory.add(said)
