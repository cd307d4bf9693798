"""A table of bots that hear one another, for any game: whole games with all that is said and promised.

A small model of the hub's loop, without its store and its clock. What bots hear, and when they may speak, is
what `parley simulate` lets them (games/simulate/talk.py). A game's own part is in its `talking.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, Generic, NamedTuple, TypeVar

from games import GAMES
from games.api import (
    Character,
    Decision,
    LogLine,
    Millis,
    NewPromise,
    Observation,
    Outcome,
    Promise,
    Registration,
    Remark,
    Seat,
    SeenLine,
    Spoken,
    Step,
    Struct,
    open_prompts,
)
from games.dice import Dice, bot_dice
from games.kit.remarks import find_fault, hear
from games.simulate.talk import TICK_MS, Talk
from games.testing import random_play

LIMIT: Final = 6_000
"""The turns after which a game is given up."""
State = TypeVar("State", bound=Struct)


class Saying(NamedTuple):
    """A bot's remark, and the position that it was made in."""

    spoken: Spoken
    observation: Observation
    """What its seat saw when it decided."""
    decision: Decision[Any]
    character: Character
    state: Any
    """The state once the move that came with it, if any, was made."""
    promises: tuple[Promise, ...]
    lines: tuple[SeenLine, ...]
    before: tuple[Spoken, ...]
    """All promises by then, the whole log, and everything that was said earlier."""

    @property
    def line(self) -> tuple[str, str]:
        """The words: the same for two remarks that read the same."""
        names = GAMES[self.spoken.key.partition(".")[0]].game.texts.remarks[self.spoken.key] or ()
        shown = [(name, value) for name, value in self.spoken.args.items() if name in names]
        return self.spoken.key, str(sorted(shown))


class _LoggedTalk(Talk):
    """Talk at a table that keeps its whole log."""

    def __init__(self, entry: Registration, seats: int) -> None:
        super().__init__(entry, seats)
        self.log: list[SeenLine] = []

    def read(self, lines: Iterable[LogLine]) -> None:
        lines = tuple(lines)
        super().read(lines)
        self.log += [SeenLine(line.key, line.args, line.to, self.at) for line in lines]


