"""One request to a push service, whose address a stranger has given: to a public address alone, that was
checked and is the one connected to (no DNS rebinding), over TLS, without redirects, in bounded time, reading
nothing of the answer but its status (R28).
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Final
from urllib.parse import SplitResult, urlsplit

import h11

SECONDS: Final = 10.0
"""How long a request may take altogether."""
MAX_BYTES: Final = 16 * 1024
"""The most that is read of an answer."""
MAX_ADDRESSES: Final = 4
"""Addresses of one name that are tried."""
PORTS: Final = frozenset((443,))
MAX_ENDPOINT: Final = 1000

TRANSLATION: Final = ipaddress.ip_network("64:ff9b::/96")
"""IPv6 addresses that stand for IPv4 ones behind a translator (RFC 6052)."""
GLOBAL_UNICAST: Final = ipaddress.ip_network("2000::/3")
"""The IPv6 addresses assigned for the Internet (RFC 4291 section 2.4); to `ipaddress`, more are global."""


class RefusedEndpoint(Exception):
    """This endpoint may not be called, now or later."""


class Unreachable(Exception):
    """The push service did not answer, or not with HTTP."""


def is_public(address: str) -> bool:
    """Whether an address is on the public Internet, and so is the one it stands for."""
    number = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(number, ipaddress.IPv6Address):
        inner = number.ipv4_mapped or number.sixtofour or (number.teredo and number.teredo[1])
        if inner is None and number in TRANSLATION:
            inner = ipaddress.IPv4Address(int(number) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
        if number not in GLOBAL_UNICAST:
            return False
    return number.is_global and not number.is_multicast


def split_endpoint(endpoint: str, ports: Collection[int] = PORTS) -> SplitResult:
    """The parts of a valid endpoint. Raises RefusedEndpoint."""
    try:
        url = urlsplit(endpoint)
        port = url.port or 443
    except ValueError:
        raise RefusedEndpoint("not a URL") from None
    host = url.hostname or ""
    printable = endpoint.isascii() and endpoint.isprintable() and " " not in endpoint
    if not printable or len(endpoint) > MAX_ENDPOINT or url.scheme != "https" or url.fragment:
        raise RefusedEndpoint("not an https URL")
    if url.username is not None or url.password is not None or port not in ports:
        raise RefusedEndpoint("not an address of a push service")
    if _is_address(host) or "." not in host.strip("."):
        raise RefusedEndpoint("not a name on the Internet")
    return url


async def resolve(host: str, port: int) -> Sequence[str]:
    """The addresses of a host. Raises OSError."""
    infos = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(info[4][0]) for info in infos]


class PushTransport:
    """Sends requests. The parameters are for tests; a hub uses the defaults."""

    def __init__(
        self,
        *,
        tls: ssl.SSLContext | None = None,
        resolve: Callable[[str, int], Awaitable[Sequence[str]]] = resolve,
        is_allowed: Callable[[str], bool] = is_public,
        ports: Collection[int] = PORTS,
        seconds: float = SECONDS,
    ) -> None:
        self._tls = tls
        self._resolve = resolve
        self._is_allowed = is_allowed
        self._ports = ports
        self._seconds = seconds

    async def post(self, endpoint: str, headers: Mapping[str, str], body: bytes) -> int:
        """The status with which the push service answers. Raises RefusedEndpoint, Unreachable."""
        url = split_endpoint(endpoint, self._ports)
        try:
            async with asyncio.timeout(self._seconds):
                return await self._post(url, headers, body)
        except (OSError, TimeoutError, UnicodeError, h11.ProtocolError) as error:
            raise Unreachable(type(error).__name__) from error

    async def _post(self, url: SplitResult, headers: Mapping[str, str], body: bytes) -> int:
        host, port = url.hostname or "", url.port or 443
        addresses = list(dict.fromkeys(await self._resolve(host, port)))[:MAX_ADDRESSES]
        if not addresses or not all(map(self._is_allowed, addresses)):
            raise RefusedEndpoint("not a public address")
        if self._tls is None:  # reading the authorities takes some 50 ms
            self._tls = await asyncio.to_thread(ssl.create_default_context)
        reader, writer = await self._connect(addresses, port, host)
        try:
            http = h11.Connection(h11.CLIENT, max_incomplete_event_size=MAX_BYTES)
            target = (url.path or "/") + (f"?{url.query}" if url.query else "")
            framing = {"host": url.netloc, "content-length": str(len(body)), "connection": "close"}
            request = h11.Request(method="POST", target=target, headers=list({**headers, **framing}.items()))
            writer.write((http.send(request) or b"") + (http.send(h11.Data(data=body)) or b""))
            return await _read_status(http, reader)
        finally:
            writer.transport.abort()  # a goodbye would wait for the other side

    async def _connect(
        self, addresses: Sequence[str], port: int, host: str
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection to the first of these addresses that answers, and proves to be the host."""
        for address in addresses[:-1]:
            try:
                return await self._open(address, port, host)
            except OSError:
                continue
        return await self._open(addresses[-1], port, host)

    async def _open(
        self, address: str, port: int, host: str
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(
            address, port, ssl=self._tls, server_hostname=host, limit=MAX_BYTES
        )


async def _read_status(http: h11.Connection, reader: asyncio.StreamReader) -> int:
    unread = MAX_BYTES
    while True:
        event = http.next_event()
        if isinstance(event, h11.Response):
            return event.status_code
        if event is h11.NEED_DATA:
            received = await reader.read(min(4096, unread))
            unread -= len(received)
            if not received:
                raise ConnectionResetError("the answer ended early, or is too long")
            http.receive_data(received)
        elif not isinstance(event, h11.InformationalResponse):
            raise ConnectionResetError("not an answer")


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return host.replace(".", "").isdecimal()  # forms such as 127.1, which resolvers accept
    return True
