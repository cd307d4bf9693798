"""So Long Sucker in lockstep: the stack and others' rows and cards differ between the tables.

All moves are public and are made at both. Before a move shows a card to the viewer, the second table gets a
card of the same kind in its place. Before the end of a round, which shows everything, it is made the same as
the first.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from hashlib import sha256
from typing import Any, TypeVar

from msgspec.structs import replace

from games.api import Millis, Seat, open_prompts
from games.dice import Dice
from games.kit import choices as kit_choices
from games.sucker.rules.values import SuckerState
from hub.table.room import NEVER, next_end
from hub.telemetry.tasks import Tasks
from hub.wire import messages as m
from tests.secrecy.dealing import Deal, dealt
from tests.secrecy.pair import Chance, Pair
from tests.secrecy.two_tables import PromptedMove, TwoTables

T = TypeVar("T")


class SuckerDeal(Deal):
    """Draws in which only the stacks, and the rows of all seats but the viewer, differ between the tables."""

    def shuffle(self, table: int, at: int, label: str, items: Any) -> Any:
        viewers = label == "row" and self.viewer not in items and self.viewer is not None
        suffix = "" if viewers else f" of table {table}"
        return Dice(sha256(f"{at}:{label}{suffix}".encode()).digest()).shuffle(label, items)


class SuckerLockstep(TwoTables):
    """A match of So Long Sucker, from phase to phase."""

    def __init__(
        self, game: Any, viewer: Seat | None, tasks: Tasks, chance: random.Random, *, salted: bool
    ) -> None:
        deal = SuckerDeal(viewer, random.Random(chance.random()))
        super().__init__(
            Pair(game, viewer, tasks, (dealt(game, deal, 0), dealt(game, deal, 1))), chance, salted=salted
        )
        self._deal = deal

    async def step(self, what: str) -> None:
        await super().step(what)
        self._deal.moment += 1

    def differences(self) -> Iterable[str]:
        return hidden(*self.pair.states, self.viewer)

    # --- preparing for what a move will show ---

    async def fit(self, then: SuckerState | None) -> None:
        """Makes the tables agree in everything the viewer will see once the first reaches this state."""
        state = self.pair.state
        if then is None:
            return
        if then.stage.phase == "end":
            await self.ending()
        elif then.stage.mover is None:
            await self.alike()
        elif then.stage.round == state.stage.round:
            shown = [
                number
                for number in range(len(then.taken))
                if then.taken[number : number + 1] != state.taken[number : number + 1]
                and sees(then, number, self.viewer)
            ]
            for number in shown:
                await self.same_kind(number)

    async def same_kind(self, number: int) -> None:
        """Swaps two cards at the second table, so that the one with this number is of the same kind as at the
        first."""
        one, other = self.pair.states
        if one.deck[number] == other.deck[number]:
            return
        free = [
            place
            for place, kind in enumerate(other.deck)
            if kind == one.deck[number] and not (place < len(other.taken) and sees(other, place, self.viewer))
        ]
        deck = list(other.deck)
        place = self.chance.choice(free)
        deck[place], deck[number] = deck[number], deck[place]
        await self.relive(replace(other, deck=tuple(deck)), f"card {number} is of one kind")
        self.visited.add("a card was to be shown")

    async def prepare(self, message: m.ToHub) -> bool:
        if isinstance(message, m.Do) and self.viewer is not None and self.running:
            await self.fit(self.after(0, self.viewer, (message.prompt, message.move)))
        return True

    # --- doing ---

    async def something(self) -> None:
        if self.running and self.chance.random() < 0.05:
            await self.mix()
        if self.running and self.viewer is not None and self.chance.random() < 0.25:
            await self.wonder(self.viewer)
        await super().something()

    async def wonder(self, viewer: Seat) -> None:
        """The viewer previews a move, or tries a card that may be another seat's."""
        deed = self.some(viewer)
        prompt = "" if deed is None else deed[0]
        if deed is None or (prompt.startswith(("turn", "rescue")) and self.chance.random() < 0.3):
            cards = len(self.pair.state.taken)
            move: dict[str, Any] = {"move": "playCard", "card": self.chance.randrange(cards + 1)}
            if self.chance.random() < 0.5:
                move["colour"] = self.chance.randrange(len(self.pair.clients))
            deed = prompt, move
        if self.after(0, viewer, deed) is None:
            await self.do(viewer, (deed, deed), "tries a card")
            self.visited.add("the viewer is refused")
            return
        for client in self.pair.clients[viewer]:
            client.send(m.Preview(client.n, *deed))
            client.send(m.Coach(client.n + 1, deed[0]))
            client.n += 2
        await self.step(f"the viewer previews {deed}")
        self.visited.add("the viewer looks ahead")

    async def publicly(self, seat: int, deed: PromptedMove | None) -> None:
        if deed is None:
            return
        then = self.after(0, seat, deed)
        if then is None:
            return
        await self.fit(then)
        await self.do(seat, (deed, deed), "does")
        self.visited.add(f"{deed[1]['move']} of {'the viewer' if seat == self.viewer else 'another'}")

    def some(self, seat: int) -> PromptedMove | None:
        """A legal move for the seat, usually one the table is waiting for, and preferably onto a pile."""
        offered: dict[Any, Any] = dict(self.choices(0, seat))
        main = [prompt for prompt in offered if not prompt.startswith(("prisoners", "extend", "lastCall"))]
        if main and self.chance.random() < 0.9:
            onto = tuple(one for one in offered[main[0]] if one.move != "place" or "pile" in one.fields)
            offered = {main[0]: onto if onto and self.chance.random() < 0.9 else offered[main[0]]}
        return kit_choices.sample_raw_move(offered, len(self.pair.clients), Chance(self.chance))

    async def move(self, seat: int) -> None:
        """Makes a move, usually for a seat that the table is waiting for, so that something happens."""
        state = self.pair.state
        prompts = self.pair.game.prompts(state)
        if self.chance.random() < 0.9 and isinstance(prompts, tuple):
            seat = self.chance.choice(sorted(prompts[0].seats or [seat]))
        await self.publicly(seat, self.some(seat))

    async def hurry(self) -> None:
        for _ in range(5):
            if self.running:
                await self.move(0)

    async def time_passes(self) -> None:
        pair = self.pair
        left = next_end(pair.room) - pair.hubs[0].actor.table_time()
        if not self.running or next_end(pair.room) >= NEVER or self.chance.random() < 0.4:
            pair.advance(self.chance.randrange(1, max(2, min(left, 9_000))))
        elif left >= 0:
            for seed in (b"one", b"two", b"three"):  # a colour may be chosen at random
                await self.fit(self.left_alone(seed))
            pair.advance(left + 1)
        await self.step("time passes")

    def left_alone(self, seed: bytes) -> SuckerState:
        """The first table's state when the first window has ended."""
        game, state = self.pair.game, self.pair.state
        end = next_end(self.pair.room)
        window = next(one for one in game.windows(state) if getattr(one.clock, "end", NEVER) == end)
        expired: SuckerState = game.expire(state, window.id, Millis(end), Dice(seed)).state
        return expired

    # --- hidden commands ---

    async def secretly(self, seat: int) -> None:
        """Previews a card for another seat, or tries one that is refused: all other moves are public."""
        pair = self.pair
        if pair.state is None or not self.running:
            return
        table = self.chance.randrange(2)
        prompts = sorted(one.id for one in open_prompts(pair.game.prompts(pair.states[table]), Seat(seat)))
        prompt = self.chance.choice([*prompts, "turn:1"])
        move = {"move": "playCard", "card": self.chance.randrange(6), "colour": self.chance.randrange(4)}
        client = pair.clients[seat][table]
        client.send(m.Preview(client.n, prompt, move))
        client.n += 1
        if self.after(table, seat, (prompt, move)) is None:
            done = m.Do(0, 0, prompt, move)
            pair.hide(seat, *((done, None) if table == 0 else (None, done)))
        await self.step(f"{seat} previews a card at one table")


def sees(state: SuckerState, number: int, viewer: int | None) -> bool:
    """Whether the viewer is shown what a taken card does (2c): it was played, or they own it or are named."""
    card = state.taken[number]
    if card.status == "void":
        return False
    concerned = state.options.blackmail_faces == "public" or viewer in (card.owner, card.token)
    return card.status == "played" or concerned


def hidden(one: SuckerState, other: SuckerState, viewer: int | None) -> Iterable[str]:
    """Hidden facts that differ between two states that look the same to this viewer."""
    if one.stage.mover is None:
        return
    rows = [seat for seat, row in enumerate(one.rows) if row != other.rows[seat]]
    assert viewer not in rows
    if rows:
        yield "rows"
    cards = len(one.taken)
    if one.deck[:cards] != other.deck[:cards]:
        held = [card.status for card, a, b in zip(one.taken, one.deck, other.deck, strict=False) if a != b]
        yield from sorted(f"cards {status}" for status in set(held))
    if one.deck[cards:] != other.deck[cards:]:
        yield "stack"
