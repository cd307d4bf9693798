"""Receiving reports: checks the sender, and adds the messages that they have heard."""

from __future__ import annotations

from typing import Final

from hub.clock import Clock
from hub.runtime.actor import Actor
from hub.runtime.placement import Complaint, RefusedPlace, TooManyReports
from hub.store.reports import MAX_REPORT_LINES, Report, ReportedPerson, new_report_id
from hub.table import seating
from hub.table.admission import is_at_table
from hub.telemetry.metrics import Metrics
from hub.wire.limits import Limiter
from hub.wire.tickets import Person

TABLE_REPORTS: Final = 20
"""Reports per hour about one table."""
HOUR: Final = 3600


class ReportDesk:
    """Turns complaints into reports, at most `TABLE_REPORTS` an hour for each table."""

    def __init__(self, clock: Clock, metrics: Metrics) -> None:
        self._clock = clock
        self._metrics = metrics
        self._tables = Limiter(rate=TABLE_REPORTS / HOUR, burst=TABLE_REPORTS)

    def report(self, actor: Actor, sender: Person, complaint: Complaint, at: int) -> Report | RefusedPlace:
        """The report, with the last messages that its sender heard. Raises TooManyReports.

        Only people at the table may send one, and people whom the host has removed (without any messages).
        `at`: seconds since 1970.
        """
        table = actor.find_table(sender.id)
        seated = seating.seat_of(table, sender.id)
        at_table = is_at_table(table, sender.id) or actor.is_watching(sender.id)
        if not at_table and sender.id not in actor.room.table.barred:
            return RefusedPlace("NOT_AT_TABLE", "only people at this table can report what happens here")
        about = None
        if complaint.seat is not None:
            state = table.seats[complaint.seat] if complaint.seat < len(table.seats) else None
            if state is None or state.name is None or state.bot is not None:
                return RefusedPlace("NO_SUCH_SEAT", "nobody sits there who could be reported")
            about = ReportedPerson(state.person, seating.name_of(table, complaint.seat), complaint.seat)
        elif complaint.watcher is not None:
            about = ReportedPerson(actor.find_watcher(complaint.watcher), complaint.watcher)
        wait = self._tables.wait_for(table.room, self._clock.time())
        if wait:
            self._metrics.limited["table reports"] += 1
            raise TooManyReports(wait)
        return Report(
            id=new_report_id(),
            at=at,
            room=table.room,
            code=table.code,
            reporter=sender.id,
            reporter_name=sender.name if seated is None else seating.name_of(table, seated),
            reason=complaint.reason,
            text=complaint.text,
            about=about,
            lines=actor.list_heard(sender.id, MAX_REPORT_LINES) if at_table else (),
        )
