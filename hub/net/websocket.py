"""One WebSocket after its handshake, as plain callbacks on an asyncio transport.

uvicorn performs the HTTP handshake (hub/net/handshake.py). A `WebSocketTransport` then takes the socket over,
the ASGI task ends, and everything uvicorn held for the socket is freed. From then on each message is one call
to the listener, and everything that one tick of the event loop sends to a socket is one write at the end of
the tick. Neither needs a task, a queue or a future. Writing to all sockets together also avoids wakeups,
since the process that reads them is often still awake.
The sockets of watchers, of whom there may be thousands, wait for their turn (hub/net/write_queue.py).

Incoming frames take one of two paths. The fast path handles the common frame (complete, final, binary,
masked, under 64 KiB): it is sliced out and unmasked in place. Everything else (control frames, fragments,
partial frames, errors) takes the general path through the sans-I/O protocol of `websockets`, which is created
on demand and dropped as soon as it is between messages.

A client that does not read is disconnected once `WRITE_LIMIT` bytes are queued for it (G8). An
unanswered closing handshake is cut off after `CLOSE_SECONDS`.
A client cannot keep the loop busy with one read: the general path parses `SLICE_BYTES` at a time, and looks
for the client's close frame only among the next `MAX_LATE_FRAMES` (G8.17).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final, cast

from websockets.frames import CloseCode, Frame, Opcode
from websockets.protocol import OPEN
from websockets.server import ServerProtocol

from hub.net.write_queue import WriteQueue
from hub.wire.codec import TOO_LARGE, encode
from hub.wire.messages import CLOSE_CODES, MAX_FRAME, Error

try:
    from websockets.speedups import apply_mask
except ImportError:  # no wheel for this platform: slower, same result
    from websockets.utils import apply_mask

WRITE_LIMIT: Final = 256 * 1024
"""Bytes that may be queued for one client, on top of the kernel's buffer."""
CLOSE_SECONDS: Final = 3.0
MAX_EXTRA_FRAMES: Final = 500
"""Control frames and fragments a client may send in 20 seconds."""
MAX_LATE_FRAMES: Final = 100
"""Frames that are parsed after the close: more than an honest client has under way when it learns of it."""
MAX_LATE_BYTES: Final = 1024 * 1024
"""Bytes that are received after the close: enough for a client that sends too much to finish and read why."""
SLICE_BYTES: Final = 1024
"""Bytes that are parsed before their frames are handled, at most 170 of them."""

CHECKS_PER_ROUND: Final = 8
"""Checks of a seat in which its client may send `MAX_EXTRA_FRAMES`: 19 seconds."""
CHECKS_BEFORE_PING: Final = 3
"""A seat's client that has been silent for this many checks is pinged."""
CHECKS_BEFORE_DROP: Final = 5
"""A seat's client that has been silent for this many checks is dropped."""

SLOW_READER: Final = 4009
FLOODING: Final = 4008
ABNORMAL_CLOSURE: Final = 1006

BINARY: Final = 0x80 | Opcode.BINARY
PING: Final = bytes((0x80 | Opcode.PING, 0))
BARE_PONG: Final = bytes((0x80 | Opcode.PONG, 0x80))
"""The first two bytes of the (masked) answer to `PING`."""


def _discard(data: bytes) -> None:
    """Discards a message that arrives after the socket was closed."""


