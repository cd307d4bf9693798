"""Players of Takeover for tests: whole tables of bots, and what one does in a position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from math import sqrt
from typing import Any, NamedTuple

from games import trials
from games.api import Bot, Decision, Entry, Seat, Sight
from games.dice import Dice
from games.simulate.chance import Chance
from games.simulate.plan import Match, Setting
from games.simulate.playing import Row, play
from games.takeover.bot import BOT
from games.takeover.rules import TAKEOVER as GAME
from games.takeover.values import Merge, TakeoverMove, TakeoverOptions, TakeoverState
from tests.games.takeover_table import Table

JUDGING = ("normal", "hard")
"""The levels that do not misjudge on purpose."""


# --- whole tables, and what is measured on them ---


class AllKinds(Bot[TakeoverMove]):
    """The bot's levels, and one that moves by chance."""

    levels = (*BOT.levels, "random")
    chance = Chance(TakeoverMove)

    def decide(self, sight: Sight, level: str, dice: Any) -> Decision[TakeoverMove] | None:
        return self.chance.decide(sight, level, dice) if level == "random" else BOT.decide(sight, level, dice)


def whole_table(
    levels: Sequence[str], name: str, options: Mapping[str, Any] = {}, bot: Bot[Any] | None = None
) -> Row:
    """A game with these levels, one a seat, as `parley simulate` plays it."""
    match = Match(0, 0, 0, Setting(len(levels), options), tuple(levels), sha256(name.encode()).digest())
    return play(Entry(GAME, bot or AllKinds()), match, 3_000)


class Share(NamedTuple):
    """A share of wins, and the lower end of its 95 % confidence interval (normal approximation)."""

    won: float
    least: float


def win_share(one: str, others: str, seats: int, tables: int) -> Share:
    """How often `one` wins among `others`, its seat going round; a shared win counts in part."""
    parts = []
    for number in range(tables):
        levels = [others] * seats
        levels[number % seats] = one
        row = whole_table(levels, f"table {seats} {number}")
        assert row.end == "outcome"
        parts.append(1 / len(row.winners) if number % seats in row.winners else 0.0)
    won = sum(parts) / tables
    spread = sum((part - won) ** 2 for part in parts) / max(1, tables - 1)
    return Share(won, won - 1.96 * sqrt(spread / tables))


def seen(state: TakeoverState, seat: int = 0) -> Sight:
    return trials.sight(GAME, state, Seat(seat), len(state.hands))


def moves(state: TakeoverState, level: str, seat: int = 0, streams: int = 24) -> list[TakeoverMove]:
    """All that the bot does there, by different dice; once each."""
    found: list[TakeoverMove] = []
    for stream in range(streams):
        decision = BOT.decide(seen(state, seat), level, Dice(b"stream %d" % stream))
        if decision is not None and decision.move not in found:
            found.append(decision.move)
    return found


def pairs(state: TakeoverState, level: str) -> set[str]:
    """The mergers it makes, or "pass"."""
    return {move.pair if isinstance(move, Merge) else "pass" for move in moves(state, level)}


def offered(
    state: TakeoverState, *, by: int = 1, to: int = 0, give: str = "", wish: str = ""
) -> TakeoverState:
    """With an offer more."""
    table = Table(state=state)
    table.offer(by, to, give.upper().split(), wish.split())
    return table.state


class Eager:
    """Dice that always say yes: propose, haggle, say something."""

    def below(self, label: str, sides: int) -> int:
        return 0

    def shuffle(self, label: str, items: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(items)


def turns_of(*games: bytes) -> list[TakeoverState]:
    """Positions of play, made by chance."""
    found: list[TakeoverState] = []
    for seed in games:
        positions = trials.play(GAME, 2 + sum(seed) % 4, TakeoverOptions(), seed, trials.STYLES[0], 400)
        found.extend(here.state for here in positions if here.state.stage.phase == "play")
    return found
