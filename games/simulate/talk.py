"""The talk at a simulated table: what each seat has read and heard, and what is counted of it.

An exchange is a proposal with an answer by another seat: the one it was for, or anybody if it was for all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

import msgspec
from msgspec.structs import replace

from games.api import (
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
    TalkPolicy,
)
from games.kit.promises import judge, merge_heard, refuse, report_making, view_private, view_public
from games.kit.remarks import (
    LineMemory,
    SpokenMemory,
    find_event,
    find_fault,
    find_silence,
    find_unanswered,
    hear,
    may_answer,
)
from games.testing.random_play import AnyGame

TICK_MS: Final = 1_500
"""How long a turn takes, as far as talk is concerned: about as long as a bot in the hub thinks."""


class Proposal(NamedTuple):
    """An open proposal, to one seat or (None) to all."""

    seat: Seat
    to: Seat | None


class HeardCache(NamedTuple):
    """What a seat has heard, cached for one state of talk and promises."""

    messages: tuple[Spoken, ...]
    promises: tuple[Promise, ...]
    heard: tuple[Spoken, ...]


class Talk:
    """What the seats of one table say to each other."""

    def __init__(self, entry: Registration, seats: int) -> None:
        self.at = Millis(0)
        self.memory = SpokenMemory()
        self.promises: tuple[Promise, ...] = ()
        self.remarks: Counter[Seat] = Counter()
        self.exchanges = self.repeated = 0
        self._texts = entry.game.texts
        # A bot given with --bot need not derive from `Bot`.
        self._proposing: frozenset[str] = getattr(entry.bot, "proposals", frozenset())
        self._remarkable: frozenset[str] = getattr(entry.bot, "remarkable", frozenset())
        self._answering: frozenset[str] = getattr(entry.bot, "answers", frozenset())
        self._seats = seats
        self._lines = [LineMemory() for _ in range(seats)]
        self._lines_said: set[tuple[Seat, str, str]] = set()
        self._open: list[Proposal] = []
        self._merged: dict[Seat, HeardCache] = {}

    # --- promises ---

    def promise(
        self, game: AnyGame, state: Any, seat: Seat, new_promise: NewPromise, *, bot: bool = True
    ) -> bool:
        """Lets a seat promise something; returns False if it is something that it must not promise.

        `bot`: whether a bot promises it, and not a person.
        """
        policy = game.talk_policy(state, seat)
        if game.promises is None or policy.mode == "closed" or (new_promise.private and not policy.whispers):
            return False
        number = len(self.promises)
        promise = replace(new_promise, bot=bot).promise(f"{number}", seat, self.at, number)
        view = view_public(game, state)
        private = view_private(game, state, seat)
        if refuse(game.promises, self.promises, view, promise, self._seats, private=private) is not None:
            return False
        promise = game.promises.complete(promise, view)
        self.promises = (*self.promises, promise)
        self.read((report_making(promise),))
        self._note(seat, f"promise.{promise.kind}", promise.to[0] if len(promise.to) == 1 else None)
        return True

    def judge(self, game: AnyGame, before: Any, step: Step[Any]) -> None:
        """Judges the open promises once a step has led on from this state."""
        over = isinstance(game.prompts(step.state), Outcome)
        self.promises, lines = judge(game, self.promises, before, step, over=over)
        self.read(lines)

    def count_said(self) -> int:
        """How many remarks and promises the seats have made; a promise may speak for itself."""
        return self.remarks.total() + len(self.promises)

    def count_promises(self) -> Mapping[str, int]:
        """How many promises were made, and became what: `made`, and each judgement."""
        judged = Counter(str(promise.judgement) for promise in self.promises if promise.judgement is not None)
        return {"made": len(self.promises), **judged} if self.promises else {}

    def _list_known(self, seat: Seat) -> tuple[Promise, ...]:
        return tuple(
            promise for promise in self.promises if not promise.private or seat in (promise.by, *promise.to)
        )

    def _list_heard(self, seat: Seat) -> tuple[Spoken, ...]:
        messages, last = self.memory.list_heard(seat), self._merged.get(seat)
        if last is None or last.messages is not messages or last.promises is not self.promises:
            heard = merge_heard(messages, self._list_known(seat), seat)
            last = self._merged[seat] = HeardCache(messages, self.promises, heard)
        return last.heard

    def find_unanswered(self, seat: Seat) -> Spoken | None:
        """The last thing said to this seat that it may still answer."""
        return find_unanswered(self._list_heard(seat), seat, self.at)

    def find_event(self, seat: Seat) -> SeenLine | None:
        """The last remarkable thing that this seat has read of, unless it is long ago."""
        return find_event(self._lines[seat].list_lines(), self._remarkable, self.at)

    def pass_time(self, at: Millis) -> None:
        """Lets a turn's time pass; `at` is table time, which stands still while bots think."""
        self.at = Millis(max(self.at + TICK_MS, at))

    # --- what bots know ---

    def read(self, lines: Iterable[LogLine]) -> None:
        """Adds these lines of the log for the seats that may read them."""
        for line in lines:
            for seat, seen in enumerate(self._lines):
                if line.to is None or seat in line.to:
                    to = None if line.to is None else frozenset({Seat(seat)})
                    seen.add(SeenLine(line.key, line.args, to, self.at))

    def may_speak(self, seat: Seat) -> bool:
        messages = self._list_heard(seat)
        return not find_silence(messages, seat, self.at) and may_answer(
            self._lines[seat].list_lines(), messages
        )

    def observe(self, observation: Observation) -> Observation:
        """The observation with what the seat has read and heard."""
        seat = observation.seat
        return replace(
            observation,
            lines=self._lines[seat].list_lines(),
            messages=self._list_heard(seat),
            promises=self._list_known(seat),
            may_speak=self.may_speak(seat),
        )

    # --- what they say and do ---

    def say(self, policy: TalkPolicy, seat: Seat, remark: Remark) -> bool:
        """Lets all hear a remark who may; returns False if it is one that the bot must not make.

        A promise that the bot has just made with it does not silence it.
        """
        if find_silence(self.memory.list_heard(seat), seat, self.at):
            return True
        fault = find_fault(self._texts, policy, seat, self._seats, remark)
        if fault is not None:
            return fault in ("TALK_CLOSED", "WHISPERS_OFF")
        spoken = hear(remark, seat, self.at)
        self.memory.add(spoken)
        self.remarks[seat] += 1
        line = (seat, remark.key, repr(sorted(remark.args.items())))
        self.repeated += line in self._lines_said
        self._lines_said.add(line)
        self._note(seat, remark.key, spoken.addressee)
        return True

    def note_move(self, seat: Seat, move: Any) -> None:
        """Counts a move that proposes or answers something."""
        raw = msgspec.to_builtins(move)
        to = raw.get("to")
        self._note(seat, str(raw["move"]), Seat(to) if type(to) is int else None)

    def _note(self, seat: Seat, key: str, to: Seat | None) -> None:
        if key in self._answering:
            answered = next(
                (one for one in reversed(self._open) if one.seat != seat and one.to in (None, seat)), None
            )
            if answered is not None:
                self._open.remove(answered)
                self.exchanges += 1
        if key in self._proposing:
            self._open.append(Proposal(seat, to))
