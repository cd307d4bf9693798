"""The part of a hub that the store sees: it owns a room, commits to it, and counts its commits."""

from __future__ import annotations

import asyncio
from typing import Any

from hub.store.cluster_pipe import Pipe
from hub.store.hubs import HubIdentity
from hub.store.pipe import Commit, Result
from hub.store.store import Claim, Ownership, Store, first_token


class Owner:
    """A room's owner: `take` or `create` it, then `commit`. Its knowledge of the room may be out of date."""

    def __init__(self, name: str, store: Store, pipe: Pipe) -> None:
        self.hub = HubIdentity(name, f"http://{name}")
        self.store = store
        self.pipe = pipe
        self.room = ""
        self.token = ""
        self.seq = 0
        self.live = 0
        self.at = 0

    async def create(self, room: str, code: str | None = None, *, status: str = "running") -> bool:
        token = first_token(self.hub.incarnation)
        created = await self.store.create(
            room, code or room.upper(), b"born", status, b"", token, self.at, self.live
        )
        if created:
            self.room, self.token, self.seq = room, token, 0
        return created

    async def take(self, room: str) -> Claim:
        answer = await self.store.claim(room, self.hub, self.live)
        if isinstance(answer, Ownership):
            self.room, self.token, self.seq, self.at = room, answer.token, answer.seq, answer.at
        return answer

    def next(self, *entries: bytes, snapshot: bytes | None = None, **more: Any) -> Commit:
        """The next commit, without sending it."""
        seq = self.seq + max(1, len(entries))
        fields: dict[str, Any] = {
            "room": self.room,
            "token": self.token,
            "base": self.seq,
            "seq": seq,
            "at": self.at,
            "live": self.live,
            "status": "running",
            "snapshot": b"after %d" % seq if snapshot is None else snapshot,
        }
        return Commit(**{**fields, "entries": entries, **more})

    def send(self, commit: Commit) -> asyncio.Future[Result]:
        """Submit a commit and return its pending verdict; a second verdict fails the test."""
        verdict: asyncio.Future[Result] = asyncio.get_running_loop().create_future()

        def done(result: Result) -> None:
            verdict.set_result(result)
            if result is not Result.FENCED and commit.token == self.token:
                self.seq = max(self.seq, commit.seq)

        self.pipe.submit(commit, done)
        return verdict

    async def commit(self, *entries: bytes, **more: Any) -> Result:
        """Commit these entries next, and wait for the verdict."""
        return await self.send(self.next(*entries, **more))
