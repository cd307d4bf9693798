"""What may be promised in Subdivision: to build on a square, to keep off one, or to spare somebody (R30).

A promise for several turns ends when its seat has placed as many pyramids: everybody can count them, and
passing does not use one up. The clock's move counts as the seat's own. Nobody may pass at will, so a promise
lapses if every legal placement would break it. A reply made on its seat's own turn outlasts that turn: before
the seat has placed its pyramid, nobody else can build.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from msgspec.structs import replace

from games.api import (
    Choice,
    Judgement,
    OneOf,
    Promise,
    PromiseEvent,
    PromiseRules,
    PublicView,
    Range,
    Refusal,
    Seat,
)
from games.kit.promises import RULING, TO, section
from games.subdivision.rules.board import (
    all_neighbours,
    edge_neighbours,
    empty,
    name_of,
    placements,
    square_at,
)
from games.subdivision.rules.values import Board, Piece, Score, Stage, Stash

MAX_TURNS: Final = 3
"""The number of its own turns for which a seat may promise something."""
TURNS: Final = "turns"
LEFT: Final = "left"
"""The terms for how long a promise lasts, and for how many pyramids its seat has left when it ends."""


class _Placement(NamedTuple):
    """A pyramid that has just been placed, and the public sections before it."""

    board: Board
    stage: Stage
    stash: Stash
    piece: Piece
    square: int
    left: int
    """How many pyramids its seat has left after it."""


class SubdivisionPromises(PromiseRules):
    """`leave_square`: not to build on a square, so that somebody else can.

    `avoid_crowding`: not to place a 1 near the other's 3s; `avoid_block`: not to build beside the other's
    pyramids. Like the first, both hold for `turns` turns. `build_at`: the next pyramid goes on this square.
    `reply`: if the other builds on `square` first, the next pyramid goes on `reply`.
    """

    kinds = ("leave_square", "avoid_crowding", "avoid_block", "build_at", "reply")

    def choices(self, view: PublicView, seat: Seat) -> tuple[Choice, ...]:
        stage, board, stash = _read(view)
        left, total = stash.left[seat], sum(stash.left[seat])
        free = tuple(name_of(square, board.size) for square in empty(board))
        if stage.phase == "end" or not total or not free:
            return ()
        squares, turns = OneOf(free), Range(1, min(MAX_TURNS, total))
        other = OneOf(tuple(rival for rival in range(len(stash.left)) if rival != seat))
        offered = {
            "leave_square": Choice("leave_square", {"square": squares, TURNS: turns}),
            "avoid_crowding": Choice("avoid_crowding", {TO: other, TURNS: turns}),
            "avoid_block": Choice("avoid_block", {TO: other, TURNS: turns}),
            "build_at": Choice("build_at", {"square": squares}),
            "reply": Choice("reply", {TO: other, "square": squares, "reply": squares}),
        }
        if not left[0]:
            del offered["avoid_crowding"]
        if len(free) == 1 or total <= _is_placing(stage, seat):
            del offered["reply"]
        return tuple(offered[kind] for kind in self.kinds if kind in offered)

    def complete(self, promise: Promise, view: PublicView) -> Promise:
        """Adds how many pyramids its seat has left when its turns are over, or when it has replied."""
        if promise.kind == "reply":
            turns = 1 + _is_placing(section(view, "stage", Stage), promise.by)
        elif TURNS in promise.terms:
            turns = int(promise.terms[TURNS])
        else:
            return promise
        left = sum(section(view, "stash", Stash).left[promise.by]) - turns
        return replace(promise, terms={**promise.terms, LEFT: left})

    def judge(self, promise: Promise, event: PromiseEvent) -> Judgement | None:
        """Decided by the seat's placements, or once a square it is about is no longer free."""
        placed = _find_placement(event)
        if placed is None:
            board = section(event.after, "board", Board)
            squares = {
                _at(promise.terms[name], board) for name in ("square", "reply") if name in promise.terms
            }
            return "lapsed" if squares & set(board.parks) else None
        match promise.kind:
            case "leave_square":
                return _judge_leaving(promise, placed)
            case "avoid_crowding" | "avoid_block":
                return _judge_sparing(promise, placed)
            case "build_at":
                return _judge_building(promise, placed, promise.terms["square"])
            case "reply":
                return _judge_reply(promise, placed)
            case _:
                raise ValueError(f"no such promise: {promise.kind}")

    def refuse(self, promise: Promise, private: PublicView) -> Refusal | None:
        """A reply goes on another square than what it replies to, which is taken by then."""
        if promise.kind == "reply" and promise.terms["reply"] == promise.terms["square"]:
            return Refusal("NO_SUCH_PROMISE", RULING)
        return None

    def contradicts(self, promise: Promise, other: Promise, view: PublicView) -> bool:
        return _excludes(promise, other, view) or _excludes(other, promise, view)

    def standing(self, view: PublicView) -> tuple[int, ...]:
        """The totals."""
        return tuple(total.total for total in section(view, "score", Score).totals)


