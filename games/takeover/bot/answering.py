"""What a character answers to what others ask of it, with a reason that is true of the position."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, cast

from msgspec.structs import replace

from games.api import Argument, NewPromise, Observation, OneOf, PromptId, Remark, Seat, Spoken
from games.kit.observations import part
from games.kit.promises import list_open
from games.kit.wordings import Meaning
from games.takeover.bot import bargaining
from games.takeover.bot.evaluation import may_lose_now
from games.takeover.bot.memory import Wrong, is_threat, list_open_promises
from games.takeover.bot.observation import NUMBER
from games.takeover.bot.situation import CERTAIN, PROBABLE, Situation, number_of
from games.takeover.bot.voice import (
    find_last_asked,
    find_proposal,
    has_been_answered,
    has_lapsed,
    intent_of,
    list_declined,
    list_said,
    list_unanswered,
)
from games.takeover.rules.values import NAMES, SUITS, Coin, Draft, Holdings, Propose, Stage

MAX_PRICE: Final = 5
"""The highest price that a character asks for a stock."""
PATIENCE: Final = 15_000
"""A person's phrase is answered within this time, in milliseconds, or not at all."""
STANDS_FOR: Final = 40_000
"""What a person says yes or no to was proposed within this time, in milliseconds."""
MOOT: Final = 25
"""How often, in percent, it says that a request has settled itself."""
ANSWERS_BACK: Final = 60
"""How often, in percent, it takes a threat against what may be its stock as one."""
DENIES: Final = 3
"""A character denies having a stock once in this many times that it would rather not be honest."""


ANNOUNCED: Final = frozenset({"askSell", "offerSale", "sellYes", "sellPrice"})
"""The intents that announce an offer at a price."""
PLEAS: Final = frozenset({"askSpare", "offerPact"})
"""The intents that ask to spare a company."""
VERDICTS: Final = frozenset({"say.deal", "say.noDeal", "say.tooMuch"})
"""Phrases that answer whoever has proposed something."""


class Speech(NamedTuple):
    """A remark, with what its speaker promises and offers at the same time."""

    remark: Remark
    promise: NewPromise | None = None
    offer: tuple[PromptId, Propose] | None = None


Answer = Callable[[Situation, Spoken], Speech | None]


def answer_next(situation: Situation, *, has_moved: bool) -> Speech | None:
    """An answer to the first thing that still needs one.

    With its own move, it neither makes an offer nor says that something has settled itself.
    """
    for message in list_unanswered(situation.observation):
        speech = _answer(situation, message)
        if speech is None:
            continue
        if has_moved and speech.offer is not None:
            continue
        if intent_of(speech.remark.key) == "moot" and (has_moved or not situation.happens("moot", MOOT)):
            continue
        return speech
    return None


def _answer(situation: Situation, message: Spoken) -> Speech | None:
    intent = intent_of(message.key)
    if situation.character.is_substitute:
        is_request = intent in ANSWERS and message.addressee == situation.seat
        return _just(situation.say("substitute", to=message.seat)) if is_request else None
    if not message.bot:
        if intent not in PHRASES or not situation.is_fresh(message.at, PATIENCE):
            return None
        is_answered = message.addressee is None and has_been_answered(situation.observation, message)
        return None if is_answered and intent not in VERDICTS else PHRASES[intent](situation, message)
    return ANSWERS[intent](situation, message) if intent in ANSWERS else None


def _just(remark: Remark | None) -> Speech | None:
    return None if remark is None else Speech(remark)


def _promise(situation: Situation, intent: str, kind: str, to: int, coin: str) -> Speech | None:
    """Promises something about a company on its next turn in these words, or says why it gives no promise."""
    terms: dict[str, int | str] = {"coin": coin, "turn": situation.number}
    promise = situation.make_promise(kind, (to,), **terms)
    if promise is not None:
        remark = situation.say(intent, to=to, coin=coin)
        return None if remark is None else Speech(remark, promise)
    if situation.has_promised(kind, (to,), **terms):
        return _just(situation.say("promised", to=to, coin=coin))
    return None if situation.can_promise() else _just(situation.say("noMore", to=to))


def _coin(message: Spoken, name: str = "coin") -> str:
    return str(message.args[name])


# --- sparing a company ---


def _answer_spare(situation: Situation, message: Spoken) -> Speech | None:
    return _answer_about(situation, message.seat, _coin(message), can_counter=True)


