"""The bot of every game, for want of a better: it moves by chance, and never touches the clock."""

from __future__ import annotations

from typing import Any

from games.api import Bot, Decision, Dice, Observation
from games.kit import choices as kit_choices
from games.kit import time_control as time_control


class Chance(Bot[Any]):
    """Any legal move of its seat, each prompt and each kind of move as likely as the next."""

    levels = ("random",)

    def __init__(self, move: Any) -> None:
        self._move = move

    def decide(self, observation: Observation, level: str, dice: Dice) -> Decision[Any] | None:
        kinds = {prompt.id: prompt.kind for prompt in observation.prompts}
        choices = {
            prompt: found
            for prompt, found in observation.choices.items()
            if kinds.get(prompt) not in time_control.PROMPTS
        }
        found = kit_choices.sample(choices, observation.seats, self._move, dice)
        return None if found is None else Decision(*found)
