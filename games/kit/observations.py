"""What every bot does with its observation: takes sections out of it, and says something now and then."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from games.api import Dice, Observation

PART = TypeVar("PART", bound=msgspec.Struct)


def part(observation: Observation, name: str, kind: type[PART]) -> PART:
    """A section of the observation. Raises KeyError if there is none, TypeError if it is of another type."""
    found = observation.sections[name]
    if not isinstance(found, kind):
        raise TypeError(f"section {name} is not a {kind.__name__}")
    return found


def optional(observation: Observation, name: str, kind: type[PART]) -> PART | None:
    """The same; None where there is none."""
    return part(observation, name, kind) if name in observation.sections else None


def phrase(observation: Observation, key: str, rarely: int, dice: Dice) -> str | None:
    """The phrase's key where it may be said now: once in so many occasions."""
    return key if key in observation.talk_policy.phrases and not dice.below("say", rarely) else None
