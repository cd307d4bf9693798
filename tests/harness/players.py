"""People at a table on real hubs, each with a token, a ticket, a socket and everything received through it.

A player comes back as the protocol says: with its session, sending its unanswered commands again. Nothing
here waits for time to pass, except for the pause between connection attempts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from types import TracebackType
from typing import Any, Final, Self
from urllib.parse import urlsplit, urlunsplit

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage
from websockets.typing import Subprotocol

from hub.wire.messages import SUBPROTOCOL
from tests.harness.follower import Follower, pack
from tests.harness.plain_http import plain_http

BETWEEN_TRIES: Final = 0.02
PATIENCE: Final = 60.0
COME_AGAIN: Final = (1001, 1006, 1012, 1013, 4001)
"""Close codes after which a client reconnects."""


class Player:
    """One client instance at one table."""

    def __init__(self, name: str, token: str, place: dict[str, Any]) -> None:
        self.name = name
        self.token = token
        self.address: str = place["socket"]
        self.knows = Follower(place.get("ticket", ""))
        self.heard: list[dict[str, Any]] = []
        """All messages on this socket."""
        self.closed: int | None = None
        """The code its last socket was closed with; None while it is open."""
        self.tries = 0
        """How often it has tried to connect."""
        self._socket: ClientConnection | None = None
        self._reader: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()

    # --- connecting and leaving ---

    async def open(self) -> bool:
        """Try once; return whether the full view arrived. If it did not, `closed` has the close code."""
        await self.drop()
        self.tries += 1
        self.heard = []
        self.closed = None
        try:
            self._socket = await connect(
                self.address,
                subprotocols=[Subprotocol(SUBPROTOCOL)],
                compression=None,
                ping_interval=None,
                proxy=None,
                open_timeout=PATIENCE,
            )
        except (OSError, InvalidHandshake, InvalidMessage, EOFError):
            self.closed = 1006
            return False
        await self._send(self.knows.opened())
        self._reader = asyncio.create_task(self._read(self._socket), name=f"reader of {self.name}")
        await self.until(lambda: self.closed is not None or self.has("view"), or_closed=True)
        if not self.has("view"):
            return False
        for n in list(self.knows.pending):
            await self._send(self.knows.packed(n))
        return True

    async def resume(self) -> None:
        """Reconnect, trying as often as it takes."""
        while not await self.open():
            assert self.closed in COME_AGAIN, self.closed
            await asyncio.sleep(BETWEEN_TRIES)  # a client's pause between attempts

    async def await_refusal(self) -> int:
        """Reconnect until the hub refuses for good, and return the code with which it does."""
        while True:
            assert not await self.open()
            assert self.closed is not None
            if self.closed not in COME_AGAIN:
                return self.closed
            await asyncio.sleep(BETWEEN_TRIES)

    async def gone(self) -> int:
        """Wait until the socket is closed, and return its code."""
        await self.until(lambda: self.closed is not None, or_closed=True)
        assert self.closed is not None
        return self.closed

    async def drop(self) -> None:
        """Cut the connection without a close frame."""
        if self._socket is not None:
            self._socket.transport.abort()
            self._socket = None
        if self._reader is not None:
            await self._reader
            self._reader = None

    # --- commands ---

    async def send(self, kind: str, **fields: Any) -> int:
        """Send a new command if the connection is open, keep it in any case, and return its number."""
        n = self.knows.command(kind, **fields)
        await self._send(self.knows.packed(n))
        return n

    async def again(self, n: int) -> None:
        """Send an old command again."""
        await self._send(self.knows.packed(n))

    async def do(self, kind: str, **fields: Any) -> int:
        """Send a command and wait for its verdict, which must be applied."""
        n = await self.send(kind, **fields)
        await self.answered()
        assert self.knows.applied(n), self.knows.verdicts[self.knows.session or 0, n]
        return n

    async def move(self, prompt: str, move: str, **fields: Any) -> int:
        return await self.do("do", prompt=prompt, move={"move": move, **fields})

    async def answered(self) -> None:
        """Wait until every command has its verdict."""
        await self.until(lambda: not self.knows.pending)

    async def ping(self) -> int:
        """The hub's current table time."""
        before = len(self.heard)
        await self._send(pack({"t": "ping", "n": 1}))
        await self.until(lambda: any(message["t"] == "pong" for message in self.heard[before:]))
        return self.knows.table_time

    async def until(self, holds: Callable[[], object], *, or_closed: bool = False) -> None:
        """Wait until this holds for the messages received; fails if the connection breaks first."""
        while not holds():
            if self._reader is not None and self._reader.done():
                self._reader.result()
            if not or_closed:
                assert self.closed is None, f"{self.name}: closed with {self.closed}"
            self._changed.clear()
            await self._changed.wait()

    def has(self, kind: str) -> bool:
        return any(message["t"] == kind for message in self.heard)

    async def _send(self, data: bytes) -> None:
        if self._socket is not None and self.closed is None:
            with suppress(ConnectionClosed):  # the reader reports it
                await self._socket.send(data)

    async def _read(self, socket: ClientConnection) -> None:
        try:
            while True:
                data = await socket.recv()
                assert isinstance(data, bytes)
                message = self.knows.feed(data)
                self.heard.append(message)
                self._changed.set()
        except ConnectionClosed as gone:
            self.closed = 1006 if gone.rcvd is None else gone.rcvd.code
        finally:
            self._changed.set()


