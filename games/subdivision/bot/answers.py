"""What a bot answers when somebody speaks to it or promises it something.

It reads remarks of bots, phrases of people and promises, never free text. Every answer gives a reason that is
true of the position, or makes the promise that it was asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from typing import Final, TypeAlias

from games.api import Argument, Promise, Seat, Spoken
from games.kit.observations import part
from games.kit.promises import list_open
from games.subdivision.bot.bargaining import (
    Speech,
    answer_alliance,
    answer_call,
    answer_leaving,
    answer_peace,
    answer_plea,
    answer_sparing,
    answer_threat,
    face_threat,
    leave,
    spare,
    spare_back,
)
from games.subdivision.bot.relations import concerns
from games.subdivision.bot.situation import PROPOSALS, Situation, intent_of
from games.subdivision.rules.promises import LEFT, MAX_TURNS
from games.subdivision.rules.values import Stage

TO_EVERYBODY: Final = frozenset(
    (
        *("niceMove", "wellPlayed", "peace", "stopLeader", "leaveMe", "brokeWord"),
        *("hurry", "ouch", "oops"),
    )
)
"""The phrases that are for any bot; the others are for the bot that has last spoken to the person."""
QUIET: Final = frozenset({"ackQuiet", "distrust"})
"""The intents of what it says about a private promise: others hear it, so it names no part of it."""
ACKNOWLEDGED: Final = frozenset({"ackLeave", "deliver", "yield", "defy", "shrug", "builtThere"})
"""The intents of what it says about a public one that names a square."""
SPARED: Final = frozenset({"ackSpare", "deliverTruce", "spareBack"})
"""The intents of what it says about a public one to spare it."""
TRADES_OF_SQUARES: Final = frozenset({"swap", "counter"})
TRADES: Final = TRADES_OF_SQUARES | {"truce"}
"""The intents of proposals in which each side has its half to promise."""
ABOUT_3S: Final = frozenset({"askSpare", "yesSpare"})
"""The intents whose square is a 3 to be spared, not a square to build on."""
REFUSED: Final = frozenset({"reneged", "noMany", "noneLeft"})
"""The intents of what it says instead of doing its own half."""
PRESSED: Final = 30
"""How much more often, in percent, a bot does its half of a trade once the other's is done or it is asked."""
Answer: TypeAlias = Callable[[Situation, Seat, Spoken], Speech | None]
"""What it answers to something that a seat has said; None if it leaves that unanswered."""


def answer_pending(situation: Situation) -> Speech | None:
    """The answer to what was said or promised to it last, if anything is still unanswered."""
    for seat in situation.others:
        for said in reversed(_list_heard(situation, seat)):
            answer = ANSWERS.get(intent_of(said.key))
            speech = None if answer is None else answer(situation, seat, said)
            if speech is not None and speech.remark is not None:
                return speech
    return _acknowledge(situation)


def _list_heard(situation: Situation, seat: Seat) -> list[Spoken]:
    """What a seat has said to the bot since the bot last spoke to it, oldest first.

    What was said before the seat's last pyramid is stale, and thanks end what they are for.
    """
    heard: list[Spoken] = []
    last: Spoken | None = None
    """The last remark that was addressed to the seat."""
    for said in situation.remarks:
        if said.seat == situation.seat and said.addressee == seat:
            heard.clear()
        is_for_all = said.seat == seat and not said.bot and said.addressee is None
        if is_for_all and intent_of(said.key) == "thanks":
            heard.clear()
        elif said.seat != seat or not situation.is_fresh(said):
            pass
        elif said.addressee == situation.seat:
            heard.append(said)
        elif is_for_all:
            is_answer = last is not None and last.seat == situation.seat
            if is_answer or intent_of(said.key) in TO_EVERYBODY:
                heard.append(said)
        if said.addressee == seat:
            last = said
    return heard


def find_request(situation: Situation, seat: Seat) -> Spoken | None:
    """The bot's last proposal to a seat, if that is the last thing that it said to it."""
    for said in reversed(situation.said):
        if said.addressee == seat:
            return said if intent_of(said.key) in PROPOSALS else None
    return None


# --- answering answers ---


def _thank(situation: Situation, seat: Seat, said: Spoken) -> Speech | None:
    square = said.args.get("square")
    if square is None or not situation.is_in_mood(situation.temper.warmth, "thanks", seat, square):
        return None
    return _thank_for(situation, seat, said, square)


def _thank_for(situation: Situation, seat: Seat, said: Spoken, square: Argument) -> Speech:
    if intent_of(said.key) in ABOUT_3S:
        return Speech(situation.word("thanksPeace", to=seat))
    return Speech(situation.word("thanksYes", to=seat, square=square))


