"""A proxy in front of a store that injects the faults of a bad network or a dying machine into individual
commands.

The test plans which fault hits which command, and can wait until it has happened. Nothing here depends on
timing:

    proxy.plan(Fault.LOSE_REPLY, command="EVALSHA")
    pipe.submit(commit, done)
    await proxy.happened(Fault.LOSE_REPLY)
"""

from __future__ import annotations

import asyncio
import ssl
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto
from pathlib import Path
from types import TracebackType
from typing import Self, cast

import hiredis


class Fault(Enum):
    NONE = auto()
    LOSE_REPLY = auto()
    """The store executes the command; its answer never arrives, but later answers do."""
    REPEAT_REPLY = auto()
    """The answer arrives twice."""
    GARBLE_REPLY = auto()
    """Something that is not RESP arrives instead of the answer."""
    HOLD_REPLY = auto()
    """The answer, and everything after it, waits for `release`."""
    CUT_BEFORE = auto()
    """The connection breaks before the store has seen the command."""
    CUT_AFTER = auto()
    """The connection breaks after the store has executed the command, before the answer."""
    REPEAT_COMMAND = auto()
    """The store gets the command twice; the second answer is swallowed."""
    HOLD_COMMAND = auto()
    """The command, and everything after it, waits for `release`, then arrives even if the client has gone."""


@dataclass(slots=True)
class Exchange:
    """A command and the fault that hits it."""

    number: int
    command: tuple[bytes, ...]
    fault: Fault
    swallowed: bool = False


@dataclass(slots=True)
class _Plan:
    fault: Fault
    command: bytes
    skip: int


@dataclass(slots=True)
class _Held:
    connection: _Connection
    replies: bool


