"""R34: what becomes of promises of older rules when newer ones go on with the game, also after a crash."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Final

import pytest
from msgspec import Struct
from msgspec.structs import replace

from games import GAMES
from games.almost.rules.game import Almost
from games.almost.rules.promises import AlmostPromises
from games.api import Game, Judgement, Promise, PromiseEvent, PublicView, Registration
from games.subdivision.rules.board import square_at
from games.subdivision.rules.game import Subdivision
from games.subdivision.rules.promises import SubdivisionPromises
from games.sucker.rules.game import Sucker
from games.sucker.rules.promises import SuckerPromises
from hub.table import records
from hub.table.records import Verified
from hub.table.room import Room
from tests.harness.small_hub import ClientLine, SmallHub
from tests.runtime.fleet_members import Start, drain
from tests.runtime.test_upgrades import crash, fetch_record, play

pytestmark = pytest.mark.asyncio


# --- version 1 of three games, and what is promised and done in each ---


class OlderAlmostPromises(AlmostPromises):
    """A plan that was backed before a promise released it as well: no promise said what was backed before."""

    def complete(self, promise: Promise, view: PublicView) -> Promise:
        return promise


class OlderAlmost(Almost):
    version = 1
    promises = OlderAlmostPromises()


class OlderSubdivisionPromises(SubdivisionPromises):
    """A reply ended with its seat's next pyramid, and did not say when it ends."""

    def complete(self, promise: Promise, view: PublicView) -> Promise:
        return promise if promise.kind == "reply" else super().complete(promise, view)


class OlderSubdivision(Subdivision):
    version = 1
    promises = OlderSubdivisionPromises()


class OlderSuckerPromises(SuckerPromises):
    """The next chip spared every pile that it did not take, also one that it could not have taken."""

    def judge(self, promise: Promise, event: PromiseEvent) -> Judgement | None:
        judgement = super().judge(promise, event)
        has_placed = any(line.args.get("seat") == promise.by for line in event.lines)
        is_spared = promise.kind == "spare_pile" and judgement == "lapsed" and has_placed
        return "kept" if is_spared else judgement


class OlderSucker(Sucker):
    version = 1
    promises = OlderSuckerPromises()


OLDER: Final[Mapping[str, Game[Any, Any, Any]]] = {
    "almost": OlderAlmost(),
    "subdivision": OlderSubdivision(),
    "sucker": OlderSucker(),
}
OLDER_GAMES: Final[Mapping[str, Registration]] = {
    key: Registration(OLDER.get(key, registration.game), registration.bot)
    for key, registration in GAMES.items()
}


class Scene(ABC):
    """A game on a hub of the older rules."""

    def __init__(self, hub: SmallHub, code: str, lines: list[ClientLine]) -> None:
        self.hub, self.code, self.lines = hub, code, lines

    @property
    def room(self) -> Room:
        return self.hub.rooms._actors[self.code].room

    @property
    def stage(self) -> Any:
        assert self.room.position is not None
        return self.room.position.state.stage

    async def do(self, seat: int, prompt: str, move: str, **fields: Any) -> None:
        """A legal move in answer to the open prompt of this kind."""
        assert self.room.position is not None
        open_prompts: Any = self.room.position.prompts
        (answered,) = (one.id for one in open_prompts if one.kind == prompt and seat in one.seats)
        n = await self.lines[seat].move(answered, move, **fields)
        assert self.lines[seat].follower.code(n) is None

    async def promise(self, seat: int, kind: str, to: list[int], **terms: int | str) -> None:
        n = await self.lines[seat].do("promise", kind=kind, terms=terms, to=to)
        assert self.lines[seat].follower.code(n) is None

    @abstractmethod
    async def make(self) -> None:
        """Make the promise."""

    @abstractmethod
    async def decide(self) -> None:
        """Do what decides about it."""

    @abstractmethod
    async def go_on(self) -> None:
        """Move once more."""

    async def follow(self, hub: SmallHub) -> None:
        """Everybody comes back to another hub."""
        self.lines = [await hub.come(line.follower) for line in self.lines]
        self.hub = hub


class AlmostScene(Scene):
    async def make(self) -> None:
        """The plan against the promise is backed by both others before it is made."""
        await self.do(1, "plan", "propose", bids=[10, 1, 1])
        await self.do(2, "plan", "agree", plan=1)
        await self.promise(0, "bid", [], number=1, round=1)

    async def decide(self) -> None:
        for seat in range(3):
            await self.do(seat, "ready", "ready")
        for seat, number in enumerate((10, 1, 1)):
            await self.do(seat, "bid", "lock", number=number)

    async def go_on(self) -> None:
        await self.do(0, "continue", "continue")


