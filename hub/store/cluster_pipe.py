"""The commit pipes of a Cluster: one for each primary, with a connection of its own and answers in order.

A room's keys share a slot, so a commit concerns one primary. A node that has given the slot away names the
new one (MOVED), and one that is giving it away may name the receiver (ASK). Both have executed nothing, so
the commit goes on there. A commit whose connection was lost goes to whichever primary has its slot by then;
commit.lua answers `already` if it had been applied, as after any failover.

A room has one unanswered commit at a time, and rooms have no order among each other. So a commit may change
pipes at any time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from functools import partial
from itertools import count
from typing import Any, Final, TypeAlias

from hub.clock import Clock, LoopClock
from hub.config import Ack, CannotStart, Exit
from hub.store.address import StoreAddress
from hub.store.cluster import Cluster, Primary, find_slot, read_redirection
from hub.store.keys import Keys
from hub.store.pipe import FIRST_TAG, Commit, CommitPipe, Done, Flight, Hooks
from hub.store.replicas import ReplicaQuorum
from hub.telemetry.tasks import Tasks

REDIRECTIONS_AT_ONCE: Final = 4
"""So often a commit follows the nodes without delay: while they disagree, they may name each other."""


class ClusterPipe:
    """Commits to a Cluster. It is used as a `CommitPipe` is."""

    def __init__(
        self,
        address: StoreAddress,
        tasks: Tasks,
        *,
        prefix: str = "parley:",
        ack: Ack = "everysec",
        timeout: float = 2.0,
        replica_seconds: float = 1.0,
        hooks: Hooks | None = None,
        clock: Clock | None = None,
        quorum: ReplicaQuorum | None = None,
    ) -> None:
        assert address.cluster is not None
        self.healthy = False
        """Whether all pipes are."""
        self._address = address
        self._cluster: Cluster = address.cluster
        self._cluster.followers.append(self.follow)
        self._keys = Keys(prefix)
        self._hooks = hooks or Hooks()
        self._early: list[tuple[Commit, Done]] = []
        """Commits from before `connect`."""
        self._closed = False
        self._pipes: dict[Primary, CommitPipe] = {}
        self._make = partial(
            CommitPipe,
            tasks=tasks,
            prefix=prefix,
            ack=ack,
            timeout=timeout,
            replica_seconds=replica_seconds,
            clock=clock or LoopClock(),
            quorum=quorum,
            tags=count(FIRST_TAG + 1),  # a commit keeps its tag when it changes pipes
            hooks=Hooks(
                lambda healthy: self._check_health(),
                self._hooks.pipeline,
                self._hooks.latency,
                self._hooks.resent,
            ),
        )

    async def connect(self) -> None:
        """Reads the map and connects to all primaries. Raises CannotStart."""
        try:
            await self._cluster.refresh()
        except OSError as error:
            raise CannotStart(
                f"The store at {self._address} cannot be reached ({error}).", Exit.STORE
            ) from error
        pipes = [self._add(primary) for primary in self._cluster.primaries]
        await asyncio.gather(*(pipe.connect() for pipe in pipes))
        early, self._early = self._early, []
        for commit, done in early:
            self.submit(commit, done)

    async def close(self) -> None:
        """Stops, as a `CommitPipe` does."""
        self._closed = True
        for pipe in self._pipes.values():
            await pipe.close()

    @property
    def unanswered(self) -> int:
        """Commits that have no answer yet."""
        return len(self._early) + sum(pipe.unanswered for pipe in self._pipes.values())

    @property
    def problem(self) -> str | None:
        """Why no commits are answered, as one sentence; None while one of the primaries is healthy.

        With one primary away, the tables of the others go on, here as on any other hub.
        """
        problems = [pipe.problem for pipe in self._pipes.values()]
        return None if None in problems else next(iter(problems), "the store is not connected")

    def submit(self, commit: Commit, done: Done) -> None:
        """Sends this commit to the primary that has its room, as `CommitPipe.submit` does."""
        if self._cluster.primaries:
            self._home_of(commit.room).submit(commit, done)
        else:
            self._early.append((commit, done))

    def follow(self, primaries: Collection[Primary]) -> None:
        """Leaves all other nodes. What waits there, or for a connection, goes to whoever has its slot now."""
        if self._closed:
            return
        homeless: list[Flight] = []
        for primary, pipe in [*self._pipes.items()]:
            if primary not in primaries:
                del self._pipes[primary]
                homeless += pipe.retire()
            elif not pipe.is_connected:
                homeless += pipe.give_up()
        for flight in homeless:
            self._home_of(flight.room).adopt([flight])
        self._check_health()

    def _home_of(self, room: str) -> CommitPipe:
        return self._pipe_to(self._cluster.find(find_slot(self._keys.room(room)[0])))

    def _pipe_to(self, primary: Primary) -> CommitPipe:
        pipe = self._pipes.get(primary)
        if pipe is None:
            pipe = self._add(primary)
            pipe.start()
        return pipe

    def _add(self, primary: Primary) -> CommitPipe:
        redirect = partial(self._redirect, primary)
        pipe = self._pipes[primary] = self._make(self._address.at(primary), redirect=redirect)
        return pipe

    def _redirect(self, source: Primary, flight: Flight, reply: str) -> None:
        """Sends a commit on, to the node that `source` has named."""
        redirection = read_redirection(reply)
        assert redirection is not None
        for_good, slot, (host, port) = redirection
        target = self._pipe_to((host or source[0], port))
        flight.redirections += 1
        self._hooks.resent(1)
        if for_good:
            self._cluster.move(slot, (host or source[0], port))
        if flight.redirections % REDIRECTIONS_AT_ONCE == 0:
            target.hold(flight)
        elif for_good:
            target.adopt([flight])
        else:
            target.ask(flight)

    def _check_health(self) -> None:
        healthy = bool(self._pipes) and all(pipe.healthy for pipe in self._pipes.values())
        if healthy != self.healthy and not self._closed:
            self.healthy = healthy
            self._hooks.health(healthy)


Pipe: TypeAlias = CommitPipe | ClusterPipe


def make_pipe(url: str, tasks: Tasks, **options: Any) -> Pipe:
    """The commit pipe to the store at this URL, with the options of a `CommitPipe`. Raises CannotStart."""
    address = StoreAddress.parse(url)
    kind: Callable[..., Pipe] = CommitPipe if address.cluster is None else ClusterPipe
    return kind(address, tasks, **options)
