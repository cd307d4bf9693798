"""A bare RESP connection, for the commit pipe: packed commands out, one callback per reply."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import cast

import hiredis


def pack(*command: str | int | bytes | None) -> bytes:
    packed: bytes = hiredis.pack_command(command)  # type: ignore[arg-type]  # its stub says a 1-tuple
    return packed


class RespConnection(asyncio.Protocol):
    """One connection to the store: turns bytes into replies. `on_reply` and `on_lost` may be replaced."""

    def __init__(self) -> None:
        self.on_reply: Callable[[object], None] = self._on_greeting_reply
        self.on_lost: Callable[[str], None] = self._on_greeting_lost
        self.leads_to: tuple[str, int] | None = None
        """The host and port, if it is one of several stores that may be the primary."""
        self._transport: asyncio.Transport | None = None
        self._reader = hiredis.Reader(protocolError=hiredis.ProtocolError, replyError=hiredis.ReplyError)
        self._expected = 0
        self._ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def greet(self, commands: list[bytes]) -> None:
        """Sends the opening commands. Raises ReplyError if one is refused, ConnectionError if cut off."""
        self._expected = len(commands)
        self.write(b"".join(commands))
        await self._ready

    def write(self, data: bytes) -> None:
        if self._transport is not None:
            self._transport.write(data)

    def abort(self) -> None:
        """Closes at once and ignores anything that still arrives."""
        transport, self._transport = self._transport, None
        self._ready.cancel()
        if transport is not None:
            transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's is not a subclass

    def data_received(self, data: bytes) -> None:
        reader = self._reader
        try:
            reader.feed(data)
            while self._transport is not None:
                reply = reader.gets()
                if reply is False:
                    return
                self.on_reply(reply)
        except hiredis.ProtocolError as error:
            self.on_lost(f"the store does not speak RESP ({error})")

    def connection_lost(self, error: Exception | None) -> None:
        if self._transport is not None:
            self._transport = None
            self.on_lost(str(error or "closed by the store"))

    def _on_greeting_reply(self, reply: object) -> None:
        if isinstance(reply, hiredis.ReplyError):
            if not self._ready.done():
                self._ready.set_exception(reply)
            return
        self._expected -= 1
        if self._expected == 0 and not self._ready.done():
            self._ready.set_result(None)

    def _on_greeting_lost(self, reason: str) -> None:
        if not self._ready.done():
            self._ready.set_exception(ConnectionError(reason))
