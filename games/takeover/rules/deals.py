"""Trades: what may be wished for, which coins meet a wish, and the swap (TKO-22 to TKO-25)."""

from __future__ import annotations

from collections.abc import Iterable

from games.api import Argument, Bound, Choice, Dice, Domain, LogLine, Multiset, OneOf, Refusal, Seat, Subset
from games.kit import choices as kit_choices
from games.kit import offers as offering
from games.kit.memo import memoize
from games.takeover.rules import draft, mergers
from games.takeover.rules.values import (
    SUITS,
    WISHES,
    Bargain,
    Bargains,
    Coin,
    Deal,
    Deals,
    Grid,
    Hands,
    Name,
    Stage,
    TakeoverOptions,
    Trade,
    offers_each,
    value_of,
)
from games.takeover.texts import DOES_NOT_FIT, NOT_ON_TURN, NOT_YOUR_COINS, NOTHING, WISH

NO_BAG = Multiset((), None, (Bound(None, 0, 0),))
SHARED_WISHES = ("1+", "2+", "3+", "4+", "5+", "null", "coin")
NULLS = 4
"""Nulls there are to wish for."""


# --- wishes ---


def fits(coin: Coin, wished: str) -> bool:
    """Whether a coin meets one item of a wish (values.Wish)."""
    if wished == "coin":
        return True
    if wished == "null":
        return not coin.stock and value_of(coin.name) == 0
    if wished.endswith("+"):
        return not coin.stock and value_of(coin.name) >= int(wished[0])
    return coin.stock and coin.name.startswith(wished)


def _within(wished: str, other: str) -> bool:
    """Whether every coin that meets `wished` meets `other` too."""
    if other == "coin" or wished == other:
        return True
    if other.endswith("+"):
        return wished.endswith("+") and wished[0] >= other[0]
    return wished[:-1] == other


@memoize
def wishes(grid: Grid, hand: tuple[Coin, ...]) -> Multiset:
    """What a seat with this hand may wish for: at least one coin.

    Stocks by name while their corporations stand, save its own: what others have plays no part.
    """
    own = {coin.name for coin in hand}
    named = tuple(sorted(name for name in mergers.tops(grid) if name not in own))
    times = (1,) * len(named) + (6,) * len(SUITS) + (WISHES,) * 5 + (NULLS, WISHES)
    return Multiset((*named, *SUITS, *SHARED_WISHES), times, (Bound(None, 1, WISHES),))


@memoize
def answers(hand: tuple[Coin, ...], wish: tuple[str, ...]) -> Multiset | None:
    """The coins of this hand that meet a wish, a coin for each item; None: it has none that do.

    What meets one item contains, is contained in, or is apart from what meets another. So coins as many as
    the items meet the wish if and only if each item's kind is among them as often as it, and what lies within
    it, is wished for.
    """
    coins = [coin for coin in hand if any(fits(coin, wished) for wished in wish)]
    bounds = [Bound(None, len(wish), len(wish))]
    for kind in sorted(set(wish) - {"coin"}):
        worth = tuple(int(fits(coin, kind)) for coin in coins)
        bounds.append(Bound(worth, sum(_within(one, kind) for one in wish), len(wish)))
    bag = Multiset(tuple(coin.name for coin in coins), None, tuple(bounds))
    return bag if kit_choices.feasible(bag) else None


# --- whether ---


def may_trade(options: TakeoverOptions, stage: Stage, by: Seat, to: Seat) -> bool:
    """Whether these two may trade now; with `ownTurnOnly` one of them is the seat whose turn it is."""
    return options.trading == "anytime" or stage.turn in (by, to)


def refuse_terms(
    grid: Grid, hand: tuple[Coin, ...], give: tuple[Name, ...], wish: tuple[str, ...]
) -> Refusal | None:
    """Why this hand may not offer these coins for this wish."""
    if len(set(give)) < len(give) or not {coin.name for coin in hand} >= set(give):
        return NOT_YOUR_COINS
    if not wish:
        return None if give else NOTHING
    return None if kit_choices.covers(wishes(grid, hand), wish, 0) else WISH


def refuse_propose(
    options: TakeoverOptions, stage: Stage, offers: Bargains, by: Seat, to: Seat, seats: int
) -> Refusal | None:
    refused = offering.refuse_propose(offers, by, to, seats, offers_each(seats))
    if refused is not None:
        return refused
    return None if may_trade(options, stage, by, to) else NOT_ON_TURN


def refuse_coins(hand: tuple[Coin, ...], wish: tuple[str, ...], coins: tuple[Name, ...]) -> Refusal | None:
    """Why this hand may not give these coins for an offer's wish: its own affair alone (TKO-24)."""
    bag = answers(hand, wish)
    return None if bag is not None and kit_choices.covers(bag, coins, 0) else DOES_NOT_FIT


