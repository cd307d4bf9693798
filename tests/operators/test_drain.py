"""`parley drain`, and a second signal, on real hubs (R8)."""

from __future__ import annotations

import asyncio
import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from hub import cli
from tests.conftest import BUNDLED
from tests.harness.players import Table, at_hub
from tests.harness.processes import HubProcess, StoreProcess
from tests.operators.conftest import ADMIN_TOKEN, SECRET

pytestmark = pytest.mark.asyncio

TALKING = {"discussion": "untilReady"}


@pytest.fixture
def store() -> Iterator[StoreProcess]:
    with (
        tempfile.TemporaryDirectory(prefix="parley-") as folder,
        StoreProcess(BUNDLED, Path(folder)) as process,
    ):
        yield process


async def test_the_command_waits_until_the_tables_have_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R8, H9, O6: the hub is alive but not ready; SIGTERM then ends it."""
    monkeypatch.setenv("PARLEY_ADMIN_TOKEN", ADMIN_TOKEN)
    with HubProcess(tmp_path, admin_token=ADMIN_TOKEN) as hub:
        async with await Table.made(hub.url, options=TALKING) as table:
            await table.start()
            drained = await asyncio.to_thread(CliRunner().invoke, cli.app, ["drain", "--hub", hub.url])
            assert (drained.exit_code, drained.stdout) == (0, f"drained: {hub.url}\n")
            assert [await player.gone() for player in table.players] == [4001] * len(table.players)
            async with httpx.AsyncClient(base_url=hub.url, trust_env=False) as http:
                assert (await http.get("/healthz")).status_code == 200
                assert (await http.get("/readyz")).json()["code"] == "DRAINING"
        assert await asyncio.to_thread(hub.stop) == 0


async def test_a_second_signal_ends_at_once(store: StoreProcess, tmp_path: Path) -> None:
    """R8, G6.1: the store does not answer, so the drain would wait; nothing acknowledged is lost."""
    settings: dict[str, Any] = {"redis_url": store.url, "secret": SECRET}
    with HubProcess(tmp_path / "one", **settings) as hub:
        async with await Table.made(hub.url, options=TALKING) as table:
            await table.start()
            for player in table.players:
                await player.do("note", text=f"note of {player.name}")
            store.freeze()
            await table.players[0].send("note", text="sent last")
            os.kill(hub.pid, signal.SIGTERM)
            await until_draining(hub)
            os.kill(hub.pid, signal.SIGTERM)
            assert await asyncio.to_thread(hub.wait) == 0
            store.thaw()
            with HubProcess(tmp_path / "two", **settings) as other:
                for player in table.players:
                    player.address = at_hub(player.address, other.url)
                await table.back()
                notes = [player.knows.sections["note"]["text"] for player in table.players]
                assert notes == ["sent last", *(f"note of {player.name}" for player in table.players[1:])]


async def until_draining(hub: HubProcess) -> None:
    async with httpx.AsyncClient(base_url=hub.url, trust_env=False) as http:
        while (await http.get("/readyz")).json().get("code") != "DRAINING":
            pass
