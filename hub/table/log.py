"""What is told at a table, as each audience may read it: lines of the log with their numbers, and talk.

Lines are numbered per audience, so that a number tells nobody of lines it may not read (G4).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

from msgspec import Struct

from games.api import LogLine
from hub.table.room import Logged, Room
from hub.wire import codec
from hub.wire import messages as m


class NumberedLine(Struct, frozen=True):
    """A line of the log with its number: for those who may read every line, and what each seat's own adds."""

    line: LogLine
    at: int
    lines: int
    own: tuple[int, ...]


def number(before: Room, logged: Sequence[Logged]) -> Sequence[NumberedLine]:
    """The new lines with their numbers, counted on from those before."""
    lines, own = before.counts.lines, before.counts.own_lines
    told: list[NumberedLine] = []
    for entry in logged:
        for line in entry.lines:
            if line.to is None:
                lines += 1
            else:
                own = tuple(n + (seat in line.to) for seat, n in enumerate(own))
            told.append(NumberedLine(line, entry.at, lines, own))
    return told


def renumbered(now: Room, logged: Sequence[Logged], most: int) -> list[deque[NumberedLine]]:
    """The last lines of a stored log, per audience (watchers last), counted back from those of the room."""
    lines, own = now.counts.lines, now.counts.own_lines
    told: list[deque[NumberedLine]] = [deque(maxlen=most) for _ in range(len(own) + 1)]
    for entry in reversed(logged):
        for line in reversed(entry.lines):
            for i, recent in enumerate(told):
                if len(recent) < most and _may_read(line, i if i < len(own) else None):
                    recent.appendleft(NumberedLine(line, entry.at, lines, own))
            if line.to is None:
                lines -= 1
            else:
                own = tuple(n - (seat in line.to) for seat, n in enumerate(own))
        if all(len(recent) == most for recent in told):
            break
    return told


def for_audience(lines: Iterable[NumberedLine], seat: int | None) -> list[NumberedLine]:
    """Those of these lines that an audience may read."""
    return [told for told in lines if _may_read(told.line, seat)]


def packed(lines: Iterable[NumberedLine], seat: int | None) -> list[bytes]:
    """Lines as an audience that may read them gets them."""
    return [
        codec.encode_line(
            m.AudienceLine(
                told.lines + (0 if seat is None else told.own[seat]), told.line.key, told.line.args, told.at
            )
        )
        for told in lines
    ]


def _may_read(line: LogLine, seat: int | None) -> bool:
    return line.to is None or (seat is not None and seat in line.to)


def hears(line: m.TalkMessage, seat: int | None) -> bool:
    """Whether an audience hears this: a whisper is heard by its two seats alone."""
    return line.to is None or seat in (line.seat, line.to)