def _answer_about(situation: Situation, to: int, coin: str, *, can_counter: bool) -> Speech | None:
    """Promises not to cover a company, asks for something in return, or says why not."""
    refusal = _refuse_to_spare(situation, to, coin)
    if refusal is not None:
        return _just(situation.say(refusal.intent, **refusal.args))
    is_bold = situation.happens("counter", situation.character.temper.boldness)
    if can_counter and is_bold and situation.can_cover(coin):
        speech = _offer_pact(situation, to, coin)
        if speech is not None:
            return speech
    return _promise_to_spare(situation, "yesSpare", to, coin)


def answer_plea_for(situation: Situation, to: int, coin: str) -> Speech | None:
    """What it says to a person who has named a company as theirs.

    It asks for nothing in return if the stock may be its own: what it could ask for would depend on that.
    """
    return _answer_about(situation, to, coin, can_counter=not situation.may_own(coin))


def answer_threat(situation: Situation, to: int, coin: str) -> Speech | None:
    """Answers back, or makes light of it.

    Only what everybody knows decides about that: anybody may threaten at no cost, so whether it has the stock
    must not show. It offers nothing for it, since a pact about a stock that it does not have would be false.
    """
    answers_back = situation.may_own(coin) and situation.happens("answerBack", ANSWERS_BACK)
    return _just(situation.say("threatened" if answers_back else "unmoved", to=to, coin=coin))


def _offer_pact(situation: Situation, to: int, coin: str) -> Speech | None:
    """Asks to spare one of its own companies in return for sparing this one."""
    endangered = (other for other in situation.list_endangered() if other != coin)
    own_coin = next((other for other in endangered if situation.can_be_covered_by(to, other)), None)
    return None if own_coin is None else _just(situation.say("offerPact", to=to, yours=coin, mine=own_coin))


def _promise_to_spare(situation: Situation, intent: str, to: int, coin: str) -> Speech | None:
    return _promise(situation, intent, "spare", to, coin)


def give_back(situation: Situation, to: int) -> Speech | None:
    """Spares what probably belongs to a person who has promised to spare something, if it is worth sparing.

    Not what it wants covered, or what others seem to hold.
    """
    coin = situation.guess_openly(to, PROBABLE)
    if coin is None or situation.is_distrusted(to) or situation.wants_to_cover(coin):
        return None
    has_asked = any(said.args["coin"] == coin for said in list_said(situation.observation, "askCover"))
    others = (seat for seat in range(situation.table.seats) if seat not in (to, situation.seat))
    is_theirs = any(situation.shows_interest(seat, coin) for seat in others)
    if has_asked or is_theirs:
        return None
    speech = _promise_to_spare(situation, "backSpare", to, coin)
    return None if speech is None or speech.promise is None else speech


def _refuse_to_spare(situation: Situation, to: int, coin: str) -> Meaning | None:
    """Why the character does not promise to spare a company; None if it does.

    Some promise it although they want to cover it.
    """
    about: Mapping[str, Argument] = {"to": to, "coin": coin}
    if not situation.stands(coin):
        return Meaning("justCovered" if situation.covers(coin) else "moot", about)
    if situation.is_distrusted(to):
        return _refuse_trust(situation, to)
    if not situation.wants_to_cover(coin) or not situation.is_honest():
        return None
    gain = situation.immediate_gain(coin)
    return Meaning("noSpareGain" if gain is not None and gain > 0 else "noSparePlan", about)


def _refuse_trust(situation: Situation, to: int) -> Meaning:
    """Names whom that seat has deceived, if it was not this one."""
    broken = [
        promise
        for promise in situation.observation.promises
        if promise.by == to and promise.judgement == "broken" and not promise.excused
    ]
    victims = [seat for promise in broken for seat in promise.to]
    if situation.seat in victims or any(not promise.to for promise in broken) or not victims:
        return Meaning("noTrust", {"to": to})
    return Meaning("noTrustOther", {"to": to, "other": victims[-1]})


