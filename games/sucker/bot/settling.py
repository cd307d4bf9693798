"""What a bot does once somebody has agreed to what it proposed: it promises its part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from games.api import NewPromise, Observation, Remark
from games.kit.observations import part
from games.kit.promises import list_open
from games.kit.wordings import read_intent
from games.sucker.bot.deals import (
    EXPECTED,
    STALE_MS,
    WANTED,
    Deal,
    find_placement,
    find_round,
    find_time,
    is_gift,
)
from games.sucker.bot.hearing import find_demand
from games.sucker.bot.memory import is_wronged_since
from games.sucker.bot.remarks import COUNTERS, FOR_TURN, MUTUAL, OFFERS, read_pile
from games.sucker.bot.situation import Situation
from games.sucker.bot.speaker import Speaker, Speech
from games.sucker.rules.values import Stage

OWED: Final[Mapping[str, str]] = {
    **MUTUAL,
    **dict.fromkeys(OFFERS, "pass_move"),
    "askTurn": "spare_pile",
    "askTurnBack": "pass_move",
}
"""By what the bot has proposed, the kind of promise that it then makes."""


class Settlement(NamedTuple):
    """What the bot promises for a deal, and perhaps a word about it."""

    promise: NewPromise
    remark: Remark | None


def settle(speaker: Speaker, situation: Situation) -> Settlement | None:
    """What the bot promises in return, now that somebody has agreed to what it proposed.

    It names both sides of the deal if the other seat has not promised it.
    """
    observation = speaker.observation
    since = max(find_time(observation) - STALE_MS, find_round(observation))
    for deal in reversed((*speaker.deals, *_list_turns(observation, situation))):
        promise = _find_owed(speaker, situation, deal) if deal.at >= since else None
        if promise is not None:
            words = next(expect(speaker, situation, deal), None) if deal.in_words else None
            return Settlement(promise, None if words is None else words.remark)
    return None


def meet_demand(speaker: Speaker, situation: Situation) -> Settlement | None:
    """The rescue that it promises to a seat that demands one for taking the turn; that seat then gets it."""
    demand = find_demand(speaker.observation, situation)
    if demand is None or speaker.is_wronged_by(demand.seat):
        return None
    promise = speaker.promise("save", demand.seat)
    if promise is None:
        return None
    words = next(speaker.say("yes", to=demand.seat), None)
    return Settlement(promise, None if words is None else words.remark)


def expect(speaker: Speaker, situation: Situation, deal: Deal) -> Iterator[Speech]:
    """A word that names both sides of a deal with somebody who has agreed in words.

    What the bot owes for a demand of its own depends on what it was asked before. It does not name a turn
    that it can no longer give.
    """
    intent = None if deal.intent in COUNTERS else EXPECTED.get(deal.intent)
    if deal.intent in OFFERS and not _stands_by(speaker, situation, deal):
        return
    if is_wronged_since(speaker.deeds, deal) or deal.at < find_round(speaker.observation):
        return
    if intent is None or any(
        message.seat == speaker.seat and message.at >= deal.at and read_intent(message.key) == intent
        for message in speaker.observation.messages
    ):
        return
    yield from speaker.say(intent, to=deal.by, pile=read_pile(deal.args))


def _stands_by(speaker: Speaker, situation: Situation, deal: Deal) -> bool:
    """Whether the bot can still give the turn that it has offered, has promised it, or has given it.

    `situation` is the one after its move, if it makes one.
    """
    observation, state, me = speaker.observation, situation.state, speaker.seat
    stage = part(observation, "stage", Stage)
    is_chooser = stage.phase == "choose" and stage.mover == me
    if is_chooser and state.phase != "choose":
        return state.mover == deal.by
    has_promised = any(
        promise.kind == "pass_move" and deal.by in promise.to
        for promise in list_open(observation.promises, me)
    )
    has_given = any(line.at >= deal.since and is_gift(line, me, deal.by) for line in observation.lines)
    return has_promised or has_given or (is_chooser and _is_choosing(speaker, situation, deal))


def _is_choosing(speaker: Speaker, situation: Situation, deal: Deal) -> bool:
    """Whether the bot makes the choice for which it has offered the turn."""
    state = situation.state
    is_chooser = state.phase == "choose" and state.mover == speaker.seat
    is_same = deal.since >= find_placement(speaker.observation)
    return is_chooser and is_same and deal.by in state.candidates


def _list_turns(observation: Observation, situation: Situation) -> Iterator[Deal]:
    """The turn that was given to the bot because it asked for it."""
    if situation.state.phase != "turn" or situation.state.mover != observation.seat:
        return
    gift = next((line for line in reversed(observation.lines) if line.key == "sucker.gave"), None)
    giver = None if gift is None else gift.args["seat"]
    if gift is None or not isinstance(giver, int) or gift.args["other"] != observation.seat:
        return
    for message in reversed(observation.messages):
        intent = read_intent(message.key)
        if message.seat == observation.seat and message.addressee == giver and intent in FOR_TURN:
            if message.at <= gift.at and message.at >= gift.at - STALE_MS:
                yield Deal(giver, intent, message.args, None, message.at, gift.at, False)
            return


def _find_owed(speaker: Speaker, situation: Situation, deal: Deal) -> NewPromise | None:
    state, me = situation.state, speaker.seat
    if not state.alive[deal.by] or not state.alive[me]:
        return None
    kind, pile = OWED.get(deal.intent), read_pile(deal.args)
    if deal.intent in OFFERS and not _is_choosing(speaker, situation, deal):
        return None
    if deal.intent == "pactTurn" and not (any(state.hands[me]) and any(state.hands[deal.by])):
        return None
    gets_pile = WANTED.get(deal.intent) == "spare_pile"
    if is_wronged_since(speaker.deeds, deal) or (gets_pile and not situation.stands(pile)):
        return None
    if deal.earlier is not None:
        kind, pile = WANTED.get(read_intent(deal.earlier.key)), read_pile(deal.earlier.args)
    if kind is None or (kind == "spare_pile" and not situation.stands(pile)):
        return None
    terms = {"pile": pile} if kind == "spare_pile" else {}
    has_promised = any(
        promise.by == me and (promise.kind, tuple(promise.to)) == (kind, (deal.by,)) and promise.at >= deal.at
        for promise in speaker.observation.promises
    )
    return None if has_promised else speaker.promise(kind, deal.by, **terms)
