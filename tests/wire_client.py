"""A small raw WebSocket client for tests: it sends exactly what the test asks, right or wrong (RFC 6455).

`client_frame` builds any frame, well-formed or not; `WireClient` sends them over a real socket and reads
replies frame by frame. It answers nothing on its own: no pong, no close. Opened with a small
`receive_buffer` and never asked for frames, it acts as a client that never reads.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import struct
from collections.abc import Iterable
from types import TracebackType
from typing import NamedTuple

SUBPROTOCOL = "parley.v1.msgpack"

CONT, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10

MASK = b"\x3a\x07\xf1\x9c"


class Refused(Exception):
    """The handshake was answered with something other than 101."""

    def __init__(self, status: int, headers: dict[str, str], body: str) -> None:
        super().__init__(status, body)
        self.status = status
        self.headers = headers
        self.body = body


class ServerFrame(NamedTuple):
    """A frame from the server; it must be unmasked and without reserved bits (section 5.2)."""

    opcode: int
    payload: bytes

    @property
    def code(self) -> int:
        """The code of a close frame (1005: none)."""
        assert self.opcode == CLOSE
        return int.from_bytes(self.payload[:2], "big") if self.payload else 1005

    @property
    def reason(self) -> str:
        assert self.opcode == CLOSE
        return self.payload[2:].decode()


def client_frame(
    payload: bytes = b"",
    opcode: int = BINARY,
    *,
    fin: bool = True,
    reserved: int = 0,
    mask: bytes | None = MASK,
    length: int | None = None,
    length_bytes: int | None = None,
) -> bytes:
    """One frame. `length` is the length it claims, in `length_bytes` (0, 2 or 8) extra bytes."""
    size = len(payload) if length is None else length
    if length_bytes is None:
        length_bytes = 0 if size < 126 else 2 if size < 65_536 else 8
    short = {0: size, 2: 126, 8: 127}[length_bytes]
    head = bytes((fin << 7 | reserved << 4 | opcode, (mask is not None) << 7 | short))
    head += size.to_bytes(length_bytes, "big") if length_bytes else b""
    if mask is None:
        return head + payload
    return head + mask + masked(payload, mask)


def masked(payload: bytes, mask: bytes = MASK) -> bytes:
    whole = (mask * (len(payload) // 4 + 1))[: len(payload)]
    return (int.from_bytes(payload, "big") ^ int.from_bytes(whole, "big")).to_bytes(len(payload), "big")


def close_payload(code: int, reason: str = "") -> bytes:
    return code.to_bytes(2, "big") + reason.encode()


def handshake(
    port: int,
    path: str = "/ws",
    *,
    origin: str | None = None,
    subprotocol: str | None = SUBPROTOCOL,
    headers: Iterable[tuple[str, str]] = (),
    host: str | None = None,
) -> bytes:
    """The opening request."""
    lines = [
        f"GET {path} HTTP/1.1",
        f"Host: {host or f'127.0.0.1:{port}'}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        *([f"Origin: {origin}"] if origin is not None else []),
        *([f"Sec-WebSocket-Protocol: {subprotocol}"] if subprotocol is not None else []),
        *(f"{name}: {value}" for name, value in headers),
    ]
    return "\r\n".join((*lines, "", "")).encode("latin-1")


class WireClient:
    """One client; an async context manager that cuts the connection on exit."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    async def connect(
        cls,
        port: int,
        *,
        local: str | None = None,
        receive_buffer: int | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> WireClient:
        """A connection from the address `local` on which nothing has been sent yet."""
        sock = socket.socket()
        if local is not None:
            sock.bind((local, 0))
        sock.setblocking(False)
        if receive_buffer is not None:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", port))
        name = "localhost" if tls else None
        reader, writer = await asyncio.open_connection(
            sock=sock, limit=receive_buffer or 2**20, ssl=tls, server_hostname=name
        )
        return cls(reader, writer)

    @classmethod
    async def open(
        cls,
        port: int,
        path: str = "/ws",
        *,
        origin: str | None = None,
        subprotocol: str | None = SUBPROTOCOL,
        headers: Iterable[tuple[str, str]] = (),
        host: str | None = None,
        local: str | None = None,
        receive_buffer: int | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> WireClient:
        """A connection after its handshake. Raises Refused."""
        client = await cls.connect(port, local=local, receive_buffer=receive_buffer, tls=tls)
        request = handshake(port, path, origin=origin, subprotocol=subprotocol, headers=headers, host=host)
        try:
            await client.say(request)
            await client.answer()
        except BaseException:
            await client.cut()
            raise
        return client

    async def answer(self) -> dict[str, str]:
        """The headers of the server's 101. Raises Refused for any other response."""
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        status, *lines = head.rstrip().split("\r\n")
        headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
        if " 101 " not in status + " ":
            body = await self.reader.readexactly(int(headers.get("content-length", "0")))
            raise Refused(int(status.split(" ")[1]), headers, body.decode())
        assert headers["sec-websocket-accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="  # section 1.3
        return headers

    # --- sending ---

    async def say(self, data: bytes) -> None:
        """Sends these bytes as they are."""
        self.writer.write(data)
        await self.writer.drain()

    async def send(self, payload: bytes) -> None:
        """Sends one ordinary message."""
        await self.say(client_frame(payload))

    # --- receiving ---

    async def frame(self) -> ServerFrame:
        """The next frame of any kind. Raises IncompleteReadError or ConnectionResetError at the end."""
        first, second = await self.reader.readexactly(2)
        assert first & 0xF0 == 0x80, "a server sends whole frames without reserved bits"
        assert second < 0x80, "a server does not mask"
        size = second
        if second == 126:
            size = int.from_bytes(await self.reader.readexactly(2), "big")
            assert size > 125, "the shortest form of a length"
        elif second == 127:
            size = int.from_bytes(await self.reader.readexactly(8), "big")
            assert size > 65_535, "the shortest form of a length"
        return ServerFrame(first & 0x0F, await self.reader.readexactly(size))

    async def receive(self) -> bytes:
        """The next frame, which must be a message."""
        opcode, payload = await self.frame()
        assert opcode == BINARY, (opcode, payload)
        return payload

    async def close_frame(self) -> ServerFrame:
        """The close frame; skips pings and messages before it."""
        while (frame := await self.frame()).opcode != CLOSE:
            pass
        return frame

    async def end(self) -> bytes:
        """Everything up to the end of the connection, however it ends."""
        try:
            return await self.reader.read()
        except ConnectionResetError:
            return b""

    # --- leaving ---

    async def leave(self, code: int = 1000) -> None:
        """Does the close handshake and waits for the connection to end."""
        await self.say(client_frame(close_payload(code), CLOSE))
        assert (await self.close_frame()).code == code
        assert await self.end() == b""

    async def cut(self) -> None:
        """Cuts the connection without a close frame: the server sees a reset."""
        sock = self.writer.get_extra_info("socket")
        if sock is not None and not self.writer.is_closing():
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()
        with contextlib.suppress(OSError):
            await self.writer.wait_closed()

    async def __aenter__(self) -> WireClient:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.cut()
