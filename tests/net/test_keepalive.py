"""The keepalive wheel: each socket is pinged on time, and sockets that do not answer are dropped."""

from __future__ import annotations

import pytest

from hub.net.keepalive import PING_SECONDS, PING_SLOTS, SEAT_CHECK_SECONDS, SEAT_CHECK_SLOTS
from hub.net.open_sockets import OpenSockets
from hub.net.websocket import CHECKS_BEFORE_DROP, CHECKS_BEFORE_PING, MAX_EXTRA_FRAMES, WebSocketTransport
from hub.net.websocket import PING as PING_FRAME
from tests.harness.defaults import make_connection_limits
from tests.harness.manual_clock import ManualClock
from tests.net.recording import RecordingTransport, open_transport
from tests.wire_client import (
    PING,
    PONG,
    client_frame,
)


def revolve(sockets: OpenSockets) -> None:
    for _ in range(PING_SLOTS):
        sockets.wheel.advance()


@pytest.mark.asyncio
async def test_a_peer_that_answers_stays() -> None:
    sockets, line = OpenSockets(ManualClock(), make_connection_limits()), RecordingTransport()
    transport = open_transport(line, sockets)
    for answer in (
        client_frame(b"", PONG),
        client_frame(b"", PONG, mask=bytes(4)),
        client_frame(b"", PONG) + client_frame(b"", PING),
        client_frame(b"anything", PONG),
    ):
        revolve(sockets)
        assert line.drain() == PING_FRAME
        transport.data_received(answer)
        line.drain()
    assert line.ended == ""
    transport.connection_lost(None)


@pytest.mark.asyncio
async def test_a_peer_that_does_not_answer_is_dropped() -> None:
    """It is dropped at the second ping. Messages do not count as an answer: a dead peer's last ones may
    still be arriving."""
    sockets, line = OpenSockets(ManualClock(), make_connection_limits()), RecordingTransport()
    transport = open_transport(line, sockets)
    codes: list[int] = []
    transport.listen(lambda _: None, codes.append)
    revolve(sockets)
    transport.data_received(client_frame(b"move"))
    assert (line.drain(), line.ended) == (PING_FRAME, "")
    revolve(sockets)
    assert (line.drain(), line.ended) == (b"", "abort")
    transport.connection_lost(None)
    assert codes == [1006]
    assert len(sockets) == 0


@pytest.mark.asyncio
async def test_pings_are_spread() -> None:
    """Sockets opened at different times are pinged in different steps, each once per revolution."""
    sockets = OpenSockets(ManualClock(), make_connection_limits())
    lines = [RecordingTransport() for _ in range(PING_SLOTS)]
    transports: dict[RecordingTransport, WebSocketTransport] = {}
    for line in lines:
        transports[line] = open_transport(line, sockets)
        sockets.wheel.advance()
    pinged: list[RecordingTransport] = []
    for line in lines:
        transports[line].data_received(client_frame(b"", PONG))
        line.drain()
    for turn in range(PING_SLOTS):
        sockets.wheel.advance()
        pinged += [line for line in lines if line.drain()]
        assert len(pinged) == turn + 1
    assert set(pinged) == set(lines)
    for transport in transports.values():
        transport.connection_lost(None)


@pytest.mark.asyncio
async def test_a_closing_socket_is_not_pinged() -> None:
    sockets, line = OpenSockets(ManualClock(), make_connection_limits()), RecordingTransport()
    transport = open_transport(line, sockets)
    transport.close(4003)
    line.drain()
    revolve(sockets)
    revolve(sockets)
    assert (line.drain(), line.ended) == (b"", "")
    transport.connection_lost(None)


def test_one_timer_for_all() -> None:
    """The timer runs while there are sockets, and turns the wheel once per `PING_SECONDS`."""
    clock, line = ManualClock(0), RecordingTransport()
    sockets = OpenSockets(clock, make_connection_limits())
    assert clock.armed == []
    transports = [open_transport(line, sockets), open_transport(RecordingTransport(), sockets)]
    while not line.drain():
        assert len(clock.armed) == 1
        clock.advance(PING_SECONDS / PING_SLOTS)
    assert clock.time() == pytest.approx(PING_SECONDS)
    for transport in transports:
        transport.connection_lost(None)
    assert clock.armed == []


