"""Positions of Subdivision written as text, and tables that are put into them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from games.api import Seat
from games.subdivision.rules import board as ground
from games.subdivision.rules import scoring
from games.subdivision.rules.board import pattern, square_at
from games.subdivision.rules.game import SUBDIVISION
from games.subdivision.rules.values import Board, Piece, Stash, SubdivisionOptions

VECTORS = json.loads((Path(__file__).parent.parent / "vectors.json").read_text())["subdivision"]
COLOURS = "RBGY"
PRIVATE = SubdivisionOptions(private_parks=True)
BY_PLAYER = SubdivisionOptions(private_parks=True, park_ring="player")

TableOf = Callable[..., Any]


def at(name: str, size: int = 6) -> int:
    square = square_at(name, size)
    assert square is not None
    return square


def built(pieces: str, parks: str = "", size: int = 6) -> Board:
    """A board with these pieces, such as R3c5: colour, pips, square."""
    parks_pattern = pattern(parks, size)
    assert parks_pattern is not None
    board = ground.empty_board(size, parks_pattern)
    for word in pieces.split():
        board = ground.put(board, at(word[2:], size), Piece(Seat(COLOURS.index(word[0])), int(word[1])))
    return board


def totals(board: Board, options: SubdivisionOptions = PRIVATE, seats: int = 2) -> list[int]:
    return [total.total for total in scoring.score(board, seats, options).totals]


def picture(board: Board) -> list[str]:
    """The board as the examples draw it, the highest row on top; R is seat 0."""
    size = board.size

    def cell(square: int) -> str:
        piece = board.squares[square]
        if piece is None:
            return "##" if square in board.parks else ".."
        return f"{COLOURS[piece.seat]}{piece.pips}"

    rows = reversed(range(size))
    return [" ".join(cell(column + size * row) for column in range(size)) for row in rows]


def place(table: Any, seat: int, pips: int, name: str) -> None:
    table.do(seat, "place", "place", pips=pips, square=at(name, table.public("board").size))


def turn(table: Any) -> int:
    turn = table.public("stage").turn
    assert turn is not None
    return int(turn)


def set_up(table: Any, pieces: str, stash: list[tuple[int, int, int]], start: int = 0) -> None:
    """Puts the table in the middle of a game, with these pieces, this stash, and this seat's turn."""
    state = table.state
    board = built(pieces, size=state.board.size)
    assert not any(board.squares[park] for park in state.board.parks)
    timer = replace(state.timer, concerns=(Seat(start),))
    table.state = replace(
        state,
        board=replace(board, parks=state.board.parks),
        stash=Stash(tuple(stash)),
        stage=replace(state.stage, turn=Seat(start)),
        timer=timer,
    )


def rotated(table: Any, colours: int) -> Callable[[str], int]:
    """A function from a colour to its seat; R begins."""
    start = turn(table)
    return lambda colour: (start + COLOURS.index(colour)) % colours


def dead_end(table: TableOf, **options: Any) -> tuple[Any, int]:
    """SUB-T5 up to its last placement, and Blue's seat."""
    vector = VECTORS[4]
    played = table(SUBDIVISION, 2, set="threeHouse", **options)
    seat_of = rotated(played, 2)
    for move in vector["moves"][:-2]:
        place(played, seat_of(move[0]), int(move[1]), move[2:])
    return played, seat_of("B")
