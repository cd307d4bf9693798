"""The process's limit on descriptors: raised at the start, and divided between connections and the rest.

Every connection needs a descriptor, and so do the store's connections, its restarts, the bots' worker and the
log. A hub that gives all of them to its clients cannot reach its store any more.
"""

from __future__ import annotations

import contextlib
import resource
from typing import Final

from hub.config import CannotStart, Exit

RESERVE: Final = 256
"""Descriptors that clients' connections cannot use. The hub and its connections to the store use about 40,
handshakes of links at most 64 (hub/net/links/handshakes.py), and the links to each other hub two."""
MAX_CONNECTIONS: Final = 50_000
"""The maximum number of connections unless PARLEY_CONNECTIONS is set; each takes a few kilobytes."""


def raise_descriptor_limit() -> int:
    """Raises this process's soft limit on open descriptors to the hard one (setrlimit(2)); returns it."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):  # some systems report a higher limit than they allow
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MAX_CONNECTIONS + RESERVE if soft == resource.RLIM_INFINITY else soft


def connection_total(limit: int, setting: int | None) -> int:
    """The number of connections that a hub with this many descriptors may have. Raises CannotStart (exit
    2)."""
    available = max(limit - RESERVE, limit // 2)
    if setting is None:
        return min(available, MAX_CONNECTIONS)
    if setting > available:
        raise CannotStart(
            f"PARLEY_CONNECTIONS is {setting}, but this process may have only {limit} descriptors, of which "
            f"{limit - available} are for the hub itself: raise the limit (ulimit -n, LimitNOFILE), or set "
            f"PARLEY_CONNECTIONS to at most {available}.",
            Exit.USAGE,
        )
    return setting
