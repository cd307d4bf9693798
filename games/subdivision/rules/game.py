"""Subdivision (Carlton Noles, 2007): the rules.

Two phases: `parks`, only if the players place the parks, and `place`, in which the players take turns placing
a pyramid. A seat that cannot place anything passes automatically; the game ends when nobody can place.
The rulings SUB-1..16 and GEN-1..13 settle what the printed rules leave open; they are cited where they
apply, and RULES.md explains them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from games.api import (
    Advice,
    Choice,
    Choices,
    Dice,
    Millis,
    Observation,
    OneOf,
    Outcome,
    Prompt,
    PromptId,
    Refusal,
    Seat,
    Section,
    Step,
    TalkPolicy,
    WindowId,
)
from games.kit import time_control as time_control
from games.kit.lessons import read_lesson
from games.kit.memo import memoize
from games.kit.time_control import TimeControl
from games.kit.timed_game import OTHER_PROMPT, TimedGame, count_missed, timer_of
from games.subdivision import coach
from games.subdivision.rules import board as ground
from games.subdivision.rules import scoring, turns
from games.subdivision.rules.promises import SubdivisionPromises
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
    SubdivisionPlay,
    SubdivisionState,
)
from games.subdivision.texts import NONE_LEFT, SEATS, TEXTS, pattern


class Subdivision(TimedGame[SubdivisionState, SubdivisionPlay, SubdivisionOptions]):
    """The rules, with every option in 3a."""

    key = "subdivision"
    version = 2
    readable_versions = (1,)  # by which a reply ended with its seat's next pyramid
    seats = range(2, 5)
    minutes = (10, 15)
    sections: Mapping[str, type[msgspec.Struct]] = {
        "board": Board,
        "stage": Stage,
        "stash": Stash,
        "score": Score,
        "time_control": TimeControl,
    }
    private_sections: frozenset[str] = frozenset()
    texts = TEXTS
    lesson = read_lesson("games.subdivision")
    promises = SubdivisionPromises()

    def refuse_options(self, seats: int, options: SubdivisionOptions) -> Refusal | None:
        """Refuses a pattern with the wrong number of parks; a table without parks ignores it (SUB-13)."""
        if seats not in self.seats:
            return SEATS
        table = ground.GROUNDS[options.set, seats]
        if options.parks == "hostDraws" and table.parks:
            squares = ground.pattern(options.pattern, table.size)
            if squares is None or len(squares) != table.parks:
                return pattern(table.parks)
        return None

    def setup(
        self, seats: int, options: SubdivisionOptions, at: Millis, dice: Dice
    ) -> Step[SubdivisionState]:
        """Places the parks, unless the players place them, and chooses the first seat at random (SUB-15)."""
        table = ground.GROUNDS[options.set, seats]
        parks = turns.initial_parks(table, options, dice)
        start = Seat(dice.below("start", seats))
        parks_left = table.parks - len(parks)
        stage = Stage("parks" if parks_left else "place", start, 0, parks_left, ())
        state = SubdivisionState(
            options,
            ground.empty_board(table.size, parks, options.park_ring if options.private_parks else None),
            stage,
            Stash(((table.per_size,) * 3,) * seats),
            time_control=time_control.start(seats, options.timers),
            timer=None,
        )
        return Step(turns.start_timer(state, at), turns.opening_lines(table.size, parks, start))

    def prompts(self, state: SubdivisionState) -> tuple[Prompt, ...] | Outcome:
        timer, stage = state.timer, state.stage
        if timer is None or stage.turn is None:
            return scoring.outcome(self._score(state))
        window = None if timer.clock is None else timer.id
        return _prompts(
            timer.kind, stage.number, stage.turn, window, time_control.prompt(state.time_control, timer)
        )

    def out_seats(self, state: SubdivisionState) -> frozenset[Seat]:
        return turns.out_seats(state)

    def check_move(
        self, state: SubdivisionState, seat: Seat, prompt: PromptId, move: SubdivisionPlay, at: Millis
    ) -> Refusal | None:
        kind, _, _ = prompt.partition(":")
        match move:
            case Park(square=square):
                return (
                    OTHER_PROMPT if kind != "park" else ground.refuse(state.board, seat, 0, square, free=True)
                )
            case Place(pips=pips, square=square):
                if kind != "place":
                    return OTHER_PROMPT
                if not state.stash.left[seat][pips - 1]:
                    return NONE_LEFT
                return ground.refuse_pyramid(state.board, seat, pips, square, state.stage.free)

    def apply_move(
        self,
        state: SubdivisionState,
        seat: Seat,
        prompt: PromptId,
        move: SubdivisionPlay,
        at: Millis,
        dice: Dice,
    ) -> Step[SubdivisionState]:
        if isinstance(move, Park):
            return turns.set_park(state, seat, move, at)
        return turns.place(state, seat, move, at)

    def _score(self, state: SubdivisionState) -> Score:
        return scoring.score(state.board, len(state.stash.left), state.options)

    def expire(
        self, state: SubdivisionState, window: WindowId, at: Millis, dice: Dice
    ) -> Step[SubdivisionState]:
        """Sets the park or places a pyramid for the seat whose time is up (3b, GEN-7).

        Raises ValueError for a window that is not open.
        """
        time_control.find_window_seat(timer_of(state), window)
        seat = state.stage.turn
        if seat is None:
            raise ValueError("the game is over")
        move = turns.default(state, seat, dice)
        state, away_lines = count_missed(state, (seat,))
        step = self.apply_move(state, seat, PromptId(""), move, at, dice)
        return Step(step.state, (turns.auto_line(seat), *step.lines, *away_lines))

    def public(self, state: SubdivisionState) -> dict[str, Section]:
        """All sections: the game has no secrets (3c)."""
        return {
            "board": Section(state.board),
            "stage": Section(state.stage),
            "stash": Section(state.stash),
            "score": Section(self._score(state)),
            "time_control": Section(state.time_control),
        }

    def private(self, state: SubdivisionState, seat: Seat) -> dict[str, Section]:
        return NO_SECTIONS

    def choices(self, state: SubdivisionState, seat: Seat) -> Choices:
        timer, stage = state.timer, state.stage
        if timer is None:
            return NO_CHOICES
        more = time_control.prompt(state.time_control, timer)
        if more is not None and seat not in more.prompt.seats:
            more = None
        if seat != stage.turn:
            return NO_CHOICES if more is None else _timer_choices(more)
        if stage.phase == "parks":
            return _park_choices(state.board, stage.number, more)
        return _place_choices(state.board, seat, state.stash.left[seat], stage.free, stage.number, more)

    def preview(self, state: SubdivisionState, seat: Seat, move: SubdivisionMove) -> Section | None:
        """The totals after a legal placement; None for any other move."""
        if not isinstance(move, Place):
            return None
        free = state.stage.free and state.stage.turn == seat
        if ground.refuse(state.board, seat, move.pips, move.square, free) is not None:
            return None
        after = ground.put(state.board, move.square, Piece(seat, move.pips))
        return Section(Preview(scoring.score(after, len(state.stash.left), state.options).totals))

    def talk_policy(self, state: SubdivisionState, seat: Seat | None) -> TalkPolicy:
        """Open talk for seats; with only two of them, nobody is called upon to stop the leader."""
        if seat is None or len(state.stash.left) > 2:
            return super().talk_policy(state, seat)
        return PAIR_TALK

    def coach(self, observation: Observation, prompt: Prompt) -> Advice | None:
        return coach.advise(observation, prompt)

    def resample(self, state: SubdivisionState, viewer: Seat | None, dice: Dice) -> SubdivisionState:
        """The state itself, since nothing is hidden (3c)."""
        return state


# --- prompts and choices: built once per situation and shared ---


@memoize
def _prompts(
    kind: str, number: int, seat: Seat, window: WindowId | None, more: time_control.TimerPrompt | None
) -> tuple[Prompt, ...]:
    prompt = Prompt(PromptId(f"{kind}:{number}"), kind, frozenset({seat}), window, None)
    return (prompt,) if more is None else (prompt, more.prompt)


def _add_timer(more: time_control.TimerPrompt | None, prompt: str, entries: tuple[Choice, ...]) -> Choices:
    choices = {PromptId(prompt): entries}
    return choices if more is None else {**choices, more.prompt.id: more.choices}


@memoize
def _timer_choices(more: time_control.TimerPrompt) -> Choices:
    return {more.prompt.id: more.choices}


@memoize
def _park_choices(board: Board, number: int, more: time_control.TimerPrompt | None) -> Choices:
    return _add_timer(more, f"park:{number}", (Choice("park", {"square": OneOf(ground.empty(board))}),))


@memoize
def _place_choices(
    board: Board,
    seat: Seat,
    stash: tuple[int, int, int],
    free: bool,
    number: int,
    more: time_control.TimerPrompt | None,
) -> Choices:
    """One choice for each size that fits somewhere."""
    choices = tuple(
        Choice("place", {"pips": OneOf((pips,)), "square": OneOf(squares)})
        for pips, squares in ground.placements(board, seat, stash, free)
    )
    return _add_timer(more, f"place:{number}", choices)


PAIR_TALK: Final = TalkPolicy(
    "open", tuple(phrase for phrase in TEXTS.phrases if phrase != "subdivision.say.stopLeader")
)
NO_SECTIONS: Final[dict[str, Section]] = {}
NO_CHOICES: Final[Choices] = {}
SUBDIVISION: Final = Subdivision()
