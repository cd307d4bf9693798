"""Calls to the store other than commits: any number at once, over one connection, answered in order.

`SharedRedis` has redis-py's commands, but not its pool: a thousand concurrent calls are sent in one write,
and none waits for a free connection. Calls fail only if the connection does, or if the store answers none of
them for `seconds`. Nothing is sent twice; the next call reconnects.

A Cluster has such a connection for each primary, and a call goes to the one that has its key
(hub/store/cluster_calls.py).
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Collection, Sequence
from typing import Any, Final, NamedTuple, TypeAlias, cast

import hiredis
import redis.exceptions
from redis._parsers.base import BaseParser  # its table of errors is nowhere else
from redis.asyncio import ConnectionPool, Redis

from hub.store.address import StoreAddress
from hub.store.cluster import FRESH_SECONDS, Primary
from hub.store.pipe import NEW_PRIMARY, RECONNECT_ERRORS
from hub.store.replicas import Wait
from hub.store.resp import RespConnection, pack

MAX_WAITING: Final = 20_000
"""The number of calls that may wait for an answer; further ones are refused."""


Command: TypeAlias = Sequence[Any]
"""The words of a command; the first may be two, as in `CONFIG GET`."""
Compose: TypeAlias = Callable[[Primary | None], Sequence[Command]]
"""Returns the commands for the primary to which the connection leads; None for the only one."""


class Evaluated(NamedTuple):
    """The reply of a script, with what the same primary says of its replicas."""

    reply: Any
    confirmed: int
    """How many replicas have what the script wrote."""
    wait: Wait
    """What was asked of the primary that ran it."""
    role: object
    """The answer to a later ROLE."""


class StoreRedis(Redis):
    """A redis-py client that sends its commands by `_exchange`."""

    def __init__(self) -> None:
        super().__init__(connection_pool=ConnectionPool(protocol=2))  # never used to connect

    async def execute_command(self, *words: Any, **options: Any) -> Any:
        """The reply to one command, as redis-py presents it. Raises RedisError, OSError."""
        (reply,) = await self._exchange(lambda _: [words])
        return await self.parse_response(cast(Any, _Reply(reply)), words[0], **options)

    async def eval_and_wait(
        self,
        script: str,
        keys: Sequence[str],
        arguments: Sequence[Any],
        begin_wait: Callable[[Primary | None], Wait],
        milliseconds: int,
    ) -> Evaluated:
        """The reply of a script, and how many replicas have its writes: as many as `begin_wait` asks for of
        the primary that runs it, or fewer if time is up. Raises RedisError, OSError."""
        waits: list[Wait] = []

        def compose(primary: Primary | None) -> Sequence[Command]:
            waits.append(begin_wait(primary))  # once more if another primary has the keys
            evaluation = ("EVAL", script, len(keys), *keys, *arguments)
            return [evaluation, ("WAIT", waits[-1].replicas, milliseconds), ("ROLE",)]

        reply, confirmed, role = [
            await _Reply(reply).read_response() for reply in await self._exchange(compose)
        ]
        return Evaluated(reply, confirmed, waits[-1], role)

    async def list_primaries(self, age: float = FRESH_SECONDS) -> Sequence[tuple[StoreAddress, SharedRedis]]:
        """A client for each primary, for commands without keys. A Cluster's map may be `age` seconds old.

        Raises OSError.
        """
        raise NotImplementedError

    async def pin(self, key: str, age: float) -> SharedRedis:
        """A client that does not leave the primary which has this key. A Cluster's map may be `age` seconds
        old. Raises OSError."""
        raise NotImplementedError

    def follow(self, primaries: Collection[Primary]) -> None:
        """Gives up connections to any other store than these."""
        raise NotImplementedError

    async def _exchange(self, compose: Compose) -> list[object]:
        """The replies to commands that are sent together. Raises RedisError, OSError."""
        raise NotImplementedError


class SharedRedis(StoreRedis):
    """A client whose commands share one connection."""

    def __init__(self, shared: SharedConnection) -> None:
        super().__init__()
        self._shared = shared

    @property
    def leads_to(self) -> Primary | None:
        """Which of several stores it is connected to; None for the only one, or without a connection."""
        return self._shared.leads_to

    @property
    def connections(self) -> int:
        """How often it has connected."""
        return self._shared.connections

    async def list_primaries(self, age: float = FRESH_SECONDS) -> Sequence[tuple[StoreAddress, SharedRedis]]:
        return [(self._shared.address, self)]

    async def pin(self, key: str, age: float) -> SharedRedis:
        return self

    def follow(self, primaries: Collection[Primary]) -> None:
        if self._shared.leads_to not in (None, *primaries):
            self._shared.drop(NEW_PRIMARY)

    async def aclose(self, close_connection_pool: bool | None = None) -> None:
        self._shared.drop("closed")
        await super().aclose(close_connection_pool)

    async def _exchange(self, compose: Compose) -> list[object]:
        return await asyncio.gather(*await self._shared.send(compose))


class _Reply:
    """A reply, in the form in which redis-py parses it."""

    __slots__ = ("_reply",)

    def __init__(self, reply: object) -> None:
        self._reply = reply

    async def read_response(self, disable_decoding: bool = False) -> Any:
        if isinstance(self._reply, hiredis.ReplyError):
            raise _error(self._reply)
        return self._reply


class SharedConnection:
    """A connection that many calls share: the present one, while there is one."""

    def __init__(self, address: StoreAddress, seconds: float) -> None:
        self.address = address
        self._seconds = seconds
        self.connections = 0
        """How often it has connected."""
        self._loop = asyncio.get_running_loop()
        self._connection: RespConnection | None = None
        self._opening: asyncio.Future[None] | None = None
        """Done when the connection being opened is ready or has failed."""
        self._unsent: list[bytes] = []
        self._waiting: deque[asyncio.Future[Any]] = deque()
        """Calls without an answer, in the order in which answers will arrive."""
        self._answers = 0
        self._answers_before = 0
        self._watch: asyncio.TimerHandle | None = None

    @property
    def leads_to(self) -> Primary | None:
        """Which of several stores it is connected to; None for the only one, or without a connection."""
        return None if self._connection is None else self._connection.leads_to

    async def send(self, compose: Compose) -> list[asyncio.Future[object]]:
        """Sends commands at the end of this tick, and returns their replies to come.

        Raises RedisError or OSError if nothing was sent.
        """
        while self._connection is None:  # it may be lost again before this call goes on
            await self._connect()
        if len(self._waiting) >= MAX_WAITING:
            raise redis.exceptions.ConnectionError("too many calls are waiting")
        if not self._unsent:
            self._loop.call_soon(self._flush)
        replies: list[asyncio.Future[object]] = []
        for name, *arguments in compose(self._connection.leads_to):
            replies.append(self._loop.create_future())
            self._unsent.append(pack(*str(name).split(), *arguments))
        self._waiting.extend(replies)
        return replies

    def _flush(self) -> None:
        unsent, self._unsent = self._unsent, []
        if self._connection is None or not unsent:
            return
        self._connection.write(b"".join(unsent))
        if self._watch is None:
            self._answers_before = self._answers
            self._watch = self._loop.call_later(self._seconds, self._check_progress)

    def _check_progress(self) -> None:
        self._watch = None
        if not self._waiting:
            return
        if self._answers == self._answers_before:
            self.drop("the store does not answer")
            return
        self._answers_before = self._answers
        self._watch = self._loop.call_later(self._seconds, self._check_progress)

    def _on_reply(self, reply: object) -> None:
        if not self._waiting:
            self.drop("the store sent an unexpected answer")
            return
        waiting = self._waiting.popleft()
        self._answers += 1
        if not waiting.done():  # its caller may have given up
            waiting.set_result(reply)
        if isinstance(reply, hiredis.ReplyError) and str(reply).split(" ", 1)[0] in RECONNECT_ERRORS:
            self.drop(str(reply))

    def drop(self, reason: str) -> None:
        """Gives up the connection; the waiting calls may or may not have taken effect."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.abort()
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None
        waiting, self._waiting, self._unsent = self._waiting, deque(), []
        for reply in waiting:
            if not reply.done():
                reply.set_exception(redis.exceptions.ConnectionError(reason))

    async def _connect(self) -> None:
        """Opens a connection; all calls that need one meanwhile wait for this one."""
        if self._opening is not None:
            await asyncio.shield(self._opening)
            return
        self._opening = opening = self._loop.create_future()
        opening.add_done_callback(lambda done: done.exception())  # nobody may be waiting for it
        try:
            await self._open()
        except BaseException as error:
            reason = str(error) or "no answer in time"
            opening.set_exception(redis.exceptions.ConnectionError(reason))
            raise
        else:
            opening.set_result(None)
        finally:
            self._opening = None

    async def _open(self) -> None:
        connection = RespConnection()
        try:
            async with asyncio.timeout(self._seconds):
                await self.address.connect(connection)
                await connection.greet([*self.address.greeting(), pack(b"PING")])
        except hiredis.ReplyError as error:
            connection.abort()
            raise _error(error) from error
        except BaseException:
            connection.abort()
            raise
        connection.on_reply = self._on_reply
        connection.on_lost = self.drop
        self._connection = connection
        self.connections += 1


def _error(reply: hiredis.ReplyError) -> Exception:
    """redis-py's error for an error reply."""
    return cast(Exception, BaseParser.parse_error(str(reply)))  # type: ignore[no-untyped-call]
