"""More connections than descriptors: the hub keeps its store, and answers this machine (G8.12)."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.harness.processes import HubProcess
from tests.hostile.live_hub import LiveHub, table

DESCRIPTORS = 200
"""The limit of this hub, of which half is for connections."""
STORE_READY = "bundled store ready"


def small_hub(folder: Path, soft: int, **settings: Any) -> HubProcess:
    """A hub whose hard limit on descriptors is small, and its soft limit smaller still."""
    hub = HubProcess(folder, **settings)
    hub.open_files = soft, DESCRIPTORS
    return hub


async def until_ready(http: httpx.AsyncClient) -> None:
    """Asks on new connections until the hub is ready; each of them gets an answer."""
    while (await http.get("/readyz", headers={"connection": "close"})).status_code != 200:
        pass


def store_of(hub: HubProcess) -> int:
    """The process id of a hub's bundled store."""
    children = Path(f"/proc/{hub.pid}/task/{hub.pid}/children").read_text().split()
    (store,) = (int(pid) for pid in children if "valkey" in Path(f"/proc/{pid}/comm").read_text())
    return store


@pytest.mark.asyncio
async def test_a_flood_of_connections_leaves_the_store_its_descriptors(tmp_path: Path) -> None:
    """G8.12: the store dies while every connection is in use, and comes back; so does everybody else."""
    with small_hub(tmp_path, soft=100) as hub:
        live_hub = LiveHub(hub.url, hub.pid, tmp_path)
        lines = [await asyncio.open_connection("127.0.0.1", live_hub.port) for _ in range(2 * DESCRIPTORS)]
        try:
            async with live_hub.http() as http:
                full = await http.get("/api/games", headers={"connection": "close"})
                assert (full.status_code, full.json()["code"]) == (503, "HUB_FULL")
                assert full.headers["retry-after"] == "10"
                await until_ready(http)
                assert len(os.listdir(f"/proc/{hub.pid}/fd")) < DESCRIPTORS - 30
                os.kill(store_of(hub), signal.SIGKILL)
                while sum(STORE_READY in line for line in hub.lines) < 2:
                    assert (await http.get("/healthz", headers={"connection": "close"})).status_code == 200
                await until_ready(http)
        finally:
            for _, writer in lines:
                writer.transport.abort()
                with suppress(ConnectionError):
                    await writer.wait_closed()
        async with live_hub.http() as http:
            while (await http.get("/api/games")).status_code != 200:
                pass
            sitting = await table(live_hub, http)
            for socket in sitting.sockets:
                assert "code" not in await socket.command("say", channel="table", text="all is well")
            await sitting.leave()
        assert hub.stop() == 0
        assert not [line for line in hub.lines if "Traceback" in line or "failed" in line]


def test_the_soft_limit_is_raised(tmp_path: Path) -> None:
    with small_hub(tmp_path, soft=100) as hub:
        limits = Path(f"/proc/{hub.pid}/limits").read_text().splitlines()
        (files,) = (line.split() for line in limits if line.startswith("Max open files"))
        assert files[3:5] == [str(DESCRIPTORS), str(DESCRIPTORS)]
        (logged,) = (line for line in hub.lines if '"descriptors"' in line)
        assert f'"limit": {DESCRIPTORS}' in logged
        assert f'"connections": {DESCRIPTORS // 2}' in logged


def test_more_connections_than_descriptors_are_refused_at_start(tmp_path: Path) -> None:
    hub = small_hub(tmp_path, soft=100, connections="101")
    hub.launch()
    assert hub.wait() == 2
    assert "set PARLEY_CONNECTIONS to at most 100." in hub.lines[-1]
