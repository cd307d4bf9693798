"""Votes at two tables where people voted differently: others learn the numbers alone (R20, G4)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from games.almost.rules.game import ALMOST
from games.api import Seat
from hub.table import views
from hub.table.votes import VOTE_MS
from hub.telemetry.tasks import Tasks
from hub.wire import messages as m
from tests.secrecy.pair import Leak, Pair, new_table

CALLER, ONE, OTHER, VIEWER = map(Seat, range(4))


async def vote_differently(tasks: Tasks, viewer: Seat | None) -> Pair:
    """Of five people, three vote on ending the game; two of them the other way round at the second table."""
    pair = Pair(ALMOST, viewer, tasks)
    options = {"timers": "off"}
    await pair.sit(new_table(ALMOST, 5, options), new_table(ALMOST, 5, options))
    pair.do(CALLER, m.Manage, act=m.Start())
    await pair.check()
    pair.do(CALLER, m.Manage, act=m.CallVote(kind="end"))
    await pair.check()
    yes, no = [m.Manage(0, 0, m.Vote(number=1, yes=yes)) for yes in (True, False)]
    pair.hide(ONE, yes, no)
    pair.hide(OTHER, no, yes)
    await pair.check()
    return pair


@pytest.mark.parametrize("viewer", [VIEWER, None], ids=["a seat", "a watcher"])
@pytest.mark.asyncio
async def test_who_voted_how_is_secret(viewer: Seat | None, tasks: Tasks) -> None:
    """R20, G4.1: also in a whole view, and when the vote has ended."""
    pair = await vote_differently(tasks, viewer)
    for hub in pair.hubs:
        vote = hub.actor.room.table.vote
        assert vote is not None
        assert (len(vote.yes), len(vote.no)) == (2, 1)
    pair.eyes.append(await pair.connect(viewer))
    await pair.check()
    pair.advance(VOTE_MS + 1)
    await pair.check()
    assert pair.room.table.vote is None
    assert pair.room.table.status == "running"


@pytest.mark.asyncio
async def test_a_leaked_vote_is_found(tasks: Tasks, monkeypatch: pytest.MonkeyPatch) -> None:
    section = views._vote_section

    def with_one_vote(table: Any, vote: Any, *args: Any) -> m.VoteSection:
        return replace(section(table, vote, *args), own=table.seats[ONE].person in vote.yes)

    monkeypatch.setattr(views, "_vote_section", with_one_vote)
    with pytest.raises(Leak):
        await vote_differently(tasks, VIEWER)
