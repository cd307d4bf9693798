"""The crowd: many sockets that get the same messages take turns, and nobody else waits for them (G8.10).

`await asyncio.sleep(0)` is one turn of the loop; the tests count what each turn writes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from games.api import Seat
from hub.net.open_sockets import OpenSockets
from hub.net.websocket import WebSocketTransport
from hub.net.write_queue import CROWD_BESIDE_SEATS, CROWD_PER_TURN, MAX_CROWD_BYTES, TurnProbe
from hub.table import actions
from hub.wire import messages as m
from hub.wire.framing import encode_frame
from tests.harness.defaults import make_connection_limits
from tests.harness.manual_clock import ManualClock
from tests.net.recording import RecordingTransport, open_transport
from tests.runtime.test_subscribers import NOW, RULES, Followed, done, running, talk
from tests.secrecy.in_process_hub import payloads, read

pytestmark = pytest.mark.asyncio
CROWD = 2 * CROWD_PER_TURN + 50
TURNS = [CROWD_PER_TURN, CROWD_PER_TURN, CROWD - 2 * CROWD_PER_TURN]
TURNS_AFTER_SEATS = [
    CROWD_BESIDE_SEATS,
    CROWD_PER_TURN,
    CROWD_PER_TURN,
    CROWD - 2 * CROWD_PER_TURN - CROWD_BESIDE_SEATS,
]
"""The seats are written to in the first of them."""


class CountingTransport(RecordingTransport):
    """Adds itself, at each write, to a list shared by all sockets of a test."""

    def __init__(self, writes: list[CountingTransport]) -> None:
        super().__init__()
        self.writes = writes

    def write(self, data: bytes) -> None:  # type: ignore[override]
        super().write(data)
        self.writes.append(self)


class Sockets:
    """Sockets of one hub, some of them in the crowd."""

    def __init__(self) -> None:
        self.sockets = OpenSockets(ManualClock(), make_connection_limits())
        self.writes: list[CountingTransport] = []
        """Every write of any socket, in order."""
        self.counted = 0
        self.opened: list[WebSocketTransport] = []

    def open(self, *, crowd: bool) -> tuple[CountingTransport, WebSocketTransport]:
        line = CountingTransport(self.writes)
        transport = open_transport(line, self.sockets)
        if crowd:
            transport.join_crowd()
        self.opened.append(transport)
        return line, transport

    async def turns(self) -> list[int]:
        """Lets the loop run until a turn writes nothing; returns the number of writes in each turn."""
        counts: list[int] = []
        count = len(self.writes) - self.counted
        while True:
            self.counted = len(self.writes)
            await asyncio.sleep(0)
            count += len(self.writes) - self.counted
            if count == 0:
                return counts
            counts.append(count)
            count = 0

    def end(self) -> None:
        for transport in self.opened:
            transport.connection_lost(None)


class Watching:
    """A table with three seats and a crowd of watchers, on real sockets without a network."""

    def __init__(self) -> None:
        self.sockets = Sockets()
        self.followed = Followed(running())
        self.seats = [self.join(Seat(seat)) for seat in range(3)]
        self.watchers = [self.join(None) for _ in range(CROWD)]

    def join(self, seat: Seat | None) -> CountingTransport:
        line, transport = self.sockets.open(crowd=seat is None)
        self.followed.subscribers.add(SocketViewer(seat, transport), b"", "1:hub", NOW)
        return line

    async def settle(self) -> None:
        await self.sockets.turns()
        for line in (*self.seats, *self.watchers):
            line.drain()


class SocketViewer:
    """A connection reduced to its socket."""

    def __init__(self, seat: Seat | None, transport: WebSocketTransport) -> None:
        self.seat = seat
        self.person = self.name = ""
        self.send = transport.send
        self.close = transport.close


def say(watching: Watching) -> None:
    watching.followed.subscribers.say(talk(0))


def say_to_watchers(watching: Watching) -> None:
    message = m.TalkMessage(channel="watchers", name="W", at=NOW, text="x" * 500)
    watching.followed.subscribers.say_to_watchers(message)


def change(watching: Watching) -> None:
    watching.followed.propose(0)


def tell_presence(watching: Watching) -> None:
    followed = watching.followed
    followed.subscribers.tell_presence(followed.room, followed.notes, NOW)


def hand_over(watching: Watching) -> None:
    watching.followed.subscribers.close_all(4001)


def close_watching(watching: Watching) -> None:
    followed = watching.followed
    act = m.CloseWatching(closed=True)
    after = done(actions.manage(RULES, ("normal",), followed.room, Seat(0), act, NOW))
    followed.subscribers.close_departed(followed.room.table, after.table)


@pytest.mark.parametrize(
    ("broadcast", "turns"),
    [
        (say, TURNS_AFTER_SEATS),
        (say_to_watchers, TURNS),
        (change, TURNS_AFTER_SEATS),
        (tell_presence, TURNS_AFTER_SEATS),
        (hand_over, TURNS),
        (close_watching, TURNS),
    ],
)
async def test_no_broadcast_writes_to_the_whole_crowd_in_one_turn(
    broadcast: Callable[[Watching], None], turns: list[int]
) -> None:
    """G8.10: a turn writes to the seats and to at most `CROWD_PER_TURN` watchers, far fewer if it writes what
    seats were sent, too; each is written to once."""
    watching = Watching()
    await watching.settle()
    start = len(watching.sockets.writes)
    broadcast(watching)
    first, *others = await watching.sockets.turns()
    seats = sum(bool(line.written) for line in watching.seats)
    assert [first - seats, *others] == turns
    written = watching.sockets.writes[start:]
    assert written == [line for line in watching.seats if line.written] + watching.watchers
    assert len({line.written for line in watching.watchers}) == 1
    watching.sockets.end()


async def test_a_bystander_is_answered_while_a_crowd_waits() -> None:
    """G8.10: sockets outside the crowd are written to at the end of the tick, however many wait, and the
    crowd takes little of each such turn."""
    sockets = Sockets()
    crowd = [sockets.open(crowd=True) for _ in range(CROWD)]
    line, transport = sockets.open(crowd=False)
    for _, watcher in crowd:
        watcher.send(encode_frame(b"news"))
    written = 0
    for share in (CROWD_PER_TURN, CROWD_BESIDE_SEATS, CROWD_BESIDE_SEATS):
        transport.send(encode_frame(b"verdict"))
        await asyncio.sleep(0)
        assert line.drain() == encode_frame(b"verdict")
        written += share  # the crowd had been scheduled before the first of them
        assert sum(bool(watcher.written) for watcher, _ in crowd) == written
    sockets.end()


async def test_a_crowd_that_is_sent_more_is_not_written_to_more_often() -> None:
    """G8.10: what arrives before a socket's turn is one write, in order, and nothing is left over."""
    sockets = Sockets()
    crowd = [sockets.open(crowd=True) for _ in range(CROWD)]
    for number in range(30):
        for _, transport in crowd:
            transport.send(encode_frame(b"%d" % number))
        before = len(sockets.writes)
        await asyncio.sleep(0)
        assert len(sockets.writes) - before == CROWD_PER_TURN
    await sockets.turns()
    expected = [b"%d" % number for number in range(30)]
    assert {tuple(payloads(line.written)) for line, _ in crowd} == {tuple(expected)}
    assert not sockets.sockets.writes.crowd.pending
    sockets.end()


