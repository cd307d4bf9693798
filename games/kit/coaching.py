"""Helpers for every coach (`Game.coach`): reading what a seat may choose."""

from __future__ import annotations

from games.api import Choice, Observation, OneOf, Promise, Prompt
from games.kit.promises import list_open


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


def list_promises(observation: Observation, *kinds: str) -> tuple[Promise, ...]:
    """The seat's own open promises of these kinds, which no advice may break without saying so."""
    open_promises = list_open(observation.promises, observation.seat)
    return tuple(promise for promise in open_promises if promise.kind in kinds and not promise.excused)
