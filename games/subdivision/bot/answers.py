"""What a bot answers when somebody speaks to it or promises it something.

It reads remarks of bots, phrases of people and promises, never free text. Every answer gives a reason that is
true of the position, or makes the promise that it was asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from games.api import Promise, Seat, Spoken
from games.subdivision.bot.bargaining import (
    Speech,
    answer_alliance,
    answer_leaving,
    answer_peace,
    answer_sparing,
    answer_threat,
    face_threat,
    leave,
    spare,
)
from games.subdivision.bot.situation import PROPOSALS, Situation, intent_of

TO_EVERYBODY: Final = frozenset({"niceMove", "wellPlayed", "peace"})
"""The phrases that are for any bot; the others are for the bot that has last spoken to the person."""
QUIET: Final = frozenset({"ackQuiet", "distrust"})
"""The intents of what it says about a private promise: others hear it, so it names no part of it."""
ACKNOWLEDGED: Final = frozenset({"ackLeave", "ackSpare", "yield", "defy", "shrug", "noLate"})
"""The intents of what it says about a public one."""
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
    """What a seat has said to the bot since the bot last spoke to it, oldest first."""
    heard: list[Spoken] = []
    last: Spoken | None = None
    """The last remark that was addressed to the seat."""
    for said in situation.remarks:
        if said.seat == situation.seat and said.addressee == seat:
            heard.clear()
        if said.seat == seat and said.addressee == situation.seat:
            heard.append(said)
        elif said.seat == seat and not said.bot and said.addressee is None:
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
    return Speech(situation.word("thanksYes", to=seat, square=square))


def _deliver(situation: Situation, seat: Seat, said: Spoken) -> Speech | None:
    """Does its own half of a trade that the other has agreed to, or thanks somebody who has just agreed."""
    request = find_request(situation, seat)
    if request is None:
        return None
    intent = intent_of(request.key)
    if intent not in ("swap", "counter", "truce"):
        return _take_consent(situation, seat, request)
    square = situation.read_square(request.args["square"])
    if not situation.may_promise or not situation.is_in_mood(situation.temper.honesty, "half", seat, square):
        return None
    if intent == "truce":
        return spare(situation, seat, situation.name(square), "deliverTruce")
    return leave(situation, seat, square, "deliver") if situation.is_free(square) else None


def _take_consent(situation: Situation, seat: Seat, request: Spoken) -> Speech:
    square = request.args.get("square")
    if square is None:
        return Speech(situation.word("ackQuiet", to=seat))
    return Speech(situation.word("thanksYes", to=seat, square=square))


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
    return Speech(
        situation.word("insist", to=seat, square=square, reply=reply),
        situation.promise("reply", seat, square=square, reply=reply),
    )


def _apologise(situation: Situation, seat: Seat, said: Spoken) -> Speech:
    """An answer to somebody to whom it has broken its word."""
    honest = situation.is_in_mood(situation.temper.honesty, "sorry", seat, said.key)
    remark = situation.word("sorryBroke" if honest else "shameless", to=seat)
    return Speech(remark or situation.word("shameless" if honest else "sorryBroke", to=seat))


def _excuse(situation: Situation, seat: Seat, said: Spoken) -> Speech:
    """An answer to somebody whose 3 it has crowded."""
    lead = situation.lead_of(seat)
    if lead > 0:
        return Speech(situation.word("sorryAhead", to=seat, points=lead))
    return Speech(situation.word("sorry", to=seat, square=said.args["square"]))


def _receive_praise(situation: Situation, seat: Seat, said: Spoken) -> Speech | None:
    if said.bot and not situation.is_in_mood(situation.temper.warmth, "praise", seat, *said.args.values()):
        return None
    if not said.bot and not situation.has_moved_last:
        return None  # a phrase has no addressee: it is for whoever has just moved
    return Speech(situation.word("welcome", to=seat))


ANSWERS: Final[Mapping[str, Answer]] = {
    "askLeave": answer_leaving,
    "swap": answer_leaving,
    "counter": answer_leaving,
    "askSpare": answer_sparing,
    "truce": answer_sparing,
    "hitLeader": answer_alliance,
    "threat": answer_threat,
    "yesLeave": _thank,
    "yesSpare": _thank,
    "yield": _thank,
    "deliver": _thank,
    "deliverTruce": _thank,
    "yesSwap": _deliver,
    "yesTruce": _deliver,
    "agreed": _deliver,
    "noDeal": _regret,
    "defy": _insist,
    "brokeLeave": _apologise,
    "brokeWord": _apologise,
    "crowdedMe": _excuse,
    "praise": _receive_praise,
    "peace": answer_peace,
    "niceMove": _receive_praise,
    "wellPlayed": _receive_praise,
}
"""By intent of what was said to the bot: how it answers. It leaves everything else unanswered."""


# --- promises of people ---


def _acknowledge(situation: Situation) -> Speech | None:
    """What it says to a person who has promised it something, without repeating what others may not know."""
    for promise in situation.observation.promises:
        if promise.bot or promise.judgement is not None or situation.seat not in promise.to:
            continue
        speech = _take_promise(situation, promise)
        if speech is not None and speech.remark is not None:
            return speech
    return None


def _take_promise(situation: Situation, promise: Promise) -> Speech | None:
    seat = promise.by
    doubts = bool(situation.list_promises(seat, "broken")) and situation.dislikes[seat] > 0
    if promise.private:
        secrets = [p for p in situation.observation.promises if p.by == seat and p.private and not p.bot]
        answered = sum(intent_of(s.key) in QUIET and s.addressee == seat for s in situation.said)
        if answered >= len(secrets):
            return None
        return Speech(situation.word("distrust" if doubts else "ackQuiet", to=seat))
    if promise.kind in ("leave_square", "reply"):
        square = str(promise.terms["square"])
        if situation.has_told(ACKNOWLEDGED, seat, square=square):
            return None
        if promise.kind == "reply":
            return face_threat(situation, seat, situation.read_square(square))
        return Speech(situation.word("ackLeave", to=seat, square=square))
    if promise.kind not in ("avoid_crowding", "avoid_block"):
        return None
    left = promise.terms["left"]
    if situation.has_told(ACKNOWLEDGED, seat, left=left):
        return None
    return Speech(situation.word("ackSpare", to=seat, left=left))