class FaultProxy:
    """Listens on a unix socket in `folder`, or on a port (with `tls`, or when there is no folder)."""

    def __init__(
        self, upstream: Path, *, folder: Path | None = None, tls: ssl.SSLContext | None = None
    ) -> None:
        self.upstream = upstream
        self.seen: list[Exchange] = []
        self.down = False
        """Whether it refuses new connections (by closing them at once)."""
        self._folder = folder
        self._tls = tls
        self._plans: list[_Plan] = []
        self._done: Counter[Fault] = Counter()
        self._held: list[_Held] = []
        self._connections: set[_Connection] = set()
        self._changed = asyncio.Event()
        self._server: asyncio.Server | None = None
        self._socket: Path | None = None
        self.accepted = 0

    @property
    def url(self) -> str:
        if self._socket is not None:
            return f"unix://{self._socket}"
        return f"{'rediss' if self._tls else 'redis'}://localhost:{self.port}"

    @property
    def open(self) -> int:
        """The number of open connections."""
        return len(self._connections)

    @property
    def port(self) -> int:
        assert self._server is not None
        return int(self._server.sockets[0].getsockname()[1])

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        if self._folder is not None:
            self._socket = self._folder / f"proxy-{id(self):x}.sock"
            self._server = await loop.create_unix_server(lambda: _Front(self), str(self._socket))
        else:
            self._server = await loop.create_server(lambda: _Front(self), "127.0.0.1", 0, ssl=self._tls)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        self.cut()
        await self.until(lambda: not self._connections)
        await self._server.wait_closed()
        if self._socket is not None:
            self._socket.unlink(missing_ok=True)

    # --- the test's side ---

    def plan(self, fault: Fault, *, command: str = "EVALSHA", skip: int = 0) -> None:
        """Apply this fault to the next such command after skipping `skip`. Plans are kept in order."""
        self._plans.append(_Plan(fault, command.encode(), skip))

    def cancel_plans(self) -> None:
        """Let everything pass from now on."""
        self._plans.clear()

    async def happened(self, fault: Fault, times: int = 1) -> None:
        """Wait until this fault has happened this many times since the proxy was created."""
        await self.until(lambda: self._done[fault] >= times)

    def happenings(self, fault: Fault) -> int:
        return self._done[fault]

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until a condition that depends only on this proxy holds."""
        while not condition():
            self._changed.clear()
            await self._changed.wait()

    def count(self, command: str) -> int:
        """The number of such commands that have arrived."""
        return sum(exchange.command[0] == command.encode() for exchange in self.seen)

    async def commands(self, command: str, count: int) -> None:
        """Wait until this many such commands have arrived."""
        await self.until(lambda: self.count(command) >= count)

    def release(self) -> None:
        """Release everything that is held."""
        held, self._held = self._held, []
        for one in held:
            if one.replies:
                one.connection.release_replies()
            else:
                one.connection.release_commands()

    def cut(self) -> None:
        """Break every connection, including those held back."""
        for connection in list(self._connections):
            connection.close()

    # --- the connections' side ---

    def fate(self, command: tuple[bytes, ...]) -> Exchange:
        fault = Fault.NONE
        for plan in self._plans:
            if plan.command != command[0]:
                continue
            if plan.skip:
                plan.skip -= 1
                continue
            fault = plan.fault
            self._plans.remove(plan)
            break
        exchange = Exchange(len(self.seen), command, fault)
        self.seen.append(exchange)
        self._changed.set()
        return exchange

    def done(self, fault: Fault) -> None:
        if fault is not Fault.NONE:
            self._done[fault] += 1
            self._changed.set()

    def hold(self, connection: _Connection, *, replies: bool) -> None:
        self._held.append(_Held(connection, replies))

    def opened(self, connection: _Connection) -> None:
        self.accepted += 1
        self._connections.add(connection)
        self._changed.set()

    def closed(self, connection: _Connection) -> None:
        self._connections.discard(connection)
        self._changed.set()


class _Front(asyncio.Protocol):
    """The side facing the client."""

    def __init__(self, proxy: FaultProxy) -> None:
        self._proxy = proxy
        self._connection: _Connection | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if self._proxy.down:
            cast(asyncio.Transport, transport).abort()
            return
        self._connection = _Connection(self._proxy, cast(asyncio.Transport, transport))
        self._connection.open()

    def data_received(self, data: bytes) -> None:
        if self._connection is not None:
            self._connection.from_client(data)

    def connection_lost(self, error: Exception | None) -> None:
        if self._connection is not None:
            self._connection.client_gone()


class _Back(asyncio.Protocol):
    """The side facing the store."""

    def __init__(self, connection: _Connection) -> None:
        self._connection = connection

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._connection.connected(cast(asyncio.Transport, transport))

    def data_received(self, data: bytes) -> None:
        self._connection.from_store(data)

    def connection_lost(self, error: Exception | None) -> None:
        self._connection.close()


@dataclass(slots=True, eq=False)
class _Connection:
    """One client's connection, and the connection to the store that serves it."""

    proxy: FaultProxy
    client: asyncio.Transport | None
    store: asyncio.Transport | None = None
    reader: hiredis.Reader = field(default_factory=hiredis.Reader)
    answers: bytes = b""
    due: deque[Exchange] = field(default_factory=deque)
    waiting: list[Exchange] = field(default_factory=list)
    """Commands waiting for the connection to the store, or behind a held command."""
    holding: bool = False
    held_replies: list[bytes] | None = None
    task: asyncio.Task[None] | None = None

    def open(self) -> None:
        self.proxy.opened(self)
        self.task = asyncio.get_running_loop().create_task(self._connect())

    async def _connect(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            await loop.create_unix_connection(lambda: _Back(self), str(self.proxy.upstream))
        except OSError:
            self.close()

    def connected(self, store: asyncio.Transport) -> None:
        if self.client is None and not self.waiting:
            store.abort()
            return
        self.store = store
        self._forward()

    def from_client(self, data: bytes) -> None:
        self.reader.feed(data)
        while isinstance(command := self.reader.gets(), list):
            exchange = self.proxy.fate(tuple(command))
            if exchange.fault is Fault.CUT_BEFORE:
                self.proxy.done(exchange.fault)
                self.close()
                return
            if exchange.fault is Fault.HOLD_COMMAND:
                self.holding = True
                self.proxy.hold(self, replies=False)
                self.proxy.done(exchange.fault)
            self.waiting.append(exchange)
            self._forward()

    def _forward(self) -> None:
        if self.store is None or self.holding:
            return
        for exchange in self.waiting:
            packed = _pack(exchange.command)
            self.store.write(packed)
            self.due.append(exchange)
            if exchange.fault is Fault.REPEAT_COMMAND:
                self.store.write(packed)
                self.due.append(Exchange(exchange.number, exchange.command, Fault.NONE, swallowed=True))
                self.proxy.done(exchange.fault)
        self.waiting.clear()

    def from_store(self, data: bytes) -> None:
        self.answers += data
        while self.due and (length := reply_length(self.answers)):
            reply, self.answers = self.answers[:length], self.answers[length:]
            self._answer(self.due.popleft(), reply)

    def _answer(self, exchange: Exchange, reply: bytes) -> None:
        match exchange.fault:
            case _ if exchange.swallowed:
                pass
            case Fault.LOSE_REPLY:
                pass
            case Fault.REPEAT_REPLY:
                self._to_client(reply + reply)
            case Fault.GARBLE_REPLY:
                self._to_client(b"?what\r\n")
            case Fault.CUT_AFTER:
                self.close()
            case Fault.HOLD_REPLY:
                if self.held_replies is None:
                    self.held_replies = []
                    self.proxy.hold(self, replies=True)
                self._to_client(reply)
            case _:
                self._to_client(reply)
        if exchange.fault not in (Fault.HOLD_COMMAND, Fault.REPEAT_COMMAND):
            self.proxy.done(exchange.fault)
        if self.client is None and not self.due and not self.waiting:
            self.close()

    def _to_client(self, reply: bytes) -> None:
        if self.held_replies is not None:
            self.held_replies.append(reply)
        elif self.client is not None:
            self.client.write(reply)

    def release_commands(self) -> None:
        self.holding = False
        self._forward()

    def release_replies(self) -> None:
        held, self.held_replies = self.held_replies or [], None
        for reply in held:
            self._to_client(reply)

    def client_gone(self) -> None:
        """Notes that the client has gone; what it has sent still goes to the store."""
        self.client = None
        if not self.due and not self.waiting:
            self.close()

    def close(self) -> None:
        for transport in (self.client, self.store):
            if transport is not None:
                transport.abort()
        self.client = self.store = None
        self.waiting.clear()
        self.due.clear()
        self.proxy.closed(self)


def _pack(command: tuple[bytes, ...]) -> bytes:
    return cast(bytes, hiredis.pack_command(command))  # type: ignore[arg-type]


def reply_length(data: bytes, start: int = 0) -> int:
    """The end of the RESP2 reply that begins at `start`; 0 while the reply is incomplete."""
    end = data.find(b"\r\n", start)
    if end < 0:
        return 0
    kind, rest = data[start : start + 1], data[start + 1 : end]
    at = end + 2
    if kind in b"+-:":
        return at
    count = int(rest)
    if kind == b"$":
        at += max(count, -2) + 2 if count >= 0 else 0
        return at if at <= len(data) else 0
    assert kind == b"*", data[start : start + 20]
    for _ in range(count):
        at = reply_length(data, at)
        if not at:
            return 0
    return at
