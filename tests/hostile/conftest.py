"""A real hub for hostile clients, and the checks it must pass afterwards, whatever they did."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.harness.processes import HubProcess
from tests.hostile.live_hub import LiveHub

DEFECTS = (
    "Traceback",
    "exception",
    "failed",
    "Invalid HTTP",
    "too large",
    '"level": "error"',
    '"level": "critical"',
)
PERSONAL = re.compile(r"127\.0\.0\.1|/ws/|\"room\": \"(?!#)")
"""A client's address, or a room's id: neither is logged (L1)."""


@pytest.fixture(scope="module")
def live_hub(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[LiveHub]:
    """One hub for all tests in a file: it must still be healthy afterwards, with nothing to report (G8.1).

    A file may have `SETTINGS` for it.
    """
    settings: dict[str, Any] = getattr(request.module, "SETTINGS", {})
    with HubProcess(tmp_path_factory.mktemp("hub"), log_level="debug", **settings) as hub:
        yield LiveHub(hub.url, hub.pid, Path(hub.environment["PARLEY_DATA"]))
        assert hub.stop() == 0
        assert [line for line in hub.lines if any(defect in line for defect in DEFECTS)] == []
        assert [line for line in hub.lines if PERSONAL.search(line) and "ready" not in line] == []
