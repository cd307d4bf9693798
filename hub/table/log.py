"""The lines of a table's log and its talk, as each audience may read them.

Lines are numbered per audience, so that no number reveals lines that an audience may not read (G4).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from games.api import LogLine, Millis, Seat, SeenLine
from games.kit.tuples import replace_at
from hub.table.room import Logged, Room
from hub.table.table_change import TOOK_OVER
from hub.wire import codec
from hub.wire import messages as m


class NumberedLine(Struct, frozen=True):
    """A log line with its number: `lines` counts the public ones, `own_lines` those for each seat."""

    line: LogLine
    at: int
    lines: int
    own_lines: tuple[int, ...]


def number_lines(before: Room, logged: Sequence[Logged]) -> Sequence[NumberedLine]:
    """The new lines with their numbers, which continue from the counts in `before`."""
    lines, own_lines = before.counts.lines, before.counts.own_lines
    numbered: list[NumberedLine] = []
    for entry in logged:
        for line in entry.lines:
            if line.to is None:
                lines += 1
                if line.key == TOOK_OVER:
                    own_lines = replace_at(own_lines, _seat_of(line), 0)
            else:
                own_lines = tuple(n + (seat in line.to) for seat, n in enumerate(own_lines))
            numbered.append(NumberedLine(line, entry.at, lines, own_lines))
    return numbered


def renumber_lines(room: Room, logged: Sequence[Logged], most: int) -> list[deque[NumberedLine]]:
    """The last lines of a stored log, per audience (watchers last), counted back from the room's counts.

    What was meant for a seat alone before a latecomer took it over is left out.
    """
    lines, own_lines = room.counts.lines, room.counts.own_lines
    numbered: list[deque[NumberedLine]] = [deque(maxlen=most) for _ in range(len(own_lines) + 1)]
    taken_over: set[int] = set()
    for entry in reversed(logged):
        for line in reversed(entry.lines):
            for i, recent in enumerate(numbered):
                if len(recent) == most or (line.to is not None and i in taken_over):
                    continue
                if _may_read(line, i if i < len(own_lines) else None):
                    recent.appendleft(NumberedLine(line, entry.at, lines, own_lines))
            if line.to is None:
                lines -= 1
                if line.key == TOOK_OVER:
                    taken_over.add(_seat_of(line))
            else:
                own_lines = tuple(
                    n - (seat in line.to and seat not in taken_over) for seat, n in enumerate(own_lines)
                )
        if all(len(recent) == most for recent in numbered):
            break
    return numbered


def hide_past(
    public: Iterable[NumberedLine], recent: Sequence[NumberedLine], seat: int
) -> list[NumberedLine]:
    """A seat's last lines as its latecomer may read them, from everybody's and those of the seat so far.

    Private lines of before are left out, and show neither in the numbers nor in how many there are (G4.2).
    """
    start = max(
        (i for i, line in enumerate(recent) if line.line.key == TOOK_OVER and _seat_of(line.line) == seat),
        default=len(recent),
    )
    since = recent[start:]
    first = since[0].lines if since else None
    before = [line for line in public if first is None or line.lines < first]
    return [
        *(replace(line, own_lines=replace_at(line.own_lines, seat, 0)) for line in before),
        *since,
    ]


def merge_lines(
    public: Iterable[NumberedLine], recent: Iterable[NumberedLine], seat: Seat
) -> list[NumberedLine]:
    """The last public lines and the last lines of a seat, each once, oldest first."""
    private = (line for line in recent if line.line.to is not None)
    return sorted(
        (*public, *private),
        key=lambda line: (line.lines, 0 if line.line.to is None else line.own_lines[seat]),
    )


def _seat_of(line: LogLine) -> int:
    """The seat that a line is about."""
    seat = line.args["seat"]
    assert isinstance(seat, int)
    return seat


def for_audience(lines: Iterable[NumberedLine], seat: int | None) -> list[NumberedLine]:
    """The lines that an audience may read."""
    return [numbered for numbered in lines if _may_read(numbered.line, seat)]


def pack_lines(lines: Iterable[NumberedLine], seat: int | None) -> list[bytes]:
    """Lines as they are sent to an audience that may read them."""
    return [
        codec.encode_line(
            m.AudienceLine(
                numbered.lines + (0 if seat is None else numbered.own_lines[seat]),
                numbered.line.key,
                numbered.line.args,
                numbered.at,
                restricted=numbered.line.to is not None,
            )
        )
        for numbered in lines
    ]


def see_line(numbered: NumberedLine, seat: Seat) -> SeenLine:
    """A line as this seat's bot reads it: without the other seats that may read it too."""
    line = numbered.line
    to = None if line.to is None else frozenset({seat})
    return SeenLine(line.key, line.args, to, Millis(numbered.at))


def _may_read(line: LogLine, seat: int | None) -> bool:
    return line.to is None or (seat is not None and seat in line.to)


def hears(message: m.TalkMessage, seat: int | None) -> bool:
    """Whether an audience hears this: only its two seats hear a whisper."""
    return message.to is None or seat in (message.seat, message.to)
