"""Self-play for tests: whole tables of bots, win rates of a level, and decisions in a position."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from hashlib import sha256
from typing import Any, Generic, TypeVar

from games.api import Bot, Character, Decision, Game, M, Observation, PromptId, Registration, S, Seat
from games.api import Dice as AnyDice
from games.dice import Dice
from games.kit.characters import unnamed
from games.simulate import estimates
from games.simulate.chance import Chance
from games.simulate.estimates import Interval
from games.simulate.plan import Match, Setting
from games.simulate.playing import Row, play
from games.testing import random_play

P = TypeVar("P")
"""A player: the name of a level, or an object that moves for it."""


def win_share(
    one: P, others: P, seats: int, tables: int, winners: Callable[[Sequence[P], int], Collection[int]]
) -> Interval:
    """The win rate of `one` among `others`, with its seat rotating; a shared win is split.

    `winners` plays a table, given one player per seat and the table's number, and returns the winning seats.
    """
    parts = []
    for number in range(tables):
        players = [others] * seats
        players[number % seats] = one
        winning = winners(players, number)
        parts.append(1 / len(winning) if number % seats in winning else 0.0)
    return estimates.mean(estimates.sample(parts))


def answer_of(decision: Decision[M] | None) -> tuple[PromptId, M]:
    """The prompt and the move of a decision that has them."""
    assert decision is not None
    assert decision.answer is not None
    return decision.answer


class AllKinds(Bot[M]):
    """A bot with an additional random level; records the phrase of each of the bot's decisions."""

    def __init__(self, game: Game[S, M, Any], bot: Bot[M]) -> None:
        self.levels = (*bot.levels, "random")
        self.said: list[str | None] = []
        self._bot = bot
        self._chance = Chance(game.Move)

    def decide(self, observation: Observation, character: Character, dice: AnyDice) -> Decision[M] | None:
        if character.level == "random":
            return self._chance.decide(observation, character, dice)
        decision = self._bot.decide(observation, character, dice)
        if decision is not None:
            self.said.append(None if decision.remark is None else decision.remark.key)
        return decision


class SelfPlay(Generic[S, M]):
    """One game, played by its bot.

    `seats` returns the number of seats in a state. A table is abandoned after `limit` events.
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
        """A game with one of these levels in each seat, as `parley simulate` plays it."""
        seed = sha256(name.encode()).digest()
        match = Match(0, 0, 0, Setting(len(levels), options), tuple(levels), seed)
        return play(Registration(self._game, player or AllKinds(self._game, self._bot)), match, self._limit)

    def win_share(
        self, one: str, others: str, seats: int, tables: int, options: Mapping[str, Any] = {}
    ) -> Interval:
        """The win rate of a level at tables of another level."""

        def winners(levels: Sequence[str], number: int) -> Collection[int]:
            row = self.whole_table(levels, f"table {seats} {number}", options)
            assert row.end == "outcome"
            return row.winners

        return win_share(one, others, seats, tables, winners)

    def observe(self, state: S, seat: int = 0) -> Observation:
        return random_play.observation(self._game, state, Seat(seat), self._seats(state))

    def decisions(self, state: S, level: str, seat: int = 0, streams: int = 8) -> list[Decision[M]]:
        """The bot's decisions in this state with different dice."""
        observation = self.observe(state, seat)
        answers = (
            self._bot.decide(observation, unnamed(level), Dice(b"stream %d" % stream))
            for stream in range(streams)
        )
        return [decision for decision in answers if decision is not None]
