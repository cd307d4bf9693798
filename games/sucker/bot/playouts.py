"""What a move comes to, tried many times: the rest of the round is played out by the habits of all seats.

Enemies and allies of the others are drawn anew for each trial. All moves are tried with the same draws; the
better half is tried again, until one is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, log2
from typing import Final, NamedTuple

from games.sucker.bot import policy
from games.sucker.bot.policy import Chance, Heart
from games.sucker.bot.search_state import Scene

MOST: Final = 100
"""Trials of a move before the worse half is left aside."""
HABIT: Final = 0.3
"""The move of habit has won so much before it is tried."""
SHARED: Final = 0.6
"""A win that is another's, too."""


class Player(NamedTuple):
    """Of whom a move is asked; `blind` where the others have enemies and allies, too."""

    seat: int
    heart: Heart
    blind: bool


def best(scene: Scene, after: Sequence[Scene], player: Player, most: int, chance: Chance) -> Scene:
    """The one of these, all that may come of a scene, that wins most; in about `most` steps of trials."""
    habit = policy.answer(scene, player.seat, player.heart, chance)
    won = {one: HABIT if one == habit else 0.0 for one in after}
    left = list(won)
    stages = ceil(log2(len(left)))  # none for one
    for _ in range(stages):
        steps = trials = 0
        while steps < most / stages and trials < MOST:
            hearts, luck = guessed(scene, player, chance), chance.below(1 << 31)
            for one in left:
                end, more = policy.played_out(one, player.seat, hearts, Chance(luck))
                won[one] += worth(end, player.seat, hearts)
                steps += more + 1
            trials += 1
        left = sorted(left, key=won.__getitem__, reverse=True)[: (len(left) + 1) // 2]
    return left[0]


def guessed(scene: Scene, player: Player, chance: Chance) -> list[Heart]:
    """Enemies and allies, as far as the player may know: whoever has refused to save somebody is no ally."""
    seats = len(scene.alive)
    found = []
    for seat in range(seats):
        if seat == player.seat:
            found.append(player.heart)
        elif not player.blind:
            found.append(Heart(None, None))
        else:
            others = [other for other in range(seats) if other != seat]
            no = scene.mover if scene.refused and scene.refused[seat] else None
            allies = [other for other in others if other != no]
            ally = allies[chance.below(len(allies))]
            others.remove(ally)
            found.append(Heart(others[chance.below(len(others))], ally))
    return found


def worth(end: Scene, seat: int, hearts: Sequence[Heart]) -> float:
    """What a seat has of this end: 1 for a win alone, SHARED with another, else nothing (2d)."""
    if end.where != "over" or end.fallen is None:
        return 0.0
    survivor, last = end.mover, end.fallen
    wins, second = hearts[survivor].enemy != last, hearts[last].ally == survivor
    if (seat == survivor and wins) or (seat == last and second):
        return SHARED if wins and second else 1.0
    return 0.0