@pytest.mark.asyncio
async def test_a_round_forgives_odd_frames() -> None:
    """The limit on pings and fragments applies to each round, not to the socket's lifetime."""
    sockets, line = OpenSockets(ManualClock(), make_connection_limits()), RecordingTransport()
    transport = open_transport(line, sockets)
    for _ in range(3):
        revolve(sockets)
        transport.data_received(client_frame(b"", PONG) + client_frame(b"", PING) * MAX_EXTRA_FRAMES)
    assert line.ended == ""
    transport.data_received(client_frame(b"", PING))
    assert line.ended == "eof"
    transport.connection_lost(None)


# --- seats ---


def check_seats(sockets: OpenSockets) -> None:
    for _ in range(SEAT_CHECK_SLOTS):
        sockets.seats.advance()


def test_a_silent_seat_is_noticed_within_twelve_seconds() -> None:
    """R5: a table waits for it. A watcher's line is checked less often."""
    assert CHECKS_BEFORE_DROP * SEAT_CHECK_SECONDS <= 12


@pytest.mark.asyncio
async def test_a_seat_that_stays_silent_is_pinged_and_dropped() -> None:
    sockets, line = OpenSockets(ManualClock(), make_connection_limits()), RecordingTransport()
    transport = open_transport(line, sockets)
    transport.join_seats()
    codes: list[int] = []
    transport.listen(lambda _: None, codes.append)
    for check in range(1, CHECKS_BEFORE_DROP):
        check_seats(sockets)
        assert line.drain() == (PING_FRAME if check == CHECKS_BEFORE_PING else b"")
    assert line.ended == ""
    check_seats(sockets)
    assert (line.drain(), line.ended) == (b"", "abort")
    transport.connection_lost(None)
    assert codes == [1006]
    assert len(sockets) == 0


@pytest.mark.asyncio
@pytest.mark.parametrize("data", [client_frame(b"move"), client_frame(b"", PONG), client_frame(b"mo")[:3]])
async def test_whatever_a_seat_sends_proves_that_it_is_there(data: bytes) -> None:
    sockets, line = OpenSockets(ManualClock(), make_connection_limits()), RecordingTransport()
    transport = open_transport(line, sockets)
    transport.join_seats()
    for _ in range(CHECKS_BEFORE_DROP - 1):
        check_seats(sockets)
    transport.data_received(data)
    line.drain()
    for _ in range(CHECKS_BEFORE_PING - 1):
        check_seats(sockets)
        assert (line.drain(), line.ended) == (b"", "")
    check_seats(sockets)
    assert line.drain() == PING_FRAME
    transport.connection_lost(None)


@pytest.mark.asyncio
@pytest.mark.parametrize("is_seat", [True, False])
async def test_a_socket_that_the_hub_does_not_read_is_not_dropped(is_seat: bool) -> None:
    """G8.16: while a site rests, its answers wait to be read; afterwards, silence counts from the start."""
    sockets, line = OpenSockets(ManualClock(), make_connection_limits()), RecordingTransport()
    transport = open_transport(line, sockets)
    if is_seat:
        transport.join_seats()
    check = check_seats if is_seat else revolve
    for _ in range(CHECKS_BEFORE_PING if is_seat else 1):
        check(sockets)
    assert line.drain() == PING_FRAME
    transport.pause_reading()
    for _ in range(2 * CHECKS_BEFORE_DROP):
        check(sockets)
    assert (line.drain(), line.ended) == (b"", "")
    transport.resume_reading()
    for _ in range(CHECKS_BEFORE_DROP if is_seat else 2):
        assert line.ended == ""
        check(sockets)
    assert line.ended == "abort"
    transport.connection_lost(None)


@pytest.mark.asyncio
async def test_a_seat_may_send_odd_frames_for_ever() -> None:
    """The limit on pings and fragments is one per round for seats, too."""
    sockets, line = OpenSockets(ManualClock(), make_connection_limits()), RecordingTransport()
    transport = open_transport(line, sockets)
    transport.join_seats()
    for _ in range(40):
        check_seats(sockets)
        transport.data_received(client_frame(b"", PING) * (MAX_EXTRA_FRAMES // 10))
        line.drain()
    assert line.ended == ""
    transport.connection_lost(None)
