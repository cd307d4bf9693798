"""What a decision of the Almost bot depends on, and how it puts something into words.

What was said belongs to the round in which it was said, so that a bot can tell what it has already answered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

from games.almost.bot.levels import SkillLevel
from games.almost.bot.observation import History, Table, read_history
from games.almost.texts import TEXTS
from games.api import Character, Dice, Observation, Remark, Seat, Spoken, Temper
from games.kit.wordings import Meaning, UsedWords, Wordings, find_tone, rank_tone, read_intent

PHRASE: Final = "almost.say."
WORDINGS: Final = Wordings(TEXTS)
Meanings: TypeAlias = Sequence[Meaning]


@dataclass(frozen=True)
class BotContext:
    """All that a decision depends on."""

    observation: Observation
    table: Table
    character: Character
    skill: SkillLevel
    dice: Dice

    @cached_property
    def history(self) -> History:
        return read_history(self.observation)

    @property
    def temper(self) -> Temper:
        return self.character.temper

    @property
    def level(self) -> str:
        return self.character.level


ECHOES: Final = frozenset({"grant", "half", "deny", "denyGiven", "already", "deal"})
"""Intents that may be said by several seats in a row: each answers somebody in particular."""
ANSWERS: Final = ECHOES | {"noLater", "noRound", "noFear", "welcome", "trust", "hurried", "notYet", "console"}
"""Intents that answer somebody's words: after those of another, it must be clear whom they answer."""
OTHER_TONE: Final = 3
"""More than a wording of another tone counts (`rank_tone`)."""
CLOSE_BY: Final = 4
"""The number of remarks after which somebody may say about the same as another."""


def _list_echoed(context: BotContext) -> frozenset[str]:
    """The intents of what others have just said in this round."""
    recent = [
        said for said in context.observation.messages if read_intent(said.key) and is_of_round(context, said)
    ]
    others = [read_intent(said.key) for said in recent[-CLOSE_BY:] if said.seat != context.table.seat]
    return frozenset(others) - ECHOES


def _needs_name(context: BotContext, meanings: Meanings) -> bool:
    """Whether whoever this is addressed to was not the last to speak, so that it should name them."""
    messages = context.observation.messages
    to = next((meaning.args["to"] for meaning in meanings if "to" in meaning.args), None)
    return to is not None and bool(messages) and messages[-1].seat != to


def choose_remark(context: BotContext, meanings: Meanings) -> Remark | None:
    """One of these meanings in words that nobody at the table has used, if possible in the character's tone.

    An answer rather names whom it is for, unless they have spoken last. None if the bot may not speak, or if
    another has just said the same in other words.
    """
    observation = context.observation
    if observation.talk_policy.mode == "closed" or not observation.may_speak:
        return None
    echoed, tone = _list_echoed(context), find_tone(context.temper)
    allowed = [one for one in meanings if not one.is_private or observation.talk_policy.whispers]
    fresh = [meaning for meaning in allowed if meaning.intent not in echoed]
    needs_name = _needs_name(context, fresh)

    def rank(key: str) -> int:
        lacks_name = needs_name and read_intent(key) in ANSWERS and "to" not in TEXTS.remarks[key]
        return rank_tone(key, tone) + OTHER_TONE * lacks_name

    return UsedWords(observation.messages).choose(WORDINGS, fresh, context.dice, rank)


def has_answered(context: BotContext, index: int) -> bool:
    """Whether this seat has spoken to whoever said this message since."""
    messages, seat = context.observation.messages, context.table.seat
    speaker = messages[index].seat
    return any(said.seat == seat and said.addressee == speaker for said in messages[index + 1 :])


def is_of_round(context: BotContext, said: Spoken) -> bool:
    """Whether this was said since the round began."""
    return said.at >= context.history.begun


def is_about_last(context: BotContext, said: Spoken) -> bool:
    """Whether this was said since the numbers of the last round that is over were shown."""
    return said.at >= context.history.shown


def count_said(context: BotContext, seat: Seat) -> int:
    """How many remarks a seat has made in this round."""
    return sum(said.seat == seat and is_of_round(context, said) for said in context.observation.messages)


def roll_mood(table: Table, *parts: int) -> int:
    """A pseudo-random number from 0 to 99 that stays the same when the bot is asked again."""
    mixed = table.stage.round * 31 + table.seat * 17
    earlier = (bid for row in table.score.rows for bid in row.bids)
    for part in (*earlier, *parts):
        mixed = (mixed * 43 + part * 7 + 3) * 2654435761 % 2**40
    return (mixed >> 9) % 100
