"""Another build of Parley, with newer rules of two games: `python -m tests.harness.other_build serve ...`.

In Almost a seat may now propose at most three plans in a game. Its new state counts them, and a game of the
older rules goes on: the plans that still stand count. Subdivision has newer rules, too, but cannot go on with
a game of the older ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from games import GAMES
from games.almost.rules.game import ALMOST, Almost
from games.almost.rules.values import AlmostOptions, AlmostPlay, AlmostState, Propose
from games.api import Dice, Game, Millis, PromptId, Public, Refusal, Registration, Seat, Step
from games.kit.tuples import replace_at
from games.subdivision.rules.game import SUBDIVISION, Subdivision

MAX_PROPOSALS: Final = 3
NO_MORE_PLANS: Final = Refusal("NO_MORE_PLANS", "ALM-8")


class CountedState(AlmostState, frozen=True, kw_only=True):
    """`proposals`: how many plans each seat has proposed."""

    proposals: Public[tuple[int, ...]]


class CountedAlmost(Almost):
    version = ALMOST.version + 1
    State: Any = CountedState

    def setup(self, seats: int, options: AlmostOptions, at: Millis, dice: Dice) -> Step[AlmostState]:
        step = super().setup(seats, options, at, dice)
        return replace(step, state=_count(msgspec.to_builtins(step.state), (0,) * seats))

    def check_move(
        self, state: AlmostState, seat: Seat, prompt: PromptId, move: AlmostPlay, at: Millis
    ) -> Refusal | None:
        assert isinstance(state, CountedState)
        refusal = super().check_move(state, seat, prompt, move, at)
        if refusal is None and isinstance(move, Propose) and state.proposals[seat] >= MAX_PROPOSALS:
            return NO_MORE_PLANS
        return refusal

    def apply_move(
        self, state: AlmostState, seat: Seat, prompt: PromptId, move: AlmostPlay, at: Millis, dice: Dice
    ) -> Step[AlmostState]:
        assert isinstance(state, CountedState)
        if isinstance(move, Propose):
            count = state.proposals[seat] + 1
            state = replace(state, proposals=replace_at(state.proposals, seat, count))
        return super().apply_move(state, seat, prompt, move, at, dice)

    def upgrade(self, version: int, data: Mapping[str, Any]) -> AlmostState | None:
        if version != ALMOST.version:
            return super().upgrade(version, data)
        standing = [plan["by"] for plan in data["plans"]["plans"]]
        return _count(data, tuple(map(standing.count, range(len(data["done"])))))


def _count(data: Mapping[str, Any], proposals: tuple[int, ...]) -> CountedState:
    return msgspec.convert({**data, "proposals": proposals}, CountedState)


class OtherSubdivision(Subdivision):
    version = SUBDIVISION.version + 1


MODULE: Final = "tests.harness.other_build"
"""Run in place of `hub`, it is a hub of this build."""
OTHER_GAMES: Final[Mapping[str, Registration]] = {
    **GAMES,
    "almost": Registration(CountedAlmost(), GAMES["almost"].bot),
    "subdivision": Registration(OtherSubdivision(), GAMES["subdivision"].bot),
}
GO_ON: Final = tuple(game for game in GAMES if game != "subdivision")
"""The games that this build goes on with, if they began by the older rules."""


def find_build(game: str, version: int) -> Mapping[str, Registration]:
    """The build that has this version of a game's rules."""
    return next(build for build in (GAMES, OTHER_GAMES) if build[game].game.version == version)


def find_rules(game: str, version: int) -> Game[Any, Any, Any]:
    return find_build(game, version)[game].game


if __name__ == "__main__":
    from hub.cli import main

    registry: Any = GAMES
    registry.update(OTHER_GAMES)
    main()
