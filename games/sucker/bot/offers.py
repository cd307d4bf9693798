"""What a bot proposes: with its move, or when it hears that something is to be had."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.kit.wordings import read_intent
from games.sucker.bot import memory
from games.sucker.bot.answers import CHEAP, FEW
from games.sucker.bot.situation import Situation
from games.sucker.bot.speaker import Speaker, Speech


def list_offers(speaker: Speaker, after: Situation) -> Iterator[Speech]:
    """Proposals that suit the position after its move."""
    state, me = after.state, speaker.seat
    if state.phase == "over" or not state.alive[me]:
        return
    if state.phase == "choose" and state.mover == me:
        others = [seat for seat in state.candidates if seat != me and any(state.hands[seat])]
        if len(others) > 1 and speaker.happens(35):
            yield from speaker.say("invite")
            return
        for seat in others:
            pile = after.find_capture(seat)
            if pile is not None and after.holds(pile, me) and speaker.happens(40):
                yield from speaker.say("offerTurnSpare", to=seat)
            elif pile is not None:
                yield from speaker.say("offerTurn", to=seat, pile=pile)
            elif seat != speaker.allegiance.enemy:
                yield from speaker.say("offerTurnSave", to=seat)
            yield from speaker.say("offerTurnBack", to=seat)
        return
    rivals = after.list_rivals()
    leader = after.find_leader()
    for seat in rivals:
        pile = after.find_capture(seat)
        is_next = state.phase == "turn" and state.mover == seat
        is_threatening = speaker.happens(speaker.temper.boldness) and not speaker.is_substitute
        if is_next and pile is not None and is_threatening:
            yield from speaker.say("threat", to=seat, pile=pile)
        if leader not in (None, me, seat, speaker.allegiance.ally) and speaker.happens(70):
            assert leader is not None
            yield from speaker.say("team", to=seat, enemy=leader, count=after.count_chips(leader))
        is_friend = seat != speaker.allegiance.enemy and not speaker.is_wronged_by(seat)
        if len(rivals) > 1 and is_friend and not speaker.has_pact(seat) and speaker.happens(60):
            yield from speaker.say("pact", promise=speaker.promise("save", seat), to=seat)
        if memory.resents(speaker.deeds, seat, speaker.temper) and speaker.happens(speaker.temper.grudge / 2):
            yield from speaker.say("grudge", to=seat)


def choose_answerable(speaker: Speaker, offers: Iterable[Speech]) -> tuple[Speech, ...]:
    """The offers to seats that have not just spoken, and so may answer at once; all if there are none."""
    every = tuple(offers)
    fresh = tuple(offer for offer in every if speaker.may_answer(offer.remark.args.get("to")))
    return fresh or every


def chime_in(speaker: Speaker, situation: Situation) -> Speech | None:
    """What a seat says that only listens: it asks for the turn, its chips or its life."""
    messages, state, me = speaker.observation.messages, situation.state, speaker.seat
    invited = messages[-1] if messages else None
    if not state.alive[me] or (state.mover == me and state.phase != "rescue"):
        return None
    if invited is None or not speaker.liveliness:
        return None
    if any(message.seat == me for message in messages[-2:]):
        return None
    options: list[Speech] = []
    match state.phase:
        case "choose" if me in state.candidates and read_intent(invited.key) in ("invite", "no"):
            options = list(_ask_for_turn(speaker, situation))
        case "kill" if me in state.piles[state.pile]:
            options = list(speaker.say("askSpare", to=state.mover))
        case "rescue" if state.mover == me:
            for seat in situation.list_rivals():
                if sum(state.hands[seat]) > state.hands[seat][seat] and not state.refused[seat]:
                    options += speaker.say("askChip", to=seat)
        case _:
            pass
    return options[speaker.dice.below("ask", len(options))] if options else None


def _ask_for_turn(speaker: Speaker, situation: Situation) -> Iterator[Speech]:
    to, me = situation.state.mover, speaker.seat
    pile = situation.find_capture(me)
    if pile is not None and (situation.height(pile) <= CHEAP or speaker.lies()):
        promise = speaker.promise("spare_pile", to, pile=pile)
        if promise is not None:
            yield from speaker.say("askTurn", promise=promise, to=to, pile=pile)
    else:
        promise = speaker.promise("pass_move", to)
        if promise is not None:
            yield from speaker.say("askTurnBack", promise=promise, to=to)
    count = situation.count_chips(me)
    if 0 < count < situation.count_chips(to) or 0 < count <= FEW:
        yield from speaker.say("askTurnWeak", to=to, count=count)
