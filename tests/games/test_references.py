"""The reference versions of Subdivision and Takeover agree with the examples in the rulings (3f, 5f)."""

from __future__ import annotations

import random
from typing import NamedTuple

import pytest

from tests.games.subdivision.reference import (
    Pieces,
    reference_deduction,
    reference_groups,
    reference_legal,
    reference_near,
    reference_private_parks,
    reference_score,
)
from tests.games.takeover.reference import (
    Square,
    Stacks,
    reference_can_merge,
    reference_cash_out,
    reference_draft,
    reference_merge,
    reference_over,
    reference_scores,
)

COLOURS = "RBG"

SIX = "a1 f1 a6 f6 c3 d4"
SEVEN = "a1 a7 g1 g7"
FIVE = "a1 e1 a5 e5 b3 c3 d3"

T1 = """
## B3 B1 B2 R3 ##
R3 B2 R3 R2 R2 B3
R2 B3 R2 ## R3 B2
R1 R1 ## R1 R2 B1
R1 B1 B3 B2 B1 R3
## R1 B1 B2 B3 ##
"""
T1_MOVES = """
R3c5 B3b6 R2c4 B2f4 R2a4 B2d2 R3f2 B2d1 R2e5 B3e1 R3e4 B3f5 R2e3 B2b5 R3a5 B1f3 R3e6 B2d6 R2d5 B3b4
R1a3 B3c2 R1b1 B1e2 R1b3 B1c1 R1d3 B1b2 R1a2 B1c6
"""

T2 = """
## R3 G1 G1 G3 R3 ##
R1 G3 G2 B2 B3 R1 B3
R2 R2 G2 B1 B2 G1 G2
B1 G1 G2 R3 G3 R2 B2
R1 R1 R2 B3 B1 R1 B2
G3 B1 R3 G1 G3 R2 R3
## B2 G2 B3 B1 B3 ##
"""
T2_MOVES = """
R2c3 B2g3 G3e4 R2f2 B3d1 G2c5 R2f4 B1e3 G2c1 R1f3 B2e5 G3e7 R3f7 B2b1 G3b6 R3c2 B3g6 G2c6 R2a5 B3d3 G3a2
R3d4 B2g4 G2g5 R1f6 B2d6 G1d2 R1b3 B1e1 G1f5 R2b5 B1d5 G1b4 R3g2 B3f1 G3e2 R1a6 B3e6 G1d7 R1a3 B1a4 G2c4
R3b7 B1b2 G1c7
"""

T3 = """
## B2 B3 R3 B2 ##
R3 R1 R2 R1 R2 R3
B3 R2 B3 ## B2 B1
B1 R3 ## R1 R1 B1
B3 R2 R2 R1 B1 B1
## R3 B3 B2 B2 ##
"""
T3_MOVES = """
R2c5 B3c6 R2b4 B3c4 R3b3 B3a4 R3b1 B2e1 R3d6 B2e6 R2c2 B3c1 R1d5 B2d1 R2e5 B3a2 R3a5 B2b6 R2b2 B2e4
R3f5 B1f4 R1e3 B1f2 R1b5 B1a3 R1d2 B1e2 R1d3 B1f3
"""

T4 = """
## B3 R1 B3 ##
R3 R2 R1 R2 R3
R2 ## ## ## B1
R3 R1 B1 B2 B2
## B3 B1 B2 ##
"""
T4_MOVES = "R2a3 B2e2 R3e4 B3d5 R3a2 B3b5 R2d4 B2d2 R2b4 B2d1 R3a4 B3b1 R1b2 B1c1 R1c5 B1c2 R1c4 B1e3"

T5 = """
## R3 R2 B3 ##
B1 B2 B2 R2 ..
R3 ## ## ## B1
R1 B3 R2 R3 R1
## B1 R1 B2 ##
"""
T5_MOVES = """
R3d2 B3b2 R1a2 B2c4 R2c5 B2b4 R2d4 B2d1 R3a3 B1a4 R2c2 B3d5 R1c1 B1e3 R1e2 B1b1 R3b5
"""


class Example(NamedTuple):
    """A game from 3f: the final board, moves and parks, totals and groups per seat, and points off each 3."""

    picture: str
    moves: str
    parks: str
    totals: list[int]
    groups: list[int]
    deductions: str


