"""Rules that fail to produce a view, and the effects on the table (G8.7)."""

from __future__ import annotations

import pytest
import structlog

from games.almost.rules.game import Almost
from games.almost.rules.values import AlmostState
from games.api import Seat, Section
from hub.telemetry.tasks import Tasks
from hub.wire import messages as m
from tests.secrecy.in_process_hub import Client, InProcessHub
from tests.secrecy.pair import new_table, registry


class FailsAtSeven(Almost):
    """Fails to produce any view while seat 1 has drafted a seven."""

    def public(self, state: AlmostState) -> dict[str, Section]:
        assert state.bids.draft[1] != 7
        return super().public(state)


def bids(client: Client, number: int) -> None:
    client.command(m.Do, prompt="bid:1", move={"move": "bid", "number": number})


@pytest.mark.asyncio
async def test_play_continues_after_a_failed_view(tasks: Tasks) -> None:
    """G8.7, G2.5: verdicts are sent and windows close; once views work again, everybody gets the latest."""
    hub = InProcessHub(registry(FailsAtSeven()), tasks)
    await hub.put(new_table(FailsAtSeven(), 3, {"discussion": "none"}))
    clients = [hub.client(Seat(seat)) for seat in range(3)]
    for client in clients:
        await client.open()
    clients[0].command(m.Manage, act=m.Start())
    await hub.settle()
    with structlog.testing.capture_logs() as logs:
        bids(clients[1], 7)
        await hub.settle()
        assert clients[1].messages()[-1] == {"t": "verdict", "n": 0}
        late = hub.client(None)
        await late.open()
        hub.advance(1000)
        assert [message["t"] for message in late.messages()] == ["welcome", "view"]
        bids(clients[2], 4)
        bids(clients[1], 3)
        await hub.settle()
    assert {entry["event"] for entry in logs} == {"the rules failed on a view"}
    for client, number in ((clients[1], 3), (clients[2], 4)):
        frame = client.messages()[-1]
        assert frame["sections"]["mine"]["bid"] == number
        assert frame["sections"]["presence"]["watchers"] == 1
    bids(clients[1], 7)
    await hub.settle()
    hub.advance(200_000)
    assert clients[0].messages()[-1]["sections"]["stage"]["phase"] != "bid"
