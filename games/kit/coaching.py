"""Helpers for every coach (`Game.coach`): reading what a seat may choose."""

from __future__ import annotations

from games.api import Choice, Observation, OneOf, Prompt


def list_choices(observation: Observation, prompt: Prompt, move: str) -> tuple[Choice, ...]:
    """The seat's choices of this kind of move under the prompt."""
    choices = observation.choices.get(prompt.id, ())
    return tuple(choice for choice in choices if choice.move == move)


def numbers(choice: Choice, field: str) -> tuple[int, ...]:
    """The numbers that a field of the choice may have; empty unless it is one of several."""
    domain = choice.fields.get(field)
    return tuple(int(value) for value in domain.of) if isinstance(domain, OneOf) else ()


def words(choice: Choice, field: str) -> tuple[str, ...]:
    """The words that a field of the choice may have; empty unless it is one of several."""
    domain = choice.fields.get(field)
    return tuple(str(value) for value in domain.of) if isinstance(domain, OneOf) else ()
