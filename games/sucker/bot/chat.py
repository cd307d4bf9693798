"""A word in reply to what a person says in a phrase that proposes nothing: thanks, a vow, a farewell."""

from __future__ import annotations

from collections.abc import Iterator

from games.api import Spoken
from games.kit.remarks import ANSWERED_WITHIN_MS
from games.kit.wordings import read_intent
from games.sucker.bot import memory
from games.sucker.bot.deals import Deal, find_time, list_deals
from games.sucker.bot.offers import ask_for_turn, may_take_turn
from games.sucker.bot.remarks import PROPOSALS, SAY
from games.sucker.bot.situation import Situation
from games.sucker.bot.speaker import Speaker, Speech

VOWS = ("iReturnTheMove", "iWillRescueYou", "iSpareYourChips")


def reply(speaker: Speaker, situation: Situation) -> Speech | None:
    """The reply to the last phrase of a person, unless somebody has replied already."""
    messages = speaker.observation.messages
    for index in range(len(messages) - 1, -1, -1):
        said = messages[index]
        if said.bot:
            if said.seat == speaker.seat or said.addressee not in (None, speaker.seat):
                return None
            continue
        if said.at < find_time(speaker.observation) - ANSWERED_WITHIN_MS or not said.key.startswith(SAY):
            return None
        return next(_reply_to(speaker, situation, said, messages[:index]), None)
    return None


def _reply_to(
    speaker: Speaker, situation: Situation, said: Spoken, before: tuple[Spoken, ...]
) -> Iterator[Speech]:
    observation, to, phrase = speaker.observation, said.seat, said.key.removeprefix(SAY)
    if to == speaker.seat or not situation.state.alive[speaker.seat]:
        return
    is_meant = _find_partner(before, to) == speaker.seat
    victim = memory.find_victim(speaker.observation, to)
    is_wronged = is_meant if victim is None else victim == speaker.seat
    match phrase:
        case "deal" if _is_yes_to(said, list_deals(observation)) and not _is_yes_to(said, speaker.deals):
            lacks_room = _is_yes_to(said, memory.list_standing(observation))
            if speaker.is_wronged_by(to) and not lacks_room:
                yield from speaker.resent(to)
            yield from speaker.say("tooLate", to=to)  # without room, only these words end the deal
        case "noDeal" if is_meant:
            yield from speaker.say("tooBad", to=to)
        case "whyShouldI" if is_meant and sum(situation.state.alive) > 2:
            yield from speaker.say("because", to=to)
        case "thanks" if is_meant or _has_helped(speaker, to):
            yield from speaker.say("welcome", to=to)
        case "sorry" if is_wronged:
            if speaker.is_wronged_by(to):
                yield from speaker.resent(to)
            yield from speaker.say("forgive", to=to)
        case "liar" if memory.has_deceived(speaker.observation, to):
            yield from speaker.say("sorryBroke", to=to)
        case "liar" if is_meant and not memory.has_broken(speaker.observation, speaker.seat):
            yield from speaker.say("denial", to=to)
        case "soLong" if speaker.happens(60):
            yield from speaker.say("retort", to=to)
        case "trustMe":
            yield from speaker.say("hearTrust", to=to)
        case "iGiveYouTheMove" if situation.state.phase == "choose" and may_take_turn(situation):
            yield from ask_for_turn(speaker, situation)
        case "iGiveYouTheMove":
            state = situation.state
            if (state.phase, state.mover) == ("turn", to) and any(state.hands[speaker.seat]):
                yield from speaker.say("wantTurn", to=to)
        case _ if phrase in VOWS:
            yield from speaker.say("hearVow", to=to)
        case _:
            return


def _is_yes_to(said: Spoken, deals: tuple[Deal, ...]) -> bool:
    """Whether these words agree to one of these deals."""
    return any((deal.by, deal.at) == (said.seat, said.at) for deal in deals)


def _find_partner(messages: tuple[Spoken, ...], seat: int) -> int | None:
    """Whoever was the last to propose something to this seat; else, to speak to it."""
    to_seat = [message for message in messages[-8:] if message.addressee == seat]
    proposals = [message for message in to_seat if read_intent(message.key) in PROPOSALS]
    last = proposals or to_seat
    return last[-1].seat if last else None


def _has_helped(speaker: Speaker, seat: int) -> bool:
    """Whether the last thing done for this seat was done by the bot."""
    helps = (
        line.args["seat"]
        for line in reversed(speaker.observation.lines)
        if line.key in ("sucker.gave", "sucker.transferred") and line.args["other"] == seat
    )
    return next(helps, None) == speaker.seat