def _deliver(situation: Situation, seat: Seat, said: Spoken) -> Speech | None:
    """Does its own half of a trade for which the other has done theirs, or thanks somebody who has agreed.

    Another bot promises its half when it agrees. A person who has only said so is asked to promise it first.
    """
    request = find_request(situation, seat)
    if request is None and said.bot:
        return None
    if request is None:
        if _owes_half(situation, seat, TRADES):
            return _do_half_late(situation, seat)
        return Speech(situation.word("agreedTo", to=seat))
    if intent_of(request.key) not in TRADES:
        return _take_consent(situation, seat, request)
    if said.bot:
        return _do_half(situation, seat, request)
    if not _has_done_half(situation, seat, request):
        return _ask_for_word(situation, seat, request)
    return _do_half_late(situation, seat)


def _has_done_half(situation: Situation, seat: Seat, request: Spoken) -> bool:
    if intent_of(request.key) == "truce":
        return situation.spares(seat, situation.seat)
    return any(
        promise.kind == "leave_square"
        and promise.terms["square"] == request.args["mine"]
        and (not promise.to or situation.seat in promise.to)
        for promise in list_open(situation.observation.promises, seat)
    )


def _ask_for_word(situation: Situation, seat: Seat, request: Spoken) -> Speech | None:
    if not situation.may_promise:
        return None
    if intent_of(request.key) == "truce":
        return Speech(situation.word("askWordTruce", to=seat))
    squares = {name: request.args[name] for name in ("mine", "square")}
    if not all(situation.is_free(situation.read_square(square)) for square in squares.values()):
        return None
    return Speech(situation.word("askWord", to=seat, **squares))


def _do_half(situation: Situation, seat: Seat, request: Spoken, more: int = 0) -> Speech | None:
    """Its own half as a promise; without 1s, it has none to make in a truce.

    `more`: how much likelier it does it than its honesty says, in percent.
    """
    square, honesty = situation.read_square(request.args["square"]), situation.temper.honesty + more
    if not situation.may_promise or not situation.is_in_mood(honesty, "half", seat, square):
        return None
    if intent_of(request.key) == "truce":
        if not situation.position.left[situation.seat][0]:
            return Speech(situation.word("noOnes", to=seat))
        return spare(situation, seat, situation.name(square), "deliverTruce")
    return leave(situation, seat, square, "deliver") if situation.is_free(square) else None


def _owes_half(situation: Situation, seat: Seat, kinds: Set[str]) -> bool:
    """Whether a seat has done its half of a trade of these kinds, and the bot has not."""
    trade = _find_trade(situation, seat)
    return trade is not None and intent_of(trade.key) in kinds and _has_done_half(situation, seat, trade)


def _answer_reminder(situation: Situation, seat: Seat, said: Spoken) -> Speech | None:
    return _do_half_late(situation, seat)


def _do_half_late(situation: Situation, seat: Seat) -> Speech | None:
    """Its own half of a trade, once the other's is done or it is asked for it, or a no.

    Hardly anybody goes back on it then, and nobody without a word.
    """
    trade = _find_trade(situation, seat)
    if trade is None:
        return None
    square = situation.read_square(trade.args["square"])
    if intent_of(trade.key) != "truce" and not situation.is_free(square):
        if not situation.has_just_built(square):
            return None
        return Speech(situation.word("builtThere", to=seat, square=situation.name(square)))
    if not situation.may_promise:
        return Speech(
            situation.word("noMany" if situation.count_left(situation.seat) else "noneLeft", to=seat)
        )
    speech = _do_half(situation, seat, trade, PRESSED)
    return speech or Speech(situation.word("reneged", to=seat))


def _answer_plea(situation: Situation, seat: Seat, said: Spoken) -> Speech | None:
    """To somebody who has done their half of a trade, the plea is for the bot's own."""
    if _owes_half(situation, seat, TRADES_OF_SQUARES):
        return _do_half_late(situation, seat)
    return answer_plea(situation, seat, said)


def _find_trade(situation: Situation, seat: Seat) -> Spoken | None:
    """The trade that it has proposed to a seat last, if its own half is not done yet."""
    for said in reversed(situation.said):
        if said.addressee != seat:
            continue
        intent = intent_of(said.key)
        if intent in ("deliver", "deliverTruce"):
            return None
        if intent in TRADES:
            return said
    return None


def _take_consent(situation: Situation, seat: Seat, request: Spoken) -> Speech:
    square = request.args.get("square")
    if square is None:
        return Speech(situation.word("ackQuiet", to=seat))
    return _thank_for(situation, seat, request, square)


