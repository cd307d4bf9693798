"""Watchers' talk to the table reveals nothing to them, nor to others, about whispers and bids (G4, R24).

Two tables in lockstep hear their watchers: seats 1 and 2 whisper, and seat 1 drafts, at one of them only.
"""

from __future__ import annotations

from typing import Any, Final

import pytest
from msgspec.structs import replace

from games.almost.rules.game import ALMOST, Almost
from games.almost.rules.values import AlmostState
from games.api import Seat, TalkPolicy
from hub.runtime.talk_budgets import TalkBudgets
from hub.telemetry.metrics import Metrics
from hub.telemetry.tasks import Tasks
from hub.wire import messages as m
from hub.wire.limits import TalkLimits
from tests.secrecy.in_process_hub import TALK_LIMITS
from tests.secrecy.pair import Leak, Pair, new_table

pytestmark = pytest.mark.asyncio
BURST: Final = int(TALK_LIMITS.per_watcher.burst)


async def play(tasks: Tasks, viewer: Seat | None = None, game: Almost = ALMOST, **options: Any) -> Pair:
    pair = Pair(game, viewer, tasks)
    table = new_table(game, 4, options)
    table = replace(table, table=replace(table.table, open=False, hears_watchers=True))
    await pair.sit(table, table)
    pair.do(0, m.Manage, act=m.Start())
    await pair.check()
    return pair


async def tell(pair: Pair, count: int) -> list[str | None]:
    """The watcher says `count` messages to both tables; the codes of the verdicts at the first."""
    watchers = pair.eyes[-1]
    before = len(watchers[0].messages())
    for number in range(count):
        for client in watchers:
            client.command(m.Say, channel="table", text=f"from the sofa {number}")
        await pair.check()
    return [message.get("code") for message in watchers[0].messages()[before:] if message["t"] == "verdict"]


async def whisper(pair: Pair, count: int) -> None:
    for number in range(count):
        pair.hide(1, m.Say(0, 0, "table", f"secret {number}", None, 2), None)
        await pair.check()


@pytest.mark.parametrize("viewer", [Seat(0), Seat(3), None], ids=str)
async def test_whispers_do_not_change_what_watchers_may_say(viewer: Seat | None, tasks: Tasks) -> None:
    """G4, G8.11"""
    pair = await play(tasks, viewer, discussion="untilReady", whispers=True)
    await whisper(pair, 7)
    codes = await tell(pair, BURST + 2)
    assert codes[:BURST] == [None] * BURST
    assert codes[-1] == "SLOW_DOWN"


@pytest.mark.parametrize("viewer", [Seat(0), None], ids=str)
async def test_a_draft_does_not_change_whether_watchers_are_heard(viewer: Seat | None, tasks: Tasks) -> None:
    """G4, GEN-12: neither while talk is closed nor while it is open during bids."""
    for talk, code in ((False, "TALK_CLOSED"), (True, None)):
        pair = await play(tasks, viewer, discussion="none", talkWhileBidding=talk)
        pair.hide(1, m.Do(0, 0, "bid:1", {"move": "bid", "number": 3}), None)
        assert await tell(pair, 2) == [code, code]


class SharedBudgets(TalkBudgets):
    """The mistake: watchers and whispers share a budget."""

    def __init__(self, limits: TalkLimits, metrics: Metrics) -> None:
        super().__init__(limits, metrics)
        self._spent = 0

    def count_seat(self, person: str, live: int, *, whisper: bool) -> Any:
        self._spent += whisper
        return super().count_seat(person, live, whisper=whisper)

    def count_watcher(self, person: str, at: int) -> Any:
        return super().count_watcher(f"{person}{self._spent}", at)


class AsksTheDrafts(Almost):
    """The mistake: a seat may no longer talk once it has drafted."""

    def talk_policy(self, state: AlmostState, seat: Seat | None) -> TalkPolicy:
        drafted = seat is not None and state.bids.draft[seat] is not None
        return TalkPolicy("closed") if drafted else super().talk_policy(state, seat)


async def test_planted_mistakes_are_found(tasks: Tasks, monkeypatch: pytest.MonkeyPatch) -> None:
    """G4"""
    drafts: dict[str, Any] = {"discussion": "none", "talkWhileBidding": True}
    pair = await play(tasks, game=AsksTheDrafts(), **drafts)
    pair.hide(1, m.Do(0, 0, "bid:1", {"move": "bid", "number": 3}), None)
    with pytest.raises(Leak):
        await tell(pair, 1)
    monkeypatch.setattr("hub.runtime.actor.TalkBudgets", SharedBudgets)
    pair = await play(tasks, discussion="untilReady", whispers=True)
    await tell(pair, BURST)
    await whisper(pair, 1)
    with pytest.raises(Leak):
        await tell(pair, 1)
