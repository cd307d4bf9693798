"""How often somebody may do something: one bucket of allowances per key, in bounded memory."""

from __future__ import annotations

import ipaddress
from collections import OrderedDict


class Limiter:
    """Token buckets: each key may act `burst` times at once, and `rate` times per second in the long run.

    At most `keys` buckets are kept. The one least recently used is forgotten first, and somebody forgotten
    starts afresh: a flood of keys costs the limits of others, never the hub's memory.
    """

    def __init__(self, rate: float, burst: float, keys: int = 10_000) -> None:
        self._rate = rate
        self._burst = burst
        self._keys = keys
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, key: str, now: float) -> float:
        """Seconds to wait before this key may act; 0: now, and it counts. `now` is monotonic, in seconds."""
        left, since = self._buckets.pop(key, (self._burst, now))
        left = min(self._burst, left + (now - since) * self._rate)
        allowed = left >= 1
        self._buckets[key] = (left - 1 if allowed else left, now)
        if len(self._buckets) > self._keys:
            self._buckets.popitem(last=False)
        return 0.0 if allowed else (1 - left) / self._rate


def network(address: str | None) -> str | None:
    """What shares one allowance: an IPv4 address, the /64 of an IPv6 one; None for this machine."""
    try:
        parsed = ipaddress.ip_address(address or "")
    except ValueError:
        return None if address is None else address[:64]
    if isinstance(parsed, ipaddress.IPv6Address):
        parsed = parsed.ipv4_mapped or parsed
    if parsed.is_loopback:
        return None
    return str(parsed) if parsed.version == 4 else str(ipaddress.ip_network((parsed, 64), strict=False))
