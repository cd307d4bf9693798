"""A WebSocket transport on an asyncio transport that only records."""

from __future__ import annotations

import asyncio

from hub.net.open_sockets import OpenSockets
from hub.net.websocket import WebSocketTransport


class RecordingTransport(asyncio.Transport):
    """A transport that only records what is written and how it is ended."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.ended = ""

    def write(self, data: bytes) -> None:  # type: ignore[override]
        assert not self.ended, "nothing is written after the end"
        self.written += data

    def write_eof(self) -> None:
        self.ended = "eof"

    def can_write_eof(self) -> bool:
        return True

    def is_closing(self) -> bool:
        return self.ended in ("close", "abort")

    def close(self) -> None:
        self.ended = "close"

    def abort(self) -> None:
        self.ended = "abort"

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass

    def drain(self) -> bytes:
        written, self.written = self.written, b""
        return written


def open_transport(line: RecordingTransport, sockets: OpenSockets) -> WebSocketTransport:
    transport = WebSocketTransport(
        line, sockets.writes, set(), sockets.remove, sockets.watch_closely, None, b""
    )
    sockets.add(transport)
    return transport
