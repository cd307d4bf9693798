"""What trades are worth to a seat, and which it proposes.

A hand has a worth of its own, whatever it was traded for: what it counts now, and what may become of it. A
seat takes a trade only if its hand is worth clearly more afterwards; so however often it trades within a
turn, it never comes back to a hand it had, and cannot be milked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import ceil
from typing import Final, NamedTuple, cast

from games.api import Choice, Dice
from games.kit.offers import Decline
from games.takeover.bot.evaluation import TASTE, outlook, price
from games.takeover.bot.observation import EMPTY, FAR, NEAR, NUMBER, VALUE, Purse, Table, purse
from games.takeover.rules.deals import fits
from games.takeover.rules.mergers import MOST_COST
from games.takeover.rules.values import NAMES, WISHES, Accept, Coin, Counter, Deal, Name, Propose

CLEARLY: Final = 0.4
"""Points a trade has to bring."""
HOPE: Final = 0.7
"""What a merger that could be made now is worth in a trade, of what it brings."""
FADING: Final = 0.8
"""What is left of that after each turn of others: so stocks are worth most to who is soon at turn."""
NO_WEIGHT: Final = (0.0,) * len(NAMES)
NULL_AT_LEAST: Final = 0.5
NULL_FOR: Final = 0.6
"""What a null is worth, of what the best merger brings that it makes possible."""
SPARE_NULL: Final = 0.25
GROWTH: Final = 0.5
"""What a stock, or a null, is taken to be worth to another, beyond what it counts."""
ELSE: Final = 0.5
"""What a point weighs that another seat gains; of who leads, or is the only other, as much as an own one."""
LIKELY: Final = 0.15
"""Who has a stock with this chance may be asked for it."""
TRIED: Final = 4
"""So many stocks a seat thinks of buying, or selling, at most."""
HAGGLE: Final = 3
"""Points short of a good trade, at most, where a bot asks for more."""
BEST: Final = 3
"""Of so many ideas at most, one is proposed."""
TEMPTING: Final = 4
"""Before a stack is so high, nobody wants nulls."""
ENOUGH: Final = 5
"""Who has less cash than that may want to have some."""
COINS: Final = 3
"""A bot pays for stocks with so many coins at most."""


class Idea(NamedTuple):
    """A proposal, and what it brings at least, in points."""

    points: float
    move: Propose


# --- what a hand is worth ---


def plain(here: Table, hand: Iterable[Coin]) -> float:
    """What these coins count now (5d)."""
    heights = {top: height for top, height in zip(*here.stacks, strict=True) if top != EMPTY}
    return sum(
        VALUE[NUMBER[coin.name]] + (heights[NUMBER[coin.name]] - 1 if coin.stock else 0) for coin in hand
    )


def special(here: Table, has: Purse) -> float:
    """What the best merger brings that needs a null (TKO-16)."""
    tops, heights = here.stacks
    found, cash = 0.0, sum(VALUE[coin] for coin in has.cash)
    for source, covering in enumerate(tops):
        if covering in has.stocks:
            for onto in FAR[source]:
                covered = tops[onto]
                if covered != EMPTY and price(covering, covered) <= cash:
                    lost = heights[onto] - 1 if covered in has.stocks else 0
                    found = max(found, heights[onto] - price(covering, covered) - lost)
    return found


def foresight(here: Table, hand: Sequence[Coin], given: Iterable[int] = ()) -> float:
    """What a hand counts now, and what may become of it; `given` are stocks that went to another seat."""
    has = purse(hand)
    cash = sum(VALUE[coin] for coin in has.cash)
    others = [sum(row) for row in here.shares]
    for coin in has.stocks:
        others[coin] = 0.0
    for coin in given:
        others[coin] = 1.0
    found = plain(here, hand) + outlook(
        here.stacks, has.stocks, others, NO_WEIGHT, cash, TASTE._replace(chance=HOPE * FADING**here.wait)
    )
    if has.nulls:
        found += max(NULL_AT_LEAST, NULL_FOR * special(here, has)) + SPARE_NULL * (len(has.nulls) - 1)
    return found


class Scales:
    """Weighs trades for one seat at one moment; `simple` minds only what coins count now."""

    def __init__(self, here: Table, simple: bool) -> None:
        self.here, self._simple = here, simple
        self._before = plain(here, here.hand) if simple else foresight(here, here.hand)
        others = [seat for seat in range(here.seats) if seat != here.me]
        most = max(here.totals[seat] for seat in others)
        self._leading = {seat for seat in others if here.totals[seat] == most}

    def gain(self, give: Sequence[Coin], got: Sequence[Coin]) -> float:
        """What the seat gains by giving these coins for those."""
        after = [coin for coin in self.here.hand if coin not in give]
        after.extend(got)
        if self._simple:
            return plain(self.here, after) - self._before
        gone = [NUMBER[coin.name] for coin in give if coin.stock]
        return foresight(self.here, after, gone) - self._before

    def good(self, to: int, give: Sequence[Coin], got: Sequence[Coin]) -> float | None:
        """The same, where the trade is good enough: also by what it brings the other seat. Else None."""
        gain = self.gain(give, got)
        if gain < CLEARLY:
            return None
        theirs = self._to_others(give) - self._to_others(got)
        return gain if theirs * (1.0 if to in self._leading else ELSE) < gain else None

    def _to_others(self, coins: Sequence[Coin]) -> float:
        nulls = sum(not coin.stock and not VALUE[NUMBER[coin.name]] for coin in coins)
        return plain(self.here, coins) + GROWTH * (nulls + sum(coin.stock for coin in coins))


# --- wishes ---


def meeting(here: Table, wish: Sequence[str]) -> tuple[Coin, ...] | None:
    """The coins of the hand that meet a wish and count least; None: it has none that do.

    What is wished for most precisely is met first (see `deals.answers`).
    """
    left = sorted(here.hand, key=lambda coin: (plain(here, (coin,)), coin.stock))
    found = []
    for wished in sorted(wish, key=_breadth):
        coin = next((coin for coin in left if fits(coin, wished)), None)
        if coin is None:
            return None
        left.remove(coin)
        found.append(coin)
    return tuple(found)


def _breadth(wished: str) -> int:
    """Narrow wishes first: of two that overlap, the narrower lies within the other."""
    if wished == "coin":
        return 9
    return 8 - int(wished[0]) if wished.endswith("+") else len(wished) == 1


def at_least(wish: Iterable[str]) -> tuple[Coin, ...] | None:
    """The poorest coins that meet a wish; None where it leaves open too much."""
    found = []
    for wished in wish:
        if wished.endswith("+"):
            found.append(Coin(NAMES[int(wished[0])], False))
        elif wished == "null":
            found.append(Coin(NAMES[0], False))
        elif len(wished) == 2:
            found.append(Coin(cast(Name, wished), True))
        else:
            return None
    return tuple(found)


def asking(coin: Coin) -> str:
    """The wish for a coin like this one."""
    value = VALUE[NUMBER[coin.name]]
    return coin.name if coin.stock else f"{value}+" if value else "null"


# --- answering, withdrawing ---


def answer(scales: Scales, deal: Deal, choices: Sequence[Choice], haggle: bool) -> Accept | Counter | Decline:
    """Takes what is good and every gift, asks for more where little is lacking, declines the rest."""
    coins = meeting(scales.here, deal.wish)
    may = {choice.move for choice in choices}
    if coins is None or "accept" not in may:
        return Decline()
    if scales.good(deal.by, coins, deal.give) is not None or (not coins and scales.gain((), deal.give) >= 0):
        return Accept(tuple(coin.name for coin in coins))
    if haggle and "counter" in may and coins and 0 < len(deal.give) < WISHES:
        more = ceil(CLEARLY - scales.gain(coins, deal.give))
        if more <= HAGGLE and scales.good(deal.by, coins, (*deal.give, *_cash(max(1, more)))) is not None:
            wish = (*map(asking, deal.give), f"{max(1, more)}+")
            return Counter(tuple(coin.name for coin in coins), wish)
    return Decline()


def _cash(value: int) -> tuple[Coin, ...]:
    """Some coin of this value, as cash."""
    return (Coin(NAMES[value], False),)


def unwanted(scales: Scales, deal: Deal) -> bool:
    """Whether an offer of one's own would do harm by now, or cannot be met any more."""
    standing = {NAMES[top] for top in scales.here.stacks.tops if top != EMPTY}
    if any(len(wished) == 2 and wished in NAMES and wished not in standing for wished in deal.wish):
        return True
    got = at_least(deal.wish)
    return got is not None and scales.gain(deal.give, got) < 0