GAMES = {
    "SUB-T1": Example(T1, T1_MOVES, SIX, [24, 23], [4, 3], "f2:1 e4:1 c2:3 b4:1"),
    "SUB-T2": Example(
        T2,
        T2_MOVES,
        SEVEN,
        [20, 17, 14],
        [6, 7, 6],
        "d4:1 b7:1 c2:2 e6:3 g6:1 d3:1 d1:1 e2:3 e4:3 a2:2 e7:1 b6:1",
    ),
    "SUB-T3": Example(T3, T3_MOVES, SIX, [29, 21], [1, 5], "c6:1 c4:2 a4:1"),
    "SUB-T4": Example(T4, T4_MOVES, FIVE, [17, 11], [1, 3], "d5:1 b5:1 b1:2"),
    "SUB-T5": Example(T5, T5_MOVES, FIVE, [11, 8], [4, 5], "d2:2 a3:1 b2:2"),
}


def at(size: int, name: str) -> int:
    """The number of the square with a name like "c5"."""
    return "abcdefgh".index(name[0]) + size * (int(name[1]) - 1)


def park_squares(size: int, names: str) -> set[int]:
    return {at(size, name) for name in names.split()}


def placed(size: int, text: str) -> Pieces:
    """The pieces in a string like "R3c5 B1d4": colour, pips, square."""
    return {at(size, move[2:]): (COLOURS.index(move[0]), int(move[1])) for move in text.split()}


def drawn(picture: str) -> tuple[int, set[int], Pieces]:
    """Size, parks and pieces of a board drawn with its highest row on top."""
    rows = [line.split() for line in reversed(picture.strip().splitlines())]
    size = len(rows)
    parks: set[int] = set()
    pieces: Pieces = {}
    for row, cells in enumerate(rows):
        assert len(cells) == size
        for column, cell in enumerate(cells):
            square = column + size * row
            if cell == "##":
                parks.add(square)
            elif cell != "..":
                pieces[square] = (COLOURS.index(cell[0]), int(cell[1]))
    return size, parks, pieces


def score(size: int, text: str, parks: str = "", ring: str = "group") -> list[int]:
    """Totals of two seats, with private parks when there are parks."""
    return reference_score(size, park_squares(size, parks), placed(size, text), 2, bool(parks), ring)


def legal(size: int, text: str, move: str) -> bool:
    """Returns whether a move like "R1c4" is legal with these pieces on the board."""
    seat = COLOURS.index(move[0])
    legal = reference_legal(size, set(), placed(size, text), seat, (1, 1, 1))
    return (int(move[1]), at(size, move[2:])) in legal


@pytest.mark.parametrize("name", GAMES)
def test_sub_t1_to_t5_printed_scores(name: str) -> None:
    game = GAMES[name]
    size, parks, pieces = drawn(game.picture)
    seats = len(game.totals)
    assert parks == park_squares(size, game.parks)
    assert pieces == placed(size, game.moves)
    assert reference_score(size, parks, pieces, seats, False, "group") == game.totals
    assert [len(reference_groups(size, pieces, seat)) for seat in range(seats)] == game.groups
    threes = [square for square, (_, pips) in pieces.items() if pips == 3]
    deductions = {square: reference_deduction(size, pieces, square) for square in threes}
    printed = {at(size, entry[:2]): int(entry[3:]) for entry in game.deductions.split()}
    assert {square: points for square, points in deductions.items() if points} == printed


@pytest.mark.parametrize("name", GAMES)
def test_sub_t1_to_t5_move_orders_are_legal(name: str) -> None:
    game = GAMES[name]
    size, parks, final = drawn(game.picture)
    seats = len(game.totals)
    number = 3 if size == 5 else 5
    left = [(number, number, number)] * seats
    pieces: Pieces = {}
    for turn, move in enumerate(game.moves.split()):
        seat, pips, square = COLOURS.index(move[0]), int(move[1]), at(size, move[2:])
        assert seat == turn % seats
        assert (pips, square) in reference_legal(size, parks, pieces, seat, left[seat]), move
        pieces[square] = (seat, pips)
        ones, twos, threes = left[seat]
        left[seat] = (ones - (pips == 1), twos - (pips == 2), threes - (pips == 3))
    assert pieces == final
    over = {"SUB-T5": [(0, 0, 0), (0, 0, 1)]}  # Blue's last 3 fits nowhere, so the game ends
    assert left == over.get(name, [(0, 0, 0)] * seats)
    legal = [reference_legal(size, parks, pieces, seat, left[seat]) for seat in range(seats)]
    assert legal == [set()] * seats


def test_sub_1_a_pass_is_temporary() -> None:
    before = placed(6, "R2a1 B2f6")
    assert reference_legal(6, set(), before, 1, (5, 0, 0)) == set()
    after = {**before, at(6, "a2"): (0, 3)}
    assert reference_legal(6, set(), after, 1, (5, 0, 0)) == {
        (1, at(6, name)) for name in ("a3", "b1", "b2", "b3")
    }


