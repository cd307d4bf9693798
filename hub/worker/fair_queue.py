"""The order of the bots' tasks: every site gets the same share of the worker's time, and so does every person
of one site.

The site that has used the least time is served next, as in start-time fair queueing (Goyal, Vin and Cheng,
1996). A site that joins while others wait starts at the time used by the one being served, so nobody saves up
time while idle. However many tables one site fills with slow bots, the next task of another site waits only
for the one that is running.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable
from typing import Final, Generic, Protocol, TypeVar

from hub.wire.limits import Opener

SPARE_ENTRIES: Final = 1000
"""How many keys that are not waiting are remembered; beyond that, keys without debt are forgotten."""


class Task(Protocol):
    opener: Opener

    @property
    def cancelled(self) -> bool: ...


K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
T = TypeVar("T", bound=Task)


class _Shares(Generic[K, V]):
    """Keys that are waiting, each with a value, and the seconds that each key has used."""

    def __init__(self) -> None:
        self.waiting: dict[K, V] = {}
        self._used: dict[K, float] = {}
        self._start = 0.0
        """The time that the key chosen last had used when it was chosen."""

    def enter(self, key: K, make: Callable[[], V]) -> V:
        """The value of a key, which starts to wait if it was not waiting."""
        if key not in self.waiting:
            self.waiting[key] = make()
            self._used[key] = max(self._used.get(key, 0.0), self._start)
        return self.waiting[key]

    def choose(self) -> K:
        """The waiting key that has used the least time; of several, the one that has waited longest."""
        key = min(self.waiting, key=self._used.__getitem__)
        self._start = self._used[key]
        return key

    def leave(self, key: K) -> None:
        del self.waiting[key]
        if not self.waiting:
            self._used.clear()
            self._start = 0.0
        elif len(self._used) > len(self.waiting) + SPARE_ENTRIES:
            self._used = {
                key: used for key, used in self._used.items() if key in self.waiting or used > self._start
            }

    def charge(self, key: K, seconds: float) -> None:
        self._used[key] = self._used.get(key, self._start) + seconds


class FairQueue(Generic[T]):
    """Tasks by the openers of their rooms. An opener's tasks stay in the order in which they were added."""

    def __init__(self) -> None:
        self._sites: _Shares[str | None, _Shares[str, deque[T]]] = _Shares()

    def add(self, task: T) -> None:
        people = self._sites.enter(task.opener.site, _Shares[str, deque[T]])
        people.enter(task.opener.person, deque[T]).append(task)

    def pop(self) -> T | None:
        """The next task that is not cancelled; None if there is none."""
        sites = self._sites
        while sites.waiting:
            site = sites.choose()
            people = sites.waiting[site]
            person = people.choose()
            tasks = people.waiting[person]
            task = tasks.popleft()
            if not tasks:
                people.leave(person)
            if not people.waiting:
                sites.leave(site)
            if not task.cancelled:
                return task
        return None

    def charge(self, opener: Opener, seconds: float) -> None:
        """Counts the time that an opener's task took."""
        self._sites.charge(opener.site, seconds)
        people = self._sites.waiting.get(opener.site)
        if people is not None:
            people.charge(opener.person, seconds)

    def clear(self) -> None:
        self._sites = _Shares()
