"""How long a bot takes over a decision, so that others can read what has just happened, and answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.api import Millis, Observation, SeenLine
from games.kit.observations import part
from games.shares.bot.memory import ROUND
from games.shares.bot.sayings import PROPOSALS, read_intent
from games.shares.rules.values import Scene

AFTER_ROUND: Final = Millis(3_200)
"""The time for a share, once a round is over: everybody reads what it has changed."""
FIRST_TURN: Final = Millis(2_800)
"""The time for the first decision of a round, once everybody has a share."""
NEXT_TURN: Final = Millis(2_000)
"""The time for the first decision of a turn, once another seat has ended its own."""
AFTER_CARD: Final = Millis(1_400)
"""The time for the effect of a card: everybody sees which it is."""
AFTER_REQUEST: Final = Millis(3_200)
"""The time if the bot has asked somebody for something, or warned them, and has no answer yet."""
STARTS: Final = frozenset({"shares.starts", "shares.highest"})
ENDS: Final = frozenset({"shares.ended", "shares.out", "shares.stuck"})
CARDS: Final = frozenset({"shares.played", "shares.free", "shares.rolled", "shares.again"})
REQUESTS: Final = frozenset({*PROPOSALS, "threat"})


def choose_pace(observation: Observation) -> Millis | None:
    """The shortest time for a decision; None if nothing needs more than the usual time.

    It depends on lines and remarks for everybody alone (G4).
    """
    lines = [line for line in observation.lines if line.to is None]
    times = [
        time for time in (_read(observation, lines), _await_answer(observation, lines)) if time is not None
    ]
    return max(times, default=None)


def _read(observation: Observation, lines: Sequence[SeenLine]) -> Millis | None:
    """The time to read what has happened last."""
    last = next((line.key for line in reversed(lines) if line.key.startswith("shares.")), None)
    if part(observation, "scene", Scene).kind in ("select", "lowball"):
        rounds = sum(line.key == ROUND for line in lines)
        return AFTER_ROUND if last == ROUND and rounds > 1 else None
    if last in STARTS:
        return FIRST_TURN
    if last in ENDS:
        return NEXT_TURN
    return AFTER_CARD if last in CARDS else None


def _await_answer(observation: Observation, lines: Sequence[SeenLine]) -> Millis | None:
    """The time for an answer to the last request of this seat, if it came with its last move or later.

    A promise of this seat that is judged meanwhile is no move.
    """
    moves = [
        line.at
        for line in lines
        if line.key.startswith("shares.") and line.args.get("seat") == observation.seat
    ]
    aloud = [said for said in observation.messages if said.to is None]
    since = max(moves, default=0)
    for number, said in enumerate(aloud):
        is_request = said.seat == observation.seat and read_intent(said.key) in REQUESTS and said.at >= since
        if is_request and not any(later.seat == said.addressee for later in aloud[number:]):
            return AFTER_REQUEST
    return None