class WebSocketTransport(asyncio.Protocol):
    """One WebSocket: calls its listener for every message, and once when the connection is gone."""

    __slots__ = (
        "_awaiting_pong",
        "_buffered",
        "_checks",
        "_code",
        "_connection_lost",
        "_connections",
        "_deadline",
        "_discarding",
        "_extra_frames",
        "_fragments",
        "_general",
        "_goodbye",
        "_is_resting",
        "_late_bytes",
        "_on_close",
        "_on_message",
        "_outbox",
        "_pending_writes",
        "_remove",
        "_silent_checks",
        "_transport",
        "_watch_closely",
        "_writes",
        "closed",
        "is_seat",
        "remote",
        "slot",
    )

    def __init__(
        self,
        transport: asyncio.Transport,
        writes: WriteQueue,
        connections: set[Any],
        remove: Callable[[WebSocketTransport], None],
        watch_closely: Callable[[WebSocketTransport], None],
        remote: str | None,
        buffered: bytes,
    ) -> None:
        self.remote = remote
        """The client's address, if the server knows it."""
        self.closed = False
        """Whether sending and delivering have stopped; `on_close` is called once the connection is gone."""
        self.slot = 0
        """Its place on the keepalive wheel."""
        self._transport = transport
        self._writes = writes
        self._pending_writes = writes.pending
        self._connections = connections
        self._remove = remove
        self._watch_closely = watch_closely
        self.is_seat = False
        """Whether a table waits for this socket (`join_seats`)."""
        self._checks = self._silent_checks = 0
        """For a seat, how often it was checked, and for how many checks in a row it has been silent."""
        self._is_resting = False
        """Whether the hub itself reads nothing more for a while, so that no answer can arrive."""
        self._on_message: Callable[[bytes], None] = _discard
        self._on_close: Callable[[int], None] | None = None
        self._buffered = buffered
        """The bytes the client sent before there was a listener."""
        self._general: _GeneralProtocol | None = None
        self._fragments: bytearray | None = None
        self._extra_frames = 0
        self._late_bytes = 0
        """Bytes received after it was closed, parsed or not."""
        self._outbox = b""
        """The bytes to write at the end of this tick."""
        self._code: int | None = None
        self._goodbye: tuple[int, str] | None = None
        """The close frame that waits for its turn: code and reason."""
        self._discarding = False
        self._connection_lost = False
        self._awaiting_pong = False
        self._deadline: asyncio.TimerHandle | None = None

    # --- called by the connection ---

    def listen(self, on_message: Callable[[bytes], None], on_close: Callable[[int], None]) -> None:
        """Sets the listener. It gets every message from the first one, starting with the next loop iteration.

        `on_close` is called exactly once, never from inside `send`, `close` or `abort`. Its code shows what
        happened first: the code given to `close`, the client's code (1005 if it gave none), the code of the
        protocol error, 4009 for a client that did not read, 1006 for a lost connection.
        """
        if not self.closed:
            self._on_message = on_message
        self._on_close = on_close
        asyncio.get_running_loop().call_soon(self._start_reading)

    def join_crowd(self) -> None:
        """Makes this socket wait for its turn to be written to. Messages sent before this go first."""
        self._writes = self._writes.crowd
        self._pending_writes = self._writes.pending

    def join_seats(self) -> None:
        """Makes the hub notice soon if this peer is gone, because a table waits for it."""
        if not self.closed:
            self._watch_closely(self)
            self.is_seat = True

    def pause_reading(self) -> None:
        """Reads nothing more, so that TCP slows the client down. What was read already is delivered."""
        self._is_resting = True
        self._transport.pause_reading()

    def resume_reading(self) -> None:
        self._is_resting = self._awaiting_pong = False  # its answer may still wait to be read
        self._silent_checks = 0
        self._transport.resume_reading()

    def send(self, data: bytes) -> None:
        """Sends framed bytes at the end of this tick, or in the crowd's turn; nothing once it is closed."""
        if self.closed:
            return
        if not self._outbox:
            self._outbox = data
            pending = self._pending_writes
            if not pending:
                self._writes.schedule()
            pending.append(self)
        else:
            self._outbox += data
            if len(self._outbox) > self._writes.most:
                self.flush()

    def close(self, code: int, reason: str = "") -> None:
        """Starts the closing handshake; cuts the connection after `CLOSE_SECONDS` without an answer.

        A socket of the crowd sends and delivers nothing more, but its close frame waits for its turn.
        """
        if self.closed:
            return
        if self._writes.is_paced:
            self._goodbye = code, reason
            pending = self._pending_writes
            if not pending:
                self._writes.schedule()
            pending.append(self)
        else:
            self._send_close(code, reason)
        self._begin_close(code)

    def say_goodbye(self) -> None:
        """Sends the close frame that waited for its turn."""
        if self._goodbye is not None:
            (code, reason), self._goodbye = self._goodbye, None
            self._send_close(code, reason)

    def abort(self) -> None:
        """Cuts the connection and drops whatever is still queued."""
        self._begin_close(ABNORMAL_CLOSURE)
        self._discard_output()
        self._transport.abort()

    def flush(self) -> None:
        """Writes what was sent during this tick."""
        data = self._outbox
        if data:
            self._outbox = b""
            self._transport.write(data)

    # --- called by the asyncio transport ---

    def data_received(self, data: bytes) -> None:
        self._silent_checks = 0
        if self._general is None and not self.closed:
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
                if self._code is not None:  # the listener closed it
                    break
            if at:
                data = data[at:]
        self._read_general(data)

    def eof_received(self) -> None:
        """The client will send no more. asyncio closes the connection once everything is written, unless the
        deadline cuts it off first."""
        self.flush()
        self._begin_close(ABNORMAL_CLOSURE)

    def pause_writing(self) -> None:
        """Disconnects a client that does not read."""
        self._begin_close(SLOW_READER)
        self._discard_output()
        self._transport.abort()

    def resume_writing(self) -> None:
        """Never needed: a paused transport has been aborted."""

    def connection_lost(self, exc: Exception | None) -> None:
        self._connection_lost = True
        self._begin_close(ABNORMAL_CLOSURE)
        self._discard_output()
        if self._general is not None:
            self._general.forget()
        self._general = self._fragments = None
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        self._remove(self)
        self._connections.discard(self)
        self._notify_closed()

    # --- called by uvicorn ---

    def shutdown(self) -> None:
        self.close(1001, CLOSE_CODES[1001])

    # --- called by the keepalive wheels ---

    def check_silence(self) -> None:
        """Pings a peer that has been silent for a while; drops it if it stays silent."""
        if self.closed or self._is_resting:
            return
        self._checks += 1
        if self._checks % CHECKS_PER_ROUND == 0:
            self._extra_frames = 0
        self._silent_checks += 1
        if self._silent_checks == CHECKS_BEFORE_PING:
            self._awaiting_pong = True
            self._transport.write(PING)
        elif self._silent_checks == CHECKS_BEFORE_DROP:
            self.abort()

    def ping(self) -> None:
        """Drops a peer that did not answer the last ping; otherwise sends the next one."""
        if self.closed or self._is_resting:
            return
        if self._awaiting_pong:
            self.abort()
            return
        self._awaiting_pong = True
        self._extra_frames = 0
        self._transport.write(PING)

    # --- internal ---

    def _start_reading(self) -> None:
        if self._connection_lost:
            self._notify_closed()
            return
        buffered, self._buffered = self._buffered, b""
        try:
            if buffered and not self.closed:
                self.data_received(buffered)
        except BaseException:
            self.abort()
            raise
        self._transport.resume_reading()

    def _notify_closed(self) -> None:
        on_close, self._on_close = self._on_close, None
        if on_close is not None:
            on_close(self._code or ABNORMAL_CLOSURE)

    def _begin_close(self, code: int) -> None:
        """Stops sending and delivering, and gives the connection a deadline."""
        if self._code is None:
            self._code = code
        if not self.closed:
            self.closed = True
            self._extra_frames = MAX_EXTRA_FRAMES - MAX_LATE_FRAMES
        self._on_message = _discard
        if self._deadline is None and not self._connection_lost:
            loop = asyncio.get_running_loop()
            self._deadline = loop.call_later(CLOSE_SECONDS, self._transport.abort)

    def _discard_output(self) -> None:
        """Drops the output that waits to be written, and all further input."""
        self._discarding = True
        self._outbox = b""
        self._goodbye = None

    def _send_close(self, code: int, reason: str) -> None:
        general = self._general
        if general is None:
            general = self._general = _GeneralProtocol()
        if general.state is OPEN:  # otherwise a close frame is already on its way
            self.flush()
            general.send_close(code, _truncate(reason))
            self._flush(general)

    def _read_general(self, data: bytes) -> None:
        """Takes the general path: passes whatever the fast path could not handle to `websockets`."""
        if self.closed:
            self._late_bytes += len(data)
            if self._late_bytes > MAX_LATE_BYTES:
                self.abort()
        if self._discarding:
            return
        general = self._general
        if general is None:
            if self._awaiting_pong and len(data) == 6 and data.startswith(BARE_PONG):
                self._awaiting_pong = False
                return
            general = self._general = _GeneralProtocol()
        for at in range(0, len(data), SLICE_BYTES):
            general.receive_data(data[at : at + SLICE_BYTES])
            for frame in general.events_received():
                self._handle_frame(general, cast(Frame, frame))
            if general.eof_sent or self._discarding:
                break
        self._flush(general)
        if general.eof_sent:
            self._end(general)
        elif general.idle and not self.closed:
            general.forget()
            self._general = None

    def _handle_frame(self, general: _GeneralProtocol, frame: Frame) -> None:
        if frame.opcode is Opcode.BINARY and frame.fin and not self.closed:
            self._on_message(bytes(frame.data))
        elif frame.opcode is Opcode.PONG and self._awaiting_pong:
            self._awaiting_pong = False
        elif frame.opcode is not Opcode.CLOSE:
            self._extra_frames += 1
            if self._extra_frames > MAX_EXTRA_FRAMES:
                general.refuse(FLOODING)
                self._begin_close(FLOODING)
            elif self.closed:
                self._fragments = None
            elif frame.opcode is Opcode.BINARY:
                self._fragments = bytearray(frame.data)
            elif frame.opcode is Opcode.CONT:
                assert self._fragments is not None
                self._fragments += frame.data
                if frame.fin:
                    message, self._fragments = bytes(self._fragments), None
                    self._on_message(message)

    def _flush(self, general: _GeneralProtocol) -> None:
        output = b"".join(general.data_to_send())
        if output and not self._transport.is_closing():
            self.flush()
            self._transport.write(output)

    def _end(self, general: _GeneralProtocol) -> None:
        """Ends the connection once both close frames have been exchanged, or after an error."""
        self._discarding = True
        self._begin_close(ABNORMAL_CLOSURE if general.close_sent is None else general.close_sent.code)
        if self._transport.is_closing():
            return
        if general.close_rcvd is None and self._transport.can_write_eof():
            # Closing with unread bytes would reset the connection, and the client might never learn why. So
            # close only this direction, and discard input until the client closes too or the deadline passes.
            self._transport.write_eof()
        else:
            self._transport.close()


