"""WebSocket frames from the server (RFC 6455 section 5.2): not masked, so sockets can share their bytes."""

from __future__ import annotations

from typing import Final

FINAL_BINARY: Final = 0x82
_SHORT_HEADERS: Final = tuple(bytes((FINAL_BINARY, size)) for size in range(126))


def encode_frame(payload: bytes, more: int = 0) -> bytes:
    """The payload as one binary frame; the caller appends `more` bytes to it."""
    size = len(payload) + more
    if size < 126:
        return _SHORT_HEADERS[size] + payload
    if size < 65_536:
        return b"\x82\x7e" + size.to_bytes(2, "big") + payload
    return b"\x82\x7f" + size.to_bytes(8, "big") + payload
