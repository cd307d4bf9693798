"""A table of So Long Sucker bots that talk: a small model of the hub's loop, with its pace.

A bot decides a while after it has seen something new, from what it sees by then. It is asked if it has a
prompt, or if somebody has spoken to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

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
)
from games.dice import Dice, bot_dice
from games.kit.promises import judge, merge_heard, refuse, report_making, view_public
from games.kit.remarks import (
    SpokenMemory,
    find_event,
    find_fault,
    find_silence,
    find_unanswered,
    hear,
    may_answer,
)
from games.sucker.bot.bot import BOT
from games.sucker.rules.game import SUCKER
from games.sucker.rules.values import SuckerOptions, SuckerState
from games.testing import random_play

PACE_MS = (700, 2_200)
ANSWER_MS = (1_800, 3_600)
LIMIT = 3_000


class Said(NamedTuple):
    """Something said, with the state and the promises that it was said in."""

    spoken: Spoken
    state: SuckerState
    promises: tuple[Promise, ...]
    lines: int
    heard: int
    """The numbers of lines before it, and of messages up to it."""


class TalkingTable:
    """A game of these characters, and everything said in it."""

    def __init__(self, cast: Sequence[Character], seed: bytes, options: Mapping[str, Any] = {}) -> None:
        self.cast, self.seed = cast, seed
        self.seats = [Seat(seat) for seat in range(len(cast))]
        self.dice, self.pace = Dice(seed), Dice(seed + b"pace")
        self.at = Millis(0)
        step = SUCKER.setup(len(cast), msgspec.convert(options, SuckerOptions), self.at, self.dice)
        self.state: SuckerState = step.state
        self.lines: list[tuple[Millis, LogLine]] = [(self.at, line) for line in step.lines]
        self.heard = SpokenMemory()
        self.promises: tuple[Promise, ...] = ()
        self.remarks: list[Said] = []
        self.expired = self.refused = self.decisions = 0
        self._due: dict[Seat, tuple[Millis, Millis, bool]] = {}
        """By seat, when it has begun to think, when it decides, and whether it may then speak."""
        self._pausing: set[Seat] = set()
        self._known: dict[Seat, Spoken | None] = {}
        self._noticed: dict[Seat, SeenLine | None] = {}
        self._waiting: dict[Seat, Any] = {}

    def play(self) -> Outcome:
        for _ in range(LIMIT):
            outcome = SUCKER.prompts(self.state)
            if isinstance(outcome, Outcome):
                return outcome
            self._consider()
            if not self._due:
                self._expire()
                continue
            seat = min(self._due, key=lambda seat: (self._due[seat][1], seat))
            due = random_play.first_due(SUCKER.windows(self.state))
            if due is not None and due[1] < self._due[seat][1]:
                self._expire()
                continue
            self._decide(seat)
        raise AssertionError("the game does not end")

    def play_until(self, decisions: int) -> None:
        """Plays until bots have made this many decisions, or the game is over."""
        while self.decisions < decisions and not isinstance(SUCKER.prompts(self.state), Outcome):
            self._consider()
            if not self._due:
                self._expire()
                continue
            self._decide(min(self._due, key=lambda seat: (self._due[seat][1], seat)))

    def observe(self, seat: Seat, may_speak: bool = True) -> Observation:
        observation = random_play.observation(SUCKER, self.state, seat, len(self.seats))
        lines = tuple(
            SeenLine(line.key, line.args, line.to, at)
            for at, line in self.lines
            if line.to is None or seat in line.to
        )[-MAX_LINES_SEEN:]
        messages = merge_heard(self.heard.list_heard(seat), self.promises, seat)
        may_speak = may_speak and may_answer(lines, messages)
        return replace(
            observation, lines=lines, messages=messages, promises=self.promises, may_speak=may_speak
        )

    def _consider(self) -> None:
        prompts = SUCKER.prompts(self.state)
        prompted = set() if isinstance(prompts, Outcome) else {seat for one in prompts for seat in one.seats}
        for seat in self.seats:
            if seat in self._due:
                continue
            observation = self.observe(seat)
            spoken = find_unanswered(observation.messages, seat, self.at)
            event = find_event(observation.lines, BOT.remarkable, self.at)
            has_news = (spoken is not None and spoken != self._known.get(seat)) or (
                event is not None and event != self._noticed.get(seat)
            )
            silence = find_silence(observation.messages, seat, self.at)
            if seat in prompted and self._waiting.get(seat) != observation.sections:
                pace = self._draw_pace(PACE_MS)
            elif has_news and observation.may_speak:
                pace = max(self._draw_pace(ANSWER_MS), silence)
            else:
                continue
            self._due[seat] = (self.at, Millis(self.at + pace), pace >= silence)

    def _draw_pace(self, span: tuple[int, int]) -> int:
        return span[0] + self.pace.below("pace", span[1] - span[0])

    def _decide(self, seat: Seat) -> None:
        began, due, may_speak = self._due.pop(seat)
        self.at = max(self.at, due)
        observation = self.observe(seat, may_speak)
        self.decisions += 1
        decision = BOT.decide(observation, self.cast[seat], bot_dice(self.seed, seat, self.decisions))
        if decision is not None and decision.after is not None and began + decision.after > self.at:
            self._due[seat] = (began, Millis(began + decision.after), may_speak)
            self._pausing.add(seat)
            return
        self._pausing.discard(seat)
        self._noticed[seat] = find_event(observation.lines, BOT.remarkable, self.at)
        self._known[seat] = find_unanswered(observation.messages, seat, self.at) or self._known.get(seat)
        if decision is None:
            self._waiting[seat] = observation.sections
            return
        self._waiting.pop(seat, None)
        if decision.promise is not None:
            promise = decision.promise.promise(
                f"promise {len(self.promises)}", seat, self.at, len(self.lines)
            )
            rules = SUCKER.promises
            assert not self.cast[seat].is_substitute
            refusal = refuse(rules, self.promises, view_public(SUCKER, self.state), promise, len(self.seats))
            assert refusal is None, (refusal, promise)
            self.promises = (*self.promises, promise)
            self.lines.append((self.at, report_making(promise)))
            self._hasten(seat)
        if decision.answer is not None:
            prompt, move = decision.answer
            assert SUCKER.check(self.state, seat, prompt, move, self.at) is None
            self._step(SUCKER.apply(self.state, seat, prompt, move, self.at, self.dice))
        if decision.remark is not None:
            policy = SUCKER.talk_policy(self.state, seat)
            assert observation.may_speak
            fault = find_fault(SUCKER.texts, policy, seat, len(self.seats), decision.remark)
            assert fault is None, (fault, decision.remark)
            spoken = hear(decision.remark, seat, self.at)
            self.heard.add(spoken)
            self._hasten(seat)
            self.remarks.append(
                Said(spoken, self.state, self.promises, len(self.lines), len(self.remarks) + 1)
            )

    def _hasten(self, speaker: Seat) -> None:
        """Lets the bots that wait for something decide again, now that something has been said."""
        for seat in self._pausing - {speaker}:
            began, due, may_speak = self._due[seat]
            self._due[seat] = (began, min(due, Millis(self.at + self._draw_pace(PACE_MS))), may_speak)

    def _step(self, step: Step[SuckerState]) -> None:
        over = isinstance(SUCKER.prompts(step.state), Outcome)
        self.lines.extend((self.at, line) for line in step.lines)
        self.promises, reports = judge(SUCKER, self.promises, self.state, step, over=over)
        self.lines.extend((self.at, line) for line in reports)
        self.state = step.state

    def _expire(self) -> None:
        due = random_play.first_due(SUCKER.windows(self.state))
        assert due is not None
        window, self.at = due
        self.expired += 1
        self._step(SUCKER.expire(self.state, window.id, self.at, self.dice))