# --- proposing ---


def proposal(scales: Scales, to: Sequence[int], dice: Dice) -> Idea | None:
    """Something that makes sense for both: one of the best such ideas, by dice."""
    found = sorted(_ideas(scales, to, dice), key=lambda idea: idea.points, reverse=True)[:BEST]
    return found[dice.below("idea", len(found))] if found else None


def _ideas(scales: Scales, to: Sequence[int], dice: Dice) -> Iterator[Idea]:
    here = scales.here
    other = to[dice.below("other", len(to))]
    yield from _stocks_to_grow(scales, to)
    yield from _stocks_to_sell(scales, other)
    if here.purse.nulls and max(here.stacks.heights) >= TEMPTING:
        yield from _idea(
            scales, other, _coins(here, here.purse.nulls[:1]), (f"{1 + dice.below('price', 2)}+",)
        )
    elif not here.purse.nulls and special(here, here.purse) > 1:
        yield from _idea(scales, other, _payment(here, 2), ("null",))
    if sum(VALUE[coin] for coin in here.purse.cash) < ENOUGH:
        for coin in sorted(here.purse.stocks & here.stacks.level(), key=lambda coin: -VALUE[coin])[:TRIED]:
            if VALUE[coin]:
                yield from _idea(scales, other, _coins(here, (coin,)), (f"{VALUE[coin]}+",))


