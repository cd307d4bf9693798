"""So Long Sucker (Hausner, Nash, Shapley, Shubik, 1964), with blind allies and blackmail (2019): the rules.

Chips are stacked on piles; who placed one gives the move away, a matching chip captures, and who has the
move but no chip must be rescued or falls. What the text leaves open is settled by the rulings SLS-1..36 and
GEN-1..13, cited where they act; see RULES.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from games.api import (
    Ask,
    AskId,
    Choices,
    Dice,
    Game,
    Manners,
    Millis,
    Outcome,
    Refusal,
    Seat,
    Section,
    Step,
    Window,
    WindowId,
    open_asks,
)
from games.kit import choosing
from games.kit import pace as pacing
from games.kit.pace import Extend, LastCall, Pace
from games.sucker import acts, course, endings, legal, openings, previews, unseen
from games.sucker.texts import PHRASES, SEATS, TEXTS
from games.sucker.values import (
    BASE,
    Continue,
    GiveMove,
    Hands,
    Kill,
    KillPrisoners,
    Lights,
    Match,
    Place,
    PlayCard,
    Refuse,
    Relent,
    RescueWith,
    Stage,
    SuckerMove,
    SuckerOptions,
    SuckerState,
    Transfer,
)
from games.sucker.views import Cards, History, Mine, Piles, Rescue, Trail

SILENT: Final = Manners("closed")
OPEN: Final = Manners("open", PHRASES)


class Sucker(Game[SuckerState, SuckerMove, SuckerOptions]):
    """The rules of both games: without blind allies and blackmail it is that of 1964."""

    key = "sucker"
    title = "So Long Sucker"
    version = 1
    seats = range(min(BASE), max(BASE) + 1)
    minutes = (20, 45)
    Options = SuckerOptions
    State = SuckerState
    Move = SuckerMove
    silent: frozenset[str] = frozenset()
    sections: Mapping[str, type[msgspec.Struct]] = {
        "stage": Stage,
        "hands": Hands,
        "piles": Piles,
        "trail": Trail,
        "cards": Cards,
        "rescue": Rescue,
        "match": Match,
        "lights": Lights,
        "history": History,
        "pace": Pace,
        "mine": Mine,
    }
    texts = TEXTS

    def refuse_options(self, seats: int, options: SuckerOptions) -> Refusal | None:
        return None if seats in self.seats else SEATS

    def setup(self, seats: int, options: SuckerOptions, at: Millis, dice: Dice) -> Step[SuckerState]:
        return course.begin(seats, options, at, dice)

    def asks(self, state: SuckerState) -> tuple[Ask, ...] | Outcome:
        if state.stage.phase == "end":
            return endings.outcome(state.match.points)
        return openings.asks(state)

    def windows(self, state: SuckerState) -> tuple[Window, ...]:
        return openings.windows(state)

    def check(
        self, state: SuckerState, seat: Seat, ask: AskId, move: SuckerMove, at: Millis
    ) -> Refusal | None:
        """From the public state and the cards the seat itself holds (GEN-3)."""
        return legal.refuse(state, seat, ask.partition(":")[0], move)

    def apply(
        self, state: SuckerState, seat: Seat, ask: AskId, move: SuckerMove, at: Millis, dice: Dice
    ) -> Step[SuckerState]:
        match move:
            case Extend():
                pace, timer, lines = pacing.extend(state.pace, course.timer_of(state), seat)
                return Step(replace(state, pace=pace, timer=timer), lines)
            case LastCall():
                pace, timer, lines = pacing.last_call(state.pace, course.timer_of(state), seat, at)
                return Step(replace(state, pace=pace, timer=timer), lines)
            case _:
                pace = pacing.acted(state.pace, seat)  # all that is done here, everybody can see
                back = pacing.presence(state.pace, pace)
                here = state if pace is state.pace else replace(state, pace=pace)
                step = self._act(here, seat, move, at, dice)
                return Step(step.state, (*back, *step.lines)) if back else step

    def _act(
        self,
        state: SuckerState,
        seat: Seat,
        move: Place
        | PlayCard
        | GiveMove
        | Kill
        | RescueWith
        | Refuse
        | Relent
        | Transfer
        | KillPrisoners
        | Continue,
        at: Millis,
        dice: Dice,
    ) -> Step[SuckerState]:
        match move:
            case Place():
                return acts.place(state, seat, move, at)
            case PlayCard():
                return acts.play_card(state, seat, move, at)
            case GiveMove(to=to):
                return acts.give(state, seat, Seat(to), at)
            case Kill(colour=colour):
                return acts.kill(state, seat, colour, at)
            case RescueWith():
                return acts.rescue(state, seat, move, at)
            case Refuse():
                return acts.refuse(state, seat, at)
            case Relent():
                return acts.relent(state, seat)
            case Transfer():
                return acts.transfer(state, seat, move, at)
            case KillPrisoners():
                return acts.kill_prisoners(state, seat, move, at)
            case Continue():
                return acts.ready(state, (seat,), at, (), dice)

    def expire(self, state: SuckerState, window: WindowId, at: Millis, dice: Dice) -> Step[SuckerState]:
        """The default of the phase (2b), for all it waits for or for one seat that is away.

        Raises ValueError for a window that is not open.
        """
        return acts.expired(state, pacing.expired(course.timer_of(state), window), at, dice)

    def extension(self, state: SuckerState, seat: Seat, window: WindowId) -> SuckerMove | None:
        """A minute more for a disconnected seat that still has something to do; never in a rescue (GEN-6)."""
        timer = state.timer
        if timer is None or window != timer.id or acts.done_of(state)[seat]:
            return None
        return Extend() if pacing.spendable(state.pace, timer, seat) else None

    def public(self, state: SuckerState) -> dict[str, Section]:
        return openings.public(state)

    def private(self, state: SuckerState, seat: Seat) -> dict[str, Section]:
        return openings.private(state, seat)

    def choices(self, state: SuckerState, seat: Seat) -> Choices:
        return openings.choices(state, seat)

    def preview(self, state: SuckerState, seat: Seat, move: SuckerMove) -> Section | None:
        """Who is next, who captures, who would need a rescue, what chips move."""
        opened = open_asks(self.asks(state), seat)
        if all(legal.refuse(state, seat, ask.kind, move) is not None for ask in opened):
            return None
        shown = previews.preview(state, seat, move)
        return None if shown is None else Section(shown)

    def sample(self, state: SuckerState, seat: Seat, dice: Dice) -> tuple[AskId, SuckerMove] | None:
        """Mostly what the table waits for, and rather onto a pile than a new one: so something happens."""
        offered = self.choices(state, seat)
        main = openings.main_id(state.stage)
        if main in offered and dice.below("main", 4):
            onto = tuple(one for one in offered[main] if one.move != "place" or "pile" in one.fields)
            offered = {main: onto if onto and dice.below("onto", 8) else offered[main]}
        return choosing.sample(offered, len(state.stage.alive), SuckerMove, dice)

    def manners(self, state: SuckerState, seat: Seat | None) -> Manners:
        """All talk is at the table: no secret agreements (seed 6). The defeated may talk on."""
        return SILENT if seat is None else OPEN

    def resample(self, state: SuckerState, viewer: Seat | None, dice: Dice) -> SuckerState:
        return unseen.resample(state, viewer, dice)

    def upgrade(self, version: int, data: Mapping[str, Any]) -> SuckerState | None:
        return msgspec.convert(data, SuckerState) if version == self.version else None


SUCKER: Final = Sucker()
