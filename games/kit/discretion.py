"""What a bot may say of what it was told in private: nothing to anybody who must not know of it (G4).

Whispers and private promises may change what a bot does, as they may change what a person does. Its words
are those that it would say if it knew only what those who hear them may know as well: so it is asked once
more without the rest. What it would say only because of something private is whispered to whoever has told
it, where whispers are allowed, and is otherwise not said.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any, TypeVar

from msgspec.structs import replace

from games.api import (
    Bot,
    Character,
    Decision,
    Dice,
    Millis,
    NewPromise,
    Observation,
    Promise,
    Remark,
    Seat,
    SeenLine,
)
from games.kit.remarks import may_answer

M = TypeVar("M")


def knows_secrets(observation: Observation) -> bool:
    """Whether a bot has heard, said or read anything that not everybody at its table knows."""
    return (
        any(promise.private for promise in observation.promises)
        or any(spoken.to is not None for spoken in observation.messages)
        or any(_is_private_report(line) for line in observation.lines)
    )


def share_with(observation: Observation, other: Seat | None) -> Observation:
    """What a bot observes without what was private between it and anybody but this seat.

    If `other` is None, only what everybody has heard is left. What its game shows to its seat stays.
    """
    promises = tuple(promise for promise in observation.promises if _knows(promise, other))
    ids = {promise.id for promise in promises}
    return replace(
        observation,
        promises=promises,
        lines=tuple(
            line
            for line in observation.lines
            if not _is_private_report(line) or line.args.get("promise") in ids
        ),
        messages=tuple(
            spoken
            for spoken in observation.messages
            if spoken.to is None or (other is not None and other in (spoken.seat, spoken.to))
        ),
    )


def _knows(promise: Promise, seat: Seat | None) -> bool:
    return not promise.private or seat in (promise.by, *promise.to)


def _is_private_report(line: SeenLine) -> bool:
    return line.to is not None and line.key.startswith("promise.")


def find_confidants(observation: Observation) -> tuple[Seat, ...]:
    """The seats that have told a bot something in private that it has not answered since, the last first."""
    heard: list[Seat] = []
    answered: set[Seat | None] = set()
    for spoken in reversed(observation.messages):
        if spoken.seat == observation.seat:
            answered.add(spoken.addressee)
        elif spoken.to is not None and spoken.seat not in answered and spoken.seat not in heard:
            heard.append(spoken.seat)
    return tuple(heard)


class DiscreetBot(Bot[Any]):
    """A bot that keeps what it was told in private; a quiet one says nothing aloud.

    `Observation.may_speak` says only whether it has been silent for long enough: whether bots have talked on
    for too long depends on what has been heard.
    """

    def __init__(self, bot: Bot[Any], *, quiet: bool = False) -> None:
        self.levels = bot.levels
        self.slow = bot.slow
        self._bot = bot
        self._quiet = quiet

    def decide(self, observation: Observation, character: Character, dice: Dice) -> Decision[Any] | None:
        decision = self._ask(observation, character, dice)
        plain = self._ask(share_with(observation, None), character, dice)
        answer = None if decision is None else decision.answer
        if decision is not None and answer is None and plain is not None:
            answer = plain.answer  # words in private do not take the place of a move
        remark: Remark | None = None
        promise: NewPromise | None = None
        after = _find_later_time(decision, plain)
        if plain is not None and plain.answer == answer:
            after = plain.after
            if not self._quiet:
                remark, promise = plain.remark, plain.promise
        if remark is None and promise is None and observation.talk_policy.whispers:
            for confidant in find_confidants(observation)[:1]:
                words = self._ask(share_with(observation, confidant), character, dice)
                if words is not None and words.answer in (None, answer):
                    remark, promise = _confide(words, plain, confidant)
        if answer is not None:
            return Decision(*answer, remark, promise, after)
        if remark is None and promise is None:
            return None
        return Decision(remark=remark, promise=promise, after=after)

    def _ask(self, observation: Observation, character: Character, dice: Dice) -> Decision[Any] | None:
        """Every time with the same dice, so that only what it knows makes a difference."""
        may_speak = observation.may_speak and may_answer(observation.lines, observation.messages)
        return self._bot.decide(replace(observation, may_speak=may_speak), character, deepcopy(dice))


def _find_later_time(*decisions: Decision[Any] | None) -> Millis | None:
    """The longest `after`: a move that a bot makes because of something private comes no sooner for it."""
    return max((one.after for one in decisions if one is not None and one.after is not None), default=None)


def _confide(
    words: Decision[Any], plain: Decision[Any] | None, to: Seat
) -> tuple[Remark | None, NewPromise | None]:
    """What a bot says to one seat alone that it would not say without what it has from there."""
    remark, promise = words.remark, words.promise
    if plain is not None and (remark, promise) == (plain.remark, plain.promise):
        return None, None
    if remark is not None and (remark.to not in (None, to) or remark.args.get("to", to) != to):
        return None, None
    if promise is not None and promise.to != (to,):
        return None, None
    return (
        None if remark is None else replace(remark, to=to),
        None if promise is None else replace(promise, private=True),
    )
