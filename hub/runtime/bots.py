"""A room's bots: a view in, a command out.

A bot sees what would be sent to a connection for its seat, and draws from its own random stream. How long it
takes is random and independent of anything hidden. Its commands are handled like anybody else's.

A slow bot starts thinking a little early, and again whenever its view changes. It acts when its time is up,
so that neither how long it thinks nor what it sees in secret affects its pace.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, Final, Protocol

import msgspec
import structlog

from games.api import Bot, Decision, Observation, Outcome, PromptId, Refusal, Seat
from games.dice import bot_dice
from games.kit.characters import stand_in
from hub.clock import Clock, Timer
from hub.runtime.batch import NO_RESPONDER
from hub.runtime.ports import BotExecutor, Responder
from hub.table import actions, speech
from hub.table.commands import BotMove, BotPromise, BotRemark, InternalCommand
from hub.table.promises import list_seen
from hub.table.room import Room, Rules, Table
from hub.wire.limits import Opener
from hub.worker.bot_executor import BotTask, InlineExecutor

PACE_MS = (700, 2200)
"""The shortest and the longest time, in milliseconds, that a bot takes over a decision."""
MAX_PAUSE_MS: Final = 20_000
"""The longest a bot may take over a decision if it chooses its own pace (`Decision.after`)."""
HEAD_START_MS: Final = 300
"""A slow bot starts thinking this many milliseconds before its time is up."""
LATE_STARTS: Final = 3
"""The number of times a bot may start thinking in another process after its time is up. Then it decides on
the event loop at a quick level, so that nobody can make it think forever or has to wait long for it."""
INLINE: Final = InlineExecutor()
EXPECTED_REFUSALS: Final = frozenset({"STALE_PROMPT", "NOT_NOW", "BROKEN"})
"""Refusals not worth logging: the game moved on before the move arrived, or the actor logged the fault."""

_log = structlog.get_logger("bots")


class BotTable(Protocol):
    """The part of the room's actor that its bots need."""

    room: Room
    rules: Rules
    bot: Bot[Any]
    stopped: bool
    opener: Opener

    @property
    def live(self) -> bool: ...

    def observation(self, seat: Seat) -> dict[str, Any]: ...

    def perform(self, command: InternalCommand, responder: Responder) -> bool: ...


def list_bot_seats(table: Table) -> tuple[Seat, ...]:
    """The seats whose bots decide: none in a lesson, where all moves are fixed."""
    if table.lesson is not None:
        return ()
    return tuple(Seat(i) for i, seat in enumerate(table.seats) if seat.is_played_by_bot)


class PendingDecision:
    """A seat's decision in progress. Its timer and its task refer to it by the seat, so that no cycle keeps
    it."""

    def __init__(self, number: int, public_prompts: frozenset[PromptId]) -> None:
        self.number = number
        """Selects the random stream, which stays the same if the bot starts again."""
        self.public_prompts = public_prompts
        """The public prompts of its seat. If more appear, the bot takes its full time again: how soon it
        answers must not show that it was about to do something in secret (G4)."""
        self.timer: Timer | None = None
        self.started = self.due = False
        """Whether the head start has begun, and whether the bot's time is up."""
        self.spent_ms = 0
        """How long the bot will appear to have taken over this decision."""
        self.observation: Observation | None = None
        """The observation on which the bot bases its decision."""
        self.late_starts = 0
        self.task: BotTask | None = None
        self.decided = False
        self.decision: Decision[Any] | None = None

    def cancel(self) -> None:
        for cancellable in (self.timer, self.task):
            if cancellable is not None:
                cancellable.cancel()


