"""What a bot says with a decision: answers first, then reactions, and requests with its own moves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from games.api import Character, Decision, Dice, Observation, Remark
from games.takeover.bot.answering import Speech, answer_next
from games.takeover.bot.asking import ask, has_asked
from games.takeover.bot.evaluation import may_lose_now
from games.takeover.bot.observation import Table, ends_by_pass, read_table
from games.takeover.bot.reacting import announce, answer_wrongs, react
from games.takeover.bot.situation import Rate, Situation, advance, number_of
from games.takeover.bot.voice import find_words, has_begun_to_deal, is_said, list_unanswered
from games.takeover.rules.values import Merge, Pass, TakeoverMove

DRAFT_ANSWERS: Final = frozenset(
    {"takeover.say.spareMine", "takeover.say.letUsPass", "takeover.say.makeAnOffer", "takeover.say.needNull"}
)
"""Phrases of people about the play that bots answer before it begins."""


SMALL: Final = 2
"""The highest value of a coin that a character calls small change."""
BIG: Final = 4
"""The least value of a coin that others may fight for."""
OPENING: Final = 80
"""How often, in percent, it makes its first request without waiting for its turn."""
COMMENTS: Final = 45
"""How often, in percent, a comment or a reproach goes before a request."""


def may_speak(observation: Observation) -> bool:
    return observation.may_speak and observation.talk_policy.mode != "closed"


def add_talk(
    decision: Decision[TakeoverMove] | None,
    observation: Observation,
    table: Table | None,
    character: Character,
    rate: Rate,
    dice: Dice,
) -> Decision[TakeoverMove] | None:
    """The decision in the play phase with something to say, or a remark alone if there is no move to make.

    A character that trades says nothing meanwhile: only two seats know about an offer (TKO-22). What it has
    to say, it says when the hub asks it again, at the time at which it would have said it without the trade.
    """
    move = None if decision is None else decision.move
    if not may_speak(observation):
        return None if decision is None else replace(decision, remark=None)
    if move is not None and not isinstance(move, Merge | Pass):
        return decision
    speech = _speak(move, observation, table or read_table(observation), character, rate, dice)
    if speech is None:
        return _drop_repetition(decision, observation)
    if decision is None:
        prompt, offer = speech.offer or (None, None)
        return Decision(prompt, offer, speech.remark, speech.promise)
    return replace(decision, remark=speech.remark, promise=speech.promise)


def _drop_repetition(
    decision: Decision[TakeoverMove] | None, observation: Observation
) -> Decision[TakeoverMove] | None:
    """The decision without a phrase that somebody has said before."""
    if decision is None or decision.remark is None or not is_said(observation, decision.remark.key):
        return decision
    return replace(decision, remark=None)


def _speak(
    move: Merge | Pass | None,
    observation: Observation,
    table: Table,
    character: Character,
    rate: Rate,
    dice: Dice,
) -> Speech | None:
    after = table if move is None else advance(table, move)
    situation = Situation(observation, character, after, rate, move=move, dice=dice)
    speech = answer_next(situation, has_moved=move is not None)
    if speech is not None or character.is_substitute:
        return speech
    return _open(situation) if move is None else _choose_remark(situation, table, move)


def _open(situation: Situation) -> Speech | None:
    """A reaction or, as its first words in play, perhaps a request, unless somebody has just asked."""
    speech = react(situation)
    if speech is not None or has_asked(situation) or situation.has_just_heard_request():
        return speech
    if not situation.happens("open", OPENING):
        return None
    return _just(ask(situation, passes=False))


def _just(remark: Remark | None) -> Speech | None:
    return None if remark is None else Speech(remark)


def _choose_remark(situation: Situation, before: Table, move: Merge | Pass) -> Speech | None:
    """What goes with a move: now and then a comment or a reproach, but mostly a request."""
    breach = _just(answer_wrongs(situation, only_breaches=True))
    if breach is not None:
        return breach
    sources: list[Callable[[], Speech | None]] = [
        lambda: _just(ask(situation, passes=isinstance(move, Pass))),
        lambda: (
            _just(answer_wrongs(situation)) or react(situation) or _just(_comment(situation, before, move))
        ),
    ]
    if has_begun_to_deal(situation.observation) and situation.happens("comment", COMMENTS):
        sources.reverse()
    return sources[0]() or sources[1]()


def _comment(situation: Situation, before: Table, move: Merge | Pass) -> Remark | None:
    if isinstance(move, Pass):
        return _explain_pass(situation)
    covered = number_of(move.pair.partition(">")[2])
    if covered in before.purse.stocks:
        return None
    return announce(situation, move, before.stacks.heights[before.stacks.tops.index(covered)])


def _explain_pass(situation: Situation) -> Remark | None:
    """That nothing pays for a seat that passes although somebody may be richer, unless the game is over."""
    may_be_behind = situation.best is None and may_lose_now(situation.table)
    if not may_be_behind or ends_by_pass(situation.observation):
        return None
    is_chatty = situation.happens("comment", situation.character.temper.chatter)
    return situation.say("passBehind") if is_chatty else None


def comment_on_pick(
    observation: Observation, character: Character, value: int, highest: int, dice: Dice
) -> Remark | None:
    """What a character says in the draft: an answer to a person, or that it likes the low coin it takes."""
    if character.is_substitute or not may_speak(observation):
        return None
    for message in list_unanswered(observation):
        if not message.bot and message.key in DRAFT_ANSWERS:
            return find_words(observation, "tooEarly", {"to": message.seat}, character, dice)
    if value > SMALL or highest < BIG or dice.below("comment", 100) >= character.temper.chatter:
        return None
    return find_words(observation, "pickedSmall", {"value": value}, character, dice)
