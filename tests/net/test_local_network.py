"""The address shown for phones."""

from __future__ import annotations

import socket

from hub.net.local_network import network_addresses


def test_the_address_is_one_of_ipv4() -> None:
    for address in network_addresses():
        assert socket.inet_ntoa(socket.inet_aton(address)) == address
