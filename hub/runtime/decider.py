"""Adds decisions to a batch: first the effects of time, then each command's (hub/table/commands.py).

If the rules raise because of a bug, the command is refused or the table is paused; the exception never
reaches the actor.
"""

from __future__ import annotations

from collections.abc import Sequence

import structlog

from games.api import Millis, Refusal, Seat
from hub.runtime.batch import Batch
from hub.runtime.deadlines import Deadlines
from hub.runtime.log_shares import LogShares
from hub.runtime.ports import Responder
from hub.runtime.table_clock import TableClock
from hub.runtime.talk_budgets import TalkBudgets
from hub.table import actions
from hub.table.commands import CLIENT_COMMANDS, Command, decide, expire
from hub.table.room import Change, Rules, next_end
from hub.table.voting import settle
from hub.telemetry.metrics import Metrics

_log = structlog.get_logger("decider")


class Decider:
    """Decides what one room's commands do. The table clock follows its decisions."""

    __slots__ = (
        "_deadlines",
        "_levels",
        "_log_shares",
        "_metrics",
        "_rules",
        "_table_clock",
        "_talk_budgets",
    )

    def __init__(
        self,
        rules: Rules,
        levels: Sequence[str],
        table_clock: TableClock,
        deadlines: Deadlines,
        talk_budgets: TalkBudgets,
        log_shares: LogShares,
        metrics: Metrics,
    ) -> None:
        self._rules = rules
        self._levels = levels
        self._table_clock = table_clock
        self._deadlines = deadlines
        self._talk_budgets = talk_budgets
        self._log_shares = log_shares
        self._metrics = metrics

    def add_decision(
        self, batch: Batch, at: Millis, live: int, seat: Seat | None, command: Command, responder: Responder
    ) -> None:
        """Adds the effect of a command, and the answer for its responder.

        `at` and `live` are table time and the live clock when it was received.
        """
        self.add_expiries(batch, at)
        try:
            absent = self._deadlines.disconnected
            result = decide(batch.room, command, at, seat, self._rules, self._levels, absent)
        except Exception:  # noqa: BLE001 - a bug in the rules must not bring the hub down
            _log.exception("a command failed", room=batch.room.table.room, seat=seat)
            result = Refusal("BROKEN", "GEN-3")
        if seat is not None and isinstance(result, Change):
            if result.logged:
                result = self._log_shares.count(seat, command, live) or result
            elif result.talk:
                person = batch.room.table.seats[seat].person or ""
                whisper = result.talk[0].to is not None
                result = self._talk_budgets.count_seat(person, live, whisper=whisper) or result
        n = command.n if isinstance(command, CLIENT_COMMANDS) else 0
        if isinstance(result, Refusal):
            batch.answers.append((responder, n, result))
            return
        if result.repeated:
            self._metrics.repeated += 1
        batch.answers.append((responder, n or result.session, None))
        self._add(batch, result, at)

    def add_expiries(self, batch: Batch, at: Millis) -> None:
        """Adds the effects of time alone up to `at`."""
        absences = self._deadlines.absences
        while (end := next_end(batch.room)) <= at or absences:
            if end <= at:
                self._metrics.windows_closed += 1
                self._metrics.window_seconds_late.add((self._table_clock.read() - end) / 1000)
            try:
                change = expire(batch.room, at, absences, self._rules)
            except Exception:  # noqa: BLE001 - a bug in the rules must not bring the hub down
                _log.exception("rules failed at a window's end", room=batch.room.table.room)
                self.add_pause(batch, "fault", at)
                return
            if change is None:
                return
            self._add(batch, change, at)

    def add_pause(self, batch: Batch, reason: str, at: Millis) -> None:
        """Adds a pause, unless the table is not running."""
        change = actions.pause(batch.room, reason, at)
        if isinstance(change, Change):
            self._add(batch, change, at)

    def _add(self, batch: Batch, change: Change, at: Millis) -> None:
        table = batch.room.table
        batch.add(change)
        if batch.room.table is not table:
            self._table_clock.follow(batch.room.table.status, at)
            if batch.room.table.vote is not None:
                settled = settle(batch.room, at, self._deadlines.list_absent(batch.room.table.vote))
                if settled is not None:
                    self._add(batch, settled, at)
