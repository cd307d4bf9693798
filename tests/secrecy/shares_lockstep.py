"""Share and Share Alike in lockstep: the deck and others' hands, marks, bids and offers differ between the
tables.

Public moves are made at both. Where the viewer may legitimately see a difference, the second table is made
the same as the first before the move, or the move is skipped. Now and then the second table gets different
secrets, even during a peek or a market.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any, Final

from games.api import Millis, Running, Seat
from games.kit import offers as offering
from games.shares.rules import turn_flow
from games.shares.rules.pieces import COMPANIES
from hub.telemetry.tasks import Tasks
from hub.wire import messages as m
from tests.secrecy import shares_eyes as eyes
from tests.secrecy.pair import Pair
from tests.secrecy.shares_dealing import SharesDeal, dealt
from tests.secrecy.two_tables import PromptedMove, Raw, TwoTables

QUIET: Final = ("select", "bid", "propose", "counter", "decline", "cancel")
"""Moves that must be invisible to uninvolved viewers."""
SHOWING: Final = ("show", "showAll")
TIME: Final = ("extend", "lastCall")
DECIDING: Final = (
    "play", "discard", "drawUp", "openMarket", "endTurn", "add", "remove", "spy", "done", "stopPeeking",
    "adjust", "target", "take", "swap", "fromDeck", "fromDiscard", "decline",
)  # fmt: skip
LEAVING: Final = ("endTurn", "done", "stopPeeking", "decline", "closeMarket")
"""Moves that end the current decision, if it can be ended."""
TURNS: Final = (("play",), ("play",), ("play",), ("openMarket",), ("openMarket",), ("drawUp",), DECIDING)
"""The kinds of moves to make on a turn, each equally likely."""
LATE: Final = 3
"""From this round on, some turns end at once."""


class SharesLockstep(TwoTables):
    """A game of Share and Share Alike; `lazy` seats never decide anything, and so are soon away."""

    def __init__(
        self,
        game: Any,
        viewer: Seat | None,
        tasks: Tasks,
        chance: random.Random,
        *,
        salted: bool,
        lazy: frozenset[int] = frozenset(),
    ) -> None:
        self.deal = SharesDeal(viewer)
        pair = Pair(game, viewer, tasks, (dealt(game, self.deal, 0), dealt(game, self.deal, 1)))
        super().__init__(pair, chance, salted=salted)
        self.lazy = lazy

    async def step(self, what: str) -> None:
        await super().step(what)
        self.deal.moment += 1
        state = self.pair.state
        if state is None or state.stage.phase == "end":
            return
        paused = "" if self.running else ", paused"
        peeks = state.peek is not None and state.peek.seat == self.viewer
        kind = f"the viewer's own {state.scene.kind}" if peeks else state.scene.kind
        self.visited |= {f"{kind}{paused}: other {secret}" for secret in self.differences()}

    def differences(self) -> Iterable[str]:
        return eyes.hidden(*self.pair.states, self.viewer)

    def dice(self, table: int) -> Any:
        """Dice that give exactly the draws that are to come."""
        return self.deal.dice(table, self.pair.states[table], None)

    def same_observation(self, then: tuple[Any, Any]) -> bool:
        return bool(eyes.in_sight(then[0], self.viewer) == eyes.in_sight(then[1], self.viewer))

    # --- public moves ---

    async def prepare(self, message: m.ToHub) -> bool:
        if not isinstance(message, m.Do) or self.viewer is None or not self.running:
            return True
        deed: PromptedMove = (message.prompt, message.move)
        then = self.after(0, self.viewer, deed), self.after(1, self.viewer, deed)
        if None not in then and deed[1]["move"] not in QUIET:
            await self.make_ready(then)
        return True

    async def make_ready(self, then: tuple[Any, Any]) -> bool:
        """Prepares for a step to these states, and returns whether the tables had to be made the same."""
        if then[0].reckoning is not None:
            await self.ending()
        elif not self.same_observation(then):
            await self.alike()
        else:
            return False
        return True

    async def something(self) -> None:
        within = self.running and self.pair.state.scene.kind in ("peek", "take", "market")
        if self.running and self.chance.random() < (0.4 if within else 0.25):
            await self.stir()
        await super().something()

    async def stir(self) -> None:
        """Changes the secrets at the second table: all of them, or a few cards."""
        if self.chance.random() < 0.3:
            await self.mix()
            return
        await self.relive(eyes.stirred(self.pair.states[1], self.viewer, self.chance), "stirred")

    async def publicly(
        self, seat: int, one: PromptedMove | None, other: PromptedMove | None, what: str
    ) -> bool:
        """Makes each table's move, and returns whether it was made.

        The tables are first made the same if the viewer may tell the moves apart, or if one of them is
        refused. A move by the viewer that is refused at only one table, which must never happen, is sent
        unchanged, so that the difference shows.
        """
        if one is None:
            return False
        then = self.after(0, seat, one), None if other is None else self.after(1, seat, other)
        if then[0] is None or then[1] is None:
            if seat == self.viewer:
                await self.do(seat, (one, one), what)
                return False
            if then[0] is None or self.chance.random() < 0.5:
                return False
            await self.alike()
            then = then[0], then[0]
            other = one
        quiet = seat == self.viewer and one[1]["move"] in QUIET  # the outcome depends on nothing hidden
        if not quiet and await self.make_ready((then[0], then[1])):
            other = one
        await self.do(seat, (one, other), what)
        self.visited.add(what if one == other else f"{what}, another")
        return True

    async def move(self, seat: int) -> None:
        state, drawn = self.pair.state, self.chance.random()
        kind = state.scene.kind
        if drawn < 0.1:
            one = self.drawn(0, seat, SHOWING)
            await self.publicly(seat, one, one, "shows a tracker")
        elif drawn < 0.14:
            one = self.drawn(0, seat, TIME)
            await self.publicly(seat, one, one, "asks for time")
        elif kind in ("select", "lowball"):
            await self.lock(seat)
        elif kind == "market":
            await self.trade(seat)
        else:
            await self.decide(DECIDING)

    async def hurry(self) -> None:
        state = self.pair.state
        phase = state.stage.round, state.stage.phase
        for seat in range(len(self.pair.clients)):
            if self.running and phase == (self.pair.state.stage.round, self.pair.state.stage.phase):
                if phase[1] in ("select", "lowball"):
                    await self.lock(seat)
                elif phase[1] == "action":
                    await self.decide(LEAVING)

    async def decide(self, tags: tuple[str, ...]) -> None:
        """Makes a move for the seat that has to decide; unless it is the viewer, it plays a card it has at
        both tables."""
        state = self.pair.state
        seat, kind = state.scene.seat, state.scene.kind
        if seat in self.lazy:
            await self.time_passes()
            return
        if kind in ("peek", "take") and self.chance.random() < 0.5:
            await self.stir()
            return
        if kind == "turn" and tags == DECIDING:
            tags = self.chance.choice(TURNS if state.stage.round < LATE else (*TURNS, ("endTurn",)))
        if kind == "clubs" and tags == DECIDING and self.chance.random() < 0.8:
            tags = ("spy",)
        one = None
        for _ in range(6):
            one = self.drawn(0, seat, tags)
            if one is None or (self.after(1, seat, one) is not None and self.telling(one)):
                break
        if one is None:
            one = self.drawn(0, seat, (*DECIDING, "closeMarket"))
        if one is not None:
            if seat == self.viewer and self.chance.random() < 0.5:
                await self.try_out(one)
            await self.publicly(seat, one, self.otherwise(seat, one), str(one[1]["move"]))

    async def try_out(self, deed: PromptedMove) -> None:
        """The viewer asks for previews of its moves."""
        for client in self.pair.clients[self.viewer or 0]:
            client.send(m.Preview(client.n, *deed))
            client.n += 1
            client.send(m.Coach(client.n, deed[0]))
            client.n += 1
        await self.step("the viewer previews a move")

    def telling(self, deed: PromptedMove) -> bool:
        """Whether to make this move; most cards played are clubs and diamonds, which lead to windows."""
        return deed[1]["move"] != "play" or deed[1]["card"][-1] in "CD" or self.chance.random() < 0.2

    def otherwise(self, seat: int, deed: PromptedMove) -> PromptedMove:
        """The move for the second table: the same, except that it may take any card from a hidden hand."""
        prompt, raw = deed
        peek = self.pair.state.peek
        if raw["move"] != "take" or peek is None or self.viewer in (seat, peek.other):
            return deed
        return prompt, {**raw, "place": self.chance.randrange(len(self.pair.state.hands[peek.other]))}

    # --- simultaneous choices ---

    async def lock(self, seat: int) -> None:
        """Locks a company or a card; unless it is the viewer, a different one at each table."""
        state = self.pair.state
        kind, choosing = state.stage.phase, state.selected
        if kind == "lowball":
            choosing = state.offered
        prompt = f"{kind}:{state.stage.round}"
        if seat in self.lazy or (kind == "lowball" and not state.hands[seat]):
            return
        if choosing.locked[seat]:
            if self.chance.random() < 0.2:
                deed: PromptedMove = (prompt, {"move": "unlock"})
                await self.publicly(seat, deed, deed, "unlocks")
            return
        one, other = (self.locked(table, seat, kind) for table in (0, 1))
        if seat == self.viewer:
            other = one
        await self.publicly(seat, (prompt, one), (prompt, other), "locks")

    def locked(self, table: int, seat: int, kind: str) -> Raw:
        if kind == "select":
            return {"move": "lock", "company": self.chance.choice(COMPANIES)}
        return {"move": "lock", "card": self.chance.choice(self.pair.states[table].hands[seat])}

    # --- Open Market ---

    async def trade(self, seat: int) -> None:
        broker = self.pair.state.scene.seat
        if broker in self.lazy and self.chance.random() < 0.2:
            await self.time_passes()
        deeds = [self.swap, self.close]
        if self.viewer is not None:
            deeds = [
                self.swap,
                self.swap,
                self.to_viewer,
                self.answer,
                self.of_viewer,
                self.of_viewer,
                self.close,
            ]
        await self.chance.choice(deeds)(seat, broker)

    async def close(self, seat: int, broker: int) -> None:
        if self.chance.random() < 0.4 and broker not in self.lazy:
            one = self.drawn(0, broker, ("closeMarket",))
            await self.publicly(broker, one, one, "closes the market")

    async def swap(self, seat: int, broker: int) -> None:
        """Two other seats trade shares they have at each table; where trades are public, the same shares at
        both."""
        if broker == self.viewer or seat in (broker, self.viewer):
            return
        public = self.pair.state.options.market_log == "public"
        lots = [self.lot(table, seat) for table in (0, 1)]
        if public:
            lots[1] = lots[0]
        prompt = f"market:{self.pair.state.serial}"
        one, other = ((prompt, {"move": "propose", "to": broker, "give": lot, "wish": []}) for lot in lots)
        if not await self.publicly(seat, one, other, "offers the broker something"):
            return
        ids = [state.offers.open[-1].id for state in self.pair.states]
        acceptances = [(name, {"move": "accept"}) for name in ids]
        if await self.publicly(broker, acceptances[0], acceptances[1], "trades"):
            self.visited |= {"trades, another"} if lots[0] != lots[1] else set()

    def lot(self, table: int, seat: int) -> list[str]:
        """A share the seat has at this table."""
        return [self.chance.choice([one for one in COMPANIES if self.held(table, seat, one)] or COMPANIES)]

    async def to_viewer(self, seat: int, broker: int) -> None:
        by = seat if broker == self.viewer else broker
        if by == self.viewer:
            return
        give, wish = self.lot(0, by), self.chance.sample(COMPANIES, self.chance.randrange(2))
        deed: PromptedMove = (
            f"market:{self.pair.state.serial}",
            {"move": "propose", "to": self.viewer, "give": give, "wish": wish},
        )
        await self.publicly(by, deed, deed, "offers the viewer something")

    async def answer(self, seat: int, broker: int) -> None:
        """Another seat answers the viewer's offer; at one table it may not have the requested shares
        (SSA-33)."""
        offers = [offer for offer in self.pair.state.offers.open if offer.by == self.viewer]
        if offers:
            offer = self.chance.choice(offers)
            tag = self.chance.choice(("accept", "accept", "decline"))
            deed: PromptedMove = (offer.id, {"move": tag})
            await self.publicly(offer.to, deed, deed, f"{tag}s what the viewer offered")

    async def of_viewer(self, seat: int, broker: int) -> None:
        """The viewer proposes, wishing for unknown shares, or accepts, counters, declines or cancels."""
        viewer = self.viewer
        assert viewer is not None
        if self.chance.random() < 0.5:
            to = broker if broker != viewer else self.chance.choice(self.others)
            alone = [one for one in COMPANIES if self.held(0, to, one) and not self.held(1, to, one)]
            wish = self.chance.sample(alone or COMPANIES, self.chance.choice((0, 1, 1)))
            self.visited |= {"a wish for what is at one table alone"} if alone and wish else set()
            prompt = f"market:{self.pair.state.serial}"
            one: PromptedMove | None = (
                prompt,
                {"move": "propose", "to": to, "give": self.lot(0, viewer), "wish": wish},
            )
        else:
            one = self.drawn(0, viewer, ("accept", "counter", "decline", "cancel"))
        if one is not None:
            await self.publicly(viewer, one, one, f"the viewer {one[1]['move']}s")

    def held(self, table: int, seat: int, company: str) -> bool:
        state = self.pair.states[table]
        return turn_flow.tracker_of(state, seat).holdings["ABCDE".index(company)] > 0

    # --- time ---

    async def time_passes(self) -> None:
        pair, chance = self.pair, self.chance
        windows = [] if pair.state is None else pair.game.windows(pair.state)
        ends = [window.clock.end for window in windows if isinstance(window.clock, Running)]
        end = min(ends, default=None)
        left = (Millis(60_000) if end is None else end) - pair.hubs[0].actor.table_time()
        if not self.running or end is None or chance.random() < 0.4:
            if left > 1:
                pair.advance(chance.randrange(1, min(left, 20_000)))
        elif left >= 0:
            await self.before_end(end)
            pair.advance(left + 1)  # the hub's timers fire then
            self.visited.add("time is up")
        await self.step("time passes")

    async def before_end(self, end: Millis) -> None:
        """Prepares for the windows about to end, in case the viewer may legitimately see a difference."""
        pair = self.pair
        if self.phase == "lowball":  # several seats that are away may reveal the cards together
            await self.alike()
            return
        for window in pair.game.windows(pair.state):
            if isinstance(window.clock, Running) and window.clock.end == end:
                then = [
                    pair.game.expire(state, window.id, end, self.deal.dice(table, state, window.id)).state
                    for table, state in enumerate(pair.states)
                ]
                if await self.make_ready((then[0], then[1])):
                    return

    # --- hidden moves ---

    async def secretly(self, seat: int) -> None:
        """Makes hidden moves, at one table only or differently at each: drafts, offers to others, and refused
        ones."""
        if self.pair.state is None or not self.running:
            return
        one, other = self.quiet(0, seat), self.quiet(1, seat)
        if self.chance.random() < 0.4:
            one, other = self.chance.choice(((one, None), (None, other)))
        if one is not None or other is not None:
            await self.do(seat, (one, other), "does what is hidden")

    def quiet(self, table: int, seat: int) -> PromptedMove | None:
        """A legal move by the seat at this table that must be invisible to the viewer, or a refused one."""
        state = self.pair.states[table]
        if self.chance.random() < 0.15:
            return self.wrong(table, seat)
        deed = self.drawn(table, seat, QUIET)
        if deed is None or self.after(table, seat, deed) is None or not self.unknown(state, deed):
            return None
        return deed

    def unknown(self, state: Any, deed: PromptedMove) -> bool:
        """Whether the move is hidden from the viewer: a draft, or an offer between others (1c)."""
        prompt, raw = deed
        if raw["move"] in ("select", "bid"):
            return True
        if raw["move"] == "propose":
            return bool(raw["to"] != self.viewer)
        offer = offering.find(state.offers, prompt)
        return offer is not None and self.viewer not in (offer.by, offer.to)

    def wrong(self, table: int, seat: int) -> PromptedMove | None:
        """A command that is refused at this table."""
        state = self.pair.states[table]
        deeds: list[PromptedMove] = [
            (f"turn:{state.serial}", {"move": "play", "card": "AH"}),
            (f"market:{state.serial}", {"move": "propose", "to": seat, "give": [], "wish": ["A"]}),
            (f"select:{state.stage.round}", {"move": "lock", "card": "AS"}),
            ("show", {"move": "show", "to": [seat]}),
        ]
        deed = self.chance.choice(deeds)
        return deed if self.after(table, seat, deed) is None else None
