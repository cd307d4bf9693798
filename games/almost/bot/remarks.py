"""What a decision of the Almost bot depends on, and how it puts something into words.

Nearly every remark names its round, so that a bot can tell from what was said what it has already answered.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

from games.almost.bot.levels import SkillLevel
from games.almost.bot.observation import Table
from games.almost.texts import TEXTS
from games.api import Character, Dice, Observation, Remark, Seat, Temper
from games.kit.wordings import Meaning, UsedWords, Wordings

PHRASE: Final = "almost.say."
WORDINGS: Final = Wordings(TEXTS)
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


def choose_remark(context: BotContext, meanings: Meanings) -> Remark | None:
    """One of these meanings in words that nobody at the table has used; None if the bot may not speak."""
    observation = context.observation
    if observation.talk_policy.mode == "closed" or not observation.may_speak:
        return None
    return UsedWords(observation.messages).choose(WORDINGS, meanings, context.dice)


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
