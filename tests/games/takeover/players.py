"""Takeover bots for tests: whole tables, and decisions in a position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.takeover.bot.bot import BOT
from games.takeover.rules.game import TAKEOVER as GAME
from games.takeover.rules.values import Merge, TakeoverMove, TakeoverOptions, TakeoverState
from games.testing import random_play
from tests.games.selfplay import SelfPlay, answer_of
from tests.games.takeover.table import Table

JUDGING = ("normal", "hard")
"""The levels that do not misjudge on purpose."""


PLAYERS = SelfPlay(GAME, BOT, lambda state: len(state.hands))
whole_table, win_share = PLAYERS.whole_table, PLAYERS.win_share
observe, decisions = PLAYERS.observe, PLAYERS.decisions


def moves(state: TakeoverState, level: str, seat: int = 0, streams: int = 24) -> list[TakeoverMove]:
    """The distinct moves that the bot makes with different dice."""
    return list(dict.fromkeys(answer_of(one)[1] for one in decisions(state, level, seat, streams)))


def pairs(state: TakeoverState, level: str) -> set[str]:
    """The mergers the bot makes, or "pass"."""
    return {move.pair if isinstance(move, Merge) else "pass" for move in moves(state, level)}


def offered(
    state: TakeoverState, *, by: int = 1, to: int = 0, give: str = "", wish: str = ""
) -> TakeoverState:
    """The state with one more offer."""
    table = Table(state=state)
    table.offer(by, to, give.upper().split(), wish.split())
    return table.state


class Eager:
    """Dice that make the bot take every opportunity to propose, haggle or speak."""

    def below(self, label: str, sides: int) -> int:
        return 0

    def shuffle(self, label: str, items: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(items)


def turns_of(*games: bytes) -> list[TakeoverState]:
    """Positions from the play phase of random games."""
    states: list[TakeoverState] = []
    for seed in games:
        positions = random_play.play(
            GAME, 2 + sum(seed) % 4, TakeoverOptions(), seed, random_play.STYLES[0], 400
        )
        states.extend(step.state for step in positions if step.state.stage.phase == "play")
    return states
