"""Subdivision (Carlton Noles, 2007): the rules.

Two phases: `parks` (only if the players set them, in turn) and `place` (all in turn place a pyramid each).
Who can place nothing passes, without being asked; the game ends when nobody can. What the text leaves open
is settled by the rulings SUB-1..16 and GEN-1..13, cited where they act; see RULES.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from games.api import (
    Ask,
    AskId,
    Choice,
    Choices,
    Dice,
    Game,
    Line,
    Manners,
    Millis,
    Outcome,
    Pick,
    Refusal,
    Seat,
    Section,
    Step,
    Window,
    WindowId,
)
from games.kit import choices as kit_choices
from games.kit import time_control as pacing
from games.kit.time_control import Extend, LastCall, Pace, Timer
from games.subdivision.rules import board as ground
from games.subdivision.rules import scoring, turns
from games.subdivision.rules.values import (
    Board,
    Park,
    Piece,
    Place,
    Preview,
    Score,
    Stage,
    Stash,
    SubdivisionMove,
    SubdivisionOptions,
    SubdivisionState,
)
from games.subdivision.texts import NONE_LEFT, OTHER_ASK, PHRASES, SEATS, TEXTS, pattern

SILENT: Final = Manners("closed")
OPEN: Final = Manners("open", PHRASES)


class Subdivision(Game[SubdivisionState, SubdivisionMove, SubdivisionOptions]):
    """The rules, with all options of 3a."""

    key = "subdivision"
    title = "Subdivision"
    version = 1
    seats = range(2, 5)
    minutes = (10, 15)
    Options = SubdivisionOptions
    State = SubdivisionState
    Move = SubdivisionMove
    silent: frozenset[str] = frozenset()
    sections: Mapping[str, type[msgspec.Struct]] = {
        "board": Board,
        "stage": Stage,
        "stash": Stash,
        "score": Score,
        "pace": Pace,
    }
    texts = TEXTS

    def refuse_options(self, seats: int, options: SubdivisionOptions) -> Refusal | None:
        """A drawn pattern has the table's number of parks; where there are none, it is ignored (SUB-13)."""
        if seats not in self.seats:
            return SEATS
        table = ground.GROUNDS[options.set, seats]
        if options.parks == "hostDraws" and table.parks:
            drawn = ground.pattern(options.pattern, table.size)
            if drawn is None or len(drawn) != table.parks:
                return pattern(table.parks)
        return None

    def setup(
        self, seats: int, options: SubdivisionOptions, at: Millis, dice: Dice
    ) -> Step[SubdivisionState]:
        """The parks, unless the players set them; a random seat begins (SUB-15)."""
        table = ground.GROUNDS[options.set, seats]
        parks = turns.laid(table, options, dice)
        start = Seat(dice.below("start", seats))
        left = table.parks - len(parks)
        stage = Stage("parks" if left else "place", start, 0, left, ())
        state = SubdivisionState(
            options,
            ground.bare(table.size, parks, options.park_ring if options.private_parks else None),
            stage,
            Stash(((table.each,) * 3,) * seats),
            pacing.pace(seats, options.timers),
            None,
        )
        return Step(turns.timed(state, at), turns.opening(table.size, parks, start))

    def asks(self, state: SubdivisionState) -> tuple[Ask, ...] | Outcome:
        timer, stage = state.timer, state.stage
        if timer is None or stage.turn is None:
            return scoring.outcome(self._score(state))
        window = None if timer.clock is None else timer.id
        return _asks(timer.kind, stage.number, stage.turn, window, pacing.ask(state.pace, timer))

    def windows(self, state: SubdivisionState) -> tuple[Window, ...]:
        timer = state.timer
        return () if timer is None else pacing.windows(state.pace, timer, NOBODY_DONE[len(state.stash.left)])

    def check(
        self, state: SubdivisionState, seat: Seat, ask: AskId, move: SubdivisionMove, at: Millis
    ) -> Refusal | None:
        kind, _, _ = ask.partition(":")
        match move:
            case Park(square=square):
                return OTHER_ASK if kind != "park" else ground.refuse(state.board, seat, 0, square, free=True)
            case Place(pips=pips, square=square):
                if kind != "place":
                    return OTHER_ASK
                if not state.stash.left[seat][pips - 1]:
                    return NONE_LEFT
                return ground.refuse(state.board, seat, pips, square, state.stage.free)
            case Extend():
                return None if kind == "extend" else OTHER_ASK
            case LastCall():
                return None if kind == "lastCall" else OTHER_ASK

    def apply(
        self,
        state: SubdivisionState,
        seat: Seat,
        ask: AskId,
        move: SubdivisionMove,
        at: Millis,
        dice: Dice,
    ) -> Step[SubdivisionState]:
        match move:
            case Extend():
                pace, timer, lines = pacing.extend(state.pace, self._timer(state), seat)
                return Step(replace(state, pace=pace, timer=timer), lines)
            case LastCall():
                pace, timer, lines = pacing.last_call(state.pace, self._timer(state), seat, at)
                return Step(replace(state, pace=pace, timer=timer), lines)
            case Park() | Place():
                pace = pacing.acted(state.pace, seat)
                back = pacing.presence(state.pace, pace)
                return self._act(state, pace, seat, move, at, back)

    def _act(
        self,
        state: SubdivisionState,
        pace: Pace,
        seat: Seat,
        move: Park | Place,
        at: Millis,
        lines: tuple[Line, ...],
    ) -> Step[SubdivisionState]:
        here = state if pace is state.pace else replace(state, pace=pace)
        step = (
            turns.parked(here, seat, move, at)
            if isinstance(move, Park)
            else turns.placed(here, seat, move, at)
        )
        return Step(step.state, (*lines, *step.lines))

    def _timer(self, state: SubdivisionState) -> Timer:
        if state.timer is None:
            raise ValueError("the game is over")
        return state.timer

    def _score(self, state: SubdivisionState) -> Score:
        return scoring.score(state.board, len(state.stash.left), state.options)

    def expire(
        self, state: SubdivisionState, window: WindowId, at: Millis, dice: Dice
    ) -> Step[SubdivisionState]:
        """Time is up, or that of a seat that is away: the server sets the park, or places (3b, GEN-7).

        Raises ValueError for a window that is not open.
        """
        pacing.expired(self._timer(state), window)
        seat = state.stage.turn
        if seat is None:
            raise ValueError("the game is over")
        move = turns.default(state, seat, dice)
        pace = pacing.missed(state.pace, (seat,))
        gone = pacing.presence(state.pace, pace)
        step = self._act(state, pace, seat, move, at, (turns.auto(seat),))
        return Step(step.state, (*step.lines, *gone))

    def extension(self, state: SubdivisionState, seat: Seat, window: WindowId) -> SubdivisionMove | None:
        """A minute more for a disconnected seat whose turn it is."""
        timer = state.timer
        if timer is None or window != timer.id:
            return None
        return Extend() if pacing.spendable(state.pace, timer, seat) else None

    def public(self, state: SubdivisionState) -> dict[str, Section]:
        """Everything there is (3c)."""
        return {
            "board": Section(state.board),
            "stage": Section(state.stage),
            "stash": Section(state.stash),
            "score": Section(self._score(state)),
            "pace": Section(state.pace),
        }

    def private(self, state: SubdivisionState, seat: Seat) -> dict[str, Section]:
        return NO_SECTIONS

    def choices(self, state: SubdivisionState, seat: Seat) -> Choices:
        timer, stage = state.timer, state.stage
        if timer is None:
            return NO_CHOICES
        more = pacing.ask(state.pace, timer)
        if more is not None and seat not in more.ask.seats:
            more = None
        if seat != stage.turn:
            return NO_CHOICES if more is None else _only(more)
        if stage.phase == "parks":
            return _sites(state.board, stage.number, more)
        return _buildings(state.board, seat, state.stash.left[seat], stage.free, stage.number, more)

    def preview(self, state: SubdivisionState, seat: Seat, move: SubdivisionMove) -> Section | None:
        """The totals after a placement; nothing for what may not be placed, or is no placement."""
        if not isinstance(move, Place):
            return None
        free = state.stage.free and state.stage.turn == seat
        if ground.refuse(state.board, seat, move.pips, move.square, free) is not None:
            return None
        after = ground.put(state.board, move.square, Piece(seat, move.pips))
        return Section(Preview(scoring.score(after, len(state.stash.left), state.options).totals))

    def sample(self, state: SubdivisionState, seat: Seat, dice: Dice) -> tuple[AskId, SubdivisionMove] | None:
        return kit_choices.sample(self.choices(state, seat), len(state.stash.left), SubdivisionMove, dice)

    def manners(self, state: SubdivisionState, seat: Seat | None) -> Manners:
        return SILENT if seat is None else OPEN

    def resample(self, state: SubdivisionState, viewer: Seat | None, dice: Dice) -> SubdivisionState:
        """The state itself: nothing is hidden from anybody (3c)."""
        return state

    def upgrade(self, version: int, data: Mapping[str, Any]) -> SubdivisionState | None:
        return msgspec.convert(data, SubdivisionState) if version == self.version else None


