"""The value of trades to a seat, and the trades it proposes.

The value of a hand does not depend on what it was traded for: it is the hand's current worth plus its
prospects. A seat trades only if its hand becomes clearly more valuable, so however often it trades within a
turn, it never returns to an earlier hand and cannot be exploited.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations
from math import ceil
from typing import Final, NamedTuple, cast

from games.api import Choice, Dice
from games.kit.offers import Decline
from games.takeover.bot.evaluation import WEIGHTS, compute_price, evaluate_stacks
from games.takeover.bot.observation import EMPTY, FAR, NEAR, NUMBER, VALUE, Purse, Table, sort_coins
from games.takeover.rules.deals import fits
from games.takeover.rules.mergers import MAX_COST
from games.takeover.rules.values import NAMES, WISHES, Accept, Coin, Counter, Deal, Name, Propose

MIN_GAIN: Final = 0.4
"""The minimum gain of a trade, in points."""
MERGER_PART: Final = 0.7
"""The fraction of a possible merger's profit that counts in a trade."""
TURN_DISCOUNT: Final = 0.8
"""The factor for each other seat that plays first: stocks are worth most to the next seat to play."""
NO_WEIGHTS: Final = (0.0,) * len(NAMES)
MIN_NULL_VALUE: Final = 0.5
NULL_PART: Final = 0.6
"""The value of a 0 coin, as a fraction of the profit of the best merger it makes possible."""
SPARE_NULL_VALUE: Final = 0.25
GROWTH: Final = 0.5
"""The assumed value of a stock or 0 coin to an opponent beyond its current worth."""
OTHERS_WEIGHT: Final = 0.5
"""The weight of a point gained by an opponent; 1 for the leader, or with two seats."""
LIKELY: Final = 0.15
"""A seat may be asked for a stock if it holds it with at least this probability."""
MAX_STOCKS: Final = 4
"""The maximum number of stocks that a seat considers buying or selling."""
HAGGLE: Final = 3
"""The bot asks for more if an offer is at most this many points short of a good trade."""
SHORTLIST: Final = 3
"""The number of best proposals from which the bot picks one."""
TEMPTING_HEIGHT: Final = 4
"""The minimum height of a stack that makes others want 0 coins."""
ENOUGH_CASH: Final = 5
"""A seat with less cash than this may want some."""
MAX_COINS: Final = 3
"""The maximum number of coins a bot pays for a stock."""


class Proposal(NamedTuple):
    """A proposal and its minimum gain in points."""

    points: float
    move: Propose


# --- the worth of a hand ---


def count_value(table: Table, hand: Iterable[Coin]) -> float:
    """The current worth of these coins (5d)."""
    heights = {top: height for top, height in zip(*table.stacks, strict=True) if top != EMPTY}
    return sum(
        VALUE[NUMBER[coin.name]] + (heights[NUMBER[coin.name]] - 1 if coin.stock else 0) for coin in hand
    )


def find_null_profit(table: Table, purse: Purse) -> float:
    """The profit of the best merger that needs a 0 coin (TKO-16)."""
    tops, heights = table.stacks
    best, cash = 0.0, sum(VALUE[coin] for coin in purse.cash)
    for source, covering in enumerate(tops):
        if covering in purse.stocks:
            for onto in FAR[source]:
                covered = tops[onto]
                if covered != EMPTY and compute_price(covering, covered) <= cash:
                    lost = heights[onto] - 1 if covered in purse.stocks else 0
                    best = max(best, heights[onto] - compute_price(covering, covered) - lost)
    return best


def evaluate_hand(table: Table, hand: Sequence[Coin], given: Iterable[int] = ()) -> float:
    """The current worth of a hand plus its prospects; `given` are stocks passed to another seat."""
    purse = sort_coins(hand)
    cash = sum(VALUE[coin] for coin in purse.cash)
    others = [sum(row) for row in table.shares]
    for coin in purse.stocks:
        others[coin] = 0.0
    for coin in given:
        others[coin] = 1.0
    weights = WEIGHTS._replace(chance=MERGER_PART * TURN_DISCOUNT**table.wait)
    value = count_value(table, hand) + evaluate_stacks(
        table.stacks, purse.stocks, others, NO_WEIGHTS, cash, weights
    )
    if purse.nulls:
        best_null = max(MIN_NULL_VALUE, NULL_PART * find_null_profit(table, purse))
        value += best_null + SPARE_NULL_VALUE * (len(purse.nulls) - 1)
    return value


