"""The address of the store: where it is, how to log in, and TLS."""

from __future__ import annotations

import asyncio
import ssl
from dataclasses import dataclass
from typing import Any

from redis.connection import parse_url

from hub.config import CannotStart, Exit
from hub.store.resp import pack


@dataclass(slots=True, frozen=True)
class StoreAddress:
    """The address of a store and how to connect to it, from a URL that redis-py understands."""

    url: str
    host: str
    port: int
    path: str | None
    username: str | None
    password: str | None
    db: int
    tls: ssl.SSLContext | None

    @classmethod
    def parse(cls, url: str) -> StoreAddress:
        """The address for a URL. Raises CannotStart for any that redis-py does not understand."""
        try:
            parts: dict[str, Any] = dict(parse_url(url))  # type: ignore[no-untyped-call]
            tls = _tls(parts) if url.startswith("rediss://") else None
        except (ValueError, OSError) as error:
            raise CannotStart(f"PARLEY_REDIS_URL cannot be used: {error}.", Exit.USAGE) from error
        return cls(
            url=url,
            host=parts.get("host", "localhost"),
            port=parts.get("port", 6379),
            path=parts.get("path"),
            username=parts.get("username"),
            password=parts.get("password"),
            db=parts.get("db", 0),
            tls=tls,
        )

    async def connect(self, protocol: asyncio.Protocol) -> None:
        loop = asyncio.get_running_loop()
        if self.path is not None:
            await loop.create_unix_connection(lambda: protocol, self.path)
        else:
            await loop.create_connection(lambda: protocol, self.host, self.port, ssl=self.tls)

    def greeting(self) -> list[bytes]:
        """The packed commands that open a connection: AUTH and SELECT, if needed."""
        commands = []
        if self.password is not None:
            login = (self.username, self.password) if self.username else (self.password,)
            commands.append(pack(b"AUTH", *login))
        if self.db:
            commands.append(pack(b"SELECT", self.db))
        return commands

    def __str__(self) -> str:
        return self.path or f"{self.host}:{self.port}"


def _tls(parts: dict[str, Any]) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=parts.get("ssl_ca_certs"), capath=parts.get("ssl_ca_path"))
    if parts.get("ssl_certfile"):
        context.load_cert_chain(parts["ssl_certfile"], parts.get("ssl_keyfile"))
    if parts.get("ssl_cert_reqs") == "none":
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    elif str(parts.get("ssl_check_hostname", "true")).lower() in ("false", "0", "no"):
        context.check_hostname = False
    return context
