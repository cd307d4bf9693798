"""A hub that is told to stop while its store is away still exits cleanly."""

from __future__ import annotations

from pathlib import Path

from hub.config import Exit
from tests.harness.processes import HubProcess, StoreProcess

SECRET = "0123456789abcdef" * 2


def test_sigterm_while_the_store_is_away(own_store: StoreProcess, tmp_path: Path) -> None:
    with HubProcess(tmp_path, redis_url=own_store.url, secret=SECRET) as hub:
        own_store.kill()
        assert hub.stop() == Exit.OK
        assert "Traceback" not in "".join(hub.lines)
        assert "defect" not in "".join(hub.lines)
