"""The clock of one table (G5)."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

from games.api import Millis
from hub.runtime.ports import LiveClock
from hub.runtime.table_clock import TableClock


def test_the_end_of_a_game_takes_back_no_time() -> None:
    """G5.4: whenever what ended it was received."""
    live = SimpleNamespace(now=0)
    clock = TableClock(Millis(5000), "running", cast(LiveClock, SimpleNamespace(now_live=lambda: live.now)))
    live.now = 3000
    clock.follow("finished", Millis(6000))
    live.now = 4000
    assert clock.read() == clock.read_shown() == 8000