def test_sub_t7_the_empty_board() -> None:
    everywhere = {(pips, square) for pips in (2, 3) for square in range(36)}
    assert reference_legal(6, set(), {}, 0, (5, 5, 5)) == everywhere
    off_parks = {(pips, square) for pips, square in everywhere if square not in park_squares(6, SIX)}
    assert reference_legal(6, park_squares(6, SIX), {}, 1, (5, 5, 5)) == off_parks


def test_legal_needs_a_piece_left() -> None:
    assert reference_legal(6, set(), {}, 0, (5, 0, 0)) == set()
    assert {pips for pips, _ in reference_legal(6, set(), {}, 0, (5, 1, 0))} == {2}


@pytest.mark.parametrize(
    ("before", "move", "expected"),
    [
        ("R3c3", "R1c4", False),  # SUB-T8
        ("R3c3", "B1d4", True),
        ("R3c3", "B1f6", False),
        ("R3c3", "R3d4", False),
        ("R3c3", "B3c4", True),
        ("R3c3", "R3e3", True),
        ("B2c3", "R1c4", False),  # SUB-T9
        ("B1c3", "R1d4", True),
        ("B1c3", "B1d4", False),
        ("R1c3 R1c4", "R3d4", True),  # SUB-7: a 3 next to any 1s
    ],
)
def test_sub_t8_t9_what_is_near(before: str, move: str, expected: bool) -> None:
    assert legal(6, before, move) is expected


@pytest.mark.parametrize("size", [6, 7, 8])
def test_sub_t10_the_worth_of_threes(size: int) -> None:
    pieces = placed(size, "R3a2 R1a1 B3c2 R1c1 B1d1 R1d2 B1d3 R3f2 B1e3 R1f3")
    worth = [3 - reference_deduction(size, pieces, at(size, name)) for name in ("a2", "c2", "f2")]
    assert worth == [3, 0, 2]


def test_sub_t11_a_lone_three() -> None:
    ring = ["B1b2", "B1b3", "B1b4", "B1c2", "B1c4", "B1d2", "B1d3", "B1d4"]
    totals = [score(6, " ".join(["R3c3", *ring[:ones]]))[0] for ones in range(9)]
    assert totals == [2, 2, 1, 0, -1, -1, -1, -1, -1]


def test_sub_t12_diagonals_do_not_join() -> None:
    assert score(6, "R2b2 R2c3 R2d4") == [3, 0]
    assert score(6, "B3b2 R1b3") == [0, 2]  # a separate position: an isolated 1 is worth 0 (SUB-4)


@pytest.mark.parametrize(
    ("parks", "text", "by_group", "by_player"),
    [
        ("a1", "R2a2 R2b2 R3b1", [9, 0], [9, 0]),  # SUB-T13 (a)
        ("a1", "R2a2 R2b2 B3b1", [3, 2], [3, 2]),  # (b)
        ("c1", "R2b1 R1b2 R2c2 R3d2 R2d1", [12, 0], [12, 0]),  # (c)
        ("a2 b1", "R2a1 R2b2 R2b3 R2a3 R2c1 R2c2", [10, 0], [16, 0]),  # (d)
        ("a1 b1", "R2a2 R2b2 R2c2 R2c1", [13, 0], [13, 0]),  # SUB-T14
        ("a1", "R2a2 R2b2", [3, 0], [3, 0]),  # SUB-10: an empty square nearby
        ("a1 b1 a2 b2", "R2c1 R2c2 R2c3 R2b3 R2a3", [18, 0], [18, 0]),  # SUB-9: a1 has no ring; the others do
    ],
)
def test_sub_t13_t14_private_parks(parks: str, text: str, by_group: list[int], by_player: list[int]) -> None:
    for size in (5, 6):
        assert score(size, text, parks, "group") == by_group
        assert score(size, text, parks, "player") == by_player


@pytest.mark.parametrize("size", [5, 6, 7, 8])
def test_sub_9_the_ring_matters_only_where_parks_touch(size: int) -> None:
    for park in range(size * size):
        ring = reference_near(size, park)
        assert len(ring) in (3, 5, 8)
        pieces: Pieces = dict.fromkeys(ring, (0, 2))
        for park_ring in ("group", "player"):
            assert reference_private_parks(size, {park}, pieces, 0, park_ring) == {park}


