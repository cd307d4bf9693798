"""Peeks: a timed view of somebody's secret.

Everybody knows who is peeking at whom, at what kind of secret, and for how long: a `Peek` is public, and so
is its window, which no time control scales, extends or switches off (GEN-6). The secret is not part of the
peek. It is read from the state for each view of the peeking seat, in a section bound to the window. It
therefore disappears when the window ends or is stopped early, and while the table is paused; it returns only
while the same window runs (G4.4). Nothing else in a game may contain it: no line, no preview, and no choice
(a choice names a card by its position).

A seat can neither write nor speak while it is peeking: notes are locked and talk is closed (SSA-28).
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
"""The private section, bound to the window, that shows the secret to the peeking seat."""
KIND: Final = "peek"
"""The kind of both the prompt and the window of a peek that is not followed by a choice."""


LOCKED: Final = TalkPolicy("closed", notes_locked=True)


class StopPeeking(MoveBase, frozen=True, tag="stopPeeking", forbid_unknown_fields=True):
    """Stop looking: the window closes at once."""


STOP: Final = (Choice("stopPeeking"),)


class Peek(Struct, frozen=True):
    """`seat` sees `other`'s secret of kind `what` while `window` runs. Also the data of a section."""

    window: Public[WindowId]
    seat: Public[Seat]
    other: Public[Seat]
    what: Public[str]


def begin(
    window: WindowId, kind: str, seat: Seat, other: Seat, what: str, span: Millis, at: Millis
) -> tuple[Peek, Timer, LogLine]:
    """A peek that starts at `at`, its timer, and the public line. `kind` is the kind of its window."""
    peek = Peek(window, seat, other, what)
    timer = time_control.make_fixed_timer(window, kind, (seat,), span, at, (SECTION,))
    return peek, timer, _line("peek.began", peek)


def report_end(peek: Peek) -> LogLine:
    """The public line for the end of a peek, whether it ran out or was stopped."""
    return _line("peek.ended", peek)


def _line(key: str, peek: Peek) -> LogLine:
    return LogLine(key, {"seat": peek.seat, "other": peek.other, "what": peek.what}, None)


@memoize
def prompt(peek: Peek, kind: str) -> Prompt:
    """The prompt for the peeking seat; its id is the window's. `kind` is `KIND`, or the game's own."""
    return Prompt(PromptId(peek.window), kind, frozenset({peek.seat}), peek.window, None)


def peeks(peek: Peek | None, viewer: Seat | None) -> bool:
    """Whether this viewer is currently peeking."""
    return peek is not None and viewer is not None and peek.seat == viewer


def sees(peek: Peek | None, viewer: Seat | None, other: int, what: str) -> bool:
    """Whether this viewer is shown this secret of `other` (for `Game.resample`)."""
    return peek is not None and peeks(peek, viewer) and (peek.other, peek.what) == (other, what)


def peek_section(peek: Peek | None, viewer: Seat, make: Callable[[Peek], msgspec.Struct]) -> Section | None:
    """Section `SECTION` with the data that `make` returns; None if the viewer is not peeking."""
    if peek is None or not peeks(peek, viewer):
        return None
    return Section(make(peek), peek.window)


def talk_policy(peek: Peek | None, seat: Seat | None, otherwise: TalkPolicy) -> TalkPolicy:
    """The peeking seat can neither talk nor write notes; for all others, `otherwise` applies."""
    return LOCKED if peeks(peek, seat) else otherwise
