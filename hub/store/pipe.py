"""The commit pipe: every room's commits, over one connection to the store, with an answer for each.

The hot path of the hub. All commits submitted in one tick of the event loop leave in one write; answers are
told from the read callback. No task, queue or future per commit, and one timer for them all.

A commit is sent again, byte for byte, until the store says `applied`, `already` or `fenced` (commit.lua), so
a lost answer, a timeout, a reset, a restarted or failed-over store cost time and nothing else. Each answer
carries its commit's tag: one that is lost, repeated or late is noticed, and the connection begun anew.
"""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from hashlib import sha1
from itertools import chain
from pathlib import Path
from typing import Final, Protocol, TypeAlias

import hiredis
import structlog
from msgspec import Struct

from hub.config import Ack, CannotStart, Exit
from hub.store.address import StoreAddress
from hub.store.resp import RespConnection, pack
from hub.telemetry.tasks import Tasks

_log = structlog.get_logger("parley.pipe")

SCRIPT: Final = (Path(__file__).parent / "lua" / "commit.lua").read_bytes()
SCRIPT_SHA: Final = sha1(SCRIPT, usedforsecurity=False).hexdigest().encode()

FIRST_TAG: Final = 2**20
"""Tags are larger than anything else the store answers with, so that an answer shows whose it is."""


class Result(Enum):
    APPLIED = 1
    ALREADY = 2
    """An earlier sending of the same commit was applied."""
    FENCED = 3
    """The room has another owner or another history: nothing was written, and nothing will be."""


RESULTS: Final = (None, Result.APPLIED, Result.ALREADY, Result.FENCED)


class Commit(Struct, frozen=True):
    """One batch of a room, to be written whole or not at all. Everything in bytes is opaque here.

    `seq` is at least `base` + 1 and at least `base` + the number of entries; entry i gets the stream id
    `<epoch>-<base + 1 + i>`. An empty snapshot leaves the stored one, which is then older than the log.
    """

    room: str
    token: str
    """`<epoch>:<incarnation>...` as `Store.take` gave it: compared whole."""
    base: int
    """Sequence the room must have."""
    seq: int
    """Sequence the room has afterwards."""
    at: int
    """Table time, ms."""
    live: int
    """The owner's live clock at `at`, ms."""
    status: str
    """waiting, running, paused or finished. Table time passes while it is `running`."""
    snapshot: bytes
    entries: Sequence[bytes] = ()
    talk: Sequence[tuple[bytes, bytes]] = ()
    """Slots with what was said: it takes the place of what is there."""
    notes: Sequence[tuple[int, bytes]] = ()
    """Seats with their whole new note."""


Done: TypeAlias = Callable[[Result], None]


class Timer(Protocol):
    def cancel(self) -> None: ...


class Clock(Protocol):
    """Where the pipe's waiting comes from, to be faked in tests."""

    def time(self) -> float:
        """Seconds, monotonic."""
        ...

    def later(self, seconds: float, call: Callable[[], None]) -> Timer: ...

    async def sleep(self, seconds: float) -> None: ...


