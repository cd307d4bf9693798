"""The messages that all sockets of a site may send together: beyond that, the hub reads them later (G8.16).

Each socket has a limit of its own, but a thousand of them, each within its limit, could keep a hub busy. A
refusal would cost the hub as much as the message; reading later costs nothing, and TCP slows the sender down.
Its sockets wait one after the other: each message over the budget makes the next socket wait longer.
"""

from __future__ import annotations

from collections import Counter

from hub.wire.limits import TokenBucket, network, site, subtract


class SiteBudgets:
    """The budget of each site with an open socket: `rate` messages per second, and `burst` at once."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = burst
        self._budgets: dict[str, TokenBucket] = {}
        self._sockets: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._budgets)

    def join(self, address: str | None, at: int) -> TokenBucket | None:
        """The budget for one more socket from this address; None for this machine, which has no limit."""
        origin = network(address)
        if origin is None:
            return None
        key = site(origin)
        self._sockets[key] += 1
        budget = self._budgets.get(key)
        if budget is None:
            budget = self._budgets[key] = TokenBucket(self._rate, self._burst, at)
        return budget

    def leave(self, address: str | None) -> None:
        """Forgets a socket from this address; the site's last one takes its budget along."""
        origin = network(address)
        if origin is not None:
            key = site(origin)
            subtract(self._sockets, key)
            if key not in self._sockets:
                del self._budgets[key]
