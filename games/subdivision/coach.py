"""Advice for beginners (`Game.coach`), from what everybody sees."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.api import Advice, Observation, Prompt
from games.kit.coaching import list_choices, numbers
from games.kit.observations import part
from games.subdivision.rules.board import all_neighbours, edge_neighbours, name_of, placements
from games.subdivision.rules.scoring import MAX_LOST
from games.subdivision.rules.values import Board, Score, Stash

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


def _placing(observation: Observation, board: Board, squares: dict[int, tuple[int, ...]]) -> Advice:
    """`squares` are those that each size may be placed on."""
    seat, score = observation.seat, part(observation, "score", Score)
    beside = edge_neighbours(board.size)
    group_at = {
        square: number
        for number, group in enumerate(score.groups)
        if group.seat == seat
        for square in group.squares
    }
    if not group_at:
        return Advice("place.first")
    open_squares = sorted(set().union(*squares.values()))
    joined = {
        square: len({group_at[near] for near in beside[square] if near in group_at})
        for square in open_squares
    }
    best = max(open_squares, key=lambda square: joined[square])
    if joined[best] > 1:
        name, count = name_of(best, board.size), joined[best]
        return Advice("place.join", {"square": name, "count": count, "saved": count - 1})
    harm = _find_crowding(observation, board, score, squares.get(1, ()))
    harm = harm or _find_blocking(observation, board, score, open_squares)
    if harm is not None:
        return harm
    room = squares.get(3, ())
    if 0 < len(room) <= FEW and _may_be_taken(observation, board, room):
        return Advice("place.hurry", {"count": len(room)})
    guarding = _find_guarding(observation, board, score, open_squares)
    if guarding is not None:
        return guarding
    if joined[best] == 1:
        biggest = max(pips for pips, of in squares.items() if any(joined[square] for square in of))
        beside_own = next(square for square in squares[biggest] if joined[square])
        return Advice("place.grow", {"square": name_of(beside_own, board.size), "pips": biggest})
    return Advice("place.apart")


def _find_crowding(
    observation: Observation, board: Board, score: Score, squares: Iterable[int]
) -> Advice | None:
    """Advice to place a 1 where it costs another seat the most points, and this seat none by crowding."""
    around, crowds = all_neighbours(board.size), {crowd.square: crowd for crowd in score.crowds}
    most = 0
    advice: Advice | None = None
    for square in squares:
        costly: dict[int, list[int]] = {}
        for near in around[square]:
            piece = board.squares[near]
            if piece is not None and near in crowds and crowds[near].lost < MAX_LOST:
                costly.setdefault(piece.seat, []).append(near)
        if not costly or observation.seat in costly:
            continue
        seat = max(costly, key=lambda seat: (len(costly[seat]), -seat))
        threes = costly[seat]
        if len(threes) > most:
            most, names = len(threes), [name_of(three, board.size) for three in sorted(threes)]
            advice = Advice(
                "place.crowd",
                {"square": name_of(square, board.size), "seat": seat, "squares": names, "count": most},
            )
    return advice


def _find_blocking(
    observation: Observation, board: Board, score: Score, squares: Sequence[int]
) -> Advice | None:
    """Advice to build where another seat could join the most of its groups."""
    beside, most = edge_neighbours(board.size), 1
    advice: Advice | None = None
    for square in squares:
        around = set(beside[square])
        for seat in range(observation.seats):
            groups = [group for group in score.groups if group.seat == seat]
            count = sum(not around.isdisjoint(group.squares) for group in groups)
            if seat != observation.seat and count > most:
                most, name = count, name_of(square, board.size)
                advice = Advice("place.block", {"square": name, "count": count, "seat": seat})
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
    observation: Observation, board: Board, score: Score, squares: Sequence[int]
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