class SubdivisionScene(Scene):
    async def make(self) -> None:
        """On its own turn, which a reply outlasts by the newer rules only."""
        seat = self.stage.turn
        await self.promise(seat, "reply", [(seat + 1) % 3], square="b2", reply="c2")

    async def decide(self) -> None:
        await self.do(self.stage.turn, "place", "place", pips=2, square=square_at("d4", 7))

    async def go_on(self) -> None:
        await self.do(self.stage.turn, "place", "place", pips=2, square=square_at("b5", 7))


class SuckerScene(Scene):
    async def make(self) -> None:
        """About a pile with one chip, which no chip of another colour takes."""
        first = self.stage.mover
        await self.do(first, "turn", "place", colour=first)
        await self.do(first, "choose", "giveMove", to=self.stage.next[0])
        await self.promise(self.stage.mover, "spare_pile", [], pile=0)

    async def decide(self) -> None:
        await self.do(self.stage.mover, "turn", "place", colour=self.stage.mover)

    async def go_on(self) -> None:
        await self.do(self.stage.mover, "choose", "giveMove", to=self.stage.next[0])


class Case(Struct, frozen=True):
    """`judgements`: of the promise of a scene by the older rules, and of the same one by the newer ones."""

    game: str
    scene: type[Scene]
    judgements: tuple[Judgement, Judgement]
    table: Mapping[str, Any] = {}


CASES: Final = [
    Case("almost", AlmostScene, ("lapsed", "lapsed"), {"discussion": "untilReady"}),
    Case("subdivision", SubdivisionScene, ("lapsed", "lapsed")),
    Case("sucker", SuckerScene, ("kept", "lapsed"), {"people": 4, "seats": 4}),
]
of_each_game: Final = pytest.mark.parametrize("case", CASES, ids=lambda case: case.game)


async def begin(start: Start, case: Case) -> Any:
    one = await start("one", OLDER_GAMES)
    return case.scene(one, *await play(one, case.game, **case.table))


@of_each_game
@pytest.mark.parametrize("crashes", [True, False])
async def test_an_open_promise_of_older_rules_is_judged(start: Start, case: Case, crashes: bool) -> None:
    """R34: the game goes on with what its hub has stored or logged, without the terms that are new."""
    scene = await begin(start, case)
    await scene.make()
    (made,) = scene.room.promises
    if crashes:
        two = await crash(start, scene.hub, GAMES)
    else:
        await drain(scene.hub)
        two = await start("two")
    await scene.follow(two)
    assert scene.room.promises == (made,)
    (crossing,) = scene.room.table.crossings
    assert (crossing.entries <= made.entry) == crashes, "whether the snapshot has the promise"
    await scene.decide()
    assert [promise.judgement for promise in scene.room.promises] == [case.judgements[1]]
    assert (scene.room.table.status, scene.room.table.version) == ("running", 2)


@of_each_game
async def test_what_older_rules_judged_before_a_crash_stays(start: Start, case: Case) -> None:
    """R34: also if the newer rules would have judged it differently."""
    scene = await begin(start, case)
    await scene.make()
    await scene.decide()
    (judged,) = scene.room.promises
    assert judged.judgement == case.judgements[0]
    await scene.follow(await crash(start, scene.hub, GAMES))
    assert scene.room.promises == (judged,)
    assert scene.room.table.crossings[0].entries <= judged.entry
    await scene.go_on()
    assert (scene.room.table.status, scene.room.table.version) == ("running", 2)


class DifferentlyCompleted(OlderSubdivisionPromises):
    """The older rules said when a reply ends, too, but otherwise than the newer ones."""

    def complete(self, promise: Promise, view: PublicView) -> Promise:
        return replace(promise, terms={**promise.terms, "left": -1})


async def test_a_promise_that_newer_rules_complete_differently_ends_the_game(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R34: if it was made after the last snapshot, without a result; the record is kept."""
    monkeypatch.setattr(OlderSubdivision, "promises", DifferentlyCompleted())
    scene = await begin(start, CASES[1])
    await scene.make()
    two = await crash(start, scene.hub, GAMES)
    assert [(await two.come(line.follower)).code for line in scene.lines] == [4018] * 3
    verified = records.verify(await fetch_record(two, scene.code), GAMES)
    assert isinstance(verified, Verified), verified
    assert verified.outcome is None
