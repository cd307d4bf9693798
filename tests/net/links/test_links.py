"""R8: the link between two hubs, over a real socket and TLS, with clients and rooms that only record."""

from __future__ import annotations

import asyncio
import re
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from hashlib import sha256
from typing import Any, get_args

import msgspec
import pytest
from structlog.testing import capture_logs
from websockets.asyncio.server import ServerConnection

from hub.net.links import link as link_module
from hub.net.links import messages as l
from hub.net.links import owner as owner_module
from hub.net.links.address import listen_for_links
from hub.net.links.credentials import Credentials
from hub.net.links.front import LinkLost, OwnerLinks
from hub.net.links.link import MAX_BYTES, PAUSE_BYTES, Link
from hub.net.links.owner import LinkServer, RelayedTransport
from hub.store.hubs import HubIdentity
from hub.telemetry.metrics import Metrics
from hub.telemetry.tasks import Tasks
from tests.harness.manual_clock import ManualClock

pytestmark = pytest.mark.asyncio

SECRET = b"s" * 32
STORE = "unix:///tmp/store"
STALLING_BYTES = 16 * 1024 * 1024
"""More than the kernel's buffers take on the way, and less than a link holds."""


class Client:
    """The front's side of a client's socket: it records what it is told."""

    remote = "192.0.2.7"
    closed = False

    def __init__(self) -> None:
        self.heard: list[Any] = []
        self.changed = asyncio.Event()

    def _note(self, what: Any) -> None:
        self.heard.append(what)
        self.changed.set()

    def send(self, data: bytes) -> None:
        self._note(data)

    def join_crowd(self) -> None:
        self._note("crowd")

    def join_seats(self) -> None:
        self._note("seats")

    def pause_reading(self) -> None:
        self._note("paused")

    def resume_reading(self) -> None:
        self._note("reading")

    def close(self, code: int, reason: str = "") -> None:
        self._note((code, reason))

    def abort(self) -> None:
        self._note("aborted")

    def listen(self, on_message: Any, on_close: Any) -> None:
        raise AssertionError("the front's connection listens")

    async def until(self, *heard: Any) -> None:
        """Wait until it was told this, in this order."""
        while len(self.heard) < len(heard):
            self.changed.clear()
            await self.changed.wait()
        assert self.heard == list(heard)


class Follower:
    """The owner's connection for a client."""

    def __init__(self, owner: Owner, transport: RelayedTransport, room: str) -> None:
        self.owner = owner
        self.transport = transport
        self.room = room
        self.code: int | None = None

    def message(self, data: bytes) -> None:
        if data == b"defect":
            raise RuntimeError("a defect")
        self.owner.note((self.room, self.transport.remote, data))

    def closed(self, code: int) -> None:
        self.code = code
        self.owner.note((self.room, code))


class Owner:
    """A hub that serves links, and records what arrives over them."""

    def __init__(self) -> None:
        self.followers: list[Follower] = []
        self.heard: list[Any] = []
        self.changed = asyncio.Event()
        self.gate = asyncio.Event()
        self.gate.set()

    def note(self, what: Any) -> None:
        self.heard.append(what)
        self.changed.set()

    def connect(self, transport: RelayedTransport, room: str) -> Follower:
        self.followers.append(Follower(self, transport, room))
        self.note(room)
        return self.followers[-1]

    async def serve(self, request: l.Request) -> l.Response:
        self.note(request.target)
        await self.gate.wait()
        return l.Response(request.n, 200, (), request.body, False)

    async def until(self, *heard: Any) -> None:
        await self.until_count(len(heard))
        assert self.heard == list(heard)

    async def until_count(self, count: int) -> None:
        while len(self.heard) < count:
            self.changed.clear()
            await self.changed.wait()


class World:
    """A front and an owner, and how the front finds the owner."""

    def __init__(
        self, front: OwnerLinks, owner: Owner, hub: HubIdentity, server: LinkServer, metrics: Metrics
    ) -> None:
        self.front = front
        self.owner = owner
        self.hub = hub
        self.server = server
        self.metrics = metrics


@asynccontextmanager
async def linked(secret: bytes = SECRET, name: str = "owner") -> AsyncIterator[World]:
    """`secret`: the front's. `name`: the incarnation that the front wants to reach."""
    owner, metrics = Owner(), Metrics()
    async with Tasks() as tasks:
        listening, url = listen_for_links(None, STORE)
        server = LinkServer(Credentials(SECRET, "owner"), owner.connect, owner.serve, tasks, metrics)
        server.start(listening)
        front = OwnerLinks(Credentials(secret, "front"), tasks, metrics, ManualClock())
        yield World(front, owner, HubIdentity(name, url), server, metrics)
        await server.close()


