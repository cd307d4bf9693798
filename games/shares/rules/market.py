"""Open Market: offers of shares between who opened it and everybody else (SSA-31 to SSA-34)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from games.api import (
    Argument,
    Bound,
    Choice,
    Dice,
    Domain,
    LogLine,
    Millis,
    Multiset,
    OneOf,
    PromptId,
    Refusal,
    Seat,
    Step,
)
from games.kit import choices as kit_choices
from games.kit import offers as offering
from games.kit.memo import memoize
from games.kit.offers import Cancel, Decline
from games.kit.tuples import replace_at
from games.shares.rules.moves import Accept, Counter, Propose
from games.shares.rules.pieces import COMPANIES, LOT, MARKET_TIME, OFFERS, TRADES_SHOWN, Company, Shares
from games.shares.rules.turn_flow import Lines, active_of, tracker_of
from games.shares.rules.values import Bargain, Bargains, Deal, Deals, SharesState, Trade, Trades
from games.shares.texts import NOT_WITH_BROKER, NOT_YOUR_SHARES, NOTHING

Lot = tuple[Company, ...]
WISHES = Multiset(COMPANIES, (LOT,) * len(COMPANIES), (Bound(None, 1, LOT),))
"""Whatever the other has: that is looked at when it accepts, and never before (SSA-33)."""
NO_WISH = Multiset((), None, (Bound(None, 0, 0),))
ACCEPT = Choice("accept")


def counted(lot: Lot) -> Shares:
    return tuple(lot.count(company) for company in COMPANIES)


def has(holdings: Shares, lot: Lot) -> bool:
    """Whether these holdings contain this lot."""
    return all(owned >= wanted for owned, wanted in zip(holdings, counted(lot), strict=True))


def may_trade(state: SharesState, one: Seat, other: Seat) -> bool:
    """One side of every offer is the seat that opened the market (SSA-34)."""
    return active_of(state) in (one, other)


# --- what may be done ---


def refuse_propose(state: SharesState, seat: Seat, to: Seat) -> Refusal | None:
    refused = offering.refuse_propose(state.offers, seat, to, len(state.hands), OFFERS)
    if refused is not None:
        return refused
    return None if may_trade(state, seat, to) else NOT_WITH_BROKER


def refuse_terms(state: SharesState, seat: Seat, give: Lot, wish: Lot) -> Refusal | None:
    """The giver must own what it gives (SSA-32)."""
    if not give and not wish:
        return NOTHING
    good = len(give) <= LOT and has(tracker_of(state, seat).holdings, give)
    return None if good else NOT_YOUR_SHARES


def refuse(
    state: SharesState, seat: Seat, prompt: PromptId, move: Counter | Accept | Decline | Cancel
) -> Refusal | None:
    """From the seat's own shares and the offers it knows of alone."""
    if isinstance(move, Cancel):
        return offering.refuse_cancel(state.offers, prompt, seat)
    refused = offering.refuse_answer(state.offers, prompt, seat)
    if refused is not None:
        return refused
    offer = offering.get(state.offers, prompt)
    match move:
        case Decline():
            return None
        case Accept():
            return None if has(tracker_of(state, seat).holdings, offer.wish) else NOT_YOUR_SHARES
        case Counter(give=give, wish=wish):
            return refuse_propose(state, seat, offer.by) or refuse_terms(state, seat, give, wish)


@memoize
def _terms(holdings: Shares) -> tuple[dict[str, Domain], ...]:
    """Something for a wish, or a gift of something: as fields of a move."""
    owned = tuple(company for company, count in zip(COMPANIES, holdings, strict=True) if count)
    times = tuple(min(count, LOT) for count in holdings if count)
    wished: dict[str, Domain] = {"give": Multiset(owned, times, (Bound(None, 0, LOT),)), "wish": WISHES}
    return (
        (wished, {"give": Multiset(owned, times, (Bound(None, 1, LOT),)), "wish": NO_WISH})
        if owned
        else (wished,)
    )


