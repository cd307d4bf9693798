"""Bare fenced appends: commits like the hub's through the hub's pipe, with one in flight per room.

``python -m bench.append STORE_URL ROOM ROOMS SECONDS`` commits the last entry and snapshot that the hub
stored for ROOM. Prints one line of JSON: the number of commits, and this process's CPU microseconds for each.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from typing import Any, Final

import uvloop
from redis.asyncio import Redis

from hub.store.pipe import Commit, CommitPipe, Result
from hub.telemetry.tasks import Tasks

PREFIX: Final = "bench:"
WARM_SECONDS: Final = 0.3


class Appender:
    """One room, whose next commit is sent when the last one is confirmed."""

    def __init__(self, room: str, token: str, entry: bytes, snapshot: bytes, pipe: CommitPipe) -> None:
        self.commits = 0
        self._room = room
        self._token = token
        self._entries = [entry]
        self._snapshot = snapshot
        self._pipe = pipe

    def append(self) -> None:
        n = self.commits
        commit = Commit(self._room, self._token, n, n + 1, n, n, "running", self._snapshot, self._entries)
        self._pipe.submit(commit, self._receive)

    def _receive(self, result: Result) -> None:
        if result is Result.FENCED:
            raise RuntimeError(f"room {self._room} was fenced")
        self.commits += 1
        self.append()


async def main(url: str, room: str, rooms: int, seconds: float) -> None:
    client: Any = Redis.from_url(url)
    snapshot: bytes = await client.hget(f"parley:{{room:{room}}}:head", "snapshot")
    ((_, fields),) = await client.xrevrange(f"parley:{{room:{room}}}:log", count=1)
    async with Tasks() as tasks:
        pipe = CommitPipe(url, tasks, prefix=PREFIX)
        await pipe.connect()
        appenders: list[Appender] = []
        for number in range(rooms):
            name, token = f"append{number}", f"1:{number:x}:{time.monotonic_ns():x}"
            await client.hset(f"{PREFIX}{{room:{name}}}:head", mapping={"token": token, "seq": 0})
            await client.delete(f"{PREFIX}{{room:{name}}}:log")
            appenders.append(Appender(name, token, fields[b"e"], snapshot, pipe))
        for appender in appenders:
            appender.append()
        await asyncio.sleep(WARM_SECONDS)
        first, start = sum(appender.commits for appender in appenders), time.process_time()
        await asyncio.sleep(seconds)
        commits = sum(appender.commits for appender in appenders) - first
        cpu = time.process_time() - start
        print(json.dumps({"commits": commits, "us": cpu * 1e6 / commits, "bytes": len(snapshot)}))
        await pipe.close()
    await client.aclose()


def run(arguments: list[str]) -> None:
    url, room, rooms, seconds = arguments
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main(url, room, int(rooms), float(seconds)))


if __name__ == "__main__":
    run(sys.argv[1:])
