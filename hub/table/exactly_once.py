"""Remembers which of a seat's commands were applied, so that one sent twice is applied once (G2).

A command's id is (session, n): the client instance that sent it, and its number there. A seat remembers the
last `SESSIONS_KEPT` sessions, and the last `VERDICTS` numbers of each. Anything older is "too old": it is no
longer known whether it was applied.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

SESSIONS_KEPT = 4
"""Sessions per seat."""
VERDICTS = 32
"""Commands per session."""
_MASK = (1 << VERDICTS) - 1


class Session(Struct, frozen=True, array_like=True, gc=False):
    """The commands remembered for a client instance: bit i of `applied` is set if `high - i` was applied."""

    number: int
    high: int = -1
    applied: int = 0


Sessions: TypeAlias = tuple[Session, ...]
"""The sessions of one seat, oldest first."""


def look_up(sessions: Sessions, session: int, n: int) -> Literal["new", "applied", "too old"]:
    """Whether the command (session, n) was applied before."""
    for state in sessions:
        if state.number == session:
            behind = state.high - n
            if behind < 0:
                return "new"
            if behind >= VERDICTS:
                return "too old"
            return "applied" if state.applied >> behind & 1 else "new"
    return "too old"


def mark_applied(sessions: Sessions, session: int, n: int) -> Sessions:
    """The sessions after the command (session, n); unchanged if the session is not known."""
    for i, state in enumerate(sessions):
        if state.number == session:
            ahead = n - state.high
            if ahead > 0:
                marked = Session(session, n, (state.applied << min(ahead, VERDICTS) | 1) & _MASK)
            else:
                marked = Session(session, state.high, state.applied | 1 << -ahead)
            return (*sessions[:i], marked, *sessions[i + 1 :])
    return sessions


def is_known(sessions: Sessions, session: int) -> bool:
    return any(state.number == session for state in sessions)


def begin(sessions: Sessions, session: int) -> Sessions:
    """The sessions with a new one added, which may push out the oldest."""
    return (*sessions[-(SESSIONS_KEPT - 1) :], Session(session))
