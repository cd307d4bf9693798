"""Advice for beginners (`Game.coach`), from what everybody sees."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from games.api import Advice, Argument, Observation, Prompt
from games.kit.coaching import list_choices, numbers
from games.kit.observations import part
from games.subdivision.rules import scoring
from games.subdivision.rules.board import all_neighbours, edge_neighbours, name_of, placements, put
from games.subdivision.rules.scoring import MAX_LOST
from games.subdivision.rules.values import Board, Piece, Score, Stash, SubdivisionOptions

FEW: int = 6
"""With this many squares left for a 3, it is time to place one."""


def advise(observation: Observation, prompt: Prompt) -> Advice | None:
    """Advice about placing a park or a pyramid."""
    board = part(observation, "board", Board)
    if list_choices(observation, prompt, "park"):
        return _placing_park(board)
    squares = {
        numbers(choice, "pips")[0]: numbers(choice, "square")
        for choice in list_choices(observation, prompt, "place")
    }
    return _placing(observation, board, squares) if squares else None


def _placing_park(board: Board) -> Advice:
    if board.private is not None:
        return Advice("park.private")
    if not board.parks:
        return Advice("park.first")
    return Advice("park.beside", {"square": name_of(board.parks[-1], board.size)})


class _Option(NamedTuple):
    """A placement: the change that it makes to the seat's own total, and how many of its groups it joins."""

    points: int
    joined: int
    pips: int
    square: int


def _placing(observation: Observation, board: Board, squares: dict[int, tuple[int, ...]]) -> Advice | None:
    """`squares` are those that each size may be placed on."""
    score = part(observation, "score", Score)
    if all(group.seat != observation.seat for group in score.groups):
        return Advice("place.first")
    options = _list_options(observation, board, score, squares)
    joining = [option for option in options if option.joined > 1]
    best = max(joining or options)
    if joining:
        count = {"count": best.joined, "saved": best.joined - 1}
        return Advice("place.join", {**_describe(board, best), **count})
    harm = _find_crowding(observation, board, score, options, best.points)
    harm = harm or _find_blocking(observation, board, score, options, best.points)
    if harm is not None:
        return harm
    room = squares.get(3, ())
    if 0 < len(room) <= FEW and _may_be_taken(observation, board, room):
        return Advice("place.hurry", {"count": len(room)})
    guarding = _find_guarding(observation, board, score, {option.square for option in options})
    if guarding is not None:
        return guarding
    if best.points < 1:
        return None
    if best.joined:
        return Advice("place.grow", _describe(board, best))
    if all(not option.joined for option in options):
        return Advice("place.apart")
    return Advice("place.start", _describe(board, best))


def _describe(board: Board, option: _Option) -> dict[str, Argument]:
    return {
        "square": name_of(option.square, board.size),
        "pips": option.pips,
        "points": option.points,
    }


def _list_options(
    observation: Observation, board: Board, score: Score, squares: dict[int, tuple[int, ...]]
) -> list[_Option]:
    """All placements, with the private parks that they would make."""
    seat, beside, around = observation.seat, edge_neighbours(board.size), all_neighbours(board.size)
    group_at = {
        square: number
        for number, group in enumerate(score.groups)
        if group.seat == seat
        for square in group.squares
    }
    ones = {crowd.square: crowd.ones for crowd in score.crowds}
    options = []
    for pips, fitting in squares.items():
        for square in fitting:
            joined = len({group_at[near] for near in beside[square] if near in group_at})
            lost = 0
            if pips == 3:
                lost = min(MAX_LOST, max(0, _count_ones(board, around[square]) - 1))
            elif pips == 1:
                lost = sum(near in group_at and 1 <= ones.get(near, 0) <= MAX_LOST for near in around[square])
            points = pips - 1 + joined - lost + _count_gardens(board, score, Piece(seat, pips), square)
            options.append(_Option(points, joined, pips, square))
    return options


def _count_ones(board: Board, squares: Iterable[int]) -> int:
    pieces = (board.squares[square] for square in squares)
    return sum(piece is not None and piece.pips == 1 for piece in pieces)


def _count_gardens(board: Board, score: Score, piece: Piece, square: int) -> int:
    """The points for private parks that the piece would bring its seat."""
    if board.private is None or not set(board.parks) & set(all_neighbours(board.size)[square]):
        return 0
    options = SubdivisionOptions(private_parks=True, park_ring=board.private)
    after = scoring.score(put(board, square, piece), len(score.totals), options)
    return after.totals[piece.seat].gardens - score.totals[piece.seat].gardens


def _find_crowding(
    observation: Observation, board: Board, score: Score, options: Iterable[_Option], most: int
) -> Advice | None:
    """Advice to place a 1 that costs another seat points, and this seat none by crowding.

    What it brings and what it costs are together at least as much as the `most` that a placement brings.
    """
    around, crowds = all_neighbours(board.size), {crowd.square: crowd for crowd in score.crowds}
    best: tuple[int, int] = (most, 0)
    advice: Advice | None = None
    for option in options:
        costly: dict[int, list[int]] = {}
        for near in around[option.square] if option.pips == 1 else ():
            piece = board.squares[near]
            if piece is not None and near in crowds and crowds[near].lost < MAX_LOST:
                costly.setdefault(piece.seat, []).append(near)
        if not costly or observation.seat in costly:
            continue
        seat = max(costly, key=lambda seat: (len(costly[seat]), -seat))
        threes = costly[seat]
        if (option.points + len(threes), len(threes)) > best:
            best, names = (option.points + len(threes), len(threes)), sorted(threes)
            whom: dict[str, Argument] = {
                "seat": seat,
                "squares": [name_of(three, board.size) for three in names],
            }
            advice = Advice("place.crowd", {**_describe(board, option), **whom, "count": len(threes)})
    return advice


def _find_blocking(
    observation: Observation, board: Board, score: Score, options: Iterable[_Option], most: int
) -> Advice | None:
    """Advice to build where another seat could join the most of its groups, if that is worth as much."""
    beside = edge_neighbours(board.size)
    best = (most, 0)
    advice: Advice | None = None
    for option in options:
        around = set(beside[option.square])
        for seat in range(observation.seats):
            groups = [group for group in score.groups if group.seat == seat]
            count = sum(not around.isdisjoint(group.squares) for group in groups)
            worth = (option.points + count - 1, count)
            if seat != observation.seat and count > 1 and worth > best:
                best = worth
                advice = Advice("place.block", {**_describe(board, option), "count": count, "seat": seat})
    return advice


def _may_be_taken(observation: Observation, board: Board, squares: Iterable[int]) -> bool:
    """Whether another seat has a pyramid that fits on one of these squares."""
    stashes = part(observation, "stash", Stash).left
    return any(
        seat != observation.seat and not set(squares).isdisjoint(fitting)
        for seat, stash in enumerate(stashes)
        for _, fitting in placements(board, seat, stash)
    )


def _find_guarding(
    observation: Observation, board: Board, score: Score, squares: Collection[int]
) -> Advice | None:
    """Advice about a 3 of this seat that the next 1 costs a point, with a square near it to build on."""
    around = all_neighbours(board.size)
    for crowd in score.crowds:
        piece = board.squares[crowd.square]
        if piece is None or piece.seat != observation.seat or crowd.lost >= MAX_LOST:
            continue
        if not set(around[crowd.square]).isdisjoint(squares):
            return Advice("place.guard", {"square": name_of(crowd.square, board.size)})
    return None