class TradeEvaluator:
    """Rates trades for one seat in one position; with `simple`, only by the coins' current worth."""

    def __init__(self, table: Table, simple: bool) -> None:
        self.table, self._simple = table, simple
        self._before = count_value(table, table.hand) if simple else evaluate_hand(table, table.hand)
        others = [seat for seat in range(table.seats) if seat != table.seat]
        most = max(table.totals[seat] for seat in others)
        self._leaders = {seat for seat in others if table.totals[seat] == most}

    def rate(self, give: Sequence[Coin], receive: Sequence[Coin]) -> float:
        """The seat's gain in points from this exchange."""
        after = [coin for coin in self.table.hand if coin not in give]
        after.extend(receive)
        if self._simple:
            return count_value(self.table, after) - self._before
        given = [NUMBER[coin.name] for coin in give if coin.stock]
        return evaluate_hand(self.table, after, given) - self._before

    def rate_if_good(self, to: int, give: Sequence[Coin], receive: Sequence[Coin]) -> float | None:
        """The seat's gain; None if it is too small, either by itself or compared to the other side's."""
        gain = self.rate(give, receive)
        if gain < MIN_GAIN:
            return None
        other_gain = self._rate_for_others(give) - self._rate_for_others(receive)
        return gain if other_gain * (1.0 if to in self._leaders else OTHERS_WEIGHT) < gain else None

    def _rate_for_others(self, coins: Sequence[Coin]) -> float:
        nulls = sum(not coin.stock and not VALUE[NUMBER[coin.name]] for coin in coins)
        return count_value(self.table, coins) + GROWTH * (nulls + sum(coin.stock for coin in coins))


# --- wishes ---


def fulfil(table: Table, wish: Sequence[str]) -> tuple[Coin, ...] | None:
    """The least valuable coins in the hand that fulfil a wish; None if there are none.

    The narrowest wishes are fulfilled first (see `deals.answers`).
    """
    left = sorted(table.hand, key=lambda coin: (count_value(table, (coin,)), coin.stock))
    coins = []
    for wished in sorted(wish, key=_get_breadth):
        coin = next((coin for coin in left if fits(coin, wished)), None)
        if coin is None:
            return None
        left.remove(coin)
        coins.append(coin)
    return tuple(coins)


def _get_breadth(wished: str) -> int:
    """A sort key, from narrow to broad wishes: if two overlap, the broader includes the narrower."""
    if wished == "coin":
        return 9
    return 8 - int(wished[0]) if wished.endswith("+") else len(wished) == 1


def list_poorest(wish: Iterable[str]) -> tuple[Coin, ...] | None:
    """The least valuable coins that fulfil a wish; None if it is too vague."""
    coins = []
    for wished in wish:
        if wished.endswith("+"):
            coins.append(Coin(NAMES[int(wished[0])], False))
        elif wished == "null":
            coins.append(Coin(NAMES[0], False))
        elif len(wished) == 2:
            coins.append(Coin(cast(Name, wished), True))
        else:
            return None
    return tuple(coins)


def describe_wish(coin: Coin) -> str:
    """The wish for a coin like this one."""
    value = VALUE[NUMBER[coin.name]]
    return coin.name if coin.stock else f"{value}+" if value else "null"


# --- answering and withdrawing offers ---


def answer(
    evaluator: TradeEvaluator, deal: Deal, choices: Sequence[Choice], haggle: bool
) -> Accept | Counter | Decline:
    """Accepts good offers and gifts, asks for a little more if an offer is close, and declines the rest."""
    coins = fulfil(evaluator.table, deal.wish)
    legal = {choice.move for choice in choices}
    if coins is None or "accept" not in legal:
        return Decline()
    is_harmless_gift = not coins and evaluator.rate((), deal.give) >= 0
    if evaluator.rate_if_good(deal.by, coins, deal.give) is not None or is_harmless_gift:
        return Accept(tuple(coin.name for coin in coins))
    if haggle and "counter" in legal and coins and 0 < len(deal.give) < WISHES:
        more = ceil(MIN_GAIN - evaluator.rate(coins, deal.give))
        improved = (*deal.give, *_make_cash(max(1, more)))
        if more <= HAGGLE and evaluator.rate_if_good(deal.by, coins, improved) is not None:
            wish = (*map(describe_wish, deal.give), f"{max(1, more)}+")
            return Counter(tuple(coin.name for coin in coins), wish)
    return Decline()


def _make_cash(value: int) -> tuple[Coin, ...]:
    """A cash coin of this value."""
    return (Coin(NAMES[value], False),)


def is_unwanted(evaluator: TradeEvaluator, deal: Deal) -> bool:
    """Whether an offer made by the seat would harm it now, or can no longer be fulfilled."""
    standing = {NAMES[top] for top in evaluator.table.stacks.tops if top != EMPTY}
    if any(len(wished) == 2 and wished in NAMES and wished not in standing for wished in deal.wish):
        return True
    poorest = list_poorest(deal.wish)
    return poorest is not None and evaluator.rate(deal.give, poorest) < 0


# --- proposing ---


