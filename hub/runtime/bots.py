"""A room's bots: a view in, a command out.

A bot sees what would be sent to a connection for its seat, and draws from its own random stream. How long it
takes is random and independent of anything hidden. Its commands are handled like anybody else's.

A slow bot starts thinking a little early, and again whenever its view changes. It acts when its time is up,
so that neither how long it thinks nor what it sees in secret affects its pace.

What a bot does aloud and what it does in private are two kinds of decisions, each with its own time and dice.
A decision to which only something private has led says nothing aloud, and gives way to one to which something
public leads; it never changes the time of the other. An open decision that begins with a move which nobody
else notices, such as the answer to a private offer, goes on after it as if it had not been made.

A character is also asked when somebody has spoken to it, or to the whole table, or after a line that its game
calls remarkable, and then takes the time that a person takes to read and write. While it takes the time that
it has chosen itself (`Decision.after`), it decides again whenever its view changes. What it has heard is what
its seat was sent, so nothing is lost with a hub.

Two characters never say the same: while a line that one says aloud is being stored, another that wants to say
it, too, waits. If the line is said, the other takes its time again, and has then heard it; if it is refused,
nothing has held up the other.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from functools import partial
from random import Random
from typing import Any, Final, Protocol, TypeAlias

import msgspec
import structlog
from msgspec.structs import replace

from games.api import (
    Argument,
    Bot,
    Character,
    Decision,
    Millis,
    Observation,
    Outcome,
    PromptId,
    Refusal,
    Remark,
    Seat,
    SeenLine,
    Spoken,
)
from games.dice import bot_dice
from games.kit.characters import find_character
from games.kit.closing import choose_closing
from games.kit.discretion import DiscreetBot, knows_secrets
from games.kit.remarks import find_event, find_silence, find_unanswered, may_answer
from hub.clock import Clock, Timer
from hub.runtime.batch import NO_RESPONDER
from hub.runtime.ports import BotExecutor, Responder
from hub.table import actions, speech
from hub.table.commands import BotMove, BotPromise, BotRemark, InternalCommand
from hub.table.observation import observe
from hub.table.promises import list_seen
from hub.table.room import Room, Rules, Table
from hub.wire.limits import Opener
from hub.worker.bot_executor import BotTask, InlineExecutor

PACE_MS = (700, 2200)
"""The shortest and the longest time, in milliseconds, that a bot takes over a decision."""
QUICK_DIVISOR: Final = 3
"""What divides that time where nobody has to follow each decision (`Bot.quick`)."""
ANSWER_MS = (1_200, 2_400)
"""The same for an answer to what was said, not counting the time to write it."""
WRITING_MS: Final = 16
"""The time that writing takes for each character of a line."""
MAX_ANSWER_MS = 4_000
"""The longest that a bot takes over a line, unless it must be silent for longer."""
MAX_PAUSE_MS = 20_000
"""The longest a bot may take over a decision if it chooses its own pace (`Decision.after`)."""
HEAD_START_MS: Final = 300
"""A slow bot starts thinking this many milliseconds before its time is up."""
CLOSING_MS: Final = 2_000
"""The time between the last lines of two characters once the game is over: at least half of it."""
MAX_UNNOTICED: Final = 20
"""The number of moves in one open decision that nobody else notices: then a bot takes its time again, so that
a defect cannot keep the room busy."""
LATE_STARTS: Final = 3
"""The number of times a bot may start thinking in another process after its time is up. Then it decides on
the event loop at a quick level, so that nobody can make it think forever or has to wait long for it."""
INLINE: Final = InlineExecutor()
EXPECTED_REFUSALS: Final = frozenset({"STALE_PROMPT", "NOT_NOW", "BROKEN", "TALK_CLOSED", "WHISPERS_OFF"})
"""Refusals not worth logging: the game moved on before the move arrived, or the actor logged the fault."""

Line: TypeAlias = tuple[str, tuple[tuple[str, Argument], ...]]
"""What a remark says: its key, and the arguments that its text shows."""

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

    def observation(self, seat: Seat | None) -> dict[str, Any]: ...

    def list_seen_lines(self, seat: Seat) -> tuple[SeenLine, ...]: ...

    def list_spoken(self, seat: Seat) -> tuple[Spoken, ...]: ...

    def table_time(self) -> Millis: ...

    def perform(self, command: InternalCommand, responder: Responder) -> bool: ...


def list_bot_seats(table: Table) -> tuple[Seat, ...]:
    """The seats whose bots decide: none in a lesson, where all moves are fixed."""
    if table.lesson is not None:
        return ()
    return tuple(Seat(i) for i, seat in enumerate(table.seats) if seat.is_played_by_bot)


class PendingDecision:
    """A seat's decision in progress. Its timer and its task refer to it by the seat, so that no cycle keeps
    it."""

    def __init__(
        self,
        number: int,
        public_prompts: frozenset[PromptId],
        *,
        may_speak: bool,
        answering: bool,
        quiet: bool,
    ) -> None:
        self.number = number
        """Selects the random stream, which stays the same if the bot starts again."""
        self.quiet = quiet
        """Whether only something private has led to it: then it says nothing aloud (G4)."""
        self.unnoticed = 0
        """How many moves it has made that nobody else has noticed."""
        self.may_speak = may_speak
        """Whether it may say something when its time is up."""
        self.answering = answering
        """Whether its time is that of an answer to what was said, not that of a move."""
        self.public_prompts = public_prompts
        """The public prompts of its seat. If more appear, the bot takes its full time again: how soon it
        answers must not show that it was about to do something in secret (G4)."""
        self.timer: Timer | None = None
        self.started = self.due = self.pausing = False
        """Whether the head start has begun, whether the bot's time is up, and whether it takes more."""
        self.thinking_ms = self.began_ms = self.ends_ms = 0
        """How long the bot thinks, when it began to, and when the time that it takes ends."""
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

    __slots__ = (
        "_clock",
        "_closings",
        "_decisions",
        "_executor",
        "_heard",
        "_muted",
        "_noticed",
        "_paces",
        "_pending",
        "_secret",
        "_seen",
        "_table",
        "_told",
        "_undecided",
        "_unfinished",
        "_waiting",
        "_was_running",
    )

    def __init__(self, table: BotTable, clock: Clock, executor: BotExecutor, pace: Random) -> None:
        self._table = table
        self._clock = clock
        self._executor = executor
        seats = len(table.room.table.seats)
        self._paces = [[Random(pace.getrandbits(64)) for _ in range(seats)] for quiet in (False, True)]
        """A random stream for each seat, so that no bot's pace depends on what only others see (G4), and one
        more for its quiet decisions."""
        self._secret = secrets.token_bytes(32)
        self._decisions = [[0] * seats for quiet in (False, True)]
        self._heard: dict[Seat, Spoken] = {}
        """The last thing said aloud that each bot knew when it decided, of what it may answer."""
        self._told: dict[Seat, Spoken] = {}
        """The same for what it was told in private."""
        self._noticed: dict[Seat, SeenLine | None] = {}
        """The last remarkable line that each bot knew when it decided."""
        self._muted: set[Seat] = set()
        """Bots that have tried to say what they may not say, because of a defect."""
        self._pending: dict[Seat, PendingDecision] = {}
        self._waiting: dict[Seat, Mapping[str, Any]] = {}
        """The sections a bot saw when it chose to wait. It keeps waiting until it sees something else: what
        others do in secret must not affect its pace (G4)."""
        self._seen: dict[Seat, Mapping[str, Any]] = {}
        """What everybody saw when a bot said nothing in its last open decision. If that has not changed, its
        next decision is a quiet one."""
        self._unfinished: dict[Seat, PendingDecision] = {}
        """Open decisions that go on, as nobody else has noticed the move that they have begun with."""
        self._undecided: set[Line] = set()
        """What bots want to say aloud, as long as it is neither accepted nor refused."""
        self._was_running = False
        """Whether the game has been running here: whoever loads a game that is over hears nothing of it."""
        self._closings: list[Timer] = []
        """What characters have yet to say about a game that is over."""

    def close(self) -> None:
        """Cancels everything, and lets go of the table."""
        self.stop()
        for timer in self._closings:
            timer.cancel()
        del self._table

    def stop(self) -> None:
        for pending in self._pending.values():
            pending.cancel()
        self._pending.clear()
        self._unfinished.clear()

    def consider(self, seats: Iterable[Seat]) -> None:
        """Lets every bot that has a prompt, or was spoken to, start thinking, or start again; `seats` are the
        bots' seats."""
        position = self._table.room.position
        if position is None or isinstance(position.prompts, Outcome) or not self._table.live:
            self.stop()
            if self._was_running and position is not None and isinstance(position.prompts, Outcome):
                self._was_running = False
                self._close_game(seats)
            return
        self._was_running = True
        prompted_seats = {seat for prompt in position.prompts for seat in prompt.seats}
        view = self._table.observation(None)
        for seat in seats:
            public = frozenset(
                prompt.id for prompt in position.prompts if prompt.to is None and seat in prompt.seats
            )
            pending, unfinished = self._pending.get(seat), self._unfinished.pop(seat, None)
            if unfinished is not None:
                self._go_on(seat, unfinished)
                continue
            has_news = bool(public) and self._seen.get(seat) != view
            if pending is not None and not pending.quiet:
                if public <= pending.public_prompts and not (pending.answering and has_news):
                    self._continue(seat, pending)
                else:
                    self._schedule(seat, public)
            elif has_news or self._is_spoken_to(seat):
                self._schedule(seat, public, answering=not has_news)
            else:
                self._consider_quietly(seat, public, is_prompted=seat in prompted_seats)

    def _consider_quietly(self, seat: Seat, public: frozenset[PromptId], *, is_prompted: bool) -> None:
        """The same for what only the bot in this seat sees or hears."""
        pending = self._pending.get(seat)
        has_news = is_prompted and self._waiting.get(seat) != self._table.observation(seat)
        if pending is not None and not (pending.answering and has_news):
            self._continue(seat, pending)
        elif has_news or self._is_told(seat):
            self._schedule(seat, public, answering=not has_news, quiet=True)

    def _go_on(self, seat: Seat, pending: PendingDecision) -> None:
        """Lets an open decision go on after a move that nobody else has noticed: when the rest of it comes
        must not show the move (G4)."""
        self._cancel(seat)
        self._pending[seat] = pending
        pending.observation, pending.decided = None, False
        pending.due, pending.ends_ms = True, self._clock.now_ms()
        self._continue(seat, pending)

    def _cancel(self, seat: Seat) -> None:
        pending = self._pending.pop(seat, None)
        if pending is not None:
            pending.cancel()

    def _close_game(self, seats: Iterable[Seat]) -> None:
        """Lets each character say a last line, one after another; the result is no secret any more."""
        paces = self._paces[False]
        for number, seat in enumerate(sorted(seats, key=lambda seat: paces[seat].random())):
            delay = CLOSING_MS * (number + 1) + paces[seat].randrange(CLOSING_MS // 2)
            self._closings.append(self._clock.call_later(delay / 1000, partial(self._close, seat)))

    def _close(self, seat: Seat) -> None:
        table = self._table
        position, state = table.room.position, table.room.table.seats[seat]
        if table.stopped or position is None or not isinstance(position.prompts, Outcome):
            return
        if not state.is_played_by_bot or state.bot is None or state.character is None or seat in self._muted:
            return
        character = find_character(state.character, state.bot)
        dice = bot_dice(self._secret, seat, self._count_decision(seat))
        heard = _list_public(table.list_spoken(seat))
        remark = choose_closing(table.rules.texts, position.prompts, seat, character, heard, dice)
        if remark is not None:
            table.perform(BotRemark(seat, remark), _RemarkLog(self, table, seat))

    def _is_spoken_to(self, seat: Seat) -> bool:
        """Whether somebody has said something aloud that the bot in this seat may answer, or something
        remarkable has happened."""
        if not self._may_answer(seat):
            return False
        spoken, event = self._find_spoken(seat), self._find_event(seat)
        has_heard = spoken is None or spoken == self._heard.get(seat)
        if has_heard and (event is None or event == self._noticed.get(seat)):
            return False
        return self._is_open_to_talk(seat) and self._may_be_answered(seat)

    def _is_told(self, seat: Seat) -> bool:
        """Whether somebody has told the bot in this seat something in private that it may answer."""
        if not self._may_answer(seat):
            return False
        whisper = self._find_whisper(seat)
        if whisper is None or whisper == self._told.get(seat) or not self._is_open_to_talk(seat):
            return False
        return self._may_answer_whisper(seat, whisper)

    def _may_answer(self, seat: Seat) -> bool:
        is_character = self._table.room.table.seats[seat].bot is not None
        return is_character and not self._is_hurried and seat not in self._muted

    def _is_open_to_talk(self, seat: Seat) -> bool:
        table = self._table
        return speech.talk_policy(table.rules, table.room, seat).mode != "closed"

    def _find_spoken(self, seat: Seat) -> Spoken | None:
        """The last thing said aloud that the bot may answer."""
        messages = _list_public(self._table.list_spoken(seat))
        return find_unanswered(messages, seat, self._table.table_time())

    def _find_whisper(self, seat: Seat) -> Spoken | None:
        """The same for what it was told in private, whatever it has said since."""
        messages = [spoken for spoken in self._table.list_spoken(seat) if spoken.to == seat]
        return find_unanswered(messages, seat, self._table.table_time())

    def _may_be_answered(self, seat: Seat) -> bool:
        """Whether bots have not talked on aloud for too long."""
        messages = _list_public(self._table.list_spoken(seat))
        return may_answer(self._table.list_seen_lines(seat), messages)

    def _may_answer_whisper(self, seat: Seat, whisper: Spoken) -> bool:
        """The same for an answer to this whisper."""
        lines, messages = self._table.list_seen_lines(seat), self._table.list_spoken(seat)
        return not whisper.bot or may_answer(lines, [spoken for spoken in messages if spoken.seat != seat])

    def _find_event(self, seat: Seat) -> SeenLine | None:
        keys: frozenset[str] = getattr(self._table.bot, "remarkable", frozenset())
        return find_event(self._table.list_seen_lines(seat), keys, self._table.table_time()) if keys else None

    def _schedule(
        self, seat: Seat, public: frozenset[PromptId], *, answering: bool = False, quiet: bool = False
    ) -> None:
        self._cancel(seat)
        at, messages = self._table.table_time(), _list_public(self._table.list_spoken(seat))
        span = ANSWER_MS if answering else PACE_MS
        pace = 0 if self._is_hurried else self._paces[quiet][seat].randint(*span)
        silence = find_silence(messages, seat, at)
        if answering:
            pace = max(pace, silence)
        elif self._is_quick(public):
            pace //= QUICK_DIVISOR
        may_speak = pace >= silence and seat not in self._muted
        pending = PendingDecision(
            self._count_decision(seat, quiet=quiet),
            public,
            may_speak=may_speak,
            answering=answering,
            quiet=quiet,
        )
        self._pending[seat] = pending
        pending.thinking_ms, pending.began_ms = pace, self._clock.now_ms()
        pending.ends_ms = pending.began_ms + pace
        head_start = min(pace, HEAD_START_MS)
        pending.timer = self._clock.call_later(
            (pace - head_start) / 1000, partial(self._start, seat, head_start)
        )

    def _count_decision(self, seat: Seat, *, quiet: bool = False) -> int:
        """The number of the next decision: negative for quiet ones."""
        self._decisions[quiet][seat] += 1
        number = self._decisions[quiet][seat]
        return -number if quiet else number

    def _is_quick(self, public: frozenset[PromptId]) -> bool:
        """Whether a bot has a prompt that it answers quickly; which ones it has is no secret (G4)."""
        quick: frozenset[str] = getattr(self._table.bot, "quick", frozenset())
        position = self._table.room.position
        if position is None or isinstance(position.prompts, Outcome):
            return False
        return any(prompt.kind in quick for prompt in position.prompts if prompt.id in public)

    def _start(self, seat: Seat, head_start: int) -> None:
        pending = self._pending[seat]
        pending.started = True
        pending.timer = self._clock.call_later(head_start / 1000, partial(self._time_is_over, seat))
        self._continue(seat, pending)

    def _time_is_over(self, seat: Seat) -> None:
        pending = self._pending[seat]
        pending.due, pending.pausing = True, False
        self._continue(seat, pending)

    def _accept(self, seat: Seat, decision: Decision[Any] | None) -> None:
        pending = self._pending[seat]
        pending.decided, pending.decision = True, decision
        self._continue(seat, pending)

    def _continue(self, seat: Seat, pending: PendingDecision) -> None:
        """Lets the bot think if its view has changed; carries out its decision once its time is up."""
        bot, character = self._table.bot, self._character(seat)
        if character is None:
            if pending.due:
                pending.cancel()
                del self._pending[seat]
            return
        slow = character.level in bot.slow
        if not (pending.due or pending.pausing or (slow and pending.started)):
            return
        observation = self._observation(seat, may_speak=pending.may_speak, quiet=pending.quiet)
        if observation != pending.observation:
            if pending.task is not None:
                pending.task.cancel()
            pending.observation, pending.decided = observation, False
            dice = bot_dice(self._secret, seat, pending.number)
            executor = self._executor if slow else INLINE
            if slow and pending.late_starts >= LATE_STARTS:
                character, executor = _choose_quick_level(bot, character), INLINE
            pending.late_starts += pending.due
            opener = self._table.opener
            if knows_secrets(observation):
                bot = DiscreetBot(bot, quiet=pending.quiet)
            pending.task = BotTask(bot, observation, character, dice, opener, partial(self._accept, seat))
            executor.submit(pending.task)
        elif pending.pausing and pending.decided:
            self._take_time(seat, pending)
        elif pending.due and pending.decided:
            if self._is_hurried or pending.began_ms + self._pause(pending) <= pending.ends_ms:
                if self._find_line(pending) in self._undecided:
                    return  # until `settle`
                del self._pending[seat]
                self._act(seat, pending, observation)
            else:
                pending.due, pending.pausing = False, True
                self._take_time(seat, pending)

    def _take_time(self, seat: Seat, pending: PendingDecision) -> None:
        """Lets the bot take the time that it says; it needs no more once what it waited for has come, but is
        then no quicker than with any decision."""
        now_ms, ends_ms = self._clock.now_ms(), pending.began_ms + self._pause(pending)
        if pending.ends_ms > now_ms:
            ends_ms = max(ends_ms, min(pending.ends_ms, now_ms + pending.thinking_ms))
        if ends_ms == pending.ends_ms:
            return
        pending.ends_ms = ends_ms
        if pending.timer is not None:
            pending.timer.cancel()
        pause = max(0, ends_ms - now_ms) / 1000
        pending.timer = self._clock.call_later(pause, partial(self._time_is_over, seat))

    def _pause(self, pending: PendingDecision) -> int:
        """How long the bot takes over its decision, in milliseconds, if it says how long, or only speaks.

        The first is based only on public information (G4), the second on what it says aloud.
        """
        decision = pending.decision
        if decision is None:
            return 0
        chosen = 0 if decision.after is None else min(decision.after, MAX_PAUSE_MS)
        if decision.answer is not None or decision.remark is None or decision.remark.to is not None:
            return chosen
        writing = WRITING_MS * len(_find_text(self._table.rules, decision.remark.key))
        return max(chosen, min(MAX_ANSWER_MS, pending.thinking_ms + writing))

    def _act(self, seat: Seat, pending: PendingDecision, observation: Observation) -> None:
        decision = pending.decision
        remark = None if decision is None or not observation.may_speak else decision.remark
        if pending.may_speak:  # otherwise it may still answer after its silence
            self._note_answered(seat, quiet=pending.quiet)
        promise = None if decision is None or self._is_substitute(seat) else decision.promise
        if pending.quiet and promise is not None and not promise.private:
            promise = None
        is_silent = (remark is None or remark.to is not None) and (promise is None or promise.private)
        view = self._table.observation(None)
        if decision is None or (decision.answer is None and is_silent):
            self._waiting[seat] = observation.sections  # nobody else must see that it has whispered (G4)
        else:
            self._waiting.pop(seat, None)
        if is_silent and not pending.quiet:
            self._seen[seat] = view  # if its move changes nothing of that, nobody else must see it either
        elif not is_silent:
            self._seen.pop(seat, None)
        if decision is None:
            if not pending.may_speak:
                self.consider((seat,))  # it answers what was said to it once it may
            return
        table = self._table
        responder = _RefusalLog(table, observation)
        if is_silent and not pending.quiet:
            responder = _SilentMoveLog(self, table, observation, pending, view)
        if promise is not None:
            table.perform(BotPromise(seat, promise), NO_RESPONDER)
        if decision.answer is not None:
            prompt, move = decision.answer
            table.perform(BotMove(seat, prompt, msgspec.to_builtins(move)), responder)
        if remark is not None:
            line = self._find_line(pending)
            if line is not None:
                self._undecided.add(line)
            if not table.perform(BotRemark(seat, remark, promise), _RemarkLog(self, table, seat, line)):
                self._undecided.discard(line)

    def _note_answered(self, seat: Seat, *, quiet: bool) -> None:
        """Notes what a bot knew when it decided, of what it may answer."""
        whisper = self._find_whisper(seat)
        if whisper is not None and self._may_answer_whisper(seat, whisper):
            self._told[seat] = whisper
        if quiet or not self._may_be_answered(seat):
            return
        self._noticed[seat] = self._find_event(seat)
        spoken = self._find_spoken(seat)
        if spoken is not None:
            self._heard[seat] = spoken

    def end_silent_move(self, pending: PendingDecision, seat: Seat, view: Mapping[str, Any]) -> None:
        """Called once a move of an open decision is accepted, before bots are considered: `view` is what
        everybody saw before it."""
        pending.unnoticed += 1
        if pending.unnoticed <= MAX_UNNOTICED and self._table.observation(None) == view:
            self._unfinished[seat] = pending

    def _find_line(self, pending: PendingDecision) -> Line | None:
        """What the bot is about to say aloud; None if it is silent, or whispers."""
        decision, observation = pending.decision, pending.observation
        if decision is None or observation is None or not observation.may_speak:
            return None
        remark = decision.remark
        return None if remark is None or remark.to is not None else _read_line(self._table.rules, remark)

    def settle(self, line: Line | None, *, is_said: bool) -> None:
        """Called once what a bot wanted to say is accepted or refused: bots that want to say the same have
        waited for that."""
        if line is None:
            return
        self._undecided.discard(line)
        if not is_said:
            self._clock.call_soon(self._resume)  # unless they are asked before, as something has changed
            return
        for seat, pending in [*self._pending.items()]:
            decision = pending.decision
            if not (pending.due and pending.decided) or self._find_line(pending) != line:
                continue
            if decision is not None and (decision.answer is not None or decision.promise is not None):
                pending.may_speak = False
            else:
                self._schedule(seat, pending.public_prompts, answering=pending.answering)

    def _resume(self) -> None:
        for seat, pending in [*self._pending.items()]:
            if pending.due and pending.decided and self._pending.get(seat) is pending:
                self._continue(seat, pending)

    def mute(self, seat: Seat) -> None:
        """Lets a bot with a defect say nothing more, and go on playing."""
        self._muted.add(seat)
        self.consider((seat,))

    def _is_substitute(self, seat: Seat) -> bool:
        """Whether a bot plays in a person's place, for whom it promises nothing (R30)."""
        return self._table.room.table.seats[seat].bot is None

    @property
    def _is_hurried(self) -> bool:
        """Whether bots take only the time they need to think, since nobody plays against them (R25)."""
        return self._table.room.table.skipping

    def _character(self, seat: Seat) -> Character | None:
        """The character that plays this seat; None if no bot does, or the game is not running."""
        table = self._table
        room = table.room
        if table.stopped or room.position is None or isinstance(room.position.prompts, Outcome):
            return None
        if not table.live or not room.table.seats[seat].is_played_by_bot:
            return None
        state = room.table.seats[seat]
        return find_character(state.character, state.bot or actions.choose_level(table.bot.levels))

    def _observation(self, seat: Seat, *, may_speak: bool, quiet: bool) -> Observation:
        """The seat's view in a running game."""
        table, room = self._table, self._table.room
        lines, messages = table.list_seen_lines(seat), table.list_spoken(seat)
        observation = observe(
            table.rules,
            room,
            seat,
            table.observation(seat),
            promises=list_seen(room, None if room.table.seats[seat].substitute else seat),
            lines=lines,
            messages=messages,
            may_speak=may_speak,
        )
        if knows_secrets(observation):  # then it depends on who listens (games/kit/discretion.py)
            return observation
        return replace(observation, may_speak=may_speak and not quiet and may_answer(lines, messages))


def _list_public(messages: Iterable[Spoken]) -> tuple[Spoken, ...]:
    """What everybody has heard."""
    return tuple(spoken for spoken in messages if spoken.to is None)


def _read_line(rules: Rules, remark: Remark) -> Line:
    names = rules.texts.remarks.get(remark.key) or ()
    return remark.key, tuple(sorted((name, value) for name, value in remark.args.items() if name in names))


def _find_text(rules: Rules, key: str) -> str:
    """The message of the catalogue with this key, as an author wrote it."""
    groups = (rules.texts.catalogue.get(group, {}) for group in ("remarks", "phrases"))
    return next((str(texts[key]) for texts in groups if key in texts), "")


def _choose_quick_level(bot: Bot[Any], character: Character) -> Character:
    """The character at the best level that is not slow; the same if every level is."""
    quick = (name for name in reversed(bot.levels) if name not in bot.slow)
    return replace(character, level=next(quick, character.level))


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


class _SilentMoveLog(_RefusalLog):
    """The same for a move without a word; tells the scheduler if the move is accepted."""

    def __init__(
        self,
        scheduler: BotScheduler,
        table: BotTable,
        observation: Observation,
        pending: PendingDecision,
        view: Mapping[str, Any],
    ) -> None:
        super().__init__(table, observation)
        self._scheduler = scheduler
        self._pending = pending
        self._view = view

    def answer(self, n: int, refusal: Refusal | None) -> None:
        super().answer(n, refusal)
        if refusal is None and not self._table.stopped:
            self._scheduler.end_silent_move(self._pending, self._observation.seat, self._view)


class _RemarkLog:
    """Logs a remark that its bot may not make, which is a defect in the bot, and silences it."""

    def __init__(
        self, scheduler: BotScheduler, table: BotTable, seat: Seat, line: Line | None = None
    ) -> None:
        self._scheduler = scheduler
        self._table = table
        self._seat = seat
        self._line = line

    def answer(self, n: int, refusal: Refusal | None) -> None:
        if not self._table.stopped:
            self._scheduler.settle(self._line, is_said=refusal is None)
        if refusal is None or refusal.code in EXPECTED_REFUSALS:
            return
        _log.error("a bot's remark was refused", room=self._table.room.table.room, code=refusal.code)
        if not self._table.stopped:
            self._scheduler.mute(self._seat)

    def abandoned(self) -> None:
        pass
