"""Whole games of Takeover bots that talk, as the hub lets them hear and answer, and what was said in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from games.api import (
    MAX_LINES_SEEN,
    Character,
    LogLine,
    Millis,
    Observation,
    Outcome,
    Promise,
    Seat,
    SeenLine,
    Spoken,
    Step,
    open_prompts,
)
from games.dice import Dice, bot_dice
from games.kit.characters import cast_levels
from games.kit.promises import audience, judge, merge_heard, refuse, report_making, view_public
from games.kit.remarks import SpokenMemory, find_fault, find_silence, find_unanswered, hear, may_answer
from games.takeover.bot.bot import BOT
from games.takeover.rules.game import TAKEOVER as GAME
from games.takeover.rules.values import TakeoverOptions, TakeoverState
from games.testing import random_play

PACE = 1_500
"""The time that a bot takes over a decision, in milliseconds."""
LIMIT = 3_000


class Said(NamedTuple):
    """A remark with the observation that its speaker has just after it."""

    spoken: Spoken
    observation: Observation
    state: TakeoverState


class TalkingTable:
    """A table of characters, one for each seat, played to the end by `play`."""

    state: TakeoverState

    def __init__(self, levels: Sequence[str], name: str, **options: str) -> None:
        seed = sha256(name.encode()).digest()
        self.characters: tuple[Character, ...] = cast_levels(levels, seed)
        self.seats = [Seat(seat) for seat in range(len(levels))]
        self.promises: tuple[Promise, ...] = ()
        self.at = Millis(0)
        self.entry = 0
        self._seed = seed
        self._dice = Dice(seed)
        self._order = Dice(sha256(seed + b"order").digest())
        self._lines: list[tuple[LogLine, Millis]] = []
        self._memory = SpokenMemory()
        self._decisions = 0
        chosen = msgspec.convert(options, TakeoverOptions)
        self._follow(GAME.setup(len(levels), chosen, self.at, self._dice))

    def play(self) -> Iterator[Said]:
        """Everything that is said in the game."""
        for _ in range(LIMIT):
            prompts = GAME.prompts(self.state)
            if isinstance(prompts, Outcome):
                return
            acted = False
            for seat in self._order.shuffle("seat", self.seats):
                said = self._ask(seat)
                if said is not None:
                    acted = True
                    if isinstance(said, Said):
                        yield said
            if not acted:
                self._expire()
        raise AssertionError("the game does not end")

    @property
    def winners(self) -> tuple[Seat, ...]:
        outcome = GAME.prompts(self.state)
        assert isinstance(outcome, Outcome)
        return outcome.winners

    def observe(self, seat: Seat) -> Observation:
        lines = tuple(
            SeenLine(line.key, line.args, line.to, at)
            for line, at in self._lines
            if line.to is None or seat in line.to
        )[-MAX_LINES_SEEN:]
        known = tuple(promise for promise in self.promises if _knows(seat, promise))
        messages = merge_heard(self._memory.list_heard(seat), known, seat)
        is_free = not find_silence(messages, seat, self.at) and may_answer(lines, messages)
        return replace(
            random_play.observation(GAME, self.state, seat, len(self.seats)),
            promises=known,
            lines=lines,
            messages=messages,
            may_speak=is_free,
        )

    def say(self, spoken: Spoken) -> None:
        self._memory.add(spoken)

    def _ask(self, seat: Seat) -> Said | bool | None:
        """Lets a seat decide that has something to do or to answer; None if it does nothing."""
        prompts = GAME.prompts(self.state)
        observation = self.observe(seat)
        is_addressed = find_unanswered(observation.messages, seat, self.at) is not None
        if isinstance(prompts, Outcome) or not (open_prompts(prompts, seat) or is_addressed):
            return None
        self._decisions += 1
        dice = bot_dice(self._seed, seat, self._decisions)
        decision = BOT.decide(observation, self.characters[seat], dice)
        if decision is None:
            return None
        self.at = Millis(self.at + PACE)
        if decision.promise is not None:
            self._promise(decision.promise.promise(f"{self.entry}", seat, self.at, self.entry))
        if decision.answer is not None:
            prompt, move = decision.answer
            assert GAME.check(self.state, seat, prompt, move, self.at) is None, (decision, observation)
            self._follow(GAME.apply(self.state, seat, prompt, move, self.at, self._dice))
        if decision.remark is None:
            return True
        assert observation.may_speak
        policy = GAME.talk_policy(self.state, seat)
        assert find_fault(GAME.texts, policy, seat, len(self.seats), decision.remark) is None, decision
        spoken = hear(decision.remark, seat, self.at)
        self._memory.add(spoken)
        return Said(spoken, self.observe(seat), self.state)

    def _promise(self, promise: Promise) -> None:
        view = view_public(GAME, self.state)
        assert refuse(GAME.promises, self.promises, view, promise, len(self.seats)) is None, promise
        self.promises = (*self.promises, promise)
        self.entry += 1
        self._lines.append((report_making(promise), self.at))

    def _expire(self) -> None:
        due = random_play.first_due(GAME.windows(self.state))
        assert due is not None
        window, self.at = due
        self._follow(GAME.expire(self.state, window.id, self.at, self._dice))

    def _follow(self, step: Step[TakeoverState]) -> None:
        reports: tuple[LogLine, ...] = ()
        if self.promises:
            over = isinstance(GAME.prompts(step.state), Outcome)
            self.promises, reports = judge(GAME, self.promises, self.state, step, over=over)
        self.state = step.state
        self.entry += 1
        self._lines.extend((line, self.at) for line in (*step.lines, *reports))


def _knows(seat: Seat, promise: Promise) -> bool:
    knowing = audience(promise)
    return knowing is None or seat in knowing
