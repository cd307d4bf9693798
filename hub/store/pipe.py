"""The commit pipe: the commits of all rooms, over one connection to the store, with an answer for each.

This is the hub's hot path. All commits submitted in one tick of the event loop leave in one write, and
answers are delivered from the read callback. A commit needs no task, queue or future; one timer serves all.

A commit is resent, byte for byte, until the store answers `applied`, `already` or `fenced` (commit.lua), or
that the room is damaged. A lost answer, a timeout, a reset, a restart or a failover of the store therefore
costs only time. Each answer carries the tag of its commit, so a lost, repeated or late one is noticed and the
pipe reconnects.

A Cluster has one such pipe for each of its primaries (hub/store/cluster_pipe.py).
"""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from hashlib import sha1
from itertools import chain, count
from typing import Final, TypeAlias

import hiredis
import structlog
from msgspec import Struct

from hub.clock import Clock, LoopClock, Timer
from hub.config import Ack, CannotStart, Exit, count_replicas
from hub.store.address import StoreAddress
from hub.store.cluster import Primary
from hub.store.refusals import NO_ANSWER, TOO_FEW_REPLICAS, is_stall, meaning, tells_of_damage
from hub.store.replicas import ROLE, ReplicaQuorum, Wait
from hub.store.resp import RespConnection, pack
from hub.store.scripts import load_script
from hub.telemetry.repeated_warning import RepeatedWarning
from hub.telemetry.tasks import Tasks

_log = structlog.get_logger("parley.pipe")

SCRIPT: Final = load_script("commit").encode()
SCRIPT_SHA: Final = sha1(SCRIPT, usedforsecurity=False).hexdigest().encode()

FIRST_TAG: Final = 2**20
"""Tags are larger than any other number in the store's answers, so the two cannot be confused."""


class Result(Enum):
    APPLIED = 1
    ALREADY = 2
    """The same commit was already applied when it was sent before."""
    FENCED = 3
    """The room has a different owner or history: nothing was written, or ever will be."""
    DAMAGED = 4
    """A key of the room holds something else than it should: nothing was written this time."""


RESULTS: Final = (None, Result.APPLIED, Result.ALREADY, Result.FENCED)


class Commit(Struct, frozen=True, gc=False):
    """One batch of a room, written completely or not at all. Everything in bytes is opaque here.

    `seq` is at least `base` + 1 and at least `base` + the number of entries; entry i gets the stream id
    `<epoch>-<base + 1 + i>`. An empty snapshot keeps the stored one, which is then older than the log.
    """

    room: str
    token: str
    """`<epoch>:<incarnation>...` from `Store.claim`; compared as a whole."""
    base: int
    """The sequence number that the room must have before the commit."""
    seq: int
    """The room's sequence number after the commit."""
    at: int
    """Table time, in milliseconds."""
    live: int
    """The owner's live clock at `at`, in milliseconds."""
    status: str
    """waiting, running, paused or finished. Table time advances only while `running`."""
    snapshot: bytes
    entries: Sequence[bytes] = ()
    talk: Sequence[tuple[bytes, bytes]] = ()
    """Slots of the talk history with their new contents."""
    notes: Sequence[tuple[int, bytes]] = ()
    """Seats with their complete new note."""


Done: TypeAlias = Callable[[Result], None]


@dataclass(slots=True)
class Hooks:
    """Callbacks for the pipe's reports: plain callables, called on the hot path."""

    health: Callable[[bool], None] = lambda healthy: None
    """Called when the pipe becomes healthy or unhealthy."""
    pipeline: Callable[[int], None] = lambda commits: None
    """Called with the number of commits sent in one write."""
    latency: Callable[[float], None] = lambda seconds: None
    """Called with the time from a write to the answer to its last commit."""
    resent: Callable[[int], None] = lambda commits: None
    """Called with the number of commits that will be sent again."""


class Flight:
    """A commit that has not been answered yet."""

    __slots__ = ("done", "packed", "redirections", "room", "sent_at", "tag")

    def __init__(self, tag: int, room: str, packed: bytes, done: Done) -> None:
        self.tag = tag
        self.room = room
        self.packed = packed
        self.done = done
        self.sent_at = 0.0
        """When it was written; 0 unless it is the last commit of its write."""
        self.redirections = 0
        """How often a node of a Cluster has named another one for it."""


Redirect: TypeAlias = Callable[[Flight, str], None]
"""Takes a commit, with the reply by which a node of a Cluster names another one for it (MOVED, ASK)."""
_ASKING: Final = Flight(-1, "", pack(b"ASKING"), lambda result: None)
"""Stands for the ASKING before a commit; it is no commit."""


