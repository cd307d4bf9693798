"""Downloads of records: in parts and few at a time, so that slow clients do not fill the memory."""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import AsyncIterator
from typing import Final

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from hub.net.http.errors import later_error
from hub.net.http.requests import client_address
from hub.wire.limits import network, subtract

PART_BYTES: Final = 64 * 1024
MAX_DOWNLOADS: Final = 32
"""Records that one hub sends at the same time; each may take some megabytes."""
MAX_PER_NETWORK: Final = 4
RETRY_SECONDS: Final = 5.0
THIS_MACHINE: Final = ""


class Downloads:
    """The records that are being sent. `limited` counts the refused ones."""

    def __init__(self, limited: Counter[str]) -> None:
        self._limited = limited
        self._running = Counter[str]()

    def response(self, request: Request, record: bytes) -> Response:
        """A record, stored and sent compressed; decompressed for a client that does not accept gzip.

        Raises ApiError 429 if this network, or all together, are downloading too many.
        """
        key = network(client_address(request)) or THIS_MACHINE
        if self._running.total() >= MAX_DOWNLOADS or (
            key != THIS_MACHINE and self._running[key] >= MAX_PER_NETWORK
        ):
            self._limited["downloads"] += 1
            advice = "Too many records are being downloaded: try again in a moment."
            raise later_error(429, "SLOW_DOWN", advice, RETRY_SECONDS)
        headers = {
            "cache-control": "no-store",
            "content-disposition": 'attachment; filename="game.parley.jsonl"',
            "vary": "accept-encoding",
        }
        packed = record.startswith(b"\x1f\x8b")
        if packed and "gzip" in request.headers.get("accept-encoding", "").lower():
            headers["content-encoding"] = "gzip"
        elif packed:
            record = gzip.decompress(record)
        headers["content-length"] = str(len(record))
        return StreamingResponse(self._send(key, record), headers=headers, media_type="application/x-ndjson")

    async def _send(self, key: str, record: bytes) -> AsyncIterator[bytes]:
        self._running[key] += 1
        try:
            for start in range(0, len(record), PART_BYTES):
                yield record[start : start + PART_BYTES]
        finally:
            subtract(self._running, key)
