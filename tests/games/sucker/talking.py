"""So Long Sucker's part of the tables whose bots hear one another (tests/games/talking_table.py): their pace.

A bot decides a while after it has seen something new, from what it sees by then. It is asked if it has a
prompt, or if somebody has spoken to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from games import GAMES
from games.api import Character, Decision, Millis, Observation, Outcome, Seat, SeenLine
from games.dice import Dice
from games.kit.remarks import find_silence, may_answer
from games.sucker.rules.values import SuckerOptions, SuckerState
from games.testing import random_play
from tests.games import talking_table

ENTRY: Final = GAMES["sucker"]
PACE_MS: Final = (700, 2_200)
ANSWER_MS: Final = (1_800, 3_600)


class TalkingTable(talking_table.TalkingTable[SuckerState]):
    """A game of these characters, one of whom decides in each turn."""

    def __init__(self, cast: Sequence[Character], seed: bytes, options: Mapping[str, Any] = {}) -> None:
        super().__init__(ENTRY, cast, seed, msgspec.convert(options, SuckerOptions))
        self._pace = Dice(seed + b"pace")
        self._due: dict[Seat, tuple[Millis, Millis, bool]] = {}
        """By seat, when it has begun to think, when it decides, and whether it may then speak."""
        self._pausing: set[Seat] = set()
        self._noticed: dict[Seat, SeenLine | None] = {}

    def play_until(self, decisions: int) -> None:
        """Plays until bots have made this many decisions, or the game is over."""
        while self.decisions < decisions and self.outcome is None:
            if not self.turn():
                self.expire()

    def turn(self) -> bool:
        """Lets the bot decide that has thought long enough; returns False if a window runs out before."""
        self._consider()
        if not self._due:
            return False
        seat = min(self._due, key=lambda seat: (self._due[seat][1], seat))
        due = random_play.first_due(self.game.windows(self.state))
        if due is not None and due[1] < self._due[seat][1]:
            return False
        self._decide(seat)
        return True

    def _consider(self) -> None:
        prompts = self.game.prompts(self.state)
        prompted = set() if isinstance(prompts, Outcome) else {seat for one in prompts for seat in one.seats}
        for seat in self.seats:
            if seat in self._due:
                continue
            observation = self.observe(seat)
            silence = find_silence(observation.messages, seat, self.at)
            event = self.talk.find_event(seat)
            has_news = self.has_heard_news(seat) or (event is not None and event != self._noticed.get(seat))
            if seat in prompted and self._waiting.get(seat) != observation.sections:
                pace = self._draw_pace(PACE_MS)
            elif has_news and may_answer(observation.lines, observation.messages):
                pace = max(self._draw_pace(ANSWER_MS), silence)
            else:
                continue
            self._due[seat] = (self.at, Millis(self.at + pace), pace >= silence)

    def _draw_pace(self, span: tuple[int, int]) -> int:
        return span[0] + self._pace.below("pace", span[1] - span[0])

    def _decide(self, seat: Seat) -> None:
        began, due, may_speak = self._due.pop(seat)
        self.talk.at = max(self.at, due)
        observation = self.observe(seat)
        may_speak = may_speak and may_answer(observation.lines, observation.messages)
        observation = replace(observation, may_speak=may_speak)
        decision = self.decide(seat, observation)
        if decision is not None and decision.after is not None and began + decision.after > self.at:
            self._due[seat] = (began, Millis(began + decision.after), may_speak)
            self._pausing.add(seat)
            return
        self._pausing.discard(seat)
        self._noticed[seat] = self.talk.find_event(seat)
        spoken = self.talk.find_unanswered(seat)
        if spoken is not None:
            self._heard[seat] = spoken
        if decision is None:
            self._waiting[seat] = observation.sections
            return
        self._waiting.pop(seat, None)
        self.carry_out(seat, observation, decision)

    def carry_out(self, seat: Seat, observation: Observation, decision: Decision[Any]) -> None:
        super().carry_out(seat, observation, decision)
        if decision.promise is not None or decision.remark is not None:
            self._hasten(seat)

    def _hasten(self, speaker: Seat) -> None:
        """Lets the bots that wait for something decide again, now that something has been said."""
        for seat in sorted(self._pausing - {speaker}):
            began, due, may_speak = self._due[seat]
            self._due[seat] = (began, min(due, Millis(self.at + self._draw_pace(PACE_MS))), may_speak)
