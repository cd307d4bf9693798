"""Evaluates moves by playouts: the rest of the round is played many times, all seats following the policy.

The other seats' enemies and allies are drawn at random for each trial. All moves are tried with the same
draws. After each stage the worse half of the moves is dropped, until one is left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, log2
from typing import Final, NamedTuple

from games.sucker.bot import policy
from games.sucker.bot.policy import Allegiance, FastRandom
from games.sucker.bot.search_state import SearchState

MAX_TRIALS: Final = 100
"""The maximum number of trials of each move in a stage."""
POLICY_BONUS: Final = 0.3
"""The wins credited in advance to the move that the policy prefers."""
SHARED_WIN: Final = 0.6
"""The value of a win shared with another seat."""


class PlayerModel(NamedTuple):
    """The seat that moves; `blind` means that the others have secret enemies and allies too."""

    seat: int
    allegiance: Allegiance
    blind: bool


def choose_best(
    state: SearchState,
    successors: Sequence[SearchState],
    player: PlayerModel,
    most: int,
    random: FastRandom,
    extra: Mapping[SearchState, float] = {},
) -> SearchState:
    """The successor that wins most often, found with about `most` playout steps.

    `extra` adds to the share of games that a successor wins.
    """
    preferred = policy.choose_successor(state, player.seat, player.allegiance, random)
    wins = {after: POLICY_BONUS if after == preferred else 0.0 for after in successors}
    left = list(wins)
    stages = ceil(log2(len(left)))  # none for a single move
    for _ in range(stages):
        steps = trials = 0
        while steps < most / stages and trials < MAX_TRIALS:
            allegiances, seed = guess_allegiances(state, player, random), random.below(1 << 31)
            for after in left:
                end, length = policy.play_out(after, player.seat, allegiances, FastRandom(seed))
                wins[after] += score_end(end, player.seat, allegiances) + extra.get(after, 0.0)
                steps += length + 1
            trials += 1
        left = sorted(left, key=wins.__getitem__, reverse=True)[: (len(left) + 1) // 2]
    return left[0]


def guess_allegiances(state: SearchState, player: PlayerModel, random: FastRandom) -> list[Allegiance]:
    """Enemies and allies consistent with what the player knows: no seat refuses to rescue its ally."""
    seats = len(state.alive)
    allegiances = []
    for seat in range(seats):
        if seat == player.seat:
            allegiances.append(player.allegiance)
        elif not player.blind:
            allegiances.append(Allegiance(None, None))
        else:
            others = [other for other in range(seats) if other != seat]
            not_ally = state.mover if state.refused and state.refused[seat] else None
            allies = [other for other in others if other != not_ally]
            ally = allies[random.below(len(allies))]
            others.remove(ally)
            allegiances.append(Allegiance(others[random.below(len(others))], ally))
    return allegiances


def score_end(end: SearchState, seat: int, allegiances: Sequence[Allegiance]) -> float:
    """The seat's result: 1 for a sole win, SHARED_WIN for a shared one, otherwise 0 (2d)."""
    if end.phase != "over" or end.last_out is None:
        return 0.0
    survivor, last_out = end.mover, end.last_out
    survivor_wins = allegiances[survivor].enemy != last_out
    second_wins = allegiances[last_out].ally == survivor
    if (seat == survivor and survivor_wins) or (seat == last_out and second_wins):
        return SHARED_WIN if survivor_wins and second_wins else 1.0
    return 0.0
