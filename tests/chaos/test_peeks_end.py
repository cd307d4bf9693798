"""A client connecting as a peek ends never sees it: in that tick, during a slow commit, or on a new owner."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from typing import Final

import pytest
import pytest_asyncio

from games.shares.rules.game import SHARES
from hub.store.hubs import HubIdentity
from tests.chaos.held_back import Gate
from tests.games.shares.windows import opening
from tests.harness.follower import Follower
from tests.harness.planted import plant, ticket
from tests.harness.processes import StoreProcess
from tests.harness.small_hub import WALL, ClientLine, SmallHub, manual_clock

pytestmark = pytest.mark.asyncio

PEEKED_AT: Final = "L" * 22
"""The room's id."""


@pytest_asyncio.fixture
async def hub(store: StoreProcess) -> AsyncIterator[SmallHub]:
    hub = await SmallHub("one", manual_clock()).open(store.url, "a:")
    yield hub
    await hub.close()


class Peeking:
    """Seat 0 peeks at seat 1's hand: on one socket from the start, and on others that connect later."""

    def __init__(self, hub: SmallHub, line: ClientLine) -> None:
        self.hub = hub
        self.line = line
        self.others: list[ClientLine] = []

    @classmethod
    async def begun(cls, hub: SmallHub) -> Peeking:
        opened = opening("hand")
        await plant(hub.store, SHARES, opened.state, 4, PEEKED_AT, "BCDFGH", opened.at)
        line = await hub.come(Follower(ticket(hub.signer, PEEKED_AT, 0, WALL)))
        peeking = cls(hub, line)
        n = await line.do("do", prompt=opened.prompt, move=opened.move)
        assert line.follower.applied(n)
        assert peeking.shown(line)
        return peeking

    @property
    def left(self) -> int:
        return self.line.follower.left("peek")

    def come(self, hub: SmallHub | None = None, session: int | None = None) -> ClientLine:
        """Connect another socket for seat 0."""
        line = (hub or self.hub).line(Follower(self.line.follower.ticket))
        line.follower.session = session
        line.say(line.follower.opened())
        self.others.append(line)
        return line

    def shown(self, line: ClientLine) -> bool:
        return any(message.get("sections", {}).get("peek_content") for message in line.heard)

    async def check_unseen(self) -> None:
        """Check that no later socket was shown the hand, and that nobody sees it now."""
        for line in self.others:
            await line.until(partial(getattr, line, "shown"))
            assert not self.shown(line)
        if not self.line.closed:
            assert "peek_content" not in self.line.follower.sections


@pytest.mark.parametrize("session", [None, 1])
@pytest.mark.parametrize("how", ["stopped", "paused", "timed out"])
async def test_a_client_that_joins_in_the_tick_a_peek_ends_does_not_see_it(
    hub: SmallHub, how: str, session: int | None
) -> None:
    """G4.4, G4.7: the client's welcome is sent with the commit that ends the peek, and rendered after it."""
    peeking = await Peeking.begun(hub)
    peek = peeking.line.follower.window("peek") or {}
    actor = hub.rooms._actors[PEEKED_AT]
    await hub.advance(peeking.left - 400)
    if how == "timed out":
        hub.clock.move(400)
    peeking.come(session=session)
    while actor._batch is None:  # noqa: ASYNC110 - no event is set before a decision
        await asyncio.sleep(0)
    if how == "paused":
        peeking.line.send_command("manage", act={"do": "pause"})
    elif how == "stopped":
        peeking.line.send_command("do", prompt=peek["id"], move={"move": "stopPeeking"})
    assert actor._batch is not None
    assert len(actor._batch.answers) == 1 + (how != "timed out")
    await hub.settle()
    await peeking.check_unseen()


@pytest.mark.parametrize("milliseconds", [399, 400])
async def test_a_welcome_shows_a_peek_only_if_stored_before_it_ends(hub: SmallHub, milliseconds: int) -> None:
    """G4.4: the welcome shows what may be seen once the store has answered."""
    peeking = await Peeking.begun(hub)
    await hub.advance(peeking.left - 400)
    gate = Gate(hub)
    gate.hold(PEEKED_AT, "commit")
    tab = peeking.come()
    await gate.quiet()
    assert gate.keeps(PEEKED_AT)
    hub.clock.move(milliseconds)
    gate.open(PEEKED_AT)
    await hub.settle()
    if milliseconds == 400:
        await peeking.check_unseen()
    else:
        await tab.until(lambda: tab.shown)
        assert peeking.shown(tab)


async def test_a_peek_that_ended_before_a_takeover_is_not_shown(hub: SmallHub, store: StoreProcess) -> None:
    """G4.4, G4.7, G5.5: the last owner was alive when the peek ended, but died before the end was stored."""
    peeking = await Peeking.begun(hub)
    await hub.advance(peeking.left - 400)
    hub.clock.move(400)
    await hub.lease.beat()  # the hub is alive, but its timers no longer fire
    peeking.line.drop()
    other = await SmallHub("two", hub.clock).open(store.url, "a:")
    try:
        await hub.store.depart(HubIdentity(hub.lease.incarnation, hub.url))
        peeking.come(other)
        await peeking.check_unseen()
        assert peeking.others[0].follower.window("peek") is None
    finally:
        await other.close()
