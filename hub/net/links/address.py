"""Where other hubs reach this one: PARLEY_HUB_URL, or this machine's address on the way to the store.

Links have a port of their own, which no client needs. Nobody but hubs with the same secret gets past its TLS.
"""

from __future__ import annotations

import ipaddress
import socket
from typing import Final
from urllib.parse import urlsplit

from hub.config import CannotStart, Exit
from hub.store.address import StoreAddress

LOOPBACK: Final = "127.0.0.1"


def listen_for_links(hub_url: str | None, redis_url: str) -> tuple[socket.socket, str]:
    """The listening socket for links, and the URL to it that other hubs use.

    `hub_url` is the operator's choice, such as wss://10.0.0.7:8421; its address is listened on if it is this
    machine's, otherwise every address (something in between forwards the port). Raises CannotStart.
    """
    on_this_machine = _find_own_address(redis_url)
    if hub_url is None:
        listening = _bind(on_this_machine, 0)
        return listening, _make_url(on_this_machine, listening.getsockname()[1])
    parts = urlsplit(hub_url)
    host, port = parts.hostname or "", parts.port or 0
    address = _resolve(host, hub_url)
    if address.is_unspecified or address.is_multicast:
        raise _wrong(hub_url, "no hub can connect to this address")
    if address.is_loopback and not ipaddress.ip_address(on_this_machine).is_loopback:
        raise _wrong(hub_url, "only this machine can connect to this address, and the store is elsewhere")
    try:
        return _bind(str(address), port), hub_url
    except CannotStart:
        if _is_own(str(address)):
            raise
        return _bind("::" if address.version == 6 else "0.0.0.0", port), hub_url


def _find_own_address(redis_url: str) -> str:
    """The address of this machine from which it reaches the store."""
    store = StoreAddress.parse(redis_url)  # with Sentinels, the first of them
    if store.path is not None:
        return LOOPBACK
    try:
        family, kind, proto, _, target = socket.getaddrinfo(store.host, store.port, type=socket.SOCK_DGRAM)[0]
        with socket.socket(family, kind, proto) as probe:
            probe.connect(target)  # sends nothing: it only chooses the route
            return str(probe.getsockname()[0])
    except OSError:
        return LOOPBACK  # the store cannot be reached either, which is said elsewhere


def _is_own(address: str) -> bool:
    with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as probe:
        try:
            probe.bind((address, 0))
        except OSError:
            return False
    return True


def _resolve(host: str, hub_url: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    try:
        return ipaddress.ip_address(socket.getaddrinfo(host, None)[0][4][0])
    except (OSError, ValueError):
        raise _wrong(hub_url, f"the name {host} has no address here") from None


def _bind(address: str, port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((address, port))
        listening.listen(128)
    except OSError as error:
        listening.close()
        raise CannotStart(
            f"Cannot listen for other hubs on {address} port {port} ({error.strerror or error}): choose "
            "another address or port with PARLEY_HUB_URL.",
            Exit.PORT,
        ) from error
    return listening


def _make_url(address: str, port: int) -> str:
    return f"wss://[{address}]:{port}" if ":" in address else f"wss://{address}:{port}"


def _wrong(hub_url: str, why: str) -> CannotStart:
    return CannotStart(
        f"PARLEY_HUB_URL is {hub_url}, but {why}: set it to the address at which the other hubs on this "
        "store reach this one, such as wss://10.0.0.7:8421, or leave it out.",
        Exit.USAGE,
    )
