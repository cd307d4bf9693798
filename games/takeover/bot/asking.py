"""What a character asks of others, together with its own move."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from games.api import Argument, Remark
from games.kit.observations import part
from games.takeover.bot.bargaining import find_best_profit, make_payment
from games.takeover.bot.evaluation import may_lose_now
from games.takeover.bot.observation import EMPTY, VALUE, ends_by_pass
from games.takeover.bot.situation import CERTAIN, LIKELY, PROBABLE, Situation
from games.takeover.bot.voice import (
    REQUESTS,
    has_begun_to_deal,
    has_declined_to_buy,
    intent_of,
    is_pass_proposed,
    list_said,
)
from games.takeover.rules.values import LAPSES, NAMES, Coin, Passes, Stage

TALL: Final = 3
"""The least height of a stack that a character wants somebody to cover."""
MAX_TALL: Final = 2
"""The number of tall companies of which it speaks."""
FEW: Final = 14
"""A character proposes that all pass once this many companies are left, or somebody else has passed."""
MAX_PRICE: Final = 5
FIRST_ROUND_REQUESTS: Final = 1
"""The number of requests in the first round: there is enough else to read in it."""
MAX_SALES: Final = 2
"""The number of stocks that a character offers for sale in a game."""
MAX_CANDIDATES: Final = 3
"""The number of stocks that it considers buying or selling."""
MAX_REQUESTS: Final = 9
"""The number of requests that a character makes in a game."""
LEAST_CHANCE: Final = 60
"""How often, in percent, even a silent character asks for something with its move."""


class Request(NamedTuple):
    intent: str
    args: Mapping[str, Argument]

    @property
    def to(self) -> int:
        return int(str(self.args["to"]))


def ask(situation: Situation, *, passes: bool) -> Remark | None:
    """A request that makes sense in this position and has not been made, if the character wants to talk.

    It always does until there have been a few answers: at a table of Takeover, people deal.
    """
    if passes and ends_by_pass(situation.observation):
        return None
    if _is_first_round_full(situation):
        return None
    request_count = sum(len(list_said(situation.observation, intent)) for intent in REQUESTS)
    is_silent = has_begun_to_deal(situation.observation) and not situation.happens(
        "ask", LEAST_CHANCE + situation.character.temper.chatter
    )
    if request_count >= MAX_REQUESTS or is_silent:
        return None
    if passes and _may_end(situation):
        if _wants_all_to_pass(situation):
            return situation.say("askPass")
        if has_begun_to_deal(situation.observation):
            return None
    sources = [_list_pleas, _list_pacts, list_attacks]
    if situation.table.seats > 2 and "trades" in situation.observation.sections:
        sources += [_list_purchases, _list_sales]
    requests = [
        request
        for source in situation.dice.shuffle("request", sources)
        for request in source(situation)
        if _is_new(situation, request)
    ]
    requests.sort(key=lambda request: situation.count_pauses(request.to))
    remarks = (situation.say(request.intent, **request.args) for request in requests)
    remark = next((remark for remark in remarks if remark is not None), None)
    if remark is not None or has_begun_to_deal(situation.observation) or _list_sales not in sources:
        return remark
    offers = (situation.say(offer.intent, **offer.args) for offer in _list_any_sales(situation))
    return next((offer for offer in offers if offer is not None), None)


def _is_first_round_full(situation: Situation) -> bool:
    """Whether bots have already asked for as much as people can follow in the first round."""
    if not situation.observation.people:
        return False
    if part(situation.observation, "stage", Stage).number >= situation.table.seats:
        return False
    messages = situation.observation.messages
    return sum(intent_of(message.key) in REQUESTS for message in messages) >= FIRST_ROUND_REQUESTS


def _may_end(situation: Situation) -> bool:
    left = sum(top != EMPTY for top in situation.table.stacks.tops)
    passed = part(situation.observation, "passes", Passes).passed
    return left <= FEW or any(one for seat, one in enumerate(passed) if seat != situation.seat)


def _wants_all_to_pass(situation: Situation) -> bool:
    """Whether it has nothing left to do and would not lose by it, and nobody has proposed it."""
    is_done = situation.best is None and not may_lose_now(situation.table)
    return is_done and not is_pass_proposed(situation.observation)


def has_asked(situation: Situation) -> bool:
    return any(list_said(situation.observation, intent) for intent in REQUESTS)


def _is_new(situation: Situation, request: Request) -> bool:
    return all(said.args != request.args for said in list_said(situation.observation, request.intent))


def _list_pleas(situation: Situation) -> Iterator[Request]:
    """Asks the seats that could cover them next to spare its own companies that are in danger."""
    for coin in situation.list_endangered()[:2]:
        for to in situation.list_others():
            if situation.can_be_covered_by(to, coin):
                yield Request("askSpare", {"to": to, "coin": coin})


def _list_pacts(situation: Situation) -> Iterator[Request]:
    """Offers to spare a company that somebody probably holds for its own: each could cover the other's.

    Whoever has broken their word is offered nothing for it.
    """
    endangered = situation.list_endangered()
    for to in situation.list_others():
        if situation.is_distrusted(to):
            continue
        own_coin = next((coin for coin in endangered if situation.can_be_covered_by(to, coin)), None)
        coin = situation.guess_company(to, PROBABLE)
        if own_coin is None or coin is None or situation.immediate_gain(coin) is None:
            continue
        if not situation.wants_to_cover(coin):
            yield Request("offerPact", {"to": to, "yours": coin, "mine": own_coin})


def list_attacks(situation: Situation) -> Iterator[Request]:
    """Asks the seats that could cover a tall company to do so, those that hardly hold its stock first.

    Whoever is known to hold it, or has let it grow, is not asked, nor whoever has passed or let two turns
    lapse: it may have no more turns. Nobody asks what somebody has already asked.
    """
    passes = part(situation.observation, "passes", Passes)
    asked = {
        (message.args["coin"], message.args["height"])
        for message in situation.observation.messages
        if intent_of(message.key) == "askCover"
    }
    tops, heights = situation.table.stacks
    shares = situation.table.shares
    tall = [
        (heights[square], top)
        for square, top in enumerate(tops)
        if top != EMPTY and heights[square] >= TALL and top not in situation.table.purse.stocks
    ]
    for height, top in sorted(tall, reverse=True)[:MAX_TALL]:
        if (NAMES[top], height) in asked:
            continue
        for to in sorted(situation.list_others(), key=shares[top].__getitem__):
            wants_it = situation.shows_interest(to, NAMES[top]) or shares[top][to] >= CERTAIN
            is_out = passes.passed[to] or passes.lapses[to] >= LAPSES
            if not (wants_it or is_out) and situation.can_be_covered_by(to, NAMES[top]):
                yield Request("askCover", {"to": to, "coin": NAMES[top], "height": height})


def _list_purchases(situation: Situation) -> Iterator[Request]:
    """Asks for stocks at their worth, if they are worth more to it, where they most probably are."""
    tops, heights = situation.table.stacks
    shares, cash = situation.table.shares, situation.cash()
    candidates = []
    for square, top in enumerate(tops):
        if top == EMPTY or top in situation.table.purse.stocks:
            continue
        price = max(1, VALUE[top] + heights[square] - 1)
        to = max(situation.list_others(), key=lambda seat: shares[top][seat])
        if shares[top][to] >= LIKELY / 2 and price <= min(cash, MAX_PRICE):
            candidates.append((shares[top][to], heights[square], top, to, price))
    for _, _, top, to, price in sorted(candidates, reverse=True)[:MAX_CANDIDATES]:
        payment = make_payment(situation.table, price)
        if payment and situation.evaluator.rate_if_good(to, payment, (Coin(NAMES[top], True),)) is not None:
            yield Request("askSell", {"to": to, "coin": NAMES[top], "value": price})


def _list_any_sales(situation: Situation) -> Iterator[Request]:
    """Offers of whatever it could sell, for want of anything else to ask at a new table."""
    return (request for request in _list_sales(situation, is_choosy=False) if _is_new(situation, request))


def _list_sales(situation: Situation, *, is_choosy: bool = True) -> Iterator[Request]:
    """Offers stocks that could cover others with profit, for what they are worth or a little more.

    Whoever has declined to buy is not asked again.
    """
    tops, heights = situation.table.stacks
    buyers = situation.dice.shuffle("buyer", situation.list_others()[:2])
    owned_tops = [
        (heights[square], top)
        for square, top in enumerate(tops)
        if top in situation.table.purse.stocks
        and 1 < VALUE[top] + heights[square] <= MAX_PRICE
        and (not is_choosy or find_best_profit(situation.table, square) > 1)
    ]
    if is_choosy and len(list_said(situation.observation, "offerSale")) >= MAX_SALES:
        return
    for height, top in sorted(owned_tops, reverse=True)[:MAX_CANDIDATES]:
        worth, stock = VALUE[top] + height - 1, (Coin(NAMES[top], True),)
        for to in buyers:
            if is_choosy and has_declined_to_buy(situation.observation, to):
                continue
            for price in (worth, worth + 1):
                if situation.evaluator.rate_if_good(to, stock, (Coin(NAMES[price], False),)) is not None:
                    yield Request("offerSale", {"to": to, "coin": NAMES[top], "value": price})
                    break
