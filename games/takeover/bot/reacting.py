"""What a character says unasked: thanks, reproaches, threats and remarks about its own moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, cast

from games.api import Promise, Remark
from games.takeover.bot.answering import Speech, answer_plea_for, answer_threat, give_back, seal
from games.takeover.bot.memory import Wrong, is_threat
from games.takeover.bot.situation import BREATH, Situation
from games.takeover.bot.voice import find_deal, has_begun_to_deal, intent_of, is_bot, list_said
from games.takeover.rules.promises import SWAPPED, TRADED
from games.takeover.rules.values import Merge

BREACH_IS_FRESH: Final = 15_000
"""A broken promise is answered within this time, in milliseconds, even by whoever has to be silent first."""
HOSTILE: Final = 3
"""The least height of somebody else's stack whose end a character announces."""
THREAT_ANSWERS: Final = frozenset({"threatened", "unmoved"})
REPROACHES: Final = (
    *("threat", "reproachCovered", "reproachAsked", "reproachWord", "reproachDeal", "reproachSpare"),
    *("reproachBroken", "reproachPass"),
)


def react(situation: Situation) -> Speech | None:
    """What it says to somebody who has just wronged it, promised it something, kept a promise, or traded.

    Among bots, deals come first: until there are a few, they save their breath for answers.
    """
    has_begun = has_begun_to_deal(situation.observation)
    wrongs = [
        wrong
        for wrong in situation.memory.wrongs
        if situation.is_fresh(wrong.at, BREACH_IS_FRESH if wrong.broken or wrong.merged else BREATH)
        and (has_begun or not is_bot(situation.observation, wrong.by))
    ]
    remark = _answer_wrongs(situation, wrongs) or next(_give_thanks(situation), None)
    speech = None if remark is None else Speech(remark)
    return speech or next(_answer_promises(situation), None)


def _answer_promises(situation: Situation) -> Iterator[Speech]:
    """Tells people what it thinks of what they have promised to it, and perhaps gives its own word in return.

    Bots say themselves what they promise.
    """
    observation = situation.observation
    for promise in observation.promises:
        if promise.bot or promise.judgement is not None or not _is_for(situation, promise):
            continue
        if not _has_answered(situation, promise):
            if is_threat(observation, promise):
                speech = answer_threat(situation, int(promise.by), str(promise.terms["coin"]))
                yield from () if speech is None else (speech,)
                continue
            if (speech := _answer_naming(situation, promise)) is not None:
                yield speech
                continue
            is_trusted = not situation.is_distrusted(promise.by)
            speech = _return_promise(situation, promise) if is_trusted else None
            remark = situation.say("heard" if is_trusted else "doubt", to=promise.by)
            if speech is not None or remark is not None:
                yield speech or Speech(cast(Remark, remark))


def _is_for(situation: Situation, promise: Promise) -> bool:
    """Whether a promise was made to this seat, threatens everybody, or answers its question which company is
    theirs."""
    asks = list_said(situation.observation, "whichOne", promise.by)
    is_answer = promise.kind == "hold" and not promise.to and bool(asks)
    threatens_all = not promise.to and is_threat(situation.observation, promise)
    return is_answer or threatens_all or situation.seat in promise.to


def _answer_naming(situation: Situation, promise: Promise) -> Speech | None:
    """What it says to a person who names their own stock by a promise.

    It answers as if that were true, even if the stock is its own: anybody may name any.
    """
    coin = str(promise.terms.get("coin"))
    if promise.kind == "hold" and situation.stands(coin):
        return answer_plea_for(situation, int(promise.by), coin)
    return None


def _return_promise(situation: Situation, promise: Promise) -> Speech | None:
    """What it has offered for this promise in a pact; without one, it spares what may be that seat's."""
    if promise.kind != "spare":
        return None
    return seal(situation, promise.by, str(promise.terms["coin"])) or give_back(situation, promise.by)


def _has_answered(situation: Situation, promise: Promise) -> bool:
    """Whether it has answered a promise, or any bot a threat to everybody."""
    if promise.to or promise.kind == "hold":
        return _has_spoken_to(situation, promise.by, promise.at)
    return any(
        (message.addressee, message.args.get("coin")) == (promise.by, promise.terms["coin"])
        and message.at >= promise.at
        and intent_of(message.key) in THREAT_ANSWERS
        for message in situation.observation.messages
    )


