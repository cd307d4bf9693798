"""Open Market: share trades between the seat that opened the market and the others (SSA-31 to SSA-34)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

from msgspec.structs import replace

from games.api import Bound, Choice, LogLine, Multiset, Refusal, Seat, Step
from games.kit import trading
from games.kit.memo import memoize
from games.kit.trading import Names, Terms, Trading
from games.kit.tuples import replace_at
from games.shares.rules.moves import Accept
from games.shares.rules.pieces import COMPANIES, LOT, OFFERS, TRADES_SHOWN, Company, Shares
from games.shares.rules.turn_flow import active_of, tracker_of
from games.shares.rules.values import Bargain, Deal, Deals, SharesState, Trade, Trades
from games.shares.texts import NOT_WITH_BROKER, NOT_YOUR_SHARES, NOTHING

Lot: TypeAlias = tuple[Company, ...]
WISHES = Multiset(COMPANIES, (LOT,) * len(COMPANIES), (Bound(None, 1, LOT),))
"""Any shares: whether the other seat has them is checked only when it accepts (SSA-33)."""
ACCEPT = Choice("accept")


def count_shares(lot: Names) -> Shares:
    return tuple(lot.count(company) for company in COMPANIES)


def has(holdings: Shares, lot: Names) -> bool:
    """Whether these holdings contain this lot."""
    return all(owned >= wanted for owned, wanted in zip(holdings, count_shares(lot), strict=True))


def may_trade(state: SharesState, seat: Seat, other: Seat) -> bool:
    """Whether these two may trade: one of them must have opened the market (SSA-34)."""
    return active_of(state) in (seat, other)


@memoize
def terms(holdings: Shares) -> Terms:
    """The terms that a seat with these shares may offer."""
    owned = tuple(company for company, count in zip(COMPANIES, holdings, strict=True) if count)
    times = tuple(min(count, LOT) for count in holdings if count)
    give, gift = (Multiset(owned, times, (Bound(None, least, LOT),)) for least in (0, 1))
    return trading.goods_or_gift(give, WISHES, gift if owned else None)


def accept(holdings: Shares, offer: Bargain) -> Choice | None:
    return ACCEPT if has(holdings, offer.wish) else None


@memoize
def section(known: tuple[Bargain, ...]) -> Deals:
    return Deals(tuple(Deal(offer.id, offer.by, offer.to, offer.give, offer.wish) for offer in known))


def _lot(names: Iterable[str]) -> Lot:
    """The shares, sorted by company."""
    return tuple(company for company in COMPANIES for name in names if name == company)


def _update_traded(traded: Shares, came: Shares, went: Shares) -> Shares:
    return tuple(all_ + more - less for all_, more, less in zip(traded, came, went, strict=True))


class Market(Trading[SharesState, Company, Lot, Accept]):
    """Trading in a market: offers stay open until it closes, so they need no clock of their own."""

    prompt = "market"
    ruling = "SSA-34"
    offered = "shares.offered"
    countered = "shares.countered"
    swapped = "shares.exchanged"

    def max_offers(self, seats: int) -> int:
        return OFFERS

    def refuse_pair(self, state: SharesState, by: Seat, to: Seat) -> Refusal | None:
        return None if may_trade(state, by, to) else NOT_WITH_BROKER

    def refuse_terms(self, state: SharesState, seat: Seat, give: Names, wish: Names) -> Refusal | None:
        """The giver must own what it gives (SSA-32)."""
        if not give and not wish:
            return NOTHING
        good = len(give) <= LOT and has(tracker_of(state, seat).holdings, give)
        return None if good else NOT_YOUR_SHARES

    def refuse_accept(self, state: SharesState, seat: Seat, offer: Bargain, move: Accept) -> Refusal | None:
        return None if has(tracker_of(state, seat).holdings, offer.wish) else NOT_YOUR_SHARES

    def terms(self, state: SharesState, seat: Seat) -> Terms:
        return terms(tracker_of(state, seat).holdings)

    def goods(self, state: SharesState, seat: Seat, give: Names, wish: Names) -> tuple[Lot, Lot]:
        return _lot(give), _lot(wish)

    def holds(self, state: SharesState, offer: Bargain) -> bool:
        return has(tracker_of(state, offer.by).holdings, offer.give)

    def swap(self, state: SharesState, offer: Bargain, move: Accept) -> Step[SharesState]:
        """Trade shares.

        Everyone sees that a trade happened. Only the two seats see which shares changed hands, unless the
        option makes them public (SSA-31).
        """
        by, to = offer.by, offer.to
        given, back = count_shares(offer.give), count_shares(offer.wish)
        traded = replace_at(state.traded, by, _update_traded(state.traded[by], back, given))
        traded = replace_at(traded, to, _update_traded(traded[to], given, back))
        public = state.options.market_log == "public"
        shown = (offer.give, offer.wish) if public else (None, None)
        trades = (*state.trades.trades, Trade(state.stage.round, by, to, *shown))
        fact = LogLine("shares.traded", {"seat": by, "other": to}, None)
        return Step(
            replace(state, traded=traded, trades=Trades(trades[-TRADES_SHOWN:])),
            self.swap_lines(offer, offer.wish, None if public else fact),
        )


MARKET: Final = Market()