def choose_proposal(
    evaluator: TradeEvaluator,
    to: Sequence[int],
    dice: Dice,
    *,
    declined: Collection[Propose] = (),
    null_holders: Collection[int] = (),
) -> Proposal | None:
    """One of the best proposals that make sense for both sides, at random, but none of the declined.

    No 0 coin is offered to seats that have been seen to take one.
    """
    proposals = [
        proposal
        for proposal in _list_proposals(evaluator, to, dice, null_holders)
        if proposal.move not in declined
    ]
    best = sorted(proposals, key=lambda proposal: proposal.points, reverse=True)[:SHORTLIST]
    return best[dice.below("idea", len(best))] if best else None


def _list_proposals(
    evaluator: TradeEvaluator, to: Sequence[int], dice: Dice, null_holders: Collection[int]
) -> Iterator[Proposal]:
    table = evaluator.table
    other = to[dice.below("other", len(to))]
    yield from _propose_purchases(evaluator, to)
    yield from _propose_sales(evaluator, other)
    if table.purse.nulls and max(table.stacks.heights) >= TEMPTING_HEIGHT:
        null, price = _find_coins(table, table.purse.nulls[:1]), 1 + dice.below("price", 2)
        if other not in null_holders:
            yield from _propose(evaluator, other, null, (f"{price}+",))
    elif not table.purse.nulls and find_null_profit(table, table.purse) > 1:
        yield from _propose(evaluator, other, make_payment(table, 2), ("null",))
    if sum(VALUE[coin] for coin in table.purse.cash) < ENOUGH_CASH:
        level = table.purse.stocks & table.stacks.list_level()
        for coin in sorted(level, key=lambda coin: -VALUE[coin])[:MAX_STOCKS]:
            if VALUE[coin]:
                yield from _propose(evaluator, other, _find_coins(table, (coin,)), (f"{VALUE[coin]}+",))


def _propose_purchases(evaluator: TradeEvaluator, to: Sequence[int]) -> Iterator[Proposal]:
    """Proposes to buy the stocks with the best prospects from the seats most likely to have them."""
    table = evaluator.table
    held = {NUMBER[coin.name] for coin in table.hand}
    cash = sum(VALUE[coin] for coin in table.purse.cash)
    candidates = []
    for source, covering in enumerate(table.stacks.tops):
        if covering == EMPTY or covering in held:
            continue
        likely = max(to, key=lambda seat: table.shares[covering][seat])
        if table.shares[covering][likely] < LIKELY:
            continue
        worth, most = VALUE[covering] + table.stacks.heights[source] - 1, find_best_profit(table, source)
        if most > 1 and worth < cash:
            candidates.append((most, worth, covering, likely))
    for _, worth, covering, likely in sorted(candidates, reverse=True)[:MAX_STOCKS]:
        yield from _propose(evaluator, likely, make_payment(table, worth + 1), (NAMES[covering],))


def _propose_sales(evaluator: TradeEvaluator, to: int) -> Iterator[Proposal]:
    """Proposes to sell the stocks with the best prospects for more than their current worth."""
    table = evaluator.table
    candidates = []
    for source, covering in enumerate(table.stacks.tops):
        if covering in table.purse.stocks:
            worth = VALUE[covering] + table.stacks.heights[source] - 1
            most = find_best_profit(table, source)
            if most > 1 and worth < MAX_COST:
                candidates.append((most, worth, covering))
    for _, worth, covering in sorted(candidates, reverse=True)[:MAX_STOCKS]:
        yield from _propose(evaluator, to, _find_coins(table, (covering,)), (f"{worth + 1}+",))


def find_best_profit(table: Table, source: int) -> int:
    """The highest profit from covering an adjacent stack with this one, whoever owns them."""
    tops, heights = table.stacks
    beside = [onto for onto in NEAR[source] if tops[onto] != EMPTY]
    return max((heights[onto] - compute_price(tops[source], tops[onto]) for onto in beside), default=0)


def _propose(
    evaluator: TradeEvaluator, to: int, give: Sequence[Coin], wish: tuple[str, ...]
) -> Iterator[Proposal]:
    """Yields the proposal if it is good for the seat."""
    poorest = list_poorest(wish)
    gain = evaluator.rate_if_good(to, give, poorest) if give and poorest is not None else None
    if gain is not None:
        yield Proposal(gain, Propose(to, tuple(coin.name for coin in give), wish))


def _find_coins(table: Table, numbers: Sequence[int]) -> tuple[Coin, ...]:
    return tuple(coin for coin in table.hand if NUMBER[coin.name] in numbers)


def make_payment(table: Table, worth: int) -> tuple[Coin, ...]:
    """The fewest cash coins worth this much or 1 more; none if there is no such payment."""
    for count in range(1, MAX_COINS + 1):
        for coins in combinations(table.purse.cash, count):
            if worth <= sum(VALUE[coin] for coin in coins) <= worth + 1:
                return _find_coins(table, coins)
    return ()
