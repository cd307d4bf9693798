"""What every bot does with its sight: takes sections out of it, and says something now and then."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from games.api import Dice, Sight

PART = TypeVar("PART", bound=msgspec.Struct)


def part(sight: Sight, name: str, kind: type[PART]) -> PART:
    """A section of the sight. Raises TypeError where it is of another kind, KeyError where there is none."""
    found = sight.sections[name]
    if not isinstance(found, kind):
        raise TypeError(f"section {name} is not a {kind.__name__}")
    return found


def optional(sight: Sight, name: str, kind: type[PART]) -> PART | None:
    """The same; None where there is none."""
    return part(sight, name, kind) if name in sight.sections else None


def phrase(sight: Sight, key: str, rarely: int, dice: Dice) -> str | None:
    """The phrase's key where it may be said now: once in so many occasions."""
    return key if key in sight.manners.phrases and not dice.below("say", rarely) else None