def _answer_pact(situation: Situation, message: Spoken) -> Speech | None:
    to, theirs, offered_coin = message.seat, _coin(message, "mine"), _coin(message, "yours")
    refusal = _refuse_to_spare(situation, to, theirs)
    if not situation.stands(offered_coin):
        counter = (
            _offer_pact(situation, to, theirs) if refusal is None and situation.can_cover(theirs) else None
        )
        return counter or _just(situation.say("moot", to=to, coin=offered_coin))
    if refusal is not None:
        return _just(situation.say(refusal.intent, **refusal.args))
    if not situation.owns(offered_coin):
        return _just(situation.say("noPact", to=to, coin=offered_coin))
    if not situation.can_be_covered_by(to, offered_coin):
        return _just(situation.say("noPactReach", to=to, coin=offered_coin))
    return _promise_to_spare(situation, "yesPact", to, theirs)


def _seal_pact(situation: Situation, message: Spoken) -> Speech | None:
    """Gives the promise that it has offered for another, unless the company to be spared is gone."""
    if not situation.stands(_coin(message)):
        return _just(situation.say("moot", to=message.seat, coin=_coin(message)))
    return seal(situation, message.seat, _coin(message))


def seal(situation: Situation, to: int, spared: str) -> Speech | None:
    """Gives a seat that spares this company the promise that it has offered for it; None if it has not."""
    offers = list_said(situation.observation, "offerPact", to)
    coin = next((_coin(said, "yours") for said in offers if said.args["mine"] == spared), None)
    if coin is None:
        return None
    if not situation.stands(coin):
        return _just(situation.say("moot", to=to, coin=coin))
    return _promise_to_spare(situation, "sealPact", to, coin)


# --- covering a company ---


def _answer_cover(situation: Situation, message: Spoken) -> Speech | None:
    """Promises it, or says why not. Of its own stock it does not say that it is its own."""
    to, coin = message.seat, _coin(message)
    if not situation.stands(coin):
        return _just(situation.say("didCover" if situation.covers(coin) else "moot", to=to, coin=coin))
    gain = situation.immediate_gain(coin)
    if gain is None:
        return _just(situation.say("noCoverReach", to=to, coin=coin))
    if situation.wants_to_cover(coin):
        return _promise(situation, "yesCover", "cover", to, coin)
    if gain <= 0:
        return _just(situation.say("noCoverGain", to=to, coin=coin))
    return _just(situation.say("noCoverBetter", to=to, coin=coin))


# --- selling a stock ---


def _answer_sale(situation: Situation, message: Spoken) -> Speech | None:
    to, coin, value = message.seat, _coin(message), int(str(message.args["value"]))
    denies = not situation.is_honest() and not situation.dice.below("deny", DENIES)
    if denies or not situation.owns(coin):
        return _just(situation.say("sellNone", to=to, coin=coin))
    stock = (Coin(NAMES[number_of(coin)], True),)
    least = value + (situation.happens("price", situation.character.temper.boldness) and value < MAX_PRICE)
    for price in range(least, MAX_PRICE + 1):
        if situation.evaluator.rate_if_good(to, stock, (Coin(NAMES[price], False),)) is not None:
            if price == value:
                return _just(situation.say("sellYes", to=to, coin=coin, value=price))
            return _just(situation.say("sellPrice", to=to, coin=coin, value=price))
    return _just(situation.say("sellKeep", to=to, coin=coin))


def _buy(situation: Situation, message: Spoken) -> Speech | None:
    """Offers what was agreed, or says that it will not.

    Its words are the same whether it has too little cash or gets too little for it: its cash is its secret.
    """
    to, coin, price = message.seat, _coin(message), int(str(message.args["value"]))
    refusal = "noThanks" if intent_of(message.key) == "offerSale" else "noBuy"
    stock = Coin(NAMES[number_of(coin)], True)
    if not situation.stands(coin):
        return _just(situation.say("moot", to=to, coin=coin))
    if situation.has_offered_for(to, coin):
        return _just(situation.say("buy", to=to, coin=coin))
    payment = bargaining.make_payment(situation.table, price)
    is_good = payment and situation.evaluator.rate_if_good(to, payment, (stock,)) is not None
    if is_good and not situation.table.wait:
        return None  # it makes no offers on its own turn
    trade = find_trade(situation, to)
    if is_good and trade is not None:
        remark = situation.say("buy", to=to, coin=coin)
        move = Propose(to, tuple(paid.name for paid in payment), (stock.name,))
        return None if remark is None else Speech(remark, None, (trade, move))
    return _just(situation.say(refusal, to=to, coin=coin))


