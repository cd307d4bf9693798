"""One table in a storm, from its creation to the check of its record."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final, TypeAlias

import httpx
from redis.exceptions import RedisError

from games import GAMES
from hub.config import CannotStart
from hub.store.store import Store
from hub.table import records
from tests.chaos.storm_owners import OwnerWatch
from tests.chaos.storm_people import Book, Reader, TableLost, Visitor
from tests.chaos.thinking_time import MAX_LOSS, TableClock
from tests.harness.defaults import DEFAULTS
from tests.harness.follower import settled, stored_room
from tests.harness.other_build import find_build
from tests.harness.plain_http import plain_http

OPTIONS: Final[Mapping[str, Mapping[str, Any]]] = {
    "almost": {"timers": "fast", "discussion": "timed", "discussionSeconds": 30, "whispers": True},
    "shares": {"timers": "fast", "rounds": "5", "talk": "looseLips", "openMarket": True},
    "subdivision": {"timers": "fast"},
    "sucker": {"timers": "fast"},
    "takeover": {"timers": "fast"},
}
"""Games that end within minutes, although bots take a second or two for each decision."""
ANSWER_SECONDS: Final = 10.0
WAIT: Final = 1.0
"""Seconds between attempts while hubs or their store are away."""
FindUrl: TypeAlias = Callable[[], Awaitable[str]]
"""Finds the store, which may have failed over."""


class Door:
    """The hubs' HTTP, however often hubs die; all answers are searched for marks."""

    def __init__(self, urls: Sequence[str], book: Book) -> None:
        limits = httpx.Limits(max_connections=8, max_keepalive_connections=0)  # none counts as a leak
        self.urls = urls
        self._http = plain_http("", timeout=ANSWER_SECONDS, limits=limits)
        self._book = book
        self._chance = random.Random(len(urls))

    async def ask(self, method: str, path: str, token: str | None = None, body: Any = None) -> httpx.Response:
        """The first answer of any hub that is neither a failure nor a request to come back later."""
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        while True:
            with suppress(httpx.TransportError):
                url = self._chance.choice(self.urls) + path
                answer = await self._http.request(method, url, headers=headers, json=body)
                self._book.counts["requests"] += 1
                self._book.search(answer.content, None, f"{method} {path}")
                if answer.status_code not in (429, 503):
                    if self._book.may_lose and answer.status_code == 404:
                        raise TableLost(path)
                    assert answer.is_success, f"{method} {path}: {answer.status_code} {answer.text}"
                    return answer
            self._book.counts["requests repeated"] += 1
            await asyncio.sleep(WAIT)

    async def close(self) -> None:
        await self._http.aclose()


