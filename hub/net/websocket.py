"""The wire: one WebSocket after its handshake, as plain callbacks on a transport.

uvicorn does the HTTP handshake through `WireProtocol`, its WebSocket class with our bounds. Once the ASGI
endpoint has accepted, it takes the socket over (`scope["extensions"]["parley.wire"]`): the transport then
talks to a `Wire`, the ASGI task ends, and everything uvicorn held for the socket is freed. From then on a
message is one call of the listener, and what one tick of the event loop sends to a socket is one write at the
tick's end: no task, queue or future for either. Writes close upon each other also find their readers awake.

Frames come in by two ways. The common one (whole in what was read, final, binary, masked, under 64 KiB) is
cut out and unmasked on the spot. Everything else (control frames, fragments, parts of frames, errors) goes
through the sans-I/O protocol of `websockets`, made when needed and dropped once it is between messages again.

A client that does not read is aborted when `WRITE_LIMIT` bytes wait for it (G8). A close handshake without an
answer within `CLOSE_SECONDS` is cut. A peer that leaves a ping unanswered is dropped at the next one.
"""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from collections.abc import Callable
from typing import Any, ClassVar, Final, cast

from uvicorn._types import ASGISendEvent
from uvicorn.config import Config
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import OPEN
from websockets.server import ServerProtocol

from hub.wire.limits import network
from hub.wire.messages import CLOSE_CODES, MAX_FRAME

try:
    from websockets.speedups import apply_mask
except ImportError:  # no wheel for this platform: slower, the same
    from websockets.utils import apply_mask

WRITE_LIMIT: Final = 256 * 1024
"""Bytes that may wait for one client beside what the kernel holds."""
KERNEL_BUFFER: Final = 64 * 1024
"""SO_SNDBUF (Linux doubles it): else the kernel holds up to 4 MB for each client that does not read."""
TOGETHER: Final = 4096
"""Bytes of several messages that wait for the end of a tick, at most: more are written at once."""
CLOSE_SECONDS: Final = 3.0
PING_SECONDS: Final = 20.0
FROM_ONE_NETWORK: Final = 1000
"""Sockets open at once from one address (IPv6: one /64), those of this machine excepted."""
ODD_FRAMES: Final = 500
"""Pings and fragments a client may send between two pings of ours."""

SLOW_READER: Final = 4009
FLOODING: Final = 4008
LOST: Final = 1006

BINARY: Final = 0x80 | Opcode.BINARY
PING: Final = bytes((0x80 | Opcode.PING, 0))
BARE_PONG: Final = bytes((0x80 | Opcode.PONG, 0x80))
"""The first two bytes of the (masked) answer to `PING`."""


def _drop(data: bytes) -> None:
    """Where messages go that come once a wire is closed."""


