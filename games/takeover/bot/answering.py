"""What a character answers to what others ask of it, with a reason that is true of the position."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from games.api import NewPromise, OneOf, PromptId, Remark, Spoken
from games.kit.wordings import read_intent
from games.takeover.bot import bargaining
from games.takeover.bot.situation import Situation, number_of
from games.takeover.bot.voice import has_been_answered, list_said, list_unanswered
from games.takeover.rules.values import NAMES, Coin, Propose

MAX_PRICE: Final = 5
"""The highest price that a character asks for a stock."""
MOOT: Final = 25
"""How often, in percent, it says that a request has settled itself."""
DENIES: Final = 3
"""A character denies having a stock once in this many times that it would rather not be honest."""


class Speech(NamedTuple):
    """A remark, with what its speaker promises and offers at the same time."""

    remark: Remark
    promise: NewPromise | None = None
    offer: tuple[PromptId, Propose] | None = None


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
        if read_intent(speech.remark.key) == "moot" and (has_moved or not situation.happens("moot", MOOT)):
            continue
        return speech
    return None


def _answer(situation: Situation, message: Spoken) -> Speech | None:
    intent = read_intent(message.key)
    if situation.character.is_substitute:
        is_request = intent in ANSWERS and message.addressee == situation.seat
        return _just(situation.say("substitute", to=message.seat)) if is_request else None
    if not message.bot:
        answer = PHRASES.get(message.key)
        is_answered = message.addressee is None and has_been_answered(situation.observation, message)
        if answer is None or (is_answered and message.key != PASSING):
            return None
        return answer(situation, message)
    return ANSWERS[intent](situation, message) if intent in ANSWERS else None


def _just(remark: Remark | None) -> Speech | None:
    return None if remark is None else Speech(remark)


def _with(remark: Remark | None, promise: NewPromise | None) -> Speech | None:
    """The remark together with the promise that it announces; None if either is impossible."""
    return None if remark is None or promise is None else Speech(remark, promise)


def _coin(message: Spoken, name: str = "coin") -> str:
    return str(message.args[name])


# --- sparing a company ---


def _answer_spare(situation: Situation, message: Spoken) -> Speech | None:
    return _answer_about(situation, message.seat, _coin(message), can_counter=True)


def _answer_about(situation: Situation, to: int, coin: str, *, can_counter: bool) -> Speech | None:
    """Promises not to cover a company, asks for something in return, or says why not."""
    refusal = _refuse_to_spare(situation, to, coin)
    if refusal is not None:
        return Speech(refusal)
    if can_counter and situation.happens("counter", situation.character.temper.boldness):
        own_coin = next((other for other in situation.list_endangered() if other != coin), None)
        if own_coin is not None:
            speech = _just(situation.say("offerPact", to=to, yours=coin, mine=own_coin))
            if speech is not None:
                return speech
    return _promise_to_spare(situation, "yesSpare", to, coin)


def _promise_to_spare(situation: Situation, intent: str, to: int, coin: str) -> Speech | None:
    turn = situation.number
    promise = situation.make_promise("spare", (to,), coin=coin, turn=turn)
    return _with(situation.say(intent, to=to, coin=coin, turn=turn), promise)


def _refuse_to_spare(situation: Situation, to: int, coin: str) -> Remark | None:
    """Why the character does not promise to spare a company; None if it does.

    Some promise it although they want to cover it.
    """
    if not situation.stands(coin):
        return situation.say("moot", to=to, coin=coin)
    if situation.is_distrusted(to):
        return situation.say("noTrust", to=to)
    if not situation.wants_to_cover(coin) or not situation.is_honest():
        return None
    gain = situation.immediate_gain(coin)
    if gain is not None and gain > 0:
        return situation.say("noSpareGain", to=to, coin=coin, count=gain)
    return situation.say("noSparePlan", to=to, coin=coin)


def _answer_pact(situation: Situation, message: Spoken) -> Speech | None:
    to, theirs, offered_coin = message.seat, _coin(message, "mine"), _coin(message, "yours")
    if not situation.stands(offered_coin):
        return _just(situation.say("moot", to=to, coin=offered_coin))
    refusal = _refuse_to_spare(situation, to, theirs)
    if refusal is not None:
        return Speech(refusal)
    if not situation.owns(offered_coin):
        return _just(situation.say("noPact", to=to, coin=offered_coin))
    return _promise_to_spare(situation, "yesPact", to, theirs)


def _seal_pact(situation: Situation, message: Spoken) -> Speech | None:
    """Gives the promise that it has offered for another."""
    offers = list_said(situation.observation, "offerPact", message.seat)
    coin = next((_coin(said, "yours") for said in offers if said.args["mine"] == message.args["coin"]), None)
    if coin is None:
        return None
    if not situation.stands(coin):
        return _just(situation.say("moot", to=message.seat, coin=coin))
    return _promise_to_spare(situation, "sealPact", message.seat, coin)


# --- covering a company ---


def _answer_cover(situation: Situation, message: Spoken) -> Speech | None:
    to, coin, turn = message.seat, _coin(message), situation.number
    if not situation.stands(coin):
        return _just(situation.say("moot", to=to, coin=coin))
    if situation.owns(coin):
        return _just(situation.say("noCoverMine", to=to, coin=coin))
    gain = situation.immediate_gain(coin)
    if gain is None:
        return _just(situation.say("noCoverReach", to=to, coin=coin))
    if situation.wants_to_cover(coin):
        promise = situation.make_promise("cover", (to,), coin=coin, turn=turn)
        return _with(situation.say("yesCover", to=to, coin=coin, turn=turn), promise)
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
    """Offers what was agreed, or says that it will not."""
    to, coin, price = message.seat, _coin(message), int(str(message.args["value"]))
    stock = Coin(NAMES[number_of(coin)], True)
    if not situation.stands(coin):
        return _just(situation.say("moot", to=to, coin=coin))
    if price > situation.cash():
        return _just(situation.say("tooDear", to=to, coin=coin, value=price))
    payment = bargaining.make_payment(situation.table, price)
    is_good = payment and situation.evaluator.rate_if_good(to, payment, (stock,)) is not None
    if is_good and not situation.table.wait:
        return None  # it makes no offers on its own turn
    trade = find_trade(situation, to)
    if is_good and trade is not None:
        remark = situation.say("buy", to=to, coin=coin)
        move = Propose(to, tuple(paid.name for paid in payment), (stock.name,))
        return None if remark is None else Speech(remark, None, (trade, move))
    return _just(situation.say("noBuy", to=to, coin=coin))


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
    to, best, turn = message.seat, situation.best, situation.number
    if best is not None:
        coin = NAMES[situation.table.stacks.tops[best.source]]
        return _just(situation.say("noPass", to=to, coin=coin))
    return _with(situation.say("yesPass", to=to, turn=turn), situation.make_promise("pass", (), turn=turn))


# --- what people say in phrases ---


def _answer_plea(situation: Situation, message: Spoken) -> Speech | None:
    """Guesses which company a person wants to be spared."""
    coin = situation.guess_company(message.seat)
    if coin is None:
        return _just(situation.say("whichOne", to=message.seat))
    return _answer_about(situation, message.seat, coin, can_counter=True)


def _answer_wish(situation: Situation, message: Spoken) -> Speech | None:
    """Makes an offer to whoever asks for one, if there is a good one."""
    to = message.seat
    trade = find_trade(situation, to)
    if trade is not None and situation.table.wait:
        proposal = bargaining.choose_proposal(situation.evaluator, (to,), situation.dice)
        remark = situation.say("offerMade", to=to)
        if proposal is not None and remark is not None:
            return Speech(remark, None, (trade, proposal.move))
    return _just(situation.say("noOffer", to=to))


def _thank(situation: Situation, message: Spoken) -> Speech | None:
    return _just(situation.say("thanksWord", to=message.seat))


PASSING: Final = "takeover.say.letUsPass"
"""The phrase that every bot answers for itself."""
Answer = Callable[[Situation, Spoken], Speech | None]
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
    "takeover.say.spareMine": _answer_plea,
    "takeover.say.iWillSpare": _thank,
    PASSING: _answer_pass,
    "takeover.say.makeAnOffer": _answer_wish,
    "takeover.say.needCash": _answer_wish,
    "takeover.say.needNull": _answer_wish,
}