async def test_a_client_is_followed_by_the_owner() -> None:
    async with linked() as world:
        client = Client()
        channel = await world.front.open(world.hub, "room", client)
        channel.message(b"hello")
        await world.owner.until("room", ("room", "192.0.2.7", b"hello"))
        transport = world.owner.followers[0].transport
        transport.join_seats()
        transport.send(b"welcome")
        transport.pause_reading()
        transport.resume_reading()
        transport.close(4011, "elsewhere")
        transport.send(b"too late")
        await client.until("seats", b"welcome", "paused", "reading", (4011, "elsewhere"))
        channel.message(b"too late")
        channel.closed(4011)
        await world.owner.until("room", ("room", "192.0.2.7", b"hello"), ("room", 4011))


async def test_messages_share_one_link_and_reach_only_their_client() -> None:
    async with linked() as world:
        clients = [Client() for _ in range(3)]
        for number, client in enumerate(clients):
            (await world.front.open(world.hub, f"room {number}", client)).message(b"%d" % number)
        await world.owner.until_count(6)
        for number, follower in enumerate(world.owner.followers):
            follower.transport.send(b"for %d" % number)
        for number, client in enumerate(clients):
            await client.until(b"for %d" % number)
        assert len(world.front._links) == 1


async def test_a_request_is_answered_by_the_owner() -> None:
    async with linked() as world:
        request = l.Request(0, "POST", "https", "/api/rooms/r/enter?a=1", ((b"host", b"a"),), b"{}", None)
        answer = await world.front.request(world.hub, request)
        assert (answer.status, answer.body) == (200, b"{}")
        assert world.owner.heard == ["/api/rooms/r/enter?a=1"]


async def test_clients_come_again_when_the_link_ends() -> None:
    async with linked() as world:
        client = Client()
        await world.front.open(world.hub, "room", client)
        world.owner.gate.clear()
        waiting = asyncio.create_task(
            world.front.request(world.hub, l.Request(0, "GET", "http", "/", (), b"", None))
        )
        await world.owner.until("room", "/")
        await world.server.close()
        await client.until((4001, ""))
        with pytest.raises(LinkLost):
            await waiting
        with pytest.raises(LinkLost):
            await world.front.open(world.hub, "room", client)


async def test_the_owner_lets_go_of_clients_whose_front_is_gone() -> None:
    async with linked() as world:
        await world.front.open(world.hub, "room", Client())
        await world.owner.until("room")
        opened = await next(iter(world.front._links.values()))
        assert opened is not None
        opened._link.cut()
        await world.owner.until("room", ("room", 1006))


async def stall(world: World) -> ServerConnection:
    """The owner's end of a link. The front reads nothing any more, as if it were stopped, and more waits for
    it than the buffers take."""
    await world.front.open(world.hub, "room", Client())
    await world.owner.until("room")
    opened = await next(iter(world.front._links.values()))
    assert opened is not None
    opened._link._connection.transport.pause_reading()
    asked = opened._link._connection.keepalive_task
    assert asked is not None
    asked.cancel()
    (link,) = world.server._links
    send = world.owner.followers[0].transport.send
    send(bytes(STALLING_BYTES))
    while not link.transport.get_write_buffer_size():  # TLS takes the first write, however long it is
        send(b"more")
        await asyncio.sleep(0)
    send(bytes(link.transport.get_write_buffer_limits()[1]))
    while not link.paused:  # noqa: ASYNC110 - a transport sets no event
        await asyncio.sleep(0)
    return link


async def test_an_owner_ends_although_a_front_reads_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """R8: a hub that is stopped (SIGSTOP) must not keep the others from ending."""
    monkeypatch.setattr(owner_module, "CLOSE_SECONDS", 0.01)
    async with linked() as world:
        link = await stall(world)
        while len(link.drain_waiters) < 2:  # noqa: ASYNC110 - until a ping waits, too
            await asyncio.sleep(0.01)
        await world.server.close()
        assert world.server._links == set()


