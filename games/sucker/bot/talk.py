"""What a bot says with its move, or when the table is not waiting for it."""

from __future__ import annotations

from typing import Final

from games.kit.promises import list_open
from games.kit.wordings import read_intent
from games.sucker.bot.answers import answer, refuse_rescue
from games.sucker.bot.chat import reply
from games.sucker.bot.comments import accompany, comment, protest
from games.sucker.bot.offers import chime_in, choose_answerable, list_offers
from games.sucker.bot.remarks import FRIENDLY
from games.sucker.bot.situation import Situation
from games.sucker.bot.speaker import Speaker, Speech
from games.sucker.rules.values import GiveMove, Kill, Place, Refuse, SuckerMove

PROPOSING: Final = 90
"""How often a bot that may speak proposes something with its move, as a percentage; chatter adds to it."""
ACCOMPANYING: Final = 15
"""How often it says a word about its move rather than propose anything, as a percentage."""
ABOUT_PROMISES: Final = frozenset({"brazen", "freed", "asPromised"})
"""What it says of a choice that it had promised, before anything else."""
LEAST_PROPOSALS: Final = 2
"""It proposes so often before it says anything else."""


def speak_with_move(speaker: Speaker, before: Situation, after: Situation, move: SuckerMove) -> Speech | None:
    """An answer, a word about what has happened, an offer, or a word about the move, which comes first.

    It does not rely on its own reckoning of who falls, which may depend on cards that it does not know.
    """
    if isinstance(move, Refuse):
        if before.state.phase != "rescue" or before.state.mover == speaker.seat:
            return None  # it refuses in advance: no other seat is in need
        return next(refuse_rescue(speaker, before), None)
    protesting = next(protest(speaker, after), None)
    if protesting is not None:
        return protesting
    if before.state.alive == after.state.alive:
        speech = answer(speaker, before, after, move)
        speech = speech or reply(speaker, after)
        if speech is not None:
            return speech
    if not speaker.may_speak or not speaker.liveliness:
        return None
    is_certain = before.state.alive == after.state.alive
    betrayed = find_betrayed(speaker, before, move) | _find_victims(after, move)
    proposals = (one for one in list_offers(speaker, after) if one.remark.args.get("to") not in betrayed)
    offers = choose_answerable(speaker, proposals) if is_certain else ()
    brazen = next(accompany(speaker, before, after, move), None) if is_certain else None
    if brazen is not None and read_intent(brazen.remark.key) in ABOUT_PROMISES:
        return brazen
    if offers and speaker.count_proposals() < LEAST_PROPOSALS:
        return offers[speaker.dice.below("offer", len(offers))]
    comments = (
        one
        for one in comment(speaker, after)
        if not _courts(one, betrayed) and not _contradicts_move(one, move)
    )
    speech = next(comments, None)
    if speech is not None or not is_certain:
        return speech
    is_first = after.state.phase == "rescue" or speaker.happens(ACCOMPANYING)
    speech = next(accompany(speaker, before, after, move), None) if is_first else None
    if speech is not None:
        return speech
    if offers and speaker.happens((PROPOSING + speaker.temper.chatter / 8) * speaker.liveliness):
        return offers[speaker.dice.below("offer", len(offers))]
    return next(accompany(speaker, before, after, move), None)


def _contradicts_move(speech: Speech, move: SuckerMove) -> bool:
    """Whether it warns of a seat with a move that gives that seat the turn."""
    about = speech.remark.args.get("other")
    return read_intent(speech.remark.key) == "bigCapture" and isinstance(move, GiveMove) and move.to == about


def _courts(speech: Speech, seats: frozenset[int]) -> bool:
    """Whether this is a friendly word to one of these seats."""
    return speech.remark.args.get("to") in seats and read_intent(speech.remark.key) in FRIENDLY


def _find_victims(after: Situation, move: SuckerMove) -> frozenset[int]:
    """The other seats of whose chips one dies by this move, or may with the bot's next one."""
    state, me = after.state, after.seat
    match move:
        case Kill(colour=colour):
            return frozenset({colour} - {me})
        case Place() if state.phase == "kill" and state.mover == me:
            return frozenset(state.piles[state.pile]) - {me}
        case _:
            return frozenset()


def find_betrayed(speaker: Speaker, before: Situation, move: SuckerMove) -> frozenset[int]:
    """The seats to which this move breaks a promise: the bot does not court them in the same breath."""
    betrayed: set[int] = set()
    for promise in list_open(speaker.observation.promises, speaker.seat):
        match (promise.kind, move):
            case ("pass_move", GiveMove(to=to)) if to not in promise.to:
                betrayed.update(promise.to)
            case ("spare_chips", Kill(colour=colour)) if colour in promise.to:
                betrayed.update(promise.to)
            case ("spare_pile", Place(pile=int() as pile)) if pile == promise.terms["pile"]:
                if before.can_capture(speaker.seat, pile):
                    betrayed.update(promise.to)
            case _:
                pass
    return frozenset(betrayed)


def speak_only(speaker: Speaker, situation: Situation) -> Speech | None:
    """What a seat says that the table is not waiting for."""
    speech = next(protest(speaker, situation), None)
    speech = speech or answer(speaker, situation, situation, None) or reply(speaker, situation)
    if speech is not None or not speaker.may_speak or not speaker.liveliness:
        return speech
    return chime_in(speaker, situation) or next(comment(speaker, situation), None)