def _excludes(one: Promise, other: Promise, view: PublicView) -> bool:
    """Whether the pyramid that keeps the first promise breaks the second, wherever others build."""
    match one.kind, other.kind:
        case "build_at", "build_at":
            return one.terms["square"] != other.terms["square"]
        case "build_at", "leave_square":
            return one.terms["square"] == other.terms["square"]
        case "build_at", "avoid_block" | "avoid_crowding":
            _, board, stash = _read(view)
            square = _at(one.terms["square"], board)
            sizes = [pips for pips, left in enumerate(stash.left[one.by], 1) if left]
            return all(_harms(other, board, pips, square) for pips in sizes)
        case "reply", "reply":
            is_same_case = (one.to, one.terms["square"]) == (other.to, other.terms["square"])
            return is_same_case and one.terms["reply"] != other.terms["reply"]
        case _:
            return False


def _is_placing(stage: Stage, seat: Seat) -> bool:
    """Whether it is the seat's turn to place a pyramid."""
    return stage.phase == "place" and stage.turn == seat


def _read(view: PublicView) -> tuple[Stage, Board, Stash]:
    return section(view, "stage", Stage), section(view, "board", Board), section(view, "stash", Stash)


def _at(name: int | str, board: Board) -> int:
    square = square_at(str(name), board.size)
    assert square is not None
    return square


def _find_placement(event: PromiseEvent) -> _Placement | None:
    """The placement that the event is, if it is one."""
    stage, board, stash = _read(event.before)
    _, board_after, stash_after = _read(event.after)
    square = board_after.last
    if square is None or square == board.last:
        return None
    piece = board_after.squares[square]
    assert piece is not None
    return _Placement(board, stage, stash, piece, square, sum(stash_after.left[piece.seat]))


def _ends(promise: Promise, placed: _Placement) -> Judgement | None:
    """Kept if the seat has now placed as many pyramids as it promised to place elsewhere."""
    return "kept" if placed.left <= int(promise.terms[LEFT]) else None


def _judge_leaving(promise: Promise, placed: _Placement) -> Judgement | None:
    """Somebody to whom the square was left has it: kept. If a third seat took it, there was no use in it."""
    is_there = placed.square == _at(promise.terms["square"], placed.board)
    if placed.piece.seat == promise.by:
        if not is_there:
            return _ends(promise, placed)
        return "lapsed" if all(square == placed.square for _, square in _list_legal(placed)) else "broken"
    if not is_there:
        return None
    return "kept" if not promise.to or placed.piece.seat in promise.to else "lapsed"


def _judge_sparing(promise: Promise, placed: _Placement) -> Judgement | None:
    if placed.piece.seat != promise.by:
        return None
    if not _harms(promise, placed.board, placed.piece.pips, placed.square):
        return _ends(promise, placed)
    is_forced = all(_harms(promise, placed.board, pips, square) for pips, square in _list_legal(placed))
    return "lapsed" if is_forced else "broken"


def _harms(promise: Promise, board: Board, pips: int, square: int) -> bool:
    """Whether a pyramid of this size on this square does not spare those to whom it was promised."""
    crowding = promise.kind == "avoid_crowding"
    if crowding and pips != 1:
        return False
    around = (all_neighbours if crowding else edge_neighbours)(board.size)[square]
    return any(
        piece is not None and piece.seat in promise.to and (not crowding or piece.pips == 3)
        for piece in (board.squares[neighbour] for neighbour in around)
    )


def _list_legal(placed: _Placement) -> Iterator[tuple[int, int]]:
    """What its seat could have placed instead, as a size and a square."""
    seat = placed.piece.seat
    for pips, squares in placements(placed.board, seat, placed.stash.left[seat], placed.stage.free):
        for square in squares:
            yield pips, square


def _judge_building(promise: Promise, placed: _Placement, name: int | str) -> Judgement | None:
    """Lapsed if the square is taken, or no pyramid of the seat fitted there."""
    wanted = _at(name, placed.board)
    if placed.piece.seat != promise.by:
        return "lapsed" if placed.square == wanted else None
    if placed.square == wanted:
        return "kept"
    return "broken" if any(square == wanted for _, square in _list_legal(placed)) else "lapsed"


def _judge_reply(promise: Promise, placed: _Placement) -> Judgement | None:
    """Open while the reply is still free and nobody but the one it warns has built on the square.

    One that version 1 of the rules has stored does not say when it ends: with its seat's next pyramid.
    """
    board = placed.board
    square, reply = _at(promise.terms["square"], board), _at(promise.terms["reply"], board)
    builder = board.squares[square]
    if builder is not None and builder.seat in promise.to:
        return _judge_building(promise, placed, promise.terms["reply"])
    if placed.piece.seat == promise.by and placed.left <= int(promise.terms.get(LEFT, placed.left)):
        return "lapsed"  # the other has not built there before this turn
    if placed.square == square and placed.piece.seat in promise.to:
        return None if reply != square else "lapsed"
    return "lapsed" if placed.square in (square, reply) else None
