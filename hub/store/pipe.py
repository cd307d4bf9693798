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
import ssl
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from hashlib import sha1
from itertools import chain
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, cast
from urllib.parse import urlsplit

import hiredis
import structlog
from msgspec import Struct
from redis.connection import parse_url

from hub.clock import Clock, LoopClock, Timer
from hub.config import CannotStart, Exit
from hub.telemetry.tasks import Tasks

log = structlog.get_logger("parley.commits")

SCRIPT: Final = (Path(__file__).parent / "lua" / "commit.lua").read_bytes()
SCRIPT_SHA: Final = sha1(SCRIPT, usedforsecurity=False).hexdigest().encode()

FIRST_TAG: Final = 2**20
"""Tags are larger than anything else the store answers with, so that an answer shows whose it is."""

Ack: TypeAlias = Literal["everysec", "fsync", "replica"]


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

    __slots__ = ("done", "room", "sent", "tag", "wire")

    def __init__(self, tag: int, room: str, wire: bytes, done: Done) -> None:
        self.tag = tag
        self.room = room
        self.wire = wire
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
        self._server = Server.parse(url)
        self._tasks = tasks
        self._prefix = prefix
        self._replica = ack == "replica"
        self._wait = _pack(b"WAIT", b"1", int(replica_seconds * 1000))
        self._timeout = timeout
        self._hooks = hooks or Hooks()
        self._loop = asyncio.get_running_loop()
        self._clock: Clock = clock or LoopClock()
        self._backoff = Backoff()
        self._tag = FIRST_TAG
        self._unsent: list[_Flight] = []
        self._flying: deque[_Flight | None] = deque()
        """What answers are awaited for, in order; None: that of a WAIT."""
        self._unconfirmed: list[tuple[_Flight, Result]] = []
        """Answers that wait for their WAIT."""
        self._held: list[_Flight] = []
        """Refused by the store for a reason that may pass; sent again when `_retry` fires."""
        self._wire: _Wire | None = None
        self._flush_due = False
        self._answers = 0
        self._answers_then = 0
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
            raise CannotStart(f"The store at {self._server} {_reason(error)}.", Exit.STORE) from error
        self._tasks.start("commit pipe", self._reconnect())

    async def close(self) -> None:
        """Stop. Commits without an answer stay without one; `unanswered` says how many."""
        self._closed = True
        self._drop()
        self._set_health()

    @property
    def unanswered(self) -> int:
        """Commits that have no answer yet."""
        flying = sum(flight is not None for flight in self._flying)
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
        return _pack(
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
        flights, wire = self._unsent, self._wire
        if wire is None or not flights:
            return
        self._unsent = []
        self._flying.extend(flights)
        flights[-1].sent = self._clock.time()
        packed = [flight.wire for flight in flights]
        if self._replica:
            packed.append(self._wait)
            self._flying.append(None)
        wire.write(b"".join(packed))
        self._hooks.pipeline(len(flights))
        if self._watch is None:
            self._answers_then = self._answers
            self._watch = self._clock.later(self._timeout, self._peek)

    def _peek(self) -> None:
        """Every `timeout` while something flies: did anything come back since?"""
        self._watch = None
        if not self._flying:
            return
        if self._answers == self._answers_then:
            self._abandon("the store does not answer")
            return
        self._answers_then = self._answers
        self._watch = self._clock.later(self._timeout, self._peek)

    # --- answers ---

    def _answered(self, reply: object) -> None:
        """The next answer of the store, for the commit that has waited longest."""
        if not self._flying:
            self._abandon("the store answers what nobody asked")
            return
        flight = self._flying.popleft()
        self._answers += 1
        if flight is None:
            self._waited(reply)
        elif type(reply) is int:
            if reply >> 2 != flight.tag:
                self._flying.appendleft(flight)
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

    def _waited(self, reply: object) -> None:
        """The answer to WAIT: without a replica's copy there is no verdict yet."""
        confirmed, self._unconfirmed = self._unconfirmed, []
        if type(reply) is not int or reply >= FIRST_TAG:
            self._unsent = [flight for flight, _ in confirmed] + self._unsent
            self._abandon("the store's answers are out of step")
        elif reply >= 1:
            for flight, result in confirmed:
                self._finish(flight, result)
        else:
            log.warning("no replica has confirmed in time", commits=len(confirmed))
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
        if code in ANEW:
            self._flying.appendleft(flight)
            self._abandon(str(reply))
            return
        log.warning("commit will be sent again", room=flight.room, reason=str(reply))
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
        log.warning("store connection given up", reason=reason, unanswered=self.unanswered)
        self._drop()
        self._set_health()
        self._lost.set()

    def _drop(self) -> None:
        wire, self._wire = self._wire, None
        if wire is not None:
            wire.abort()
        for timer in (self._watch, self._retry):
            if timer is not None:
                timer.cancel()
        self._watch = self._retry = None
        flown = [flight for flight in self._flying if flight is not None]
        flown += [flight for flight, _ in self._unconfirmed] + self._held
        if flown:
            self._hooks.resent(len(flown))
        self._unsent = sorted(flown + self._unsent, key=_tag)
        self._flying.clear()
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
                log.warning("store cannot be reached", reason=_reason(error), unanswered=self.unanswered)
                self._lost.set()

    async def _open(self) -> None:
        wire = _Wire()
        greeting = [*self._server.greeting(), _pack(b"SCRIPT", b"LOAD", SCRIPT)]
        async with asyncio.timeout(self._timeout):
            try:
                await self._server.connect(wire)
                await wire.greet(greeting)
            except BaseException:
                wire.abort()
                raise
        if self._closed:
            wire.abort()
            return
        wire.answered = self._answered
        wire.lost = self._abandon
        self._wire = wire
        self._set_health()
        self._flush()

    def _set_health(self) -> None:
        healthy = self._wire is not None and not self._held
        if healthy != self.healthy:
            self.healthy = healthy
            self._hooks.health(healthy)


ANEW: Final = frozenset({
    *("NOSCRIPT", "LOADING", "READONLY", "MASTERDOWN", "NOAUTH", "NOPERM", "WRONGPASS"),
    *("MOVED", "ASK", "CLUSTERDOWN", "TRYAGAIN", "UNBLOCKED"),
})  # fmt: skip
"""Errors that another connection may mend: the script is loaded, the address resolved, anew."""


class _Wire(asyncio.Protocol):
    """One connection: bytes to answers, and back."""

    def __init__(self) -> None:
        self.answered: Callable[[object], None] = self._greeted
        self.lost: Callable[[str], None] = self._not_greeted
        self._transport: asyncio.Transport | None = None
        self._reader = hiredis.Reader(protocolError=hiredis.ProtocolError, replyError=hiredis.ReplyError)
        self._due = 0
        self._ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def greet(self, commands: list[bytes]) -> None:
        """Send what opens a connection. Raises ReplyError when one is refused, ConnectionError when lost."""
        self._due = len(commands)
        self.write(b"".join(commands))
        await self._ready

    def write(self, data: bytes) -> None:
        if self._transport is not None:
            self._transport.write(data)

    def abort(self) -> None:
        """Close at once; nothing that still arrives is heard."""
        transport, self._transport = self._transport, None
        self._ready.cancel()
        if transport is not None:
            transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's are no subclasses

    def data_received(self, data: bytes) -> None:
        reader = self._reader
        try:
            reader.feed(data)
            while self._transport is not None:
                reply = reader.gets()
                if reply is False:
                    return
                self.answered(reply)
        except hiredis.ProtocolError as error:
            self.lost(f"the store does not speak RESP ({error})")

    def connection_lost(self, error: Exception | None) -> None:
        if self._transport is not None:
            self._transport = None
            self.lost(str(error or "closed by the store"))

    def _greeted(self, reply: object) -> None:
        if isinstance(reply, hiredis.ReplyError):
            if not self._ready.done():
                self._ready.set_exception(reply)
            return
        self._due -= 1
        if self._due == 0 and not self._ready.done():
            self._ready.set_result(None)

    def _not_greeted(self, reason: str) -> None:
        if not self._ready.done():
            self._ready.set_exception(ConnectionError(reason))


@dataclass(slots=True, frozen=True)
class Server:
    """Where a store is and how to open a connection to it, from a URL as redis-py reads it."""

    host: str
    port: int
    path: str | None
    username: str | None
    password: str | None
    db: int
    tls: ssl.SSLContext | None

    @classmethod
    def parse(cls, url: str) -> Server:
        """Raises CannotStart for a URL of another kind."""
        scheme = urlsplit(url).scheme
        if scheme not in ("redis", "rediss", "unix"):
            raise CannotStart(
                f"A store at {scheme}:// is not supported yet: PARLEY_REDIS_URL may begin with redis://, "
                "rediss:// or unix://.",
                Exit.USAGE,
            )
        try:
            parts: dict[str, Any] = dict(parse_url(url))  # type: ignore[no-untyped-call]
        except ValueError as error:
            raise CannotStart(f"PARLEY_REDIS_URL cannot be used: {error}.", Exit.USAGE) from error
        return cls(
            host=parts.get("host", "localhost"),
            port=parts.get("port", 6379),
            path=parts.get("path"),
            username=parts.get("username"),
            password=parts.get("password"),
            db=parts.get("db", 0),
            tls=_tls(parts) if scheme == "rediss" else None,
        )

    async def connect(self, wire: _Wire) -> None:
        loop = asyncio.get_running_loop()
        if self.path is not None:
            await loop.create_unix_connection(lambda: wire, self.path)
        else:
            await loop.create_connection(lambda: wire, self.host, self.port, ssl=self.tls)

    def greeting(self) -> list[bytes]:
        commands = []
        if self.password is not None:
            login = (self.username, self.password) if self.username else (self.password,)
            commands.append(_pack(b"AUTH", *login))
        if self.db:
            commands.append(_pack(b"SELECT", self.db))
        return commands

    def __str__(self) -> str:
        return self.path or f"{self.host}:{self.port}"


def _tls(parts: dict[str, Any]) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=parts.get("ssl_ca_certs"), capath=parts.get("ssl_ca_path"))
    if parts.get("ssl_certfile"):
        context.load_cert_chain(parts["ssl_certfile"], parts.get("ssl_keyfile"))
    if parts.get("ssl_cert_reqs") == "none":
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    elif str(parts.get("ssl_check_hostname", "true")).lower() in ("false", "0", "no"):
        context.check_hostname = False
    return context


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


def _pack(*command: str | int | bytes | None) -> bytes:
    packed: bytes = hiredis.pack_command(command)  # type: ignore[arg-type]  # its stub says: a tuple of one
    return packed


def _tag(flight: _Flight) -> int:
    return flight.tag


def _reason(error: BaseException) -> str:
    """What became of a connection, as the end of a sentence that begins with the store."""
    if isinstance(error, TimeoutError):
        return "does not answer"
    if isinstance(error, hiredis.ReplyError):
        return f"refuses the connection ({error})"
    return f"cannot be reached ({error})"
