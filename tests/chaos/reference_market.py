"""A slow but obvious second implementation of Takeover and its trades, and of who is sent what, and when.

It was written from the rulings and shares no code with `games`. Commands are processed one after the other,
each at its table time, after every window that ends by then. Coins, lines and sections are as on the wire.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from tests.chaos.reference_wishes import Coin, may_wish, meets
from tests.games.takeover.reference import (
    Square,
    Stacks,
    reference_can_merge,
    reference_cash_out,
    reference_merge,
    reference_over,
    reference_scores,
    suit_of,
    value_of,
)

Refused: TypeAlias = tuple[str, str]
"""The refusal's code and rule."""
Move: TypeAlias = Mapping[str, Any]

NAMES: Final = tuple(f"{suit}{value}" for suit in "SMCA" for value in range(6))
SCALE: Final = {"fast": 0.5, "normal": 1.0, "relaxed": 2.0}
TURN: Final = 75_000
OFFER: Final = 45_000
SHORT: Final = 10_000
"""The time that an absent seat gets for its turn."""
MISSES_BEFORE_AWAY: Final = 2
EXTENSIONS: Final = 2
EXTENSION: Final = 60_000
SHOWN: Final = 6


def in_order(names: Iterable[str]) -> list[str]:
    """Coins in the order of hands and payments: by suit, then by value."""
    return sorted(names, key=NAMES.index)


@dataclass(eq=False)
class Offer:
    """One offer, from the moment it is made; `id` is known once its two seats have been shown the offer."""

    by: int
    to: int
    give: list[Coin]
    wish: list[str]
    span: int
    end: int | None
    id: str = ""
    fate: frozenset[str] = frozenset()
    """The reasons why it may be gone."""
    ended: int = -1
    """The tick in which it ended."""

    @property
    def seats(self) -> list[int]:
        return sorted((self.by, self.to))


