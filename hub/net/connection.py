"""One socket at work: hello, then commands in and frames out.

Frames come in by plain calls. Only the hello may wait: for the room to be taken from the store, and for the
attach to be committed. What arrives in between is kept, a few messages at most.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol, assert_never

import structlog
from msgspec import Struct

from games.api import Refusal, Seat
from hub.clock import Clock, Timer
from hub.net.endpoint import Transport
from hub.net.websocket import SLOW_READER
from hub.runtime.actor import Actor
from hub.runtime.placement import Elsewhere, NoSuchRoom, Unavailable, socket_url
from hub.table import actions
from hub.table.commands import Attach
from hub.table.room import preview
from hub.telemetry.metrics import Metrics
from hub.telemetry.tasks import Tasks
from hub.wire import codec
from hub.wire import messages as m
from hub.wire.framing import encode_frame
from hub.wire.limits import TokenBucket
from hub.wire.tickets import Signer, Ticket

HELLO_TIMEOUT_MS: Final = 10_000
"""How long a socket has to send its first message."""
EARLY: Final = 8
"""Messages a client may send before it is welcomed."""

_log = structlog.get_logger("parley.connection")


class Finder(Protocol):
    """Where rooms live (hub/runtime/registry.py)."""

    async def find(self, room: str) -> Actor:
        """The room's actor. Raises NoSuchRoom, Elsewhere, Unavailable."""
        ...


class Doorway(Struct, frozen=True):
    """What every connection of a hub shares. `rate` is commands per second and socket, `burst` at once."""

    finder: Finder
    signer: Signer
    clock: Clock
    tasks: Tasks
    metrics: Metrics
    wall: Callable[[], float]
    rate: float
    burst: float


