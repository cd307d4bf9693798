"""Self-play for tests: whole tables of bots, how often a level wins, what a bot does in a position."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from hashlib import sha256
from typing import Any, Generic, TypeVar

from games.api import Bot, Decision, Game, M, Observation, Registration, S, Seat
from games.api import Dice as AnyDice
from games.dice import Dice
from games.simulate import estimates
from games.simulate.chance import Chance
from games.simulate.estimates import Interval
from games.simulate.plan import Match, Setting
from games.simulate.playing import Row, play
from games.testing import random_play

P = TypeVar("P")
"""A player: the name of a level, or what moves for it."""


def win_share(
    one: P, others: P, seats: int, tables: int, winners: Callable[[Sequence[P], int], Collection[int]]
) -> Interval:
    """How often `one` wins among `others`, its seat going round; a shared win counts in part.

    `winners` plays a table, by its players (one a seat) and its number, and gives the seats that won.
    """
    parts = []
    for number in range(tables):
        players = [others] * seats
        players[number % seats] = one
        found = winners(players, number)
        parts.append(1 / len(found) if number % seats in found else 0.0)
    return estimates.mean(estimates.sample(parts))


class AllKinds(Bot[M]):
    """A bot's levels, and one that moves by chance; it keeps what they said with each decision."""

    def __init__(self, game: Game[S, M, Any], bot: Bot[M]) -> None:
        self.levels = (*bot.levels, "random")
        self.said: list[str | None] = []
        self._bot = bot
        self._chance = Chance(game.Move)

    def decide(self, observation: Observation, level: str, dice: AnyDice) -> Decision[M] | None:
        if level == "random":
            return self._chance.decide(observation, level, dice)
        decision = self._bot.decide(observation, level, dice)
        if decision is not None:
            self.said.append(decision.phrase)
        return decision


class SelfPlay(Generic[S, M]):
    """One game, played by its bot.

    `seats` tells how many sit at a table in this state; after `limit` events a table is given up.
    """

    def __init__(
        self, game: Game[S, M, Any], bot: Bot[M], seats: Callable[[S], int], limit: int = 3_000
    ) -> None:
        self._game = game
        self._bot = bot
        self._seats = seats
        self._limit = limit

    def whole_table(
        self,
        levels: Sequence[str],
        name: str,
        options: Mapping[str, Any] = {},
        player: Bot[M] | None = None,
    ) -> Row:
        """A game with these levels, one a seat, as `parley simulate` plays it."""
        seed = sha256(name.encode()).digest()
        match = Match(0, 0, 0, Setting(len(levels), options), tuple(levels), seed)
        return play(Registration(self._game, player or AllKinds(self._game, self._bot)), match, self._limit)

    def win_share(
        self, one: str, others: str, seats: int, tables: int, options: Mapping[str, Any] = {}
    ) -> Interval:
        """How often a level wins at whole tables of another."""

        def winners(levels: Sequence[str], number: int) -> Collection[int]:
            row = self.whole_table(levels, f"table {seats} {number}", options)
            assert row.end == "outcome"
            return row.winners

        return win_share(one, others, seats, tables, winners)

    def seen(self, state: S, seat: int = 0) -> Observation:
        return random_play.observation(self._game, state, Seat(seat), self._seats(state))

    def decisions(self, state: S, level: str, seat: int = 0, streams: int = 8) -> list[Decision[M]]:
        """What the bot does there, by different dice."""
        observation = self.seen(state, seat)
        found = (
            self._bot.decide(observation, level, Dice(b"stream %d" % stream)) for stream in range(streams)
        )
        return [decision for decision in found if decision is not None]
