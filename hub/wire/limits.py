"""Rate limits: token buckets, and which clients share one."""

from __future__ import annotations

import ipaddress
import math
from collections import Counter, OrderedDict
from functools import lru_cache
from typing import Final, NamedTuple

SITE_SHARE: Final = 10
"""A site may use one in this many of what a hub allows in all, or it could use that up for everybody."""
SPEAKERS_KEPT: Final = 100
"""The number of speakers at one table whose buckets are kept; the shared bucket limits a flood of
speakers."""


class Budget(NamedTuple):
    """`burst` messages at once, and `rate` per second in the long run."""

    rate: float
    burst: float


class TalkLimits(NamedTuple):
    """How much may be said at one table, whatever the number of sockets (G8.11).

    Seats and watchers share nothing. `per_seat` applies to a seat's public talk and, separately, to its
    whispers; nothing limits the whispers of several seats together (G4).
    """

    per_seat: Budget
    of_seats: Budget
    per_watcher: Budget
    of_watchers: Budget


class Opener(NamedTuple):
    """The network (None for this machine) and the id of the person that created or woke a room.

    Limits on rooms and on bots' time count against them while the room is awake. Nothing is stored: after a
    restart, a room counts against the first person to enter.
    """

    network: str | None
    person: str

    @property
    def site(self) -> str | None:
        return None if self.network is None else site(self.network)


class TokenBucket:
    """Allows `burst` actions at once and `rate` per second in the long run. Times are passed in, in ms."""

    __slots__ = ("_burst", "_per_ms", "_tokens", "_updated")

    def __init__(self, rate: float, burst: float, at: int) -> None:
        self._per_ms = rate / 1000
        self._burst = burst
        self._tokens = burst
        self._updated = at

    def spend(self, at: int) -> bool:
        """Spends a token; returns False if there is none."""
        tokens = self._tokens + (at - self._updated) * self._per_ms
        if tokens > self._burst:
            tokens = self._burst
        self._updated = at
        self._tokens = tokens - 1 if tokens >= 1 else tokens
        return tokens >= 1

    def borrow(self, at: int, count: int = 1) -> float:
        """Spends tokens, though there may be too few; returns the milliseconds until they are repaid."""
        self._tokens = min(self._burst, self._tokens + (at - self._updated) * self._per_ms) - count
        self._updated = at
        return -self._tokens / self._per_ms if self._tokens < 0 else 0.0

    def wait(self) -> float:
        """Milliseconds from the last `spend` until there is a token."""
        return max(0.0, (1 - self._tokens) / self._per_ms)

    def wait_at(self, at: int) -> float:
        """Milliseconds from `at` until there is a token; 0 if there is one. Spends nothing."""
        return max(0.0, self.wait() - (at - self._updated))


class Limiter:
    """A token bucket for each key, at most `keys` of them.

    The least recently used bucket is dropped first, and its key starts again with a full one: a flood of keys
    weakens the limits for others, but never fills the hub's memory.
    """

    __slots__ = ("_buckets", "_burst", "_keys", "_rate")

    def __init__(self, rate: float, burst: float, keys: int = 10_000) -> None:
        self._rate = rate
        self._burst = burst
        self._keys = keys
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def __contains__(self, key: str) -> bool:
        """Whether this key has acted, unless that was long ago."""
        return key in self._buckets

    def spend(self, key: str, at: int) -> float:
        """Milliseconds from `at` until this key may act; 0 means it may, and one token is spent."""
        bucket = self._buckets.pop(key, None) or TokenBucket(self._rate, self._burst, at)
        self._buckets[key] = bucket
        if len(self._buckets) > self._keys:
            self._buckets.popitem(last=False)
        return 0.0 if bucket.spend(at) else bucket.wait()

    def wait_at(self, key: str, at: int) -> float:
        """Milliseconds from `at` until this key may act; unlike `spend`, it changes nothing."""
        bucket = self._buckets.get(key)
        return 0.0 if bucket is None else bucket.wait_at(at)

    def wait_for(self, key: str, at: float) -> float:
        """`spend` in seconds. `at`: monotonic seconds."""
        return self.spend(key, int(at * 1000)) / 1000

    def look(self, key: str, at: float) -> float:
        """`wait_at` in seconds. `at`: monotonic seconds."""
        return self.wait_at(key, int(at * 1000)) / 1000


class TalkBudget:
    """A limit for each speaker and, perhaps, one that all of them share.

    A refused message changes nothing, neither for its speaker nor for others (G4).
    """

    __slots__ = ("_shared", "_speakers")

    def __init__(self, each: Budget, shared: Budget | None) -> None:
        self._speakers = Limiter(each.rate, each.burst, SPEAKERS_KEPT)
        self._shared = None if shared is None else TokenBucket(shared.rate, shared.burst, 0)

    def spend(self, speaker: str, at: int) -> int:
        """Milliseconds until this speaker may speak; 0 means now, and the message is counted."""
        shared = self._shared
        wait = self._speakers.wait_at(speaker, at)
        if shared is not None:
            wait = max(wait, shared.wait_at(at))
        if wait > 0:
            return math.ceil(wait)
        self._speakers.spend(speaker, at)
        if shared is not None:
            shared.spend(at)
        return 0


def subtract(counts: Counter[str], key: str) -> None:
    """Counts one less, and forgets a key that has none left."""
    counts[key] -= 1
    if not counts[key]:
        del counts[key]


@lru_cache(maxsize=4096)
def network(address: str | None) -> str | None:
    """The addresses that share a limit: an IPv4 address, or the /64 of an IPv6 one; None for this machine."""
    try:
        parsed = ipaddress.ip_address(address or "")
    except ValueError:
        return None if address is None else address[:64]
    if isinstance(parsed, ipaddress.IPv6Address):
        parsed = parsed.ipv4_mapped or parsed
    if parsed.is_loopback:
        return None
    return str(parsed) if parsed.version == 4 else str(ipaddress.ip_network((parsed, 64), strict=False))


@lru_cache(maxsize=1024)
def site(network: str) -> str:
    """The /24 of an IPv4 network or the /48 of an IPv6 one: one customer may have all of it."""
    try:
        parsed = ipaddress.ip_network(network)
    except ValueError:
        return network
    return str(parsed.supernet(new_prefix=24 if parsed.version == 4 else 48))


def read_network(text: str) -> str | None:
    """The network (see `network`) that a text names, as an address or as an IPv6 /64; otherwise None."""
    address = text.strip().removesuffix("/64")
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return None
    return None if text.strip() != address and parsed.version == 4 else network(address)
