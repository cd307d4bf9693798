"""How the Almost bot puts something: a variant of the catalogue that nobody at the table has used so far.

An intent is a kind of remark, such as `yesTurn`; its variants are `almost.bot.yesTurn.1` and so on, all with
the same arguments, and all true in the same positions. Nearly every remark names its round, so that a bot can
tell from what was said what it has already answered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from games.almost.bot.levels import SkillLevel
from games.almost.bot.observation import Table
from games.almost.texts import TEXTS
from games.api import Argument, Character, Dice, Observation, Remark, Seat, Spoken, Temper

PREFIX: Final = "almost.bot."
PHRASE: Final = "almost.say."


class Meaning(NamedTuple):
    """Something to say, before it is put into words."""

    intent: str
    args: Mapping[str, Argument]


Meanings: TypeAlias = Sequence[Meaning]


class BotContext(NamedTuple):
    """All that a decision depends on."""

    observation: Observation
    table: Table
    character: Character
    skill: SkillLevel
    dice: Dice

    @property
    def temper(self) -> Temper:
        return self.character.temper

    @property
    def level(self) -> str:
        return self.character.level


def _list_variants() -> dict[str, tuple[str, ...]]:
    variants: dict[str, list[str]] = {}
    for key in TEXTS.remarks:
        intent, _, _ = key.removeprefix(PREFIX).partition(".")
        variants.setdefault(intent, []).append(key)
    return {intent: tuple(keys) for intent, keys in variants.items()}


VARIANTS: Final = _list_variants()
"""The keys of each intent."""


def list_keys(*intents: str) -> tuple[str, ...]:
    """The keys of these intents."""
    return tuple(key for intent in intents for key in VARIANTS[intent])


def find_intent(said: Spoken) -> str | None:
    """The intent of a remark; None for a phrase."""
    if not said.key.startswith(PREFIX):
        return None
    return said.key.removeprefix(PREFIX).partition(".")[0]


def choose_remark(context: BotContext, meanings: Meanings) -> Remark | None:
    """Puts one of these meanings into words that were used least at this table, and never twice the same."""
    observation = context.observation
    if observation.talk_policy.mode == "closed" or not observation.may_speak:
        return None
    messages = observation.messages
    times_used: dict[str, int] = {}
    for said in messages:
        times_used[said.key] = times_used.get(said.key, 0) + 1
    remarks = [Remark(key, meaning.args) for meaning in meanings for key in VARIANTS[meaning.intent]]
    fresh = [
        remark
        for remark in remarks
        if remark.key not in times_used
        or all((said.key, dict(said.args)) != (remark.key, dict(remark.args)) for said in messages)
    ]
    if not fresh:
        return None
    least = min(times_used.get(remark.key, 0) for remark in fresh)
    rarest = [remark for remark in fresh if times_used.get(remark.key, 0) == least]
    return rarest[context.dice.below("words", len(rarest))]


def has_answered(context: BotContext, index: int) -> bool:
    """Whether this seat has spoken to whoever said this message since."""
    messages, seat = context.observation.messages, context.table.seat
    speaker = messages[index].seat
    return any(said.seat == seat and said.addressee == speaker for said in messages[index + 1 :])


def count_said(context: BotContext, seat: Seat, in_round: int) -> int:
    """How many remarks of a seat name this round."""
    return sum(
        said.seat == seat and said.args.get("round") == in_round for said in context.observation.messages
    )


def roll_mood(table: Table, *parts: int) -> int:
    """A pseudo-random number from 0 to 99 that stays the same when the bot is asked again."""
    mixed = table.stage.round * 31 + table.seat * 17
    for part in parts:
        mixed = (mixed * 43 + part * 7 + 3) * 2654435761 % 2**40
    return (mixed >> 9) % 100
