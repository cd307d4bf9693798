"""How a bot answers proposals: with a reason that holds for everybody, a promise, or a demand of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from games.api import NewPromise
from games.sucker.bot import memory
from games.sucker.bot.hearing import Proposal, find_proposal
from games.sucker.bot.remarks import read_pile
from games.sucker.bot.situation import Situation
from games.sucker.bot.speaker import Speaker, Speech
from games.sucker.rules.values import GiveMove, Kill, Refuse, RescueWith, SuckerMove

STRONG: Final = 4
"""The fewest chips that a seat is called strong for."""
FEW: Final = 3
"""The most chips of a seat that calls itself poor."""
CHEAP: Final = 2
"""The most chips in a pile that a bot gladly leaves to others."""


def answer(speaker: Speaker, before: Situation, after: Situation, move: SuckerMove | None) -> Speech | None:
    """The answer to what somebody has proposed, with the bot's move if it makes one.

    It follows the move, so its reasons must hold after it.
    """
    proposal = find_proposal(speaker.observation, before)
    if proposal is None or not (proposal.is_phrase or speaker.liveliness):
        return None
    by = proposal.by
    agrees = _read_move(proposal, move)
    if agrees is not None:
        answers = _agree(speaker, by, after) if agrees else _refuse(speaker, by, after)
    else:
        answers = _answer_in_words(speaker, proposal, after, move)
    return next(answers, None)


def _read_move(proposal: Proposal, move: SuckerMove | None) -> bool | None:
    """Whether a move does what is proposed; None if it says nothing about it."""
    match proposal.intent, move:
        case "askTurn" | "askTurnBack" | "askTurnWeak", GiveMove(to=to):
            return to == proposal.by
        case "askSpare", Kill(colour=colour):
            return colour != proposal.by
        case "askChip", RescueWith():
            return True
        case "askChip", Refuse():
            return False
        case _:
            return None


def _answer_in_words(
    speaker: Speaker, proposal: Proposal, situation: Situation, move: SuckerMove | None
) -> Iterator[Speech]:
    match proposal.intent:
        case "offerTurn" | "threat" | "counterPile":
            yield from _answer_about_pile(speaker, proposal, situation)
        case "offerTurnBack" | "askTurn" | "askTurnBack" | "askTurnWeak":
            if proposal.intent == "offerTurnBack":
                yield from _ask_for_more(speaker, proposal.by)
            yield from _answer_with_promise(speaker, proposal.by, situation, "pass_move")
        case "offerTurnSpare" | "askSpare":
            yield from _answer_with_promise(speaker, proposal.by, situation, "spare_chips")
        case "team":
            yield from _answer_about_leader(speaker, proposal, situation)
        case "offerTurnSave" | "pact" | "counterSave":
            yield from _answer_about_rescue(speaker, proposal, situation, move)
        case _:
            return


def _answer_about_pile(speaker: Speaker, proposal: Proposal, situation: Situation) -> Iterator[Speech]:
    by, pile = proposal.by, read_pile(proposal.args)
    if not situation.stands(pile):
        return
    can_take = situation.can_capture(speaker.seat, pile)
    is_cheap = not can_take or situation.height(pile) <= CHEAP
    if proposal.intent == "offerTurn":
        yield from _ask_for_more(speaker, by)
    is_bold = proposal.intent == "threat" and speaker.happens(speaker.temper.boldness)
    if (is_cheap and not is_bold and not speaker.is_wronged_by(by)) or (not is_cheap and speaker.lies()):
        promise = speaker.promise("spare_pile", by, pile=pile)
        yield from speaker.say("yesPile", promise=promise, to=by, pile=pile)
        yield from speaker.say("yes", promise=promise, to=by)
    if can_take and proposal.intent == "threat" and not speaker.is_substitute:
        yield from speaker.say("defy", to=by, pile=pile)
    if can_take:
        yield from speaker.say("noNeed", to=by, pile=pile)
    yield from _refuse(speaker, by, situation)


def _ask_for_more(speaker: Speaker, by: int) -> Iterator[Speech]:
    """A demand of a bold bot that has been offered the turn."""
    is_welcome = not speaker.is_wronged_by(by) and by != speaker.allegiance.enemy
    if is_welcome and not speaker.has_pact(by) and speaker.happens(speaker.temper.boldness * 0.6):
        yield from speaker.say("counterSave", to=by)


def _answer_with_promise(speaker: Speaker, by: int, situation: Situation, kind: str) -> Iterator[Speech]:
    if not speaker.is_wronged_by(by) or speaker.lies():
        yield from _agree(speaker, by, situation, speaker.promise(kind, by))
    yield from _refuse(speaker, by, situation)


def _answer_about_leader(speaker: Speaker, proposal: Proposal, situation: Situation) -> Iterator[Speech]:
    enemy = proposal.args.get("enemy")
    if enemy in (speaker.seat, speaker.allegiance.ally) or speaker.is_wronged_by(proposal.by):
        yield from _refuse(speaker, proposal.by, situation)
    yield from _agree(speaker, proposal.by, situation)


def _answer_about_rescue(
    speaker: Speaker, proposal: Proposal, situation: Situation, move: SuckerMove | None
) -> Iterator[Speech]:
    by = proposal.by
    if proposal.intent == "counterSave" and isinstance(move, GiveMove) and move.to != by:
        yield from _refuse(speaker, by, situation)
    is_willing = by != speaker.allegiance.enemy and not speaker.is_wronged_by(by)
    pile = situation.find_capture(by)
    is_new = proposal.intent == "pact" and not proposal.is_phrase
    if is_new and is_willing and pile is not None and speaker.happens(speaker.temper.boldness * 0.6):
        yield from speaker.say("counterPile", to=by, pile=pile)
    if is_willing or speaker.lies():
        yield from _agree(speaker, by, situation, speaker.promise("save", by))
    yield from _refuse(speaker, by, situation)


def _agree(
    speaker: Speaker, to: int, situation: Situation, promise: NewPromise | None = None
) -> Iterator[Speech]:
    """Agreement, with a reason that holds for everybody."""
    count, own_count = situation.count_chips(to), situation.count_chips(speaker.seat)
    if memory.has_kept(speaker.observation, to) and speaker.happens(60):
        yield from speaker.say("yesKept", promise=promise, to=to)
    if 0 < count < own_count and speaker.happens(60):
        yield from speaker.say("yesWeak", promise=promise, to=to, count=count)
    yield from speaker.say("yes", promise=promise, to=to)
    if 0 < count < own_count:
        yield from speaker.say("yesWeak", promise=promise, to=to, count=count)


def _refuse(speaker: Speaker, to: int, situation: Situation) -> Iterator[Speech]:
    """A refusal, with a reason that holds for everybody."""
    count, own_count = situation.count_chips(to), situation.count_chips(speaker.seat)
    if memory.has_broken(speaker.observation, to):
        yield from speaker.say("noBroke", to=to)
    pile = situation.find_capture(to)
    if pile is not None and situation.height(pile) > 1:
        yield from speaker.say("noCapture", to=to, pile=pile)
    if count >= max(own_count, STRONG):
        yield from speaker.say("noStrong", to=to, count=count)
    if own_count <= FEW and speaker.happens(60):
        yield from speaker.say("noChips", to=to, count=own_count)
    yield from speaker.say("no", to=to)