def _has_spoken_to(situation: Situation, seat: int, since: int) -> bool:
    return any(
        message.seat == situation.seat and message.addressee == seat and message.at >= since
        for message in situation.observation.messages
    )


def answer_wrongs(situation: Situation, *, only_breaches: bool = False) -> Remark | None:
    """Reproaches what was done to it since its last turn, or only which promises to it were broken."""
    recent = [wrong for wrong in situation.memory.wrongs if wrong.turns < situation.table.seats]
    return _answer_wrongs(situation, [wrong for wrong in recent if wrong.broken or not only_breaches])


def _answer_wrongs(situation: Situation, wrongs: Sequence[Wrong]) -> Remark | None:
    """Reproaches a wrong, each once. Bold characters threaten instead, if they can do what they say."""
    for wrong in reversed(wrongs):
        if _has_reproached(situation, wrong):
            continue
        is_bold = not wrong.broken and situation.happens("threaten", situation.character.temper.boldness)
        tower = wrong.tower if wrong.tower is not None and situation.stands(wrong.tower) else None
        if is_bold and tower is not None and not situation.owns(tower) and _gains(situation, tower):
            return situation.say("threat", to=wrong.by, coin=tower)
        if wrong.coin is None:
            return situation.say("reproachPass" if wrong.merged else "reproachBroken", to=wrong.by)
        return situation.say(_choose_reproach(situation, wrong), to=wrong.by, coin=wrong.coin)
    return None


def _gains(situation: Situation, coin: str) -> bool:
    """Whether covering this company would bring it something at once."""
    return (situation.immediate_gain(coin) or 0) > 0


def _choose_reproach(situation: Situation, wrong: Wrong) -> str:
    """What makes it worst: a broken promise, a word that was not kept, or a request that was not heard."""
    observation = situation.observation
    if wrong.broken:
        return "reproachSpare"
    if wrong.coin is not None and find_deal(observation, wrong.by, wrong.coin, wrong.at) is not None:
        return "reproachDeal"
    said = [message for message in observation.messages if message.at <= wrong.at]
    if any((message.seat, intent_of(message.key)) == (wrong.by, "say.iWillSpare") for message in said):
        return "reproachWord"
    asked = list_said(observation, "askSpare", wrong.by)
    if any(message.args["coin"] == wrong.coin and message in said for message in asked):
        return "reproachAsked"
    return "reproachCovered"


def _has_reproached(situation: Situation, wrong: Wrong) -> bool:
    """Whether it has reproached this seat since the wrong."""
    return any(
        said.at >= wrong.at
        for intent in REPROACHES
        for said in list_said(situation.observation, intent, wrong.by)
    )


def _give_thanks(situation: Situation) -> Iterator[Remark]:
    observation, kept = situation.observation, situation.memory.kept
    occasions = [
        ("thanksKept", seat)
        for seat, at in kept
        if situation.is_fresh(at) and not _has_spoken_to(situation, seat, at)
    ]
    occasions += [
        ("relieved", seat)
        for seat, at in situation.memory.spared
        if situation.is_fresh(at) and not _has_spoken_to(situation, seat, at)
    ]
    partner = _find_partner(situation)
    if partner is not None and not list_said(observation, "thanksTrade", partner):
        occasions.append(("thanksTrade", partner))
    for intent, seat in occasions:
        is_warm = situation.happens("thank", situation.character.temper.warmth)
        if is_warm and (remark := situation.say(intent, to=seat)) is not None:
            yield remark


def _find_partner(situation: Situation) -> int | None:
    """The seat that has just traded with this one, as everybody saw."""
    public = [line for line in situation.observation.lines if line.to is None]
    for line in reversed(public[-2:]):
        if line.key in (TRADED, SWAPPED) and situation.is_fresh(line.at):
            pair = {line.args["seat"], line.args["other"]}
            if situation.seat in pair:
                return next(seat for seat in pair if isinstance(seat, int) and seat != situation.seat)
    return None


def announce(situation: Situation, move: Merge, height: int) -> Remark | None:
    """A remark about a tall stack of others that it has just swallowed."""
    if height < HOSTILE or not situation.happens("announce", situation.character.temper.chatter):
        return None
    covering, _, covered = move.pair.partition(">")
    return situation.say("hostile", source=covering, onto=covered, height=height)
