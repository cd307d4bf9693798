"""The services a room needs from its environment, as protocols: a live clock, the store, bots, and its
clients.

The event loop's time is a separate port (hub/clock.py). `Services` holds what all of a hub's rooms share.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from msgspec import Struct, field

from games.api import Refusal, Seat
from hub.clock import Clock
from hub.runtime.overload import Overload
from hub.store.pipe import Commit, Result
from hub.table.room import Room, Table
from hub.telemetry.metrics import Metrics
from hub.wire.limits import TalkLimits
from hub.worker.bot_executor import BotTask


class LiveClock(Protocol):
    """The owner's live clock, from which table time is read (hub/store/lease.py)."""

    def now_live(self) -> int: ...

    def is_frozen(self) -> bool:
        """Whether the clock is stopped because heartbeats are not confirmed."""
        ...

    def is_lost(self) -> bool:
        """Whether others may have taken this hub's rooms, because its heartbeats are not confirmed."""
        ...


class Commits(Protocol):
    """Sends commits to the store (hub/store/pipe.py)."""

    def submit(self, commit: Commit, done: Callable[[Result], None]) -> None: ...


class BotExecutor(Protocol):
    """Runs the decisions of slow bots (hub/worker/bot_executor.py)."""

    def submit(self, task: BotTask) -> None:
        """Calls the task's `answer` once, immediately or later, unless the task is cancelled."""
        ...


class Viewer(Protocol):
    """A connection that follows a room: for one seat, or as a watcher (None)."""

    seat: Seat | None
    person: str
    """The id of the person who opened it, and their name."""
    name: str

    @property
    def send(self) -> Callable[[bytes], None]:
        """Sends framed bytes; never waits."""
        ...

    def close(self, code: int) -> None: ...


class Responder(Protocol):
    """Receives the verdict on a command: exactly one of the two methods is called, once."""

    def answer(self, n: int, refusal: Refusal | None) -> None:
        """Called when the command was applied and stored, or refused.

        `n` is the number of a client's command, or the session from an `Attach`; otherwise 0.
        """
        ...

    def abandoned(self) -> None:
        """Called if the hub lost the room before there was a verdict; its new owner can be asked."""
        ...


class SummarySource(Protocol):
    """The part of a room's actor from which its summary is made (hub/runtime/lobby.py), listed or not."""

    room: Room
    token: str

    @property
    def sequence(self) -> int: ...

    @property
    def watchers(self) -> int: ...

    @property
    def shown_table(self) -> Table:
        """The table as people without a seat may see it."""
        ...


class Services(Struct, frozen=True):
    """The services that all actors on a hub share."""

    clock: Clock
    live_clock: LiveClock
    commits: Commits
    bot_executor: BotExecutor
    metrics: Metrics
    stopped: Callable[[str, str], None]
    """Called with (room, reason) when an actor stops: fenced, fault, asleep, handed over or cut off."""
    summary: Callable[[SummarySource], None]
    """Called when what the lobby shows about a room changes."""
    started: Callable[[SummarySource], None]
    """Called when a room's game has begun."""
    talk_limits: TalkLimits
    wall: Callable[[], float] = time.time
    """The time of day, in seconds since 1970."""
    summon: Callable[[str, str, str], None] = lambda person, code, name: None
    """Calls back a person who is away from a table that waits for them (hub/runtime/summons.py)."""
    overload: Overload = field(default_factory=Overload)