def _regret(situation: Situation, seat: Seat, said: Spoken) -> Speech | None:
    """What it says to a person who has declined; between bots, a no is enough."""
    if find_request(situation, seat) is None:
        return None
    return Speech(situation.word("pity", to=seat))


def _insist(situation: Situation, seat: Seat, said: Spoken) -> Speech | None:
    """Makes its threat a promise, if it is bold enough and can carry it out."""
    request = find_request(situation, seat)
    if request is None or intent_of(request.key) != "threat" or not situation.may_promise:
        return None
    square, reply = str(request.args["square"]), str(request.args["reply"])
    if not situation.is_in_mood(situation.temper.boldness, "insist", seat, square, reply):
        return None
    if not all(situation.is_free(situation.read_square(name)) for name in (square, reply)) or situation.moved:
        return None
    if situation.has_waived(reply):
        return None
    remark = situation.word("insist", to=seat, square=square, reply=reply)
    promise = situation.promise("reply", seat, square=square, reply=reply)
    return Speech(remark, promise) if remark is not None and promise is not None else None


def _apologise(situation: Situation, seat: Seat, said: Spoken) -> Speech | None:
    """An answer to somebody to whom it has broken its word, or who has asked just this bot and is wrong."""
    if not situation.has_broken_word_to(seat):
        spoken_to = [other for other in situation.remarks if other.addressee == seat and other.at <= said.at]
        is_meant = bool(spoken_to) and spoken_to[-1].seat == situation.seat
        return Speech(situation.word("innocent", to=seat)) if is_meant else None
    honest = situation.is_in_mood(situation.temper.honesty, "sorry", seat, said.key)
    remark = situation.word("sorryBroke" if honest else "shameless", to=seat)
    return Speech(remark or situation.word("shameless" if honest else "sorryBroke", to=seat))


