"""Two tables of one game: code to look ahead, make moves at both, and give the second different secrets.

The second table can be given another state that looks the same, by restarting its hub.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

import msgspec

from games.api import Millis, PromptId, Seat, open_prompts
from games.dice import Dice
from games.kit import choices as kit_choices
from games.kit.moves import convert_move
from hub.table.room import Room, Snapshots, position_of
from hub.wire import messages as m
from tests.secrecy.lockstep import Lockstep
from tests.secrecy.pair import Chance

Raw: TypeAlias = Mapping[str, Any]
PromptedMove: TypeAlias = tuple[str, Raw]
"""A prompt, and the move that answers it."""


class TwoTables(Lockstep):
    """The part that all games share; each game defines what the viewer may see."""

    @property
    def phase(self) -> str:
        return str(self.pair.state.stage.phase)

    @property
    def viewer(self) -> Seat | None:
        return self.pair.viewer

    # --- looking ahead ---

    def dice(self, table: int) -> Any:
        """Dice to look ahead with; a game that needs to know the coming draws exactly overrides this."""
        return Dice(b"what if")

    def after(self, table: int, seat: int, deed: PromptedMove) -> Any | None:
        """The table's state after this move; None if it is refused."""
        game, state = self.pair.game, self.pair.states[table]
        at = Millis(self.pair.hubs[table].actor.table_time())
        prompt, raw = deed
        try:
            move = convert_move(raw, game.Move)
        except msgspec.ValidationError:
            return None
        if prompt not in {one.id for one in open_prompts(game.prompts(state), Seat(seat))}:
            return None
        if game.check(state, Seat(seat), PromptId(prompt), move, at) is not None:
            return None
        return game.apply(state, Seat(seat), PromptId(prompt), move, at, self.dice(table)).state

    def choices(self, table: int, seat: int) -> Mapping[str, Any]:
        choices: Mapping[str, Any] = self.pair.game.choices(self.pair.states[table], Seat(seat))
        return choices

    def drawn(self, table: int, seat: int, tags: Iterable[str]) -> PromptedMove | None:
        """A random move of these kinds that the table offers the seat."""
        lines = [
            (prompt, one)
            for prompt, offered in self.choices(table, seat).items()
            for one in offered
            if one.move in tags
        ]
        if not lines:
            return None
        prompt, choice = self.chance.choice(lines)
        return prompt, kit_choices.fill(choice, len(self.pair.clients), Chance(self.chance))

    # --- other states for the second table ---

    async def relive(self, other: Any, why: str) -> None:
        """Restarts the second hub with its table in this state."""
        hub = self.pair.hubs[1]
        room = hub.actor.room
        head = hub.store.heads[hub.room]
        changed = Room(room.table, room.counts, position_of(hub.actor.rules, other), room.promises)
        head.snapshot, head.beyond = Snapshots().pack(changed), []
        self.pair.steps.append(why)
        await self.restart()

    async def mix(self) -> None:
        """Redraws everything hidden from the viewer at the second table."""
        await self.relive(self.pair.game.resample(self.pair.state, self.viewer, Chance(self.chance)), "mixed")

    async def alike(self) -> None:
        """Makes the second table the same as the first, before everything is shown."""
        if self.pair.states[0] != self.pair.states[1]:
            await self.relive(self.pair.state, "alike")

    async def ending(self) -> None:
        """Prepares for the end, which shows everything. No record is built: the dice are not the game's."""
        await self.alike()
        for hub in self.pair.hubs:
            hub.store.heads[hub.room].record = b"none"

    # --- doing ---

    async def do(self, seat: int, deeds: tuple[PromptedMove | None, PromptedMove | None], what: str) -> None:
        if seat == self.viewer:
            assert deeds[0] is not None
            assert deeds[0] == deeds[1]
            self.pair.do(seat, m.Do, prompt=deeds[0][0], move=dict(deeds[0][1]))
        else:
            one, other = (None if deed is None else m.Do(0, 0, deed[0], dict(deed[1])) for deed in deeds)
            self.pair.hide(seat, one, other)
        await self.step(f"{seat} {what}: {deeds}")