class StormTable:
    """A table of two people and bots, with watchers."""

    def __init__(
        self,
        door: Door,
        book: Book,
        owners: OwnerWatch,
        game: str,
        people: list[dict[str, Any]],
        chance: random.Random,
    ) -> None:
        """The first two of the people play; the others watch."""
        self.game = game
        self.room = ""
        self.visitors: list[Visitor] = []
        self._door = door
        self._book = book
        self._owners = owners
        self._people = people
        self._chance = chance
        least, most = GAMES[game].game.seats[0], GAMES[game].game.seats[-1]
        self._seats = chance.randint(max(3, least), min(5, most))
        self._level = chance.choice(("easy", "easy", "normal", "hard"))

    async def play(self) -> None:
        """Plays until the game or the storm is over; in the end nothing happens any more."""
        host, guest, *watchers = self._people
        wanted = {"game": self.game, "seats": self._seats, "options": OPTIONS[self.game], "open": True}
        place = (await self._door.ask("POST", "/api/rooms", host["token"], wanted)).json()
        self.room = place["room"]
        self._owners.rooms.add(self.room)
        self._book.counts["tables"] += 1
        self._admit(host, place)
        self._admit(guest, await self._post("seats/1", guest))
        for person in watchers:
            self._admit(person, await self._post("enter", person))
        await self.visitors[0].come()
        for seat in range(2, self._seats):
            await self._perform(do="add_bot", seat=seat, level=self._level)
        await self._perform(do="start")
        async with asyncio.TaskGroup() as group:
            for visitor in self.visitors:
                group.create_task(visitor.visit())
        if self.visitors[0].knows.status == "running":
            await self._perform(do="pause")
            for visitor in self.visitors:
                await visitor.settle()

    async def check(self, find_store_url: FindUrl, key: bytes) -> None:
        """Checks what the store holds, the record, and the thinking time. Raises AssertionError."""
        self._book.check_owners(self.room)
        self._check_thinking_time()
        followers = [knows for visitor in self.visitors for knows in (*visitor.earlier, visitor.knows)]
        while True:
            with suppress(RedisError, OSError, CannotStart):
                store = await Store.open(await find_store_url(), forget_days=DEFAULTS.forget_days)
                try:
                    if self._book.may_lose and not await self._forget_lost(store, followers):
                        return
                    room = await settled(store, self.room, followers)
                    for entry in await store.log(self.room):
                        self._book.search(entry, None, f"the log of {self.room}")
                finally:
                    await store.close()
                break
            await asyncio.sleep(WAIT)
        self._book.counts["tables that newer rules went on with"] += bool(room.table.crossings)
        if room.table.status == "finished":
            record = (await self._door.ask("GET", f"/api/rooms/{self.room}/record")).content
            build = find_build(self.game, room.table.version)
            report = await asyncio.to_thread(partial(records.verify, record, build, key))
            assert isinstance(report, records.Verified), f"the record of {self.room}: {report}"
            self._book.counts["records verified"] += 1
            self._book.counts[f"games of {self.game} played to the end"] += 1
        self._book.counts["tables checked"] += 1
        for follower in followers:
            self._book.counts["views compared"] += len(follower.transcript.views)
            self._book.counts["lines compared"] += len(follower.lines)
            self._book.counts["commands compared"] += len(follower.verdicts)

    async def _forget_lost(self, store: Store, followers: Sequence[Reader]) -> bool:
        """Has everybody forget what was shown before the store's last epoch; returns False if the table's end
        is lost, too, so that it goes on without them."""
        room = await stored_room(store, self.room)
        token, _ = await store._read_owner(self.room)
        for follower in followers:
            if token is None or follower.run != token.decode():
                follower.forget()
        self._book.counts["tables whose end was lost"] += room.table.status == "running"
        return room.table.status != "running"

    def _check_thinking_time(self) -> None:
        clock = self._book.clocks.pop(self.room, TableClock())
        if self._book.may_lose:  # a clock that went back has lost nothing
            return
        for loss in clock.measure_losses(self._owners.tenures[self.room]):
            self._book.losses.append(loss.milliseconds)
            if loss.milliseconds > MAX_LOSS:
                self._book.fail(f"{self.game} {self.room} lost thinking time (G5): {loss}")

    async def close(self) -> None:
        """Everybody leaves. Raises what was wrong with what they received."""
        self._owners.rooms.discard(self.room)
        results = await asyncio.gather(*(visitor.drop() for visitor in self.visitors), return_exceptions=True)
        self._book.forget_frames(self.room)
        for result in results:
            if result is not None:
                raise result

    async def _post(self, path: str, person: dict[str, Any]) -> dict[str, Any]:
        answer: dict[str, Any] = (
            await self._door.ask("POST", f"/api/rooms/{self.room}/{path}", person["token"])
        ).json()
        return answer

    def _admit(self, person: dict[str, Any], place: dict[str, Any]) -> None:
        chance = random.Random(self._chance.randbytes(8))
        self.visitors.append(Visitor(person, place, self._book, self.room, chance, self._door.urls))

    async def _perform(self, **act: Any) -> None:
        """The host does this; it may be refused only because the game is over."""
        host = self.visitors[0]
        n = await host.send("manage", act=act)
        await host.settle()
        assert host.knows.applied(n) or host.knows.status == "finished", host.knows.code(n)