def _excuse(situation: Situation, seat: Seat, said: Spoken) -> Speech | None:
    """An answer to somebody whose 3 it has crowded, who may be a person; two bots do not go on about it."""
    temper = situation.temper
    if not situation.is_in_mood((temper.warmth + temper.boldness) // 2, "excuse", seat, said.args["square"]):
        return None
    lead = situation.lead_of(seat)
    if situation.is_telling(lead):
        return Speech(situation.word("sorryAhead", to=seat, points=lead))
    return Speech(situation.word("sorry", to=seat, square=said.args["square"]))


def _receive_praise(situation: Situation, seat: Seat, said: Spoken) -> Speech | None:
    if said.bot and not situation.is_in_mood(situation.temper.warmth, "praise", seat, *said.args.values()):
        return None
    if not said.bot and not situation.has_moved_last:
        return None  # a phrase has no addressee: it is for whoever has just moved
    return Speech(situation.word("welcome", to=seat))


def _answer_hurry(situation: Situation, seat: Seat, said: Spoken) -> Speech | None:
    """What it says to somebody who waits for it, or for whom everybody waits."""
    if situation.moved:
        return Speech(situation.word("hurried", to=seat))
    waits_for = part(situation.observation, "stage", Stage).turn
    if waits_for != seat or not situation.has_moved_last:
        return None
    return Speech(situation.word("afterYou", to=seat))


def _answer_ouch(situation: Situation, seat: Seat, said: Spoken) -> Speech | None:
    """What it says to a person who minds its last move, or the promise that it has just broken."""
    if situation.has_just_broken_word_to(seat):
        return _apologise(situation, seat, said)
    if not situation.has_moved_last:
        return None
    harmed = situation.list_harmed(seat)
    if not harmed and not situation.is_duel:
        return None  # it may be meant for another
    if not harmed:
        return Speech(situation.word("ouchWhat", to=seat))
    lead = situation.lead_of(seat)
    if situation.is_telling(lead):
        return Speech(situation.word("sorryAhead", to=seat, points=lead))
    return Speech(situation.word("sorry", to=seat, square=situation.name(harmed[0])))


def _forgive(situation: Situation, seat: Seat, said: Spoken) -> Speech | None:
    """What it says to a person whose last move has cost it a point."""
    for crowding in situation.relations.list_costly(seat):
        if crowding.age == 0:
            return Speech(situation.word("forgive", to=seat, square=situation.name(crowding.square)))
    return None


ANSWERS: Final[Mapping[str, Answer]] = {
    "askLeave": answer_leaving,
    "callIn": answer_leaving,
    "swap": answer_leaving,
    "counter": answer_leaving,
    "askSpare": answer_sparing,
    "truce": answer_sparing,
    "hitLeader": answer_alliance,
    "threat": answer_threat,
    "yesLeave": _thank,
    "yesSpare": _thank,
    "yesSwap": _deliver,
    "yesTruce": _deliver,
    "agreed": _deliver,
    "noDeal": _regret,
    "defy": _insist,
    "brokeLeave": _apologise,
    "brokeWord": _apologise,
    "crowdedMe": _excuse,
    "crowdedBoth": _excuse,
    "crowdedAgain": _excuse,
    "askHalf": _answer_reminder,
    "askHalfTruce": _answer_reminder,
    "praise": _receive_praise,
    "peace": answer_peace,
    "stopLeader": answer_call,
    "leaveMe": _answer_plea,
    "niceMove": _receive_praise,
    "wellPlayed": _receive_praise,
    "hurry": _answer_hurry,
    "ouch": _answer_ouch,
    "oops": _forgive,
}
"""By intent of what was said to the bot: how it answers. It leaves everything else unanswered."""


# --- promises of people ---


def _acknowledge(situation: Situation) -> Speech | None:
    """What it says to a person who has promised it something, without repeating what others may not know."""
    for promise in situation.observation.promises:
        if promise.bot or promise.judgement is not None or not concerns(promise, situation.seat):
            continue
        if promise.kind == "build_at" and not promise.private:
            speech = _take_plan(situation, promise)
        elif situation.seat in promise.to:
            speech = _take_promise(situation, promise)
        else:
            continue
        if speech is not None and speech.remark is not None:
            return speech
    return None


def _take_promise(situation: Situation, promise: Promise) -> Speech | None:
    seat = promise.by
    doubts = bool(situation.list_promises(seat, "broken")) and situation.dislikes[seat] > 0
    if promise.private:
        if _has_told_since(situation, promise, QUIET):
            return None
        return Speech(situation.word("distrust" if doubts else "ackQuiet", to=seat))
    if promise.kind in ("leave_square", "reply"):
        return _take_square(situation, promise, doubts=doubts)
    if promise.kind not in ("avoid_crowding", "avoid_block"):
        return None
    return _take_peace(situation, promise, doubts=doubts)


def _has_told_since(situation: Situation, promise: Promise, intents: frozenset[str]) -> bool:
    """Whether it has told a promise's maker something for one of these intents since the promise was made."""
    return any(
        intent_of(said.key) in intents and said.addressee == promise.by and said.at >= promise.at
        for said in situation.said
    )


def _take_plan(situation: Situation, promise: Promise) -> Speech | None:
    """What the first bot says of a person's promise to build on a square."""
    square = str(promise.terms["square"])
    is_heard = any(
        intent_of(said.key) == "heardPlan" and said.addressee == promise.by and said.args["square"] == square
        for said in situation.remarks
    )
    return None if is_heard else Speech(situation.word("heardPlan", to=promise.by, square=square))


def _take_square(situation: Situation, promise: Promise, *, doubts: bool) -> Speech | None:
    seat, square = promise.by, str(promise.terms["square"])
    if situation.has_told(ACKNOWLEDGED, seat, square=square):
        return None
    if _has_told_since(situation, promise, REFUSED | {"deliver", "distrust"}):
        return None
    if promise.kind == "reply":
        return face_threat(situation, seat, situation.read_square(square))
    trade = _find_trade(situation, seat)
    if trade is not None and intent_of(trade.key) in TRADES_OF_SQUARES and trade.args["mine"] == square:
        speech = _do_half_late(situation, seat)
        if speech is not None and speech.remark is not None:
            return speech
    if doubts:
        return Speech(situation.word("distrust", to=seat))
    return Speech(situation.word("ackLeave", to=seat, square=square))


def _take_peace(situation: Situation, promise: Promise, *, doubts: bool) -> Speech | None:
    seat = promise.by
    turns = situation.count_left(seat) - int(promise.terms.get(LEFT, 0))
    answered = _has_told_since(situation, promise, SPARED | REFUSED | {"distrust", "noOnes"})
    if answered or not 0 < turns <= MAX_TURNS:
        return None
    trade = _find_trade(situation, seat)
    if trade is not None and intent_of(trade.key) == "truce" and promise.kind == "avoid_crowding":
        speech = _do_half_late(situation, seat)
        if speech is not None and speech.remark is not None:
            return speech
    if promise.kind == "avoid_crowding":
        speech = spare_back(situation, seat)
        if speech.remark is not None:
            return speech
    return Speech(situation.word("distrust" if doubts else "ackSpare", to=seat))
