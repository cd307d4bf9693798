"""A hub is cut off at every single step of a game, in process, on a real store, and later resumes as a ghost.

A step is one callback of the hub's event loop: each await, each turn of an actor, each answer from the store.
The same game is played again and again, cut off one step later each time (where the seats act in turn, three
steps later), until one is played to its end. Each time another hub takes the table over, the clients connect
to it and the game continues. Then the first hub resumes, unaware of this.
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
from tests.harness.defaults import DEFAULTS
from tests.harness.follower import Follower, settled
from tests.harness.processes import StoreProcess
from tests.harness.small_hub import ClientLine, SmallHub, manual_clock, stepping

pytestmark = pytest.mark.asyncio

PARTS: Final = 8
"""The number of tests that share the steps, so that several workers can run them."""
ALWAYS: Final = {(0, True), (2, False)}
"""The parts in every run, and whether the seats act together there."""
CASES: Final = [
    pytest.param(
        *case,
        id=f"{case[0]}-{'together' if case[1] else 'in turn'}",
        marks=() if case in ALWAYS else pytest.mark.at_length,
    )
    for case in itertools.product(range(PARTS), (True, False))
]

_serial = itertools.count()


def script(seat: int) -> list[dict[str, Any]]:
    """The commands that the person in this seat sends, in order."""
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
    """Play on until the first round is over or the hub is cut off."""
    lines = [await hub.come(follower) for follower in followers]
    for i in range(len(script(0))):
        for line in lines:
            if hub.dead or not line.shown:
                return
            if len(line.follower.commands) <= i:
                fields = dict(script(line.follower.seat or 0)[i])
                n = line.send_command(fields.pop("t"), **fields)
                line.say(line.follower.packed(n))  # sent twice, which must make no difference
            if not together:
                await line.until(partial(idle, line))
        for line in lines:
            await line.until(partial(idle, line))
    for line in lines:
        await line.until(partial(scored, line))
    if not hub.dead:
        await hub.advance(8_100)  # the clock closes the reveal


def idle(line: ClientLine) -> bool:
    return not line.follower.pending


def scored(line: ClientLine) -> bool:
    return bool(line.follower.sections["score"]["rows"])


@contextmanager
def leave_ghosts(lines: list[ClientLine]) -> Iterator[list[Follower]]:
    """Copies of the followers stay with the hub that was cut off, while the clients go to another hub."""
    ghosts = []
    for line in lines:
        line.follower = copy.deepcopy(line.follower)
        ghosts.append(line.follower)
    yield ghosts


async def cut_off_at(step: int, url: str, *, together: bool) -> int | None:
    """Play one game whose first hub is cut off at this step.

    Returns how many commands it had answered by then, or None if it ended the game in fewer steps.
    """
    prefix = f"c{next(_serial)}:"
    clock = manual_clock()
    opening_hub = await SmallHub("hub", clock).open(url, prefix)
    room, followers = await opening_hub.table(discussion="untilReady", timers="fast")
    host = await opening_hub.come(followers[0])
    await host.do("manage", act={"do": "start"})
    await opening_hub.close()
    for follower in followers:
        follower.commands.clear()
        follower.verdicts.clear()

    first = await SmallHub("hub", clock).open(url, prefix, after=opening_hub)
    first.steps, first.cut_at = 0, step
    await play(first, followers, together=together)
    assert first.dead == (first.steps == step)
    answered = sum(len(follower.verdicts) for follower in followers) if first.dead else None
    with leave_ghosts(first.lines) as ghosts:
        second = await SmallHub("hub", clock).open(url, prefix, after=first)
        await play(second, followers, together=together)
        store = await Store.open(url, prefix=prefix, forget_days=DEFAULTS.forget_days)
        try:
            outcome = await settled(store, room, followers)
            assert outcome.position is not None
            assert outcome.position.state.stage.round == 2
            assert outcome.position.state.score.rows[0].bids == (5, 6, 7)
            assert await store.notes(room) == {seat: f"note of {seat}".encode() for seat in range(3)}
            first.cut_at = None
            first.thaw()
            first.rooms.verify_ownership()
            await first.settle()
            assert await settled(store, room, followers) == outcome, "a ghost writes nothing (G3)"
            check_ghosts(ghosts, followers)
            assert all(line.closed for line in first.lines if line.shown)
        finally:
            await first.close()
            await second.close()
            await store.close()
    return answered


def check_ghosts(ghosts: list[Follower], followers: list[Follower]) -> None:
    """Check that everything the first hub sent, before and after it was cut off, did happen."""
    for ghost in ghosts:
        (follower,) = [other for other in followers if other.ticket == ghost.ticket]
        assert ghost.lines.items() <= follower.lines.items()
        assert ghost.talk.items() <= follower.talk.items()
        for key, verdict in ghost.verdicts.items():
            assert follower.verdicts.get(key, verdict).get("code") == verdict.get("code")


@pytest.mark.parametrize(("part", "together"), CASES)
async def test_cut_off_at_every_step(part: int, together: bool, store: StoreProcess) -> None:
    """G1.1, G1.2, G1.3, G2.1, G2.5, G3.1, G3.4, G5.3, G6.1, G7.1"""
    commands = 3 * len(script(0))
    answered_at_cuts = []
    with stepping():
        for step in itertools.count(1 + part, PARTS if together else 3 * PARTS):
            answered = await cut_off_at(step, store.url, together=together)
            if answered is None:
                break
            answered_at_cuts.append(answered)
    assert answered_at_cuts[:1] == [0]
    assert any(0 < answered < commands for answered in answered_at_cuts)
    assert answered_at_cuts[-1] == commands
