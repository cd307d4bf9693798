"""A table of Almost's bots that hear one another: whole games with all that was said and promised in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from games import GAMES
from games.almost.rules.values import AlmostOptions
from games.api import (
    MAX_LINES_SEEN,
    Character,
    Decision,
    LogLine,
    Millis,
    NewPromise,
    Observation,
    Outcome,
    Promise,
    Remark,
    Seat,
    SeenLine,
    Spoken,
    Step,
)
from games.dice import Dice
from games.kit.promises import judge, merge_heard, refuse, view_public
from games.kit.remarks import SpokenMemory, find_fault, find_silence, find_unanswered, hear, may_answer
from games.testing import random_play

GAME, BOT = GAMES["almost"].game, GAMES["almost"].bot
LIMIT: Final = 1_000
OPTIONS: Final = AlmostOptions()
TICK_MS: Final = 1_500
"""How long a turn takes, as far as talk is concerned, if nobody at the table is slow."""


class Saying(NamedTuple):
    """A bot's remark with all that it saw, and the promises just after it."""

    observation: Observation
    decision: Decision[Any]
    spoken: Spoken
    promises: tuple[Promise, ...]

    @property
    def line(self) -> tuple[str, str]:
        """The words: the same for two remarks that read the same."""
        return self.spoken.key, str(sorted(self.spoken.args.items()))


class TalkingTable:
    """A game between characters. In a turn, each decides once, in random order, and then who was spoken to.

    Bots speak as often as the hub lets them (games/kit/remarks.py). `people` are seats that a test plays.
    """

    def __init__(
        self,
        characters: Sequence[Character],
        seed: bytes,
        options: AlmostOptions = OPTIONS,
        people: Sequence[int] = (),
        tick_ms: int = TICK_MS,
    ) -> None:
        self.characters = characters
        self.seats = [Seat(seat) for seat in range(len(characters))]
        self.bots = [seat for seat in self.seats if seat not in people]
        self.dice, self.fate = Dice(seed), Dice(seed + b" fate")
        self.at, self._tick_ms = Millis(0), tick_ms
        self.lines: list[SeenLine] = []
        self.memory = SpokenMemory()
        self.promises: tuple[Promise, ...] = ()
        self.sayings: list[Saying] = []
        self._seed = seed
        self._decisions = 0
        self._waiting: dict[Seat, Any] = {}
        self._heard: dict[Seat, Spoken] = {}
        first = GAME.setup(len(characters), options, Millis(0), self.dice)
        self.state: Any = first.state
        self._keep(first.lines)

    def observe(self, seat: Seat) -> Observation:
        seen = random_play.observation(GAME, self.state, seat, len(self.seats))
        known = tuple(
            promise for promise in self.promises if not promise.private or seat in (promise.by, *promise.to)
        )
        messages = merge_heard(self.memory.list_heard(seat), known, seat)
        may_speak = not find_silence(messages, seat, self.at) and may_answer(self.lines, messages)
        lines = tuple(self.lines[-MAX_LINES_SEEN:])
        return replace(seen, promises=known, lines=lines, messages=messages, may_speak=may_speak)

    # --- playing ---

    def play(self) -> Outcome:
        for _ in range(LIMIT):
            outcome = GAME.prompts(self.state)
            if isinstance(outcome, Outcome):
                return outcome
            if not self.turn():
                raise AssertionError("all bots wait")
        raise AssertionError("no end")

    def turn(self) -> bool:
        """Lets all bots decide; returns whether any of them has done something."""
        self.at = Millis(self.at + self._tick_ms)
        acted = False
        for seat in self.fate.shuffle("seat", self.bots):
            acted = self._ask(seat) or acted
        for seat in self.bots:
            if self._is_spoken_to(seat):
                acted = self._ask(seat, spoken_to=True) or acted
        return acted

    def _is_spoken_to(self, seat: Seat) -> bool:
        seen = self.observe(seat)
        spoken = find_unanswered(seen.messages, seat, self.at)
        return spoken is not None and spoken != self._heard.get(seat) and seen.may_speak

    def _ask(self, seat: Seat, *, spoken_to: bool = False) -> bool:
        if isinstance(GAME.prompts(self.state), Outcome):
            return False
        seen = self.observe(seat)
        if not spoken_to and self._waiting.get(seat) == seen.sections:
            return False
        spoken = find_unanswered(seen.messages, seat, self.at)
        if spoken is not None:
            self._heard[seat] = spoken
        self._decisions += 1
        dice = Dice(self._seed + b" %d %d" % (seat, self._decisions))
        decision = BOT.decide(seen, self.characters[seat], dice)
        if decision is None:
            self._waiting[seat] = seen.sections
            return False
        self._waiting.pop(seat, None)
        if decision.promise is not None:
            self.promise(seat, decision.promise)
        if decision.answer is not None:
            self.move(seat, *decision.answer)
        else:
            assert decision.remark is not None or decision.promise is not None, decision
        if decision.remark is not None:
            self._say(seat, decision.remark, seen, decision)
        return True

    def move(self, seat: Seat, prompt: Any, move: Any) -> None:
        assert GAME.check(self.state, seat, prompt, move, Millis(0)) is None, move
        self._follow(GAME.apply(self.state, seat, prompt, move, Millis(0), self.dice))

    def expire(self) -> None:
        """Lets time pass until the next window ends."""
        due = random_play.first_due(GAME.windows(self.state))
        assert due is not None
        self._follow(GAME.expire(self.state, due[0].id, due[1], self.dice))

    def _follow(self, step: Step[Any]) -> None:
        over = isinstance(GAME.prompts(step.state), Outcome)
        self.promises, reports = judge(GAME, self.promises, self.state, step, over=over)
        self.state = step.state
        self._keep((*step.lines, *reports))

    def _keep(self, lines: Sequence[LogLine]) -> None:
        self.lines.extend(SeenLine(line.key, line.args, None, self.at) for line in lines if line.to is None)

    # --- talking ---

    def _say(self, seat: Seat, remark: Remark, seen: Observation, decision: Decision[Any]) -> None:
        assert seen.may_speak
        policy = GAME.talk_policy(self.state, seat)
        if policy.mode == "closed":  # the move has ended the talk
            return
        fault = find_fault(GAME.texts, policy, seat, len(self.seats), remark)
        assert fault is None, (fault, remark)
        spoken = hear(remark, seat, self.at)
        self.memory.add(spoken)
        self.sayings.append(Saying(seen, decision, spoken, self.promises))

    def promise(self, seat: Seat, new: NewPromise) -> None:
        rules = GAME.promises
        assert rules is not None
        made = new.promise(f"promise {len(self.promises)}", seat, self.at, len(self.promises))
        fault = refuse(rules, self.promises, view_public(GAME, self.state), made, len(self.seats))
        assert fault is None, (fault, made)
        self.promises = (*self.promises, made)

    def say_phrase(self, seat: int, key: str, to: int | None = None) -> None:
        """A person says a phrase to everybody, or whispers it."""
        listener = None if to is None else Seat(to)
        self.memory.add(Spoken(Seat(seat), listener, f"almost.say.{key}", {}, self.at))
