"""Players of Share and Share Alike for tests: whole tables of bots, and what one does in a position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from math import sqrt
from typing import Any, NamedTuple

import msgspec

from games import trials
from games.api import Bot, Decision, Entry, Seat, Sight
from games.dice import Dice
from games.shares.bot import BOT
from games.shares.moves import SharesMove
from games.shares.options import SharesOptions
from games.shares.rules import SHARES as GAME
from games.shares.values import SharesState
from games.simulate.chance import Chance
from games.simulate.plan import Match, Setting
from games.simulate.playing import Row, play


class AllKinds(Bot[SharesMove]):
    """The bot's levels, and one that moves by chance; it keeps what they said."""

    levels = (*BOT.levels, "random")
    chance = Chance(SharesMove)

    def __init__(self) -> None:
        self.said: list[str | None] = []

    def decide(self, sight: Sight, level: str, dice: Any) -> Decision[SharesMove] | None:
        if level == "random":
            return self.chance.decide(sight, level, dice)
        decision = BOT.decide(sight, level, dice)
        if decision is not None:
            self.said.append(decision.phrase)
        return decision


def whole_table(
    levels: Sequence[str], name: str, options: Mapping[str, Any] = {}, player: Bot[Any] | None = None
) -> Row:
    """A game with these levels, one a seat, as `parley simulate` plays it."""
    match = Match(0, 0, 0, Setting(len(levels), options), tuple(levels), sha256(name.encode()).digest())
    return play(Entry(GAME, player or AllKinds()), match, 5_000)


class Share(NamedTuple):
    """A share of wins, and the lower end of its 95 % confidence interval (normal approximation)."""

    won: float
    least: float


def win_share(one: str, others: str, seats: int, tables: int, options: Mapping[str, Any] = {}) -> Share:
    """How often `one` wins among `others`, its seat going round; a shared win counts in part."""
    parts = []
    for number in range(tables):
        levels = [others] * seats
        levels[number % seats] = one
        row = whole_table(levels, f"table {seats} {number}", options)
        assert row.end == "outcome"
        parts.append(1 / len(row.winners) if number % seats in row.winners else 0.0)
    won = sum(parts) / tables
    spread = sum((part - won) ** 2 for part in parts) / max(1, tables - 1)
    return Share(won, won - 1.96 * sqrt(spread / tables))


def seen(state: SharesState, seat: int = 0) -> Sight:
    return trials.sight(GAME, state, Seat(seat), len(state.hands))


def decisions(state: SharesState, level: str, seat: int, streams: int = 8) -> list[Decision[SharesMove]]:
    """What the bot does there, by different dice."""
    found = (BOT.decide(seen(state, seat), level, Dice(b"stream %d" % stream)) for stream in range(streams))
    return [decision for decision in found if decision is not None]


def positions(name: bytes, seats: int, options: Mapping[str, Any] = {}) -> Iterator[trials.Position]:
    """A game by chance."""
    taken = msgspec.convert(options, SharesOptions)
    yield from trials.play(GAME, seats, taken, name, trials.STYLES[0], 500)
