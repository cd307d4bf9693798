"""Random players of Share and Share Alike whose commands race: as a peek ends, in a market, or at a lock."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations
from typing import Any, Final

from tests.chaos.reference_races import COMPANIES, Races, lot
from tests.chaos.soak_table import Command, Plan
from tests.games.shares.reference_table import Offer

TWICE: Final = 0.04
"""The share of commands that are sent twice."""


class Racers:
    """The seats of one table, which share their knowledge."""

    def __init__(self, races: Races, fate: random.Random) -> None:
        self._races = races
        self._fate = fate
        self._old: list[str] = []
        """Prompts that have closed."""

    def plan(self, at: int, span: int) -> Plan:
        """A plan for this tick, which begins at table time `at` and ends `span` ms later."""
        races, plan = self._races, Plan()
        assert races.prompt is not None
        match races.game.phase:
            case "select":
                self._split(plan, self._marks())
            case "action":
                self._split(plan, self._turn())
            case "clubs":
                self._split(plan, self._spying())
            case "spy":
                self._peeking(plan, at, span)
            case phase:
                assert phase == "market"
                self._market(plan, at, span)
        self._old = [*self._old, races.prompt][-3:]
        return plan

    def _split(self, plan: Plan, commands: Sequence[Command]) -> None:
        cut = self._fate.choice((0, len(commands), self._fate.randint(0, len(commands))))
        plan.early += commands[:cut]
        plan.late += commands[cut:]

    def _do(self, seat: int, kind: str, prompt: str | None = None, /, **fields: Any) -> Command:
        name = prompt or self._races.prompt or ""
        return Command(seat, name, {"move": kind, **fields}, twice=self._fate.random() < TWICE)

    # --- marks ---

    def _marks(self) -> list[Command]:
        """Random marks until one seat is left; then that seat locks while others change their minds."""
        fate, game = self._fate, self._races.game
        seats = range(game.seats)
        company = fate.choice(COMPANIES)
        left = [seat for seat in seats if not game.locked[seat]]
        if len(left) > 1:
            some = fate.sample(left, fate.randint(1, len(left)))
            commands = [self._do(seat, "lock", company=fate.choice(COMPANIES)) for seat in some]
            commands += [self._marking(fate.choice(seats)) for _ in range(fate.randint(0, 2))]
        else:
            (last,) = left
            lock = self._do(last, "lock", **({"company": company} if fate.random() < 0.7 else {}))
            locked = [seat for seat in seats if seat != last]
            commands = [lock, self._do(fate.choice(locked), "unlock")]
            if fate.random() < 0.6:
                commands.append(self._marking(last))
            if fate.random() < 0.6:
                commands.append(self._marking(fate.choice(locked)))
        return fate.sample(commands, len(commands))

    def _marking(self, seat: int) -> Command:
        fate = self._fate
        match fate.randrange(4):
            case 0:
                return self._do(seat, "unlock")
            case 1:
                return self._do(seat, "lock")
            case 2:
                return self._do(seat, "lock", company=fate.choice(COMPANIES))
            case _:
                return self._do(seat, "select", company=fate.choice(COMPANIES))

    # --- turns ---

    def _turn(self) -> list[Command]:
        """Play a club or open a market while there are cards for it; otherwise end the turn."""
        fate, game = self._fate, self._races.game
        seat = game.active
        assert seat is not None
        clubs = [self._do(seat, "play", card=card) for card in game.hands[seat] if card[-1] == "C"]
        royals = [self._do(seat, "openMarket", card=card) for card in game.hands[seat] if card[0] in "JQKA"]
        if clubs and fate.random() < 0.8:
            royals = []
        main = fate.choice([*clubs, *royals]) if clubs or royals else self._do(seat, "endTurn")
        return [main, self._do(seat, "endTurn")] if fate.random() < 0.05 else [main]

    # --- peeks ---

    def _spying(self) -> list[Command]:
        """Spy on one seat, and perhaps on another at the same time."""
        seat = self._races.game.decider
        assert seat is not None
        others = [other for other in range(self._races.game.seats) if other != seat]
        fate = self._fate
        return [
            self._do(seat, "spy", seat=fate.choice(others), what=fate.choice(("hand", "tracker")))
            for _ in range(fate.choice((1, 1, 1, 2)))
        ]

    def _peeking(self, plan: Plan, at: int, span: int) -> None:
        """Stop the peek as it expires (in time, too late or both), or earlier, once or twice."""
        races, fate = self._races, self._fate
        seat, end = races.game.decider, races.end
        assert seat is not None
        assert end is not None
        if at < end <= at + span:
            early, late = fate.choice(((0, 1), (0, 1), (0, 2), (1, 0), (1, 1), (1, 1), (2, 1)))
            plan.early += [self._do(seat, "stopPeeking") for _ in range(early)]
            plan.late += [self._do(seat, "stopPeeking") for _ in range(late)]
        elif fate.random() < 0.1:
            self._split(plan, [self._do(seat, "stopPeeking") for _ in range(fate.choice((1, 2, 2)))])
        if fate.random() < 0.15:
            other = fate.randrange(races.game.seats)
            prompt = fate.choice([*self._old, races.prompt or ""])
            self._split(plan, [self._do(other, "stopPeeking", prompt if other != seat else self._ancient())])

    def _ancient(self) -> str:
        return self._old[0] if self._old and self._old[0] != self._races.prompt else "peek:0"

    # --- markets ---

    def _market(self, plan: Plan, at: int, span: int) -> None:
        races, fate = self._races, self._fate
        broker, end = races.game.active, races.end
        assert broker is not None
        assert end is not None
        if at < end <= at + span:
            for offer in self._meetable():
                if fate.random() < 0.5:
                    self._split(plan, [self._accept(offer)])
            plan.late += [self._accept(offer) for offer in self._meetable() if fate.random() < 0.5]
        for _ in range(fate.choice((1, 1, 2, 3))):
            scenes = [(4, self._proposals), (6, self._two_for_one), (2, self._one), (2, self._against)]
            scenes += [(1, self._anything)]
            (scene,) = fate.choices([scene for _, scene in scenes], [weight for weight, _ in scenes])
            self._split(plan, scene())
        if fate.random() < 0.05:
            self._split(plan, [self._do(broker, "closeMarket")])

    def _names(self) -> dict[int, str]:
        return {number: name for name, number in self._races.ids.items()}

    def _meetable(self) -> list[Offer]:
        return [one for one in self._races.game.offers if self._races.has(one.to, one.take)]

    def _accept(self, offer: Offer) -> Command:
        return self._do(offer.to, "accept", self._names()[offer.number])

    def _one(self) -> list[Command]:
        offers = self._meetable()
        return [self._accept(self._fate.choice(offers))] if offers else []

    def _two_for_one(self) -> list[Command]:
        """Two acceptances of which only the first can succeed: of one offer, or of two for the same share."""
        races, offers = self._races, self._meetable()
        pairs = [
            (one, other)
            for one, other in combinations(offers, 2)
            if (one.by == other.by and not races.has(one.by, _sum(one.give, other.give)))
            or (one.to == other.to and not races.has(one.to, _sum(one.take, other.take)))
            or (one.by == other.to and not races.has(one.by, _sum(one.give, other.take)))
            or (one.to == other.by and not races.has(one.to, _sum(one.take, other.give)))
        ]
        if pairs and self._fate.random() < 0.85:
            pair = self._fate.choice(pairs)
            return [self._accept(offer) for offer in self._fate.sample(pair, 2)]
        if offers and self._fate.random() < 0.3:
            return 2 * [self._accept(self._fate.choice(offers))]
        return self._proposals()

    def _proposals(self) -> list[Command]:
        """Offer the same shares to two seats, or let two seats wish for the same shares."""
        fate, races = self._fate, self._races
        broker = races.game.active
        assert broker is not None
        others = fate.sample([seat for seat in range(races.game.seats) if seat != broker], 2)
        shares = self._some(broker)
        if fate.random() < 0.5:
            return [self._propose(broker, seat, shares, self._some(seat, 0.6)) for seat in others]
        return [self._propose(seat, broker, self._some(seat, 0.6), shares) for seat in others]

    def _some(self, seat: int, often: float = 1.0) -> list[str]:
        """All or one of the seat's shares in one company; sometimes none."""
        owned = self._races.owned(seat)
        companies = [company for company, number in zip(COMPANIES, owned, strict=True) if number]
        if not companies or self._fate.random() > often:
            return []
        company = self._fate.choice(companies)
        most = owned[COMPANIES.index(company)]
        return [company] * (most if self._fate.random() < 0.7 else 1)

    def _propose(self, by: int, to: int, give: list[str], wish: list[str]) -> Command:
        if not give and not wish:
            wish = [self._fate.choice(COMPANIES)]
        return self._do(by, "propose", to=to, give=give, wish=wish)

    def _against(self) -> list[Command]:
        """An acceptance and a command that conflicts with it, in either order."""
        offers = self._meetable()
        if not offers:
            return []
        offer = self._fate.choice(offers)
        name = self._names()[offer.number]
        give = self._some(offer.to)
        other = self._fate.choice(
            [
                self._do(offer.by, "cancel", name),
                self._do(offer.to, "decline", name),
                self._do(offer.to, "counter", name, give=give, wish=[] if give else ["A"]),
            ]
        )
        return self._fate.sample([self._accept(offer), other], 2)

    def _anything(self) -> list[Command]:
        """Invalid commands: shares nobody has, seats that may not trade, offers that are gone."""
        fate, races = self._fate, self._races
        seats = range(races.game.seats)
        by, to = fate.sample(seats, 2)
        names = [*races.ids, *list(races.gone)[-4:]]
        commands = [
            self._do(by, "propose", to=to, give=[fate.choice(COMPANIES)] * 2, wish=[]),
            self._do(by, "propose", to=to, give=lot(races.owned(by))[:30], wish=[]),
            self._do(by, "propose", to=to, give=[], wish=[]),
            self._do(by, "closeMarket", self._ancient()),
        ]
        if by != races.game.active:
            commands.append(self._do(by, "closeMarket"))
        if names:
            kind = fate.choice(("accept", "accept", "decline", "cancel"))
            commands += 3 * [self._do(by, kind, fate.choice(names))]
        return [fate.choice(commands)]


def _sum(one: Sequence[int], other: Sequence[int]) -> list[int]:
    return [first + second for first, second in zip(one, other, strict=True)]