class TalkingTable(Generic[State]):
    """A game between characters, played in turns: all who have a prompt, or were spoken to, decide once each.

    Every decision must be one that the hub would take: anything else raises AssertionError. `bots` are the
    seats that are asked; a test plays the others. It may also replace `state` and `promises`.
    """

    turn_ms: int = TICK_MS
    decision_ms: int = 0
    """How long a turn takes, and each decision in it, as far as talk is concerned."""

    def __init__(
        self, entry: Registration, characters: Sequence[Character], seed: bytes, options: Any = None
    ) -> None:
        self.game, self.bot = entry.game, entry.bot
        self.characters, self.seed = tuple(characters), seed
        self.seats = [Seat(seat) for seat in range(len(characters))]
        self.bots: Sequence[Seat] = self.seats
        self.dice, self.order = Dice(seed), Dice(seed + b" order")
        self.talk = _LoggedTalk(entry, len(characters))
        self.spoken: list[Spoken] = []
        self.sayings: list[Saying] = []
        self.decisions = self.expired = 0
        """How many decisions bots were asked for, and how many windows ran out."""
        self._waiting: dict[Seat, Any] = {}
        self._heard: dict[Seat, Spoken] = {}
        chosen = self.game.Options() if options is None else options
        first = self.game.setup(len(characters), chosen, self.at, self.dice)
        self.state: State = first.state
        self.talk.read(first.lines)

    @property
    def at(self) -> Millis:
        """Table time, as far as talk is concerned."""
        return self.talk.at

    @property
    def lines(self) -> list[SeenLine]:
        """The log, with the lines that only some may read."""
        return self.talk.log

    @property
    def promises(self) -> tuple[Promise, ...]:
        return self.talk.promises

    @promises.setter
    def promises(self, promises: tuple[Promise, ...]) -> None:
        self.talk.promises = promises

    @property
    def outcome(self) -> Outcome | None:
        """None while the game goes on."""
        outcome = self.game.prompts(self.state)
        return outcome if isinstance(outcome, Outcome) else None

    def observe(self, seat: Seat) -> Observation:
        seen = random_play.observation(self.game, self.state, seat, len(self.seats))
        return self.talk.observe(seen)

    # --- playing ---

    def play(self) -> Outcome:
        for _ in range(LIMIT):
            if self.outcome is not None:
                return self.outcome
            if not self.turn():
                self.expire()
        raise AssertionError("the game does not end")

    def turn(self) -> bool:
        """Lets all bots decide; returns whether any of them has done something."""
        self.pass_time(self.turn_ms)
        acted = False
        for seat in self.order.shuffle("seat", self.bots):
            prompts = self.game.prompts(self.state)
            if isinstance(prompts, Outcome):
                break
            if open_prompts(prompts, seat) or self.is_spoken_to(seat):
                acted = self.ask(seat) or acted
        return acted

    def has_heard_news(self, seat: Seat) -> bool:
        """Whether somebody has spoken to this seat since it was asked last."""
        spoken = self.talk.find_unanswered(seat)
        return spoken is not None and spoken != self._heard.get(seat)

    def is_spoken_to(self, seat: Seat) -> bool:
        """Whether this seat has heard something new that it may answer."""
        return self.has_heard_news(seat) and self.talk.may_speak(seat)

    def ask(self, seat: Seat, *, may_move: bool = True) -> bool:
        """Lets a bot decide, unless it has waited in the same position; returns whether it does something."""
        observation = self.observe(seat)
        if not self.has_heard_news(seat) and self._waiting.get(seat) == observation.sections:
            return False
        spoken = self.talk.find_unanswered(seat)
        if spoken is not None and observation.may_speak:
            self._heard[seat] = spoken
        decision = self.decide(seat, observation)
        if decision is None:
            self._waiting[seat] = observation.sections
            return False
        if decision.answer is not None and not may_move:
            return False
        self._waiting.pop(seat, None)
        self.pass_time(self.decision_ms)
        self.carry_out(seat, observation, decision)
        return True

    def decide(self, seat: Seat, observation: Observation) -> Decision[Any] | None:
        self.decisions += 1
        dice = bot_dice(self.seed, seat, self.decisions)
        return self.bot.decide(observation, self.characters[seat], dice)

    def carry_out(self, seat: Seat, observation: Observation, decision: Decision[Any]) -> None:
        """As the hub does: the promise first, then the move, then the remark."""
        assert decision != Decision(after=decision.after), decision
        if decision.promise is not None:
            assert not self.characters[seat].is_substitute
            self.promise(seat, decision.promise)
        if decision.answer is not None:
            self.move(seat, *decision.answer)
        if decision.remark is not None:
            assert observation.may_speak
            self._say(seat, decision.remark, observation, decision)

    def move(self, seat: Seat, prompt: Any, move: Any) -> None:
        refusal = self.game.check(self.state, seat, prompt, move, self.at)
        assert refusal is None, (refusal, move)
        self._follow(self.game.apply(self.state, seat, prompt, move, self.at, self.dice))

    def expire(self) -> None:
        """Lets time pass until the next window ends."""
        due = random_play.first_due(self.game.windows(self.state))
        assert due is not None, "all bots wait"
        window, end = due
        self.talk.at = max(self.at, end)
        self.expired += 1
        self._follow(self.game.expire(self.state, window.id, self.at, self.dice))

    def pass_time(self, ms: int) -> None:
        self.talk.at = Millis(self.at + ms)

    def _follow(self, step: Step[State]) -> None:
        before, self.state = self.state, step.state
        self.talk.read(step.lines)
        self.talk.judge(self.game, before, step)

    # --- talking ---

    def promise(self, seat: Seat, new: NewPromise) -> None:
        """Makes a promise; a bot's says that it is one."""
        assert self.talk.promise(self.game, self.state, seat, new, bot=new.bot), new

    def say(self, spoken: Spoken) -> None:
        """Lets somebody say something: a person in a test, or a bot."""
        self.talk.memory.add(spoken)
        self.spoken.append(spoken)

    def say_phrase(self, seat: int, key: str, to: int | None = None) -> None:
        """Lets a person say one of the game's phrases to everybody, or whisper it."""
        listener = None if to is None else Seat(to)
        self.say(Spoken(Seat(seat), listener, key, {}, self.at))

    def _say(self, seat: Seat, remark: Remark, seen: Observation, decision: Decision[Any]) -> None:
        policy = self.game.talk_policy(self.state, seat)
        if policy.mode == "closed" and decision.answer is not None:
            return  # the move has ended the talk
        fault = find_fault(self.game.texts, policy, seat, len(self.seats), remark)
        assert fault is None, (fault, remark)
        spoken, before = hear(remark, seat, self.at), tuple(self.spoken)
        self.say(spoken)
        self.sayings.append(
            Saying(
                spoken,
                seen,
                decision,
                self.characters[seat],
                self.state,
                self.promises,
                tuple(self.lines),
                before,
            )
        )
