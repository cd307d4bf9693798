"""The turns of Subdivision: parks, placing, passing, and what the rules play when time is up (3b)."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from games.api import Dice, LogLine, Millis, Seat, Step, WindowId
from games.kit import time_control as time_control
from games.kit.tuples import replace_at
from games.subdivision.rules import scoring
from games.subdivision.rules.board import (
    Ground,
    edge_neighbours,
    empty,
    lay,
    name_of,
    pattern,
    placements,
    put,
)
from games.subdivision.rules.values import (
    Board,
    Lead,
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

# --- setup ---


def initial_parks(table: Ground, options: SubdivisionOptions, dice: Dice) -> tuple[int, ...]:
    """The parks at the start, in ascending order (3a).

    There are none if the players set them or the table has none (SUB-13). A host's pattern must have passed
    `Subdivision.refuse_options`.
    """
    match options.parks:
        case "parkPlacement":
            return ()
        case "random":
            squares = range(table.size * table.size)
            return tuple(sorted(dice.shuffle("parks", squares)[: table.parks]))
        case "hostDraws":
            return (pattern(options.pattern, table.size) or ()) if table.parks else ()
        case "symmetric":
            return pattern(table.symmetric, table.size) or ()


def opening_lines(size: int, parks: tuple[int, ...], start: Seat) -> tuple[LogLine, ...]:
    """The first lines of the log."""
    began = LogLine("subdivision.began", {"seat": start}, None)
    if not parks:
        return (began,)
    names = [name_of(park, size) for park in parks]
    return (LogLine("subdivision.parks", {"squares": names}, None), began)


def start_timer(state: SubdivisionState, at: Millis) -> SubdivisionState:
    """Starts the timer for a new turn, or removes it at the end of the game."""
    stage = state.stage
    if stage.turn is None:
        return replace(state, timer=None)
    kind, span = ("park", PARK_TIME) if stage.phase == "parks" else ("place", PLACE_TIME)
    window = WindowId(f"{kind}:{stage.number}")
    return replace(state, timer=time_control.timer(state.time_control, window, kind, (stage.turn,), span, at))


# --- turns ---


def set_park(state: SubdivisionState, seat: Seat, move: Park, at: Millis) -> Step[SubdivisionState]:
    """The seat sets a park; after the last one, the same order continues with pyramids (SUB-12)."""
    stage, board = state.stage, lay(state.board, move.square)
    parks_left = stage.parks_left - 1
    turn = Seat((seat + 1) % len(state.stash.left))
    after = replace(
        state,
        board=board,
        stage=replace(
            stage,
            phase="parks" if parks_left else "place",
            turn=turn,
            number=stage.number + 1,
            parks_left=parks_left,
        ),
    )
    line = LogLine("subdivision.park", {"seat": seat, "square": name_of(move.square, board.size)}, None)
    return Step(start_timer(after, at), (line,))


def place(state: SubdivisionState, seat: Seat, move: Place, at: Millis) -> Step[SubdivisionState]:
    """The seat places a pyramid. The next seat that can place one plays next, or the game ends."""
    pips, square, stashes = move.pips, move.square, state.stash.left
    ones, twos, threes = (count - (size == pips) for size, count in enumerate(stashes[seat], 1))
    after = replace(
        state,
        board=put(state.board, square, Piece(seat, pips)),
        stash=Stash(replace_at(stashes, seat, (ones, twos, threes))),
    )
    name = name_of(square, state.board.size)
    line = LogLine("subdivision.placed", {"seat": seat, "pips": pips, "square": name}, None)
    stage, lines = _next_stage(after, seat)
    stage = replace(stage, lead=_find_lead(after, square))
    return Step(start_timer(replace(after, stage=stage), at), (line, *lines))


def _find_lead(state: SubdivisionState, square: int) -> Lead:
    """Who leads after the pyramid on this square, and since when."""
    stashes, lead = state.stash.left, state.stage.lead
    seats = scoring.outcome(scoring.score(state.board, len(stashes), state.options)).winners
    if lead is not None and lead.seats == seats:
        return lead
    return Lead(seats, square, sum(map(sum, stashes)))


def _next_stage(state: SubdivisionState, last: Seat) -> tuple[Stage, tuple[LogLine, ...]]:
    """The stage after `last` has placed, with log lines for the seats that passed (SUB-1).

    A seat with nothing left to place is skipped without a log line.
    """
    seats, number = len(state.stash.left), state.stage.number + 1
    lines: list[LogLine] = []
    stuck: list[Seat] = []
    for seat in (Seat((last + step) % seats) for step in range(1, seats + 1)):
        stash = state.stash.left[seat]
        if not any(stash):
            continue
        has_fit = bool(placements(state.board, seat, stash))
        if has_fit or state.options.stuck == "anywhere":
            if not has_fit:
                lines.append(LogLine("subdivision.free", {"seat": seat}, None))
            stage = Stage("place", seat, number + len(stuck), 0, tuple(stuck), free=not has_fit)
            return stage, tuple(lines)
        stuck.append(seat)
        lines.append(LogLine("subdivision.passed", {"seat": seat}, None))
    if stuck:
        lines.append(STUCK)
    winners = scoring.outcome(scoring.score(state.board, seats, state.options)).winners
    lines.append(LogLine("subdivision.won", {"seats": [int(seat) for seat in winners]}, None))
    return Stage("end", None, number + len(stuck), 0, tuple(stuck)), tuple(lines)


def out_seats(state: SubdivisionState) -> frozenset[Seat]:
    """The seats with nothing left to place, or only 3s that fit nowhere: more pyramids leave them less room.

    Somebody with 1s is never out before the end, since other pyramids may make room for these. Whoever may
    place anywhere has a turn for every pyramid (SUB-1).
    """
    if state.stage.turn is None:
        return frozenset()
    return frozenset(Seat(seat) for seat, stash in enumerate(state.stash.left) if _is_out(state, seat, stash))


def _is_out(state: SubdivisionState, seat: int, stash: tuple[int, int, int]) -> bool:
    ones, twos, threes = stash
    if ones or twos:
        return False
    return not threes or (state.options.stuck == "pass" and not placements(state.board, seat, stash))


# --- moves that the rules make for a seat (GEN-7) ---


def auto_line(seat: Seat) -> LogLine:
    """The line that says that the rules played for the seat."""
    return LogLine("subdivision.auto", {"seat": seat}, None)


def default(state: SubdivisionState, seat: Seat, dice: Dice) -> Park | Place:
    """A random park; or a 2 next to as many of the seat's pieces as possible, else any placement (3b)."""
    board, label = state.board, f"auto:{state.stage.number}"
    if state.stage.phase == "parks":
        squares = empty(board)
        return Park(squares[dice.below(label, len(squares))])
    legal = placements(board, seat, state.stash.left[seat], state.stage.free)
    for pips, squares in legal:
        if pips == 2:
            counts = {square: _count_beside(board, seat, square) for square in squares}
            best = [square for square in squares if counts[square] == max(counts.values())]
            return Place(2, best[dice.below(label, len(best))])
    places: list[tuple[Pips, int]] = [(pips, square) for pips, squares in legal for square in squares]
    return Place(*places[dice.below(label, len(places))])


def _count_beside(board: Board, seat: Seat, square: int) -> int:
    """The number of the seat's pieces that are next to a square."""
    beside = (board.squares[neighbour] for neighbour in edge_neighbours(board.size)[square])
    return sum(piece is not None and piece.seat == seat for piece in beside)