class Wire(asyncio.Protocol):
    """One WebSocket. Calls its listener for every message, and once when the connection is gone."""

    __slots__ = (
        "_careful",
        "_code",
        "_connections",
        "_deadline",
        "_deaf",
        "_due",
        "_early",
        "_lost",
        "_odd",
        "_on_close",
        "_on_message",
        "_outbox",
        "_pieces",
        "_transport",
        "_unanswered",
        "_wires",
        "closed",
        "remote",
        "spoke",
    )

    def __init__(
        self,
        transport: asyncio.Transport,
        wires: Wires,
        connections: set[Any],
        remote: str | None,
        early: bytes,
    ) -> None:
        self.remote = remote
        """The client's address, as far as the server knows it."""
        self.closed = False
        """Nothing is sent or delivered any more; `on_close` comes, or came, once the connection is gone."""
        self.spoke = 0
        self._transport = transport
        self._wires = wires
        self._connections = connections
        self._on_message: Callable[[bytes], None] = _drop
        self._on_close: Callable[[int], None] | None = None
        self._early = early
        self._careful: _Careful | None = None
        self._pieces: bytearray | None = None
        self._odd = 0
        self._outbox = b""
        """What leaves at the end of this tick."""
        self._due = wires.due
        self._code: int | None = None
        self._deaf = False
        self._lost = False
        self._unanswered = False
        self._deadline: asyncio.TimerHandle | None = None

    # --- what a session calls ---

    def listen(self, on_message: Callable[[bytes], None], on_close: Callable[[int], None]) -> None:
        """Names the listener: from the next loop iteration on it hears every message from the first one on.

        `on_close` is called exactly once, never from inside `send`, `close` or `abort`. Its code says what
        came first: the one given to `close`, the client's own (1005: it gave none), the error it was closed
        for, 4009 for a client that did not read, 1006 for a lost connection.
        """
        if not self.closed:
            self._on_message = on_message
        self._on_close = on_close
        asyncio.get_running_loop().call_soon(self._begin)

    def send(self, data: bytes) -> None:
        """Sends framed bytes, at the end of this tick; nothing once the wire is closed."""
        if self.closed:
            return
        if not self._outbox:
            self._outbox = data
            due = self._due
            if not due:
                self._wires.wake()
            due.append(self)
        else:
            self._outbox += data
            if len(self._outbox) > TOGETHER:
                self.flush()

    def close(self, code: int, reason: str = "") -> None:
        """Starts the close handshake; after `CLOSE_SECONDS` without an answer the connection is cut."""
        if self.closed:
            return
        careful = self._careful
        if careful is None:
            careful = self._careful = _Careful()
        if careful.state is OPEN:  # else a close frame is on its way already
            self.flush()
            careful.send_close(code, _cut(reason))
            self._flush(careful)
        self._closing(code)

    def abort(self) -> None:
        """Cuts the connection and drops what still waited to be sent."""
        self._closing(LOST)
        self._deaf = True
        self._transport.abort()

    def flush(self) -> None:
        """Writes what was sent in this tick."""
        data = self._outbox
        if data:
            self._outbox = b""
            self._transport.write(data)

    # --- what the transport calls ---

    def data_received(self, data: bytes) -> None:
        if self._careful is None:
            at, size = 0, len(data)
            while size - at > 5 and data[at] == BINARY:
                length = data[at + 1] - 0x80
                if 0 <= length < 126:
                    start = at + 6
                elif length == 126 and size - at > 7:
                    length = data[at + 2] << 8 | data[at + 3]
                    start = at + 8
                else:
                    break
                end = start + length
                if end > size:
                    break
                self._on_message(apply_mask(data[start:end], data[start - 4 : start]))
                if end == size:
                    return
                at = end
            if at:
                data = data[at:]
        self._read_carefully(data)

    def eof_received(self) -> None:
        """The client sends no more: the transport closes once all is written, or the deadline cuts it."""
        self.flush()
        self._closing(LOST)

    def pause_writing(self) -> None:
        """The client does not read."""
        self._closing(SLOW_READER)
        self._deaf = True
        self._transport.abort()

    def resume_writing(self) -> None:
        """Never of use: a wire whose writing was paused is gone."""

    def connection_lost(self, exc: Exception | None) -> None:
        self._deaf = self._lost = True
        self._closing(LOST)
        if self._careful is not None:
            self._careful.forget()
        self._careful = self._pieces = None
        self._outbox = b""
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        self._wires.remove(self)
        self._connections.discard(self)
        self._report()

    # --- what uvicorn calls ---

    def shutdown(self) -> None:
        self.close(1001, CLOSE_CODES[1001])

    # --- keepalive ---

    def beat(self) -> None:
        """Once every `PING_SECONDS`: drops a peer that did not answer the last ping, and sends the next."""
        if self.closed:
            return
        if self._unanswered:
            self.abort()
            return
        self._unanswered = True
        self._odd = 0
        self._transport.write(PING)

    # --- within ---

    def _begin(self) -> None:
        if self._lost:
            self._report()
            return
        early, self._early = self._early, b""
        try:
            if early and not self.closed:
                self.data_received(early)
        except BaseException:
            self.abort()
            raise
        self._transport.resume_reading()

    def _report(self) -> None:
        on_close, self._on_close = self._on_close, None
        if on_close is not None:
            on_close(self._code or LOST)

    def _closing(self, code: int) -> None:
        """From here on nothing is sent or delivered, and the connection has a deadline."""
        if self._code is None:
            self._code = code
        self.closed = True
        self._on_message = _drop
        if self._deadline is None and not self._lost:
            loop = asyncio.get_running_loop()
            self._deadline = loop.call_later(CLOSE_SECONDS, self._transport.abort)

    def _read_carefully(self, data: bytes) -> None:
        """What the short way could not take: by the book, through `websockets`."""
        if self._deaf:
            return
        careful = self._careful
        if careful is None:
            if self._unanswered and len(data) == 6 and data.startswith(BARE_PONG):
                self._unanswered = False
                return
            careful = self._careful = _Careful()
        careful.receive_data(data)
        for frame in careful.events_received():
            self._take(careful, cast(Frame, frame))
        self._flush(careful)
        if careful.eof_sent:
            self._finish(careful)
        elif careful.between and not self.closed:
            careful.forget()
            self._careful = None

    def _take(self, careful: _Careful, frame: Frame) -> None:
        if frame.opcode is Opcode.BINARY and frame.fin:
            self._on_message(bytes(frame.data))
        elif frame.opcode is Opcode.PONG and self._unanswered:
            self._unanswered = False
        elif frame.opcode is not Opcode.CLOSE:
            self._odd += 1
            if self._odd > ODD_FRAMES:
                careful.refuse(FLOODING)
                self._closing(FLOODING)
            elif frame.opcode is Opcode.BINARY:
                self._pieces = bytearray(frame.data)
            elif frame.opcode is Opcode.CONT:
                assert self._pieces is not None
                self._pieces += frame.data
                if frame.fin:
                    pieces, self._pieces = bytes(self._pieces), None
                    self._on_message(pieces)

    def _flush(self, careful: _Careful) -> None:
        output = b"".join(careful.data_to_send())
        if output and not self._transport.is_closing():
            self.flush()
            self._transport.write(output)

    def _finish(self, careful: _Careful) -> None:
        """A close frame has gone both ways, or an error ended the talk."""
        self._deaf = True
        self._closing(LOST if careful.close_sent is None else careful.close_sent.code)
        if self._transport.is_closing():
            return
        if careful.close_rcvd is None and self._transport.can_write_eof():
            # Closing with bytes unread would reset the connection, and the client might never learn why. So
            # only this side ends; what still comes is thrown away until the client ends too, or the deadline.
            self._transport.write_eof()
        else:
            self._transport.close()