class LoopClock:
    """The running event loop's clock."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.time = self._loop.time

    def later(self, seconds: float, call: Callable[[], None]) -> Timer:
        return self._loop.call_later(seconds, call)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


@dataclass(slots=True)
class Hooks:
    """What the pipe tells of itself: plain callables, called on the hot path."""

    health: Callable[[bool], None] = lambda healthy: None
    """The pipe became (un)healthy."""
    pipeline: Callable[[int], None] = lambda commits: None
    """So many commits left in one write."""
    latency: Callable[[float], None] = lambda seconds: None
    """From a write leaving to the answer of its last commit."""
    resent: Callable[[int], None] = lambda commits: None
    """So many commits will be sent again."""


class _Flight:
    """A commit on its way to an answer."""

    __slots__ = ("done", "packed", "room", "sent", "tag")

    def __init__(self, tag: int, room: str, packed: bytes, done: Done) -> None:
        self.tag = tag
        self.room = room
        self.packed = packed
        self.done = done
        self.sent = 0.0
        """When its write left; 0 unless it is the last of that write."""


class CommitPipe:
    """Commits to one store. Made, then `connect`ed; `submit` works from the start and whatever happens.

    `timeout`: seconds without any answer after which the connection is given up; `replica_seconds`, below it:
    how long a pipeline's WAIT may take before its commits are sent again.
    """

    def __init__(
        self,
        url: str,
        tasks: Tasks,
        *,
        prefix: str = "parley:",
        ack: Ack = "everysec",
        timeout: float = 2.0,
        replica_seconds: float = 1.0,
        hooks: Hooks | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.healthy = False
        """Connected, and no commit is being sent again."""
        self._address = StoreAddress.parse(url)
        self._tasks = tasks
        self._prefix = prefix
        self._replica = ack == "replica"
        self._wait = pack(b"WAIT", b"1", int(replica_seconds * 1000))
        self._timeout = timeout
        self._hooks = hooks or Hooks()
        self._loop = asyncio.get_running_loop()
        self._clock: Clock = clock or LoopClock()
        self._backoff = Backoff()
        self._tag = FIRST_TAG
        self._unsent: list[_Flight] = []
        self._in_flight: deque[_Flight | None] = deque()
        """What answers are awaited for, in order; None: that of a WAIT."""
        self._unconfirmed: list[tuple[_Flight, Result]] = []
        """Answers that wait for their WAIT."""
        self._held: list[_Flight] = []
        """Refused by the store for a reason that may pass; sent again when `_retry` fires."""
        self._connection: RespConnection | None = None
        self._flush_due = False
        self._answers = 0
        self._answers_before = 0
        self._watch: Timer | None = None
        self._retry: Timer | None = None
        self._lost = asyncio.Event()
        self._closed = False

    async def connect(self) -> None:
        """Connect for the first time; from then on the pipe reconnects by itself.

        Raises CannotStart when the store cannot be reached or refuses: one sentence for the operator.
        """
        try:
            await self._open()
        except (OSError, TimeoutError, hiredis.HiredisError) as error:
            raise CannotStart(f"The store at {self._address} {_reason(error)}.", Exit.STORE) from error
        self._tasks.start("commit pipe", self._reconnect())

    async def close(self) -> None:
        """Stop. Commits without an answer stay without one; `unanswered` says how many."""
        self._closed = True
        self._drop()
        self._set_health()

    @property
    def unanswered(self) -> int:
        """Commits that have no answer yet."""
        flying = sum(flight is not None for flight in self._in_flight)
        return len(self._unsent) + flying + len(self._unconfirmed) + len(self._held)

    def submit(self, commit: Commit, done: Done) -> None:
        """Send this commit at the end of this tick, and again until `done(result)` can be called.

        Never raises for the store's troubles. Raises ValueError for a commit that contradicts itself. A token
        has one commit without an answer at a time: sent again after a second was applied, the first would be
        taken for a stranger's.
        """
        count = len(commit.entries)
        if not commit.base < commit.seq >= commit.base + count:
            raise ValueError(f"{count} entries do not lead from sequence {commit.base} to {commit.seq}")
        self._tag = tag = self._tag + 1
        self._unsent.append(_Flight(tag, commit.room, self._command(tag, commit), done))
        if not self._flush_due:
            self._flush_due = True
            self._loop.call_soon(self._flush)

    # --- sending ---

    def _command(self, tag: int, commit: Commit) -> bytes:
        base = f"{self._prefix}{{room:{commit.room}}}:"
        entries, talk, notes = commit.entries, commit.talk, commit.notes
        if talk or notes:
            keys: tuple[str, ...] = ("4", base + "head", base + "log", base + "talk", base + "notes")
        else:
            keys = ("2", base + "head", base + "log")
        return pack(
            b"EVALSHA",
            SCRIPT_SHA,
            *keys,
            commit.token,
            commit.snapshot,
            f"{tag} {commit.base} {commit.seq} {commit.at} {commit.live} {commit.status} "
            f"{len(entries)} {len(talk)} {len(notes)}",
            *entries,
            *(chain.from_iterable((*talk, *notes)) if talk or notes else ()),
        )

    def _flush(self) -> None:
        self._flush_due = False
        flights, connection = self._unsent, self._connection
        if connection is None or not flights:
            return
        self._unsent = []
        self._in_flight.extend(flights)
        flights[-1].sent = self._clock.time()
        output = [flight.packed for flight in flights]
        if self._replica:
            output.append(self._wait)
            self._in_flight.append(None)
        connection.write(b"".join(output))
        self._hooks.pipeline(len(flights))
        if self._watch is None:
            self._answers_before = self._answers
            self._watch = self._clock.later(self._timeout, self._check_progress)

    def _check_progress(self) -> None:
        """Every `timeout` while something flies: did anything come back since?"""
        self._watch = None
        if not self._in_flight:
            return
        if self._answers == self._answers_before:
            self._abandon("the store does not answer")
            return
        self._answers_before = self._answers
        self._watch = self._clock.later(self._timeout, self._check_progress)

    # --- answers ---

    def _on_reply(self, reply: object) -> None:
        """The next answer of the store, for the commit that has waited longest."""
        if not self._in_flight:
            self._abandon("the store answers what nobody asked")
            return
        flight = self._in_flight.popleft()
        self._answers += 1
        if flight is None:
            self._on_wait_reply(reply)
        elif type(reply) is int:
            if reply >> 2 != flight.tag:
                self._in_flight.appendleft(flight)
                self._abandon("the store's answers are out of step")
                return
            if flight.sent:
                self._hooks.latency(self._clock.time() - flight.sent)
                flight.sent = 0.0
            result = RESULTS[reply & 3]
            assert result is not None
            if self._replica:
                self._unconfirmed.append((flight, result))
            else:
                self._finish(flight, result)
        else:
            self._refused(flight, reply)

    def _on_wait_reply(self, reply: object) -> None:
        """The answer to WAIT: without a replica's copy there is no verdict yet."""
        confirmed, self._unconfirmed = self._unconfirmed, []
        if type(reply) is not int or reply >= FIRST_TAG:
            self._unsent = [flight for flight, _ in confirmed] + self._unsent
            self._abandon("the store's answers are out of step")
        elif reply >= 1:
            for flight, result in confirmed:
                self._finish(flight, result)
        else:
            _log.warning("no replica has confirmed in time", commits=len(confirmed))
            for flight, _ in confirmed:
                self._hold(flight)

    def _finish(self, flight: _Flight, result: Result) -> None:
        self._backoff.reset()
        try:
            flight.done(result)
        except Exception as error:  # noqa: BLE001 - one room's defect must not stop the others' answers
            self._loop.call_exception_handler(
                {"message": f"room {flight.room}: what follows a commit failed", "exception": error}
            )

    def _refused(self, flight: _Flight, reply: object) -> None:
        """Anything but a verdict: nothing is known of this commit, so it is sent again."""
        code = str(reply).split(" ", 1)[0]
        if code in RECONNECT_ERRORS:
            self._in_flight.appendleft(flight)
            self._abandon(str(reply))
            return
        _log.warning("commit will be sent again", room=flight.room, reason=str(reply))
        self._hold(flight)

    def _hold(self, flight: _Flight) -> None:
        self._held.append(flight)
        if self._retry is None:
            self._retry = self._clock.later(self._backoff.next(), self._release)
        self._set_health()

    def _release(self) -> None:
        self._retry = None
        self._hooks.resent(len(self._held))
        self._unsent = sorted(self._held + self._unsent, key=_tag)
        self._held = []
        self._flush()
        self._set_health()

    # --- the connection ---

    def _abandon(self, reason: str) -> None:
        """This connection is of no more use: all that flies is sent again over another."""
        _log.warning("store connection given up", reason=reason, unanswered=self.unanswered)
        self._drop()
        self._set_health()
        self._lost.set()

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.abort()
        for timer in (self._watch, self._retry):
            if timer is not None:
                timer.cancel()
        self._watch = self._retry = None
        unanswered = [flight for flight in self._in_flight if flight is not None]
        unanswered += [flight for flight, _ in self._unconfirmed] + self._held
        if unanswered:
            self._hooks.resent(len(unanswered))
        self._unsent = sorted(unanswered + self._unsent, key=_tag)
        self._in_flight.clear()
        self._unconfirmed.clear()
        self._held.clear()

    async def _reconnect(self) -> None:
        while True:
            await self._lost.wait()
            self._lost.clear()
            await self._clock.sleep(self._backoff.next())
            try:
                await self._open()
            except (OSError, TimeoutError, hiredis.HiredisError) as error:
                _log.warning("store cannot be reached", reason=_reason(error), unanswered=self.unanswered)
                self._lost.set()

    async def _open(self) -> None:
        connection = RespConnection()
        greeting = [*self._address.greeting(), pack(b"SCRIPT", b"LOAD", SCRIPT)]
        async with asyncio.timeout(self._timeout):
            try:
                await self._address.connect(connection)
                await connection.greet(greeting)
            except BaseException:
                connection.abort()
                raise
        if self._closed:
            connection.abort()
            return
        connection.on_reply = self._on_reply
        connection.on_lost = self._abandon
        self._connection = connection
        self._set_health()
        self._flush()

    def _set_health(self) -> None:
        healthy = self._connection is not None and not self._held
        if healthy != self.healthy:
            self.healthy = healthy
            self._hooks.health(healthy)


