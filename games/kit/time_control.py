"""Timers that are part of a game's state, so that a replay reproduces them (GEN-6, GEN-7).

`TimeControl` covers the whole game: how fast timers run, how many times in a row the rules have played for
each seat, and how many extensions each seat has left. `Timer` is one timed span: a turn (which concerns one
seat) or a shared wait (which concerns several). Its window has the same id. A seat for which the rules have
played twice in a row is away: it also gets its own short window, until it does something that everybody can
see.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from games.api import (
    Choice,
    Held,
    LogLine,
    Millis,
    MoveBase,
    Prompt,
    PromptId,
    Public,
    Running,
    Seat,
    Struct,
    Window,
    WindowId,
)
from games.kit.memo import memoize
from games.kit.options import option_metadata
from games.kit.tuples import replace_at

MIN_TIMER: Final = Millis(10_000)
"""A fast timer is never shortened below this; a timer that is shorter stays as it is. It is also the length
of an away seat's short window."""
EXTENSION: Final = Millis(60_000)
EXTENSIONS: Final = 2
LAST_CALL: Final = Millis(60_000)
MISSES_BEFORE_AWAY: Final = 2
"""A seat is away once the rules have played for it this many times in a row."""

Timers: TypeAlias = Annotated[
    Literal["normal", "relaxed", "fast", "off"],
    option_metadata("pace", private="relaxed"),
]
"""The option for the speed of a game's timers (GEN-6)."""


class Extend(MoveBase, frozen=True, tag="extend", forbid_unknown_fields=True):
    """Add a minute to this window, using one of the seat's two extensions."""


class LastCall(MoveBase, frozen=True, tag="lastCall", forbid_unknown_fields=True):
    """Start a one-minute clock on a wait that has none."""


TimeControlMove: TypeAlias = Extend | LastCall

EXTEND: Final = (Choice("extend"),)
CALL: Final = (Choice("lastCall"),)

PROMPTS: Final = frozenset({"extend", "lastCall"})
MOVES: Final = frozenset({"extend", "lastCall"})


class TimeControl(Struct, frozen=True, cache_hash=True):
    """The time control of a game; also the data of a public section."""

    timers: Public[Timers]
    missed_in_a_row: Public[tuple[int, ...]]
    """How many times in a row the rules have played for each seat."""
    extensions: Public[tuple[int, ...]]
    """How many extensions each seat has left."""


class Timer(Struct, frozen=True, cache_hash=True):
    """One timed span. `clock` is None while it is untimed."""

    id: Public[WindowId]
    kind: Public[str]
    concerns: Public[tuple[Seat, ...]]
    clock: Public[Running | Held | None]
    short: Public[Millis | None]
    """When the short windows of seats that are away end; None if there are none."""
    extended: Public[int] = 0
    fixed: Public[bool] = False
    """A window fixed by the rules: never scaled, extended or switched off."""
    span: Public[Millis] = Millis(0)
    """The total length of the clock, including extensions."""
    rigid: Public[bool] = False
    """Scaled and switched off like other timers, but never extended, such as for a rescue (GEN-6)."""
    resumed: Public[int] = 0
    """How many times it has been released after being held, so that no short window reuses an old id."""
    sections: Public[tuple[str, ...]] = ()
    """The private sections bound to its window."""
    optional: Public[bool] = False
    """Nobody has to act before it ends, so nobody can miss it (`add_misses`)."""


class TimerPrompt(msgspec.Struct, frozen=True, eq=False):
    """The prompt to extend a timer or to start it, and its choices. Hashed by identity."""

    prompt: Prompt
    choices: tuple[Choice, ...]


def start(seats: int, timers: Timers) -> TimeControl:
    return TimeControl(timers, (0,) * seats, (EXTENSIONS,) * seats)


