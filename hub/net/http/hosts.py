"""The names under which a hub answers requests, as a defence against DNS rebinding.

A page from another site can make its own name resolve to this machine, or to one in its visitor's network.
The browser then treats it as having the same origin as the hub, but it cannot change the Host header of its
requests.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from typing import Final, Self
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from hub.net.http.errors import ApiError, refuse

LABEL: Final = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
HOST: Final = re.compile(
    rf"(?P<name>(?=.{{1,253}}(?::|$)){LABEL}(?:\.{LABEL})*|\[[0-9a-f:.]{{2,45}}\])(?::(?P<port>[0-9]{{1,5}}))?",
    re.I,
)
"""A valid Host header: a name or an address, with an optional port."""
LOCAL_SUFFIXES: Final = (".localhost", ".local")
"""The endings of names that resolve only within the visitor's own network (RFC 6761, RFC 6762)."""


def host_name(connection: HTTPConnection) -> str | None:
    """The name or address in the Host header, without the port; None unless there is one valid header."""
    hosts = connection.headers.getlist("host")
    host = HOST.fullmatch(hosts[0]) if len(hosts) == 1 else None
    if host is None or not 0 < int(host["port"] or 80) < 65536:
        return None
    return host["name"].strip("[]").lower()


class KnownHosts:
    """The names of one hub. `public_url` is where browsers reach it, if the operator has said so."""

    def __init__(self, public_url: str | None = None, machine_names: tuple[str, ...] = ()) -> None:
        self._public = None if public_url is None else urlsplit(public_url).hostname
        self._names = frozenset(("localhost", *(name.lower() for name in machine_names)))

    @classmethod
    def of_this_machine(cls, public_url: str | None) -> Self:
        name = socket.gethostname()
        return cls(public_url, (name, name.partition(".")[0]))

    def is_known(self, name: str | None) -> bool:
        """Whether this is one of the hub's names, which no page from another site can have."""
        if name is None:
            return False
        return (
            name == self._public or name in self._names or name.endswith(LOCAL_SUFFIXES) or _is_address(name)
        )

    def is_allowed(self, name: str | None) -> bool:
        """Whether requests may use this name: any name if there is a public URL, since a proxy may use its
        own."""
        return self._public is not None or self.is_known(name)


class HostMiddleware:
    """Refuses requests and sockets under a name that is not the hub's."""

    def __init__(self, app: ASGIApp, hosts: KnownHosts) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        name = host_name(connection)
        if self._hosts.is_allowed(name) or "host" not in connection.headers:  # HTTP/1.0 has none
            await self._app(scope, receive, send)
            return
        response = refuse(ApiError(400, "BAD_HOST", _advice(name)))
        if scope["type"] == "websocket":
            await WebSocket(scope, receive, send).send_denial_response(response)
        else:
            await response(scope, receive, send)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _advice(name: str | None) -> str:
    if name is None:
        return "Send one Host header that is this hub's name or address and port."
    return (
        "This hub does not answer to this name: use its address, or have its operator set PARLEY_PUBLIC_URL."
    )