RECONNECT_ERRORS: Final = frozenset({
    *("NOSCRIPT", "LOADING", "READONLY", "MASTERDOWN", "NOAUTH", "NOPERM", "WRONGPASS"),
    *("MOVED", "ASK", "CLUSTERDOWN", "TRYAGAIN", "UNBLOCKED"),
})  # fmt: skip
"""Errors that another connection may mend: the script is loaded, the address resolved, anew."""


class Backoff:
    """Seconds to wait before the next try: doubling from `first` to `most`, minus up to half by chance."""

    def __init__(self, first: float = 0.02, most: float = 1.0, chance: random.Random | None = None) -> None:
        self._first = first
        self._most = most
        self._chance = chance or random.Random()
        self._next = first

    def next(self) -> float:
        wait, self._next = self._next, min(self._most, self._next * 2)
        return wait * (1 - self._chance.random() / 2)

    def reset(self) -> None:
        self._next = self._first


def _tag(flight: _Flight) -> int:
    return flight.tag


def _reason(error: BaseException) -> str:
    """What became of a connection, as the end of a sentence that begins with the store."""
    if isinstance(error, TimeoutError):
        return "does not answer"
    if isinstance(error, hiredis.ReplyError):
        return f"refuses the connection ({error})"
    return f"cannot be reached ({error})"
