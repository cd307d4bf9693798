"""What a bot has heard: proposals that it has still to answer, and answers to its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from games.api import Argument, Millis, Observation, Spoken
from games.kit.wordings import read_intent
from games.sucker.bot.deals import Deal, find_placement, find_time
from games.sucker.bot.remarks import (
    BEGGING,
    FOR_TURN,
    LASTING,
    OFFERS,
    PHRASES,
    PROPOSALS,
    REFUSING,
    SAY,
    SAYING_NO,
    read_pile,
)
from games.sucker.bot.situation import Situation

MEMORY: Final = 16
"""How many messages back a proposal may be to be answered."""
PATIENCE_MS: Final = 20_000
"""A proposal that is older than this is not answered any more."""
WAIT_MS: Final = 5_000
"""How long it waits for answers to its offer."""
WAIT_FOR_PERSON_MS: Final = 13_000
"""The same if a person may answer, who takes longer to promise something."""
INVITING_MS: Final = 7_000
"""The same if it has invited everybody to speak, a person among them, and has asked nobody in particular."""
REFLECTION_MS: Final = 3_000
"""How long it takes at least to answer a plea, so that one seat does not go out right after another."""


class Proposal(NamedTuple):
    """What a seat wants of the bot's seat. A person's phrase does not say to whom it speaks."""

    intent: str
    by: int
    args: Mapping[str, Argument]
    is_phrase: bool


def find_proposal(observation: Observation, situation: Situation) -> Proposal | None:
    """The latest proposal to the bot's seat that is still to be answered, those of people first."""
    pending: dict[int, Proposal] = {}
    moves = (line.at for line in reversed(observation.lines) if line.key.startswith("sucker."))
    moved, time = next(moves, Millis(0)), find_time(observation)
    for message in observation.messages[-MEMORY:]:
        if message.seat == observation.seat:
            if message.addressee is not None and read_intent(message.key) != "firstPile":
                pending.pop(message.addressee, None)
            continue
        proposal = _read_proposal(observation, message)
        if proposal is None:
            if message.key.startswith(SAY):
                pending.pop(message.seat, None)  # an answer would seem to be one to this
            continue
        outlasts_moves = proposal.is_phrase or proposal.intent in LASTING
        has_lapsed = message.at < (time - PATIENCE_MS if outlasts_moves else moved)
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
            args["pile"] = _find_last_pile(observation, message)
        return Proposal(intent, message.seat, args, True)
    intent = read_intent(message.key)
    if intent in PROPOSALS and message.addressee == observation.seat:
        return Proposal(intent, message.seat, message.args, False)
    return None


def _find_last_pile(observation: Observation, said: Spoken) -> Argument:
    """The pile on which the seat that says it has last placed a chip, before it says it."""
    placements = (
        line.args["pile"]
        for line in reversed(observation.lines)
        if line.key in ("sucker.opened", "sucker.placed")
        and line.args["seat"] == said.seat
        and line.at <= said.at
    )
    return next(placements, -1)


def _concerns(proposal: Proposal, situation: Situation) -> bool:
    """Whether the bot's seat can still do what is proposed."""
    state, by, me = situation.state, proposal.by, situation.seat
    if not state.alive[by] or not state.alive[me]:
        return False
    intent = proposal.intent
    is_about_pile = intent in ("offerTurn", "threat", "counterPile", "askPile")
    if is_about_pile and not situation.stands(read_pile(proposal.args)):
        return False
    if intent == "counterSave":
        return state.phase == "choose" and state.mover == me and by in state.candidates
    if intent in OFFERS:
        return state.phase == "choose" and state.mover == by and me in state.candidates
    if intent in FOR_TURN:
        is_choosing = state.phase == "choose" and by in state.candidates
        return state.mover == me and (is_choosing or (proposal.is_phrase and state.phase == "turn"))
    if intent in BEGGING:
        is_asked = state.phase == "rescue" and state.mover == by and not state.refused[me]
        return is_asked and sum(state.hands[me]) > state.hands[me][me]
    if intent == "askSpare" and not proposal.is_phrase:
        return state.phase == "kill" and state.mover == me and by in state.piles[state.pile]
    return True


def find_demand(observation: Observation, situation: Situation) -> Spoken | None:
    """What a seat has demanded for taking the turn that the bot offers it; None if the bot has answered."""
    state, me = situation.state, observation.seat
    if state.phase != "choose" or state.mover != me:
        return None
    placed = find_placement(observation)
    offered: set[int | None] = set()
    demand: Spoken | None = None
    for message in observation.messages:
        if message.at < placed:
            continue
        intent = read_intent(message.key)
        if message.seat == me:
            if intent in OFFERS:
                offered.add(message.addressee)
            elif demand is not None and message.addressee == demand.seat:
                demand = None
        elif intent == "counterSave" and message.addressee == me and message.seat in offered:
            demand = message
    return demand if demand is not None and demand.seat in state.candidates else None


def find_answer(observation: Observation, deals: tuple[Deal, ...], seat: int) -> bool | None:
    """Whether the seat has agreed to the bot's last proposal; None if it has not answered."""
    me, proposed, refused = observation.seat, Millis(-1), Millis(-1)
    for message in observation.messages:
        intent = read_intent(message.key)
        if message.seat == me and intent in PROPOSALS and message.addressee == seat:
            proposed, refused = message.at, Millis(-1)
        if message.seat == seat and proposed >= 0:
            is_no = (intent in REFUSING and message.addressee == me) or message.key == SAYING_NO
            refused = message.at if is_no else refused
    agreed = max((deal.at for deal in deals if deal.by == seat), default=Millis(-1))
    if proposed < 0 or max(agreed, refused) < proposed:
        return None
    return agreed > refused


def find_wait(observation: Observation, situation: Situation) -> Millis | None:
    """How long the bot's move waits for somebody's answer; None if there is nothing to wait for.

    It depends only on what everybody hears. A seat that has never spoken as a bot may be a person's.
    """
    messages, state, me = observation.messages, situation.state, observation.seat
    if not messages:
        return None
    if state.phase == "rescue":
        return _wait_for_plea(observation, state.mover)
    if state.phase != "choose":
        return None
    placed = find_placement(observation)
    for number in range(len(messages) - 1, -1, -1):
        message, intent = messages[number], read_intent(messages[number].key)
        if message.at < placed:
            break
        if message.seat == me and intent in OFFERS | {"invite"}:
            later = {spoken.seat for spoken in messages[number + 1 :]}
            others = (seat for seat in state.candidates if seat != me and any(state.hands[seat]))
            asked = {message.addressee} if intent in OFFERS else set(others)
            if any(
                seat is not None and seat not in later and may_be_person(observation, seat) for seat in asked
            ):
                return Millis(INVITING_MS if intent == "invite" else WAIT_FOR_PERSON_MS)
            return Millis(WAIT_MS) if intent == "invite" or not asked & later else None
    return None


def _wait_for_plea(observation: Observation, needy: int) -> Millis | None:
    """Whoever is asked to save a seat lets it speak first, and takes a moment."""
    began = next((line.at for line in reversed(observation.lines) if line.key == "sucker.needy"), Millis(0))
    has_spoken = any(message.seat == needy and message.at >= began for message in observation.messages)
    if has_spoken:
        return Millis(REFLECTION_MS)
    return Millis(WAIT_FOR_PERSON_MS if may_be_person(observation, needy) else WAIT_MS)


def may_be_person(observation: Observation, seat: int) -> bool:
    spoken = next((message.bot for message in reversed(observation.messages) if message.seat == seat), False)
    return not spoken
