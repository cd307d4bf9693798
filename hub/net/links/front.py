"""The front: this hub's links to the owners of rooms, for sockets and requests that arrived here."""

from __future__ import annotations

import asyncio
from itertools import count
from typing import Final, Literal, TypeAlias

import msgspec
import structlog
from websockets.exceptions import InvalidHandshake

from hub.clock import Clock
from hub.net.endpoint import Transport
from hub.net.links import messages as l
from hub.net.links.credentials import Credentials
from hub.net.links.dialing import dial
from hub.net.links.link import Link
from hub.store.hubs import HubIdentity
from hub.telemetry.metrics import Metrics
from hub.telemetry.repeated_warning import RepeatedWarning
from hub.telemetry.tasks import Tasks

RETRY_SECONDS: Final = 0.25
TRIES: Final = 20
"""How often a room is looked for while its owner does not answer: enough to outlast the lease of a hub that
was killed a moment ago."""
COME_AGAIN: Final = 4001
"""The close code for clients of a link that ended: they reconnect, and reach whoever owns the room then."""
AT_ONCE: Final = 100
LEAVE_SECONDS: Final = 0.02
"""When a hub leaves, it sends this many clients of its links away at once, and waits before the next."""

_log = structlog.get_logger("parley.links")


Hold: TypeAlias = Literal["link", "owner"]
"""Why nothing is read from a client: too much waits for its link, or the owner says so."""


class LinkLost(Exception):
    """There is no link to the hub, or it ended before the answer: perhaps it was done all the same."""


class Channel:
    """A client's socket that arrived here, followed by a connection on its room's owner."""

    __slots__ = ("_holds", "_link", "_number", "_owner", "transport")

    def __init__(self, owner: OwnerLink, link: Link, number: int, transport: Transport) -> None:
        self._owner = owner
        self._link = link
        self._number = number
        self._holds: set[Hold] = set()
        """Why nothing is read from the client."""
        self.transport = transport

    def message(self, data: bytes) -> None:
        """Passes on a message from the client."""
        self._owner.metrics.frames_relayed += 1
        self._link.send(l.FromClient(self._number, data), len(data))

    def hold(self, why: Hold, on: bool) -> None:
        """Reads nothing from the client while there is a reason not to."""
        held = bool(self._holds)
        (self._holds.add if on else self._holds.discard)(why)
        if bool(self._holds) != held:
            (self.transport.resume_reading if held else self.transport.pause_reading)()

    def closed(self, code: int) -> None:
        """Tells the owner that the client is gone."""
        if self._owner.channels.pop(self._number, None) is not None:
            self._link.send(l.Gone(self._number, code))


class OwnerLink:
    """The link to one owner, with its channels and the requests that wait for their answers."""

    def __init__(self, link: Link, metrics: Metrics) -> None:
        self.metrics = metrics
        self.channels: dict[int, Channel] = {}
        self._link = link
        self._numbers = count()
        self._requests: dict[int, asyncio.Future[l.Response]] = {}
        link.on_congestion = self._on_congestion
        self._congested = False

    @property
    def closed(self) -> bool:
        return self._link.closed

    def open(self, room: str, transport: Transport) -> Channel:
        number = next(self._numbers)
        channel = self.channels[number] = Channel(self, self._link, number, transport)
        self._link.send(l.Open(number, room, transport.remote))
        channel.hold("link", self._congested)
        return channel

    async def request(self, request: l.Request) -> l.Response:
        """The owner's answer. Raises LinkLost."""
        n = next(self._numbers)
        answer: asyncio.Future[l.Response] = asyncio.get_running_loop().create_future()
        self._requests[n] = answer
        self._link.send(msgspec.structs.replace(request, n=n), len(request.body))
        try:
            return await answer
        finally:
            self._requests.pop(n, None)

    def receive(self, message: l.ToFront) -> None:
        """Handles a message from the owner. What is for a client that has just gone is dropped."""
        match message:
            case l.ToClients(numbers, data):
                for number in numbers:
                    if channel := self.channels.get(number):
                        channel.transport.send(data)
            case l.Response(n):
                waiting = self._requests.get(n)
                if waiting is not None and not waiting.done():
                    waiting.set_result(message)
            case _:
                channel = self.channels.get(message.channel)
                if channel is not None:
                    _carry_out(message, channel)

    def end(self) -> None:
        """The link has ended: its clients shall come again."""
        for channel in list(self.channels.values()):
            channel.transport.close(COME_AGAIN, "")
        self.channels.clear()
        for waiting in self._requests.values():
            if not waiting.done():
                waiting.set_exception(LinkLost())

    def _on_congestion(self, congested: bool) -> None:
        self._congested = congested
        for channel in self.channels.values():
            channel.hold("link", congested)


