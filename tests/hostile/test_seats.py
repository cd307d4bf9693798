"""Seats that change hands just as something secret is dealt to them (G4)."""

from __future__ import annotations

import msgpack  # type: ignore[import-untyped]
import pytest

from tests.hostile.live_hub import LiveHub, Person, Socket
from tests.wire_client import client_frame

ASYNC = pytest.mark.asyncio


@ASYNC
@pytest.mark.parametrize("act", [{"do": "swap_seats", "a": 1, "b": 2}, {"do": "free_seat", "seat": 1}])
async def test_a_person_who_lost_a_seat_does_not_see_its_new_hand(
    live_hub: LiveHub, act: dict[str, object]
) -> None:
    """G4.1: both commands arrive in a single read and are committed together."""
    async with live_hub.http() as http:
        people = [await Person.come(live_hub, http, f"Guest {chr(65 + seat)}") for seat in range(3)]
        placed = await people[0].place("/api/rooms", game="shares", seats=4)
        path = f"/api/rooms/{placed['room']}"
        places = [placed, *[await people[seat].place(f"{path}/seats/{seat}") for seat in (1, 2)]]
        sockets = [await Socket.sit(live_hub, place) for place in places]
        host, lost = sockets[0], sockets[1]
        commands = [
            {"t": "manage", "session": host.welcome["session"], "n": n, "act": manage}
            for n, manage in enumerate((act, {"do": "start"}))
        ]
        await host.wire.say(b"".join(client_frame(msgpack.packb(command)) for command in commands))
        await host.until(lambda: "hand" in host.sections)
        assert await lost.until_closed() == 4010
        assert "hand" not in lost.sections
        for socket in sockets:
            await socket.cut()
