"""Takeover in lockstep: others' hands, marks, spent suits and offers differ between the tables.

Public moves are made at both, with the coins each table has: payments have the same values, and trades the
same numbers of coins. Now and then the second table gets different secrets.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from msgspec.structs import replace

from games.api import Millis, Outcome, Running
from games.dice import Dice
from games.kit import choices as kit_choices
from games.kit.sealed import Sealed
from games.takeover.rules.counting import face
from games.takeover.rules.values import Coin, TakeoverState, value_of
from hub.wire import messages as m
from tests.secrecy import takeover_eyes as eyes
from tests.secrecy.pair import Chance
from tests.secrecy.takeover_tables import QUIET, TakeoverTables, names
from tests.secrecy.two_tables import PromptedMove, Raw


class TakeoverLockstep(TakeoverTables):
    """A game of Takeover, from phase to phase."""

    async def prepare(self, message: m.ToHub) -> bool:
        if not isinstance(message, m.Do) or self.viewer is None or not self.running:
            return True
        deed: PromptedMove = (message.prompt, message.move)
        steps = self.after(0, self.viewer, deed), self.after(1, self.viewer, deed)
        if steps[0] is None or steps[1] is None:
            return True
        if self.phase == "draft" and deed[1]["move"] == "pick":
            return bool(self.deal.common(deed[1]["value"]))
        if self.phase == "flip" and deed[1]["move"] == "lock" and self.last_to_lock():
            await self.show_alike(self.viewer)
            return True
        ends = [step is not None and step.reckoning is not None for step in steps]
        if all(ends):
            await self.ending()
        return any(ends) or self.looks_same(self.viewer, (deed, deed), steps)

    async def something(self) -> None:
        if self.running and self.chance.random() < 0.05:
            await self.mix()
        await super().something()

    async def move(self, seat: int) -> None:
        if self.phase == "draft":
            await self.pick()
        elif self.phase == "flip":
            await self.lock(seat)
        for one in (seat, self.chance.choice(self.others), self.chance.choice(self.others)):
            if self.phase == "play":
                await self.play_on(one)

    async def hurry(self) -> None:
        number, phase = self.pair.state.stage.number, self.phase
        if phase == "draft" and not self.lazy:
            while self.phase == phase:
                await self.pick()
        elif phase == "flip":
            for seat in range(len(self.pair.clients)):
                if self.phase == phase and not self.pair.state.flips.locked[seat]:
                    await self.lock(seat)
        elif phase == "play" and number > 15:
            for _ in self.pair.clients:
                if self.phase == phase:
                    await self.say_pass()

    async def time_passes(self) -> None:
        pair, chance = self.pair, self.chance
        windows = pair.game.windows(pair.state)
        ends = [
            window.clock.end
            for window in windows
            if isinstance(window.clock, Running) and (window.to is None or self.viewer in window.to)
        ]
        left = min(ends, default=Millis(60_000)) - pair.hubs[0].actor.table_time()
        if not self.running or chance.random() < 0.4:
            if left > 1:
                pair.advance(chance.randrange(1, min(left, 20_000)))
        elif left >= 0:
            await self.before_end(min(ends, default=None))
            pair.advance(left + 1)  # the hub's timers fire then
        await self.step("time passes")

    async def before_end(self, end: Millis | None) -> None:
        """Prepares for the windows about to end, in case the viewer may legitimately see a difference."""
        pair = self.pair
        if self.phase == "draft":
            await self.reachable(max(value for value, count in enumerate(pair.state.draft.left) if count))
            return
        if self.phase == "flip":
            await self.show_alike(None)
            return
        for window in pair.game.windows(pair.state):
            if window.to is None and isinstance(window.clock, Running) and window.clock.end == end:
                over = [
                    isinstance(
                        pair.game.prompts(pair.game.expire(state, window.id, end, Dice(b"what if")).state),
                        Outcome,
                    )
                    for state in pair.states
                ]
                if all(over):
                    await self.ending()

    # --- the draft ---

    async def reachable(self, value: int) -> None:
        """Makes sure that the viewer, if it picks now, can get the same coin of this value at both tables."""
        state = self.pair.state
        if state.stage.turn == self.viewer and state.draft.coins is None and not self.deal.common(value):
            await self.alike()

    async def pick(self) -> None:
        state, chance = self.pair.state, self.chance
        turn = state.stage.turn
        if turn in self.lazy:
            await self.time_passes()
            return
        if state.draft.coins is not None:
            raw: Raw = {"move": "pickCoin", "coin": chance.choice(state.draft.coins)}
        else:
            value = chance.choice([value for value, count in enumerate(state.draft.left) if count])
            await self.reachable(value)
            raw = {"move": "pick", "value": value}
        deed = f"draft:{state.stage.number}", raw
        await self.do(turn, (deed, deed), "picks")

    # --- the flips ---

    def last_to_lock(self) -> bool:
        return bool(self.pair.state.flips.locked.count(False) == 1)

    def facing(self, table: int, seat: int) -> dict[tuple[str, ...], list[str]]:
        """Possible marks, keyed by how they would look with faces shown; a sample if there are many."""
        hand = self.pair.states[table].hands[seat]
        turned = [product((True, False), repeat=len(hand))] if len(hand) < 7 else []
        some = ([self.chance.random() < 0.3 for _ in hand] for _ in range(300))
        marks_by_look: dict[tuple[str, ...], list[str]] = {}
        for stocks in (*turned, some):
            for marks in stocks:
                coins = [Coin(coin.name, stock) for coin, stock in zip(hand, marks, strict=True)]
                marks_by_look[tuple(sorted(map(face, coins)))] = names(coin for coin in coins if coin.stock)
        plain = tuple(sorted(str(value_of(coin.name)) for coin in hand))
        return {**marks_by_look, plain: []}

    def marks(self, seat: int) -> tuple[list[str], list[str]]:
        """Marks for the seat at each table, which look the same wherever the viewer will see them."""
        one, other = (self.pair.states[table].hands[seat] for table in (0, 1))
        if seat == self.viewer or self.pair.state.options.holdings == "open":
            marked = names(coin for coin in one if self.chance.random() < 0.5)
            return marked, [name for name in marked if name in names(other)]
        if self.pair.state.options.holdings == "faces":
            first, second = self.facing(0, seat), self.facing(1, seat)
            alike = self.chance.choice(sorted(set(first) & set(second)))
            return first[alike], second[alike]
        share = self.chance.choice((0.2, 0.5, 1.1)), self.chance.choice((0.2, 0.5, 1.1))
        some = [
            names(coin for coin in hand if self.chance.random() < part)
            for hand, part in zip((one, other), share, strict=True)
        ]
        return some[0], some[1]

    async def lock(self, seat: int) -> None:
        if self.pair.state.flips.locked[seat]:
            if self.chance.random() < 0.3:
                await self.do(seat, (("flip", {"move": "unlock"}),) * 2, "unlocks")
            return
        if self.last_to_lock():
            await self.show_alike(seat)
        one, other = self.marks(seat)
        await self.do(
            seat,
            (("flip", {"move": "lock", "coins": one}), ("flip", {"move": "lock", "coins": other})),
            "locks",
        )

    async def show_alike(self, but: int | None) -> None:
        """Makes the flips look the same to everybody before they happen."""
        one, other = self.pair.states
        if one.options.holdings == "concealed":
            return
        if one.options.holdings == "open":
            await self.alike()
            return
        drafts = list(other.flips.draft)
        for seat in self.others:
            if seat != but:
                faces = self.faces(one, seat)
                if self.faces(other, seat) != faces:
                    drafts[seat] = self.facing(1, seat).get(faces, drafts[seat])
        fitting = replace(other, flips=Sealed(tuple(drafts), other.flips.locked))
        if all(self.faces(one, seat) == self.faces(fitting, seat) for seat in self.others if seat != but):
            await self.relive(fitting, "flips that look alike")
        else:
            await self.alike()

    def faces(self, state: TakeoverState, seat: int) -> tuple[str, ...]:
        """The faces that others see in a seat's hand once its coins are flipped as marked."""
        marked = state.flips.draft[seat] or ()
        return tuple(sorted(face(Coin(coin.name, coin.name in marked)) for coin in state.hands[seat]))

    # --- play ---

    async def play_on(self, seat: int) -> None:
        """The seat whose turn it is acts, or another seat trades."""
        turn = self.pair.state.stage.turn
        deals = self.swap, self.offer_to_viewer, self.answer, self.take_back
        match self.chance.randrange(16):
            case 0 | 1 | 2:
                await self.merge(turn)
            case 3:
                await self.say_pass()
            case 4 | 5 | 6:
                await self.cash_out(turn)
            case _ if seat == self.viewer:
                await self.wish()
            case _:
                await self.chance.choice(deals)(seat)

    async def merge(self, seat: int) -> None:
        for _ in range(8):
            one = self.drawn(0, seat, ("merge",))
            if one is not None and seat == self.viewer:
                for client in self.pair.clients[seat]:
                    client.send(m.Preview(client.n, *one))
                    client.n += 1
                await self.step("the viewer previews a merger")
            if one is not None and await self.publicly(seat, one, self.paid(seat, one), "merges"):
                return

    def paid(self, seat: int, deed: PromptedMove) -> PromptedMove | None:
        """The same merger, paid for at the other table with coins of the same values."""
        prompt, raw = deed
        if seat == self.viewer:
            return deed
        cash = [coin.name for coin in self.pair.states[1].hands[seat] if not coin.stock]
        self.chance.shuffle(cash)
        pay: list[str] = []
        for coin in raw["pay"]:
            match = next((name for name in cash if name[1] == coin[1] and name not in pay), None)
            if match is None:
                return None
            pay.append(match)
        if "null" not in raw:
            return prompt, {**raw, "pay": pay}
        null = next((name for name in cash if name[1] == "0"), None)
        return None if null is None else (prompt, {**raw, "pay": pay, "null": null})

    async def say_pass(self) -> None:
        stage = self.pair.state.stage
        deed = f"turn:{stage.number}", {"move": "pass"}
        await self.publicly(stage.turn, deed, deed, "passes")

    async def cash_out(self, seat: int) -> None:
        """Cashes out the same stock at both tables where that is visible; otherwise see `secretly`."""
        one = self.drawn(0, seat, ("cashOut",))
        if one is None:
            return
        if self.pair.state.options.holdings != "concealed" or seat == self.viewer:
            await self.publicly(seat, one, one, "cashes out")
        elif self.viewer is not None:
            await self.lose(seat)

    async def lose(self, seat: int) -> None:
        """An offer to the viewer is withdrawn at one table; at the other its coin becomes cash (TKO-22)."""
        one, other = self.pair.states
        stocks = [coin for coin in one.hands[seat] if coin.stock and coin in other.hands[seat]]
        if not stocks:
            return
        stock = self.chance.choice(stocks)
        give: PromptedMove = (
            "trade",
            {"move": "propose", "to": self.viewer, "give": [stock.name], "wish": ["coin"]},
        )
        if not await self.publicly(seat, give, give, "offers the viewer something"):
            return
        offer = self.pair.state.offers.open[-1]
        deed: PromptedMove = f"turn:{one.stage.number}", {"move": "cashOut", "coins": [stock.name]}
        then = self.after(1, seat, deed)
        lost = () if then is None else eyes.standing(self.pair.states[1], then, self.viewer)
        if [held for _, held in lost].count(False) == 1:
            await self.do(seat, ((offer.id, {"move": "cancel"}), deed), "takes an offer back, or cashes out")
            self.visited.add("gone for one reason or another")

    # --- trades ---

    async def swap(self, seat: int) -> None:
        """Two other seats trade equal numbers of coins at both tables, each from the coins it has there."""
        partners = [other for other in self.others if other != seat]
        if not partners:
            return
        to = self.chance.choice(partners)
        gives, backs = ([state.hands[which] for state in self.pair.states] for which in (seat, to))
        if self.pair.state.options.trade_log == "public":
            gives, backs = ([[coin for coin in hands[0] if coin in hands[1]]] * 2 for hands in (gives, backs))
        gave, got = (self.chance.randint(0, min(2, *map(len, hands))) for hands in (gives, backs))
        if not gave:
            return
        fixed = self.pair.state.options.trade_log == "public"
        picked = [self.chance.sample(list(hand), gave) for hand in gives]
        back = [self.chance.sample(list(hand), got) for hand in backs]
        if fixed:
            picked[1], back[1] = picked[0], back[0]
        offers: list[PromptedMove] = [
            ("trade", {"move": "propose", "to": to, "give": names(coins), "wish": ["coin"] * got})
            for coins in picked
        ]
        if any(self.after(table, seat, offers[table]) is None for table in (0, 1)):
            return
        await self.do(seat, (offers[0], offers[1]), f"offers {to} something")
        answers: list[PromptedMove] = [
            (state.offers.open[-1].id, {"move": "accept", "coins": names(coins)})
            for state, coins in zip(self.pair.states, back, strict=True)
        ]
        await self.publicly(to, answers[0], answers[1], "trades")

    async def offer_to_viewer(self, seat: int) -> None:
        """Offers the viewer coins that the seat has at both tables, because the viewer is shown them."""
        if self.viewer is None:
            return
        one = self.drawn(0, seat, ("propose",))
        if one is not None:
            both = set(self.pair.states[0].hands[seat]) & set(self.pair.states[1].hands[seat])
            give = [name for name in one[1]["give"] if name in names(both)][:2]
            deed = one[0], {**one[1], "to": self.viewer, "give": give}
            await self.publicly(seat, deed, deed, "offers the viewer something")

    async def answer(self, seat: int) -> None:
        """Accepts one of the viewer's offers with coins that the seat has at both tables, or declines it."""
        offers = [
            offer for offer in self.pair.state.offers.open if (offer.by, offer.to) == (self.viewer, seat)
        ]
        if not offers:
            return
        offer = self.chance.choice(offers)
        replies = [one for one in self.choices(0, seat).get(offer.id, ()) if one.move == "accept"]
        for _ in range(6):
            for one in replies:
                raw = kit_choices.fill(one, len(self.pair.clients), Chance(self.chance))
                if await self.publicly(
                    seat, (offer.id, raw), (offer.id, raw), "accepts an offer of the viewer"
                ):
                    return
        deed: PromptedMove = offer.id, {"move": "decline"}
        await self.publicly(seat, deed, deed, "declines an offer of the viewer")

    async def take_back(self, seat: int) -> None:
        for offer in self.pair.state.offers.open:
            if (offer.by, offer.to) == (seat, self.viewer):
                deed: PromptedMove = offer.id, {"move": "cancel"}
                await self.publicly(seat, deed, deed, "takes an offer back")
                return

    async def wish(self) -> None:
        """The viewer trades, often wishing for a stock that the other seat has at one table only (TKO-24)."""
        seat = self.viewer
        assert seat is not None
        one = self.drawn(0, seat, ("propose", "accept", "counter", "decline", "cancel"))
        if one is None:
            return
        if one[1]["move"] == "propose" and self.chance.random() < 0.7:
            wanted = [
                coin.name
                for coin in self.pair.states[0].hands[one[1]["to"]]
                if coin.stock and coin not in self.pair.states[1].hands[one[1]["to"]]
            ]
            if wanted:
                one = one[0], {**one[1], "wish": wanted[:1]}
                self.visited.add("a wish for what is at one table alone")
        await self.publicly(seat, one, one, "trades")

    # --- hidden moves ---

    async def secretly(self, seat: int) -> None:
        """Makes a hidden move: a mark, an offer between others, ending one, a cash-out, or a refused move."""
        if self.pair.state is None or not self.running:
            return
        one, other = self.quiet(0, seat), self.quiet(1, seat)
        if self.chance.random() < 0.4:
            one, other = self.chance.choice(((one, None), (None, other)))
        if one is None and other is None:
            return
        await self.do(seat, (one, other), "does what is hidden")

    def quiet(self, table: int, seat: int) -> PromptedMove | None:
        """A legal move by this table's seat that must stay hidden from the viewer, or a refused one."""
        if self.chance.random() < 0.15:
            return self.wrong(table, seat)
        deed = self.drawn(table, seat, QUIET)
        if deed is None:
            return None
        state = self.pair.states[table]
        trades = deed[1]["move"] not in ("setStocks", "cashOut")
        if trades and self.viewer in eyes.concerns(state, seat, *deed):
            return None
        then = self.after(table, seat, deed)
        if then is None or (deed[1]["move"] == "cashOut" and state.options.holdings != "concealed"):
            return None
        phase = state.stage.phase
        kept = all(held for _, held in eyes.standing(state, then, self.viewer))
        same = eyes.in_sight(state, phase, self.viewer) == eyes.in_sight(then, phase, self.viewer)
        return deed if kept and same else None

    def wrong(self, table: int, seat: int) -> PromptedMove | None:
        """A command that is refused at this table."""
        stage = self.pair.states[table].stage
        deeds: Iterator[PromptedMove] = iter(
            [
                (f"turn:{stage.number}", {"move": "merge", "pair": "S5>S5", "pay": []}),
                ("trade", {"move": "propose", "to": seat, "give": [], "wish": ["coin"]}),
                ("flip", {"move": "lock", "coins": ["S0", "S0"]}),
            ]
        )
        return next((deed for deed in deeds if self.after(table, seat, deed) is None), None)
