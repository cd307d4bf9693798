"""Looks: a timed view of somebody's secret, as the rules declare it.

Everybody knows who looks at whom, at what kind of thing, and for how long: a `Look` is public, and so is its
window, which no pace scales, lengthens or switches off (GEN-6). What is looked at is nowhere in a look. It is
made anew from the state for each view of who looks, in a section bound to the window: so it is gone at the
window's end, when it is stopped early, and while the table is paused, and is back only while the same window
still runs (G4.4). Nothing else of a game may hold it: no line, no choice (name what is chosen by its place),
no preview.

Who looks can neither write nor speak meanwhile: notes are locked and talk is closed (SSA-28).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

import msgspec

from games.api import (
    Ask,
    AskId,
    Choice,
    Line,
    Manners,
    Millis,
    MoveBase,
    Public,
    Seat,
    Section,
    Struct,
    WindowId,
)
from games.kit import time_control as pacing
from games.kit.time_control import Timer

SECTION: Final = "peek"
"""What who looks is shown: a private section of this name, bound to the window."""
KIND: Final = "look"
"""Of the ask and the window of a look that ends with nothing but looking."""

LINES: Final[dict[str, tuple[str, ...]]] = {
    "look.began": ("seat", "other", "what"),
    "look.ended": ("seat", "other", "what"),
}
"""Lines to all: `seat` looks at what `other` has."""
ASKS: Final = frozenset({KIND})
WINDOWS: Final = frozenset({KIND})
MOVES: Final = frozenset({"stopLooking"})

LOCKED: Final = Manners("closed", notes_locked=True)


class StopLooking(MoveBase, frozen=True, tag="stopLooking", forbid_unknown_fields=True):
    """Enough seen: the window closes at once."""


STOP: Final = (Choice("stopLooking"),)


class Look(Struct, frozen=True):
    """`seat` looks at what `other` has, of the kind `what`, while `window` runs. Also a section's data."""

    window: Public[WindowId]
    seat: Public[Seat]
    other: Public[Seat]
    what: Public[str]


def begin(
    window: WindowId, kind: str, seat: Seat, other: Seat, what: str, span: Millis, at: Millis
) -> tuple[Look, Timer, Line]:
    """A look from `at` on, the timer of its window, and what all are told. `kind` is the window's."""
    look = Look(window, seat, other, what)
    timer = pacing.fixed(window, kind, (seat,), span, at, (SECTION,))
    return look, timer, _line("look.began", look)


def ended(look: Look) -> Line:
    """What all are told when it is over, by time or by `StopLooking`."""
    return _line("look.ended", look)


def _line(key: str, look: Look) -> Line:
    return Line(key, {"seat": look.seat, "other": look.other, "what": look.what}, None)


@lru_cache(1024)
def ask(look: Look, kind: str) -> Ask:
    """What who looks may do: its id is the window's. `kind` is `KIND`, or the game's own."""
    return Ask(AskId(look.window), kind, frozenset({look.seat}), look.window, None)


def looks(look: Look | None, viewer: Seat | None) -> bool:
    """Whether this viewer is looking."""
    return look is not None and viewer is not None and look.seat == viewer


def sees(look: Look | None, viewer: Seat | None, other: int, what: str) -> bool:
    """Whether this viewer is being shown this of `other` (for `Game.resample`)."""
    return look is not None and looks(look, viewer) and (look.other, look.what) == (other, what)


def shown(look: Look | None, viewer: Seat, make: Callable[[Look], msgspec.Struct]) -> Section | None:
    """Section `SECTION`, with the data that `make` gives. None: the viewer does not look."""
    if look is None or not looks(look, viewer):
        return None
    return Section(make(look), look.window)


def manners(look: Look | None, seat: Seat | None, otherwise: Manners) -> Manners:
    """Who looks writes nothing down, at the table or in notes; all others may what they may."""
    return LOCKED if looks(look, seat) else otherwise