# --- what is open to whom: made once per situation, the same object while it lasts ---


@lru_cache(8192)
def _asks(
    kind: str, number: int, seat: Seat, window: WindowId | None, more: pacing.PaceAsk | None
) -> tuple[Ask, ...]:
    ask = Ask(AskId(f"{kind}:{number}"), kind, frozenset({seat}), window, None)
    return (ask,) if more is None else (ask, more.ask)


def _with(more: pacing.PaceAsk | None, ask: str, found: tuple[Choice, ...]) -> Choices:
    choices = {AskId(ask): found}
    return choices if more is None else {**choices, more.ask.id: more.choices}


@lru_cache(1024)
def _only(more: pacing.PaceAsk) -> Choices:
    return {more.ask.id: more.choices}


@lru_cache(1024)
def _sites(board: Board, number: int, more: pacing.PaceAsk | None) -> Choices:
    return _with(more, f"park:{number}", (Choice("park", {"square": Pick(ground.empty(board))}),))


@lru_cache(4096)
def _buildings(
    board: Board,
    seat: Seat,
    left: tuple[int, int, int],
    free: bool,
    number: int,
    more: pacing.PaceAsk | None,
) -> Choices:
    """One choice for each size that fits somewhere."""
    found = tuple(
        Choice("place", {"pips": Pick((pips,)), "square": Pick(squares)})
        for pips, squares in ground.placements(board, seat, left, free)
    )
    return _with(more, f"place:{number}", found)


NOBODY_DONE: Final = tuple((False,) * seats for seats in range(5))
"""By number of seats: a turn ends with what is done in it, so nobody is ever done before."""
NO_SECTIONS: Final[dict[str, Section]] = {}
NO_CHOICES: Final[Choices] = {}
SUBDIVISION: Final = Subdivision()