async def test_joining_and_leaving_in_the_middle_of_a_broadcast() -> None:
    """G1, G4.3: a watcher who joins gets the view that covers the frame, and the next frames, each once; one
    who has left gets nothing more; everybody else gets every frame once, in order."""
    watching = Watching()
    await watching.settle()
    subscribers = watching.followed.subscribers
    watching.followed.propose(0)
    await asyncio.sleep(0)
    waiting = [line for line in watching.watchers if not line.written]
    assert len(waiting) == CROWD - CROWD_BESIDE_SEATS
    late = watching.join(None)
    left = watching.sockets.opened[3 + CROWD - 1]
    left.close(1000)
    left.connection_lost(None)
    watching.followed.propose(1)
    subscribers.say(talk(1, text="after"))
    await watching.sockets.turns()
    view, *rest = read(late.written)
    assert (view["t"], view["n"]) == ("view", 1)
    assert [(message["t"], message.get("n")) for message in rest] == [("frame", 2), ("talk", None)]
    assert watching.watchers[-1].written == b""
    for line in watching.watchers[:-1]:
        assert [message.get("n") for message in read(line.written)] == [1, 2, None]
    watching.sockets.end()


async def test_a_seat_is_written_to_in_the_tick_that_publishes() -> None:
    """G4.4: a section bound to a peek is only for seats, so it never waits in the crowd past the peek's
    end."""
    watching = Watching()
    await watching.settle()
    for number in range(3):
        watching.followed.propose(number)
        await asyncio.sleep(0)
        assert [len(read(line.drain())) for line in watching.seats] == [1, 1, 1]
    watching.sockets.end()


