"""One socket and the room it follows: a hello, then commands in and frames out.

Messages arrive as plain calls. Only the hello may have to wait: for the room to be loaded from the store, and
for the session to be committed. A few messages that arrive in the meantime are kept.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final, assert_never

import structlog

from games.api import Refusal, Seat
from hub.net.command_budget import QUESTION_COST
from hub.net.connection_state import (
    AwaitingHello,
    Closed,
    ConnectionContext,
    Following,
    Joining,
    Relayed,
    SocketRelay,
    State,
)
from hub.net.endpoint import Transport
from hub.net.guard import ExclusionReason, explain_ban
from hub.net.links.front import RETRY_SECONDS, TRIES, LinkLost
from hub.net.websocket import SLOW_READER
from hub.runtime.actor import Actor
from hub.runtime.placement import Elsewhere, GameEnded, NoSuchRoom, OtherVersion, TableClosed, Unavailable
from hub.runtime.verdicts import ADVICE
from hub.store.hubs import HubIdentity
from hub.store.policy import Ban
from hub.table import seating
from hub.table.admission import is_unseated_host
from hub.table.advice import advise
from hub.table.commands import Attach
from hub.table.promises import list_choices
from hub.table.room import preview
from hub.wire import codec
from hub.wire import messages as m
from hub.wire.framing import encode_frame
from hub.wire.limits import Opener, TokenBucket, network
from hub.wire.names import clean_talk
from hub.wire.tickets import OPERATOR, Ticket

HELLO_SECONDS: Final = 10.0
"""The time a socket has to send its first message."""
MAX_EARLY_MESSAGES: Final = 8
"""Messages a client may send between its hello and its welcome."""

BUSY: Final = "too many commands are waiting at this table: try again"
CATCHING_UP: Final = "watchers see this table late, and this hub has just taken it over: try again soon"
DEFECT: Final = "this hub has a defect and cannot open the table: its log has details"
TABLE_FULL: Final = "this table has as many watchers as it may have: try again in a minute"

_log = structlog.get_logger("parley.connection")


class Connection:
    """Connects one socket to one room, for a seat or for a watcher."""

    __slots__ = (
        "_bucket",
        "_context",
        "_excess_left",
        "_resting_until",
        "_site_budget",
        "_state",
        "_transport",
        "name",
        "person",
        "place",
        "seat",
        "send",
    )

    def __init__(self, transport: Transport, context: ConnectionContext, room: str) -> None:
        self.seat: Seat | None = None
        self.place: Seat | None = None
        """Where its commands come from: its seat, or the place of a host without one; None for a watcher."""
        self.person = ""
        self.name = ""
        self.send: Final = transport.send
        """Sends framed bytes, at the end of this tick."""
        self._transport = transport
        self._context = context
        self._bucket = TokenBucket(context.rate, context.burst, context.clock.now_ms())
        self._excess_left = context.burst
        """Messages over the limit that are still answered, until the socket is closed."""
        self._site_budget = context.sites.join(transport.remote, context.clock.now_ms())
        self._resting_until = 0
        """Until when nothing more is read from this socket, on the hub's clock; 0 while it is read."""
        deadline = context.clock.call_later(HELLO_SECONDS, self._no_hello)
        self._state: State = AwaitingHello(deadline, room)
        context.metrics.sockets_opened += 1

    @property
    def ticket(self) -> Ticket | None:
        """The ticket from its hello; None before that, and after the socket has closed."""
        state = self._state
        return state.ticket if isinstance(state, Joining | Following | Relayed) else None

    @property
    def address(self) -> str | None:
        return self._transport.remote

    # --- called by the transport ---

    def message(self, data: bytes) -> None:
        """Handles one complete message from the client."""
        context, state = self._context, self._state
        metrics = context.metrics
        metrics.frames_in += 1
        metrics.bytes_in += len(data)
        if isinstance(state, Relayed):
            state.channel.message(data)
            return
        try:
            message = codec.decode(data)
        except codec.BadFrame as error:
            self._reject(error)
            return
        if isinstance(state, Following):
            at = context.clock.now_ms()
            if self._bucket.spend(at):
                self._excess_left = context.burst
                if self._site_budget is not None and (wait := self._site_budget.borrow(at)):
                    self._rest(at, wait)
                self._handle(state, message)
            else:
                self._slow_down(message)
        elif isinstance(state, AwaitingHello):
            self._hello(state, message, data)
        elif isinstance(state, Joining):
            self._keep(state, data)

    def closed(self, code: int) -> None:
        """Stops following the room once the socket is gone."""
        metrics = self._context.metrics
        metrics.sockets_closed[code] += 1
        metrics.dropped += code == SLOW_READER
        self._context.sites.leave(self._transport.remote)
        if isinstance(self._state, Relayed):
            self._state.channel.closed(code)
        self._leave()

    def _leave(self) -> None:
        metrics = self._context.metrics
        self._context.guard.remove(self)
        state, self._state = self._state, Closed()
        match state:
            case AwaitingHello(deadline, _):
                deadline.cancel()
            case Following(actor, ticket):
                self._context.people.remove(ticket.person, self)
                if self.seat is None:
                    metrics.watchers -= 1
                else:
                    metrics.seats -= 1
                actor.unsubscribe(self)
            case Joining() | Relayed() | Closed():
                pass
            case _:
                assert_never(state)

    # --- the limit of its site ---

    def _rest(self, at: int, wait: float) -> None:
        """Reads nothing more for this many milliseconds: all sockets of its site have sent too much."""
        context = self._context
        if not self._resting_until:
            context.metrics.limited["site messages"] += 1
            self._transport.pause_reading()
            context.clock.call_later(wait / 1000, self._read_on)
        self._resting_until = at + math.ceil(wait)

    def _read_on(self) -> None:
        left = self._resting_until - self._context.clock.now_ms()
        if left > 0:  # more messages had arrived together with the first one over the limit
            self._context.clock.call_later(left / 1000, self._read_on)
            return
        self._resting_until = 0
        self._transport.resume_reading()

    # --- messages from somebody who follows a room ---

    def _handle(self, following: Following, message: m.ToHub) -> None:
        actor = following.actor
        match message:
            case m.Do() | m.Manage() | m.Note() | m.MakePromise():
                self._command(actor, message)
            case m.Say():
                if self.seat is not None:
                    self._command(actor, message)
                elif message.channel == "table":
                    self._say_to_table(actor, message)
                else:
                    self._say_to_watchers(following, message)
            case m.Ping():
                at = actor.read_shown_time() if self.place is None else actor.read_seats_time()
                self._send(m.Pong(message.n, at))
            case m.Preview() | m.AskPromises() | m.Coach():
                self._answer_question(actor, message)
            case m.Hello():
                self._fail(4000, "HELLO_TWICE", "a socket may say hello only once")
            case _:
                assert_never(message)

    def _command(self, actor: Actor, message: m.Do | m.Manage | m.Say | m.Note | m.MakePromise) -> None:
        if self.place is None:
            self._refuse(message.n, "NOT_SEATED", "GEN-8")
        elif not self._context.commands.spend():
            self._context.metrics.limited["turn"] += 1
            self._refuse(message.n, "BUSY", "G8")
        elif not actor.receive(self.place, message, self):
            self._refuse(message.n, "BUSY", "G8")

    def _say_to_watchers(self, following: Following, say: m.Say) -> None:
        """Sends a watcher's talk to all watchers, and its verdict: nothing has to be stored.

        A name that looks like a seat's gets a number (R10).
        """
        if say.text is None or say.to is not None:
            self._refuse(say.n, "NOT_SEATED", "GEN-8")
            return
        text = clean_talk(say.text)
        if text is None:
            self._refuse(say.n, "NOTHING_SAID", "GEN-12")
            return
        actor = following.actor
        name = seating.choose_name(actor.shown_table, self.name)  # unlike every seat's, even to the eye
        message = m.TalkMessage(channel="watchers", name=name, at=actor.read_shown_time(), text=text)
        refusal = actor.say_to_watchers(self.person, message)
        if refusal is not None:
            self._context.metrics.refused[refusal.code] += 1
        self.answer(say.n, refusal)

    def _say_to_table(self, actor: Actor, say: m.Say) -> None:
        """Passes a watcher's talk on to the table, where its host chose to hear watchers."""
        refusal = actor.say_to_table(self.person, self.name, say, WatcherResponder(self, say.n))
        if refusal is not None:
            self._context.metrics.refused[refusal.code] += 1
            self.answer(say.n, refusal)

    def _answer_question(self, actor: Actor, question: m.Preview | m.AskPromises | m.Coach) -> None:
        """Answers a seat's question, which changes nothing, from what that seat sees."""
        if self.seat is None:
            self._refuse(question.n, "NOT_SEATED", "GEN-8")
            return
        if actor.in_doubt:
            self._refuse(question.n, "BUSY", "G8")
            return
        if not self._context.commands.answers_questions():
            self._context.metrics.limited["turn"] += 1
            self._refuse(question.n, "BUSY", "G8")
            return
        if not self._context.commands.ask(self.person):
            self._context.metrics.limited["questions"] += 1
            self._refuse(question.n, "BUSY", "G8")
            return
        at = self._context.clock.now_ms()
        if self._site_budget is not None and (wait := self._site_budget.borrow(at, QUESTION_COST - 1)):
            self._rest(at, wait)
        try:
            result = _answer(actor, self.seat, question)
        except Exception:  # noqa: BLE001 - a bug in the rules must not close the socket
            tag = question.__struct_config__.tag
            _log.exception(f"a {tag} failed", room=actor.room.table.room, seat=self.seat)
            result = Refusal("BROKEN", "GEN-3")
        if isinstance(result, Refusal):
            self._context.metrics.refused[result.code] += 1
            self.answer(question.n, result)
        else:
            self._send(result)

    # --- from hello to welcome ---

    def _hello(self, state: AwaitingHello, message: m.ToHub, data: bytes) -> None:
        if not isinstance(message, m.Hello):
            self._fail(4000, "HELLO_FIRST", "the first message must be `hello`")
            return
        ticket = self._context.signer.read_ticket(message.ticket, self._context.wall())
        if not isinstance(ticket, Ticket):
            self.refuse_ticket(ticket.value)
            return
        if ticket.room != state.room:
            self.refuse_ticket("other room")
            return
        reason = self._context.guard.check(ticket, self.address)
        if reason is not None:
            self.exclude(reason)
            return
        state.deadline.cancel()
        self._state = joining = Joining(ticket, data, message.session, [])
        self._context.guard.add(self)
        self._context.tasks.start("hello", self._join_or_fail(joining))

    def _no_hello(self) -> None:
        if isinstance(self._state, AwaitingHello):
            self._fail(4000, "HELLO_FIRST", "the first message must be `hello`, within ten seconds")

    def _keep(self, state: Joining, data: bytes) -> None:
        if len(state.early) < MAX_EARLY_MESSAGES:
            state.early.append(data)
        else:
            self._fail(4008, "TOO_EARLY", "wait for the welcome before sending commands")

    async def _join_or_fail(self, joining: Joining) -> None:
        """Joins the room; closes the socket if a defect prevents it, which the task's end then reports."""
        try:
            await self._join(joining)
        except Exception:
            self._fail(1013, "UNAVAILABLE", DEFECT)
            raise

    async def _join(self, joining: Joining) -> None:
        take_free = self._context.relay is None
        for _ in range(TRIES):
            elsewhere = await self._join_here(joining, take_free=take_free)
            if elsewhere is None:
                return
            if self._context.relay is None:
                self.close(4001)
                return
            with suppress(LinkLost):
                await self._relay(self._context.relay, elsewhere.hub, joining)
                return
            take_free = elsewhere.free_room is not None
            if not take_free:
                await self._context.clock.sleep(RETRY_SECONDS)
            if isinstance(self._state, Closed):
                return
        self._fail(1013, "UNAVAILABLE", "this table is moving to another hub: try again")

    async def _relay(self, relay: SocketRelay, owner: HubIdentity, joining: Joining) -> None:
        """Has the room's owner follow this socket from now on. Raises LinkLost."""
        channel = await relay.open(owner, joining.ticket.room, self._transport)
        if isinstance(self._state, Closed):
            channel.closed(1006)
            return
        self._state = Relayed(channel, joining.ticket)
        for data in (joining.hello, *joining.early):
            channel.message(data)

    async def _join_here(self, joining: Joining, *, take_free: bool) -> Elsewhere | None:
        """Joins a room of this hub, or says where it is; takes it, if it is free, even if it belongs to
        another hub (`take_free`)."""
        ticket = joining.ticket
        try:
            opener = Opener(network(self._transport.remote), ticket.person)
            actor = await self._context.finder.find(ticket.room, opener, take_free=take_free)
        except NoSuchRoom:
            self._fail(4004, "NO_SUCH_ROOM", "this table no longer exists")
            return None
        except Elsewhere as elsewhere:
            return elsewhere
        except TableClosed:
            self.exclude("closed")
            return None
        except GameEnded:
            self._fail(4018, "GAME_ENDED", m.CLOSE_CODES[4018])
            return None
        except OtherVersion:
            self._fail(4012, "OTHER_VERSION", m.CLOSE_CODES[4012])
            return None
        except Unavailable as unavailable:
            self._fail(1013, "UNAVAILABLE", unavailable.advice)
            return None
        if isinstance(self._state, Closed):
            return None
        table = actor.room.table
        if ticket.seat is not None:
            seat = Seat(ticket.seat)
            if not seating.holds(table, seat, ticket.person, ticket.seat_generation):
                self.refuse_stale_ticket(actor)
                return None
        elif is_unseated_host(table, ticket.person):
            seat = seating.find_unseated_place(table)
        elif actor.in_doubt:
            self._once_confirmed(actor, partial(self._welcome_watcher, actor, ticket))
            return None
        else:
            self._welcome_watcher(actor, ticket)
            return None
        self._attach(actor, Attach(seat, ticket.person, ticket.seat_generation, joining.session))
        return None

    def _attach(self, actor: Actor, attach: Attach) -> None:
        if not actor.perform(attach, AttachResponder(self, actor, attach.seat)):
            self._fail(1013, "BUSY", BUSY)

    def _once_confirmed(self, actor: Actor, proceed: Callable[[], None]) -> None:
        """Proceeds once the store has confirmed that this hub owns the room; if it does not, the client comes
        again, and finds the room's owner.

        Every refusal that follows from the room's state, and that makes a client stay away, is sent this way.
        """
        if not actor.confirm_ownership(ConfirmedResponder(self, proceed)):
            self._fail(1013, "BUSY", BUSY)

    @property
    def is_joining(self) -> bool:
        """Whether it waits for its welcome."""
        return isinstance(self._state, Joining)

    def _refuse_entry(self, actor: Actor, close: int, code: str, advice: str) -> None:
        self._once_confirmed(actor, partial(self._fail, close, code, advice))

    def refuse_stale_ticket(self, actor: Actor) -> None:
        """Turns away somebody whose seat is not theirs any more."""
        self._once_confirmed(actor, partial(self.refuse_ticket, "stale"))

    def _welcome_watcher(self, actor: Actor, ticket: Ticket) -> None:
        """Welcomes a watcher, unless they sit there, or the table is closed to this one, to all of them, or
        full.
        """
        table = actor.shown_table
        refusal = None if ticket.person == OPERATOR else actor.refuse_watcher(ticket.person)
        if refusal is not None and refusal.code == "REMOVED":
            self._refuse_entry(actor, 4015, "REMOVED", ADVICE["REMOVED"])
        elif refusal is not None:
            self.refuse_stale_ticket(actor)
        elif seating.seat_of(actor.room.table, ticket.person) is not None:
            self._refuse_entry(actor, 4003, "ALREADY_SEATED", ADVICE["ALREADY_SEATED"])
        elif not (table.watching or actor.room.table.watching) and ticket.person != OPERATOR:
            self._refuse_entry(actor, 4013, "WATCHING_CLOSED", "this table cannot be watched")
        elif actor.is_catching_up:
            self._fail(1013, "UNAVAILABLE", CATCHING_UP)
        elif actor.watchers >= self._context.watchers_per_table:
            self._context.metrics.limited["watchers"] += 1
            self._refuse_entry(actor, 4013, "TABLE_FULL", TABLE_FULL)
        else:
            self.welcome(actor, None, None)

    def welcome(self, actor: Actor, place: Seat | None, session: int | None) -> None:
        """Follows the room from now on: as a watcher, or at a place whose session is committed."""
        state = self._state
        if not isinstance(state, Joining):
            return
        if actor.stopped:
            self.close(4001)
            return
        hosting = place is not None and place == seating.find_unseated_place(actor.room.table)
        self.place = place
        self.seat = seat = None if hosting else place
        ticket = state.ticket
        self.person, self.name = ticket.person, ticket.name
        self._context.people.add(ticket.person, (ticket.room, seat), self)
        self._state = following = Following(actor, ticket)
        if seat is None:
            self._context.metrics.watchers += 1
            self._transport.join_crowd()
        else:
            self._context.metrics.seats += 1
            self._transport.join_seats()
        welcome = m.Welcome(actor.token, actor.room.table.room, seat, session, self._context.build)
        actor.subscribe(self, encode_frame(codec.encode(welcome)), hosting=hosting)
        for data in state.early:
            if self._transport.closed:  # an earlier message was fatal
                return
            self._handle(following, codec.decode(data))

    def refuse_ticket(self, problem: str) -> None:
        """Turns the client away; only the metrics show why."""
        self._context.metrics.tickets_refused[problem] += 1
        self._fail(4003, "BAD_TICKET", m.CLOSE_CODES[4003])

    def exclude(self, reason: ExclusionReason) -> None:
        """Closes the socket of a person whom the policy keeps out."""
        match reason:
            case "revoked":
                self.refuse_ticket("revoked")
            case "departed":
                self._fail(4017, "CONTINUED_ELSEWHERE", m.CLOSE_CODES[4017])
            case "closed":
                self._fail(4016, "TABLE_CLOSED", m.CLOSE_CODES[4016])
            case Ban():
                self._fail(4014, "BANNED", explain_ban(reason))
            case _:
                assert_never(reason)

    # --- called by the actor ---

    def answer(self, n: int, refusal: Refusal | None) -> None:
        """Sends the verdict on a command; it leaves together with the frame that follows."""
        if refusal is None:
            self.send(encode_frame(codec.verdict_applied(n)))
        else:
            self._send(m.Verdict(n, refusal.code, refusal.rule, refusal.args))

    def abandoned(self) -> None:
        """Sends nothing: the close that follows makes the client connect to the new owner."""

    def give_way(self) -> None:
        """Leaves the table for a newer socket of the same person."""
        self._leave()
        self.close(4011)

    def close(self, code: int) -> None:
        self._transport.close(code, m.CLOSE_CODES.get(code, ""))

    # --- errors ---

    def _send(self, message: m.ToClient) -> None:
        self._transport.send(encode_frame(codec.encode(message)))

    def _refuse(self, n: int, code: str, rule: str) -> None:
        self._context.metrics.refused[code] += 1
        self._send(m.Verdict(n, code, rule))

    def _reject(self, error: codec.BadFrame) -> None:
        """Answers a frame that cannot be decoded with an error, which may close the socket.

        Before the hello it always does. A frame that leaves it open counts against the rate limit, and too
        many over the limit close the socket, as in `_slow_down`.
        """
        close = 4000 if error.close is None and isinstance(self._state, AwaitingHello) else error.close
        if close is not None:
            self._fail(close, error.code, error.advice)
            return
        self._send(m.Error(error.code, error.advice, error.n))
        if not self._bucket.spend(self._context.clock.now_ms()):
            self._excess_left -= 1
            if self._excess_left < 0:
                self.close(4008)

    def _slow_down(self, message: m.ToHub) -> None:
        """Refuses a message over the limit; closes the socket after another `burst` of them."""
        self._context.metrics.limited["messages"] += 1
        self._excess_left -= 1
        if self._excess_left < 0:
            self._fail(4008, "SLOW_DOWN", m.CLOSE_CODES[4008])
        elif not isinstance(message, m.Hello):
            self._refuse(message.n, "SLOW_DOWN", "G8")

    def _fail(self, close: int, code: str, advice: str) -> None:
        """Sends an error and closes the socket; the advice is also the close frame's reason."""
        self._send(m.Error(code, advice))
        self._transport.close(close, advice)