def _carry_out(message: l.Join | l.Read | l.Close | l.Abort, channel: Channel) -> None:
    transport = channel.transport
    match message:
        case l.Join(_, "seats"):
            transport.join_seats()
        case l.Join():
            transport.join_crowd()
        case l.Read(_, on):
            channel.hold("owner", not on)
        case l.Close(_, code, reason):
            transport.close(code, reason)
        case l.Abort():
            transport.abort()


class OwnerLinks:
    """All links from this hub to owners, opened when they are needed."""

    def __init__(
        self,
        credentials: Credentials,
        tasks: Tasks,
        metrics: Metrics,
        clock: Clock,
        version: str = l.LINK_SUBPROTOCOL,
    ) -> None:
        """`version`: the subprotocol of the links."""
        self._credentials = credentials
        self._version = version
        self._unreached = RepeatedWarning(
            _log, "another hub cannot be reached", "other hubs are reached again", clock.time
        )
        self._tasks = tasks
        self._metrics = metrics
        self._clock = clock
        self._links: dict[str, asyncio.Task[OwnerLink | None]] = {}
        """By incarnation: the opening of a link, which stays until it ends."""

    async def open(self, hub: HubIdentity, room: str, transport: Transport) -> Channel:
        """A channel to the room's owner for this client. Raises LinkLost."""
        return (await self._link_to(hub)).open(room, transport)

    async def request(self, hub: HubIdentity, request: l.Request) -> l.Response:
        """The owner's answer to this request. Raises LinkLost."""
        return await (await self._link_to(hub)).request(request)

    async def reach(self, hub: HubIdentity) -> bool:
        """Whether a link to this hub is open, or can be opened."""
        try:
            await self._link_to(hub)
        except LinkLost:
            return False
        return True

    async def _link_to(self, hub: HubIdentity) -> OwnerLink:
        opening = self._links.get(hub.incarnation)
        if opening is None:
            opening = self._tasks.start("open link", self._open(hub))
            self._links[hub.incarnation] = opening
        link = await asyncio.shield(opening)
        if link is None or link.closed:
            raise LinkLost
        return link

    async def _open(self, hub: HubIdentity) -> OwnerLink | None:
        """Opens a link; returns None if there is none to this hub, because a task must not raise."""
        try:
            connection = await dial(hub, self._credentials, self._version)
        except (OSError, InvalidHandshake) as error:
            reason = str(error) or type(error).__name__
            self._metrics.links_failed += 1
            self._unreached.warn(hub=hub.incarnation, address=hub.url, reason=reason)
            self._links.pop(hub.incarnation, None)
            return None
        self._unreached.end()
        link = Link(connection, self._tasks)
        owner = OwnerLink(link, self._metrics)
        self._metrics.links += 1
        self._tasks.start("link to owner", self._keep(hub, link, owner))
        return owner

    async def _keep(self, hub: HubIdentity, link: Link, owner: OwnerLink) -> None:
        try:
            await link.keep(l.decode_to_front, owner.receive)
        finally:
            self._links.pop(hub.incarnation, None)
            self._metrics.links -= 1
            owner.end()

    async def leave(self) -> None:
        """Sends all clients away, a few at a time, so that they do not all return at once; ends the links."""
        for opening in list(self._links.values()):
            link = opening.result() if opening.done() and not opening.cancelled() else None
            if link is None:
                continue
            channels = list(link.channels.values())
            for start in range(0, len(channels), AT_ONCE):
                for channel in channels[start : start + AT_ONCE]:
                    channel.transport.close(COME_AGAIN, "")
                    channel.closed(COME_AGAIN)
                await self._clock.sleep(LEAVE_SECONDS)
            link.end()
