"""A bot that plays any game at random and never touches the clock."""

from __future__ import annotations

from typing import Any

from games.api import Bot, Character, Decision, Dice, Observation
from games.kit import choices as kit_choices
from games.kit import time_control as time_control


class Chance(Bot[Any]):
    """A bot that makes random legal moves; all prompts and all kinds of moves are equally likely."""

    levels = ("random",)

    def __init__(self, move: Any) -> None:
        self._move = move

    def decide(self, observation: Observation, character: Character, dice: Dice) -> Decision[Any] | None:
        kinds = {prompt.id: prompt.kind for prompt in observation.prompts}
        choices = {
            prompt: offered
            for prompt, offered in observation.choices.items()
            if kinds.get(prompt) not in time_control.PROMPTS
        }
        sample = kit_choices.sample(choices, observation.seats, self._move, dice)
        return None if sample is None else Decision(*sample)
