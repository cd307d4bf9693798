"""Random players of Takeover whose commands race: they make and answer offers just as something else happens.

A `Plan` holds the commands that a table's seats send before and after a span of time, all within one tick.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from tests.chaos.reference_market import Market, Offer, in_order
from tests.chaos.reference_wishes import Coin, may_wish, meeting
from tests.chaos.soak_table import Command, Plan
from tests.games.takeover.reference import Square, reference_can_merge, suit_of, value_of

Scene: TypeAlias = Callable[[], "list[Command]"]

TWICE: Final = 0.04
"""The share of commands that are sent twice."""
SCENES: Final = (1, 1, 4, 6, 8)
"""The possible numbers of scenes (groups of related commands) at a table in one tick."""


class Traders:
    """The seats of one table. They read the reference market, which knows everything they know together."""

    def __init__(self, market: Market, fate: random.Random) -> None:
        self._market = market
        self._fate = fate
        self._wanted: set[str] = set()
        """Offers that somebody accepts in this tick."""

    def plan(self, at: int, span: int) -> Plan:
        """A plan for this tick, which begins at table time `at` and ends `span` ms later."""
        self._wanted.clear()
        plan = self._at_the_end(at, at + span)
        scenes_now = 1 if plan.late else self._fate.choice(SCENES)
        wanted = min(12, 0.6 * self._market.seats * (self._market.seats - 1) * self._market.each)
        scenes: list[tuple[float, Scene]] = [
            (8.0 if len(self._market.offers) < wanted else 2.0, self._proposals),
            (7.0, self._acceptance),
            (0.6, self._twice),
            (1.0, self._one_coin_twice),
            (2.0, self._against),
            (2.4 + 0.3 * self._market.seats, self._merger),
            (2.0, self._unmeetable),
            (0.8, self._anything),
        ]
        weights = [weight for weight, _ in scenes]
        for _, scene in self._fate.choices(scenes, weights, k=scenes_now):
            commands = scene()
            cut = self._fate.choice((0, len(commands), self._fate.randint(0, len(commands))))
            plan.early += commands[:cut]
            plan.late += commands[cut:]
        return plan

    # --- offers ---

    def _proposals(self) -> list[Command]:
        return [self._proposal() for _ in range(self._fate.randint(1, 3))]

    def _proposal(self) -> Command:
        """A proposal, usually between two seats that are allowed another open offer."""
        market = self._market
        pairs = [(by, to) for by in range(market.seats) for to in range(market.seats) if by != to]
        good = [pair for pair in pairs if market.between(*pair) < market.each and market.may_trade(*pair)]
        due = [pair for pair in good if pair[0] == market.turn]  # the proposer may pay with its offer
        good = due if due and self._fate.random() < 0.3 else good
        by, to = self._fate.choice(good if good and self._fate.random() < 0.95 else pairs)
        return Command(by, "trade", {"move": "propose", "to": to, **self._terms(by, to)})

    def _terms(self, by: int, to: int) -> dict[str, Any]:
        """The coins that `by` gives and wishes for; the other seat often has the latter, but not always."""
        hand = self._market.hands[by]
        if by == self._market.turn and self._fate.random() < 0.5:
            hand = [coin for coin in hand if not coin[1]]
        give = self._fate.sample(hand, min(len(hand), self._fate.choice((1, 1, 1, 2, 2, 3))))
        theirs = self._market.hands[to]
        wish: list[str] = []
        match self._fate.randrange(5):
            case 0 | 1 | 2:
                some = self._fate.sample(theirs, min(len(theirs), self._fate.choice((0, 1, 1, 1, 2))))
                wish = [self._named(coin) for coin in some]
            case 3:
                tops = [stack[-1] for stack in self._market.stacks.values()]
                others = [name for name in tops if [name, True] not in theirs]
                wish = [self._fate.choice([*others, "5+", "null", "S", "A"])]
            case _:
                pass
        wish = wish if may_wish(self._market.stacks, self._market.hands[by], wish) else []
        return {"give": in_order(name for name, _ in give), "wish": wish}

    def _named(self, coin: Coin) -> str:
        """A wish that this coin fulfils."""
        name, stock = coin
        if self._fate.random() < 0.2:
            return "coin"
        if stock:
            return str(self._fate.choice((name, suit_of(name))))
        return f"{self._fate.randint(1, value_of(name))}+" if value_of(name) else "null"

    # --- answers ---

    def _accepting(self, offer: Offer) -> Command:
        """Accept with coins that fulfil the wish, if there are any."""
        hand = self._market.hands[offer.to]
        coins = meeting(self._fate.sample(hand, len(hand)), offer.wish)
        if coins is None:
            coins = self._fate.sample(hand, min(len(hand), len(offer.wish)))
        names = [name for name, _ in coins]
        self._wanted.add(offer.id)
        return Command(
            offer.to, offer.id, {"move": "accept", "coins": names}, twice=self._fate.random() < TWICE
        )

    def _meetable(self) -> list[Offer]:
        market = self._market
        return [one for one in market.offers if meeting(market.hands[one.to], one.wish) is not None]

    def _acceptance(self) -> list[Command]:
        """Accept an offer, usually one that nobody else is about to accept."""
        offers = self._meetable()
        free = [offer for offer in offers if offer.id not in self._wanted]
        offers = free if self._fate.random() < 0.9 else offers
        return [self._accepting(self._fate.choice(offers))] if offers else []

    def _twice(self) -> list[Command]:
        """Accept the same offer twice, as if by a double tap or from two clients."""
        return 2 * self._acceptance()

    def _one_coin_twice(self) -> list[Command]:
        """Accept two offers of the same coin, by one seat or by two."""
        offers = self._meetable()
        pairs = [
            (one, other)
            for one in offers
            for other in offers
            if one is not other and one.by == other.by and any(coin in other.give for coin in one.give)
        ]
        return [self._accepting(offer) for offer in self._fate.choice(pairs)] if pairs else []

    def _against(self) -> list[Command]:
        """An acceptance and a command that conflicts with it, in either order."""
        offers = self._meetable()
        if not offers:
            return []
        offer = self._fate.choice(offers)
        other = self._fate.choice(
            [
                Command(offer.by, offer.id, {"move": "cancel"}),
                Command(offer.by, offer.id, {"move": "cancel"}),
                Command(offer.to, offer.id, {"move": "decline"}),
                Command(offer.to, offer.id, {"move": "counter", **self._terms(offer.to, offer.by)}),
            ]
        )
        return self._fate.sample([self._accepting(offer), other], 2)

    def _unmeetable(self) -> list[Command]:
        """Accept an offer whose wish the acceptor cannot fulfil."""
        meetable = self._meetable()
        offers = [offer for offer in self._market.offers if offer not in meetable]
        return [self._accepting(self._fate.choice(offers))] if offers else []

    def _at_the_end(self, at: int, end: int) -> Plan:
        """Accept offers that run out within this tick: in time, too late, or both."""
        ending = [one for one in self._market.offers if one.end is not None and at < one.end <= end]
        plan = Plan()
        for offer in ending:
            when = self._fate.random()
            if when < 0.3:
                plan.early.append(self._accepting(offer))
            if when > 0.2:
                plan.late.append(self._accepting(offer))
        return plan

    # --- turns ---

    def _merger(self) -> list[Command]:
        """Merge onto a stock on offer, or pay with coins on offer, just as those offers are accepted."""
        market = self._market
        seat = market.turn
        cash = [name for name, stock in market.hands[seat] if not stock]
        own_offers = [offer for offer in market.offers if offer.by == seat]
        offered = [coin for offer in market.offers for coin in offer.give]
        squares = {stack[-1]: square for square, stack in market.stacks.items()}
        onto = [squares[name] for name, stock in offered if stock]
        self._fate.shuffle(onto)
        extra = [
            name for name in cash if value_of(name) and any([name, False] in one.give for one in own_offers)
        ]
        ways = [way for square in dict.fromkeys(onto) for way in self._ways(square, cash)]
        if not ways:
            anywhere = self._fate.sample(sorted(market.stacks), len(market.stacks))
            ways = next((merges for square in anywhere if (merges := self._ways(square, cash))), [])
        if not ways:
            return [Command(seat, f"turn:{market.number}", {"move": "pass"})]
        a, b, cost, null = self._fate.choice(ways[:3])
        pay = self._payment(cash, cost, extra)
        pair = f"{market.stacks[a][-1]}>{market.stacks[b][-1]}"
        move = {"move": "merge", "pair": pair, "pay": pay, **({"null": null} if null else {})}
        hit = [
            offer
            for offer in market.offers
            if [market.stacks[b][-1], True] in offer.give
            or (offer.by == seat and any(name in (*pay, null) for name, _ in offer.give))
        ]
        meetable = self._meetable()
        hit = [offer for offer in hit if offer in meetable or self._fate.random() < 0.3]
        accepting = [self._accepting(offer) for offer in self._fate.sample(hit, min(len(hit), 4))]
        merging = [Command(seat, f"turn:{market.number}", move, twice=self._fate.random() < TWICE)]
        return accepting + merging if self._fate.random() < 0.2 else merging + accepting

    def _ways(self, onto: Square, cash: list[str]) -> list[tuple[Square, Square, int, str | None]]:
        """Mergers onto this square that the seat whose turn it is can pay for: from, onto, cost, null."""
        market = self._market
        nulls = [name for name in cash if not value_of(name)]
        ways = []
        for square in market.stacks:
            if square == onto or (square[0] != onto[0] and square[1] != onto[1]):
                continue
            touch = abs(square[0] - onto[0]) + abs(square[1] - onto[1]) == 1
            if not touch and not nulls:
                continue
            values = [*map(value_of, cash)]
            reaches, cost = reference_can_merge(market.stacks, square, onto, values, len(nulls))
            if reaches and cost is not None:
                ways.append((square, onto, cost, None if touch else self._fate.choice(nulls)))
        return sorted(ways, key=lambda way: (way[3] is not None, self._fate.random()))

    def _payment(self, cash: list[str], cost: int, extra: list[str]) -> list[str]:
        """Coins to pay this cost, preferably offered ones and, where allowed, at least one of them."""
        worth = [name for name in cash if value_of(name)]
        first = self._fate.sample(extra, len(extra))
        order = first + [name for name in self._fate.sample(worth, len(worth)) if name not in first]
        exact = self._market.options["exactPay"]
        pay: list[str] = [] if exact else first[: self._fate.randint(1, 2)]
        for name in order:
            if name not in pay and sum(map(value_of, pay)) < cost:
                pay.append(name)
        while exact and pay and sum(map(value_of, pay)) - min(map(value_of, pay)) >= cost:
            pay.remove(min(pay, key=value_of))
        return pay

    def _anything(self) -> list[Command]:
        """Other commands: wrong seats, closed prompts, passes, and cashing out stocks."""
        market = self._market
        seat = self._fate.randrange(market.seats)
        offers = [*(offer.id for offer in market.offers), *market.gone]
        move: dict[str, Any] = self._fate.choice(
            [{"move": "accept", "coins": []}, {"move": "cancel"}, {"move": "decline"}]
        )
        stocks = [name for name, stock in market.hands[market.turn] if stock]
        commands = [
            Command(market.turn, f"turn:{market.number}", {"move": "pass"}),
            Command(seat, f"turn:{self._fate.randint(0, market.number)}", {"move": "pass"}),
            Command(
                market.turn,
                f"turn:{market.number}",
                {"move": "cashOut", "coins": self._fate.sample(stocks, min(len(stocks), 1))},
            ),
        ]
        if offers:
            commands += 3 * [Command(seat, self._fate.choice(offers), move)]
        return [self._fate.choice(commands)]