class _Careful(ServerProtocol):
    """The `websockets` protocol after the handshake. `between`: it stands between two messages."""

    def __init__(self) -> None:
        self.between = False
        super().__init__(state=OPEN, max_size=MAX_FRAME)

    def receive_data(self, data: bytes | bytearray) -> None:
        self.between = False
        super().receive_data(data)

    def recv_frame(self, frame: Frame) -> None:
        if frame.opcode is Opcode.TEXT and self.current_size is None:
            self.refuse(1003)
        else:
            super().recv_frame(frame)
            self.between = not self.reader.buffer and self.current_size is None

    def refuse(self, code: int) -> None:
        """Closes for an error of ours to name, and reads no further."""
        if not self.eof_sent:
            self.fail(code, CLOSE_CODES[code])

    def forget(self) -> None:
        """Ends the parser: it refers to its protocol, and the two would wait for garbage collection."""
        self.parser.close()


def _cut(reason: str) -> str:
    """As much of a reason as a close frame may carry: 123 bytes."""
    return reason.encode()[:123].decode(errors="ignore")


class Wires:
    """Every open wire of a hub, and the one timer that keeps them alive.

    A wheel: each wire sits on a spoke, and each turn pings those on one spoke, so thousands are never pinged
    at once. The timer runs only while there are wires.
    """

    SPOKES: ClassVar = 80

    def __init__(self) -> None:
        self._spokes: tuple[set[Wire], ...] = tuple(set() for _ in range(self.SPOKES))
        self._at = 0
        self._count = 0
        self.due: list[Wire] = []
        """Those that have something to write at the end of the tick; the first of them calls `wake`."""
        self._from: Counter[str] = Counter()
        """Wires by the network they come from."""
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return self._count

    def add(self, wire: Wire) -> None:
        """A new wire; its first ping comes after a whole round."""
        wire.spoke = self._at
        self._spokes[self._at].add(wire)
        self._count += 1
        if where := network(wire.remote):
            self._from[where] += 1
        if self._timer is None:
            self._arm()

    def remove(self, wire: Wire) -> None:
        self._spokes[wire.spoke].discard(wire)
        self._count -= 1
        if where := network(wire.remote):
            self._from[where] -= 1
            if not self._from[where]:
                del self._from[where]
        if self._count == 0 and self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def crowded(self, address: str | None) -> bool:
        """Whether so many come from there that another is not let in (G8)."""
        where = network(address)
        return where is not None and self._from[where] >= FROM_ONE_NETWORK

    def wake(self) -> None:
        asyncio.get_running_loop().call_soon(self.flush)

    def flush(self) -> None:
        """Writes what was sent in this tick."""
        due = self.due[:]
        self.due.clear()
        for wire in due:
            try:
                wire.flush()
            except Exception as error:  # noqa: BLE001 - the others' frames must leave all the same
                wire.abort()
                context = {"message": "a socket could not be written to", "exception": error}
                asyncio.get_running_loop().call_exception_handler(context)

    def turn(self) -> None:
        """One step of the wheel: pings the wires of the next spoke."""
        self._at = (self._at + 1) % self.SPOKES
        for wire in tuple(self._spokes[self._at]):
            wire.beat()

    def _arm(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(PING_SECONDS / self.SPOKES, self._tick)

    def _tick(self) -> None:
        self._arm()
        self.turn()

    def protocol(self) -> type[WireProtocol]:
        """The class to give uvicorn as `ws`: its wires are these."""
        return type("WireProtocol", (WireProtocol,), {"wires": self})


class WireProtocol(WebSocketsSansIOProtocol):
    """uvicorn's side of a WebSocket until it is handed over: the handshake, and nothing more."""

    wires: ClassVar[Wires]

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.conn.available_extensions = None  # deflate costs memory per socket and leaks lengths of secrets
        self.ping_interval = None
        self.early = b""

    def data_received(self, data: bytes) -> None:
        """The request, whole; what a hasty client sends before it was accepted is kept for the wire."""
        if self.handshake_initiated:
            self.early += data
            self.transport.pause_reading()
            return
        try:
            super().data_received(data)
        except (ValueError, UnicodeError):  # uvicorn takes the request's path for ASCII
            self._refuse_request(b"")
        else:
            if self.conn.handshake_exc is not None and not self.handshake_initiated:
                self._refuse_request(b"".join(self.conn.data_to_send()))

    def _refuse_request(self, answer: bytes) -> None:
        """Ends a request that `websockets` could not read: uvicorn would leave the connection open."""
        self.handshake_complete = self.close_sent = True
        self.transport.write(
            answer or b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
        )
        self.transport.close()

    async def send(self, message: ASGISendEvent) -> None:
        await super().send(message)
        if self.initial_response is not None and self.close_sent:
            self.handshake_complete = True  # else uvicorn logs an error for every refusal

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            extensions = cast(dict[str, Any], self.scope["extensions"])
            extensions["parley.wire"] = self.hand_over

    def hand_over(self) -> Wire:
        """The accepted socket as a wire. Reading rests until somebody listens. Raises ClientDisconnected."""
        transport = self.transport
        if self.disconnected or not self.handshake_complete or transport.is_closing():
            raise ClientDisconnected
        transport.pause_reading()
        transport.set_write_buffer_limits(WRITE_LIMIT, 0)
        sock = transport.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL_BUFFER)
        if sock.family in (socket.AF_INET, socket.AF_INET6):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # asyncio does so only for some
        client = self.scope["client"]
        wire = Wire(transport, self.wires, self.connections, client[0] if client else None, self.early)
        self.wires.add(wire)
        self.connections.discard(self)
        cast(set[Any], self.connections).add(wire)
        transport.set_protocol(wire)
        self.disconnected = True
        self.transport = _gone
        self.conn.parser.close()
        cast(dict[str, Any], self.scope["extensions"]).clear()
        return wire


class _Gone(asyncio.Transport):
    """What uvicorn closes when the ASGI task of a socket that was handed over ends."""

    def is_closing(self) -> bool:
        return True

    def close(self) -> None:
        pass


_gone: Final = _Gone()