def scale(span: Millis, timers: Timers) -> Millis | None:
    """A timer's length at this pace, never shortened below ten seconds; None if there is no limit (GEN-6)."""
    match timers:
        case "off":
            return None
        case "relaxed":
            return Millis(span * 2)
        case "normal":
            return span
        case "fast":
            return Millis(max(span // 2, min(span, MIN_TIMER)))


# --- timers ---


def timer(
    control: TimeControl,
    window: WindowId,
    kind: str,
    concerns: tuple[Seat, ...],
    span: Millis | None,
    at: Millis,
    rigid: bool = False,
) -> Timer:
    """A turn or a shared wait that starts at `at` and lasts the rules' `span` (None if they set no limit)."""
    length = None if span is None else scale(span, control.timers)
    short = Millis(at + MIN_TIMER) if length is None or length > MIN_TIMER else None
    if length is None:
        return Timer(window, kind, concerns, None, short, rigid=rigid)
    return Timer(window, kind, concerns, Running(Millis(at + length)), short, span=length, rigid=rigid)


def make_fixed_timer(
    window: WindowId,
    kind: str,
    concerns: tuple[Seat, ...],
    span: Millis,
    at: Millis,
    sections: tuple[str, ...] = (),
) -> Timer:
    """A window fixed by the rules that starts at `at`, with these sections bound to it."""
    end = Running(Millis(at + span))
    return Timer(window, kind, concerns, end, None, fixed=True, span=span, sections=sections)


def reaction(window: WindowId, kind: str, concerns: tuple[Seat, ...], span: Millis, at: Millis) -> Timer:
    """A fixed window, starting at `at`, for these seats to react in; not reacting is not a miss."""
    return replace(make_fixed_timer(window, kind, concerns, span, at), optional=True)


def hold(running: Timer, at: Millis) -> Timer:
    """Stop the clock during another decision (SSA-39). Until it is released, no seat has a short window."""
    if running.clock is None:
        return replace(running, short=None)
    if isinstance(running.clock, Held):
        return running
    return replace(running, clock=Held(Millis(max(0, running.clock.end - at))), short=None)


def release(held: Timer, at: Millis) -> Timer:
    """Resume a held clock; a seat that is away gets a new short window."""
    if held.clock is None:
        return replace(held, short=Millis(at + MIN_TIMER), resumed=held.resumed + 1)
    if isinstance(held.clock, Running):
        return held
    left = held.clock.left
    short = Millis(at + MIN_TIMER) if left > MIN_TIMER and not held.fixed else None
    return replace(held, clock=Running(Millis(at + left)), short=short, resumed=held.resumed + 1)


# --- seats that are away ---


def is_away(control: TimeControl, seat: Seat) -> bool:
    return control.missed_in_a_row[seat] >= MISSES_BEFORE_AWAY


def is_anybody_away(control: TimeControl) -> bool:
    """Whether any seat may have a short window; a seat that is done has none (`windows`)."""
    return max(control.missed_in_a_row) >= MISSES_BEFORE_AWAY


def reset_misses(control: TimeControl, seat: Seat) -> TimeControl:
    """Reset the misses of a seat that did something that everybody can see."""
    missed_in_a_row = control.missed_in_a_row
    if not missed_in_a_row[seat]:
        return control
    return TimeControl(control.timers, replace_at(missed_in_a_row, seat, 0), control.extensions)


def add_misses(control: TimeControl, seats: Iterable[Seat], of: Timer | None = None) -> TimeControl:
    """Count a miss for these seats: the rules played for them when `of` ended (GEN-7)."""
    gone = frozenset(seats)
    if not gone or (of is not None and of.optional):
        return control
    missed_in_a_row = tuple(
        count + 1 if seat in gone else count for seat, count in enumerate(control.missed_in_a_row)
    )
    return TimeControl(control.timers, missed_in_a_row, control.extensions)


def list_away_lines(before: TimeControl, after: TimeControl) -> tuple[LogLine, ...]:
    """The log lines for seats that are now away, or no longer are."""
    if before is after or before.missed_in_a_row == after.missed_in_a_row:
        return ()
    return tuple(
        LogLine("timeControl.away" if new >= MISSES_BEFORE_AWAY else "timeControl.back", {"seat": seat}, None)
        for seat, (old, new) in enumerate(zip(before.missed_in_a_row, after.missed_in_a_row, strict=True))
        if (old >= MISSES_BEFORE_AWAY) != (new >= MISSES_BEFORE_AWAY)
    )


# --- windows ---


@memoize
def windows(control: TimeControl, of: Timer, done: tuple[bool, ...]) -> tuple[Window, ...]:
    """The window of a timer, preceded by the short windows of seats that are away and not yet `done`."""
    main = _main(control, of)
    if of.short is None or not is_anybody_away(control):
        return main
    short = tuple(
        _short(_stem(of), seat, of.short)
        for seat in of.concerns
        if not done[seat] and control.missed_in_a_row[seat] >= MISSES_BEFORE_AWAY
    )
    return short + main


@memoize
def _main(control: TimeControl, of: Timer) -> tuple[Window, ...]:
    if of.clock is None:
        return ()
    extend = None if of.fixed or not _extenders(control, of) else _extend_id(of)
    return (Window(of.id, of.kind, None, frozenset(of.concerns), of.clock, of.span, extend, of.sections),)


@memoize
def _short(stem: str, seat: Seat, end: Millis) -> Window:
    return Window(WindowId(f"{stem}:away:{seat}"), "away", None, frozenset({seat}), Running(end), MIN_TIMER)


def _stem(of: Timer) -> str:
    """The prefix of the ids of a timer's short windows."""
    return f"{of.id}:{of.resumed}" if of.resumed else of.id


def _extenders(control: TimeControl, of: Timer) -> frozenset[Seat]:
    if of.rigid:
        return frozenset()
    return frozenset(seat for seat in of.concerns if control.extensions[seat])


def _extend_id(of: Timer) -> PromptId:
    return PromptId(f"extend:{of.id}:{of.extended}")


def find_window_seat(of: Timer, window: WindowId) -> Seat | None:
    """The seat whose short window this is; None for the timer's own window. Raises ValueError for others."""
    if window == of.id:
        return None
    head, _, seat = window.rpartition(":away:")
    if head != _stem(of) or not seat.isdecimal():
        raise ValueError(f"no such window: {window}")
    return Seat(int(seat))


def list_late(of: Timer, window: WindowId, done: tuple[bool, ...]) -> tuple[Seat, ...]:
    """The seats that are not `done`, for which the rules play when this window ends.

    A short window concerns only its own seat. Raises ValueError for a window that is not the timer's.
    """
    alone = find_window_seat(of, window)
    return tuple(seat for seat in of.concerns if not done[seat] and alone in (None, seat))


# --- extending or starting a timer ---


@memoize
def prompt(control: TimeControl, of: Timer) -> TimerPrompt | None:
    """The prompt to extend a timer, for seats with extensions left, or to start it, for all seats."""
    if of.fixed:
        return None
    if of.clock is None:
        everybody = frozenset(Seat(seat) for seat in range(len(control.missed_in_a_row)))
        return TimerPrompt(Prompt(PromptId(f"lastCall:{of.id}"), "lastCall", everybody, None, None), CALL)
    extenders = _extenders(control, of)
    if not extenders:
        return None
    return TimerPrompt(Prompt(_extend_id(of), "extend", extenders, of.id, None), EXTEND)


def prompts(control: TimeControl, of: Timer) -> tuple[Prompt, ...]:
    """The timer's prompt in a tuple, or an empty tuple, to add to the game's own prompts."""
    more = prompt(control, of)
    return () if more is None else (more.prompt,)


def choices(control: TimeControl, of: Timer, seat: Seat) -> dict[PromptId, tuple[Choice, ...]]:
    """The seat's choices under the timer's prompt, to add to the game's own choices."""
    more = prompt(control, of)
    return {} if more is None or seat not in more.prompt.seats else {more.prompt.id: more.choices}


def extend(control: TimeControl, of: Timer, seat: Seat) -> tuple[TimeControl, Timer, tuple[LogLine, ...]]:
    """Spend one of the seat's extensions on this timer.

    The hub may have spent it for a disconnected seat, so this does not reset the count of misses. The hub
    spends nothing for a seat that is already away (see `spendable`), so such a seat must have acted itself.
    """
    left = control.extensions
    after = TimeControl(control.timers, control.missed_in_a_row, replace_at(left, seat, left[seat] - 1))
    if is_away(control, seat):
        after = reset_misses(after, seat)
    clock = of.clock
    match clock:
        case Running(end=end):
            clock = Running(Millis(end + EXTENSION))
        case Held(left=rest):
            clock = Held(Millis(rest + EXTENSION))
        case None:
            raise ValueError("an untimed wait cannot be extended")
    line = LogLine("timeControl.extended", {"seat": seat, "left": after.extensions[seat]}, None)
    longer = replace(of, clock=clock, extended=of.extended + 1, span=Millis(of.span + EXTENSION))
    return after, longer, (line, *list_away_lines(control, after))


def spendable(control: TimeControl, of: Timer, seat: Seat) -> bool:
    """Whether a disconnected seat's extension is spent at the end of this timer (GEN-6)."""
    return (
        not (of.fixed or of.rigid)
        and seat in of.concerns
        and control.extensions[seat] > 0
        and not is_away(control, seat)
    )


def last_call(
    control: TimeControl, of: Timer, seat: Seat, at: Millis
) -> tuple[TimeControl, Timer, tuple[LogLine, ...]]:
    """Start the last minute of an untimed wait, as this seat asked, and reset the seat's count of misses."""
    after = reset_misses(control, seat)
    line = LogLine("timeControl.lastCall", {"seat": seat}, None)
    running = replace(of, clock=Running(Millis(at + LAST_CALL)), span=LAST_CALL)
    return after, running, (line, *list_away_lines(control, after))
