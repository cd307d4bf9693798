"""Two hubs on one store, to test that decisions at one apply at the other."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from tests.conftest import BUNDLED
from tests.harness.processes import HubProcess, StoreProcess
from tests.hostile.live_hub import LiveHub

SECRET: Final = "s" * 32
ADMIN_TOKEN: Final = "the-operators-own-token"
BEARER: Final = {"authorization": f"Bearer {ADMIN_TOKEN}"}
DEFECTS: Final = ("Traceback", "exception", "failed", '"level": "error"', '"level": "critical"')


class Fleet(NamedTuple):
    """Two hubs, and their store's address."""

    one: LiveHub
    two: LiveHub
    store: str


@pytest.fixture(scope="module")
def fleet() -> Iterator[Fleet]:
    """Two hubs for all tests of a file, with nothing to report afterwards."""
    with tempfile.TemporaryDirectory(prefix="parley-") as name:
        folder = Path(name)
        with StoreProcess(BUNDLED, folder) as store:
            settings: dict[str, Any] = {"redis_url": store.url, "secret": SECRET, "log_level": "debug"}
            settings["admin_token"] = ADMIN_TOKEN
            hubs = [HubProcess(folder / f"hub{i}", **settings) for i in range(2)]
            with hubs[0], hubs[1]:
                one, two = (LiveHub(hub.url, hub.pid, Path(hub.environment["PARLEY_DATA"])) for hub in hubs)
                yield Fleet(one, two, store.url)
                for hub in hubs:
                    assert hub.stop() == 0
                    assert [line for line in hub.lines if any(defect in line for defect in DEFECTS)] == []
