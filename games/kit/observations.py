"""Helpers for every bot: reading the parts of its observation, and sometimes saying a phrase."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from games.api import Dice, Observation, Remark, Spoken

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


def phrase(observation: Observation, key: str, rarely: int, dice: Dice) -> Remark | None:
    """The phrase in one call out of `rarely`, if the bot may say it and has not yet; otherwise None."""
    remark = Remark(key)
    if key not in observation.talk_policy.phrases or dice.below("say", rarely):
        return None
    return remark if observation.may_speak and not has_said(observation, remark) else None


def has_said(observation: Observation, remark: Remark) -> bool:
    """Whether its seat has said this before, as far as the bot remembers: nothing is said twice in a game."""
    return any(
        said.seat == observation.seat and (said.key, said.args) == (remark.key, remark.args)
        for said in observation.messages
    )


def list_unanswered(observation: Observation) -> tuple[Spoken, ...]:
    """What other seats have said since its own seat last spoke, oldest first."""
    unanswered: list[Spoken] = []
    for said in reversed(observation.messages):
        if said.seat == observation.seat:
            break
        unanswered.append(said)
    return tuple(reversed(unanswered))
