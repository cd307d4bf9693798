"""What a bot proposes: with its move, or when it hears that something is to be had."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from games.api import NewPromise
from games.kit.observations import part
from games.kit.promises import list_open
from games.kit.wordings import read_intent
from games.sucker.bot import memory
from games.sucker.bot.answers import CHEAP, FEW
from games.sucker.bot.hearing import may_be_person
from games.sucker.bot.remarks import BEGGING, MUTUAL
from games.sucker.bot.situation import Situation
from games.sucker.bot.speaker import Speaker, Speech
from games.sucker.rules.views import Mine

PACTS: Final = 2
"""The most proposals of one kind of pact among the last RECENT messages."""
LEFT_OPEN = frozenset({"invite", "no", "noDeal", "noAsk"})
"""What was said last when the turn is still to be had."""


def list_offers(speaker: Speaker, after: Situation) -> Iterator[Speech]:
    """Proposals that suit the position after its move, and of which the bot may promise its own part.

    A substitute makes none in its person's name.
    """
    state, me = after.state, speaker.seat
    if speaker.is_substitute or state.phase == "over" or not state.alive[me]:
        return
    if state.phase == "choose" and state.mover == me:
        if speaker.find_spoken_for() is not None:
            return  # its next choice is no longer for sale
        deceived = memory.list_deceived(speaker.observation)
        others = [
            seat
            for seat in state.candidates
            if seat != me and any(state.hands[seat]) and seat not in deceived
            if speaker.may_bind_itself("pass_move", seat)
        ]
        if len(others) > 1 and speaker.happens(35):
            yield from speaker.say("invite")
            return
        for seat in others:
            yield from _offer_turn(speaker, after, seat)
        return
    if state.phase == "rescue":
        return
    rivals = after.list_rivals()
    leader, deceived = after.find_leader(), memory.list_deceived(speaker.observation)
    breakers = memory.list_breakers(speaker.deeds)
    for seat in rivals:
        pile = after.find_capture(seat, me)
        is_next = state.phase == "turn" and state.mover == seat
        if is_next and pile is not None and _is_threatening(speaker, after, seat, pile):
            yield from speaker.say("threat", to=seat, pile=pile)
        elif pile is not None and _may_ask_for_pile(speaker, after, seat, pile):
            yield from speaker.say("askPile", to=seat, pile=pile)
        if leader not in (None, me, seat, state.mover) and speaker.happens(35):
            assert leader is not None
            if after.is_rich(leader):
                yield from speaker.say("team", to=seat, enemy=leader, count=after.count_chips(leader))
        is_trusted = not speaker.is_wronged_by(seat) and seat not in breakers
        if len(rivals) > 1 and is_trusted and seat not in deceived:
            for intent, kind in MUTUAL.items():
                is_new = not speaker.has_pact(seat, kind) and _suits(speaker, after, seat, intent)
                if is_new and speaker.may_bind_itself(kind, seat) and speaker.happens(35):
                    yield from speaker.say(intent, to=seat)
        if memory.resents(speaker.deeds, seat, speaker.temper) and speaker.happens(speaker.temper.grudge / 2):
            yield from speaker.resent(seat)


def _offer_turn(speaker: Speaker, after: Situation, seat: int) -> Iterator[Speech]:
    """What it may want of a seat for the turn, and has not been promised already."""
    state, me = after.state, speaker.seat
    is_duel = sum(state.alive) == 2  # neither can save the other, or choose anybody else
    pile = after.find_capture(seat, me)
    if pile is not None and speaker.happens(40):
        if not speaker.is_promised("spare_chips", seat):
            yield from speaker.say("offerTurnSpare", to=seat)
    elif pile is not None:
        if not speaker.is_promised("spare_pile", seat, pile=pile):
            yield from speaker.say("offerTurn", to=seat, pile=pile)
    elif not is_duel and not speaker.is_promised("save", seat):
        yield from speaker.say("offerTurnSave", to=seat)
    if not is_duel and any(state.hands[me]) and not speaker.is_promised("pass_move", seat):
        yield from speaker.say("offerTurnBack", to=seat)


def _suits(speaker: Speaker, after: Situation, seat: int, intent: str) -> bool:
    """Whether a proposal that binds both has a point in this position, and is not the table's only subject.

    A pact about turns has none where piles pass the turn on, nor for a seat without chips, whose turn puts it
    out.
    """
    state, me = after.state, speaker.seat
    if speaker.count_recent(intent) >= PACTS:
        return False
    match intent:
        case "pactTurn":
            is_free = speaker.find_spoken_for() is None and any(state.hands[me]) and any(state.hands[seat])
            return is_free and any(len(set(chips)) < sum(state.alive) - 1 for chips in state.piles)
        case "pactSpare":
            return any({me, seat} <= set(chips) for chips in state.piles)
        case _:
            someone_holds = any(sum(hand) > hand[other] for other, hand in enumerate(state.hands))
            return someone_holds or min(after.count_chips(me), after.count_chips(seat)) <= FEW


def _is_threatening(speaker: Speaker, after: Situation, seat: int, pile: int) -> bool:
    """Whether it warns a seat off a pile: one that is worth it, and in which it has a chip itself."""
    is_worth_it = after.height(pile) > CHEAP and not speaker.is_promised("spare_pile", seat, pile=pile)
    has_promised = any(
        seat in promise.to for promise in list_open(speaker.observation.promises, speaker.seat)
    )
    is_bold = speaker.happens(speaker.temper.boldness)
    return is_worth_it and not has_promised and is_bold


def _may_ask_for_pile(speaker: Speaker, after: Situation, seat: int, pile: int) -> bool:
    """Whether it asks a seat to leave a pile alone in which it has a chip itself."""
    has_promised = speaker.is_promised("spare_pile", seat, pile=pile)
    return not has_promised and not speaker.has_anybody_said("askPile", pile=pile)


def choose_answerable(speaker: Speaker, offers: Iterable[Speech]) -> tuple[Speech, ...]:
    """The offers to seats that have not just spoken, and so may answer at once; all if there are none."""
    every = tuple(offers)
    fresh = tuple(offer for offer in every if speaker.may_answer(offer.remark.args.get("to")))
    return fresh or every


def chime_in(speaker: Speaker, situation: Situation) -> Speech | None:
    """What a seat says that only listens: it asks for the turn or its chips."""
    messages, state, me = speaker.observation.messages, situation.state, speaker.seat
    invited = messages[-1] if messages else None
    if not state.alive[me] or state.mover == me:
        return None
    if invited is None or not speaker.liveliness:
        return None
    if any(message.seat == me for message in messages[-2:]):
        return None
    options: list[Speech] = []
    match state.phase:
        case "choose" if may_take_turn(situation) and read_intent(invited.key) in LEFT_OPEN:
            options = list(ask_for_turn(speaker, situation))
        case "kill" if me in state.piles[state.pile]:
            options = list(speaker.say("askSpare", to=state.mover))
        case _:
            pass
    return options[speaker.dice.below("ask", len(options))] if options else None


def beg(speaker: Speaker, situation: Situation) -> Speech | None:
    """What a seat in need says to somebody who could save it: to each once."""
    me, hands = speaker.seat, situation.state.hands
    if situation.state.phase != "rescue" or situation.state.mover != me:
        return None
    options: list[Speech] = []
    private = part(speaker.observation, "mine", Mine)
    # of two, whoever refuses is the last one left, unless somebody has a secret ally
    is_hopeless = sum(situation.state.alive) == 2 and not private.row
    for seat in situation.list_saviours():
        if _has_begged(speaker, seat):
            continue
        if speaker.is_promised("save", seat):
            return next(speaker.say("begPromise", to=seat), None)
        if is_hopeless:
            continue
        promise = _promise_for_rescue(speaker, situation, seat)
        if promise is not None:
            options += speaker.say("begTurn", promise=promise, to=seat)
            continue
        if hands[seat][me] and speaker.happens(60):
            options += speaker.say("begOwn", to=seat, count=hands[seat][me])
        else:
            options += speaker.say("askChip", to=seat)
    return options[speaker.dice.below("ask", len(options))] if options else None


def _promise_for_rescue(speaker: Speaker, situation: Situation, seat: int) -> NewPromise | None:
    """Its next turn to give, for the last seat that can save it, if this may be a person, who needs a reason.

    If that seat refuses, the bot is out, and the promise lapses.
    """
    is_last = situation.list_saviours() == (seat,) and sum(situation.state.alive) > 2
    if not is_last or not may_be_person(speaker.observation, seat):
        return None
    return speaker.promise("pass_move", seat)


def _has_begged(speaker: Speaker, seat: int) -> bool:
    """Whether it has asked this seat since it has been in need."""
    lines, messages = speaker.observation.lines, speaker.observation.messages
    began = next((line.at for line in reversed(lines) if line.key == "sucker.needy"), 0)
    return any(
        message.seat == speaker.seat
        and message.addressee == seat
        and message.at >= began
        and read_intent(message.key) in BEGGING
        for message in messages
    )


def may_take_turn(situation: Situation) -> bool:
    """Whether somebody else may choose the bot's seat, and it has a chip to place (if not, it needs help)."""
    state, me = situation.state, situation.seat
    return state.mover != me and me in state.candidates and any(state.hands[me])


def ask_for_turn(speaker: Speaker, situation: Situation) -> Iterator[Speech]:
    """What it says to whoever chooses who is next, unless that seat has promised to choose it."""
    to, me = situation.state.mover, speaker.seat
    if speaker.is_promised("pass_move", to):
        return
    pile = situation.find_capture(me, to)
    if pile is not None and (situation.height(pile) <= CHEAP or speaker.lies()):
        if speaker.promise("spare_pile", to, pile=pile) is not None:
            yield from speaker.say("askTurn", to=to, pile=pile)
    elif sum(situation.state.alive) > 2 and speaker.promise("pass_move", to) is not None:
        yield from speaker.say("askTurnBack", to=to)
    count = situation.count_chips(me)
    if 0 < count < situation.count_chips(to) and (situation.is_poor(me) or count <= FEW):
        yield from speaker.say("askTurnWeak", to=to, count=count)
