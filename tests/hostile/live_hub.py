"""A hub as honest and hostile clients see it: HTTP and raw sockets, as docs/PROTOCOL.md describes them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import httpx
import msgpack  # type: ignore[import-untyped]

from hub.wire.tickets import Signer, Ticket
from tests.harness.defaults import DEFAULTS
from tests.harness.plain_http import plain_http
from tests.wire_client import BINARY, CLOSE, PING, PONG, WireClient

PATIENCE: Final = 30.0
"""How many seconds to wait for anything; no result depends on it."""


class LiveHub(NamedTuple):
    """A hub's address, process and data folder (for clients that have stolen the secret in it)."""

    url: str
    pid: int
    data: Path

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    @property
    def signer(self) -> Signer:
        return Signer(bytes.fromhex((self.data / "secret").read_text().strip()), DEFAULTS.token_days)

    def http(self) -> httpx.AsyncClient:
        return plain_http(self.url)

    async def figure(self, name: str) -> float:
        """One of the hub's metrics; 0 while it is missing."""
        async with self.http() as http:
            text = (await http.get("/metrics")).text
        values = re.findall(rf"^{re.escape(name)} (\S+)$", text, flags=re.M)
        return float(values[0]) if values else 0.0

    async def settled(self, name: str, wanted: float) -> float:
        """Waits a while for a metric to reach `wanted`, and returns its value."""
        value = await self.figure(name)
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                while value != wanted:
                    value = await self.figure(name)
        return value

    def memory(self) -> int:
        """The hub's resident memory in bytes."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(re.findall(r"^VmRSS:\s+(\d+) kB$", status, flags=re.M)[0]) * 1024


class Person:
    """A person with a token."""

    def __init__(self, live_hub: LiveHub, http: httpx.AsyncClient, token: str, name: str) -> None:
        self.live_hub = live_hub
        self.http = http
        self.token = token
        self.name = name

    @classmethod
    async def come(cls, live_hub: LiveHub, http: httpx.AsyncClient, name: str) -> Person:
        answer = await http.post("/api/people", json={"name": name, "colour": 0})
        assert answer.status_code == 201, answer.text
        return cls(live_hub, http, answer.json()["token"], name)

    async def prompt(self, path: str, **body: Any) -> httpx.Response:
        bearer = {"authorization": f"Bearer {self.token}"}
        return await self.http.post(path, headers=bearer, json=body or None)

    async def place(self, path: str, **body: Any) -> dict[str, Any]:
        answer = await self.prompt(path, **body)
        assert answer.is_success, answer.text
        place: dict[str, Any] = answer.json()
        return place


class Socket:
    """A raw socket that speaks the protocol as well or as badly as the test wants."""

    def __init__(self, wire: WireClient) -> None:
        self.wire = wire
        self.welcome: dict[str, Any] = {}
        self.sections: dict[str, Any] = {}
        self.heard: list[dict[str, Any]] = []
        self.n = 0

    @classmethod
    async def open(cls, live_hub: LiveHub, room: str, **how: Any) -> Socket:
        return cls(await WireClient.open(live_hub.port, f"/ws/{room}", **how))

    @classmethod
    async def sit(cls, live_hub: LiveHub, place: dict[str, Any], session: int | None = None) -> Socket:
        """Opens a socket with the ticket for a place, and waits for its welcome."""
        socket = await cls.open(live_hub, place["socket"].rpartition("/")[2])
        await socket.hello(place["ticket"], session)
        return socket

    async def hello(self, ticket: str, session: int | None = None) -> None:
        await self.say(t="hello", ticket=ticket, session=session)
        await self.until(lambda: bool(self.sections))

    async def say(self, **message: Any) -> None:
        await self.wire.send(msgpack.packb(message))

    async def read(self) -> dict[str, Any] | int:
        """The next message, or the code of a close frame; 1006 if the connection ends without one."""
        try:
            async with asyncio.timeout(PATIENCE):
                frame = await self.wire.frame()
        except (asyncio.IncompleteReadError, ConnectionResetError):
            return 1006
        if frame.opcode == CLOSE:
            return frame.code
        if frame.opcode in (PING, PONG):  # a fuzzed frame may have been a ping
            return await self.read()
        assert frame.opcode == BINARY, frame
        message: dict[str, Any] = msgpack.unpackb(frame.payload)
        self.heard.append(message)
        match message["t"]:
            case "welcome":
                self.welcome = message
            case "view":
                self.sections = message["sections"]
            case "frame":
                self.sections |= message.get("sections", {})
            case _:
                pass
        return message

    async def until(self, holds: Callable[[], bool]) -> None:
        while not holds():
            message = await self.read()
            assert not isinstance(message, int), f"closed with {message}: {self.heard[-1:]}"

    async def until_closed(self) -> int:
        """Reads up to the close frame and returns its code; earlier messages are kept in `heard`."""
        while not isinstance(message := await self.read(), int):
            pass
        return message

    async def command(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Sends a command with the next number and returns its verdict."""
        self.n += 1
        await self.say(t=kind, session=self.welcome["session"] or 0, n=self.n, **fields)
        return await self.answer("verdict", self.n)

    async def answer(self, kind: str, n: int) -> dict[str, Any]:
        while True:
            message = await self.read()
            assert isinstance(message, dict), f"closed with {message}: {self.heard[-1:]}"
            if message["t"] == kind and message["n"] == n:
                return message

    async def ping(self) -> dict[str, Any]:
        self.n += 1
        await self.say(t="ping", n=self.n)
        return await self.answer("pong", self.n)

    async def cut(self) -> None:
        await self.wire.cut()