class Connection:
    """Follows one room for one socket: a seat's, or a watcher's."""

    __slots__ = (
        "_actor",
        "_allowance",
        "_closed",
        "_deadline",
        "_doorway",
        "_early",
        "_patience",
        "_ticket",
        "_transport",
        "seat",
        "send",
    )

    def __init__(self, transport: Transport, doorway: Doorway) -> None:
        self.seat: Seat | None = None
        self._transport = transport
        self.send: Final = transport.send
        """Framed bytes, at the end of this tick."""
        self._doorway = doorway
        self._ticket: Ticket | None = None
        self._actor: Actor | None = None
        self._early: list[m.ToHub] | None = []
        self._closed = False
        self._allowance = TokenBucket(doorway.rate, doorway.burst, doorway.clock.now_ms())
        self._patience = doorway.burst
        self._deadline: Timer | None = doorway.clock.later(HELLO_TIMEOUT_MS / 1000, self._no_hello)
        doorway.metrics.sockets_opened += 1

    # --- frames in ---

    def message(self, data: bytes) -> None:
        """One whole message from the client."""
        doorway, metrics = self._doorway, self._doorway.metrics
        metrics.frames_in += 1
        metrics.bytes_in += len(data)
        if self._closed:
            return
        try:
            message = codec.decode(data)
        except codec.BadFrame as bad:
            self._complain(bad)
            return
        actor = self._actor
        if actor is None:
            self._before_welcome(message)
        elif self._allowance.spend(doorway.clock.now_ms()):
            self._patience = doorway.burst
            self._take(actor, message)
        else:
            self._too_fast(message)

    def closed(self, code: int) -> None:
        """The socket is gone."""
        self._doorway.metrics.sockets_closed[code] += 1
        self._doorway.metrics.dropped += code == SLOW_READER
        self._closed = True
        if self._deadline is not None:
            self._deadline.cancel()
        if self._actor is not None:
            if self.seat is None:
                self._doorway.metrics.watchers -= 1
            else:
                self._doorway.metrics.seats -= 1
            self._actor.unsubscribe(self)

    def _take(self, actor: Actor, message: m.ToHub) -> None:
        match message:
            case m.Do() | m.Manage() | m.Note():
                self._command(actor, message)
            case m.Say():
                if self.seat is None:
                    self._watcher_says(actor, message)
                else:
                    self._command(actor, message)
            case m.Ping():
                self._send(m.Pong(message.n, actor.now()))
            case m.Preview():
                self._preview(actor, message)
            case m.Hello():
                self._fail(4000, "HELLO_TWICE", "a socket says hello once")
            case _:
                assert_never(message)

    def _command(self, actor: Actor, message: m.Do | m.Manage | m.Say | m.Note) -> None:
        if self.seat is None:
            self._refuse(message.n, "NOT_SEATED", "GEN-8")
        elif not actor.receive(self.seat, message, self):
            self._refuse(message.n, "BUSY", "G8")

    def _watcher_says(self, actor: Actor, said: m.Say) -> None:
        if said.channel != "watchers" or said.text is None or said.to is not None:
            self._refuse(said.n, "NOT_SEATED", "GEN-8")
            return
        assert self._ticket is not None
        name = self._ticket.name
        actor.watchers_say(m.TalkMessage(channel="watchers", name=name, at=actor.now(), text=said.text))
        self.send(encode_frame(codec.verdict_applied(said.n)))

    def _preview(self, actor: Actor, asked: m.Preview) -> None:
        if self.seat is None:
            self._refuse(asked.n, "NOT_SEATED", "GEN-8")
            return
        try:
            shown = preview(actor.rules, actor.room, self.seat, asked.prompt, asked.move, actor.now())
        except Exception:  # noqa: BLE001 - a bug in the rules must not take the socket with it
            _log.exception("a preview failed", room=actor.room.table.room, seat=self.seat)
            shown = Refusal("BROKEN", "GEN-3")
        if isinstance(shown, Refusal):
            self._refuse(asked.n, shown.code, shown.rule)
        else:
            self._send(m.Previewed(asked.n, shown.data))

    # --- hello ---

    def _before_welcome(self, message: m.ToHub) -> None:
        if self._ticket is not None:
            if self._early is not None and len(self._early) < EARLY:
                self._early.append(message)
            else:
                self._fail(4008, "TOO_EARLY", "wait for the welcome before sending commands")
            return
        if not isinstance(message, m.Hello):
            self._fail(4000, "HELLO_FIRST", "the first message is `hello`")
            return
        ticket = self._doorway.signer.read_ticket(message.ticket, self._doorway.wall())
        if not isinstance(ticket, Ticket):
            self.refused_ticket(ticket.value)
            return
        self._ticket = ticket
        self._doorway.tasks.start("hello", self._enter(ticket, message.session))

    async def _enter(self, ticket: Ticket, number: int | None) -> None:
        try:
            actor = await self._doorway.finder.find(ticket.room)
        except NoSuchRoom:
            self._fail(4004, "NO_SUCH_ROOM", "this table does not exist any more")
            return
        except Elsewhere as elsewhere:
            self._send(m.Moved(socket_url(elsewhere.url, ticket.room)))
            self.close(4001)
            return
        except Unavailable as unavailable:
            self._fail(1013, "UNAVAILABLE", unavailable.advice)
            return
        if self._closed:
            return
        table = actor.room.table
        if ticket.seat is None:
            if not table.watching:
                self._fail(4013, "WATCHING_CLOSED", "this table may not be watched")
            else:
                self._welcome(actor, None)
            return
        seat = Seat(ticket.seat)
        if not actions.holds(table, seat, ticket.person, ticket.seat_generation):
            self.refused_ticket("stale")
            return
        attach = Attach(seat, ticket.person, ticket.seat_generation, number)
        if not actor.perform(attach, _Attaching(self, actor, seat)):
            self._fail(1013, "BUSY", "too many commands wait at this table: try again")

    def attached(self, actor: Actor, seat: Seat, number: int) -> None:
        """The session is committed: from now on commands count."""
        if not self._closed:
            self.seat = seat
            self._welcome(actor, number)

    def _welcome(self, actor: Actor, number: int | None) -> None:
        if actor.stopped:
            self.close(4001)
            return
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        self._actor = actor
        if self.seat is None:
            self._doorway.metrics.watchers += 1
        else:
            self._doorway.metrics.seats += 1
        welcome = m.Welcome(actor.token, actor.room.table.room, self.seat, number)
        actor.subscribe(self, encode_frame(codec.encode(welcome)))
        early, self._early = self._early or [], None
        for message in early:
            self._take(actor, message)

    def _no_hello(self) -> None:
        self._deadline = None
        if self._actor is None and not self._closed and self._ticket is None:
            self._fail(4000, "HELLO_FIRST", "the first message is `hello`, within ten seconds")

    def refused_ticket(self, problem: str) -> None:
        """Not let in; why, only the figures know."""
        self._doorway.metrics.tickets_refused[problem] += 1
        self._fail(4003, "BAD_TICKET", m.CLOSE_CODES[4003])

    # --- frames out ---

    def answer(self, n: int, refusal: Refusal | None) -> None:
        """The verdict of a command: it leaves together with the frame that follows."""
        if refusal is None:
            self.send(encode_frame(codec.verdict_applied(n)))
        else:
            self._send(m.Verdict(n, refusal.code, refusal.rule, refusal.args))

    def abandoned(self) -> None:
        """Nothing to send: the close that follows tells the client to ask the new owner."""

    def close(self, code: int) -> None:
        self._transport.close(code, m.CLOSE_CODES.get(code, ""))

    def _send(self, message: m.ToClient) -> None:
        self._transport.send(encode_frame(codec.encode(message)))

    def _refuse(self, n: int, code: str, rule: str) -> None:
        self._doorway.metrics.refused[code] += 1
        self._send(m.Verdict(n, code, rule))

    def _complain(self, bad: codec.BadFrame) -> None:
        self._send(m.Error(bad.code, bad.advice))
        if bad.close is not None:
            self.close(bad.close)
        elif not self._allowance.spend(self._doorway.clock.now_ms()):
            self._patience -= 1
            if self._patience < 0:
                self.close(4008)

    def _too_fast(self, message: m.ToHub) -> None:
        """Over its allowance: told so, and after as much again put out."""
        self._patience -= 1
        if self._patience < 0:
            self._fail(4008, "SLOW_DOWN", m.CLOSE_CODES[4008])
        elif not isinstance(message, m.Hello):
            self._refuse(message.n, "SLOW_DOWN", "G8")

    def _fail(self, close: int, code: str, advice: str) -> None:
        self._send(m.Error(code, advice))
        self.close(close)


class _Attaching:
    """Waits until the `Attach` of a connection is committed."""

    def __init__(self, connection: Connection, actor: Actor, seat: Seat) -> None:
        self._connection = connection
        self._actor = actor
        self._seat = seat

    def answer(self, session: int, refusal: Refusal | None) -> None:
        if refusal is None:
            self._connection.attached(self._actor, self._seat, session)
        else:
            self._connection.refused_ticket("stale")

    def abandoned(self) -> None:
        self._connection.close(4001)
