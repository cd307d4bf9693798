"""The base of games that use the kit's timer for all waits; a game overrides what differs.

`TimedGame` handles `extend` and `lastCall`, notes which seats act, extends windows for disconnected seats
and has defaults for the methods that many games do not need. The state is a `TimedState`, and `M` are the
game's own moves, to which the base adds the timer's two moves.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final, TypeVar, get_args, get_origin

import msgspec
from msgspec.structs import replace

from games.api import (
    Dice,
    Game,
    LogLine,
    Millis,
    PromptId,
    Public,
    Refusal,
    Seat,
    Section,
    Step,
    Struct,
    TalkPolicy,
    Window,
    WindowId,
)
from games.kit import choices, time_control
from games.kit.time_control import Extend, LastCall, TimeControl, Timer

OTHER_PROMPT: Final = Refusal("OTHER_PROMPT", "GEN-4")
"""The refusal of a move that does not answer the prompt it names."""
SILENT: Final = TalkPolicy("closed")


class TimedState(Struct, frozen=True, kw_only=True):
    """Base of the state: the table's time control, and the current timer (None once the game is over)."""

    time_control: Public[TimeControl]
    timer: Public[Timer | None]


T = TypeVar("T", bound=TimedState)
M = TypeVar("M", bound=msgspec.Struct)
O = TypeVar("O", bound=msgspec.Struct)  # noqa: E741 - the options


def timer_of(state: TimedState) -> Timer:
    """The timer of the current wait. Raises ValueError when the game is over."""
    if state.timer is None:
        raise ValueError("the game is over")
    return state.timer


def count_missed(state: T, seats: Iterable[Seat]) -> tuple[T, tuple[LogLine, ...]]:
    """Count a miss for these seats, for which the rules played at the end of a window (GEN-7)."""
    before = state.time_control
    after = time_control.add_misses(before, seats, timer_of(state))
    return (state, ()) if after is before else (with_control(state, after), list_away_lines(before, after))


def with_control(state: T, control: TimeControl) -> T:
    return replace(state, time_control=control)


list_away_lines: Final = time_control.list_away_lines
TIME_CONTROL_MOVES: Final = (Extend, LastCall)
"""`Extend` and `LastCall` for isinstance, since `Extend | LastCall` would be built on every call."""


class TimedGame(Game[T, M | Extend | LastCall, O]):
    """A game whose state is a `TimedState`. Subclasses declare `key`, `seats`, `minutes`, `sections` and
    `texts`, implement `setup`, `prompts`, `check_move`, `apply_move`, `expire`, `public`, `choices` and
    `resample`, and override everything else only where its default does not fit."""

    version = 1
    readable_versions: Collection[int] = ()
    """Older versions whose states `upgrade` accepts."""
    silent: frozenset[str] = frozenset()
    title: str
    Options: type[O]
    State: type[T]
    Move: Any
    open_talk: TalkPolicy
    """The policy that lets everybody at the table talk and use every phrase."""

    def __init_subclass__(cls, **arguments: object) -> None:
        """Takes `State`, `Options` and `Move` from the type arguments, and the title from `texts`."""
        super().__init_subclass__(**arguments)
        for base in vars(cls).get("__orig_bases__", ()):
            if get_origin(base) is TimedGame:
                cls.State, play, cls.Options = get_args(base)
                cls.Move = play | Extend | LastCall
        if "texts" in vars(cls):
            cls.title = cls.texts.title
            cls.open_talk = TalkPolicy("open", cls.texts.phrases)

    @abstractmethod
    def check_move(self, state: T, seat: Seat, prompt: PromptId, move: M, at: Millis) -> Refusal | None:
        """`Game.check` for the moves of this game."""

    @abstractmethod
    def apply_move(self, state: T, seat: Seat, prompt: PromptId, move: M, at: Millis, dice: Dice) -> Step[T]:
        """`Game.apply` for the moves of this game."""

    def done(self, state: T) -> tuple[bool, ...]:
        """By seat, whether it no longer needs to act before the timer ends. By default, nobody is done."""
        return (False,) * len(state.time_control.extensions)

    def resets_misses(self, state: T, prompt: PromptId, move: M) -> bool:
        """Whether `apply` resets the seat's count of misses for this move, and logs that it is back.

        Only moves that everybody sees may do so (G4). By default, all that are not silent.
        """
        return move.__struct_config__.tag not in self.silent

    def check(
        self, state: T, seat: Seat, prompt: PromptId, move: M | Extend | LastCall, at: Millis
    ) -> Refusal | None:
        if isinstance(move, TIME_CONTROL_MOVES):
            expected = "extend:" if isinstance(move, Extend) else "lastCall:"
            return None if prompt.startswith(expected) else OTHER_PROMPT
        return self.check_move(state, seat, prompt, move, at)

    def apply(
        self, state: T, seat: Seat, prompt: PromptId, move: M | Extend | LastCall, at: Millis, dice: Dice
    ) -> Step[T]:
        before = state.time_control
        if isinstance(move, TIME_CONTROL_MOVES):
            control, timer, lines = (
                time_control.extend(before, timer_of(state), seat)
                if isinstance(move, Extend)
                else time_control.last_call(before, timer_of(state), seat, at)
            )
            return Step(replace(state, time_control=control, timer=timer), lines)
        if not (before.missed_in_a_row[seat] and self.resets_misses(state, prompt, move)):
            return self.apply_move(state, seat, prompt, move, at, dice)
        control = time_control.reset_misses(before, seat)
        step = self.apply_move(with_control(state, control), seat, prompt, move, at, dice)
        return Step(step.state, (*list_away_lines(before, control), *step.lines))

    def windows(self, state: T) -> tuple[Window, ...]:
        if state.timer is None:
            return ()
        return time_control.windows(state.time_control, state.timer, self.done(state))

    def extension(self, state: T, seat: Seat, window: WindowId) -> M | Extend | LastCall | None:
        """Another minute for a disconnected seat that still has something to do (GEN-6)."""
        timer = state.timer
        if timer is None or window != timer.id or self.done(state)[seat]:
            return None
        return Extend() if time_control.spendable(state.time_control, timer, seat) else None

    def refuse_options(self, seats: int, options: O) -> Refusal | None:
        return None

    def private(self, state: T, seat: Seat) -> dict[str, Section]:
        return {}

    def preview(self, state: T, seat: Seat, move: M | Extend | LastCall) -> Section | None:
        return None

    def sample(self, state: T, seat: Seat, dice: Dice) -> tuple[PromptId, M | Extend | LastCall] | None:
        seats = len(state.time_control.extensions)
        return choices.sample(self.choices(state, seat), seats, self.Move, dice)

    def talk_policy(self, state: T, seat: Seat | None) -> TalkPolicy:
        """By default, open talk for seats and none for spectators."""
        return SILENT if seat is None else self.open_talk

    def upgrade(self, version: int, data: Mapping[str, Any]) -> T | None:
        is_readable = version == self.version or version in self.readable_versions
        return msgspec.convert(data, self.State) if is_readable else None
