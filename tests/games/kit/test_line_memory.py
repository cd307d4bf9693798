"""What bots remember of the log: no private line makes a bot forget a public one (G4)."""

from __future__ import annotations

import random

import pytest

from games.api import MAX_LINES_SEEN, LogLine, Millis, Seat, SeenLine
from games.kit.remarks import LineMemory
from hub.table import log
from hub.table.log import NumberedLine

SEAT = Seat(1)


def seen(number: int, *, private: bool) -> SeenLine:
    return SeenLine(f"line {number}", {}, frozenset({SEAT}) if private else None, Millis(number))


def test_private_lines_leave_the_public_ones() -> None:
    memory = LineMemory(seen(number, private=number >= 100) for number in range(1_000))
    lines = memory.list_lines()
    assert [line.at for line in lines] == [*range(100), *range(1_000 - MAX_LINES_SEEN, 1_000)]
    memory.add(seen(1_000, private=False))
    assert memory.list_lines()[-1].at == 1_000


def test_public_lines_push_out_older_private_ones() -> None:
    memory = LineMemory(seen(number, private=number < 100) for number in range(1_000))
    assert [line.at for line in memory.list_lines()] == [*range(1_000 - MAX_LINES_SEEN, 1_000)]


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.99])
def test_a_memory_made_from_the_last_lines_is_the_one_that_grew(share: float) -> None:
    """As after a restart: from the last public lines and the last of the seat."""
    chance = random.Random(f"lines {share}")
    grown = LineMemory()
    public, own, numbered = 0, 0, []
    for at in range(1_500):
        is_private = chance.random() < share
        public, own = public + (not is_private), own + is_private
        line = LogLine(f"line {at}", {}, frozenset({SEAT, Seat(0)}) if is_private else None)
        numbered.append(NumberedLine(line, at, public, (0, own)))
        grown.add(log.see_line(numbered[-1], SEAT))
    last_public = [line for line in numbered if line.line.to is None][-MAX_LINES_SEEN:]
    merged = log.merge_lines(last_public, numbered[-MAX_LINES_SEEN:], SEAT)
    assert LineMemory(log.see_line(line, SEAT) for line in merged).list_lines() == grown.list_lines()
