"""This machine's address on its local network."""

from __future__ import annotations

import socket
from typing import Final

OUTSIDE: Final = ("192.0.2.1", 9)
"""A documentation address (RFC 5737). The route to it shows which interface to use; nothing is sent."""


def network_addresses() -> list[str]:
    """The IPv4 address at which other devices on the network reach this machine; empty if there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(OUTSIDE)
        except OSError:
            return []
        return [str(probe.getsockname()[0])]
