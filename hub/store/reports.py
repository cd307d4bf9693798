"""Reports from people at tables to the operators, each with the last messages that its sender heard.

hub/runtime/reporting.py builds a `Report` (id: `new_report_id()`); the operator's page reads it and closes it
with `handle`. A report is kept for PARLEY_FORGET_DAYS. There are at most `MAX_REPORTS`; the oldest are
dropped first.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from hub.store.ledger import Ledger
from hub.store.store import Store
from hub.wire.messages import TalkMessage

MAX_REPORTS: Final = 1000
MAX_REPORT_LINES: Final = 40
MAX_REPORT_TEXT: Final = 500

ReportReason: TypeAlias = Literal["insults", "harassment", "spam", "cheating", "name", "other"]


class ReportedPerson(Struct, frozen=True):
    """The person a report is about; `seat` is None for a watcher, whose id may be unknown."""

    person: str | None
    name: str
    seat: int | None = None


class HandledReport(Struct, frozen=True):
    """The closing of a report by an operator at `at` (seconds since 1970); `note` gives the outcome."""

    at: int
    note: str = ""


class Report(Struct, frozen=True):
    """One report. `at` is in seconds since 1970, `room` a room's id, `reporter` a person's id."""

    id: str
    at: int
    room: str
    code: str
    reporter: str
    reporter_name: str
    reason: ReportReason
    text: Annotated[str, Meta(max_length=MAX_REPORT_TEXT)] = ""
    about: ReportedPerson | None = None
    lines: Annotated[tuple[TalkMessage, ...], Meta(max_length=MAX_REPORT_LINES)] = ()
    """The last messages that the reporter heard, oldest first."""
    handled: HandledReport | None = None


def new_report_id() -> str:
    """A random id in hexadecimal: `parley admin report` would read a leading hyphen as an option."""
    return secrets.token_hex(6)


class Reports:
    """The reports in the store. Every method may raise StoreUnavailable."""

    def __init__(self, store: Store, days: int) -> None:
        self._ledger = Ledger(store, "reports", Report, most=MAX_REPORTS, days=days)

    async def add(self, report: Report) -> None:
        await self._ledger.add(report)

    async def reports(self, start: int = 0, count: int = 100) -> Sequence[Report]:
        """Reports from number `start` on, newest first."""
        return await self._ledger.entries(start, count)

    async def report(self, id: str) -> Report | None:
        return await self._ledger.entry(id)

    async def handle(self, id: str, at: int, note: str = "") -> Report | None:
        """Closes a report and returns it; None if there is none with this id."""
        report = await self._ledger.entry(id)
        if report is None:
            return None
        closed = replace(report, handled=HandledReport(at, note))
        return closed if await self._ledger.replace(closed) else None

    async def remove(self, id: str) -> bool:
        """Removes a report for good; returns False if there is none with this id."""
        return await self._ledger.remove(id)
