"""Helpers for every bot: reading the sections of its observation, and sometimes saying a phrase."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from games.api import Dice, Observation

PART = TypeVar("PART", bound=msgspec.Struct)


def part(observation: Observation, name: str, kind: type[PART]) -> PART:
    """A section of the observation. Raises KeyError if there is none, TypeError if it has another type."""
    data = observation.sections[name]
    if not isinstance(data, kind):
        raise TypeError(f"section {name} is not a {kind.__name__}")
    return data


def optional(observation: Observation, name: str, kind: type[PART]) -> PART | None:
    """A section of the observation; None if there is none. Raises TypeError if it has another type."""
    return part(observation, name, kind) if name in observation.sections else None


def phrase(observation: Observation, key: str, rarely: int, dice: Dice) -> str | None:
    """The phrase's key in one call out of `rarely`, if the talk policy allows it; otherwise None."""
    return key if key in observation.talk_policy.phrases and not dice.below("say", rarely) else None
