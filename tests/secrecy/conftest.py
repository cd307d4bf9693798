"""Tables in lockstep need no time of their own."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from hub.runtime import registry
from hub.telemetry.tasks import Tasks


@pytest.fixture(autouse=True)
def lobby_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "SUMMARY_SECONDS", 0)


@pytest_asyncio.fixture
async def tasks() -> AsyncIterator[Tasks]:
    async with Tasks() as group:
        yield group
        assert group.failures == 0
