"""Tables of So Long Sucker on two hubs, starting mid-round, checked against a reference version."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.api import Running
from games.dice import Dice
from games.sucker.rules.values import SuckerState
from tests.chaos.reference_rescues import NAMES, Rescues
from tests.chaos.rescuers import Racing, Rescuers, outcome
from tests.chaos.soak_table import Command, Plan, Refused, SoakTable
from tests.chaos.sucker_midway import reference_midway
from tests.chaos.table_soak import TableSoak
from tests.games.sucker.differential import found_by, told_by
from tests.games.sucker.reference_table import holder
from tests.harness.follower import Follower
from tests.harness.small_hub import ClientLine

OPTIONS: Final[Mapping[str, Sequence[Any]]] = {
    "blindAlly": (True, False),
    "blackmail": (True, True, True, False),
    "blackmailFaces": ("private", "public"),
    "selfBlackmail": (True, False),
    "deadCards": ("void", "keepCapture"),
    "timers": ("fast", "fast", "fast", "normal", "relaxed"),
}


class RescueTable(SoakTable):
    """A table of rescuers with a watcher."""

    def __init__(
        self,
        room: str,
        followers: Sequence[Follower],
        lines: list[ClientLine],
        timers: str,
        seed: int,
    ) -> None:
        super().__init__(room, followers, lines, seed)
        began, draws = self.actor.room, self.actor.room.counts.draws
        state = self._state
        assert state.timer is not None
        assert isinstance(state.timer.clock, Running)
        piles = [pile.id for pile in state.piles]
        start = state.timer.clock.end - state.timer.span
        self.play = Rescues(
            reference_midway(state),
            timers,
            Dice(began.table.game_seed, draws),
            start,
            state.stage.number,
            piles,
            state.laid,
        )
        self._rescuers = Rescuers(self.play, self.fate)
        self._races: defaultdict[int, dict[int, tuple[str, str, str, str]]] = defaultdict(dict)
        """This tick's races by number: for each side, the race's name and the role, verdict and hub."""
        self._changes = 0
        self._ended = 0

    @property
    def _state(self) -> SuckerState:
        assert self.actor.room.position is not None
        state: SuckerState = self.actor.room.position.state
        return state

    # --- the reference version ---

    @property
    def over(self) -> bool:
        return self.play.over

    @property
    def expired(self) -> int:
        return self.play.expired

    def pass_time(self, at: int) -> None:
        self.play.pass_time(at)

    def extend_for_absent(self, at: int) -> None:
        """Rescues are never extended, and nobody has an extension left (GEN-6)."""

    def next_end(self) -> int | None:
        return self.play.next_end()

    def ends(self) -> list[int]:
        return [self.play.end] if self.play.game.phase == "rescue" else []

    def planned(self, tick: int, at: int, span: int) -> Plan:
        return self._rescuers.plan(at, span)

    def decided(self, seat: int, command: Command, at: int) -> Refused | None:
        refused = self.play.do(seat, command.prompt, command.move, at)
        if isinstance(command, Racing):
            verdict = "done" if refused is None else " ".join(refused)
            sides = self._races[command.race]
            sides.pop(id(command), None)  # processed again: its hub no longer owned the table
            sides[id(command)] = (command.name, command.part, verdict, self.hub.url)
        return refused

    # --- checks ---

    def compare(self, new: Sequence[Sequence[list[Any]]]) -> None:
        """State, clocks and sections equal the reference version's; a refused command changed nothing."""
        assert told_by(self._state) == found_by(self.play.game)
        public = [[line[1:] for line in lines if line[1] != "sucker.cardKind"] for lines in new]
        assert all(lines == public[0] for lines in public)
        quiet = (self._changes, self._ended) == (self.play.changes, self.play.expired)
        for viewer, follower in enumerate(self.followers):
            assert seen(follower) == shown(self.play)
            if quiet and not self.moved:
                assert not self.frames(viewer), "a refused command changes nothing"
        self.met["nothing moved"] += quiet and bool(self._races)
        self._changes, self._ended = self.play.changes, self.play.expired
        for sides in self._races.values():
            (name,) = {name for name, *_ in sides.values()}
            saved = [part for _, part, verdict, _ in sides.values() if (part, verdict) == ("rescue", "done")]
            assert len(saved) <= 1, "a rescue is answered once with chips (SLS-15)"
            self.met[name] += 1
            self.met[f"{name}: {outcome([side[1:3] for side in sides.values()])}"] += 1
            self.met["decided at both hubs"] += len({hub for *_, hub in sides.values()}) > 1
        self._races.clear()


def shown(play: Rescues) -> dict[str, Any]:
    """The prompts, windows and chips that every client must see."""
    game = play.game
    if play.over:
        return {"chips": game.chips, "dead": game.killed, "out": game.eliminated}
    return {
        "chips": game.chips,
        "dead": game.killed,
        "out": game.eliminated,
        "stage": [NAMES[game.phase], play.number],
        "piles": [[number, pile] for number, pile in zip(play.piles, game.piles, strict=True)],
        "prompts": [[prompt, seats] for prompt, seats in play.prompts().items()],
        "windows": [[list(due.seats), due.end] for due in play.windows()],
        "rescue": (holder(game), [[seat, seat in game.refused] for seat in play.concerns])
        if game.phase == "rescue"
        else None,
    }


def seen(follower: Follower) -> dict[str, Any]:
    """The prompts, windows and chips as a client sees them."""
    sections = follower.sections
    stage, hands, rescue = sections["stage"], sections["hands"], sections.get("rescue")
    values = {"chips": hands["chips"], "dead": hands["dead"], "out": stage["out"]}
    if stage["phase"] == "end":
        return values
    return values | {
        "stage": [stage["phase"], stage["number"]],
        "piles": [[pile["id"], pile["chips"]] for pile in sections["piles"]["piles"]],
        "prompts": [
            [prompt["id"], prompt["seats"]]
            for prompt in sections["prompts"]["prompts"]
            if prompt["kind"] != "extend" or rescue  # a rescue is never extended (GEN-6)
        ],
        "windows": [[window["concerns"], window["end"]] for window in sections["windows"]["windows"]],
        "rescue": (rescue["needy"], [[seat, no] for seat, _, no in rescue["answers"]]) if rescue else None,
    }


class RescueSoak(TableSoak[RescueTable]):
    """Two hubs on one store with many tables open at once."""

    def _pause(self) -> int:
        """The pause before a tick: the longest of three random ones, so that it often lasts until just before
        rescues run out."""
        pause = super()._pause
        return max(pause() for _ in range(3))

    async def opened(self) -> RescueTable:
        options = {name: self.fate.choice(values) for name, values in OPTIONS.items()}
        seed = self.fate.randrange(2**32)
        room, followers, lines = await self.seated("sucker", options, watched=True)
        await self.quiet()
        for line in lines:
            line.heard.clear()
        return RescueTable(room, followers, lines, options["timers"], seed)
