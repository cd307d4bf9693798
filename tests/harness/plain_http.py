"""Clients for the HTTP API of hubs that tests start, which speak plain http."""

from __future__ import annotations

import ssl
from typing import Any, Final

import httpx

NO_CERTIFICATES: Final = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Reading the machine's certificates for each client would take longer than most requests."""
PATIENCE: Final = 30.0
PLAIN: Final[dict[str, Any]] = {"timeout": PATIENCE, "trust_env": False, "verify": NO_CERTIFICATES}


def plain_http(url: str, **settings: Any) -> httpx.AsyncClient:
    """A client for the hub at this URL, that uses no proxy; `settings` are httpx's."""
    return httpx.AsyncClient(base_url=url, **PLAIN | settings)


def blocking_http(url: str, **settings: Any) -> httpx.Client:
    """The same, for tests that wait for each answer."""
    return httpx.Client(base_url=url, **PLAIN | settings)