class CommitPipe:
    """Commits to one store. Call `connect` once; `submit` works before that, and through every outage.

    The connection is abandoned if no answer arrives for `timeout` seconds. `replica_seconds`, which is
    shorter, is how long a pipeline's WAIT may take before its commits are sent again. `quorum`: for how many
    replicas it waits; None for those that `ack` names. `tags` and `redirect` are for the pipes of a Cluster.
    """

    def __init__(
        self,
        address: str | StoreAddress,
        tasks: Tasks,
        *,
        prefix: str = "parley:",
        ack: Ack = "everysec",
        timeout: float = 2.0,
        replica_seconds: float = 1.0,
        hooks: Hooks | None = None,
        clock: Clock | None = None,
        quorum: ReplicaQuorum | None = None,
        tags: Iterator[int] | None = None,
        redirect: Redirect | None = None,
    ) -> None:
        self.healthy = False
        """Whether it is connected, and the store has not refused the last commit."""
        self._refused: str | None = None
        """Why the store refused the last commit, as the rest of a sentence; None if it did not."""
        self._address = StoreAddress.parse(address) if isinstance(address, str) else address
        self._tasks = tasks
        self._prefix = prefix
        self._quorum = quorum or ReplicaQuorum(count_replicas(ack))
        self._replica_ms = int(replica_seconds * 1000)
        self._timeout = timeout
        self._hooks = hooks or Hooks()
        self._loop = asyncio.get_running_loop()
        self._clock: Clock = clock or LoopClock()
        time = self._clock.time
        self._resending = RepeatedWarning(
            _log, "commit will be sent again", "commits are answered again", time
        )
        self._away = RepeatedWarning(_log, "store connection lost", "store connection works again", time)
        self._backoff = Backoff()
        self._tags = tags or count(FIRST_TAG + 1)
        self._redirect = redirect
        self._unsent: list[Flight] = []
        self._asked: list[Flight] = []
        """Unsent commits whose slot this node of a Cluster is only receiving, so that it must be asked."""
        self._in_flight: deque[Flight | None] = deque()
        """Sent commits, in the order in which answers will arrive; None stands for a WAIT or a ROLE,
        `_ASKING` for itself."""
        self._unconfirmed: list[tuple[Flight, Result]] = []
        """Answered commits whose ROLE has no answer yet."""
        self._confirmations: int | None = None
        """The answer to the last WAIT, until its ROLE is answered."""
        self._wait: Wait | None = None
        """The WAIT that is under way. It holds up the connection, so later commits share the next one."""
        self._held: list[Flight] = []
        """Commits the store refused for a transient reason; sent again when `_retry` fires."""
        self._connection: RespConnection | None = None
        self._flush_due = False
        self._answers = 0
        self._answers_before = 0
        self._watch: Timer | None = None
        self._retry: Timer | None = None
        self._lost = asyncio.Event()
        self._reconnecting: asyncio.Task[None] | None = None
        self._closed = False

    async def connect(self) -> None:
        """Connects for the first time; afterwards the pipe reconnects by itself.

        Raises CannotStart, with one sentence for the operator, if the store is unreachable or refuses the
        connection.
        """
        try:
            await self._open()
        except (OSError, TimeoutError, hiredis.HiredisError) as error:
            raise CannotStart(f"The store at {self._address} {_reason(error)}.", Exit.STORE) from error
        self._keep()

    def start(self) -> None:
        """Connects like `connect`, but in the background and for as long as it takes."""
        self._lost.set()
        self._keep()

    def _keep(self) -> None:
        self._reconnecting = self._tasks.start("commit pipe", self._reconnect(), needed=True)

    async def close(self) -> None:
        """Stops. Unanswered commits will get no answer; `unanswered` counts them."""
        self._closed = True
        self._drop()
        self._set_health()

    def follow(self, primaries: Collection[Primary]) -> None:
        """Gives up a connection to any other store than these; what is under way is sent again."""
        if self._connection is not None and self._connection.leads_to not in (None, *primaries):
            self._abandon(NEW_PRIMARY)

    # --- for the pipes of a Cluster ---

    @property
    def is_connected(self) -> bool:
        return self._connection is not None

    def adopt(self, flights: Sequence[Flight]) -> None:
        """Sends commits that another pipe has given up, once each token has no other unanswered commit."""
        self._unsent.extend(flights)
        self._flush_soon()

    def ask(self, flight: Flight) -> None:
        """Sends a commit for a slot that this node is only receiving."""
        self._asked.append(flight)
        self._flush_soon()

    def hold(self, flight: Flight) -> None:
        """Sends a commit after a while."""
        self._hold(flight)

    def give_up(self) -> list[Flight]:
        """The commits without an answer, which it forgets. Some may have been applied."""
        self._drop()
        flights, self._unsent = self._unsent, []
        return flights

    def retire(self) -> list[Flight]:
        """Ends this pipe, and returns what `give_up` does."""
        self._closed = True
        if self._reconnecting is not None:
            self._reconnecting.cancel()
        return self.give_up()

    # --- for all ---

    @property
    def unanswered(self) -> int:
        """Commits that have no answer yet."""
        waiting = len(self._unsent) + len(self._asked) + len(self._unconfirmed) + len(self._held)
        return waiting + len(self._flying())

    def _flying(self) -> list[Flight]:
        return [flight for flight in self._in_flight if flight is not None and flight is not _ASKING]

    @property
    def problem(self) -> str | None:
        """Why commits are not answered, as one sentence; None while it is healthy."""
        return None if self.healthy else f"the store {self._refused or NO_ANSWER}"

    def submit(self, commit: Commit, done: Done) -> None:
        """Sends this commit at the end of this tick, and resends it until `done(result)` can be called.

        Never raises for a failure of the store. Raises ValueError for an inconsistent commit. Each token may
        have one unanswered commit at a time: if it were resent after a second one was applied, it would look
        like another owner's.
        """
        count = len(commit.entries)
        if not commit.base < commit.seq >= commit.base + count:
            raise ValueError(f"{count} entries do not lead from sequence {commit.base} to {commit.seq}")
        tag = next(self._tags)
        self._unsent.append(Flight(tag, commit.room, self._command(tag, commit), done))
        self._flush_soon()

    def _flush_soon(self) -> None:
        if not self._flush_due:
            self._flush_due = True
            self._loop.call_soon(self._flush)

    # --- sending ---

    def _command(self, tag: int, commit: Commit) -> bytes:
        base = f"{self._prefix}{{room:{commit.room}}}:"  # as in hub/store/keys.py
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
        if connection is None or self._wait is not None or not (flights or self._asked):
            return
        self._unsent = []
        if self._asked:
            asked, self._asked = self._asked, []
            flights = [*flights, *chain.from_iterable((_ASKING, flight) for flight in asked)]
        self._in_flight.extend(flights)
        flights[-1].sent_at = self._clock.time()
        output = [flight.packed for flight in flights]
        if self._quorum.least:
            self._wait = self._quorum.begin_wait(connection.leads_to)
            output += (pack(b"WAIT", self._wait.replicas, self._replica_ms), ROLE)
            self._in_flight += (None, None)
        connection.write(b"".join(output))
        self._hooks.pipeline(len(flights))
        if self._watch is None:
            self._answers_before = self._answers
            self._watch = self._clock.call_later(self._timeout, self._check_progress)

    def _check_progress(self) -> None:
        """Checks every `timeout`, while commits are in flight, that answers are still arriving."""
        self._watch = None
        if not self._in_flight:
            return
        if self._answers == self._answers_before:
            self._abandon("the store does not answer")
            return
        self._answers_before = self._answers
        self._watch = self._clock.call_later(self._timeout, self._check_progress)

    # --- answers ---

    def _on_reply(self, reply: object) -> None:
        """Handles the next answer, which belongs to the oldest commit in flight."""
        if not self._in_flight:
            self._abandon("the store sent an unexpected answer")
            return
        flight = self._in_flight.popleft()
        self._answers += 1
        if flight is None:
            self._on_replica_reply(reply)
        elif type(reply) is int:
            if reply >> 2 != flight.tag:
                self._in_flight.appendleft(flight)
                self._abandon("the store's answers are out of step")
                return
            if flight.sent_at:
                self._hooks.latency(self._clock.time() - flight.sent_at)
                flight.sent_at = 0.0
            result = RESULTS[reply & 3]
            assert result is not None
            if self._quorum.least:
                self._unconfirmed.append((flight, result))
            else:
                self._finish(flight, result)
        else:
            self._on_error_reply(flight, reply)

    def _on_replica_reply(self, reply: object) -> None:
        """Handles the answers to WAIT and ROLE: until all replicas that must have them have confirmed the
        commits, these have no verdict."""
        if self._confirmations is None and type(reply) is int and reply < FIRST_TAG:
            self._confirmations = reply
            return
        confirmations, self._confirmations = self._confirmations, None
        wait, self._wait = self._wait, None
        answered, self._unconfirmed = self._unconfirmed, []
        assert wait is not None
        if isinstance(reply, hiredis.ReplyError):
            self._refused = meaning(str(reply)) or f"refuses to confirm commits ({reply})"
            self._unsent = [flight for flight, _ in answered] + self._unsent
            self._abandon(str(reply))
        elif confirmations is None or not isinstance(reply, list):
            self._unsent = [flight for flight, _ in answered] + self._unsent
            self._abandon("the store's answers are out of step")
        elif self._quorum.is_met(wait, confirmations, reply):
            for flight, result in answered:
                self._finish(flight, result)
        else:
            needed = self._quorum.count_required(wait.primary)
            self._refused = f"has only {confirmations} of the {needed} replicas it needs confirming in time"
            self._resending.warn(reason=TOO_FEW_REPLICAS, commits=len(answered))
            for flight, _ in answered:
                self._hold(flight)
        self._flush()

    def _finish(self, flight: Flight, result: Result) -> None:
        if self._backoff.delayed:
            self._backoff.reset()
        if self._refused is not None:
            self._refused = None
            self._set_health()
        try:
            flight.done(result)
        except Exception as error:  # noqa: BLE001 - a defect in one room must not stop the others
            self._loop.call_exception_handler({"message": "a commit callback failed", "exception": error})

    def _on_error_reply(self, flight: Flight, reply: object) -> None:
        """Handles anything but a verdict: unless its room is damaged, a commit whose fate is unknown is sent
        again."""
        code = str(reply).split(" ", 1)[0]
        if flight is _ASKING:
            if isinstance(reply, hiredis.ReplyError):
                self._abandon(str(reply))
            return
        if code in REDIRECTIONS and self._redirect is not None:
            self._redirect(flight, str(reply))
            return
        if tells_of_damage(str(reply)):  # commit.lua checks every key before it writes
            _log.error("a stored room is damaged", room=flight.room, reason=str(reply))
            self._finish(flight, Result.DAMAGED)
            return
        self._refused = meaning(str(reply)) or f"refuses commits ({reply})"
        if code in RECONNECT_ERRORS:
            self._in_flight.appendleft(flight)
            self._abandon(str(reply))
            return
        self._resending.warn(room=flight.room, reason=str(reply))
        self._hold(flight)

    def _hold(self, flight: Flight) -> None:
        self._held.append(flight)
        if self._retry is None:
            self._retry = self._clock.call_later(self._backoff.next_delay(), self._release)
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
        """Gives up this connection; everything in flight is resent over the next one."""
        self._away.warn(reason=reason, unanswered=self.unanswered)
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
        unanswered = self._flying() + [flight for flight, _ in self._unconfirmed] + self._held
        if unanswered:
            self._hooks.resent(len(unanswered))
        self._unsent = sorted(unanswered + self._unsent + self._asked, key=_tag)
        self._asked.clear()
        self._in_flight.clear()
        self._unconfirmed.clear()
        self._confirmations = None
        self._wait = None
        self._held.clear()

    async def _reconnect(self) -> None:
        while True:
            await self._lost.wait()
            self._lost.clear()
            await self._clock.sleep(self._backoff.next_delay())
            try:
                await self._open()
            except (OSError, TimeoutError, hiredis.HiredisError) as error:
                refused = isinstance(error, hiredis.ReplyError)
                self._refused = meaning(error) or (_reason(error) if refused else None)
                self._away.warn(reason=f"the store {_reason(error)}", unanswered=self.unanswered)
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
        if not self.unanswered:
            self._refused = None
        self._set_health()
        self._flush()

    def _set_health(self) -> None:
        healthy = self._connection is not None and not self._held and self._refused is None
        if healthy != self.healthy:
            self.healthy = healthy
            if healthy:
                self._resending.end()
                self._away.end()
            self._hooks.health(healthy)