# --- what is done ---


def shown(hand: tuple[Coin, ...], names: Iterable[Name]) -> tuple[Coin, ...]:
    """These coins of a hand as they lie."""
    wanted = set(names)
    return tuple(coin for coin in hand if coin.name in wanted)


def swapped(hands: Hands, offer: Bargain, back: tuple[Coin, ...]) -> Hands:
    """After a trade: both sides at once, and no coin turned (5b)."""
    after = list(hands)
    kept = (coin for coin in hands[offer.by] if coin not in offer.give)
    after[offer.by] = draft.received(tuple(kept), back)
    kept = (coin for coin in hands[offer.to] if coin not in back)
    after[offer.to] = draft.received(tuple(kept), offer.give)
    return tuple(after)


def kept(offers: Bargains, hands: Hands) -> tuple[Bargains, tuple[LogLine, ...]]:
    """Without the offers of coins that have flipped, moved or been spent (TKO-22)."""
    return offering.sweep(offers, lambda offer: set(offer.give) <= set(hands[offer.by]))


def offered(key: str, offer: Bargain) -> LogLine:
    """To the two seats, the same to both (TKO-25)."""
    args: dict[str, Argument] = {
        "seat": offer.by,
        "other": offer.to,
        "give": _written(offer.give),
        "wish": list(offer.wish),
    }
    return LogLine(key, args, offering.parties(offer))


def made(offer: Bargain, back: tuple[Coin, ...], public: bool) -> tuple[Trade, tuple[LogLine, ...]]:
    """A trade as all see it: how many coins went each way, or which; the two see which (TKO-23)."""
    seats: dict[str, Argument] = {"seat": offer.by, "other": offer.to}
    which: dict[str, Argument] = {**seats, "give": _written(offer.give), "back": _written(back)}
    if public:
        trade = Trade(offer.by, offer.to, len(offer.give), len(back), offer.give, back)
        return trade, (LogLine("takeover.swapped", which, None),)
    count = {**seats, "gave": len(offer.give), "got": len(back)}
    trade = Trade(offer.by, offer.to, len(offer.give), len(back), None, None)
    return trade, (
        LogLine("takeover.traded", count, None),
        LogLine("takeover.swapped", which, offering.parties(offer)),
    )


def _written(coins: Iterable[Coin]) -> list[str]:
    """Coins as a line names them, stocks first: S5 is a stock, S5$ the same coin as cash."""
    return [
        coin.name if coin.stock else f"{coin.name}$"
        for coin in sorted(coins, key=lambda coin: not coin.stock)
    ]


# --- what is shown and offered ---


@memoize
def section(known: tuple[Bargain, ...]) -> Deals:
    return Deals(tuple(Deal(one.id, one.by, one.to, one.give, one.wish) for one in known))


@memoize
def _terms(grid: Grid, hand: tuple[Coin, ...]) -> tuple[dict[str, Domain], ...]:
    """Something for a wish, or a gift of something: as fields of a move."""
    names = tuple(coin.name for coin in hand)
    wished: dict[str, Domain] = {"give": Subset(names, 0, len(names)), "wish": wishes(grid, hand)}
    return (wished, {"give": Subset(names, 1, len(names)), "wish": NO_BAG}) if names else (wished,)


def proposals(grid: Grid, hand: tuple[Coin, ...], to: tuple[int, ...]) -> tuple[Choice, ...]:
    if not to:
        return ()
    return tuple(Choice("propose", {"to": OneOf(to), **fields}) for fields in _terms(grid, hand))


def replies(grid: Grid, hand: tuple[Coin, ...], seat: Seat, offer: Bargain, full: bool) -> tuple[Choice, ...]:
    """What a seat may do with an offer; `full`: it has no offer left to counter with."""
    if offer.by == seat:
        return (offering.CANCEL,)
    found = [offering.DECLINE]
    bag = answers(hand, offer.wish)
    if bag is not None:
        found.insert(0, Choice("accept", {"coins": bag}))
    if not full:
        found.extend(Choice("counter", {**fields}) for fields in _terms(grid, hand))
    return tuple(found)


def some(grid: Grid, hand: tuple[Coin, ...], dice: Dice) -> tuple[tuple[Coin, ...], tuple[str, ...]]:
    """Goods and wish of some offer this hand might have made (for `Game.resample`)."""
    terms = _terms(grid, hand)
    raw = kit_choices.fill(Choice("offer", {**terms[dice.below("resample", len(terms))]}), 0, dice)
    give, wish = raw["give"], raw["wish"]
    if isinstance(give, int) or isinstance(wish, int):
        raise ValueError("an offer gives and wishes for lists of coins")
    return tuple(coin for coin in hand if coin.name in give), tuple(map(str, wish))
