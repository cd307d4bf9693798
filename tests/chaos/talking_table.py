"""A table of Almost at which people only talk, for testing how faults affect commands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hub.store.store import Store
from tests.harness.defaults import DEFAULTS
from tests.harness.follower import Follower, settled
from tests.harness.players import Player, Table
from tests.harness.processes import StoreProcess

TALKING: Final[Mapping[str, object]] = {"discussion": "untilReady", "maxBid": 100}
"""Options for a table where every command can be different, and nothing happens by itself."""


async def proposes(player: Player, *bids: int) -> int:
    """Send a plan without waiting; return the number of the command."""
    return await player.send("do", prompt="plan:1", move={"move": "propose", "bids": list(bids)})


async def check(store: StoreProcess, table: Table, *others: Follower) -> None:
    """Check that the store holds everything anybody was promised, and nothing twice."""
    opened = await Store.open(store.url, forget_days=DEFAULTS.forget_days)
    try:
        await settled(opened, table.room, [*table.followers, *others])
    finally:
        await opened.close()
