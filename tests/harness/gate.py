"""Bots that wait until the test lets them decide, whichever process they run in."""

from __future__ import annotations

import asyncio
import os
import socket
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from games.api import Character, Decision, Dice, Observation
from games.kit.observations import part
from games.sucker.bot.bot import SuckerBot
from games.sucker.rules.values import Stage, SuckerMove

GATE: Final = "TEST_GATE"
"""The environment variable that names the gate's socket."""
SECONDS: Final = 30.0


class GatedBot(SuckerBot):
    """The So Long Sucker bot, except that it waits at the gate before slow decisions about its own moves."""

    def decide(
        self, observation: Observation, character: Character, dice: Dice
    ) -> Decision[SuckerMove] | None:
        if character.level in self.slow and part(observation, "stage", Stage).mover == observation.seat:
            with socket.socket(socket.AF_UNIX) as gate:
                gate.connect(os.environ[GATE])
                gate.sendall(os.getpid().to_bytes(8, "big"))
                gate.recv(1)
        return super().decide(observation, character, dice)


class Held:
    """A bot thinking in the process `pid`, held at the gate."""

    def __init__(self, pid: int, line: asyncio.StreamWriter) -> None:
        self.pid = pid
        self.release = line.close


class Gate:
    """The test's side of the gate; an async context manager."""

    def __init__(self, folder: Path) -> None:
        self.path = str(folder / "gate")
        self._open = False
        self._lines: list[asyncio.StreamWriter] = []
        self._held: asyncio.Queue[Held] = asyncio.Queue()
        self._server: asyncio.Server

    async def thought(self) -> Held:
        """Waits for the next bot to start thinking; it is held at the gate, as are later ones."""
        self._open = False
        async with asyncio.timeout(SECONDS):
            return await self._held.get()

    def open(self) -> None:
        """Let every bot pass from now on."""
        self._open = True
        while not self._held.empty():
            self._held.get_nowait().release()

    async def _arrived(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._lines.append(writer)
        held = Held(int.from_bytes(await reader.readexactly(8), "big"), writer)
        if self._open:
            held.release()
        else:
            self._held.put_nowait(held)

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_unix_server(self._arrived, self.path)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.open()
        self._server.close()
        for line in self._lines:
            line.close()
            with suppress(ConnectionError):
                await line.wait_closed()
