"""How a bot answers proposals: with a reason that holds for everybody, a promise, or a demand of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from games.api import NewPromise
from games.kit.wordings import read_intent
from games.sucker.bot import memory
from games.sucker.bot.hearing import Proposal, find_proposal
from games.sucker.bot.remarks import AGREEING, BEGGING, COUNTERS, FOR_TURN, MUTUAL, OFFERS, read_pile
from games.sucker.bot.situation import Situation
from games.sucker.bot.speaker import Speaker, Speech
from games.sucker.rules.values import GiveMove, Kill, Place, RescueWith, SuckerMove

STRONG: Final = 4
"""The fewest chips that a seat is called strong for."""
OWN_WORDS: Final = {"askTurnWeak": "yesTurn", "askSpare": "yesSpare"}
"""By what a phrase asks for, how the bot says what it promises, rather than only that it agrees."""
FEW: Final = 3
"""The most chips of a seat that calls itself poor."""
DEALS: Final = OFFERS | COUNTERS | MUTUAL.keys() | {"team", "together"}
"""Proposals with two sides; all others only ask for something."""
CHEAP: Final = 2
"""The most chips in a pile that a bot gladly leaves to others."""


def answer(speaker: Speaker, before: Situation, after: Situation, move: SuckerMove | None) -> Speech | None:
    """The answer to what somebody has proposed, with the bot's move if it makes one.

    It follows the move, so its reasons must hold after it. A bot in need has nothing to bargain with, and a
    substitute agrees to nothing in its person's name.
    """
    if after.state.phase == "rescue" and after.state.mover == speaker.seat:
        return None
    proposal = find_proposal(speaker.observation, before)
    if proposal is None:
        return None
    is_heard = proposal.is_phrase or bool(speaker.liveliness)
    if speaker.is_substitute:
        return next(speaker.say("substitute", to=proposal.by), None) if is_heard else None
    if proposal.intent != "askSpare" and _is_capturing(before, after):
        return _put_off(speaker, proposal, after) if isinstance(move, Place) else None
    if not is_heard:
        return None
    agrees = _read_move(proposal, move)
    if agrees is not None:
        answers = (_agree if agrees else _refuse)(speaker, proposal, after)
    else:
        answers = _answer_in_words(speaker, proposal, after, move)
    return next(answers, None)


def _is_capturing(before: Situation, after: Situation) -> bool:
    """Whether the bot has a pile in its hands, of which a chip must die."""
    return any(one.state.phase == "kill" and one.state.mover == one.seat for one in (before, after))


def _put_off(speaker: Speaker, proposal: Proposal, after: Situation) -> Speech | None:
    """That it will answer whoever has a chip in the pile, instead of a friendly word before it kills one."""
    has_chip = proposal.by in after.state.piles[after.state.pile]
    if not has_chip or proposal.intent not in DEALS or speaker.has_said("firstPile", proposal.by, 1):
        return None
    return next(speaker.say("firstPile", to=proposal.by), None)


def refuse_rescue(speaker: Speaker, before: Situation) -> Iterator[Speech]:
    """What a bot says as it refuses to save a seat: nobody lets another one fall without a word.

    It may be the last to answer, so that the seat is out: what it says is true in both cases.
    """
    needy, proposal = before.state.mover, find_proposal(speaker.observation, before)
    is_asked = proposal is not None and proposal.intent in BEGGING
    if not is_asked and (speaker.is_substitute or not speaker.liveliness):
        return
    if is_asked and memory.has_broken(speaker.observation, needy):
        yield from speaker.say("noBroke", to=needy)
    yield from explain_refusal(speaker, needy)


def explain_refusal(speaker: Speaker, needy: int) -> Iterator[Speech]:
    """A word to a seat that it does not save, true whether or not that seat is out by then."""
    if memory.goes_back_on_rescue(speaker.observation, needy):
        yield from speaker.say("noRescueLied", to=needy)
    if memory.has_saved(speaker.observation, needy):
        yield from speaker.say("noRescueAgain", to=needy)
    yield from speaker.say("noRescue", to=needy)


def _read_move(proposal: Proposal, move: SuckerMove | None) -> bool | None:
    """Whether a move does what is proposed; None if it says nothing about it."""
    intent = proposal.intent
    match move:
        case GiveMove(to=to) if intent in FOR_TURN:
            return to == proposal.by
        case Kill(colour=colour) if intent == "askSpare":
            return colour != proposal.by
        case RescueWith() if intent in BEGGING:
            return True
        case _:
            return None


def _answer_in_words(
    speaker: Speaker, proposal: Proposal, situation: Situation, move: SuckerMove | None
) -> Iterator[Speech]:
    match proposal.intent:
        case "offerTurn" | "threat" | "counterPile" | "askPile":
            yield from _answer_about_pile(speaker, proposal, situation)
        case "offerTurnBack" | "askTurn" | "askTurnBack" | "askTurnWeak" | "pactTurn":
            if proposal.intent == "offerTurnBack" and speaker.find_spoken_for() in (None, proposal.by):
                yield from _ask_for_more(speaker, proposal.by)
            yield from _answer_with_promise(speaker, proposal, situation, "pass_move", move)
        case "offerTurnSpare" | "askSpare" | "pactSpare":
            yield from _answer_with_promise(speaker, proposal, situation, "spare_chips", move)
        case "team":
            yield from _answer_about_leader(speaker, proposal, situation)
        case "together":
            yield from _answer_about_side(speaker, proposal, situation)
        case "offerTurnSave" | "pact" | "counterSave" | "needChip":
            yield from _answer_about_rescue(speaker, proposal, situation, move)
        case _:
            return


def _answer_about_pile(speaker: Speaker, proposal: Proposal, situation: Situation) -> Iterator[Speech]:
    by, pile = proposal.by, read_pile(proposal.args)
    if not situation.stands(pile):
        return
    can_take = situation.can_capture(speaker.seat, pile)
    is_cheap = not can_take or situation.height(pile) <= CHEAP
    if proposal.intent == "offerTurn":
        yield from _ask_for_more(speaker, by)
    is_bold = proposal.intent == "threat" and speaker.happens(speaker.temper.boldness)
    if (is_cheap and not is_bold and not speaker.is_wronged_by(by)) or (not is_cheap and speaker.lies()):
        promise = speaker.promise("spare_pile", by, pile=pile)
        if promise is None:
            yield from _affirm(speaker, "spare_pile", by, pile=pile)
        elif situation.find_top(pile) == speaker.seat:
            yield from speaker.say("yesPile", promise=promise, to=by, pile=pile)
        else:
            yield from speaker.say("yesEasy", promise=promise, to=by, pile=pile)
        if promise is not None:
            yield from speaker.say("yes", promise=promise, to=by)
    if can_take and proposal.intent == "threat":
        yield from speaker.say("defy", to=by, pile=pile)
    if can_take:
        yield from speaker.say("noNeed", to=by, pile=pile)
    yield from _refuse(speaker, proposal, situation)


def _affirm(speaker: Speaker, kind: str, by: int, **terms: int) -> Iterator[Speech]:
    """That it has promised this to the seat already, if so: another word would not be another promise."""
    if speaker.has_promised(kind, by, **terms):
        yield from speaker.say("yesAlready", to=by)


def _ask_for_more(speaker: Speaker, by: int) -> Iterator[Speech]:
    """A demand of a bold bot that has been offered the turn."""
    if (
        not speaker.is_wronged_by(by)
        and not speaker.has_pact(by)
        and speaker.happens(speaker.temper.boldness * 0.6)
    ):
        yield from speaker.say("counterSave", to=by)


def _answer_with_promise(
    speaker: Speaker, proposal: Proposal, situation: Situation, kind: str, move: SuckerMove | None
) -> Iterator[Speech]:
    """The answer to whoever wants a promise of this kind.

    A bot that chooses does not speak of a promised choice: it may choose somebody else, as that seat cannot
    be chosen.
    """
    spoken_for = speaker.find_spoken_for() if kind == "pass_move" else None
    if spoken_for is not None and spoken_for != proposal.by:
        if not isinstance(move, GiveMove) and not speaker.is_wronged_by(spoken_for):
            yield from speaker.say("noSpoken", to=proposal.by, other=spoken_for)
        yield from _refuse(speaker, proposal, situation)
        return
    if proposal.is_phrase and speaker.has_promised(kind, proposal.by):
        yield from _affirm(speaker, kind, proposal.by)
        return
    promise = speaker.promise(kind, proposal.by)
    can_agree = promise is not None or speaker.has_promised(kind, proposal.by)
    if can_agree and (not speaker.is_wronged_by(proposal.by) or speaker.lies()):
        if promise is None:
            yield from _affirm(speaker, kind, proposal.by)
        yield from _agree(speaker, proposal, situation, promise)
    yield from _refuse(speaker, proposal, situation)


def _answer_about_leader(speaker: Speaker, proposal: Proposal, situation: Situation) -> Iterator[Speech]:
    enemy, by = proposal.args.get("enemy"), proposal.by
    if not isinstance(enemy, int):
        return
    pile, count = situation.find_capture(by), situation.count_chips(by)
    is_wrong = enemy == speaker.seat or speaker.is_wronged_by(by)
    if enemy != speaker.seat and (is_wrong or speaker.happens(40)):
        if pile is not None and situation.height(pile) > 1:
            yield from speaker.say("noTeam", to=by, other=enemy, pile=pile)
        if situation.is_rich(by) and count >= STRONG:
            yield from speaker.say("noTeamStrong", to=by, other=enemy, count=count)
    if is_wrong:
        yield from _refuse(speaker, proposal, situation)
    yield from _agree(speaker, proposal, situation)


def _answer_about_side(speaker: Speaker, proposal: Proposal, situation: Situation) -> Iterator[Speech]:
    """The answer to a person who looks for friends: not everybody joins at once."""
    by, observation = proposal.by, speaker.observation
    friends = sum(
        message.addressee == by and read_intent(message.key) in AGREEING
        for message in observation.messages[-4:]
    )
    has_promised = any(promise.by == by for promise in observation.promises)
    if speaker.has_promised("save", by):
        yield from _affirm(speaker, "save", by)
        return
    yield from _plead_poverty(speaker, by, situation)
    is_willing = friends < 2 and _is_open_to(speaker, by, situation)
    if is_willing and (has_promised or speaker.happens(speaker.temper.warmth)):
        promise = speaker.promise("save", by)
        if promise is not None:
            yield from speaker.say("yesSide", promise=promise, to=by)
    if not has_promised:
        yield from speaker.say("noSide", to=by)
    yield from _refuse(speaker, proposal, situation)


def _answer_about_rescue(
    speaker: Speaker, proposal: Proposal, situation: Situation, move: SuckerMove | None
) -> Iterator[Speech]:
    by = proposal.by
    if proposal.intent == "counterSave" and isinstance(move, GiveMove) and move.to != by:
        yield from _refuse(speaker, proposal, situation)
    is_wish = proposal.intent == "offerTurnSave" and speaker.wants_turn()  # it gets what it has begged for
    is_willing = _is_open_to(speaker, by, situation) or (is_wish and not speaker.is_wronged_by(by))
    if proposal.is_phrase:
        if speaker.has_promised("save", by):
            yield from _affirm(speaker, "save", by)
            return
        yield from _plead_poverty(speaker, by, situation)
    promise = speaker.promise("save", by)
    can_agree = promise is not None or speaker.has_promised("save", by)
    pile = situation.find_capture(by)
    if proposal.intent == "pact" and is_willing and pile is not None:
        stake = situation.find_capture(by, speaker.seat)
        is_wanted = stake is not None and not speaker.is_promised("spare_pile", by, pile=stake)
        if is_wanted and promise is not None and speaker.happens(speaker.temper.boldness * 0.6):
            yield from speaker.say("counterPile", to=by, pile=stake)
        if situation.height(pile) > CHEAP and speaker.happens(50):
            yield from speaker.say("noPact", to=by, pile=pile)
    is_rich = situation.count_chips(by) >= 2 * situation.count_chips(speaker.seat)
    if proposal.intent == "needChip" and is_rich:
        yield from _refuse(speaker, proposal, situation)
    if can_agree and (is_willing or speaker.lies()):
        if promise is None:
            yield from _affirm(speaker, "save", by)
        elif proposal.intent == "needChip":
            yield from speaker.say("yesChip", promise=promise, to=by)
        yield from _agree(speaker, proposal, situation, promise)
    yield from _refuse(speaker, proposal, situation)


def _plead_poverty(speaker: Speaker, by: int, situation: Situation) -> Iterator[Speech]:
    """That it could save nobody: it holds no prisoner, and too few chips to capture any soon."""
    hand = situation.state.hands[speaker.seat]
    count = sum(hand)
    if count == hand[speaker.seat] and 0 < count <= CHEAP:
        yield from speaker.say("noChips", to=by, count=count)


def _is_open_to(speaker: Speaker, by: int, situation: Situation) -> bool:
    """Whether it has nothing against a pact with a seat, from what everybody knows."""
    warmth = speaker.temper.warmth
    is_ahead = situation.find_leader() == by
    return not speaker.is_wronged_by(by) and speaker.happens(warmth if is_ahead else 35 + warmth // 2)


def _agree(
    speaker: Speaker, proposal: Proposal, situation: Situation, promise: NewPromise | None = None
) -> Iterator[Speech]:
    """Agreement, with a reason that holds for everybody."""
    to = proposal.by
    count, own_count = situation.count_chips(to), situation.count_chips(speaker.seat)
    if speaker.is_reliable(to) and speaker.happens(40):
        yield from speaker.say("yesKept", promise=promise, to=to)
    is_for_turn = proposal.intent in FOR_TURN | {"pactTurn", "offerTurnBack"}
    is_weak = is_for_turn and 0 < count < own_count and (situation.is_poor(to) or count <= CHEAP)
    if is_weak and speaker.happens(60):
        yield from speaker.say("yesWeak", promise=promise, to=to, count=count)
    if promise is not None and proposal.is_phrase and proposal.intent in OWN_WORDS:
        yield from speaker.say(OWN_WORDS[proposal.intent], promise=promise, to=to)
    if proposal.intent in DEALS and speaker.happens(50):
        yield from speaker.say("yesDeal", promise=promise, to=to)
    yield from speaker.say("yes", promise=promise, to=to)
    if is_weak:
        yield from speaker.say("yesWeak", promise=promise, to=to, count=count)


def _refuse(speaker: Speaker, proposal: Proposal, situation: Situation) -> Iterator[Speech]:
    """A refusal, with a reason that holds for everybody and has to do with what was proposed."""
    to, intent = proposal.by, proposal.intent
    count, own_count = situation.count_chips(to), situation.count_chips(speaker.seat)
    if memory.has_broken(speaker.observation, to):
        yield from speaker.say("noBroke", to=to)
    pile = situation.find_capture(to)
    if pile is not None and situation.height(pile) > 1:
        if intent in FOR_TURN:
            yield from speaker.say("noCapture", to=to, pile=pile)
        elif intent in MUTUAL:
            yield from speaker.say("noPact", to=to, pile=pile)
    is_for_help = intent in FOR_TURN or intent in ("needChip", "pact", "counterSave", "offerTurnSave")
    if is_for_help and count >= max(own_count, STRONG) and speaker.happens(70):
        if situation.is_rich(to):
            yield from speaker.say("noStrong", to=to, count=count)
        elif situation.find_leader() == to:
            yield from speaker.say("noLeader", to=to)
    if intent in ("needChip", "pact", "counterSave") and 0 < own_count <= FEW and speaker.happens(60):
        yield from speaker.say("noChips", to=to, count=own_count)
    yield from _decline(speaker, proposal, situation)


def _decline(speaker: Speaker, proposal: Proposal, situation: Situation) -> Iterator[Speech]:
    """A refusal without a reason, in words that fit what is refused: a deal, a favour or a demand."""
    to, intent, pile = proposal.by, proposal.intent, read_pile(proposal.args)
    if intent == "threat" and situation.stands(pile):
        yield from speaker.say("noHands", to=to, pile=pile)
    elif intent == "askSpare":
        yield from speaker.say("noSpare", to=to)
    elif speaker.happens(50):
        has_terms = intent in DEALS and intent != "together"
        yield from speaker.say("noDeal" if has_terms else "noAsk", to=to)
    yield from speaker.say("no", to=to)
