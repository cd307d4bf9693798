"""The course of Subdivision: parks, placing, passing, and what the server does when time is up (3b)."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from games.api import Dice, LogLine, Millis, Seat, Step, WindowId
from games.kit import time_control as time_control
from games.kit.tuples import replace_at
from games.subdivision.rules import scoring
from games.subdivision.rules.board import Ground, empty, lay, name_of, next_to, pattern, placements, put
from games.subdivision.rules.values import (
    Board,
    Park,
    Piece,
    Pips,
    Place,
    Stage,
    Stash,
    SubdivisionOptions,
    SubdivisionState,
)

PLACE_TIME: Final = Millis(45_000)
PARK_TIME: Final = Millis(30_000)
STUCK: Final = LogLine("subdivision.stuck", {}, None)

# --- the beginning ---


def laid(table: Ground, options: SubdivisionOptions, dice: Dice) -> tuple[int, ...]:
    """The parks there are from the start, in rising order; none where the players set them (3a).

    Of a drawn pattern that `Subdivision.refuse_options` let pass. No parks, no matter who sets them (SUB-13).
    """
    match options.parks:
        case "parkPlacement":
            return ()
        case "random":
            everywhere = range(table.size * table.size)
            return tuple(sorted(dice.shuffle("parks", everywhere)[: table.parks]))
        case "hostDraws":
            return (pattern(options.pattern, table.size) or ()) if table.parks else ()
        case "symmetric":
            return pattern(table.symmetric, table.size) or ()


def opening(size: int, parks: tuple[int, ...], start: Seat) -> tuple[LogLine, ...]:
    """What the log tells first."""
    began = LogLine("subdivision.began", {"seat": start}, None)
    if not parks:
        return (began,)
    names = [name_of(park, size) for park in parks]
    return (LogLine("subdivision.parks", {"squares": names}, None), began)


def timed(state: SubdivisionState, at: Millis) -> SubdivisionState:
    """With the clock of the turn that begins, or without any at the end."""
    stage = state.stage
    if stage.turn is None:
        return replace(state, timer=None)
    kind, span = ("park", PARK_TIME) if stage.phase == "parks" else ("place", PLACE_TIME)
    window = WindowId(f"{kind}:{stage.number}")
    return replace(state, timer=time_control.timer(state.time_control, window, kind, (stage.turn,), span, at))


# --- turns ---


def parked(state: SubdivisionState, seat: Seat, move: Park, at: Millis) -> Step[SubdivisionState]:
    """The seat sets a park; after the last one the same order goes on with pyramids (SUB-12)."""
    stage, board = state.stage, lay(state.board, move.square)
    left = stage.parks_left - 1
    turn = Seat((seat + 1) % len(state.stash.left))
    after = replace(
        state,
        board=board,
        stage=replace(
            stage,
            phase="parks" if left else "place",
            turn=turn,
            number=stage.number + 1,
            parks_left=left,
        ),
    )
    line = LogLine("subdivision.park", {"seat": seat, "square": name_of(move.square, board.size)}, None)
    return Step(timed(after, at), (line,))


def placed(state: SubdivisionState, seat: Seat, move: Place, at: Millis) -> Step[SubdivisionState]:
    """The seat places a pyramid; then it is the next one's turn who can, or the game is over."""
    pips, square, left = move.pips, move.square, state.stash.left
    mine = tuple(count - (size == pips - 1) for size, count in enumerate(left[seat]))
    after = replace(
        state,
        board=put(state.board, square, Piece(seat, pips)),
        stash=Stash(replace_at(left, seat, (mine[0], mine[1], mine[2]))),
    )
    name = name_of(square, state.board.size)
    line = LogLine("subdivision.placed", {"seat": seat, "pips": pips, "square": name}, None)
    stage, lines = _next(after, seat)
    return Step(timed(replace(after, stage=stage), at), (line, *lines))


def _next(state: SubdivisionState, last: Seat) -> tuple[Stage, tuple[LogLine, ...]]:
    """Where the game stands after `last` has placed, and who passed on the way there (SUB-1).

    Who has nothing left to place is passed over without a word.
    """
    seats, number = len(state.stash.left), state.stage.number + 1
    lines: list[LogLine] = []
    passed: list[Seat] = []
    for seat in (Seat((last + step) % seats) for step in range(1, seats + 1)):
        left = state.stash.left[seat]
        if not any(left):
            continue
        fitting = bool(placements(state.board, seat, left))
        if fitting or state.options.stuck == "anywhere":
            if not fitting:
                lines.append(LogLine("subdivision.free", {"seat": seat}, None))
            stage = Stage("place", seat, number + len(passed), 0, tuple(passed), free=not fitting)
            return stage, tuple(lines)
        passed.append(seat)
        lines.append(LogLine("subdivision.passed", {"seat": seat}, None))
    if passed:
        lines.append(STUCK)
    winners = scoring.outcome(scoring.score(state.board, seats, state.options)).winners
    lines.append(LogLine("subdivision.won", {"seats": [int(seat) for seat in winners]}, None))
    return Stage("end", None, number + len(passed), 0, tuple(passed)), tuple(lines)


# --- what the server does for a seat (GEN-7) ---


def auto(seat: Seat) -> LogLine:
    return LogLine("subdivision.auto", {"seat": seat}, None)


def default(state: SubdivisionState, seat: Seat, dice: Dice) -> Park | Place:
    """A random park; or a 2 on a square with most of its own next to it, else any legal placement (3b)."""
    board, label = state.board, f"auto:{state.stage.number}"
    if state.stage.phase == "parks":
        squares = empty(board)
        return Park(squares[dice.below(label, len(squares))])
    found = placements(board, seat, state.stash.left[seat], state.stage.free)
    for pips, squares in found:
        if pips == 2:
            own = {square: _own(board, seat, square) for square in squares}
            best = [square for square in squares if own[square] == max(own.values())]
            return Place(2, best[dice.below(label, len(best))])
    every: list[tuple[Pips, int]] = [(pips, square) for pips, squares in found for square in squares]
    return Place(*every[dice.below(label, len(every))])


def _own(board: Board, seat: Seat, square: int) -> int:
    """How many of the seat's pyramids are next to a square."""
    beside = (board.squares[other] for other in next_to(board.size)[square])
    return sum(piece is not None and piece.seat == seat for piece in beside)
