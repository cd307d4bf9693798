"""TLS to the store: one context for all connections, also for those of redis-py to Sentinels and nodes."""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from typing import Any, Final

from redis.asyncio import SSLConnection

TLS_SECONDS: Final = 0.9
NODE_TLS_SECONDS: Final = 0.4
"""How long a handshake may take, with the store and with a Sentinel or node that is only asked: a server that
does not speak TLS may wait for more and say nothing. It is less than any connection to them may take, so that
this is what the error names."""


class TlsConnection(SSLConnection):
    """redis-py's connection, with a context that exists. It would make one for each connection, which reads
    all authorities of the system again and holds up the hub for some 30 ms."""

    def __init__(self, tls: ssl.SSLContext, **options: Any) -> None:
        super().__init__(**options)
        self.ssl_context.context = tls

    def _connection_arguments(self) -> Mapping[str, Any]:
        return {**super()._connection_arguments(), "ssl_handshake_timeout": NODE_TLS_SECONDS}


def make_context(options: Mapping[str, Any]) -> ssl.SSLContext:
    """The context for the options of a URL, which are those of redis-py. Raises OSError."""
    context = ssl.create_default_context(
        cafile=options.get("ssl_ca_certs"), capath=options.get("ssl_ca_path")
    )
    if options.get("ssl_certfile"):
        context.load_cert_chain(options["ssl_certfile"], options.get("ssl_keyfile"))
    if options.get("ssl_cert_reqs") == "none":
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    elif str(options.get("ssl_check_hostname", "true")).lower() in ("false", "0", "no"):
        context.check_hostname = False
    return context
