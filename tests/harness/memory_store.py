"""An in-memory store and lease for a hub's rooms. The test answers commits; other calls return at once."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from hub.store import store as stored
from hub.store.client import StoreUnavailable
from hub.store.hubs import HubIdentity
from hub.store.lobby import Listing
from hub.store.pipe import Commit, Result
from tests.harness.manual_clock import ManualClock


class ManualLease:
    """A lease whose live clock runs with the hub's clock, whether it is `lost` or not."""

    def __init__(self, clock: ManualClock) -> None:
        self.lost = False
        self._clock = clock

    def now_live(self) -> int:
        return self._clock.now_ms()

    def is_frozen(self) -> bool:
        return False

    def is_lost(self) -> bool:
        return self.lost


@dataclass(slots=True)
class Head:
    """A room as the store has it."""

    snapshot: bytes
    code: str
    status: str = "waiting"
    seq: int = 0
    at: int = 0
    live: int = 0
    epoch: int = 0
    log: list[bytes] = field(default_factory=list)
    beyond: list[bytes] = field(default_factory=list)
    """The log since the snapshot."""
    talk: dict[bytes, bytes] = field(default_factory=dict)
    notes: dict[int, bytes] = field(default_factory=dict)
    record: bytes | None = None
    summary: bytes = b""
    token: str = ""
    """The owner's token; commits by others are fenced."""


class MemoryStore:
    """A store in memory and its commit pipe; commits wait until `answer` is called."""

    def __init__(self) -> None:
        self.heads: dict[str, Head] = {}
        self.commits: list[Commit] = []
        self.away = False
        """Whether the store is unreachable."""
        self.others: dict[str, str] = {}
        """Rooms that other hubs own, with the owners' URLs."""
        self.claimed: list[str] = []
        self.released: list[tuple[str, int | None]] = []
        """Rooms with the table time at which they were released."""
        self._waiting: deque[tuple[Commit, Callable[[Result], None]]] = deque()

    # --- commits ---

    def submit(self, commit: Commit, done: Callable[[Result], None]) -> None:
        self._waiting.append((commit, done))

    def answer(self) -> bool:
        """Write and answer the waiting commits; return whether there were any."""
        some = bool(self._waiting)
        while self._waiting:
            commit, done = self._waiting.popleft()
            head = self.heads[commit.room]
            if commit.token != head.token:
                done(Result.FENCED)
                continue
            assert commit.base == head.seq
            head.seq, head.at, head.live = commit.seq, commit.at, commit.live
            head.status = commit.status
            head.log += commit.entries
            head.beyond += commit.entries
            if commit.snapshot:
                head.snapshot, head.beyond = commit.snapshot, []
            head.talk |= dict(commit.talk)
            head.notes |= dict(commit.notes)
            self.commits.append(commit)
            done(Result.APPLIED)
        return some

    # --- the other parts of the store that rooms use ---

    def _reach(self) -> None:
        if self.away:
            raise StoreUnavailable("away")

    async def create(
        self,
        room: str,
        code: str,
        snapshot: bytes,
        status: str,
        summary: bytes,
        token: str,
        at: int,
        live: int,
    ) -> bool:
        self._reach()
        if room in self.heads or any(head.code == code for head in self.heads.values()):
            return False
        self.heads[room] = Head(snapshot, code, status, at=at, live=live, epoch=1, token=token)
        return True

    async def claim(self, room: str, hub: HubIdentity, live: int, *, rank: object = None) -> stored.Claim:
        self._reach()
        self.claimed.append(room)
        head = self.heads.get(room)
        if head is None:
            return stored.Missing()
        if room in self.others:
            return stored.OwnedByOther(HubIdentity("other", self.others[room]))
        head.epoch += 1
        if head.status == "running":
            head.at += max(0, live - head.live)
        head.live = live
        head.token = f"{head.epoch}:{hub.incarnation}:x"
        return stored.Ownership(
            head.token,
            head.epoch,
            head.seq,
            head.at,
            head.status,
            head.code,
            head.snapshot,
            tuple(head.beyond),
            dict(head.talk),
            dict(head.notes),
        )

    async def locate(self, room: str, hub: HubIdentity, rank: object) -> None:
        """There is no other hub."""
        self._reach()

    async def renew(self, token: str, room: str, code: str) -> bool:
        self._reach()
        return self.heads[room].token == token

    async def unregister(self, incarnation: str) -> None:
        self._reach()

    async def release(
        self, token: str, room: str, *, at: int | None = None, stays_listed: bool = False
    ) -> bool:
        self._reach()
        self.released.append((room, at))
        return True

    async def log(self, room: str) -> list[bytes]:
        self._reach()
        return list(self.heads[room].log)

    async def snapshot(self, room: str) -> bytes | None:
        self._reach()
        head = self.heads.get(room)
        return None if head is None else head.snapshot

    async def record(self, room: str) -> bytes | None:
        self._reach()
        head = self.heads.get(room)
        return None if head is None else head.record

    async def keep_record(self, room: str, record: bytes, days: int) -> None:
        self._reach()
        self.heads[room].record = record

    async def remember_place(self, person: str, room: str, name: str) -> None:
        self._reach()

    async def resolve(self, code: str) -> str | None:
        self._reach()
        return next((name for name, head in self.heads.items() if head.code == code), None)

    async def put_summary(self, room: str, epoch: int, seq: int, summary: bytes) -> None:
        self._reach()
        self.heads[room].summary = summary

    async def lobby(self, skip: int, count: int) -> Listing:
        self._reach()
        summaries = {name: head.summary for name, head in self.heads.items() if head.summary}
        return Listing(len(summaries), dict([*summaries.items()][skip : skip + count]))