def find_trade(situation: Situation, to: int) -> PromptId | None:
    """The prompt to make this seat an offer, if the seat may and is not waiting for an answer from it."""
    for prompt in situation.observation.prompts:
        for choice in situation.observation.choices.get(prompt.id, ()) if prompt.kind == "trade" else ():
            domain = choice.fields["to"]
            if isinstance(domain, OneOf) and to in domain.of:
                return prompt.id
    return None


# --- passing ---


def _answer_pass(situation: Situation, message: Spoken) -> Speech | None:
    """The one answer of the table: that it passes as well, or why it goes on, but not with which company.

    A seat that has passed or is merging has answered by that.
    """
    to, best = message.seat, situation.best
    if situation.has_passed() or situation.is_merging() or situation.is_merged_since(message.at):
        return None
    if has_been_answered(situation.observation, message):
        return None
    if best is not None:
        return _just(situation.say("noPass", to=to))
    if may_lose_now(situation.table):
        return _just(situation.say("noPassBehind", to=to))
    if any(promise.kind == "pass" for promise in list_open_promises(situation.observation)):
        return None
    promise = situation.make_promise("pass", (), turn=situation.number)
    remark = situation.say("yesPass", to=to)
    return None if promise is None or remark is None else Speech(remark, promise)


# --- what people say in phrases ---


def _answer_plea(situation: Situation, message: Spoken) -> Speech | None:
    """Promises to spare a person's company if it is known, or the one that is most probably theirs."""
    coin = situation.guess_openly(message.seat, CERTAIN)
    if coin is not None:
        return answer_plea_for(situation, message.seat, coin)
    guess = situation.guess_openly(message.seat)
    if guess is not None and _refuse_to_spare(situation, message.seat, guess) is None:
        speech = _promise_to_spare(situation, "yesGuess", message.seat, guess)
        if speech is not None:
            return speech
    return _just(situation.say("whichOne", to=message.seat))


def _answer_wish_for_offer(situation: Situation, message: Spoken) -> Speech | None:
    """Makes the offer that a seat has announced to this person; without one, any that is good."""
    said = find_last_asked(situation.observation, message, ANNOUNCED)
    if said is None or not _is_to_come(situation, said):
        return _answer_wish(situation, message)
    if said.seat != situation.seat:
        return None  # whoever has announced an offer makes it
    if intent_of(said.key) == "askSell":
        return _buy(situation, replace(said, seat=message.seat))
    return _sell(situation, message.seat, _coin(said), int(str(said.args["value"])))


def _is_to_come(situation: Situation, said: Spoken) -> bool:
    """Whether the trade that a seat has announced may still follow, for all that this seat knows."""
    coin = _coin(said)
    if not situation.stands(coin):
        return False
    is_purchase = intent_of(said.key) == "askSell"
    return said.seat != situation.seat or situation.owns(coin) is not is_purchase


def _answer_wish(situation: Situation, message: Spoken) -> Speech | None:
    """Makes an offer to whoever asks for one, if there is a good one."""
    to = message.seat
    trade = find_trade(situation, to)
    if trade is not None and situation.table.wait:
        proposal = bargaining.choose_proposal(
            situation.evaluator,
            (to,),
            situation.dice,
            declined=list_declined(situation.observation),
            null_holders=list_null_holders(situation.observation),
        )
        remark = situation.say("offerMade", to=to)
        if proposal is not None and remark is not None:
            return Speech(remark, None, (trade, proposal.move))
    return _just(situation.say("noOffer", to=to))


def list_null_holders(observation: Observation) -> frozenset[int]:
    """The people who have been seen to take a 0 coin: they do not want to be offered another."""
    picks = part(observation, "draft", Draft).picks
    return frozenset(pick.seat for pick in picks if not pick.value and pick.seat in observation.people)


def _answer_need_for_null(situation: Situation, message: Spoken) -> Speech | None:
    """Offers a 0 coin, or says why not.

    Leaves the answer to those who were seen to take one, if there are any.
    """
    others = [seat for seat in range(situation.table.seats) if seat != message.seat]
    is_asked = situation.has_picked_null(situation.seat) or not any(map(situation.has_picked_null, others))
    if not is_asked:
        return None
    to, nulls = message.seat, situation.table.purse.nulls
    if part(situation.observation, "holdings", Holdings).spent.count(0) == len(SUITS):
        return _just(situation.say("noNullLeft", to=to))
    trade = find_trade(situation, to)
    coins = tuple(coin for coin in situation.table.hand if NUMBER[coin.name] in nulls[:1])
    for price in range(1, MAX_PRICE + 1) if coins and trade is not None and situation.table.wait else ():
        cash = (Coin(NAMES[price], False),)
        if situation.evaluator.rate_if_good(to, coins, cash) is not None:
            move = Propose(to, tuple(coin.name for coin in coins), (f"{price}+",))
            remark = situation.say("offerMade", to=to)
            if remark is not None and move not in list_declined(situation.observation):
                return Speech(remark, None, (cast(PromptId, trade), move))
    return _just(situation.say("noNull", to=to))