@dataclass
class Market:
    """A table in play. `tick` is set by the caller; offers that end are stamped with it."""

    seats: int
    options: Mapping[str, Any]
    stacks: Stacks
    hands: list[list[Coin]]
    turn: int
    began: int
    """Table time at which the first turn began."""
    number: int = 0
    tick: int = 0
    spent: list[str] = field(default_factory=list)
    offers: list[Offer] = field(default_factory=list)
    gone: dict[str, Offer] = field(default_factory=dict)
    """Offers that are no longer open, by id."""
    trades: list[dict[str, Any]] = field(default_factory=list)
    lines: list[list[list[Any]]] = field(init=False)
    """The lines that each seat and, last, a watcher must get: key, arguments, table time, restricted."""
    over: bool = False
    expired: int = 0
    """The number of windows that ended."""
    accepted: Counter[str] = field(default_factory=Counter)
    """The number of times each offer was accepted."""

    def __post_init__(self) -> None:
        self.lines = [[] for _ in range(self.seats + 1)]
        self.passed = [False] * self.seats
        self.lapses = [0] * self.seats
        self.missed_in_a_row = [0] * self.seats
        self.extensions = [EXTENSIONS] * self.seats
        self.extended = 0
        """Milliseconds by which the current turn was extended."""

    # --- time ---

    def _span(self, length: int) -> int | None:
        timers = self.options["timers"]
        return None if timers == "off" else int(length * SCALE[timers])

    @property
    def _turn_end(self) -> int | None:
        if self._is_away(self.turn):
            return self.began + SHORT
        span = self._span(TURN)
        return None if span is None else self.began + span + self.extended

    def _is_away(self, seat: int) -> bool:
        return self.missed_in_a_row[seat] >= MISSES_BEFORE_AWAY

    def next_end(self) -> int | None:
        """The end of the first window."""
        ends = [self._turn_end, *(offer.end for offer in self.offers)]
        return None if self.over else min((end for end in ends if end is not None), default=None)

    def pass_time(self, at: int) -> None:
        """End every window that ends by `at`, in order, a turn before an offer (5b, GEN-7)."""
        while (end := self.next_end()) is not None and end <= at:
            self.expired += 1
            if self._turn_end == end:
                self._pass(end, auto=True)
            else:
                offer = next(offer for offer in self.offers if offer.end == end)
                self._drop(offer, "lapsed")
                self._tell(end, "offer.lapsed", {"seat": offer.by, "other": offer.to}, offer.seats)

    def extend_for_absent(self, at: int) -> None:
        """Nobody is connected: a turn that ends now spends an extension instead (GEN-6)."""
        seat = self.turn
        if self.over or self._turn_end != at or self._is_away(seat) or not self.extensions[seat]:
            return
        self.pass_time(at - 1)
        self.extensions[seat] -= 1
        self.extended += EXTENSION
        self._tell(at, "timeControl.extended", {"seat": seat, "left": self.extensions[seat]})

    # --- commands ---

    def do(self, seat: int, prompt: str, move: Move, at: int) -> Refused | None:
        """The result of a move: None if it is applied, otherwise the refusal that only its seat receives."""
        self.pass_time(at)
        if self.over:
            return "NOT_NOW", "GEN-6"
        kind = move["move"]
        if prompt == f"turn:{self.number}" and seat == self.turn:
            return self._take_turn(seat, kind, move, at)
        if prompt == "trade":
            return self._propose(seat, move["to"], move, "takeover.offered", at)
        offer = next((offer for offer in self.offers if offer.id == prompt), None)
        if offer is None or seat not in offer.seats:
            return "STALE_PROMPT", "GEN-4"
        if seat != (offer.by if kind == "cancel" else offer.to):
            return "NOT_YOURS", "TKO-22"
        match kind:
            case "accept":
                return self._accept(offer, move["coins"], at)
            case "counter":
                return self._propose(seat, offer.by, move, "takeover.countered", at, instead=offer)
            case _:
                assert kind in ("decline", "cancel")
                key = "offer.declined" if kind == "decline" else "offer.gone"
                self._drop(offer, "declined" if kind == "decline" else "cancelled")
                self._tell(at, key, {"seat": offer.by, "other": offer.to}, offer.seats)
                return None

    def _propose(
        self, seat: int, to: int, move: Move, key: str, at: int, instead: Offer | None = None
    ) -> Refused | None:
        """TKO-22, TKO-24, TKO-25"""
        if self.between(seat, to) >= self.each:
            return "TOO_MANY", "TKO-22"
        if instead is None and not self.may_trade(seat, to):
            return "NOT_ON_TURN", "TKO-22"
        hand = self._faces(seat)
        give, wish = list(move["give"]), list(move["wish"])
        if len(set(give)) < len(give) or not set(give) <= hand.keys():
            return "NOT_YOUR_COINS", "GEN-3"
        if not give and not wish:
            return "NOTHING", "TKO-22"
        if not may_wish(self.stacks, self.hands[seat], wish):
            return "WISH", "TKO-24"
        if instead is not None:
            self._drop(instead, "countered")
        span = self._span(OFFER)
        coins = [[name, hand[name]] for name in in_order(give)]
        offer = Offer(seat, to, coins, wish, span or 0, None if span is None else at + span)
        self.offers.append(offer)
        arguments = {"seat": seat, "other": to, "give": _written(coins), "wish": wish}
        self._tell(at, key, arguments, offer.seats)
        return None

    @property
    def each(self) -> int:
        """The number of offers a seat may have open to one other seat."""
        return max(1, 6 // self.seats)

    def between(self, by: int, to: int) -> int:
        """The number of offers `by` has open to `to`."""
        return sum((offer.by, offer.to) == (by, to) for offer in self.offers)

    def may_trade(self, one: int, other: int) -> bool:
        return self.options["trading"] == "anytime" or self.turn in (one, other)

    def _accept(self, offer: Offer, coins: Sequence[str], at: int) -> Refused | None:
        """Trade both sides at once (5b); TKO-22 to TKO-24."""
        proposer_hand, acceptor_hand = self.hands[offer.by], self.hands[offer.to]
        back = [coin for coin in acceptor_hand if coin[0] in coins]
        if len(set(coins)) < len(coins) or len(back) < len(coins) or not meets(back, offer.wish):
            return "DOES_NOT_FIT", "TKO-24"
        self._acted(offer.to, at)
        self.accepted[offer.id] += 1
        self._drop(offer, "accepted")
        self.hands[offer.by] = self._sorted([coin for coin in proposer_hand if coin not in offer.give] + back)
        self.hands[offer.to] = self._sorted([coin for coin in acceptor_hand if coin not in back] + offer.give)
        which = {
            "seat": offer.by,
            "other": offer.to,
            "give": _written(offer.give),
            "back": _written(back),
        }
        count = {"seat": offer.by, "other": offer.to, "gave": len(offer.give), "got": len(back)}
        public = self.options["tradeLog"] == "public"
        if public:
            self._tell(at, "takeover.swapped", which)
        else:
            self._tell(at, "takeover.traded", count)
            self._tell(at, "takeover.swapped", which, offer.seats)
        shown = {"given": offer.give, "back": back} if public else {"given": None, "back": None}
        self.trades = [*self.trades, {**count, **shown}][-SHOWN:]
        self._sweep(at, "traded")
        return None

    def _take_turn(self, seat: int, kind: str, move: Move, at: int) -> Refused | None:
        match kind:
            case "pass":
                self._acted(seat, at)
                self._pass(at, auto=False)
                return None
            case "cashOut":
                return self._cash_out(seat, move["coins"], at)
            case _:
                assert kind == "merge"
                return self._merge(seat, move, at)

    def _cash_out(self, seat: int, coins: Sequence[str], at: int) -> Refused | None:
        """TKO-6"""
        if not self.options["voluntaryCashOut"]:
            return "NO_CASH_OUT", "TKO-6"
        if not coins or not set(coins) <= {name for name, stock in self.hands[seat] if stock}:
            return "NOT_STOCKS", "TKO-6"
        self.hands[seat] = [[name, stock and name not in coins] for name, stock in self.hands[seat]]
        if self.options["holdings"] != "concealed":
            self._tell(at, "takeover.cashedOut", {"seat": seat, "count": len(coins)})
        self._tell(at, "takeover.youCashedOut", {"coins": sorted(coins)}, [seat])
        self._sweep(at, "cashed out")
        return None

    def _merge(self, seat: int, move: Move, at: int) -> Refused | None:
        """5b: merge 1 to 6; the grid allows the pair, because nobody else moves tiles during the turn."""
        covering, covered = move["pair"].split(">")
        a, b = self.square(covering), self.square(covered)
        pay, null = list(move["pay"]), move.get("null")
        hand = self._faces(seat)
        if null is not None and hand.get(null, True):
            return "NO_NULL", "TKO-18"
        if not set(pay) <= hand.keys():
            return "NOT_YOUR_COINS", "GEN-3"
        if any(hand[name] for name in pay):
            return "NOT_CASH", "TKO-13"
        values = [value_of(name) for name in pay]
        reaches, cost = reference_can_merge(self.stacks, a, b, values, null is not None)
        assert reaches
        assert cost is not None
        self._acted(seat, at)
        self.stacks, under, _ = reference_merge(self.stacks, a, b)
        away = {*pay, null}
        self.hands[seat] = [coin for coin in self.hands[seat] if coin[0] not in away]
        self.spent = in_order([*self.spent, *(name for name in away if name is not None)])
        touch = abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1
        paid = sorted(map(value_of, pay), reverse=True)
        arguments = {"seat": seat, "source": covering, "onto": covered, "paid": paid}
        self._tell(at, "takeover.merged" if touch else "takeover.special", arguments)
        self._tell(at, "takeover.subsumed", {"coin": under})
        owner = next((other for other, held in enumerate(self.hands) if [under, True] in held), None)
        stocks = [[name for name, stock in held if stock] for held in self.hands]
        cash = [[name for name, stock in held if not stock] for held in self.hands]
        stocks, cash = reference_cash_out(stocks, cash, under)
        self.hands = [
            self._sorted([*([name, True] for name in one), *([name, False] for name in other)])
            for one, other in zip(stocks, cash, strict=True)
        ]
        if owner is not None and self.options["holdings"] == "concealed":
            self._tell(at, "takeover.yourFlip", {"coin": under}, [owner])
        elif owner is not None:
            self._tell(at, "takeover.flipped", {"seat": owner, "coin": under})
        gone = self._swept("covered")
        self.passed = [False] * self.seats
        self.lapses = [0] * self.seats
        self._next(at, gone)
        return None

    def square(self, top: str) -> Square:
        """The square this corporation is on."""
        (place,) = [square for square, stack in self.stacks.items() if stack[-1] == top]
        return place

    # --- turns ---

    def _pass(self, at: int, *, auto: bool) -> None:
        """TKO-21"""
        seat = self.turn
        self._tell(at, "takeover.auto" if auto else "takeover.passed", {"seat": seat})
        if auto:
            self.lapses[seat] += 1
            self.missed_in_a_row[seat] += 1
            if self.missed_in_a_row[seat] == MISSES_BEFORE_AWAY:
                self._tell(at, "timeControl.away", {"seat": seat})
        else:
            self.passed[seat] = True
        if all(done or times >= 2 for done, times in zip(self.passed, self.lapses, strict=True)):
            self._end(at, "takeover.allPassed")
        else:
            self._next(at, [])

    def _acted(self, seat: int, at: int) -> None:
        """Mark a seat that acts in public as back (GEN-7)."""
        if self._is_away(seat):
            self._tell(at, "timeControl.back", {"seat": seat})
        self.missed_in_a_row[seat] = 0

    def _next(self, at: int, gone: list[Offer]) -> None:
        if reference_over(self.stacks, *self._pool()):
            for offer in gone:
                self._tell_gone(at, offer)
            self._end(at, "takeover.noMergers")
            return
        self.number += 1
        self.turn = (self.turn + 1) % self.seats
        self.began = at
        self.extended = 0
        if self.options["trading"] == "ownTurnOnly":
            gone = [*gone, *self.offers]
            for offer in list(self.offers):
                self._drop(offer, "turn")
        for offer in gone:
            self._tell_gone(at, offer)

    def _pool(self) -> tuple[list[int], int]:
        """The cash and value-up nulls that may pay for mergers, going by what everybody can see (TKO-17)."""
        voluntary, holdings = self.options["voluntaryCashOut"], self.options["holdings"]
        if holdings == "concealed" or (holdings == "faces" and voluntary):
            coins = [name for name in NAMES if name not in self.spent]
        else:
            coins = [name for hand in self.hands for name, stock in hand if voluntary or not stock]
        values = [value_of(name) for name in coins]
        return values, values.count(0)

    def _end(self, at: int, why: str) -> None:
        self._tell(at, why, {})
        for offer in list(self.offers):
            self._drop(offer, "over")
            self._tell_gone(at, offer)
        scores = self.scores()
        winners = [seat for seat, score in enumerate(scores) if score == max(scores)]
        self._tell(at, "takeover.won", {"seats": winners})
        self.over = True

    def scores(self) -> list[int]:
        stocks = [[name for name, stock in hand if stock] for hand in self.hands]
        cash = [[name for name, stock in hand if not stock] for hand in self.hands]
        return reference_scores(self.stacks, stocks, cash)

    # --- offers that end ---

    def _drop(self, offer: Offer, *why: str) -> None:
        self.offers.remove(offer)
        offer.fate, offer.ended = frozenset(why), self.tick
        if offer.id:
            self.gone[offer.id] = offer

    def _swept(self, why: str) -> list[Offer]:
        """Drop and return the offers of coins that have been flipped, moved or spent (TKO-22)."""
        kept_offers = []
        for offer in list(self.offers):
            missing = [coin for coin in offer.give if coin not in self.hands[offer.by]]
            if missing:
                self._drop(offer, *("spent" if name in self.spent else why for name, _ in missing))
                kept_offers.append(offer)
        return kept_offers

    def _sweep(self, at: int, why: str) -> None:
        for offer in self._swept(why):
            self._tell_gone(at, offer)

    def _tell_gone(self, at: int, offer: Offer) -> None:
        self._tell(at, "offer.gone", {"seat": offer.by, "other": offer.to}, offer.seats)

    # --- lines and views ---

    def _faces(self, seat: int) -> dict[str, bool]:
        """The coins in a hand, and whether each is a stock."""
        return {coin[0]: coin[1] for coin in self.hands[seat]}

    def _tell(self, at: int, key: str, args: Mapping[str, Any], to: Iterable[int] | None = None) -> None:
        for viewer in range(self.seats + 1) if to is None else to:
            self.lines[viewer].append([key, dict(args), at, to is not None])

    def _sorted(self, coins: list[Coin]) -> list[Coin]:
        return sorted(coins, key=lambda coin: NAMES.index(coin[0]))

    def known(self, seat: int) -> list[Offer]:
        """The offers this seat knows about, oldest first."""
        return [offer for offer in self.offers if seat in offer.seats]

    def shown(self, viewer: int) -> dict[str, Any]:
        """The view of coins and offers for a seat, or for a watcher if `viewer` equals `seats`."""
        options = self.options
        counts = [len(hand) for hand in self.hands]
        faces = coins = None
        if options["holdings"] == "faces":
            faces = [sorted(suit_of(n) if stock else n[1] for n, stock in hand) for hand in self.hands]
        if options["holdings"] == "open":
            coins = self.hands
        offers = self.known(viewer) if viewer < self.seats else []
        sections: dict[str, Any] = {
            "stage": ["play", self.number, self.turn],
            "holdings": [counts, faces, coins, sorted(map(value_of, self.spent))],
            "trades": self.trades,
            "passes": [self.passed, self.lapses],
            "prompts": [
                [f"turn:{self.number}", [self.turn]],
                ["trade", list(range(self.seats))],
                *([offer.id, offer.seats] for offer in offers),
            ],
            "windows": [[offer.id, [offer.to], offer.span, offer.end] for offer in offers if offer.end],
        }
        if viewer < self.seats:
            sections["hand"] = self.hands[viewer]
            sections["deals"] = [[offer.id, offer.by, offer.to, offer.give, offer.wish] for offer in offers]
        return sections


def _written(coins: Sequence[Coin]) -> list[str]:
    """Stocks by name, then cash with a mark."""
    return [n for n, stock in coins if stock] + [f"{n}$" for n, stock in coins if not stock]