def _answer(
    actor: Actor, seat: Seat, question: m.Preview | m.AskPromises | m.Coach
) -> m.Previewed | m.PromiseChoices | m.Coached | Refusal:
    """The answer to a seat's question. Raises what the rules raise."""
    rules, room = actor.rules, actor.room
    match question:
        case m.Preview():
            shown = preview(rules, room, seat, question.prompt, question.move, actor.table_time())
            if isinstance(shown, Refusal):
                return shown
            return m.Previewed(question.n, shown.section and shown.section.data, shown.breaks)
        case m.AskPromises():
            return m.PromiseChoices(question.n, list_choices(rules, room, seat))
        case m.Coach():
            advice = advise(rules, room, seat, question.prompt, actor.observation(seat))
            if isinstance(advice, Refusal):
                return advice
            return m.Coached(question.n) if advice is None else m.Coached(question.n, advice.key, advice.args)


class WatcherResponder:
    """Answers a watcher's talk to the table once it is committed."""

    def __init__(self, connection: Connection, n: int) -> None:
        self._connection = connection
        self._n = n

    def answer(self, session: int, refusal: Refusal | None) -> None:
        self._connection.answer(self._n, refusal)

    def abandoned(self) -> None:
        """Answers nothing: the socket closes, and the watcher comes again."""


class AttachResponder:
    """Welcomes a connection once its session is committed."""

    def __init__(self, connection: Connection, actor: Actor, place: Seat) -> None:
        self._connection = connection
        self._actor = actor
        self._place = place

    def answer(self, session: int, refusal: Refusal | None) -> None:
        if refusal is None:
            self._connection.welcome(self._actor, self._place, session)
        else:
            self._connection.refuse_stale_ticket(self._actor)

    def abandoned(self) -> None:
        self._connection.close(4001)


class ConfirmedResponder:
    """Lets a connection proceed once the store has confirmed that the hub owns its room."""

    def __init__(self, connection: Connection, proceed: Callable[[], None]) -> None:
        self._connection = connection
        self._proceed = proceed

    def answer(self, n: int, refusal: Refusal | None) -> None:
        if self._connection.is_joining:
            self._proceed()

    def abandoned(self) -> None:
        self._connection.close(4001)
