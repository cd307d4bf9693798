"""Two tables of Takeover, and code that makes moves that look the same at both.

Moves are made only if the viewer must not be able to tell them apart, which `takeover_eyes` decides.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any, Final

from games.api import Seat
from games.takeover.rules.values import Coin
from hub.telemetry.tasks import Tasks
from tests.secrecy import takeover_eyes as eyes
from tests.secrecy.dealing import Deal, dealt
from tests.secrecy.pair import Pair
from tests.secrecy.two_tables import PromptedMove, TwoTables

QUIET: Final = frozenset({"setStocks", "propose", "counter", "decline", "cancel", "cashOut"})
"""Moves that must be invisible to uninvolved viewers."""


def names(coins: Iterable[Coin]) -> list[str]:
    return [coin.name for coin in coins]


class TakeoverTables(TwoTables):
    """A game of Takeover; `lazy` seats never pick a coin themselves, and are away by the flip phase."""

    def __init__(
        self,
        game: Any,
        viewer: Seat | None,
        tasks: Tasks,
        chance: random.Random,
        *,
        salted: bool,
        lazy: frozenset[int] = frozenset(),
    ) -> None:
        deal = Deal(viewer, random.Random(chance.random()))
        pair = Pair(game, viewer, tasks, (dealt(game, deal, 0), dealt(game, deal, 1)))
        deal.states = lambda: pair.states
        super().__init__(pair, chance, salted=salted)
        self.deal = deal
        self.lazy = lazy

    async def step(self, what: str) -> None:
        await super().step(what)
        self.deal.moment += 1

    def differences(self) -> Iterable[str]:
        return eyes.hidden(*self.pair.states, self.pair.viewer)

    def looks_same(self, seat: int, deeds: tuple[PromptedMove, PromptedMove], then: tuple[Any, Any]) -> bool:
        """Whether the viewer must not be able to tell the move at one table from the move at the other."""
        states, viewer = self.pair.states, self.viewer
        seen = [
            (
                eyes.told(before, seat, *deed, viewer),
                eyes.in_sight(after, after.stage.phase, viewer),
                eyes.standing(before, after, viewer),
            )
            for before, deed, after in zip(states, deeds, then, strict=True)
        ]
        return bool(seen[0] == seen[1])

    async def publicly(
        self, seat: int, one: PromptedMove | None, other: PromptedMove | None, what: str
    ) -> bool:
        """Makes each table's move if the viewer must not tell them apart, and returns whether they were made.

        They are also made if only one of them ends the game (TKO-17), or if only one is refused to the viewer
        (TKO-24), so that the difference shows: neither must ever happen.
        """
        if one is None or other is None:
            return False
        then = self.after(0, seat, one), self.after(1, seat, other)
        refused = [step is None for step in then]
        ends = [step is not None and step.reckoning is not None for step in then]
        if any(refused):
            if all(refused) or seat != self.viewer:
                return False
        elif all(ends):
            await self.ending()
            other = one
        elif not any(ends) and not self.looks_same(seat, (one, other), then):
            return False
        await self.do(seat, (one, other), what)
        self.visited.add(what if one == other else f"{what} with other coins")
        return True
