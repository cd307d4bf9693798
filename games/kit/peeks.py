"""Looks: a timed view of somebody's secret, as the rules declare it.

Everybody knows who looks at whom, at what kind of thing, and for how long: a `Peek` is public, and so is its
window, which no pace scales, lengthens or switches off (GEN-6). What is looked at is nowhere in a peek. It is
made anew from the state for each view of who peeks, in a section bound to the window: so it is gone at the
window's end, when it is stopped early, and while the table is paused, and is back only while the same window
still runs (G4.4). Nothing else of a game may hold it: no line, no choice (name what is chosen by its place),
no preview.

Who looks can neither write nor speak meanwhile: notes are locked and talk is closed (SSA-28).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from games.api import (
    Choice,
    LogLine,
    Millis,
    MoveBase,
    Prompt,
    PromptId,
    Public,
    Seat,
    Section,
    Struct,
    TalkPolicy,
    WindowId,
)
from games.kit import time_control as time_control
from games.kit.memo import memoize
from games.kit.time_control import Timer

SECTION: Final = "peek_content"
"""What who looks is shown: a private section of this name, bound to the window."""
KIND: Final = "peek"
"""Of the prompt and the window of a peek that ends with nothing but looking."""


LOCKED: Final = TalkPolicy("closed", notes_locked=True)


class StopPeeking(MoveBase, frozen=True, tag="stopPeeking", forbid_unknown_fields=True):
    """Enough seen: the window closes at once."""


STOP: Final = (Choice("stopPeeking"),)


class Peek(Struct, frozen=True):
    """`seat` looks at what `other` has, of the kind `what`, while `window` runs. Also a section's data."""

    window: Public[WindowId]
    seat: Public[Seat]
    other: Public[Seat]
    what: Public[str]


def begin(
    window: WindowId, kind: str, seat: Seat, other: Seat, what: str, span: Millis, at: Millis
) -> tuple[Peek, Timer, LogLine]:
    """A look from `at` on, the timer of its window, and what all are told. `kind` is the window's."""
    peek = Peek(window, seat, other, what)
    timer = time_control.fixed(window, kind, (seat,), span, at, (SECTION,))
    return peek, timer, _line("peek.began", peek)


def ended(peek: Peek) -> LogLine:
    """What all are told when it is over, by time or by `StopLooking`."""
    return _line("peek.ended", peek)


def _line(key: str, peek: Peek) -> LogLine:
    return LogLine(key, {"seat": peek.seat, "other": peek.other, "what": peek.what}, None)


@memoize
def prompt(peek: Peek, kind: str) -> Prompt:
    """What who looks may do: its id is the window's. `kind` is `KIND`, or the game's own."""
    return Prompt(PromptId(peek.window), kind, frozenset({peek.seat}), peek.window, None)


def peeks(peek: Peek | None, viewer: Seat | None) -> bool:
    """Whether this viewer is looking."""
    return peek is not None and viewer is not None and peek.seat == viewer


def sees(peek: Peek | None, viewer: Seat | None, other: int, what: str) -> bool:
    """Whether this viewer is being shown this of `other` (for `Game.resample`)."""
    return peek is not None and peeks(peek, viewer) and (peek.other, peek.what) == (other, what)


def shown(peek: Peek | None, viewer: Seat, make: Callable[[Peek], msgspec.Struct]) -> Section | None:
    """Section `SECTION`, with the data that `make` gives. None: the viewer does not look."""
    if peek is None or not peeks(peek, viewer):
        return None
    return Section(make(peek), peek.window)


def talk_policy(peek: Peek | None, seat: Seat | None, otherwise: TalkPolicy) -> TalkPolicy:
    """Who looks writes nothing down, at the table or in notes; all others may what they may."""
    return LOCKED if peeks(peek, seat) else otherwise