class BotScheduler:
    """The bots of one room, each with at most one pending decision."""

    __slots__ = ("_clock", "_decisions", "_executor", "_pace", "_pending", "_secret", "_table", "_waiting")

    def __init__(self, table: BotTable, clock: Clock, executor: BotExecutor, pace: random.Random) -> None:
        self._table = table
        self._clock = clock
        self._executor = executor
        self._pace = pace
        self._secret = secrets.token_bytes(32)
        self._decisions = 0
        self._pending: dict[Seat, PendingDecision] = {}
        self._waiting: dict[Seat, Mapping[str, Any]] = {}
        """The sections a bot saw when it chose to wait. It keeps waiting until it sees something else: what
        others do in secret must not affect its pace (G4)."""

    def close(self) -> None:
        """Cancels everything, and lets go of the table."""
        self.stop()
        del self._table

    def stop(self) -> None:
        for pending in self._pending.values():
            pending.cancel()
        self._pending.clear()

    def consider(self, seats: Iterable[Seat]) -> None:
        """Lets every bot with an open prompt start thinking, or start again; `seats` are the bots' seats."""
        position = self._table.room.position
        if position is None or isinstance(position.prompts, Outcome) or not self._table.live:
            self.stop()
            return
        prompted_seats = {seat for prompt in position.prompts for seat in prompt.seats}
        for seat in seats:
            if seat not in prompted_seats:
                continue
            public = frozenset(
                prompt.id for prompt in position.prompts if prompt.to is None and seat in prompt.seats
            )
            pending = self._pending.get(seat)
            if pending is not None:
                if public <= pending.public_prompts:
                    self._continue(seat, pending)
                    continue
                pending.cancel()
            elif seat in self._waiting and self._waiting[seat] == self._table.observation(seat):
                continue
            self._schedule(seat, public)

    def _schedule(self, seat: Seat, public: frozenset[PromptId]) -> None:
        self._decisions += 1
        self._pending[seat] = pending = PendingDecision(self._decisions, public)
        pending.spent_ms = pace = 0 if self._is_hurried else self._pace.randint(*PACE_MS)
        head_start = min(pace, HEAD_START_MS)
        pending.timer = self._clock.call_later(
            (pace - head_start) / 1000, partial(self._start, seat, head_start)
        )

    def _start(self, seat: Seat, head_start: int) -> None:
        pending = self._pending[seat]
        pending.started = True
        pending.timer = self._clock.call_later(head_start / 1000, partial(self._time_is_over, seat))
        self._continue(seat, pending)

    def _time_is_over(self, seat: Seat) -> None:
        pending = self._pending[seat]
        pending.due = True
        self._continue(seat, pending)

    def _accept(self, seat: Seat, decision: Decision[Any] | None) -> None:
        pending = self._pending[seat]
        pending.decided, pending.decision = True, decision
        self._continue(seat, pending)

    def _continue(self, seat: Seat, pending: PendingDecision) -> None:
        """Lets the bot think if its view has changed; carries out its decision once its time is up."""
        bot, level = self._table.bot, self._level(seat)
        if level is None:
            if pending.due:
                pending.cancel()
                del self._pending[seat]
            return
        slow = level in bot.slow
        if not (pending.due or (slow and pending.started)):
            return
        observation = self._observation(seat)
        if observation != pending.observation:
            if pending.task is not None:
                pending.task.cancel()
            pending.observation, pending.decided = observation, False
            dice = bot_dice(self._secret, seat, pending.number)
            executor = self._executor if slow else INLINE
            if slow and pending.late_starts >= LATE_STARTS:
                level, executor = _choose_quick_level(bot, level), INLINE
            pending.late_starts += pending.due
            opener = self._table.opener
            pending.task = BotTask(
                bot, observation, stand_in(level), dice, opener, partial(self._accept, seat)
            )
            executor.submit(pending.task)
        elif pending.due and pending.decided:
            pause = 0 if self._is_hurried else _pause(pending.decision) - pending.spent_ms
            if pause > 0:
                pending.spent_ms, pending.due = pending.spent_ms + pause, False
                pending.timer = self._clock.call_later(pause / 1000, partial(self._time_is_over, seat))
                return
            del self._pending[seat]
            self._act(seat, observation, pending.decision)

    def _act(self, seat: Seat, observation: Observation, decision: Decision[Any] | None) -> None:
        if decision is None:
            self._waiting[seat] = observation.sections
            return
        self._waiting.pop(seat, None)
        table = self._table
        responder = _RefusalLog(table, observation)
        if decision.promise is not None and table.room.table.seats[seat].bot is not None:
            table.perform(BotPromise(seat, decision.promise), NO_RESPONDER)
        if decision.prompt is not None:
            table.perform(BotMove(seat, decision.prompt, msgspec.to_builtins(decision.move)), responder)
        if decision.remark is not None:
            table.perform(BotRemark(seat, decision.remark), NO_RESPONDER)

    @property
    def _is_hurried(self) -> bool:
        """Whether bots take only the time they need to think, since nobody plays against them (R25)."""
        return self._table.room.table.skipping

    def _level(self, seat: Seat) -> str | None:
        """The level of the bot that plays this seat; None if no bot does, or the game is not running."""
        table = self._table
        room = table.room
        if table.stopped or room.position is None or isinstance(room.position.prompts, Outcome):
            return None
        if not table.live or not room.table.seats[seat].is_played_by_bot:
            return None
        return room.table.seats[seat].bot or actions.choose_level(table.bot.levels)

    def _observation(self, seat: Seat) -> Observation:
        """The seat's view in a running game."""
        table = self._table
        room, position = table.room, table.room.position
        assert position is not None
        assert not isinstance(position.prompts, Outcome)
        return Observation(
            seat=seat,
            seats=len(room.table.seats),
            prompts=tuple(prompt for prompt in position.prompts if prompt.to is None or seat in prompt.to),
            choices=table.rules.choices(position.state, seat),
            sections=table.observation(seat),
            talk_policy=speech.talk_policy(table.rules, room, seat),
            promises=list_seen(room, None if room.table.seats[seat].substitute else seat),
        )


def _pause(decision: Decision[Any] | None) -> int:
    """The pause that the bot chose, in milliseconds, within bounds; based only on public information (G4)."""
    return 0 if decision is None or decision.after is None else min(decision.after, MAX_PAUSE_MS)


def _choose_quick_level(bot: Bot[Any], level: str) -> str:
    """The best level that is not slow; `level` if every level is."""
    return next((name for name in reversed(bot.levels) if name not in bot.slow), level)


class _RefusalLog:
    """Logs a bot's move that the rules refuse, which is a defect in the bot.

    It is not one if the bot's view has changed since: somebody else was faster while the move was being
    stored.
    """

    def __init__(self, table: BotTable, observation: Observation) -> None:
        self._table = table
        self._observation = observation

    def answer(self, n: int, refusal: Refusal | None) -> None:
        if refusal is None or refusal.code in EXPECTED_REFUSALS:
            return
        if self._table.observation(self._observation.seat) == self._observation.sections:
            room = self._table.room.table.room
            _log.error("a bot's move was refused", room=room, code=refusal.code, rule=refusal.rule)

    def abandoned(self) -> None:
        pass
