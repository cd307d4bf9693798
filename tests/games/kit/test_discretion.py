"""The pace of a bot that was told something in private (G4)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from games import api
from games.almost.rules.game import ALMOST
from games.api import Bot, Character, Decision, Millis, Observation, PromptId, Seat, Spoken
from games.dice import Dice
from games.kit.characters import BY_KEY
from games.kit.discretion import DiscreetBot
from games.testing import random_play

WHISPER = Spoken(Seat(1), Seat(0), "say.sure", {}, Millis(5))


class Swayed(Bot[Any]):
    """Makes another move once it has heard a whisper, and thinks for as long as it is told."""

    levels = ("easy",)

    def __init__(self, told: int | None, untold: int | None) -> None:
        self._after = {True: told, False: untold}

    def decide(self, observation: Observation, character: Character, dice: api.Dice) -> Decision[Any]:
        told = bool(observation.messages)
        after = self._after[told]
        return Decision(PromptId("a"), told, after=None if after is None else Millis(after))


@pytest.mark.parametrize(
    ("told", "untold", "after"),
    [(3_000, 1_000, 3_000), (1_000, 3_000, 3_000), (None, 2_000, 2_000), (2_000, None, 2_000)],
)
def test_a_move_that_a_whisper_brings_takes_no_less_time(
    told: int | None, untold: int | None, after: int
) -> None:
    state = ALMOST.setup(3, ALMOST.Options(), Millis(0), Dice(b"any")).state
    seen = random_play.observation(ALMOST, state, Seat(0), 3)
    heard = replace(seen, messages=(WHISPER,))
    decision = DiscreetBot(Swayed(told, untold)).decide(heard, BY_KEY["noor"], Dice(b"any"))
    assert decision is not None
    assert (decision.move, decision.after) == (True, after)
