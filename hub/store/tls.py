"""TLS to the store: one context for all connections, also for those of redis-py to Sentinels and nodes."""

from __future__ import annotations

import os
import ssl
from collections.abc import Callable, Mapping
from typing import Any, Final

from redis.asyncio import SSLConnection

TLS_SECONDS: Final = 0.9
NODE_TLS_SECONDS: Final = 0.4
"""How long a handshake may take, with the store and with a Sentinel or node that is only asked: a server that
does not speak TLS may wait for more and say nothing. It is less than any connection to them may take, so that
this is what the error names."""
OPTIONS: Final = (
    *("ssl_ca_certs", "ssl_ca_path", "ssl_certfile", "ssl_keyfile", "ssl_password"),
    *("ssl_cert_reqs", "ssl_check_hostname"),
)
"""The options of a URL for TLS, which mean the same as for redis-py. It has others."""


FILES: Final[Mapping[str, Callable[[str], bool]]] = {
    "ssl_ca_certs": os.path.isfile,
    "ssl_ca_path": os.path.isdir,
    "ssl_certfile": os.path.isfile,
    "ssl_keyfile": os.path.isfile,
}
"""The options that name something on this machine, and whether it is there."""


class TlsConnection(SSLConnection):
    """redis-py's connection, with a context that exists. It would make one for each connection, which reads
    all authorities of the system again and holds up the hub for some 30 ms."""

    def __init__(self, tls: ssl.SSLContext, **options: Any) -> None:
        super().__init__(**options)
        self.ssl_context.context = tls

    def _connection_arguments(self) -> Mapping[str, Any]:
        return {**super()._connection_arguments(), "ssl_handshake_timeout": NODE_TLS_SECONDS}


def refuse_options(options: Mapping[str, str]) -> None:
    """Raises ValueError if a URL without TLS has an option for TLS."""
    option = next((option for option in options if option.startswith("ssl_")), None)
    if option is not None:
        raise ValueError(f"{option} is only for TLS: begin the URL with rediss, or leave the option out")


def make_context(options: Mapping[str, str]) -> ssl.SSLContext:
    """The context for the options of a URL, as they stand there. Raises OSError or ValueError."""
    for option in options:
        if option.startswith("ssl_") and option not in OPTIONS:
            raise ValueError(f"there is no option {option}; those for TLS are {', '.join(OPTIONS)}")
    if options.get("ssl_cert_reqs", "required") not in ("none", "required"):
        raise ValueError("ssl_cert_reqs is none or required")
    if options.get("ssl_check_hostname", "true") not in ("true", "false"):
        raise ValueError("ssl_check_hostname is true or false")
    if options.get("ssl_cert_reqs") == "none" and options.get("ssl_check_hostname") == "true":
        raise ValueError("with ssl_cert_reqs=none, no host name is checked: leave out ssl_check_hostname")
    for option in ("ssl_keyfile", "ssl_password"):
        if option in options and "ssl_certfile" not in options:
            raise ValueError(f"{option} needs the certificate of the key, ssl_certfile")
    for option, exists in FILES.items():
        if option in options and not exists(options[option]):
            kind = "directory" if exists is os.path.isdir else "file"
            raise ValueError(f"there is no {kind} {options[option]}: correct {option}")
    context = ssl.create_default_context(
        cafile=options.get("ssl_ca_certs"), capath=options.get("ssl_ca_path")
    )
    _load_certificate(context, options)
    if options.get("ssl_cert_reqs") == "none":
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    elif options.get("ssl_check_hostname") == "false":
        context.check_hostname = False
    return context


def _load_certificate(context: ssl.SSLContext, options: Mapping[str, str]) -> None:
    certificate, key = options.get("ssl_certfile"), options.get("ssl_keyfile")
    if certificate is None:
        return
    is_asked = False

    def give_password() -> str:  # without one, OpenSSL would ask for it at the terminal
        nonlocal is_asked
        is_asked = True
        return options.get("ssl_password", "")

    try:
        context.load_cert_chain(certificate, key, give_password)
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            raise ValueError(f"the key in {key or certificate} is not that of {certificate}") from error
        if is_asked:
            raise ValueError(f"ssl_password does not open the key in {key or certificate}") from error
        raise