async def test_a_close_that_waits_for_its_turn() -> None:
    """G8.10: it comes after everything that was sent before, and nothing is sent or delivered after it."""
    sockets = Sockets()
    crowd = [sockets.open(crowd=True) for _ in range(CROWD)]
    delivered: list[bytes] = []
    line, transport = crowd[-1]
    transport.listen(delivered.append, lambda code: None)
    transport.send(encode_frame(b"before"))
    for _, watcher in crowd:
        watcher.close(4013, "closed to watchers")
        watcher.close(4001)
        watcher.send(encode_frame(b"after"))
    transport.data_received(b"\x82\x81\0\0\0\0x")
    await sockets.turns()
    close = b"\x88" + bytes([20]) + (4013).to_bytes(2, "big") + b"closed to watchers"
    assert line.written == encode_frame(b"before") + close
    assert {watcher.written for watcher, _ in crowd[:-1]} == {close}
    assert delivered == []
    sockets.end()


async def test_a_client_that_closes_before_its_turn() -> None:
    """Only one close frame is sent: the echo of the client's."""
    sockets = Sockets()
    line, transport = sockets.open(crowd=True)
    transport.close(4013)
    transport.data_received(b"\x88\x82\0\0\0\0" + (1000).to_bytes(2, "big"))
    await sockets.turns()
    assert line.written == b"\x88\x02" + (1000).to_bytes(2, "big")
    sockets.end()


async def test_a_socket_of_the_crowd_that_cannot_be_written_to() -> None:
    """G8: it is cut off, as is one that has gone before its turn; the others are written to."""

    class Broken(CountingTransport):
        def write(self, data: bytes) -> None:  # type: ignore[override]
            raise OSError

    reports: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: reports.append(context))
    sockets = Sockets()
    broken = open_transport(Broken(sockets.writes), sockets.sockets)
    broken.join_crowd()
    gone, left = sockets.open(crowd=True)
    whole, transport = sockets.open(crowd=True)
    for socket in (broken, left, transport):
        socket.send(b"a")
    left.abort()
    await sockets.turns()
    assert (gone.written, whole.written, len(reports), broken.closed) == (b"", b"a", 1, True)
    broken.connection_lost(None)
    sockets.end()


async def test_output_that_waits_is_bounded() -> None:
    """G8.3: a socket that is sent too much before its turn is written to at once."""
    sockets = Sockets()
    line, transport = sockets.open(crowd=True)
    for _ in range(3):
        transport.send(bytes(MAX_CROWD_BYTES // 2))
        assert len(transport._outbox) <= MAX_CROWD_BYTES
    assert len(line.written) > MAX_CROWD_BYTES
    sockets.end()


async def test_the_crowds_lag_is_how_long_a_newcomer_waits_for_their_turn() -> None:
    """G8.18: a probe waits like a socket; while it waits, the lag is the time it has waited so far."""
    clock, sockets = ManualClock(), Sockets()
    probe = TurnProbe(sockets.sockets.writes.crowd, clock)
    lines = [sockets.open(crowd=True) for _ in range(CROWD_PER_TURN)]
    for _, transport in lines:
        transport.send(b"x")
    assert probe.measure() == 0.0
    await asyncio.sleep(0)
    clock.move(300)
    assert probe.measure() == pytest.approx(0.3), "those before it have had their turn, it has not"
    clock.move(100)
    await sockets.turns()
    assert probe.measure() == pytest.approx(0.4)
    await sockets.turns()
    assert probe.measure() == 0.0
    sockets.end()