def proposals(holdings: Shares, to: tuple[int, ...]) -> tuple[Choice, ...]:
    if not to:
        return ()
    return tuple(Choice("propose", {"to": OneOf(to), **fields}) for fields in _terms(holdings))


def replies(holdings: Shares, seat: Seat, offer: Bargain, full: bool) -> tuple[Choice, ...]:
    """What a seat may do with an offer; `full`: it has no offer left to counter with."""
    if offer.by == seat:
        return (offering.CANCEL,)
    found = [offering.DECLINE]
    if has(holdings, offer.wish):
        found.insert(0, ACCEPT)
    if not full:
        found.extend(Choice("counter", {**fields}) for fields in _terms(holdings))
    return tuple(found)


@memoize
def section(known: tuple[Bargain, ...]) -> Deals:
    return Deals(tuple(Deal(one.id, one.by, one.to, one.give, one.wish) for one in known))


def some(holdings: Shares, dice: Dice) -> tuple[Lot, Lot]:
    """Goods and wish of some offer a seat might have made (for `Game.resample`)."""
    terms = _terms(holdings)
    raw = kit_choices.fill(Choice("offer", {**terms[dice.below("resample", len(terms))]}), 0, dice)
    give, wish = raw["give"], raw["wish"]
    if isinstance(give, int) or isinstance(wish, int):
        raise ValueError("an offer gives and wishes for lists of shares")
    return _lot(give), _lot(wish)


def _lot(items: Sequence[int | str]) -> Lot:
    """Shares in the order of companies."""
    return tuple(company for company in COMPANIES for one in items if one == company)


# --- what is done ---


def propose(
    state: SharesState, seat: Seat, to: Seat, move: Propose | Counter, at: Millis, dice: Dice
) -> Step[SharesState]:
    """It stands until the market closes, so it needs no clock of its own."""
    offers = offering.propose(
        state.offers, seat, to, _lot(move.give), _lot(move.wish), MARKET_TIME, "off", at, dice
    )
    key = "shares.offered" if isinstance(move, Propose) else "shares.countered"
    return Step(replace(state, offers=offers), (_told(key, offers.open[-1], "wish"),))


def _told(key: str, offer: Bargain, back: str) -> LogLine:
    """To the two seats, the same to both."""
    args: dict[str, Argument] = {
        "seat": offer.by,
        "other": offer.to,
        "give": list(offer.give),
        back: list(offer.wish),
    }
    return LogLine(key, args, offering.parties(offer))


def trade(state: SharesState, offer: Bargain) -> Step[SharesState]:
    """Both sides at once; all see that there was one, and the two, or all by option, see what (SSA-31)."""
    given, back = counted(offer.give), counted(offer.wish)
    traded = replace_at(state.traded, offer.by, _moved(state.traded[offer.by], back, given))
    traded = replace_at(traded, offer.to, _moved(traded[offer.to], given, back))
    public = state.options.market_log == "public"
    made = Trade(
        state.stage.round,
        offer.by,
        offer.to,
        offer.give if public else None,
        offer.wish if public else None,
    )
    after = replace(
        state,
        traded=traded,
        trades=Trades((*state.trades.trades, made)[-TRADES_SHOWN:]),
        offers=offering.close(state.offers, offer.id),
    )
    offers, gone = kept(after)
    which = _told("shares.exchanged", offer, "back")
    fact = LogLine("shares.traded", {"seat": offer.by, "other": offer.to}, None)
    lines = (LogLine(which.key, which.args, None),) if public else (fact, which)
    return Step(replace(after, offers=offers), (*lines, *gone))


def _moved(traded: Shares, came: Shares, went: Shares) -> Shares:
    return tuple(all_ + more - less for all_, more, less in zip(traded, came, went, strict=True))


def kept(state: SharesState) -> tuple[Bargains, Lines]:
    """Without the offers whose proposer no longer owns what it gives."""
    return offering.sweep(state.offers, lambda offer: has(tracker_of(state, offer.by).holdings, offer.give))
