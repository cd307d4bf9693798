"""How long a bot takes over its turn: long enough for others to read what has just happened."""

from __future__ import annotations

from typing import Final

from games.api import Millis, Observation
from games.kit.observations import part
from games.takeover.bot.voice import REQUESTS, intent_of
from games.takeover.rules.promises import IDLE, MERGED
from games.takeover.rules.values import Board

AFTER_FALL: Final = Millis(2_800)
"""The time after a merger that has swallowed a stack of several tiles: somebody may have lost much."""
AFTER_MERGER: Final = Millis(2_000)
AFTER_REQUEST: Final = Millis(3_200)
"""The time if a bot has asked somebody for something with the last move, and waits for the answer."""


def choose_pace(observation: Observation) -> Millis | None:
    """The shortest time for a turn; None if nothing needs more than the usual time.

    It depends on lines and remarks for everybody alone (G4).
    """
    turns = [line for line in observation.lines if line.to is None and line.key in MERGED | IDLE]
    if not turns:
        return None
    last = turns[-1]
    times = [AFTER_REQUEST] if _is_answer_due(observation, last.at) else []
    if last.key in MERGED:
        height = _find_height(observation, str(last.args["source"]), str(last.args["onto"]))
        times.append(AFTER_FALL if height > 1 else AFTER_MERGER)
    return max(times, default=None)


def _find_height(observation: Observation, source: str, onto: str) -> int:
    """How many tiles a swallowed stack had."""
    for stack in part(observation, "board", Board).stacks:
        if stack is not None and stack.tiles[-1] == source and onto in stack.tiles:
            return stack.tiles.index(onto) + 1
    return 0


def _is_answer_due(observation: Observation, since: int) -> bool:
    """Whether a bot has asked another seat than this one for something since then, and has no answer yet."""
    aloud = [said for said in observation.messages if said.bot and said.to is None and said.at >= since]
    return any(
        intent_of(said.key) in REQUESTS
        and said.addressee not in (None, observation.seat)
        and not any(later.seat == said.addressee for later in aloud[number:])
        for number, said in enumerate(aloud)
    )
