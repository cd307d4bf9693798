"""What a bot answers to a proposal: a promise, a counter-offer, or a no with a reason that is true."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from games.api import NewPromise, Remark, Seat, Spoken
from games.subdivision.bot.features import list_squares
from games.subdivision.bot.situation import COMPLAINTS, Situation, intent_of

WISHES: Final = 6
"""The number of squares that it says it could use."""
GENEROSITY: Final = 0.15
"""The most points that the warmest character gives away for nothing."""
FAIR_TRADE: Final = 0.1
"""The additional points that it gives for a promise in return."""
FAIR: Final = 20
"""How much more often, in percent, it agrees to what is fair."""
SHAME: Final = 25
"""How much less often, in percent, a bot promises what it wants itself than it breaks its word."""
COVETED: Final = 2
"""The number of its best squares that a bot does not give away, unless it lies."""
CLOSE: Final = 1
"""A lead in points that is no reason to attack anybody before half of the pyramids are built."""
NEVER_MIND: Final = 0.05
"""What costs no more than this counts as nothing."""


class Speech(NamedTuple):
    """What a bot says, and the promise that it makes with it."""

    remark: Remark | None
    promise: NewPromise | None = None


# --- refusing ---


def _refuse(situation: Situation, seat: Seat, square: int, plain: str) -> Speech | None:
    """A no to whatever this seat asks for, with the reason; None if it has nothing against it.

    `plain` is the intent for a no without a reason.
    """
    reason = _find_reason(situation, seat)
    if reason is None:
        return None
    intent, args = reason
    remark = situation.word(intent, to=seat, **args)
    return Speech(remark or situation.word(plain, to=seat, square=situation.name(square)))


def _find_reason(situation: Situation, seat: Seat) -> tuple[str, Mapping[str, int | str]] | None:
    """The intent of a refusal with its arguments."""
    if situation.character.is_substitute:
        return "substitute", {}
    if not situation.may_promise:
        return ("noMany" if situation.count_left(situation.seat) else "noneLeft"), {}
    if situation.dislikes[seat] > 0:
        if situation.list_promises(seat, "broken"):
            return "noBroke", {}
        if situation.relations.list_costly(seat) and situation.has_told(COMPLAINTS, seat):
            return "noGrudge", {}  # it has said which 1 it holds against the seat
        for crowding in reversed(situation.relations.list_costly(seat)):
            return "noCrowded", {"square": situation.name(crowding.square)}
    lead = situation.lead_of(seat)
    if not situation.is_telling(lead):
        return None
    grudging = situation.is_in_mood(situation.temper.boldness * lead // 8, "ahead", seat, lead)
    return ("noAhead", {"points": lead}) if grudging else None


def _tolerance(situation: Situation, seat: Seat) -> float:
    thanks = FAIR_TRADE if situation.dislikes[seat] < 0 else 0.0
    return NEVER_MIND + GENEROSITY * situation.temper.warmth / 100 + thanks


def _decline(situation: Situation, seat: Seat, square: int) -> Speech:
    """No, because it may want the square itself; or just no."""
    name = situation.name(square)
    wants = square in situation.wishes[:WISHES] and not situation.has_waived(name)
    remark = situation.word("noWant", to=seat, square=name) if wants else None
    return Speech(remark or situation.word("noPlain", to=seat, square=name))


def leave(situation: Situation, seat: Seat, square: int, intent: str) -> Speech:
    """Leaves a square to a seat, in these words."""
    name, turns = situation.name(square), situation.promised_turns
    promise = situation.promise("leave_square", seat, square=name, turns=turns)
    return _say(situation.word(intent, to=seat, square=name), promise)


def _say(remark: Remark | None, promise: NewPromise | None) -> Speech:
    """A remark that tells of a promise: neither is made without the other."""
    return SILENCE if remark is None or promise is None else Speech(remark, promise)


SILENCE: Final = Speech(None)


# --- answering proposals ---


def answer_leaving(situation: Situation, seat: Seat, said: Spoken) -> Speech:
    """An answer to a request for a square, or to a trade of one for another."""
    trade = intent_of(said.key) in ("swap", "counter")
    # what the others get in a trade is their `mine`, and what they leave is their `square`
    name = said.args["mine" if trade else "square"]
    return _consider_leaving(situation, seat, situation.read_square(name), trade=trade)


def answer_plea(situation: Situation, seat: Seat, said: Spoken) -> Speech | None:
    """An answer to a person who asks for a square without saying which.

    It is the one that the two have last talked about, or else the one that the person could use best.
    """
    square = _find_meant(situation, seat)
    return None if square is None else _consider_leaving(situation, seat, square, trade=False)


def _find_meant(situation: Situation, seat: Seat) -> int | None:
    sites = situation.find_sites(seat)
    for spoken in reversed(situation.remarks):
        if spoken.seat != situation.seat or spoken.addressee != seat or "square" not in spoken.args:
            continue
        square = situation.read_square(spoken.args["square"])
        if sites >> square & 1:
            return square
        break
    joined = situation.features.count_joined
    beside = [square for square in list_squares(sites) if joined(square, seat)]
    return max(beside, key=lambda square: joined(square, seat), default=None)


def _consider_leaving(situation: Situation, seat: Seat, square: int, *, trade: bool) -> Speech:
    name = situation.name(square)
    if not situation.is_free(square):
        return _tell_taken(situation, seat, square)
    owners = situation.list_owners(name)
    if owners:
        if seat in owners:
            return Speech(situation.word("already", to=seat))
        return Speech(situation.word("noGiven", to=seat, square=name, other=int(owners[0])))
    refusal = _refuse(situation, seat, square, "noPlain")
    if refusal is not None:
        return refusal
    price, tolerance = situation.price_square(square), _tolerance(situation, seat)
    if situation.has_claimed(name):
        return _decline(situation, seat, square)
    if square in situation.wishes[:COVETED]:
        lies = not situation.is_in_mood(situation.temper.honesty + SHAME, "lie", seat, square)
        if lies:
            return leave(situation, seat, square, "yesSwap" if trade else "yesLeave")
        counter = None if trade else _counter(situation, seat, square)
        return counter or _decline(situation, seat, square)
    if trade:
        fair = price <= tolerance + FAIR_TRADE and _is_willing(situation, seat, square, FAIR)
        return leave(situation, seat, square, "yesSwap") if fair else _decline(situation, seat, square)
    greedy = situation.is_in_mood(situation.temper.boldness, "greedy", seat, square)
    if price <= tolerance and not greedy and _is_willing(situation, seat, square, 0):
        return leave(situation, seat, square, "yesLeave")
    counter = _counter(situation, seat, square) if price <= 3 * (tolerance + FAIR_TRADE) else None
    return counter or _decline(situation, seat, square)


def _tell_taken(situation: Situation, seat: Seat, square: int) -> Speech:
    """What it says of a square that it has itself just built on; if another has, there is nothing to say."""
    if not situation.has_just_built(square):
        return SILENCE
    return Speech(situation.word("builtThere", to=seat, square=situation.name(square)))


def _is_willing(situation: Situation, seat: Seat, about: object, more: int) -> bool:
    """Whether it obliges others today: warm characters do so more often, and for a favour in return."""
    owed = FAIR if situation.dislikes[seat] < 0 else 0
    return situation.is_in_mood(40 + situation.temper.warmth // 3 + more + owed, "willing", seat, about)


def _counter(situation: Situation, seat: Seat, square: int) -> Speech | None:
    """The square for another one that it would like itself, and that the seat has not promised it yet."""
    for wish in situation.wishes[:3]:
        wished, name = situation.name(wish), situation.name(square)
        if situation.is_promised(seat, wished):
            continue
        if wish != square and situation.find_sites(seat) >> wish & 1 and not situation.has_waived(wished):
            remark = situation.word("counter", to=seat, mine=wished, square=name)
            return None if remark is None else Speech(remark)
    return None


def answer_sparing(situation: Situation, seat: Seat, said: Spoken) -> Speech:
    """An answer to a request to spare a 3, or to a truce."""
    trade = intent_of(said.key) == "truce"
    square = situation.read_square(said.args["mine" if trade else "square"])
    return _consider_sparing(situation, seat, square, trade=trade)


def answer_peace(situation: Situation, seat: Seat, said: Spoken) -> Speech | None:
    """An answer to a person who offers peace to everybody: it is about the 3 with the most room around it."""
    exposed = situation.find_exposed(seat)
    if exposed is None:
        return Speech(situation.word("ackQuiet", to=seat))
    return _consider_sparing(situation, seat, exposed, trade=False)


def _consider_sparing(situation: Situation, seat: Seat, square: int, *, trade: bool) -> Speech:
    name = situation.name(square)
    if situation.spares(situation.seat, seat):
        return Speech(situation.word("already", to=seat))
    if not situation.position.left[situation.seat][0]:
        remark = situation.word("noOnes", to=seat)
        return Speech(remark or situation.word("noSpare", to=seat, square=name))
    refusal = _refuse(situation, seat, square, "noSpare")
    if refusal is not None:
        return refusal
    is_spared = situation.spares(seat, situation.seat)
    if not _is_ready_to_spare(situation, seat, square, fair=trade or is_spared):
        remark = situation.word("noSpareYet", to=seat) if is_spared else None
        return Speech(remark or situation.word("noSpare", to=seat, square=name))
    return spare(situation, seat, name, "yesTruce" if trade else "yesSpare")


def _is_ready_to_spare(situation: Situation, seat: Seat, square: int, *, fair: bool) -> bool:
    """`fair`: whether the other spares it as well."""
    dear = situation.price_sparing(seat) > _tolerance(situation, seat) + (FAIR_TRADE if fair else 0.0)
    return (
        not dear and _is_willing(situation, seat, square, FAIR if fair else 0) and not situation.attacks(seat)
    )


def spare_back(situation: Situation, seat: Seat) -> Speech:
    """Spares a seat that has just promised to spare it, without having been asked, if it has a 1 to place."""
    exposed = situation.find_exposed(seat)
    if exposed is None or not situation.position.left[situation.seat][0] or not situation.may_promise:
        return SILENCE
    is_refused = _find_reason(situation, seat) is not None
    if is_refused or not _is_ready_to_spare(situation, seat, exposed, fair=True):
        return SILENCE
    return spare(situation, seat, situation.name(exposed), "spareBack")


def spare(situation: Situation, seat: Seat, name: str, intent: str) -> Speech:
    promise = situation.promise("avoid_crowding", seat, turns=situation.promised_turns)
    return _say(situation.word(intent, to=seat, square=name), promise)


# --- answering calls against a seat ---


def answer_call(situation: Situation, seat: Seat, said: Spoken) -> Speech | None:
    """An answer to a person who calls on everybody to stop the leader.

    It is about points that the person sees, so it is answered however early it is.
    """
    totals = situation.position.totals
    best = max(totals)
    leaders = [other for other in range(situation.seats) if totals[other] == best]
    if seat in leaders:
        level = [other for other in leaders if other not in (seat, situation.seat)]
        if situation.seat in leaders:
            return Speech(situation.word("youAndMe", to=seat))
        if level:
            return Speech(situation.word("youLevel", to=seat, other=int(level[0])))
        return Speech(situation.word("youLead", to=seat))
    if leaders == [situation.seat]:
        return Speech(situation.word("noHitMe", to=seat))
    enemy = next(other for other in leaders if other != situation.seat)
    if not situation.is_under_way and situation.lead_of(enemy) == CLOSE:
        return Speech(situation.word("early", to=seat, enemy=enemy))
    return _consider_attack(situation, seat, enemy, is_call=True)


def answer_alliance(situation: Situation, seat: Seat, said: Spoken) -> Speech:
    enemy = said.args["enemy"]
    assert isinstance(enemy, int)
    return _consider_attack(situation, seat, enemy)


def _consider_attack(situation: Situation, seat: Seat, enemy: int, *, is_call: bool = False) -> Speech:
    """`is_call`: whether a person calls on all, so that it names the lead it speaks of."""
    if situation.character.is_substitute:
        return Speech(situation.word("substitute", to=seat))
    if enemy == situation.seat or situation.lead_of(enemy) <= 0:
        return Speech(situation.word("noHitAhead", to=seat, enemy=enemy))
    if situation.spares(situation.seat, enemy):
        return Speech(situation.word("noHitPeace", to=seat, enemy=enemy))
    if not situation.attacks(enemy) and _leaves_alone(situation, seat, enemy):
        return Speech(situation.word("noHit", to=seat, enemy=enemy))
    if not situation.position.left[situation.seat][0]:
        return Speech(situation.word("noHitOnes", to=seat))
    if is_call and situation.position.threes[enemy]:
        points = situation.lead_of(enemy)
        return Speech(situation.word("yesHitCall", to=seat, enemy=enemy, points=points))
    return Speech(situation.word("yesHit", to=seat, enemy=enemy))


def _leaves_alone(situation: Situation, seat: Seat, enemy: int) -> bool:
    """Whether it has nothing against the leader, and rather goes on building."""
    if situation.list_promises(enemy, "broken") or situation.relations.list_costly(enemy):
        return False
    peaceful = situation.is_in_mood(situation.temper.warmth // 2, "peace", enemy, seat)
    return situation.has_told_no(enemy) or peaceful or situation.dislikes[seat] > 0


def answer_threat(situation: Situation, seat: Seat, said: Spoken) -> Speech:
    if not situation.is_free(situation.read_square(said.args["reply"])):
        return SILENCE  # somebody has built there since: the threat is empty
    return face_threat(situation, seat, situation.read_square(said.args["square"]))


def face_threat(situation: Situation, seat: Seat, square: int) -> Speech:
    """Gives way, insists on the square, or says that others are as good."""
    name, temper = situation.name(square), situation.temper
    if not situation.is_free(square):
        return _tell_taken(situation, seat, square)
    if situation.character.is_substitute:
        return Speech(situation.word("substitute", to=seat))
    if seat in situation.list_owners(name):
        return Speech(situation.word("already", to=seat))
    price, has_claimed = situation.price_square(square), situation.has_claimed(name)
    if not has_claimed:
        meek = not situation.is_in_mood(temper.boldness, "threat", seat, square)
        if situation.may_promise and meek and price <= _tolerance(situation, seat) + FAIR_TRADE:
            return leave(situation, seat, square, "yield")
        if price <= NEVER_MIND:
            return Speech(situation.word("shrug", to=seat, square=name))
    can_build = bool(situation.find_sites(situation.seat) >> square & 1)
    if can_build and not situation.has_waived(name):
        return Speech(situation.word("defy", to=seat, square=name))
    return SILENCE
