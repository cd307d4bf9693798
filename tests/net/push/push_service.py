"""A push service of the tests' own, and browsers that have subscribed to it."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import jwt
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDH,
    SECP256R1,
    EllipticCurvePublicKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from hub.net.push.transport import PushTransport
from hub.store.subscriptions import Subscription
from tests.harness.certificates import self_signed

NAME = "localhost"
"""The name in the service's certificate."""


class Request(NamedTuple):
    target: str
    headers: dict[str, str]
    body: bytes


class Browser:
    """A subscription with its private key."""

    def __init__(self, endpoint: str, at: int) -> None:
        self._key = generate_private_key(SECP256R1())
        self._auth = sha256(endpoint.encode()).digest()[:16]
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self._point = point
        self.subscription = Subscription(endpoint, point, self._auth, at)

    def decrypt(self, body: bytes) -> bytes:
        """The message in a body (RFC 8188, RFC 8291)."""
        salt, length = body[:16], body[20]
        sender, sealed = body[21 : 21 + length], body[21 + length :]
        shared = self._key.exchange(ECDH(), EllipticCurvePublicKey.from_encoded_point(SECP256R1(), sender))
        secret = _derive(self._auth, shared, b"WebPush: info\0" + self._point + sender, 32)
        key = _derive(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
        nonce = _derive(salt, secret, b"Content-Encoding: nonce\0", 12)
        return AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\0")[:-1]


def _derive(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    return HKDF(algorithm=hashes.SHA256(), length=length, salt=salt, info=info).derive(secret)


def verify(header: str, origin: str, key: bytes) -> dict[str, Any]:
    """The claims in an Authorization header that this key has signed for this origin (RFC 8292)."""
    scheme, _, rest = header.partition(" ")
    assert scheme == "vapid"
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    public = EllipticCurvePublicKey.from_encoded_point(SECP256R1(), key)
    claims: dict[str, Any] = jwt.decode(parts["t"], public, algorithms=["ES256"], audience=origin)
    return claims


class PushService:
    """Answers every request with `answer`; `requests` are those that arrived whole."""

    def __init__(self, port: int, tls: ssl.SSLContext) -> None:
        self.port = port
        self.tls = tls
        self.requests: list[Request] = []
        self.arrived = asyncio.Event()
        """Set by the first request."""
        self.connections = 0
        self.answer = b"HTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n"
        self.endless: bytes | None = None
        """Sent again and again after the answer."""
        self.is_silent = False

    def endpoint(self, name: str = "push.example", path: str = "/a?b=c") -> str:
        return f"https://{name}:{self.port}{path}"

    def transport(self, seconds: float = 20.0, **more: Any) -> PushTransport:
        """A transport for which names lead to this service, and its certificate is for each of them."""

        async def resolve(_host: str, _port: int) -> list[str]:
            return ["127.0.0.1"]

        settings: dict[str, Any] = {
            "tls": self.tls,
            "resolve": resolve,
            "is_allowed": lambda address: address == "127.0.0.1",
            "ports": {self.port},
            "seconds": seconds,
        }
        return PushTransport(**{**settings, **more})

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            headers = dict(line.lower().split(": ", 1) for line in head[1:] if line)
            body = await reader.readexactly(int(headers["content-length"]))
            self.requests.append(Request(head[0].split(" ")[1], headers, body))
            self.arrived.set()
            if self.is_silent:
                await reader.read()
            writer.write(self.answer)
            while self.endless is not None:
                writer.write(self.endless)
                await writer.drain()
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def run_service(
    folder: Path, host: str = "127.0.0.1", verify_name: bool = False
) -> AsyncIterator[PushService]:
    file = self_signed(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    tls = ssl.create_default_context(cafile=file)
    tls.check_hostname = verify_name
    service: PushService | None = None
    handle: Callable[..., Any] = lambda reader, writer: service and service.serve(reader, writer)  # noqa: E731
    server = await asyncio.start_server(handle, host, 0, ssl=context)
    service = PushService(server.sockets[0].getsockname()[1], tls)
    async with server:
        yield service
