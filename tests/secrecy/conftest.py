"""The tasks of a hub under test, none of which may fail."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest_asyncio

from hub.telemetry.tasks import Tasks


@pytest_asyncio.fixture
async def tasks() -> AsyncIterator[Tasks]:
    async with Tasks() as group:
        yield group
        assert group.failures == 0
