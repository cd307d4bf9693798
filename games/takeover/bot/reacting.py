"""What a character says unasked: thanks, reproaches, threats and remarks about its own moves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from games.api import Promise, Remark
from games.takeover.bot.memory import Wrong
from games.takeover.bot.situation import Situation
from games.takeover.bot.voice import list_said
from games.takeover.rules.promises import SWAPPED, TRADED
from games.takeover.rules.values import Merge

HOSTILE: Final = 3
"""The least height of somebody else's stack whose end a character announces."""


def react(situation: Situation) -> Remark | None:
    """What it says to somebody who has just promised it something, kept a promise, or traded with it."""
    return next(_answer_promises(situation), None) or next(_give_thanks(situation), None)


def _answer_promises(situation: Situation) -> Iterator[Remark]:
    """Tells people what it thinks of what they have promised to it; bots say themselves what they promise."""
    observation = situation.observation
    for promise in observation.promises:
        if promise.bot or promise.judgement is not None or situation.seat not in promise.to:
            continue
        if not _has_answered(situation, promise):
            intent = "doubt" if situation.is_distrusted(promise.by) else "heard"
            if (remark := situation.say(intent, to=promise.by)) is not None:
                yield remark


def _has_answered(situation: Situation, promise: Promise) -> bool:
    return any(
        message.seat == situation.seat and message.addressee == promise.by and message.at >= promise.at
        for message in situation.observation.messages
    )


def answer_wrongs(situation: Situation) -> Remark | None:
    """Reproaches a wrong, each once. Bold characters threaten instead, if they can do what they say."""
    for wrong in reversed(situation.memory.wrongs):
        if _has_reproached(situation, wrong):
            continue
        coin = situation.guess_company(wrong.by)
        is_bold = situation.happens("threaten", situation.character.temper.boldness)
        if is_bold and coin is not None and situation.immediate_gain(coin) is not None:
            return situation.say("threat", to=wrong.by, coin=coin)
        if wrong.coin is not None:
            return situation.say("reproachCovered", to=wrong.by, coin=wrong.coin)
        return situation.say("reproachBroken", to=wrong.by)
    return None


def _has_reproached(situation: Situation, wrong: Wrong) -> bool:
    """Whether it has said as much about this seat's wrongs as there are of them up to this one."""
    observation, wrongs = situation.observation, situation.memory.wrongs
    said = sum(
        len(list_said(observation, intent, wrong.by))
        for intent in ("threat", "reproachCovered", "reproachBroken")
    )
    number = sum(other.by == wrong.by for other in wrongs[: wrongs.index(wrong) + 1])
    return said >= number


def _give_thanks(situation: Situation) -> Iterator[Remark]:
    observation, kept = situation.observation, situation.memory.kept
    occasions = [
        ("thanksKept", seat)
        for seat in kept
        if len(list_said(observation, "thanksKept", seat)) < kept.count(seat)
    ]
    partner = _find_partner(situation)
    if partner is not None and not list_said(observation, "thanksTrade", partner):
        occasions.append(("thanksTrade", partner))
    for intent, seat in occasions:
        is_warm = situation.happens("thank", situation.character.temper.warmth)
        if is_warm and (remark := situation.say(intent, to=seat)) is not None:
            yield remark


def _find_partner(situation: Situation) -> int | None:
    """The seat that has just traded with this one."""
    for line in reversed(situation.observation.lines[-2:]):
        if line.key in (TRADED, SWAPPED):
            pair = {line.args["seat"], line.args["other"]}
            if situation.seat in pair:
                return next(seat for seat in pair if isinstance(seat, int) and seat != situation.seat)
    return None


def announce(situation: Situation, move: Merge, height: int) -> Remark | None:
    """A remark about a tall stack of others that it has just swallowed."""
    if height < HOSTILE or not situation.happens("announce", situation.character.temper.chatter):
        return None
    covering, _, covered = move.pair.partition(">")
    return situation.say("hostile", source=covering, onto=covered, height=height)
