"""What one socket may do: how many messages, and how long it may take to say hello."""

from __future__ import annotations

HELLO_WITHIN = 10_000
"""Milliseconds a socket has for its first message."""


class Allowance:
    """A token bucket: `rate` messages a second, `burst` at once. Clock readings (ms) are passed in."""

    __slots__ = ("_burst", "_left", "_rate", "_then")

    def __init__(self, rate: float, burst: float, now: int) -> None:
        self._rate = rate / 1000
        self._burst = burst
        self._left = burst
        self._then = now

    def take(self, now: int) -> bool:
        """Takes one message if the allowance has it."""
        self._left = min(self._burst, self._left + (now - self._then) * self._rate)
        self._then = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