class _GeneralProtocol(ServerProtocol):
    """The `websockets` protocol after the handshake. `idle` means it is between messages."""

    def __init__(self) -> None:
        self.idle = False
        super().__init__(state=OPEN, max_size=MAX_FRAME)

    def receive_data(self, data: bytes | bytearray) -> None:
        self.idle = False
        super().receive_data(data)

    def recv_frame(self, frame: Frame) -> None:
        if frame.opcode is Opcode.TEXT and self.current_size is None:
            self.refuse(1003)
        else:
            super().recv_frame(frame)
            self.idle = not self.reader.buffer and self.current_size is None

    def fail(self, code: int, reason: str = "") -> None:
        """Closes with this error code; a message that is too large first gets its `error`."""
        if code == CloseCode.MESSAGE_TOO_BIG and self.state is OPEN:
            reason = TOO_LARGE
            self.send_binary(encode(Error("TOO_LARGE", reason)))
        super().fail(code, reason)

    def refuse(self, code: int) -> None:
        """Closes with this error code and reads no further."""
        if not self.eof_sent:
            self.fail(code, CLOSE_CODES[code])

    def forget(self) -> None:
        """Ends the parser. It refers back to its protocol, a cycle that would need the garbage collector."""
        self.parser.close()


def _truncate(reason: str) -> str:
    """The reason, cut to the 123 bytes a close frame may carry."""
    return reason.encode()[:123].decode(errors="ignore")
