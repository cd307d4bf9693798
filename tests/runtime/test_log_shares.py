"""No seat fills a room's log alone (G8.15)."""

from __future__ import annotations

import pytest

from games.almost.rules.game import ALMOST
from games.api import Seat
from hub.runtime import log_shares
from hub.runtime.log_shares import MAX_LOGGED, LogShares
from hub.table import records
from hub.table.replay import LogEntry
from hub.table.room import Logged
from hub.telemetry.metrics import Metrics
from hub.telemetry.tasks import Tasks
from hub.wire import messages as m
from tests.secrecy.in_process_hub import InProcessHub
from tests.secrecy.pair import new_table, registry

MOVE = Logged(LogEntry("move", 1, "plan:1", {"move": "propose"}, None, 0), (), 0)
LINE = Logged(None, (), 0)
DO = m.Do(session=1, n=1, prompt="plan:1", move={})


def manage(act: m.Act) -> m.Manage:
    return m.Manage(session=1, n=1, act=act)


def test_each_seat_has_its_share_over_restarts() -> None:
    """G8.15: the share is counted again from the log when a room is loaded."""
    metrics = Metrics()
    shares = LogShares(4, [MOVE] * (MAX_LOGGED // 4 - 1) + [LINE] * 9, metrics)
    assert shares.count(Seat(1), DO, 0) is None
    refusal = shares.count(Seat(1), DO, 0)
    assert refusal is not None
    assert refusal.code == "TOO_MANY_MOVES"
    assert shares.count(Seat(0), DO, 0) is None
    assert metrics.limited == {"log": 1}


def test_a_seat_without_a_share_may_still_leave_and_remove() -> None:
    """G8.15: otherwise a table would be stuck with its seat, and with everybody its host cannot remove."""
    shares = LogShares(4, [MOVE] * (MAX_LOGGED // 4), Metrics())
    for act in (m.FreeSeat(seat=1), m.FreeSeat(seat=2), m.RemoveWatcher(id="p-eve"), m.StandIn()):
        assert shares.count(Seat(1), manage(act), 0) is None
    for limited_act in (m.TakeBack(), m.Lock(locked=True)):
        refusal = shares.count(Seat(1), manage(limited_act), 0)
        assert refusal is not None
        assert refusal.code == "TOO_MANY_MOVES"


def test_actions_that_can_be_repeated_are_limited_in_time() -> None:
    """G8.15: a seat that hands over to its bot and takes back for ever; removing people is not limited."""
    metrics = Metrics()
    shares = LogShares(4, [], metrics)
    toggles = [manage(m.StandIn()), manage(m.TakeBack())] * 50
    codes = [refusal and refusal.code for refusal in (shares.count(Seat(1), one, 0) for one in toggles)]
    assert codes == [None] * 40 + ["SLOW_DOWN"] * 60
    assert metrics.limited == {"actions": 60}
    refusal = shares.count(Seat(1), manage(m.Lock(locked=True)), 500)
    assert refusal is not None
    assert refusal.args == {"seconds": 2}
    for command in (DO, manage(m.FreeSeat(seat=2)), manage(m.RemoveWatcher(id="p-eve"))):
        assert shares.count(Seat(1), command, 500) is None
    assert shares.count(Seat(0), toggles[0], 500) is None
    assert shares.count(Seat(1), toggles[0], 2_000) is None


def test_a_full_log_makes_a_record_that_can_be_verified() -> None:
    """V5: an entry takes about 290 bytes in a record, with its state and chain value."""
    assert MAX_LOGGED * 500 < records.LARGEST


@pytest.mark.asyncio
async def test_a_seat_that_has_filled_its_share_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """G8.15: others are not; and what is not logged, such as talk, is not counted."""
    monkeypatch.setattr(log_shares, "MAX_LOGGED", 6)
    async with Tasks() as tasks:
        hub = InProcessHub(registry(ALMOST), tasks)
        await hub.put(new_table(ALMOST, 3, {}))
        clients = [hub.client(Seat(seat)) for seat in range(3)]
        for client in clients:
            await client.open()
        for locked in (True, False, True, True):
            clients[0].command(m.Manage, act=m.Lock(locked=locked))
        clients[0].command(m.Say, channel="table", text="let me")
        clients[1].command(m.Manage, act=m.FreeSeat(seat=1))
        await hub.settle()
        codes = [message.get("code") for message in clients[0].messages() if message["t"] == "verdict"]
        assert codes == [None, None, "TOO_MANY_MOVES", "TOO_MANY_MOVES", None]
        assert hub.actor.room.table.seats[1].person is None


def test_a_seat_calls_one_vote_in_two_minutes() -> None:
    """R20: whatever its share of the log; the refusal says when it may call another."""
    metrics = Metrics()
    shares = LogShares(4, [MOVE] * (MAX_LOGGED // 4), metrics)
    call = manage(m.CallVote("pause"))
    assert shares.count(Seat(1), call, 0) is None
    refusal = shares.count(Seat(1), call, 20_500)
    assert refusal is not None
    assert (refusal.code, refusal.args) == ("CALLED_LATELY", {"seconds": 100})
    assert shares.count(Seat(2), call, 20_500) is None
    assert shares.count(Seat(1), call, 120_001) is None
    assert metrics.limited == {"votes": 1}
