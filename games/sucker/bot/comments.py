"""What a bot says about what has happened: thanks, reproaches, excuses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from games.api import Promise, Seat
from games.kit.promises import list_open
from games.kit.wordings import read_intent
from games.sucker.bot import memory
from games.sucker.bot.answers import explain_refusal
from games.sucker.bot.deals import find_time
from games.sucker.bot.memory import Act, Deed
from games.sucker.bot.remarks import read_pile
from games.sucker.bot.settling import expect
from games.sucker.bot.situation import Situation
from games.sucker.bot.speaker import Speaker, Speech
from games.sucker.rules.values import GiveMove, Kill, RescueWith, SuckerMove

REACTIONS: Final[Mapping[Act, tuple[str, int]]] = {
    "gave": ("thanksTurn", -30),
    "chip": ("thanksChip", 80),
    "kept": ("thanksKept", 40),
    "starved": ("reproachStarve", 50),
    "killed": ("reproachKill", -10),
    "refused": ("reproachRefuse", 60),
}
"""What a bot says about a deed, and how often as a percentage, before its temper is counted."""
BREACHES: Final[Mapping[str, str]] = {
    "pass_move": "brokeTurn",
    "save": "brokeSave",
    "spare_pile": "brokePile",
    "spare_chips": "brokeSpare",
}
"""By the kind of a promise, what a bot says at once when it is broken to it."""


BIG: Final = 6
"""The fewest chips in a capture that others speak about."""
SOON_MS: Final = 9_000
"""What has happened longer ago is not spoken about."""


def protest(speaker: Speaker, after: Situation) -> Iterator[Speech]:
    """A word to whoever has just broken a promise to the bot, which names the promise, or a deal in words.

    It comes once for each.
    """
    if not speaker.liveliness or speaker.is_substitute:
        return
    breaches = [deed for deed in speaker.deeds if deed.act == "broke" and deed.promise is not None]
    for deed in breaches:
        assert deed.promise is not None
        intent = BREACHES[deed.promise.kind]
        count = sum(
            other.seat == deed.seat and other.promise is not None and other.promise.kind == deed.promise.kind
            for other in breaches
        )
        is_new = deed.recent and not speaker.has_said(intent, deed.seat, count)
        if is_new and after.state.alive[deed.seat]:
            pile = deed.promise.terms.get("pile", -1)
            yield from speaker.say(intent, to=deed.seat, pile=pile)
    for deed in speaker.deeds:
        is_new = deed.act == "reneged" and deed.recent and after.state.alive[deed.seat]
        if is_new and not speaker.has_said("reproachDeal", deed.seat, _count(speaker, deed)):
            yield from speaker.say("reproachDeal", to=deed.seat)


def comment(speaker: Speaker, after: Situation) -> Iterator[Speech]:
    """What it thinks of what it and others have done."""
    alive = after.state.alive
    for seat in memory.list_deceived(speaker.observation):
        is_sorry = speaker.is_in_mood(30 + speaker.temper.warmth, "sorry", seat)
        has_spoken = any(speaker.has_said(intent, seat, 1) for intent in ("sorryBroke", "freed", "brazen"))
        if alive[seat] and is_sorry and not has_spoken:
            yield from speaker.say("sorryBroke", to=seat)
    for deed in speaker.deeds:
        if deed.recent and alive[deed.seat]:
            yield from _react(speaker, deed, is_out=not alive[speaker.seat])
    if (after.state.phase, after.state.mover) != ("rescue", speaker.seat):
        yield from _comment_on_news(speaker)
    if alive[speaker.seat]:
        yield from _hold_to_promises(speaker, after)


def _comment_on_news(speaker: Speaker) -> Iterator[Speech]:
    """A word about a defeat or a big capture that has just happened, if nobody has said one."""
    observation, me = speaker.observation, speaker.seat
    time = find_time(observation)
    for line in reversed(observation.lines):
        if line.at < time - SOON_MS:
            return
        seat = line.args.get("seat")
        if line.key == "sucker.fell" and isinstance(seat, int):
            if seat == me and not speaker.has_anybody_said("lastWords"):
                yield from speaker.say("lastWords")
            if seat != me and memory.has_let_fall(observation, seat) and not speaker.is_substitute:
                yield from explain_refusal(speaker, seat)
            may_say = seat != me and not speaker.has_anybody_said("soLong", other=seat)
            if may_say and speaker.is_in_mood(60 + speaker.temper.chatter // 2, "fallen", seat):
                yield from speaker.say("soLong", other=seat)
        if line.key == "sucker.killed" and isinstance(seat, int) and seat != me:
            count = line.args["count"]
            is_big = isinstance(count, int) and count >= BIG
            may_say = is_big and not speaker.has_anybody_said("bigCapture", other=seat, count=count)
            if may_say and speaker.is_in_mood(40 + speaker.temper.chatter // 2, "capture", seat, count):
                yield from speaker.say("bigCapture", other=seat, count=count)


def accompany(speaker: Speaker, before: Situation, after: Situation, move: SuckerMove) -> Iterator[Speech]:
    """A word about its own move."""
    chance = speaker.temper.chatter * speaker.liveliness
    match move:
        case Kill(colour=colour):
            is_sorry = speaker.happens(speaker.temper.warmth)
            if colour != speaker.seat and after.state.alive[colour] and is_sorry:
                yield from speaker.say("sorryKill", to=colour)
            if speaker.happens(speaker.temper.boldness):
                yield from speaker.say("boast", pile=before.piles[before.state.pile])
        case GiveMove(to=to) if to != speaker.seat:
            for promise in list_open(speaker.observation.promises, speaker.seat):
                deceived = promise.to[0] if promise.to else to
                breaks = promise.kind == "pass_move" and deceived not in (to, speaker.seat)
                if (
                    breaks
                    and deceived in before.state.candidates
                    and deceived in memory.list_breakers(speaker.deeds)
                ):
                    yield from speaker.say("freed", to=deceived, other=to)
                elif (
                    breaks
                    and deceived in before.state.candidates
                    and speaker.happens(speaker.temper.boldness)
                ):
                    yield from speaker.say("brazen", to=deceived, other=to)
            if after.state.phase == "rescue" and after.state.mover == to and speaker.happens(80):
                yield from speaker.say("starve", to=to)
            if speaker.has_promised("pass_move", to) and any(after.state.hands[to]):
                yield from speaker.say("asPromised", to=to)
            if any(after.state.hands[to]) and speaker.happens(chance):
                yield from speaker.say("gift", to=to)
        case RescueWith():
            yield from speaker.say("rescued", to=before.state.mover)
        case _:
            pass


def _react(speaker: Speaker, deed: Deed, *, is_out: bool) -> Iterator[Speech]:
    """Thanks for what is good, reproaches for what is not: once for each deed."""
    if deed.act not in REACTIONS:
        return  # `protest` has spoken about it
    if deed.act == "kept":
        assert deed.promise is not None
        if not memory.was_dear(speaker.observation, deed.promise):
            return
    intent, chance = REACTIONS[deed.act]
    if is_out:
        if deed.act != "refused":
            return
        intent = "reproachOut"
    temper = speaker.temper
    if deed.act == "refused" and any(
        other.act == "chip" and other.seat == deed.seat and other.recent for other in speaker.deeds
    ):
        return
    chance += temper.warmth // 2 if deed.act in memory.GOOD else temper.grudge // 2
    if speaker.is_in_mood(chance, deed[:2], _count(speaker, deed)) and not speaker.has_said(
        intent, deed.seat, _count(speaker, deed)
    ):
        yield from speaker.say(intent, to=deed.seat)


def _count(speaker: Speaker, deed: Deed) -> int:
    return sum(other[:2] == deed[:2] for other in speaker.deeds)


def _has_answered(speaker: Speaker, promise: Promise) -> bool:
    """Whether the bot has answered a promise, or anybody if it was made to everybody."""
    return any(
        message.addressee == promise.by
        and message.at >= promise.at
        and (message.seat == speaker.seat or not promise.to)
        and read_intent(message.key) in ("holdYou", "holdAgain")
        for message in speaker.observation.messages
    )


def _hold_to_promises(speaker: Speaker, situation: Situation) -> Iterator[Speech]:
    """An answer to each promise that a person makes to the bot, and to a deal in words.

    To one that is made to everybody, one bot answers for all.
    """
    time = find_time(speaker.observation)
    for deal in speaker.deals:
        if deal.in_words and deal.at >= time - 2 * SOON_MS and situation.state.alive[deal.by]:
            yield from expect(speaker, situation, deal)
            if deal.intent == "askPile" and situation.stands(read_pile(deal.args)):
                has_answered = any(
                    message.seat == speaker.seat and message.addressee == deal.by and message.at >= deal.at
                    for message in speaker.observation.messages
                )
                if not has_answered:
                    yield from speaker.say("holdYou", to=deal.by)
    for seat in situation.list_rivals():
        promised = [
            promise
            for promise in list_open(speaker.observation.promises, Seat(seat))
            if (speaker.seat in promise.to or not promise.to) and not promise.bot
        ]
        if promised and not _has_answered(speaker, promised[-1]):
            has_broken = seat in memory.list_breakers(speaker.deeds)
            yield from speaker.say("holdAgain" if has_broken else "holdYou", to=seat)
