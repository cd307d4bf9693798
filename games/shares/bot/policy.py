"""What a sensible player does in each decision (1g): from marks and bids to the last card.

Small cards are played as they come; the highest are kept for the last round, before which the hand is filled.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final, NamedTuple

from games.api import Dice
from games.kit.offers import Decline
from games.shares.bot.evaluation import PLACES, Lens, Outlook
from games.shares.bot.observation import Table, moves_floors, value
from games.shares.rules.moves import (
    Add,
    Adjust,
    Discard,
    Done,
    DrawUp,
    EndTurn,
    FromDeck,
    FromDiscard,
    Lock,
    OpenMarket,
    Play,
    Remove,
    SharesMove,
    Spy,
    Swap,
    Take,
    Target,
)
from games.shares.rules.pieces import CARDS, COMPANIES, Card, Cards, suit_of, uses
from games.shares.rules.selection import strength

FILL: Final = 3
"""In the last round but one a hand of so many cards is filled at most, and of less if it is for free."""
OF_THE_LAST: Final = 3
"""So many cards are played in the last round."""


class Temper(NamedTuple):
    """What makes a level."""

    careless: int
    """Out of 100, how often it does anything."""
    lens: Lens
    diluted: bool
    """Whether it minds that a mark makes its own shares of a company worth less."""
    focus: float
    """By how much more a share is worth to it of the company of which it has the largest part."""
    whim: int
    """By how much, in hundredths, a mark may seem better than it is: who marks as all do wins nothing."""
    reserve: int
    """How many high cards it keeps for the end."""
    high: int
    """A card of so many uses is high."""
    draw: int
    """A hand of so many cards is filled."""
    patient: bool
    """Whether it spends one action in a turn in the last round, to see what others do."""


class Mind(NamedTuple):
    """Who decides, and what it sees."""

    here: Table
    temper: Temper
    view: Outlook
    dice: Dice

    @property
    def thorough(self) -> bool:
        """Nobody else does anything any more."""
        return self.temper.patient and self.here.left == 0 and self.here.last


def mind(here: Table, temper: Temper, dice: Dice) -> Mind:
    return Mind(here, temper, Outlook(here, temper.lens), dice)


# --- what all choose in secret ---


def mark(me: Mind) -> SharesMove:
    """The company of which one more share brings most, as far as one can tell."""
    temper = me.temper
    worth = [
        me.view.mark(company, temper.diluted, temper.focus) * (100 + me.dice.below("whim", temper.whim + 1))
        for company in PLACES
    ]
    return Lock(company=COMPANIES[max(PLACES, key=worth.__getitem__)])


def bid(me: Mind) -> SharesMove:
    """The lowest card, and of little use: whoever is last sees what the others do."""

    def dear(card: Card) -> tuple[float, tuple[int, int]]:
        return strength(card)[0] + value(card), strength(card)

    lowest: Card = min(me.here.hand, key=dear)
    return Lock(card=lowest)


# --- a turn ---


def gains(me: Mind, cards: Sequence[Card]) -> dict[Card, float]:
    """What each heart and spade brings now, in points."""
    by_use: dict[tuple[str, int], float] = {}
    found = {}
    for card in cards:
        if moves_floors(card):
            key = suit_of(card), uses(card)
            if key not in by_use:
                by_use[key], _ = me.view.uses(*key, me.thorough)
            found[card] = by_use[key]
    return found


def turn(me: Mind, free: bool, royals: Cards, may_draw: bool) -> SharesMove:
    """An action, or the end of the turn; `royals` may open a market with something to propose in it."""
    here = me.here
    worth = gains(me, here.hand)
    diamonds = tuple(card for card in here.hand if suit_of(card) == "D")
    rolls = () if free else diamonds
    if here.left == 0:
        return _last(me, worth, rolls, free, royals)
    kept = _reserve(me, worth)
    plays = sorted((card for card in worth if card not in kept and worth[card] > 0), key=worth.__getitem__)
    dead = tuple(card for card in here.hand if card not in (*kept, *plays, *diamonds))
    if may_draw and _fills(me, free, len(plays) + len(kept)):
        return DrawUp()
    spare = [card for card in royals if card in dead]
    if spare:
        return OpenMarket(spare[0])
    if len(dead) > 1 and (free or here.actions[here.me] == 1):
        return Discard(dead)
    if plays:
        return Play(plays[-1])
    if rolls:
        return Play(max(rolls, key=value))
    if len(dead) == 1 and suit_of(dead[0]) == "C" and here.left >= here.round / 2:
        return Play(dead[0])
    if dead:
        return Discard(dead)
    return Decline() if free else EndTurn()


def _fills(me: Mind, free: bool, useful: int) -> bool:
    """Whether the hand is to be filled now: it takes a round, if it is not for free."""
    here, count = me.here, len(me.here.hand)
    if not (here.deck or here.discard):
        return False
    if free:
        return count < FILL
    if here.left == 1 and count <= FILL and useful < OF_THE_LAST:
        return True
    return count <= me.temper.draw


def _reserve(me: Mind, worth: dict[Card, float]) -> tuple[Card, ...]:
    """The high cards that are for the end."""
    last_but_one = me.here.left == 1
    least = 1 if last_but_one and me.temper.patient else me.temper.high
    high = [card for card in worth if uses(card) >= least]
    most = OF_THE_LAST if last_but_one else me.temper.reserve
    return tuple(sorted(high, key=uses, reverse=True)[:most])


def _last(me: Mind, worth: dict[Card, float], rolls: Cards, free: bool, royals: Cards) -> SharesMove:
    """The last round: all that brings something; the best last, if others may still do something."""
    here = me.here
    actions = here.actions[here.me]
    good = sorted((card for card in worth if worth[card] > 0), key=worth.__getitem__)
    if free:
        return Play(good[-1]) if good else Decline()
    waits = me.temper.patient and not here.last
    if waits and here.spent:
        return EndTurn()
    dead = [card for card in here.hand if card not in good and card not in rolls]
    if len(good) < actions:
        spare = [card for card in royals if card in dead]
        if spare:
            return OpenMarket(spare[0])
        if rolls:
            return Play(max(rolls, key=value))
        if good and waits and dead:
            return Discard((min(dead, key=value),))
    best = good[-actions:]
    return Play(best[0] if waits else best[-1]) if best else EndTurn()


# --- what comes of a card ---


def floor(me: Mind) -> SharesMove:
    """A floor more, or less."""
    suit = "H" if me.here.kind == "hearts" else "S"
    _, way = me.view.uses(suit, me.here.uses, me.thorough)
    if not way:
        return Done()
    company = COMPANIES[way[0]]
    return Add(company) if suit == "H" else Remove(company)


def peek(me: Mind, before: int) -> SharesMove:
    """The tracker of who seems to lead; after `before` other peeks, that of the next."""
    seats = me.dice.shuffle("peek", me.here.others)
    order = sorted(seats, key=lambda seat: round(me.view.standing(seat)), reverse=True)
    return Spy(order[before % len(order)], "tracker")


def draw(me: Mind, choices: frozenset[str]) -> SharesMove:
    """The best of the Discard Pile that is of use, if the deck can be expected to hold nothing better."""
    here = me.here
    if "fromDeck" not in choices:
        return FromDiscard(max(here.discard, key=value))
    worth = gains(me, here.discard)
    best = max((card for card in here.discard if worth.get(card, 1) > 0), key=value, default=None)
    return FromDeck() if best is None or value(best) < _unseen(here) else FromDiscard(best)


def _unseen(here: Table) -> float:
    """What a card is worth on the average of which one does not know where it is."""
    seen = {*here.hand, *here.discard}
    rest = [value(card) for card in CARDS if card not in seen]
    return sum(rest) / max(1, len(rest))


# --- Chance ---


def adjust(me: Mind, by: Sequence[int], rolled: int) -> SharesMove:
    return Adjust(max(by, key=lambda more: (effect(me, rolled + more), -abs(more))))


def effect(me: Mind, number: int) -> float:
    """About how much a number of the chart is worth, in floors."""
    here = me.here
    usual = _unseen(here)
    match number:
        case 1:
            return 1.8 * usual if any(here.cards[seat] for seat in here.others) else 0.0
        case 2:
            return max(0.0, max(_swapped(here, seats, usual) for seats in combinations(range(here.seats), 2)))
        case 3:
            return 2.0 * usual
        case 4:
            return 0.5 + max((value(card) for card in here.hand if moves_floors(card)), default=0.0)
        case 6:
            return -0.3
        case _:
            return 0.0


def swap(me: Mind) -> SharesMove:
    """The two hands by which one gains most, or loses least."""
    usual = _unseen(me.here)
    pairs = [*combinations(range(me.here.seats), 2)]
    worth = {pair: _swapped(me.here, pair, usual) for pair in pairs}
    good = [pair for pair in pairs if worth[pair] >= max(worth.values()) - 1e-9]
    return Swap(good[me.dice.below("swap", len(good))])


def _swapped(here: Table, seats: Sequence[int], usual: float) -> float:
    """What it brings, in floors, that two hands change places."""
    if here.me not in seats:
        return 0.0
    (other,) = (seat for seat in seats if seat != here.me)
    return here.cards[other] * usual - sum(map(value, here.hand))


def rob(me: Mind, seats: Sequence[int]) -> SharesMove:
    """Chance 1: of the fullest hand."""
    most = max(me.here.cards[seat] for seat in seats)
    good = [seat for seat in seats if me.here.cards[seat] == most]
    return Target(good[me.dice.below("rob", len(good))])


def take(me: Mind, hand: Sequence[Card]) -> SharesMove:
    worth = gains(me, hand)
    return Take(max(range(len(hand)), key=lambda place: (value(hand[place]), worth.get(hand[place], 0.0))))


def pass_on(me: Mind) -> SharesMove:
    """Chance 6: to who has least to gain by it, with few cards and shares."""
    view, here = me.view, me.here
    return Target(min(here.others, key=lambda seat: (round(view.standing(seat)), here.cards[seat], seat)))