async def test_a_front_that_reads_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pings do not tell: they wait behind what could not be written."""
    monkeypatch.setattr(link_module, "STALL_SECONDS", 0.01)
    async with linked() as world:
        await stall(world)
        await world.owner.until("room", ("room", 1006))


async def test_a_defect_costs_only_its_client() -> None:
    async with linked() as world:
        bad, good = Client(), Client()
        (await world.front.open(world.hub, "bad", bad)).message(b"defect")
        (await world.front.open(world.hub, "good", good)).message(b"fine")
        await world.owner.until("bad", "good", ("good", "192.0.2.7", b"fine"))
        await bad.until("aborted")
        assert good.heard == []


@pytest.mark.parametrize(
    ("secret", "name"), [(b"x" * 32, "owner"), (SECRET, "somebody else")], ids=["other secret", "other hub"]
)
async def test_no_link_without_the_secret_or_to_another_hub(secret: bytes, name: str) -> None:
    async with linked(secret, name) as world:
        with pytest.raises(LinkLost):
            await world.front.open(world.hub, "room", Client())
        await asyncio.sleep(0)
        assert world.owner.heard == []
        assert world.metrics.links_failed == 1


async def test_strangers_learn_nothing_at_the_port_of_links() -> None:
    """Without a certificate of the secret's authority, TLS ends before a byte of the link's protocol."""
    async with linked() as world:
        port = int(world.hub.url.rpartition(":")[2])
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=context, server_hostname="")
        writer.write(b"GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n\r\n")
        with suppress(ssl.SSLError, ConnectionError):  # an alert, or nothing
            assert await reader.read() == b""
        writer.transport.abort()
        plain, plain_writer = await asyncio.open_connection("127.0.0.1", port)
        plain_writer.write(b"GET / HTTP/1.1\r\n\r\n")
        assert b"HTTP" not in await plain.read()
        plain_writer.transport.abort()
        assert world.owner.heard == []


async def test_a_link_of_another_version_is_refused() -> None:
    """R8: the log says which version each of the two hubs speaks, and nothing is read from the link."""
    async with linked() as world, Tasks() as tasks:
        newer = OwnerLinks(Credentials(SECRET, "newer"), tasks, Metrics(), ManualClock(), "parley.link.v2")
        with capture_logs() as logs:
            assert not await newer.reach(world.hub)
        (warning,) = (line for line in logs if line["log_level"] == "warning")
        assert warning["event"] == "another hub cannot be reached"
        assert "it speaks parley.link.v1 and this hub parley.link.v2" in warning["reason"]
        assert world.owner.heard == []
        assert await world.front.reach(world.hub)


async def test_the_version_rises_with_every_change_to_the_messages() -> None:
    """R8: raise LINK_SUBPROTOCOL and write the new pair here; a pair that was released stays true."""
    kinds: Any = (*get_args(l.ToOwner), *get_args(l.ToFront))
    shapes = re.sub(r"<class '[\w.]*?(\w+)'>", r"\1", repr(msgspec.inspect.multi_type_info(kinds)))
    digest = sha256(shapes.encode()).hexdigest()[:16]
    assert (l.LINK_SUBPROTOCOL, digest) == ("parley.link.v1", "09844b70453c29af")


class Stalled:
    """A connection whose other end does not read."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.reading = asyncio.Event()
        self.ended = False
        self.transport = self

    async def send(self, data: bytes) -> None:
        self.sent.append(data)
        await self.reading.wait()

    def abort(self) -> None:
        self.ended = True


async def test_what_clients_share_crosses_once_and_back_pressure_is_told() -> None:
    async with Tasks() as tasks:
        connection = Stalled()
        link = Link(connection, tasks)  # type: ignore[arg-type]
        told: list[bool] = []
        relieved = asyncio.Event()

        def tell(congested: bool) -> None:
            told.append(congested)
            if not congested:
                relieved.set()

        link.on_congestion = tell
        tasks.start("write", link._write())
        shared = bytes(1000)
        for channel in range(100):
            link.send_to_clients(channel, shared)
        await asyncio.sleep(0)
        assert len(connection.sent[0]) < 2000
        assert l.decode_to_front(connection.sent[0]) == [l.ToClients(tuple(range(100)), shared)]
        link.send_to_clients(1, bytes(PAUSE_BYTES))
        assert told == [True]
        connection.reading.set()
        await relieved.wait()
        assert told == [True, False]
        connection.reading.clear()
        link.send_to_clients(1, bytes(MAX_BYTES + 1))
        assert (connection.ended, link.closed) == (True, True)


async def test_listening_for_links(tmp_path: Any) -> None:
    for url, says in (
        ("wss://0.0.0.0:8421", "no hub can connect to this address"),
        ("wss://no-such-host.invalid:8421", "has no address here"),
    ):
        with pytest.raises(Exception, match=says):
            listen_for_links(url, STORE)
    listening, url = listen_for_links(None, STORE)
    assert url == f"wss://127.0.0.1:{listening.getsockname()[1]}"
    with pytest.raises(Exception, match="choose another address or port with PARLEY_HUB_URL"):
        listen_for_links(url, STORE)
    listening.close()
    elsewhere, _ = listen_for_links(f"wss://192.0.2.1:{free()}", STORE)  # a port that something forwards
    assert elsewhere.getsockname()[0] == "0.0.0.0"
    elsewhere.close()


def free() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