def _stocks_to_grow(scales: Scales, to: Sequence[int]) -> Iterator[Idea]:
    """To buy the stocks by which the seat could gain most, from who is likely to have them."""
    here = scales.here
    own = {NUMBER[coin.name] for coin in here.hand}
    cash = sum(VALUE[coin] for coin in here.purse.cash)
    found = []
    for source, covering in enumerate(here.stacks.tops):
        if covering == EMPTY or covering in own:
            continue
        likely = max(to, key=lambda seat: here.shares[covering][seat])
        if here.shares[covering][likely] < LIKELY:
            continue
        worth, most = VALUE[covering] + here.stacks.heights[source] - 1, _prospect(here, source)
        if most > 1 and worth < cash:
            found.append((most, worth, covering, likely))
    for _, worth, covering, likely in sorted(found, reverse=True)[:TRIED]:
        yield from _idea(scales, likely, _payment(here, worth + 1), (NAMES[covering],))


def _stocks_to_sell(scales: Scales, to: int) -> Iterator[Idea]:
    """The stocks by which another could gain most, for more than they count."""
    here = scales.here
    found = []
    for source, covering in enumerate(here.stacks.tops):
        if covering in here.purse.stocks:
            worth, most = VALUE[covering] + here.stacks.heights[source] - 1, _prospect(here, source)
            if most > 1 and worth < MOST_COST:
                found.append((most, worth, covering))
    for _, worth, covering in sorted(found, reverse=True)[:TRIED]:
        yield from _idea(scales, to, _coins(here, (covering,)), (f"{worth + 1}+",))


def _prospect(here: Table, source: int) -> int:
    """What the stack there gains at most by covering one beside it, whosever they are."""
    tops, heights = here.stacks
    beside = [onto for onto in NEAR[source] if tops[onto] != EMPTY]
    return max((heights[onto] - price(tops[source], tops[onto]) for onto in beside), default=0)


def _idea(scales: Scales, to: int, give: Sequence[Coin], wish: tuple[str, ...]) -> Iterator[Idea]:
    """The proposal, if it is good."""
    got = at_least(wish)
    gain = scales.good(to, give, got) if give and got is not None else None
    if gain is not None:
        yield Idea(gain, Propose(to, tuple(coin.name for coin in give), wish))


def _coins(here: Table, numbers: Sequence[int]) -> tuple[Coin, ...]:
    return tuple(coin for coin in here.hand if NUMBER[coin.name] in numbers)


def _payment(here: Table, worth: int) -> tuple[Coin, ...]:
    """Cash coins of this worth or one more, as few as can be; none where there are none."""
    for count in range(1, COINS + 1):
        for coins in combinations(here.purse.cash, count):
            if worth <= sum(VALUE[coin] for coin in coins) <= worth + 1:
                return _coins(here, coins)
    return ()