def _accept(situation: Situation, message: Spoken) -> Speech | None:
    """What follows from a person's yes to what it has proposed, unless that person has hurt it since."""
    proposal = _find_fresh_proposal(situation, message)
    if proposal is None or _is_wronged_since(situation, message):
        return None
    wrong = _find_wrong_since(situation, message.seat, proposal)
    if wrong is not None:
        return _just(_complain(situation, wrong, proposal))
    match intent_of(proposal.key):
        case "offerPact":
            return _honour_pact(situation, proposal, message)
        case "askSell":
            return _buy(situation, replace(proposal, seat=message.seat))
        case "offerSale" | "sellYes" | "sellPrice":
            return _sell(situation, message.seat, _coin(proposal), int(str(proposal.args["value"])))
        case "askSpare" | "askCover" as intent:
            return _ask_for_word(situation, message.seat, intent, _coin(proposal))
        case _:
            return _just(situation.say("heard", to=message.seat))


def _honour_pact(situation: Situation, proposal: Spoken, message: Spoken) -> Speech | None:
    """Gives the promise that it has offered, if it still gets something for it, or says why not."""
    to, offered_coin, own_coin = message.seat, _coin(proposal, "yours"), _coin(proposal, "mine")
    if has_lapsed(situation.observation, proposal, message):
        return _just(situation.say("tooLate", to=to))
    if not situation.stands(own_coin):
        return _just(situation.say("moot", to=to, coin=own_coin))
    refusal = _refuse_to_spare(situation, to, offered_coin)
    if refusal is not None:
        return _just(situation.say(refusal.intent, **refusal.args))
    if not situation.owns(own_coin):
        return _just(situation.say("noPact", to=to, coin=own_coin))
    if not situation.can_be_covered_by(to, own_coin):
        return _just(situation.say("noPactReach", to=to, coin=own_coin))
    return _promise_to_spare(situation, "sealPact", to, offered_coin)


def _ask_for_word(situation: Situation, to: int, intent: str, coin: str) -> Speech | None:
    """Asks for the promise that a yes to this request is not yet, unless it has been made or is pointless."""
    if not situation.stands(coin):
        return None
    kind = "spare" if intent == "askSpare" else "cover"
    promises = list_open(situation.observation.promises, Seat(to))
    is_made = any(promise.kind == kind and promise.terms["coin"] == coin for promise in promises)
    return _just(situation.say("heard" if is_made else "askWord", to=to))


def _sell(situation: Situation, to: int, coin: str, price: int) -> Speech | None:
    """Sends the offer to which a person has said yes."""
    if not situation.owns(coin):
        return _just(situation.say("moot", to=to, coin=coin)) if not situation.stands(coin) else None
    if not situation.table.wait:
        return None
    trade, stock = find_trade(situation, to), Coin(NAMES[number_of(coin)], True)
    cash = (Coin(NAMES[price], False),)
    if trade is None or situation.evaluator.rate_if_good(to, (stock,), cash) is None:
        return _just(situation.say("sellKeep", to=to, coin=coin))
    remark = situation.say("offerMade", to=to)
    return (
        None if remark is None else Speech(remark, None, (trade, Propose(to, (stock.name,), (f"{price}+",))))
    )


