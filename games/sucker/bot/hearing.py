"""What a bot has heard: proposals that it has still to answer, and answers to its own."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Final, NamedTuple

from games.api import Argument, Observation, Spoken
from games.kit.wordings import read_intent
from games.sucker.bot.remarks import (
    AGREEING,
    FOR_TURN,
    LASTING,
    OFFERS,
    PHRASES,
    PROPOSALS,
    REFUSING,
    SAYING_NO,
    SAYING_YES,
    read_pile,
)
from games.sucker.bot.situation import Situation

MEMORY: Final = 16
"""How many messages back a proposal may be to be answered."""
PATIENCE: Final = 6
"""How many lines about moves a person's phrase outlasts."""


class Proposal(NamedTuple):
    """What a seat wants of the bot's seat. A person's phrase does not say to whom it speaks."""

    intent: str
    by: int
    args: Mapping[str, Argument]
    is_phrase: bool


def find_proposal(observation: Observation, situation: Situation) -> Proposal | None:
    """The latest proposal to the bot's seat that is still to be answered, those of people first."""
    pending: dict[int, Proposal] = {}
    reversed_moves = (line.at for line in reversed(observation.lines) if line.key.startswith("sucker."))
    moves = tuple(islice(reversed_moves, PATIENCE))
    for message in observation.messages[-MEMORY:]:
        if message.seat == observation.seat:
            if message.addressee is not None:
                pending.pop(message.addressee, None)
            continue
        proposal = _read_proposal(observation, message)
        if proposal is None:
            continue
        since = moves[-1:] if proposal.is_phrase else moves[:1]
        has_lapsed = proposal.intent not in LASTING and since and message.at < since[0]
        if not has_lapsed and _concerns(proposal, situation):
            pending.pop(message.seat, None)
            pending[message.seat] = proposal
    if not pending:
        return None
    return max(enumerate(pending.values()), key=lambda item: (item[1].is_phrase, item[0]))[1]


def _read_proposal(observation: Observation, message: Spoken) -> Proposal | None:
    if message.key in PHRASES:
        intent, args = PHRASES[message.key], dict[str, Argument]()
        if intent == "threat":
            args["pile"] = _find_last_pile(observation, message.seat)
        return Proposal(intent, message.seat, args, True)
    intent = read_intent(message.key)
    if intent in PROPOSALS and message.addressee == observation.seat:
        return Proposal(intent, message.seat, message.args, False)
    return None


def _find_last_pile(observation: Observation, seat: int) -> Argument:
    """The pile on which the seat has last placed a chip."""
    placements = (
        line.args["pile"]
        for line in reversed(observation.lines)
        if line.key in ("sucker.opened", "sucker.placed") and line.args["seat"] == seat
    )
    return next(placements, None)


def _concerns(proposal: Proposal, situation: Situation) -> bool:
    """Whether the bot's seat can still do what is proposed."""
    state, by, me = situation.state, proposal.by, situation.seat
    if not state.alive[by] or not state.alive[me]:
        return False
    intent = proposal.intent
    if intent in ("offerTurn", "threat", "counterPile") and not situation.stands(read_pile(proposal.args)):
        return False
    if intent in OFFERS:
        return state.phase == "choose" and state.mover == by and me in state.candidates
    if intent in FOR_TURN:
        is_choosing = state.phase == "choose" and by in state.candidates
        return state.mover == me and (is_choosing or (proposal.is_phrase and state.phase == "turn"))
    if intent == "askChip":
        is_asked = state.phase == "rescue" and state.mover == by and not state.refused[me]
        return is_asked and sum(state.hands[me]) > state.hands[me][me]
    if intent == "askSpare" and not proposal.is_phrase:
        return state.phase == "kill" and state.mover == me and by in state.piles[state.pile]
    return True


def find_answer(observation: Observation, seat: int) -> bool | None:
    """Whether the seat has agreed to the bot's last proposal; None if it has not answered."""
    answer: bool | None = None
    for message in observation.messages[-MEMORY:]:
        intent = read_intent(message.key)
        if message.seat == observation.seat and message.addressee == seat and intent in PROPOSALS:
            answer = None
        if message.seat == seat and message.addressee in (None, observation.seat):
            if intent in AGREEING or message.key == SAYING_YES:
                answer = True
            elif intent in REFUSING or message.key == SAYING_NO:
                answer = False
    return answer


def awaits_answer(observation: Observation, situation: Situation) -> bool:
    """Whether the last thing said is an offer of the bot's own, or asks who saves the seat in need."""
    if not observation.messages:
        return False
    last, state = observation.messages[-1], situation.state
    intent = read_intent(last.key)
    if state.phase == "rescue":
        return intent == "starve" and last.addressee == state.mover
    return state.phase == "choose" and last.seat == observation.seat and intent in OFFERS | {"invite"}