def test_slow_subdivision_refuses_what_is_no_position() -> None:
    with pytest.raises(ValueError, match="on a park"):
        reference_score(6, {0}, {0: (0, 1)}, 2, False, "group")
    with pytest.raises(ValueError, match="off the board"):
        reference_legal(5, set(), {25: (0, 1)}, 0, (1, 1, 1))
    with pytest.raises(ValueError, match="no such piece"):
        reference_legal(5, set(), {0: (0, 4)}, 0, (1, 1, 1))
    with pytest.raises(ValueError, match="park_ring"):
        reference_score(6, set(), {}, 2, True, "ring")


def test_tko_t1_worth_of_a_stack() -> None:
    assert reference_scores({(2, 1): ["M1", "C4", "A5", "S2"]}, [["S2"], []], [[], ["M1"]]) == [5, 1]


def test_tko_t2_t3_direction_decides() -> None:
    stacks = {(0, 0): ["S3"], (1, 0): ["S5"]}
    assert reference_can_merge(stacks, (0, 0), (1, 0), [], 0) == (True, 0)
    after, covered, cost = reference_merge(stacks, (0, 0), (1, 0))
    assert (after, covered, cost) == ({(1, 0): ["S5", "S3"]}, "S5", 0)
    stocks, cash = reference_cash_out([["S5"], ["S3"]], [[], []], covered)
    assert (stocks, cash) == ([[], ["S3"]], [["S5"], []])
    assert reference_scores(after, stocks, cash) == [5, 4]
    after, covered, cost = reference_merge(stacks, (1, 0), (0, 0))
    assert (after, covered, cost) == ({(0, 0): ["S3", "S5"]}, "S3", 0)
    stocks, cash = reference_cash_out([["S5"], ["S3"]], [[], []], covered)
    assert (stocks, cash) == ([["S5"], []], [[], ["S3"]])
    assert reference_scores(after, stocks, cash) == [6, 3]
    assert stacks == {(0, 0): ["S3"], (1, 0): ["S5"]}


@pytest.mark.parametrize(
    ("pay", "payable"), [([3], 3), ([2, 1], 3), ([5], 3), ([2], None), ([], None), ([0, 2], None)]
)
def test_tko_t4_paying(pay: list[int], payable: int | None) -> None:
    stacks = {(3, 2): ["M4"], (3, 3): ["C3"]}
    assert reference_can_merge(stacks, (3, 2), (3, 3), pay, 0) == (True, payable)
    assert reference_over({(3, 2): ["M4"], (3, 3): ["C3"]}, pay, 0) is (payable is None)


def test_tko_t5_the_printed_value_is_paid() -> None:
    stacks = {(0, 0): ["S1", "A3", "M5", "C2"], (0, 1): ["C5", "M3"]}
    after, covered, cost = reference_merge(stacks, (0, 1), (0, 0))
    assert (covered, cost) == ("C2", 2)
    assert after == {(0, 0): ["S1", "A3", "M5", "C2", "C5", "M3"]}


def test_tko_t6_covering_a_null_is_free() -> None:
    stacks = {(0, 0): ["M1"], (0, 1): ["C0"]}
    assert reference_can_merge(stacks, (0, 0), (0, 1), [], 0) == (True, 0)
    _, covered, _ = reference_merge(stacks, (0, 0), (0, 1))
    assert reference_cash_out([["C0"]], [[]], covered) == ([[]], [["C0"]])


def test_tko_t7_special_merger() -> None:
    stacks = {(0, 1): ["A4"], (2, 1): ["S1"], (5, 1): ["A2"]}  # tiles in between do not matter (TKO-16)
    assert reference_can_merge(stacks, (0, 1), (5, 1), [], 1) == (True, 0)
    assert reference_can_merge(stacks, (0, 1), (5, 1), [], 0) == (False, 0)
    after, covered, cost = reference_merge(stacks, (0, 1), (5, 1))
    assert (after, covered, cost) == ({(2, 1): ["S1"], (5, 1): ["A2", "A4"]}, "A2", 0)


def test_tko_t8_special_merger_at_a_cost() -> None:
    stacks = {(0, 1): ["A4"], (5, 1): ["C3"]}
    assert reference_can_merge(stacks, (0, 1), (5, 1), [3], 1) == (True, 3)
    assert reference_can_merge(stacks, (0, 1), (5, 1), [2], 1) == (True, None)
    assert reference_can_merge(stacks, (0, 1), (5, 1), [3], 0) == (False, 3)  # a suit-up null does not count
    assert reference_can_merge({(0, 1): ["A4"], (1, 2): ["C3"]}, (0, 1), (1, 2), [3], 1) == (False, 3)


