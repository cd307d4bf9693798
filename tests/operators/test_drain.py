"""`parley drain`, a second signal, and a roll to another build, on real hubs (R8, R34)."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import tempfile
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from games import GAMES
from hub import cli
from hub.config import Exit
from hub.store.store import Store
from tests.conftest import BUNDLED
from tests.harness.fault_proxy import Fault, FaultProxy
from tests.harness.plain_http import plain_http
from tests.harness.players import PATIENCE, Table, at_hub
from tests.harness.processes import HubProcess, StoreProcess, free_port
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
            assert (drained.exit_code, drained.stdout) == (
                0,
                f"drained: {hub.url}, tables that left: 1\n",
            )
            assert "no other hub is ready: tables stand still until one starts" in drained.stderr
            again = await asyncio.to_thread(CliRunner().invoke, cli.app, ["drain", "--hub", hub.url])
            assert (again.exit_code, again.stdout) == (0, f"already drained: {hub.url}\n")
            assert [await player.gone() for player in table.players] == [4001] * len(table.players)
            async with plain_http(hub.url) as http:
                assert (await http.get("/healthz")).status_code == 200
                assert (await http.get("/readyz")).json()["code"] == "DRAINING"
        assert await asyncio.to_thread(hub.stop) == 0
        logged = [json.loads(line) for line in hub.lines if line.startswith("{")]
        said = {entry["event"]: entry for entry in logged}
        assert said["hub started"]["port"] == int(hub.url.rpartition(":")[2])
        assert said["hub started"]["hub"] == said["draining"]["hub"] == said["drained"]["hub"]
        assert (said["draining"]["tables"], said["drained"]["tables"]) == (1, 1)


async def test_a_drained_hub_is_named(
    store: StoreProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Behind a proxy, all hubs have the same public URL."""
    monkeypatch.setenv("PARLEY_ADMIN_TOKEN", ADMIN_TOKEN)
    settings: dict[str, Any] = {"redis_url": store.url, "secret": SECRET, "admin_token": ADMIN_TOKEN}
    port = free_port()
    own = f"http://127.0.0.1:{port}"
    public_url = "https://play.example.org"
    with HubProcess(tmp_path, port=port, hub_label="a", public_url=public_url, **settings):
        drained = await asyncio.to_thread(CliRunner().invoke, cli.app, ["drain", "--hub", own])
        assert drained.stdout == f"drained: hub a at {own}, tables that left: 0\n"
        audit = await asyncio.to_thread(CliRunner().invoke, cli.app, ["admin", "audit", "--hub", own])
        assert f" drain hub a at {own}" in audit.stdout


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


async def test_a_hub_ends_although_the_store_stalls(store: StoreProcess, tmp_path: Path) -> None:
    """R8: a call to a Cluster may take 20 seconds. A supervisor would kill the hub before that."""
    async with FaultProxy(store.socket, folder=store.socket.parent) as proxy:
        hub = HubProcess(tmp_path, redis_url=proxy.url, secret=SECRET)
        await asyncio.to_thread(hub.start)
        try:
            proxy.plan(Fault.HOLD_COMMAND, command="UNLINK")
            assert await asyncio.to_thread(hub.stop) == 0
        finally:
            hub.__exit__(None, None, None)
        assert proxy.happenings(Fault.HOLD_COMMAND) == 1
        logged = [json.loads(line) for line in hub.lines if line.startswith("{")]
        reasons = {entry["event"]: entry.get("reason") for entry in logged}
        assert reasons["the store was not told that this hub is leaving"] == "no answer in time"


async def test_a_roll_to_newer_rules(store: StoreProcess, tmp_path: Path) -> None:
    """R34, V10: one game goes on; another ends, its people are told, and `parley verify` reads its record."""
    settings: dict[str, Any] = {"redis_url": store.url, "secret": SECRET}
    old, new = (HubProcess(tmp_path / name, **settings) for name in ("old", "new"))
    new.command[2] = "tests.harness.other_build"
    async with AsyncExitStack() as tables:
        with new:
            with old:
                going_on = await tables.enter_async_context(await Table.made(old.url, options=TALKING))
                ending = await tables.enter_async_context(await Table.made(old.url, game="subdivision"))
                for table in (going_on, ending):
                    await table.start()
                await going_on.players[0].move("plan:1", "propose", bids=[1, 2, 3])
                assert await asyncio.to_thread(old.stop) == 0
                await forget_hubs(store)
            for player in (*going_on.players, *ending.players):
                player.address = at_hub(player.address, new.url)
            await going_on.back()
            await going_on.players[1].move("plan:1", "propose", bids=[3, 2, 1])
            async with plain_http(new.url) as http:
                assert (await http.get(f"/api/rooms/{ending.room}")).status_code == 200
            for player in ending.players:
                assert await player.await_refusal() == 4018  # it has to learn that it is the last hub
                assert player.heard[-1]["code"] == "GAME_ENDED"
            bearer = {"authorization": f"Bearer {ending.players[0].token}"}
            async with plain_http(new.url, headers=bearer) as http:
                assert (await http.get(f"/api/rooms/{ending.room}")).json()["code"] == "GAME_ENDED"
                record = await http.get(f"/api/rooms/{ending.room}/record")
    file = tmp_path / "game.parley.jsonl"
    file.write_bytes(record.content)
    verified = CliRunner().invoke(cli.app, ["verify", str(file)])
    assert verified.exit_code == Exit.SIGNED_ONLY, verified.stderr
    version = GAMES["subdivision"].game.version
    assert f"Not recomputed: entries 1 to 1, which version {version} of the rules played." in verified.stdout


async def forget_hubs(store: StoreProcess) -> None:
    """Have the hubs that have left be gone for more than a minute."""
    reader = await Store.open(store.url, forget_days=1)
    try:
        registered, descriptions = reader.keys.fleet()
        living = {hub.identity.incarnation for hub in await reader.list_registered()}
        for name in set(await reader.list_descriptions()) - living:
            await reader.call("ZREM", registered, name)
            await reader.call("HDEL", descriptions, name)
    finally:
        await reader.close()


async def until_draining(hub: HubProcess) -> None:
    async with asyncio.timeout(PATIENCE), plain_http(hub.url) as http:
        while (await http.get("/readyz")).json().get("code") != "DRAINING":
            pass
