"""A room that leaves a hub is freed by reference counting alone (G8): full garbage collections are rare."""

from __future__ import annotations

import asyncio
import gc
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from itertools import product
from typing import Any, Final, TypeAlias, cast

import pytest

from games import GAMES
from games.api import Seat
from games.shares.rules.game import SHARES
from hub.runtime.deadlines import EMPTY_TIMEOUT_MS
from hub.table.salt_exchange import hash_salt
from hub.telemetry.tasks import Tasks
from hub.wire import messages as m
from hub.worker.bot_executor import BotTask
from tests.games.shares.windows import opening
from tests.harness.planted import plant, ticket
from tests.secrecy.in_process_hub import NOW, Client, InProcessHub
from tests.secrecy.pair import CODE, ROOM

pytestmark = pytest.mark.asyncio

SALT: Final = "5a" * 32
PACKAGES: Final = ("hub.runtime.", "hub.table.", "hub.net.", "hub.worker.", "games.")
"""Where the types of a room's parts are defined."""
ENOUGH_MS: Final = 2 * EMPTY_TIMEOUT_MS + 1_000
"""A running table with nobody connected first pauses, then falls asleep."""


class Undecided:
    """An executor whose slow bots never finish."""

    def submit(self, task: BotTask) -> None:
        pass


class Hub(InProcessHub):
    """A hub with one table, and its people's sockets."""

    def __init__(self, tasks: Tasks) -> None:
        super().__init__(GAMES, tasks, Undecided())
        self.clients: list[Client] = []

    async def create(self, seats: int) -> None:
        """Opens a private table with a host and free seats."""
        creating = self.rooms.create(
            self.person(0), "almost", seats, {"discussion": "none"}, open=False, play_now=False, bots=None
        )
        self.room = (await self.finish(creating)).room

    async def connect(self, seat: int | None) -> Client:
        return await self.open(self.client(None if seat is None else Seat(seat)))

    async def open(self, client: Client) -> Client:
        await client.open()
        self.clients.append(client)
        return client

    def forget_sockets(self) -> None:
        """Lets go of the closed sockets, whose stand-ins would keep what listened to them."""
        for client in self.clients:
            assert client.wire.closed
            client.wire.listener = None
        self.clients.clear()

    async def pass_time(self, milliseconds: int) -> None:
        """Lets time pass, with all that it causes."""
        for _ in range(0, milliseconds, 500):
            self.advance(500)
            await self.settle()

    async def do(self, client: Client, kind: Callable[..., Any], **fields: Any) -> None:
        client.command(kind, **fields)
        await self.settle()


# --- what happens at a table ---


async def wait_for_players(hub: Hub) -> None:
    """People sit down, watch, knock, talk and write notes, but no game begins."""
    await hub.create(3)
    host = await hub.connect(0)
    await hub.finish(hub.rooms.sit(hub.room, hub.person(1), 1))
    guest = await hub.connect(1)
    watcher = await hub.connect(None)
    await hub.do(host, m.Manage, act=m.Admission(on=True))
    for stranger in (5, 6):
        await hub.finish(hub.rooms.ask(hub.room, hub.person(stranger), "192.0.2.1"))
    await hub.do(guest, m.Note, text="a note")
    await hub.do(guest, m.Say, channel="table", text="hello")
    await hub.do(watcher, m.Say, channel="watchers", text="hello")
    await hub.do(host, m.Manage, act=m.AddBot(seat=2, level="easy"))


async def play_with_bots(hub: Hub) -> None:
    """A game begins with salts; quick bots decide, and a slow one thinks."""
    await wait_for_players(hub)
    host, guest, _ = hub.clients
    await hub.do(host, m.Manage, act=m.FreeSeat(seat=1))
    await hub.do(host, m.Manage, act=m.AddBot(seat=1, level="hard"))
    await hub.do(host, m.Manage, act=m.CommitSalt(hash_salt(SALT)))
    await hub.do(host, m.Manage, act=m.Start())
    await hub.do(host, m.Manage, act=m.RevealSalt(SALT, hash_salt(SALT)))
    await hub.pass_time(5_000)
    assert hub.actor.room.table.status == "running"
    assert hub.state.bids.draft[2] is not None
    assert guest.wire.closed
    await hub.do(host, m.Do, prompt="bid:1", move={"move": "lock", "number": 3})


async def peek(hub: Hub) -> None:
    """Somebody looks at a hand, and substitutes play for people who are away."""
    opened = opening("hand")
    await plant(cast(Any, hub.store), SHARES, opened.state, 4, ROOM, CODE, opened.at)
    hub.room = ROOM
    spy = await hub.open(Client(hub, ticket(hub.signer, ROOM, 0, NOW), Seat(0)))
    await hub.do(spy, m.Do, prompt=opened.prompt, move=opened.move)
    assert hub.state.peek is not None
    await hub.pass_time(70_000)
    assert any(seat.substitute for seat in hub.actor.room.table.seats)


# --- how it leaves the hub ---


async def fall_asleep(hub: Hub) -> None:
    for client in hub.clients:
        client.lose()
    await hub.pass_time(ENOUGH_MS)
    assert hub.metrics.passivated == 1


async def fence(hub: Hub) -> None:
    """Another hub takes the room while a commit is on its way, and another command waits."""
    hub.store.heads[hub.room].token = "9:another hub"
    for text in ("on its way", "waiting"):
        hub.clients[0].command(m.Note, text=text)
        hub.clock.run_soon()
    await hub.settle()
    assert hub.metrics.commits_fenced == 1


async def drain(hub: Hub) -> None:
    draining = asyncio.ensure_future(hub.rooms.drain())
    while not draining.done():
        await asyncio.sleep(0)
        hub.advance(100)
    assert hub.store.released


async def cut_off(hub: Hub) -> None:
    """The hub gives the room up while a commit is on its way; the store answers later."""
    hub.clients[0].command(m.Note, text="on its way")
    hub.clock.run_soon()
    hub.actor.stop("cut off")
    await hub.settle()


LEAVING: Final = (fall_asleep, fence, drain, cut_off)


# --- what remains ---


def count_parts() -> Counter[str]:
    """The objects of rooms, by type. The store keeps packed rooms only."""
    names: Counter[str] = Counter()
    for item in gc.get_objects():
        kind = type(item)
        if str(kind.__module__).startswith(PACKAGES):
            names[kind.__qualname__] += 1
    return names


@pytest.fixture
def without_collections() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


Step: TypeAlias = Callable[[Hub], Awaitable[None]]
ALWAYS: Final = (*product((play_with_bots,), LEAVING), (wait_for_players, fall_asleep), (peek, drain))
"""The cases in every run."""
CASES: Final = [
    pytest.param(*case, marks=() if case in ALWAYS else pytest.mark.at_length)
    for case in product((wait_for_players, play_with_bots, peek), LEAVING)
]


@pytest.mark.usefixtures("without_collections")
@pytest.mark.parametrize(("use", "leave"), CASES)
async def test_a_room_that_leaves_is_freed_at_once(use: Step, leave: Step) -> None:
    async with Tasks() as tasks:
        hub = Hub(tasks)
        before = count_parts()
        await use(hub)
        assert count_parts()["Actor"] == before["Actor"] + 1
        await leave(hub)
        await hub.pass_time(1_000)
        hub.forget_sockets()
        assert not hub.rooms._actors
        assert count_parts() - before == Counter()
        assert tasks.failures == 0