def _reject(situation: Situation, message: Spoken) -> Speech | None:
    """What it says to a person's no: a lower price for its stock, or that it respects that."""
    proposal = _find_fresh_proposal(situation, message)
    is_about_price = intent_of(message.key) == "say.tooMuch"
    if proposal is None or (is_about_price and "value" not in proposal.args):
        return None
    if _is_wronged_since(situation, message):
        return None
    to = message.seat
    if is_about_price and intent_of(proposal.key) in ("offerSale", "sellPrice"):
        coin, price = _coin(proposal), int(str(proposal.args["value"])) - 1
        stock = (Coin(NAMES[number_of(coin)], True),)
        if price > 0 and situation.owns(coin):
            if situation.evaluator.rate_if_good(to, stock, (Coin(NAMES[price], False),)) is not None:
                return _just(situation.say("sellPrice", to=to, coin=coin, value=price))
            return _just(situation.say("sellKeep", to=to, coin=coin))
    return _just(situation.say("asYouLike", to=to))


def _find_fresh_proposal(situation: Situation, message: Spoken) -> Spoken | None:
    """What the message says yes or no to; None if it must be about something else, such as an offer."""
    proposal = find_proposal(situation.observation, message)
    return proposal if proposal is not None and message.at - proposal.at <= STANDS_FOR else None


def _answer_haste(situation: Situation, message: Spoken) -> Speech | None:
    is_theirs = part(situation.observation, "stage", Stage).turn == message.seat
    return _just(situation.say("yourTurn" if is_theirs else "patience", to=message.seat))


def _answer_with(intent: str) -> Answer:
    """Answers a phrase that asks for nothing with words alone."""
    return lambda situation, message: _just(situation.say(intent, to=message.seat))


def _is_wronged_since(situation: Situation, message: Spoken) -> bool:
    return any(wrong.by == message.seat and wrong.at >= message.at for wrong in situation.memory.wrongs)


def _find_wrong_since(situation: Situation, seat: int, proposal: Spoken) -> Wrong | None:
    """The last wrong that a seat has done to it since it proposed something to that seat."""
    wrongs = reversed(situation.memory.wrongs)
    return next((wrong for wrong in wrongs if wrong.by == seat and wrong.at > proposal.at), None)


def _complain(situation: Situation, wrong: Wrong, proposal: Spoken) -> Remark | None:
    """What it says instead of dealing with a seat that has wronged it, whether it has complained or not."""
    if wrong.broken or wrong.coin is None:
        refusal = _refuse_trust(situation, wrong.by)
        return situation.say(refusal.intent, **refusal.args)
    has_complained = any(
        said.seat == situation.seat and said.addressee == wrong.by and said.at >= wrong.at
        for said in situation.observation.messages
    )
    if not has_complained:
        return situation.say("reproachCovered", to=wrong.by, coin=wrong.coin)
    intent = "moot" if wrong.coin in proposal.args.values() else "noDealAfter"
    return situation.say(intent, to=wrong.by, coin=wrong.coin)


def _thank(situation: Situation, message: Spoken) -> Speech | None:
    """Gives its own word in return, if it can, or says that it has heard, unless it has been hurt since.

    It doubts whoever has broken a promise. If a seat has asked for that word, only that seat answers.
    """
    asked = find_last_asked(situation.observation, message, PLEAS)
    if asked is not None and asked.seat != situation.seat:
        return None
    if _is_wronged_since(situation, message):
        return None
    for promise in list_open(situation.observation.promises, message.seat):
        if is_threat(situation.observation, promise):
            return _just(situation.say("butCover", to=message.seat, coin=str(promise.terms["coin"])))
    if situation.is_distrusted(message.seat):
        return _just(situation.say("doubt", to=message.seat))
    return give_back(situation, message.seat) or _just(situation.say("thanksWord", to=message.seat))


ANSWERS: Final[Mapping[str, Answer]] = {
    "askSpare": _answer_spare,
    "offerPact": _answer_pact,
    "yesPact": _seal_pact,
    "askCover": _answer_cover,
    "askSell": _answer_sale,
    "offerSale": _buy,
    "sellYes": _buy,
    "sellPrice": _buy,
    "askPass": _answer_pass,
}
PHRASES: Final[Mapping[str, Answer]] = {
    "say.spareMine": _answer_plea,
    "say.iWillSpare": _thank,
    "say.letUsPass": _answer_pass,
    "say.makeAnOffer": _answer_wish_for_offer,
    "say.needCash": _answer_wish,
    "say.needNull": _answer_need_for_null,
    "say.deal": _accept,
    "say.noDeal": _reject,
    "say.tooMuch": _reject,
    "say.wellPlayed": _answer_with("praiseBack"),
    "say.hostile": _answer_with("shrug"),
    "say.oops": _answer_with("comfort"),
    "say.hurry": _answer_haste,
}
