"""What mergers are worth to a seat: at once, and by what they leave to be done by it and to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from games.takeover.bot.observation import EMPTY, FAR, NEAR, NUMBER, SUIT, VALUE, Stacks, Table
from games.takeover.rules import mergers
from games.takeover.rules.values import NAMES, Merge, Name

RIVALS: Final = 0.5
"""What a point of the others weighs to `normal` (5g)."""
NULL: Final = 1.0
"""What a null that lies value-up is worth to `normal`."""
WIDTH: Final = 20
"""So many mergers `hard` looks at closely: the best at first observation."""


class Taste(NamedTuple):
    """How much each concern weighs, in points."""

    rivals: float = 0.35
    """A point of the others, whoever gets it."""
    leader: float = 0.35
    """The same, more, where it is the best of them that gets it."""
    danger: float = 0.7
    """That a stack is covered by a stock of somebody else, where that pays."""
    spite: float = 0.1
    """That it is, where it costs nothing."""
    slack: float = 1.5
    """Where it brings so much, a stack is half as likely to be covered as it can be."""
    chance: float = 0.35
    """What could be gained by the next merger; half as much, by the one after it."""
    null: float = 1.0
    """A null lying value-up."""


TASTE: Final = Taste()
"""None of others tried, each with one weight changed, won clearly more at tables of three and five seats."""


class Gain(NamedTuple):
    """A merger that the seat can pay, and what it is worth to it, in points."""

    points: float
    source: int
    onto: int
    cost: int
    touch: bool


def price(covering: int, covered: int) -> int:
    """What a merger costs: nothing within one industry (TKO-9)."""
    return 0 if SUIT[covering] == SUIT[covered] else VALUE[covered]


# --- the others ---


def concern(here: Table, rivals: float, leader: float) -> list[float]:
    """By seat, what a point of it weighs: shared among all others, and more where it leads them."""
    found = [rivals / (here.seats - 1)] * here.seats
    found[here.me] = 0.0
    most = max(total for seat, total in enumerate(here.totals) if seat != here.me)
    for seat, total in enumerate(here.totals):
        if seat != here.me and total == most:
            found[seat] += leader
    return found


def felt(here: Table, weights: Sequence[float]) -> list[float]:
    """By corporation, what a point of its stock weighs, in hands not one's own."""
    return [sum(share * weight for share, weight in zip(row, weights, strict=True)) for row in here.shares]


# --- at once ---


def gains(here: Table, weighed: Sequence[float], null: float) -> Iterator[Gain]:
    """All mergers the seat can pay, by what changes at once; `null` is what a null spent was worth."""
    tops, heights = here.stacks
    stocks = here.purse.stocks
    paid = [None if coins is None else sum(VALUE[NUMBER[coin]] for coin in coins) for coins in here.pay]
    ways = ((True, NEAR), (False, FAR)) if here.purse.nulls else ((True, NEAR),)
    for onto, covered in enumerate(tops):
        if covered == EMPTY:
            continue
        height = heights[onto]
        lost = (height - 1) * (1.0 if covered in stocks else -weighed[covered])
        for touch, around in ways:
            for source in around[onto]:
                covering = tops[source]
                if covering == EMPTY:
                    continue
                cost = price(covering, covered)
                spent = paid[cost]
                if spent is None:
                    continue
                won = height * (1.0 if covering in stocks else -weighed[covering])
                yield Gain(won - lost - spent - (0.0 if touch else null), source, onto, cost, touch)


# --- what may come ---


def outlook(
    here: Stacks,
    stocks: frozenset[int],
    others: Sequence[float],
    weighed: Sequence[float],
    cash: int,
    taste: Taste,
) -> float:
    """What is likely to become of the stacks, in points of a seat that has these stocks and so much cash.

    By corporation, `others` is the chance that somebody else has its stock, `weighed` what a point of it
    weighs.
    """
    tops, heights = here
    danger, spite, slack = taste.danger, taste.spite, taste.slack
    found = first = second = 0.0
    for onto, covered in enumerate(tops):
        if covered == EMPTY:
            continue
        height, mine, calm = heights[onto], covered in stocks, 1.0
        for source in NEAR[onto]:
            covering = tops[source]
            if covering == EMPTY:
                continue
            cost = 0 if SUIT[covering] == SUIT[covered] else VALUE[covered]
            profit = height - cost
            if covering not in stocks:
                if profit > 0:
                    calm *= 1.0 - danger * others[covering] * profit / (profit + slack)
                if not cost:
                    calm *= 1.0 - spite
            elif profit > 0 and cost <= cash:
                if mine:
                    profit -= height - 1
                else:
                    calm *= 1.0 - danger * profit / (profit + slack)
                if profit > first:
                    first, second = profit, first
                elif profit > second:
                    second = profit
        if height > 1:
            found += (height - 1) * (1.0 - calm) * (-1.0 if mine else weighed[covered])
    return found + taste.chance * (first + second / 2)


# --- levels ---


def by_worth(here: Table) -> list[Gain]:
    """Each merger by what it changes of the own total at once: `easy`."""
    return list(gains(here, (0.0,) * len(NAMES), 0.0))


def by_standing(here: Table) -> list[Gain]:
    """Each merger by what it changes of all totals at once: `normal` (5g)."""
    return list(gains(here, felt(here, concern(here, RIVALS, 0.0)), NULL))


def by_outlook(here: Table, taste: Taste = TASTE) -> list[Gain]:
    """Each merger by what it changes at once, and by what may come after it: `hard`."""
    weighed = felt(here, concern(here, taste.rivals, taste.leader))
    others = [sum(row) for row in here.shares]
    stocks, cash = here.purse.stocks, sum(VALUE[coin] for coin in here.purse.cash)
    before = outlook(here.stacks, stocks, others, weighed, cash, taste)
    found = []
    for gain in sorted(gains(here, weighed, taste.null), reverse=True)[:WIDTH]:
        after = here.stacks.merged(gain.source, gain.onto)
        left = stocks - {here.stacks.tops[gain.onto]}
        change = outlook(after, left, others, weighed, cash - gain.cost, taste) - before
        found.append(gain._replace(points=gain.points + change))
    return found


# --- doing it ---


def merger(here: Table, gain: Gain) -> Merge:
    """The move, paid with the cheapest coins."""
    tops = here.stacks.tops
    null = None if gain.touch else NAMES[here.purse.nulls[0]]
    return Merge(f"{NAMES[tops[gain.source]]}>{NAMES[tops[gain.onto]]}", here.pay[gain.cost] or (), null)


def cashed(here: Table) -> Table:
    """The table as if stocks that have not grown were cash too: cashing them out loses nothing (TKO-6)."""
    more = sorted(here.purse.stocks & here.stacks.level())
    cash = (*here.purse.cash, *(coin for coin in more if VALUE[coin]))
    nulls = (*here.purse.nulls, *(coin for coin in more if not VALUE[coin]))
    pay = mergers.cheapest(tuple(NAMES[coin] for coin in cash))
    return here._replace(purse=here.purse._replace(cash=cash, nulls=nulls), pay=pay)


def to_cash_out(here: Table, rich: Table, gain: Gain) -> tuple[Name, ...]:
    """The stocks to be cash for a merger of `rich`, which is `cashed(here)`; none, where that cannot be."""
    move = merger(rich, gain)
    coins = (*move.pay, *(() if move.null is None else (move.null,)))
    needed = tuple(coin for coin in coins if NUMBER[coin] in here.purse.stocks)
    tops = here.stacks.tops
    used = {NAMES[tops[gain.source]], NAMES[tops[gain.onto]]}
    return () if used & set(needed) else needed
