"""Reports about one table are limited (G8)."""

from __future__ import annotations

import pytest

from games import GAMES
from games.almost.rules.game import ALMOST
from hub.runtime.placement import Complaint, TooManyReports
from hub.runtime.reporting import HOUR, TABLE_REPORTS
from hub.store.reports import Report
from hub.telemetry.tasks import Tasks
from tests.runtime.test_registry import Hub
from tests.secrecy.pair import ROOM, new_table


@pytest.mark.asyncio
async def test_reports_about_a_table_are_limited() -> None:
    """Whoever sends them, they are refused and counted until the table may be reported again."""
    async with Tasks() as tasks:
        hub = Hub(GAMES, tasks)
        await hub.put(new_table(ALMOST, 3, {}))
        for number in range(TABLE_REPORTS):
            sender = hub.person(number % 3)
            assert isinstance(await hub.rooms.report(ROOM, sender, Complaint("spam"), 0), Report)
        with pytest.raises(TooManyReports) as refused:
            await hub.rooms.report(ROOM, hub.person(0), Complaint("spam"), 0)
        assert refused.value.wait == HOUR / TABLE_REPORTS
        assert hub.metrics.limited == {"table reports": 1}
        hub.advance(round(refused.value.wait * 1000))
        assert isinstance(await hub.rooms.report(ROOM, hub.person(0), Complaint("spam"), 0), Report)
