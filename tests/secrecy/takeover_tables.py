"""Two tables of Takeover: what a deed would do at each, whether that looks the same, and how it is done.

`takeover_eyes` says when the viewer may not tell two deeds apart; where it may, neither is done. The second
table can be given other secrets: the hub begins another life then.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec

from games.api import AskId, Millis, Seat, open_asks
from games.dice import Dice
from games.kit import choosing
from games.takeover.values import Coin, TakeoverState
from hub.core import messages as m
from hub.core.room import Room, Snapshots, position
from hub.io.tasks import Tasks
from tests.secrecy import takeover_eyes as eyes
from tests.secrecy.dealing import Deal, dealt
from tests.secrecy.lockstep import Lockstep
from tests.secrecy.pair import Chance, Pair

Raw = Mapping[str, Any]
Deed = tuple[str, Raw]
"""An ask, and the move that answers it."""
QUIET: Final = frozenset({"setStocks", "propose", "counter", "decline", "cancel", "cashOut"})
"""Moves that those whom they do not concern may not notice."""


def names(coins: Iterable[Coin]) -> list[str]:
    return [coin.name for coin in coins]


class TwoTables(Lockstep):
    """A game of Takeover; `lazy` seats never pick by themselves, and are away when the flips come."""

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
        deal = Deal(viewer, random.Random(chance.random()))
        pair = Pair(game, viewer, tasks, (dealt(game, deal, 0), dealt(game, deal, 1)))
        deal.states = lambda: pair.states
        super().__init__(pair, chance, salted=salted)
        self.deal = deal
        self.lazy = lazy

    async def step(self, what: str) -> None:
        await super().step(what)
        self.deal.moment += 1

    def differences(self) -> Iterable[str]:
        return eyes.hidden(*self.pair.states, self.pair.viewer)

    @property
    def phase(self) -> str:
        return str(self.pair.state.stage.phase)

    @property
    def viewer(self) -> Seat | None:
        return self.pair.viewer

    # --- what would be ---

    def after(self, table: int, seat: int, deed: Deed) -> TakeoverState | None:
        """The table's state after this deed; None where it is refused."""
        game, state = self.pair.game, self.pair.states[table]
        at = Millis(self.pair.rigs[table].actor.now())
        ask, raw = deed
        try:
            move = msgspec.convert(raw, game.Move)
        except msgspec.ValidationError:
            return None
        if ask not in {one.id for one in open_asks(game.asks(state), Seat(seat))}:
            return None
        if game.check(state, Seat(seat), AskId(ask), move, at) is not None:
            return None
        found: TakeoverState = game.apply(state, Seat(seat), AskId(ask), move, at, Dice(b"what if")).state
        return found

    def choices(self, table: int, seat: int) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.pair.game.choices(self.pair.states[table], Seat(seat))
        return found

    def drawn(self, table: int, seat: int, tags: Iterable[str]) -> Deed | None:
        """Some move of these kinds that the table offers the seat."""
        found = [
            (ask, one)
            for ask, offered in self.choices(table, seat).items()
            for one in offered
            if one.move in tags
        ]
        if not found:
            return None
        ask, choice = self.chance.choice(found)
        return ask, choosing.fill(choice, len(self.pair.clients), Chance(self.chance))

    def looks_same(self, seat: int, deeds: tuple[Deed, Deed], then: tuple[Any, Any]) -> bool:
        """Whether the viewer may not tell what is done at one table from what is done at the other."""
        states, viewer = self.pair.states, self.viewer
        seen = [
            (
                eyes.told(before, seat, *deed, viewer),
                eyes.in_sight(now, now.stage.phase, viewer),
                eyes.standing(before, now, viewer),
            )
            for before, deed, now in zip(states, deeds, then, strict=True)
        ]
        return bool(seen[0] == seen[1])

    # --- other lives ---

    async def relive(self, other: TakeoverState, why: str) -> None:
        """Another life of the hub; the second table has this state then."""
        rig = self.pair.rigs[1]
        here = rig.actor.room
        head = rig.store.heads[rig.room]
        changed = Room(here.table, here.counts, position(rig.actor.rules, other))
        head.snapshot, head.beyond = Snapshots().pack(changed), []
        self.pair.steps.append(why)
        await self.restart()

    async def mix(self) -> None:
        """What is hidden from the viewer is drawn anew at the second table."""
        await self.relive(self.pair.game.resample(self.pair.state, self.viewer, Chance(self.chance)), "mixed")

    async def alike(self) -> None:
        """Before all is shown: the second table becomes what the first is."""
        if self.pair.states[0] != self.pair.states[1]:
            await self.relive(self.pair.state, "alike")

    async def ending(self) -> None:
        """Before the end, which shows everything. No record is made: the dice were not those of the game."""
        await self.alike()
        for rig in self.pair.rigs:
            rig.store.heads[rig.room].record = b"none"

    # --- doing ---

    async def do(self, seat: int, deeds: tuple[Deed | None, Deed | None], what: str) -> None:
        if seat == self.viewer:
            assert deeds[0] is not None
            assert deeds[0] == deeds[1]
            self.pair.do(seat, m.Do, ask=deeds[0][0], move=dict(deeds[0][1]))
        else:
            one, other = (None if deed is None else m.Do(0, 0, deed[0], dict(deed[1])) for deed in deeds)
            self.pair.hide(seat, one, other)
        await self.step(f"{seat} {what}: {deeds}")

    async def publicly(self, seat: int, one: Deed | None, other: Deed | None, what: str) -> bool:
        """Does at each table its deed, if the viewer may not tell them apart; whether it was done.

        Where only one of them ends the game (TKO-17), or is refused to the viewer (TKO-24), it is done too:
        that must never be.
        """
        if one is None or other is None:
            return False
        then = self.after(0, seat, one), self.after(1, seat, other)
        refused = [now is None for now in then]
        ends = [now is not None and now.reckoning is not None for now in then]
        if any(refused):
            if all(refused) or seat != self.viewer:
                return False
        elif all(ends):
            await self.ending()
            other = one
        elif not any(ends) and not self.looks_same(seat, (one, other), then):
            return False
        await self.do(seat, (one, other), what)
        self.visited.add(what if one == other else f"{what} with other coins")
        return True
