"""Subdivision's scores and legal placements against the reference version, in random positions."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache

import msgspec
import pytest
from msgspec.structs import replace

from games.api import Seat
from games.subdivision.rules import board as ground
from games.subdivision.rules.board import GROUNDS, all_neighbours
from games.subdivision.rules.values import Board, Piece, SubdivisionOptions
from tests.games.subdivision import reference
from tests.games.subdivision.positions import BY_PLAYER, PRIVATE, totals
from tests.games.subdivision.reference import reference_legal, reference_score


class Scene(msgspec.Struct, frozen=True):
    """A position, full or with gaps, that need not be reachable in play."""

    size: int
    seats: int
    parks: frozenset[int]
    pieces: Mapping[int, tuple[int, int]]


def scenes(count: int, chance: random.Random) -> Iterator[Scene]:
    """Random final positions; in every other one, each owner has one area, so that parks become private."""
    keys = list(GROUNDS)
    for index in range(count):
        key = keys[index % len(keys)]
        one, seats = GROUNDS[key], key[1]
        area = one.size * one.size
        parks = frozenset(
            patch(one.size, one.parks, chance) if index % 3 else chance.sample(range(area), one.parks)
        )
        squares = [square for square in range(area) if square not in parks]
        if index % 2:
            slant = chance.choice([(1, 3), (3, 1), (1, 1), (0, 1), (1, 0), (1, -1)])
            squares.sort(key=lambda square: slant[0] * (square % one.size) + slant[1] * (square // one.size))
            owners = sorted(list(range(seats)) * (3 * one.per_size))
        else:
            chance.shuffle(squares)
            owners = list(range(seats)) * (3 * one.per_size)
        sizes = chance.choices((1, 2, 3), (1, 1, 1), k=len(squares))
        pieces = dict(zip(squares, zip(owners, sizes, strict=True), strict=True))
        for gap in chance.sample(squares, chance.choice([0, 0, 1, 3, len(squares) // 2])):
            del pieces[gap]
        yield Scene(one.size, seats, parks, pieces)


def patch(size: int, count: int, chance: random.Random) -> set[int]:
    """A random set of `count` squares, most of them near each other."""
    squares: set[int] = set()
    while len(squares) < count:
        ways = [other for square in squares for other in all_neighbours(size)[square] if other not in squares]
        squares.add(chance.choice(ways) if ways and chance.random() < 0.7 else chance.randrange(size * size))
    return squares


def board_of(scene: Scene) -> Board:
    squares: list[Piece | None] = [None] * scene.size**2
    for square, (seat, pips) in scene.pieces.items():
        squares[square] = Piece(Seat(seat), pips)
    return Board(scene.size, tuple(sorted(scene.parks)), tuple(squares))


@pytest.fixture
def quicker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Caches which squares are near each other in the reference version."""
    for name in ("reference_near", "reference_neighbours"):
        monkeypatch.setattr(reference, name, lru_cache(None)(getattr(reference, name)))


@pytest.mark.usefixtures("quicker")
@pytest.mark.parametrize("count", [700, pytest.param(10_000, marks=pytest.mark.at_length)])
def test_scores_agree_with_the_reference(count: int) -> None:
    gardens: Counter[str] = Counter()
    for scene in scenes(count, random.Random(3)):
        board, shape = board_of(scene), (scene.size, set(scene.parks), dict(scene.pieces), scene.seats)
        plain = reference_score(*shape, False, "group")
        assert totals(board, SubdivisionOptions(), scene.seats) == plain, scene
        for options in (PRIVATE, BY_PLAYER):
            expected = reference_score(*shape, True, options.park_ring)
            assert totals(board, options, scene.seats) == expected, (scene, options.park_ring)
            gardens[options.park_ring] += expected != plain
    assert gardens["player"] > gardens["group"] > count / 10  # the comparison covers both options


@pytest.mark.usefixtures("quicker")
def test_legal_placements_agree_with_the_reference() -> None:
    chance = random.Random(5)
    for scene in scenes(2_000, chance):
        thinned = {square: piece for square, piece in scene.pieces.items() if chance.random() < 0.4}
        board = board_of(replace(scene, pieces=thinned))
        left = tuple(chance.choice([0, 1, 5]) for _ in range(3))
        seat = chance.randrange(scene.seats)
        placements = ground.placements(board, seat, left)  # type: ignore[arg-type]
        expected = reference_legal(scene.size, set(scene.parks), thinned, seat, left)  # type: ignore[arg-type]
        assert {(pips, square) for pips, squares in placements for square in squares} == expected, scene
