"""Reports and the audit log: limited in number and age, newest first."""

from __future__ import annotations

import re

import pytest

from hub.store.audit import AuditLog
from hub.store.ledger import DAY_SECONDS, Ledger
from hub.store.reports import HandledReport, Report, ReportedPerson, Reports, new_report_id
from hub.wire.messages import TalkMessage
from tests.harness.defaults import DEFAULTS
from tests.harness.processes import StoreProcess
from tests.store.contents import raw_client
from tests.store.opening import opened

pytestmark = pytest.mark.asyncio

AT = 1_800_000_000
TALK = TalkMessage(channel="table", name="Bea", at=5, seat=1, text="ugly words")


def report(id: str, at: int = AT) -> Report:
    return Report(
        id=id,
        at=at,
        room="room",
        code="BCDFGH",
        reporter="p-ann",
        reporter_name="Ann",
        reason="insults",
        text="please look",
        about=ReportedPerson("p-bea", "Bea", 1),
        lines=(TALK,),
    )


async def test_reports_come_back_newest_first(store_process: StoreProcess, prefix: str) -> None:
    async with opened(store_process, prefix) as (store, _):
        reports = Reports(store, DEFAULTS.forget_days)
        for i in range(3):
            await reports.add(report(f"r{i}", AT + i))
        assert [entry.id for entry in await reports.reports()] == ["r2", "r1", "r0"]
        assert [entry.id for entry in await reports.reports(1, 1)] == ["r1"]
        assert await reports.report("r1") == report("r1", AT + 1)
        assert await reports.report("r9") is None


async def test_a_report_is_closed_or_removed(store_process: StoreProcess, prefix: str) -> None:
    async with opened(store_process, prefix) as (store, _):
        reports = Reports(store, DEFAULTS.forget_days)
        await reports.add(report("r0"))
        closed = await reports.handle("r0", AT + 60, "banned for a week")
        assert closed is not None
        assert closed.handled == HandledReport(AT + 60, "banned for a week")
        assert await reports.report("r0") == closed
        assert await reports.handle("r9", AT) is None
        assert await reports.remove("r0")
        assert not await reports.remove("r0")
        assert list(await reports.reports()) == []


async def test_the_oldest_go_first_and_nothing_of_them_remains(
    store_process: StoreProcess, prefix: str
) -> None:
    async with opened(store_process, prefix) as (store, _), raw_client(store_process) as raw:
        ledger = Ledger(store, "few", Report, most=3, days=2)
        for i in range(5):
            await ledger.add(report(f"r{i}", AT + i))
        assert [entry.id for entry in await ledger.entries()] == ["r4", "r3", "r2"]
        assert await raw.hlen(f"{prefix}{{few}}:entries") == await ledger.count() == 3

        await ledger.add(report("late", AT + 3 + 2 * DAY_SECONDS))
        assert [entry.id for entry in await ledger.entries()] == ["late", "r4", "r3"]
        assert await raw.hlen(f"{prefix}{{few}}:entries") == 3
        for key in ("times", "entries"):
            assert 0 < await raw.ttl(f"{prefix}{{few}}:{key}") <= 2 * DAY_SECONDS


async def test_the_audit_log_says_who_did_what(store_process: StoreProcess, prefix: str) -> None:
    async with opened(store_process, prefix) as (store, _):
        audit = AuditLog(store)
        await audit.add(AT, "203.0.113.7", "ban", "p-bea", "7 days: insults")
        await audit.add(AT + 1, None, "drain", "")
        first, second = await audit.entries()
        assert (first.action, first.network) == ("drain", None)
        assert (second.who, second.network, second.action, second.target, second.detail) == (
            *("admin", "203.0.113.7", "ban", "p-bea"),
            "7 days: insults",
        )


async def test_a_report_can_be_named_on_a_command_line() -> None:
    """Any of them: one in 64 began with a hyphen, like an option."""
    assert all(re.fullmatch("[0-9a-f]{12}", new_report_id()) for _ in range(500))