class Table(NamedTuple):
    """A table with people at it, their places and their sockets, host first."""

    room: str
    people: list[Person]
    places: list[dict[str, Any]]
    sockets: list[Socket]

    async def leave(self) -> None:
        for socket in self.sockets:
            await socket.cut()


async def table(
    live_hub: LiveHub, http: httpx.AsyncClient, seats: int = 3, *, open: bool = False, **options: Any
) -> Table:
    """A waiting table with everybody seated and connected."""
    people = [await Person.come(live_hub, http, f"Guest {chr(65 + seat)}") for seat in range(seats)]
    placed = await people[0].place("/api/rooms", game="almost", seats=seats, options=options, open=open)
    path = f"/api/rooms/{placed['room']}/seats"
    places = [placed, *[await people[seat].place(f"{path}/{seat}") for seat in range(1, seats)]]
    sockets = [await Socket.sit(live_hub, place) for place in places]
    return Table(placed["room"], people, places, sockets)


async def play(sitting: Table) -> list[int]:
    """Plays a whole game of Almost without discussion and returns its scores."""
    sockets = sitting.sockets
    assert "code" not in await sockets[0].command("manage", act={"do": "start"})
    for round in (1, 2):
        for phase, move in (("bid", {"move": "lock"}), ("continue", {"move": "continue"})):
            for seat, socket in enumerate(sockets):
                number = {"number": seat + 1} if phase == "bid" else {}
                prompt = f"{phase}:{round}"
                await socket.until(lambda socket=socket, prompt=prompt: prompt in asked(socket))  # type: ignore[misc]
                verdict = await socket.command("do", prompt=prompt, move={**move, **number})
                assert "code" not in verdict, verdict
    for socket in sockets:
        await socket.until(lambda socket=socket: "result" in socket.sections)  # type: ignore[misc]
    scores: list[int] = sockets[0].sections["result"]["outcome"]["scores"]
    return scores


def asked(socket: Socket) -> set[str]:
    return {prompt["id"] for prompt in socket.sections.get("prompts", {"prompts": []})["prompts"]}


def forged(live_hub: LiveHub, **fields: Any) -> str:
    """A ticket made by somebody who knows the hub's secret."""
    return live_hub.signer.ticket(Ticket(**fields))
