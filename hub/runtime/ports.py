"""What a room needs of the world around it, as protocols: time, the store, and whoever listens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from games.api import Refusal, Seat
from hub.store.pipe import Commit, Result
from hub.worker.bot_executor import BotTask


class Handle(Protocol):
    def cancel(self) -> None: ...


class Timers(Protocol):
    """The event loop, as far as a room needs it."""

    def soon(self, call: Callable[[], None]) -> None: ...

    def later(self, milliseconds: int, call: Callable[[], None]) -> Handle: ...

    def now(self) -> int:
        """Monotonic milliseconds."""
        ...


class Clock(Protocol):
    """The owner's live clock (hub/store/lease.py)."""

    def now_live(self) -> int: ...

    def stands(self) -> bool:
        """Whether the live clock stands still, since heartbeats are not confirmed."""
        ...


class Commits(Protocol):
    def submit(self, commit: Commit, done: Callable[[Result], None]) -> None: ...


class Minds(Protocol):
    """Where slow bots decide (hub/worker/bot_executor.py)."""

    def submit(self, task: BotTask) -> None:
        """Calls the task's `answer` once, at once or later, unless the task is cancelled."""
        ...


class Viewer(Protocol):
    """A socket that follows a room: one seat's, or (None) a watcher's."""

    seat: Seat | None

    @property
    def send(self) -> Callable[[bytes], None]:
        """Takes framed bytes; never waits."""
        ...

    def close(self, code: int) -> None: ...


class Responder(Protocol):
    """Whoever waits for the verdict of a command."""

    def answer(self, n: int, refusal: Refusal | None) -> None:
        """Told once: the command was applied, or why not."""
        ...

    def lost(self) -> None:
        """The room was lost before there was a verdict; the command may be sent to its new owner."""
        ...
