"""A hub cut off at every single step of a game, in process, on a real store; then let run on as a ghost.

One game is played whole to count the hub's steps: each callback of its loop, so each await, each turn, each
answer of the store. Then it is played again and cut off at every one of them (where everybody acts in turn,
at each third). Another hub takes the table over, the clients come back and the game goes on; after that the
first hub runs on, knowing nothing.
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Final

import pytest

from hub.store.store import Store
from tests.harness.follower import Follower, settled
from tests.harness.processes import StoreProcess
from tests.harness.small_hub import ClientLine, SmallHub, manual_clock, stepping

pytestmark = pytest.mark.asyncio

PARTS: Final = 4
"""The cuts are shared out over so many tests, for the workers."""

_serial = itertools.count()


def script(seat: int) -> list[dict[str, Any]]:
    """What the person on this seat does, one after the other."""
    return [
        {"t": "do", "prompt": "plan:1", "move": {"move": "propose", "bids": [1 + seat, 2, 3]}},
        {"t": "say", "channel": "table", "text": f"said by {seat}"},
        {"t": "manage", "act": {"do": "lock", "locked": seat == 0}},
        {"t": "note", "text": f"note of {seat}"},
        {"t": "do", "prompt": "ready:1", "move": {"move": "ready"}},
        {"t": "do", "prompt": "bid:1", "move": {"move": "bid", "number": 5 + seat}},
        {"t": "do", "prompt": "bid:1", "move": {"move": "lock"}},
    ]


async def play(hub: SmallHub, followers: list[Follower], *, together: bool) -> None:
    """Goes on with the game from where it stands, until its first round is over or the hub is cut off."""
    lines = [await hub.come(follower) for follower in followers]
    for i in range(len(script(0))):
        for line in lines:
            if hub.dead or not line.shown:
                return
            if len(line.follower.commands) <= i:
                fields = dict(script(line.follower.seat or 0)[i])
                n = line.send_command(fields.pop("t"), **fields)
                line.say(line.follower.packed(n))  # and once more: it must not matter
            if not together:
                await line.until(partial(idle, line))
        for line in lines:
            await line.until(partial(idle, line))
    for line in lines:
        await line.until(partial(scored, line))
    if not hub.dead:
        await hub.advance(8_100)  # the reveal is closed by the clock


def idle(line: ClientLine) -> bool:
    return not line.follower.pending


def scored(line: ClientLine) -> bool:
    return bool(line.follower.sections["score"]["rows"])


@contextmanager
def haunting(lines: list[ClientLine]) -> Iterator[list[Follower]]:
    """Whoever followed the hub that was cut off goes on doing so, beside the client that went elsewhere."""
    ghosts = []
    for line in lines:
        line.follower = copy.deepcopy(line.follower)
        ghosts.append(line.follower)
    yield ghosts


async def cut_off_at(step: int | None, url: str, *, together: bool) -> int:
    """One game, with its first hub cut off at this step; how many steps it took."""
    prefix = f"c{next(_serial)}:"
    clock = manual_clock()
    made = await SmallHub("hub", clock).open(url, prefix)
    room, followers = await made.table(discussion="untilReady", timers="fast")
    host = await made.come(followers[0])
    await host.do("manage", act={"do": "start"})
    await made.close()
    for follower in followers:
        follower.commands.clear()
        follower.verdicts.clear()

    first = await SmallHub("hub", clock).open(url, prefix)
    first.steps, first.cut_at = 0, step
    await play(first, followers, together=together)
    steps = first.steps
    with haunting(first.lines) as ghosts:
        second = await SmallHub("hub", clock).open(url, prefix)
        await play(second, followers, together=together)
        store = await Store.open(url, prefix=prefix)
        try:
            now = await settled(store, room, followers)
            assert now.position is not None
            assert now.position.state.stage.round == 2
            assert now.position.state.score.rows[0].bids == (5, 6, 7)
            assert await store.notes(room) == {seat: f"note of {seat}".encode() for seat in range(3)}
            if step is not None:
                first.cut_at = None
                first.thaw()
                first.rooms.verify_ownership()
                await first.settle()
                assert await settled(store, room, followers) == now, "a ghost writes nothing (G3)"
                await told_the_truth(ghosts, followers)
                assert all(line.closed for line in first.lines if line.shown)
        finally:
            await first.close()
            await second.close()
            await store.close()
    return steps


async def told_the_truth(ghosts: list[Follower], followers: list[Follower]) -> None:
    """What the hub that was cut off said, before and after, is what happened."""
    for ghost in ghosts:
        (follower,) = [each for each in followers if each.ticket == ghost.ticket]
        assert ghost.lines.items() <= follower.lines.items()
        assert ghost.talk.items() <= follower.talk.items()
        for key, verdict in ghost.verdicts.items():
            assert follower.verdicts.get(key, verdict).get("code") == verdict.get("code")


@pytest.mark.parametrize("together", [True, False], ids=["together", "in turn"])
@pytest.mark.parametrize("part", range(PARTS))
async def test_cut_off_at_every_step(part: int, together: bool, store: StoreProcess) -> None:
    """G1.1, G1.2, G1.3, G2.1, G2.5, G3.1, G3.4, G5.3, G6.1, G7.1"""
    with stepping():
        steps = await cut_off_at(None, store.url, together=together)
        assert steps > 100
        for step in range(1 + part, steps + 1, PARTS if together else 3 * PARTS):
            await cut_off_at(step, store.url, together=together)