class Table:
    """A table and the people at it; an async context manager that leaves no socket open."""

    def __init__(self, room: str, players: list[Player]) -> None:
        self.room = room
        self.players = players

    @classmethod
    async def made(
        cls,
        url: str,
        seats: int = 3,
        people: int | None = None,
        options: Mapping[str, object] | None = None,
        *,
        game: str = "almost",
        open: bool = False,
    ) -> Table:
        """A new table on the hub at this URL, with everybody connected; the other seats will get bots."""
        players: list[Player] = []
        async with plain_http(url) as http:
            code = ""
            for i in range(seats if people is None else people):
                name = f"Player {'ABCDEFGHIJ'[i]}"
                person = await _prompt(http, "/api/people", None, {"name": name, "colour": i})
                token = person["token"]
                if i == 0:
                    place = await _prompt(
                        http,
                        "/api/rooms",
                        token,
                        {"game": game, "seats": seats, "options": options or {}, "open": open},
                    )
                    code = place["room"]
                else:
                    place = await _prompt(http, f"/api/rooms/{code}/seats/{i}", token, None)
                players.append(Player(name, token, place))
        table = cls(code, players)
        for player in players:
            await player.resume()
        return table

    @property
    def followers(self) -> list[Follower]:
        return [player.knows for player in self.players]

    async def start(self) -> None:
        host = self.players[0]
        await host.do("manage", act={"do": "start"})
        await everybody(self.players, lambda knows: knows.status == "running")

    async def back(self) -> None:
        """Reconnect everybody and wait until every command sent has its verdict."""
        await asyncio.gather(*(player.resume() for player in self.players))
        for player in self.players:
            await player.answered()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        results = await asyncio.gather(*(player.drop() for player in self.players), return_exceptions=True)
        errors = [result for result in results if result is not None]
        if errors and error is None:
            raise errors[0]


async def _prompt(
    http: httpx.AsyncClient, path: str, token: str | None, body: dict[str, Any] | None
) -> dict[str, Any]:
    headers = {} if token is None else {"authorization": f"Bearer {token}"}
    answer = await http.post(path, headers=headers, json=body)
    assert answer.is_success, answer.text
    answer_body: dict[str, Any] = answer.json()
    return answer_body


def at_hub(address: str, url: str) -> str:
    """The socket's address on the hub with this URL."""
    there = urlsplit(url)
    return urlunsplit(("ws", there.netloc, urlsplit(address).path, "", ""))


def everybody(players: Sequence[Player], holds: Callable[[Follower], object]) -> Any:
    """Wait until this holds for every player's follower."""
    return asyncio.gather(*(player.until(partial(holds, player.knows)) for player in players))