def test_tko_t9_t10_whose_stock_is_cashed_out() -> None:
    assert reference_cash_out([["M2"], []], [[], []], "S5") == ([["M2"], []], [[], []])  # spent: nobody's
    assert reference_cash_out([[], []], [[], ["S5"]], "S5") == ([[], []], [[], ["S5"]])  # already cash
    assert reference_cash_out([[], ["S5"]], [[], []], "S5") == ([[], []], [[], ["S5"]])  # its holder's


def test_tko_t11_only_the_covered_top_is_subsumed() -> None:
    stacks = {(1, 1): ["S1", "S2", "S3"], (1, 2): ["M4", "M5"]}
    after, covered, cost = reference_merge(stacks, (1, 1), (1, 2))
    assert (after, covered, cost) == ({(1, 2): ["M4", "M5", "S1", "S2", "S3"]}, "M5", 5)


@pytest.mark.parametrize(
    ("seats", "counts"),
    [
        (2, [12, 12]),
        (3, [8, 8, 8]),
        (4, [6, 6, 6, 6]),
        (5, [5, 5, 5, 5, 4]),
        (6, [4, 4, 4, 4, 4, 4]),
    ],
)
def test_tko_t13_draft(seats: int, counts: list[int]) -> None:
    order = reference_draft(seats)
    assert [order.count(seat) for seat in range(seats)] == counts
    if seats == 5:
        assert order[:11] == [0, 1, 2, 3, 4, 4, 3, 2, 1, 0, 0]
        assert order[-4:] == [0, 1, 2, 3]


@pytest.mark.parametrize("pair", [((0, 0), (0, 0)), ((0, 0), (1, 0)), ((1, 0), (0, 0))])
def test_tko_30_no_two_corporations(pair: tuple[Square, Square]) -> None:
    stacks = {(0, 0): ["S1"]}
    assert reference_can_merge(stacks, *pair, [5], 1) == (False, None)
    assert reference_over(stacks, [5], 1)
    with pytest.raises(ValueError, match="two corporations"):
        reference_merge(stacks, *pair)


def test_tko_17_the_game_is_over_if_nobody_can_merge() -> None:
    apart = {(0, 0): ["S5"], (2, 0): ["S1"], (5, 3): ["M0"]}  # a gap is not bridged (TKO-15)
    assert reference_over(apart, [5, 5, 5], 0)
    assert not reference_over(apart, [], 1)
    assert reference_over({(0, 0): ["S5"], (5, 3): ["M0"]}, [5], 4)
    beside = {(0, 0): ["S5"], (0, 1): ["M2"]}
    assert reference_over(beside, [1], 4)
    assert not reference_over(beside, [1, 1], 0)  # only by covering the M2


@pytest.mark.parametrize("seed", range(20))
def test_takeover_totals_hold_in_whole_games(seed: int) -> None:
    dice = random.Random(seed)
    names = [suit + str(value) for suit in "SMCA" for value in range(6)]
    tiles = dice.sample(names, 24)
    stacks: Stacks = {(place % 6, place // 6): [tile] for place, tile in enumerate(tiles)}
    stocks: list[list[str]] = [[], [], []]
    cash: list[list[str]] = [[], [], []]
    for coin in names:
        dice.choice([stocks, cash])[dice.randrange(3)].append(coin)
    assert sum(reference_scores(stacks, stocks, cash)) == 60  # 5d
    moves = 0
    while True:
        pool = [int(coin[1]) for coins in cash for coin in coins]
        nulls = pool.count(0)
        mergers = []
        for a in stacks:
            for b in stacks:
                reaches, payable = reference_can_merge(stacks, a, b, pool, nulls)
                if reaches and payable is not None:
                    mergers.append((a, b))
        assert reference_over(stacks, pool, nulls) is (not mergers)
        if not mergers:
            break
        a, b = dice.choice(mergers)
        special = abs(a[0] - b[0]) + abs(a[1] - b[1]) > 1
        stacks, covered, cost = reference_merge(stacks, a, b)
        for coins in cash:  # the pool pays with any coins until the cost is met
            for coin in list(coins):
                if special and coin[1] == "0":
                    coins.remove(coin)
                    special = False
                elif cost > 0 and coin[1] != "0":
                    coins.remove(coin)
                    cost -= int(coin[1])
        assert not special
        assert cost <= 0
        stocks, cash = reference_cash_out(stocks, cash, covered)
        moves += 1
        assert len(stacks) == 24 - moves
        assert sum(len(stack) for stack in stacks.values()) == 24
        reference_scores(stacks, stocks, cash)  # each stock is the top of a stack, or this raises
    assert moves > 0