NEW_PRIMARY: Final = "the store has another primary"
REDIRECTIONS: Final = ("MOVED", "ASK")
"""Replies by which a node of a Cluster names another one. It has executed nothing."""

RECONNECT_ERRORS: Final = frozenset({
    *("NOSCRIPT", "LOADING", "READONLY", "MASTERDOWN", "NOAUTH", "NOPERM", "WRONGPASS"),
    *("CLUSTERDOWN", "UNBLOCKED"),
})  # fmt: skip
"""Errors a new connection may fix, because it loads the script and resolves the address again."""


class Backoff:
    """Seconds to wait before each retry: doubling from `first` to `most`, minus up to half at random."""

    def __init__(self, first: float = 0.02, most: float = 1.0, chance: random.Random | None = None) -> None:
        self._first = first
        self._most = most
        self._chance = chance or random.Random()
        self._next = first
        self.delayed = False
        """Whether there has been a delay since the last `reset`."""

    def next_delay(self) -> float:
        self.delayed = True
        wait, self._next = self._next, min(self._most, self._next * 2)
        return wait * (1 - self._chance.random() / 2)

    def reset(self) -> None:
        self.delayed = False
        self._next = self._first


def _tag(flight: Flight) -> int:
    return flight.tag


def _reason(error: BaseException) -> str:
    """The reason a connection failed, as the rest of a sentence that begins with the store."""
    if isinstance(error, OSError) and (known := meaning(error)):
        return known
    if isinstance(error, TimeoutError) or is_stall(error):
        return NO_ANSWER
    if isinstance(error, hiredis.ReplyError):
        return f"refuses the connection ({error})"
    return f"cannot be reached ({error})"
