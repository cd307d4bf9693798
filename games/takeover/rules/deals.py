"""Trades: the possible wishes, the coins that fulfil a wish, and the swap (TKO-22 to TKO-25)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from games.api import Bound, Choice, LogLine, Multiset, Refusal, Seat, Step, Subset
from games.kit import choices as kit_choices
from games.kit import trading
from games.kit.memo import memoize
from games.kit.trading import Names, Terms, Trading
from games.takeover.rules import draft, mergers
from games.takeover.rules.values import (
    OFFER_TIME,
    SUITS,
    TRADES_SHOWN,
    WISHES,
    Accept,
    Bargain,
    Coin,
    Deal,
    Deals,
    Grid,
    Hands,
    Stage,
    TakeoverOptions,
    TakeoverState,
    Trade,
    Trades,
    offers_each,
    value_of,
)
from games.takeover.texts import DOES_NOT_FIT, NOT_ON_TURN, NOT_YOUR_COINS, NOTHING, WISH

SHARED_WISHES = ("1+", "2+", "3+", "4+", "5+", "null", "coin")
NULLS = 4
"""The most 0 coins that an offer can ask for."""


# --- wishes ---


def fits(coin: Coin, wished: str) -> bool:
    """Whether a coin matches one item of a wish (values.Wish)."""
    if wished == "coin":
        return True
    if wished == "null":
        return not coin.stock and value_of(coin.name) == 0
    if wished.endswith("+"):
        return not coin.stock and value_of(coin.name) >= int(wished[0])
    return coin.stock and coin.name.startswith(wished)


def _implies(wished: str, other: str) -> bool:
    """Whether every coin that matches `wished` also matches `other`."""
    if other == "coin" or wished == other:
        return True
    if other.endswith("+"):
        return wished.endswith("+") and wished[0] >= other[0]
    return wished[:-1] == other


@memoize
def wishes(grid: Grid, hand: tuple[Coin, ...]) -> Multiset:
    """The possible wishes of a seat with this hand, for at least one coin.

    Any stock can be named while its company exists, except those in this hand; other hands do not matter.
    """
    held = {coin.name for coin in hand}
    named = tuple(sorted(name for name in mergers.tops(grid) if name not in held))
    times = (1,) * len(named) + (6,) * len(SUITS) + (WISHES,) * 5 + (NULLS, WISHES)
    return Multiset((*named, *SUITS, *SHARED_WISHES), times, (Bound(None, 1, WISHES),))


@memoize
def answers(hand: tuple[Coin, ...], wish: tuple[str, ...]) -> Multiset | None:
    """The sets of coins in this hand that fulfil a wish, one coin per item; None if there are none.

    For any two items, the sets of coins that match them are either nested or disjoint. So a set with one coin
    per item fulfils the wish if and only if it has at least as many coins of each kind as the wish has items
    of that kind or a narrower one.
    """
    coins = [coin for coin in hand if any(fits(coin, wished) for wished in wish)]
    bounds = [Bound(None, len(wish), len(wish))]
    for kind in sorted(set(wish) - {"coin"}):
        worth = tuple(int(fits(coin, kind)) for coin in coins)
        bounds.append(Bound(worth, sum(_implies(wished, kind) for wished in wish), len(wish)))
    bag = Multiset(tuple(coin.name for coin in coins), None, tuple(bounds))
    return bag if kit_choices.feasible(bag) else None


# --- permission ---


def may_trade(options: TakeoverOptions, stage: Stage, by: Seat, to: Seat) -> bool:
    """Whether these two seats may trade now; with `ownTurnOnly`, it must be the turn of one of them."""
    if options.trading == "ownTurnOnly":
        return stage.turn in (by, to)
    return options.trading == "anytime"


# --- effects ---


def pick_coins(hand: tuple[Coin, ...], names: Iterable[str]) -> tuple[Coin, ...]:
    """These coins from a hand, each with the side that is up."""
    wanted = set(names)
    return tuple(coin for coin in hand if coin.name in wanted)


def swap(hands: Hands, offer: Bargain, back: tuple[Coin, ...]) -> Hands:
    """The hands after a trade: both sides change hands at once, and no coin is flipped (5b)."""
    after = list(hands)
    kept = (coin for coin in hands[offer.by] if coin not in offer.give)
    after[offer.by] = draft.receive(tuple(kept), back)
    kept = (coin for coin in hands[offer.to] if coin not in back)
    after[offer.to] = draft.receive(tuple(kept), offer.give)
    return tuple(after)


# --- sections and choices ---


@memoize
def section(known: tuple[Bargain, ...]) -> Deals:
    return Deals(tuple(Deal(offer.id, offer.by, offer.to, offer.give, offer.wish) for offer in known))


@memoize
def terms(grid: Grid, hand: tuple[Coin, ...]) -> Terms:
    """The terms that a seat with this hand may offer."""
    names = tuple(coin.name for coin in hand)
    give, gift = (Subset(names, least, len(names)) for least in (0, 1))
    return trading.goods_or_gift(give, wishes(grid, hand), gift if names else None)


def accept(hand: tuple[Coin, ...], offer: Bargain) -> Choice | None:
    bag = answers(hand, offer.wish)
    return None if bag is None else Choice("accept", {"coins": bag})


# --- the trade itself ---


class CoinTrading(Trading[TakeoverState, Coin, tuple[str, ...], Accept]):
    """Trades of coins, which are not flipped; each offer expires on its own."""

    prompt = "trade"
    ruling = "TKO-22"
    offered = "takeover.offered"
    countered = "takeover.countered"
    swapped = "takeover.swapped"
    span = OFFER_TIME

    def max_offers(self, seats: int) -> int:
        return offers_each(seats)

    def refuse_pair(self, state: TakeoverState, by: Seat, to: Seat) -> Refusal | None:
        return None if may_trade(state.options, state.stage, by, to) else NOT_ON_TURN

    def refuse_terms(self, state: TakeoverState, seat: Seat, give: Names, wish: Names) -> Refusal | None:
        hand = state.hands[seat]
        if len(set(give)) < len(give) or not {coin.name for coin in hand} >= set(give):
            return NOT_YOUR_COINS
        if not wish:
            return None if give else NOTHING
        return None if kit_choices.contains(wishes(state.grid, hand), wish, 0) else WISH

    def refuse_accept(self, state: TakeoverState, seat: Seat, offer: Bargain, move: Accept) -> Refusal | None:
        """Depends only on the seat's own hand (TKO-24)."""
        bag = answers(state.hands[seat], offer.wish)
        return None if bag is not None and kit_choices.contains(bag, move.coins, 0) else DOES_NOT_FIT

    def terms(self, state: TakeoverState, seat: Seat) -> Terms:
        return terms(state.grid, state.hands[seat])

    def goods(
        self, state: TakeoverState, seat: Seat, give: Names, wish: Names
    ) -> tuple[tuple[Coin, ...], Names]:
        """The coins given, each with the side that is up (TKO-25), and the wish."""
        return pick_coins(state.hands[seat], give), wish

    def holds(self, state: TakeoverState, offer: Bargain) -> bool:
        """Whether none of the coins given has been flipped, moved or spent (TKO-22)."""
        return set(offer.give) <= set(state.hands[offer.by])

    def name_goods(self, goods: Iterable[Coin]) -> list[str]:
        """The coins by name, stocks first: S5 is a stock, S5$ the same coin as cash."""
        return [
            coin.name if coin.stock else f"{coin.name}$"
            for coin in sorted(goods, key=lambda coin: not coin.stock)
        ]

    def swap(self, state: TakeoverState, offer: Bargain, move: Accept) -> Step[TakeoverState]:
        """Swaps the coins. Both sides see which; the others see that too, or only how many (TKO-23)."""
        by, to = offer.by, offer.to
        back = pick_coins(state.hands[to], move.coins)
        gave, got = len(offer.give), len(back)
        public = state.options.trade_log == "public"
        which = (offer.give, back) if public else (None, None)
        trades = (*state.trades.trades, Trade(by, to, gave, got, *which))
        fact = LogLine("takeover.traded", {"seat": by, "other": to, "gave": gave, "got": got}, None)
        after = state.with_coins("play", swap(state.hands, offer, back), state.spent)
        return Step(
            replace(after, trades=Trades(trades[-TRADES_SHOWN:])),
            self.swap_lines(offer, back, None if public else fact),
        )


TRADING: Final = CoinTrading()
