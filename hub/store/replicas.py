"""Which replicas must confirm what is written (PARLEY_ACK=replica:<k>, G6): all that follow the primary, and
at least k.

A failover may promote a replica while the primary is alive. For a moment the primary goes on, and what it
accepts is discarded later, even though other replicas confirm it: only the promoted one does not. A replica
that follows no more may be that one. So it is missed until the primary has been the primary for some seconds
more (docs/adr/0042).

`WAIT n` returns how many replicas have confirmed, but not which. The `ROLE` after it names those that are
connected then: if as many have confirmed as are connected or missed, each of them has.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

import structlog

from hub.clock import Clock
from hub.store.cluster import Primary
from hub.store.resp import pack

Address: TypeAlias = tuple[str, int]

ROLE: Final = pack(b"ROLE")
WATCH_SECONDS: Final = 1.0
MISSED_SECONDS: Final = 5.0
"""How long a replica that follows no more is missed: by then, all Sentinels know of a failover."""

_log = structlog.get_logger("parley.store")


class Wait(NamedTuple):
    """A WAIT that is under way."""

    primary: Primary | None
    replicas: int
    """For how many it waits."""
    written: int
    """How much the primary had written at the look before it."""


@dataclass(slots=True)
class _Followers:
    """The replicas of one primary."""

    required: set[Address] = field(default_factory=set)
    """Those that follow it, and those that did so not long ago."""
    written: int = 0
    """How much the primary had written at the last look, in bytes since the store was created."""


class ReplicaQuorum:
    """How many replicas must confirm a write to each primary: at least `least`; 0 if none has to.

    Primaries are those of a Cluster, or that Sentinels have named; None is the one at a fixed address.
    """

    def __init__(self, least: int) -> None:
        self.least = least
        self._followers: dict[Primary | None, _Followers] = {}

    def count_required(self, primary: Primary | None) -> int:
        """For how many to wait."""
        followers = self._followers.get(primary)
        return self.least if followers is None else max(self.least, len(followers.required))

    def begin_wait(self, primary: Primary | None) -> Wait:
        """What to ask of a primary with WAIT."""
        followers = self._followers.get(primary)
        return Wait(primary, self.count_required(primary), followers.written if followers else 0)

    def is_met(self, wait: Wait, confirmed: int, role: object) -> bool:
        """Whether every required replica has confirmed, if `confirmed` have; `role` answered a later ROLE.

        Any replica that may have confirmed is required: it has what had been written before the WAIT. A look
        since then may have seen more.
        """
        if not (isinstance(role, list) and role and role[0] in (b"master", "master")):
            return False
        self._note(wait.primary, role, wait.written)
        return confirmed >= self.count_required(wait.primary)

    def look(self, primary: Primary | None, role: list[Any]) -> set[Address]:
        """Notes who follows the primary; returns those that are required, but do not follow it."""
        followers = self._followers.setdefault(primary, _Followers())
        offsets = self._note(primary, role, followers.written)
        absent = {replica for replica in followers.required if offsets.get(replica, -1) < followers.written}
        followers.written = int(role[1])
        return absent

    def require(self, primary: Primary | None, replicas: Iterable[Address]) -> None:
        """Waits for these, too, whether or not they follow."""
        self._followers.setdefault(primary, _Followers()).required.update(replicas)

    def dismiss(self, primary: Primary | None, replica: Address) -> None:
        """Waits no more for this replica, until it has caught up."""
        self._followers[primary].required.discard(replica)

    def _note(self, primary: Primary | None, role: list[Any], written: int) -> dict[Address, int]:
        """Requires all replicas that have confirmed at least `written`."""
        followers = self._followers.setdefault(primary, _Followers())
        offsets = {(_text(host), int(port)): int(offset) for host, port, offset in role[2]}
        followers.required |= {replica for replica, offset in offsets.items() if offset >= written}
        return offsets


class ReplicaWatch:
    """Looks every second who follows each primary, and lets the quorum go on without those that are gone.

    `look_up` returns the primaries with their answers to ROLE, and raises OSError if none answers.
    `is_primary` returns whether a primary is known to be no former one.
    """

    def __init__(
        self,
        quorum: ReplicaQuorum,
        look_up: Callable[[], Awaitable[Sequence[tuple[Primary | None, list[Any]]]]],
        is_primary: Callable[[Primary | None], Awaitable[bool]],
        clock: Clock,
    ) -> None:
        self._quorum = quorum
        self._look_up = look_up
        self._is_primary = is_primary
        self._clock = clock
        self._absent_since: dict[tuple[Primary | None, Address], float] = {}

    async def begin(self, known: Mapping[Primary, Iterable[Address]]) -> None:
        """The first look. `known`: by primary, the replicas that others know of.

        Any of these that does not follow is missed, as if it had: it may have been promoted a moment ago.
        """
        for primary, replicas in known.items():
            self._quorum.require(primary, replicas)
        await self.look()

    async def keep(self) -> None:
        """Looks every second, forever."""
        while True:
            await self._clock.sleep(WATCH_SECONDS)
            await self.look()

    async def look(self) -> None:
        try:
            roles = await self._look_up()
        except OSError as error:
            _log.debug("the store does not say who follows it", reason=str(error))
            return
        at = self._clock.time()
        absent = {
            (primary, replica) for primary, role in roles for replica in self._quorum.look(primary, role)
        }
        self._absent_since = {one: self._absent_since.get(one, at) for one in absent}
        gone = [one for one, since in self._absent_since.items() if at - since >= MISSED_SECONDS]
        known = {primary for primary in {primary for primary, _ in gone} if await self._is_primary(primary)}
        for primary, replica in gone:
            if primary in known:
                _log.warning("verdicts wait no more for a replica", host=replica[0], port=replica[1])
                self._quorum.dismiss(primary, replica)


def _text(value: bytes | str) -> str:
    return value if isinstance(value, str) else value.decode()
