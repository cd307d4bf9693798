"""The worker process for slow bots, in a real hub: whatever happens to the worker, play continues.

Each decision is held at a gate until the test opens it (`tests.harness.gate`), so anything the hub does in
the meantime shows that it does not wait for the bot.
"""

from __future__ import annotations

import asyncio
import os
import select
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import pytest
import pytest_asyncio

from tests.harness.gate import GATE, SECONDS, Gate
from tests.harness.plain_http import plain_http
from tests.harness.players import Player
from tests.harness.processes import HubProcess, free_port

pytestmark = pytest.mark.asyncio

TRIES: Final = 2
"""The number of workers that may die on one decision."""


class BotTable:
    """A hub with a table of hard bots whose host only watches, and the gate before their decisions."""

    def __init__(self, folder: Path, gate: Gate) -> None:
        self.gate = gate
        self.hub = HubProcess(folder / "data", port=free_port())
        self.hub.command[self.hub.command.index("hub")] = "tests.harness.gated_hub"
        self.hub.environment[GATE] = gate.path
        self.host: Player

    async def begin(self) -> None:
        await asyncio.to_thread(self.hub.start)
        async with plain_http(self.hub.url) as http:
            person = (await http.post("/api/people", json={"name": "Ann", "colour": 0})).json()
            wanted = {"game": "sucker", "seats": 4, "play_now": True, "bots": "hard"}
            bearer = {"authorization": f"Bearer {person['token']}"}
            place = (await http.post("/api/rooms", headers=bearer, json=wanted)).json()
        self.host = Player("Ann", person["token"], place)
        await self.host.resume()
        await self.host.do("manage", act={"do": "stand_in"})

    @property
    def stage(self) -> int:
        """The number of phases so far."""
        number: int = self.host.knows.sections["stage"]["number"]
        return number

    async def continue_play(self, before: int) -> None:
        """Let all bots decide, and wait until play continues."""
        self.gate.open()
        async with asyncio.timeout(SECONDS):
            await self.host.until(lambda: self.stage > before)

    async def end(self) -> None:
        await self.host.drop()
        if self.hub._process is not None:
            await asyncio.to_thread(self.hub.kill)


@pytest_asyncio.fixture
async def bot_table(folder: Path) -> AsyncIterator[BotTable]:
    async with Gate(folder) as gate:
        bot_table = BotTable(folder, gate)
        await bot_table.begin()
        try:
            yield bot_table
        finally:
            await bot_table.end()


async def test_play_continues_while_a_bot_thinks_and_after_its_worker_is_killed(bot_table: BotTable) -> None:
    """G8: a decision lost with the worker is made again; after two losses the hub makes it itself."""
    thought = await bot_table.gate.thought()
    assert thought.pid != bot_table.hub.pid
    await bot_table.host.ping()
    before = bot_table.stage
    await bot_table.host.do("say", channel="table", text="no hurry")
    await bot_table.host.ping()
    assert bot_table.stage == before
    thought.release()
    await bot_table.continue_play(before)

    workers = [thought.pid]
    for _ in range(TRIES):
        thought = await bot_table.gate.thought()
        workers.append(thought.pid)
        os.kill(thought.pid, signal.SIGKILL)
    assert workers[0] == workers[1] != workers[2] != bot_table.hub.pid
    thought = await bot_table.gate.thought()
    assert thought.pid == bot_table.hub.pid
    thought.release()
    thought = await bot_table.gate.thought()
    assert thought.pid not in (*workers, bot_table.hub.pid)
    await bot_table.host.ping()
    before = bot_table.stage
    thought.release()
    await bot_table.continue_play(before)


async def test_a_hub_that_ends_while_a_bot_thinks_leaves_nothing_behind(bot_table: BotTable) -> None:
    """G6: the room is handed over, or taken, unchanged; its next owner lets the bot start again."""
    for how in ("SIGTERM", "Ctrl-C", "SIGKILL"):
        thought = await bot_table.gate.thought()
        await bot_table.host.ping()
        before = bot_table.stage
        worker = os.pidfd_open(thought.pid)
        try:
            assert await asyncio.to_thread(end_hub, bot_table.hub, how) == (
                -signal.SIGKILL if how == "SIGKILL" else 0
            )
            assert await asyncio.to_thread(is_gone, worker, SECONDS if how == "SIGKILL" else 0)
        finally:
            os.close(worker)
        assert not [line for line in bot_table.hub.lines if "Traceback" in line or "exception" in line]
        await bot_table.host.gone()
        await asyncio.to_thread(bot_table.hub.start)
        await bot_table.host.resume()
        assert bot_table.stage == before
        await bot_table.continue_play(before)


def end_hub(hub: HubProcess, how: str) -> int:
    """End the hub, and return its exit code."""
    match how:
        case "SIGTERM":
            return hub.stop()
        case "Ctrl-C":
            os.killpg(hub.pid, signal.SIGINT)
        case _:
            os.kill(hub.pid, signal.SIGKILL)
    return hub.wait()


def is_gone(process: int, seconds: float) -> bool:
    """Whether the process with this descriptor has ended, or ends within this time."""
    end = select.poll()
    end.register(process, select.POLLIN)
    return bool(end.poll(seconds * 1000))
