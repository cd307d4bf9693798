"""Changes to the table itself, with the lines that the hub logs about them."""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import replace

from games.api import Argument, LogLine, Millis
from hub.table import room as rooms
from hub.table.room import Change, Logged, Room, count_lines

TOOK_OVER: Final = "table.took_over"
"""The line about a latecomer: older private lines of its seat are not for them (hub/table/log.py)."""

TEXTS = frozenset(
    f"table.{key}"
    for key in (
        "sat_down",
        "stood_up",
        "seat_freed",
        "bot_added",
        "bot_removed",
        "swapped",
        "started",
        "silent",
        "paused",
        "paused_empty",
        "paused_fault",
        "resumed",
        "removed",
        "left",
        "stands_in",
        "handed_to_bot",
        "took_back",
        "new_host",
        "locked",
        "unlocked",
        "watching_closed",
        "watching_open",
        "watch_delay",
        "watchers_heard",
        "watchers_unheard",
        "admission_on",
        "admission_off",
        "watcher_removed",
        "took_over",
        "latecomers_on",
        "latecomers_off",
        "vote_called",
        "vote_passed",
        "vote_failed",
        "vote_lapsed",
        "paused_vote",
        "voted_out",
        "abandoned",
        "deserted",
        "skipped",
    )
)
"""Text keys of the lines that the hub itself logs about a table."""


def change_table(room: Room, at: Millis, *lines: LogLine, **table: Any) -> Change:
    """A change to the table only, with public lines."""
    before = room.counts
    counts = count_lines(before, lines, before.draws, before.entries, before.sessions)
    return Change(
        replace(room, table=replace(room.table, **table) if table else room.table, counts=counts),
        (Logged(None, lines, at),) if lines else (),
    )


def abandon(room: Room, at: Millis, *lines: LogLine) -> Change:
    """Ends the game without a result: nobody wins, and its seed and its log are shown as after any game.

    Open promises lapse with it (R30). No line says so: whoever abandons a game knows, and the table says it.
    """
    assert room.position is not None
    promises = tuple(
        promise if promise.judgement is not None else replace(promise, judgement="lapsed")
        for promise in room.promises
    )
    room = replace(room, position=rooms.abandon(room.position), promises=promises)
    change = change_table(room, at, *lines, status="finished", paused_for=None, abandoned=True)
    return replace(change, affected_seats=None)


def table_line(key: str, **args: Argument) -> LogLine:
    """A public line; its text key is `table.<key>`."""
    return LogLine(f"table.{key}", args, None)
