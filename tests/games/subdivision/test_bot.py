"""The Subdivision bot: legal, deterministic, sensible, and stronger with each level (3g)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import msgspec
import pytest
from msgspec.structs import replace

from games.api import Millis, Observation, Outcome, PromptId, Seat, TalkPolicy
from games.dice import Dice
from games.kit.characters import BY_KEY, unnamed
from games.subdivision.bot.bot import BOT
from games.subdivision.bot.features import Features, find_room, penalty, read_position, to_mask
from games.subdivision.bot.forecast import count_stranded, expect_penalties
from games.subdivision.rules.board import name_of, square_at
from games.subdivision.rules.game import SUBDIVISION as GAME
from games.subdivision.rules.scoring import score
from games.subdivision.rules.values import (
    Park,
    Piece,
    Place,
    Stage,
    Stash,
    SubdivisionOptions,
    SubdivisionState,
)
from games.testing import random_play
from games.testing.conformance import list_cases
from tests.games.selfplay import answer_of, win_share

FULL = SubdivisionOptions(timers="off")
PRIVATE = SubdivisionOptions(timers="off", private_parks=True)
JUDGING = ("normal", "hard")
"""The levels that do not misjudge on purpose."""


# --- whole tables and their results ---

Answer = tuple[PromptId, Any]
Player = Callable[[SubdivisionState, Seat, Dice], Answer]


def of_level(level: str) -> Player:
    def play(state: SubdivisionState, seat: Seat, dice: Dice) -> Answer:
        decision = BOT.decide(
            random_play.observation(GAME, state, seat, len(state.stash.left)), unnamed(level), dice
        )
        return answer_of(decision)

    return play


def play_randomly(state: SubdivisionState, seat: Seat, dice: Dice) -> Answer:
    sample = GAME.sample(state, seat, dice)
    assert sample is not None
    return sample


def whole_table(players: Sequence[Player], seed: bytes, options: SubdivisionOptions = FULL) -> Any:
    """The final state of a game with one of these players in each seat; no time passes."""
    dice, thoughts = Dice(seed), Dice(seed + b" thoughts")
    state = GAME.setup(len(players), options, Millis(0), dice).state
    while state.stage.turn is not None:
        seat = state.stage.turn
        prompt, move = players[seat](state, seat, thoughts)
        state = GAME.apply(state, seat, prompt, move, Millis(0), dice).state
    return state


def winners(players: Sequence[Player], number: int) -> tuple[Seat, ...]:
    outcome = GAME.prompts(whole_table(players, b"table %d" % number))
    assert isinstance(outcome, Outcome)
    return outcome.winners


class SelfPlayResult(NamedTuple):
    """A level against itself: a seat's mean total, and the share of games with pieces left over."""

    total: float
    left_over: float


def play_alone(player: Player, seats: int, tables: int, options: SubdivisionOptions = FULL) -> SelfPlayResult:
    total, left_over = 0.0, 0
    for number in range(tables):
        state = whole_table([player] * seats, b"alone %d" % number, options)
        total += sum(one.total for one in score(state.board, seats, options).totals) / seats
        left_over += any(any(left) for left in state.stash.left)
    return SelfPlayResult(total / tables, left_over / tables)


# --- positions set up by hand ---


def position_of(
    rows: str, left: Sequence[tuple[int, int, int]], turn: int = 0, options: SubdivisionOptions = FULL
) -> SubdivisionState:
    """The position in a diagram: R and B with pips are seats 0 and 1, ## is a park, .. is empty."""
    lines = [line.split() for line in reversed(rows.strip().splitlines())]
    cells = [cell for line in lines for cell in line]
    squares = tuple(
        None if cell in ("##", "..") else Piece(Seat("RB".index(cell[0])), int(cell[1])) for cell in cells
    )
    parks = tuple(square for square, cell in enumerate(cells) if cell == "##")
    start = GAME.setup(2, options, Millis(0), Dice(b"hand")).state
    return replace(
        start,
        board=replace(start.board, size=len(lines), parks=parks, squares=squares),
        stage=Stage("place", Seat(turn), 10, 0, ()),
        stash=Stash(tuple(left)),
    )


def observe(state: SubdivisionState) -> Observation:
    """The observation of the seat to move."""
    assert state.stage.turn is not None
    return random_play.observation(GAME, state, state.stage.turn, len(state.stash.left))


def answers(state: SubdivisionState, level: str, streams: int = 20) -> set[tuple[int, str]]:
    """Every placement the bot chooses in this state with different dice: pips and the name of the square."""
    placements = set()
    for stream in range(streams):
        decision = BOT.decide(observe(state), unnamed(level), Dice(b"stream %d" % stream))
        assert decision is not None
        assert isinstance(decision.move, Place)
        size = state.board.size
        placements.add((int(decision.move.pips), name_of(decision.move.square, size)))
    return placements


# --- legal ---


def test_3g_all_levels_answer_legally_in_random_positions() -> None:
    free = parks = 0
    for case in list_cases(GAME, 16):
        options = msgspec.convert(case.options, SubdivisionOptions)
        for moment, step in enumerate(random_play.play(GAME, case.seats, options, case.seed, case.style, 70)):
            state = step.state
            if state.stage.turn is None:
                continue
            observation = random_play.observation(GAME, state, state.stage.turn, case.seats)
            decision = BOT.decide(observation, unnamed(BOT.levels[moment % 3]), Dice(b"%d" % moment))
            assert decision is not None
            assert GAME.check(state, observation.seat, *answer_of(decision), step.event.at) is None
            free += state.stage.free
            parks += isinstance(decision.move, Park)
    assert free
    assert parks


@pytest.mark.parametrize("level", BOT.levels)
def test_the_same_dice_give_the_same_answer(level: str) -> None:
    state = whole_table_until(14)
    observation = random_play.observation(GAME, state, state.stage.turn, 3)
    first = [BOT.decide(observation, unnamed(level), Dice(b"%d" % stream)) for stream in range(10)]
    assert first == [BOT.decide(observation, unnamed(level), Dice(b"%d" % stream)) for stream in range(10)]


def whole_table_until(number: int) -> Any:
    """A position with three seats after this many random placements."""
    dice = Dice(b"until")
    state = GAME.setup(3, FULL, Millis(0), dice).state
    for _ in range(number):
        prompt, move = play_randomly(state, state.stage.turn or Seat(0), dice)
        state = GAME.apply(state, state.stage.turn or Seat(0), prompt, move, Millis(0), dice).state
    return state


def test_a_seat_without_a_prompt_waits() -> None:
    state = GAME.setup(2, FULL, Millis(0), Dice(b"wait")).state
    assert state.stage.turn is not None
    other = Seat(1 - state.stage.turn)
    assert all(
        BOT.decide(random_play.observation(GAME, state, other, 2), unnamed(level), Dice(b"")) is None
        for level in BOT.levels
    )


def test_an_unknown_level_is_an_error() -> None:
    state = GAME.setup(2, FULL, Millis(0), Dice(b"level")).state
    with pytest.raises(KeyError):
        BOT.decide(random_play.observation(GAME, state, Seat(0), 2), unnamed("godlike"), Dice(b""))


def test_it_says_nothing_where_nobody_may_talk_or_would_hear_it() -> None:
    observation = observe(whole_hand())
    streams = [Dice(b"%d" % stream) for stream in range(40)]
    for quiet in (
        msgspec.structs.replace(observation, talk_policy=TalkPolicy("closed")),
        msgspec.structs.replace(observation, may_speak=False),
    ):
        decisions = [BOT.decide(quiet, BY_KEY["tavi"], dice) for dice in streams]
        assert all(decision is not None and decision.remark is None for decision in decisions)
    heard = [BOT.decide(observation, BY_KEY["tavi"], dice) for dice in streams]
    assert any(decision is not None and decision.remark is not None for decision in heard)


# --- sensible ---


def whole_hand() -> SubdivisionState:
    """A position in which Red has one 2 left and can join three groups on c3."""
    return position_of(
        """
        .. .. .. .. .. ##
        .. B2 .. .. B2 ..
        .. .. R2 .. .. ..
        .. R2 .. R2 .. ..
        .. .. .. .. .. ..
        ## .. .. .. .. ..
        """,
        [(0, 1, 0), (0, 2, 0)],
    )


@pytest.mark.parametrize("level", JUDGING)
def test_sub_4_it_joins_its_groups(level: str) -> None:
    assert answers(whole_hand(), level) == {(2, "c3")}


@pytest.mark.parametrize("level", JUDGING)
def test_3g_it_does_not_strand_its_last_3(level: str) -> None:
    """Only e2 is far enough from Red's other 3s, and Blue is likely to take it; 2s fit anywhere."""
    state = position_of(
        """
        R3 .. B2 R2 B2
        .. .. B2 R2 B2
        R2 B2 R2 B2 R2
        .. .. B2 R2 ..
        R3 .. B2 R2 B2
        """,
        [(0, 2, 1), (0, 4, 0)],
    )
    assert answers(state, level) == {(3, "e2")}


@pytest.mark.parametrize("level", JUDGING)
def test_sub_6_it_does_not_crowd_its_own_3(level: str) -> None:
    """The surroundings of c2 and c5 differ only in that one of Red's two pieces is a 3."""
    state = position_of(
        """
        .. .. .. .. .. ..
        .. R2 B1 .. .. ..
        .. .. .. .. .. ..
        .. .. .. .. .. ..
        .. R3 B1 .. .. ..
        .. .. .. .. .. ..
        """,
        [(2, 0, 0), (0, 2, 0)],
    )
    placements = answers(state, level)
    assert placements <= {(1, "b6"), (1, "b4")}


@pytest.mark.parametrize("level", JUDGING)
def test_sub_6_it_crowds_an_opponents_3(level: str) -> None:
    """A red 1 near e2 costs Blue a point; b5 has no 1 near it yet, so the first one costs nothing."""
    state = position_of(
        """
        .. .. .. .. .. ..
        .. B3 .. .. .. ..
        .. .. .. .. .. ..
        .. .. .. .. .. ..
        .. .. .. .. B3 ..
        .. .. .. .. B1 ..
        """,
        [(1, 0, 0), (0, 1, 0)],
    )
    assert {name for _, name in answers(state, level)} <= {"d1", "d2", "d3", "e3", "f1", "f2", "f3"}


@pytest.mark.parametrize("level", JUDGING)
def test_sub_9_it_surrounds_a_park_for_the_bonus(level: str) -> None:
    """Private parks are on, and b2 completes the ring around Red's park."""
    state = position_of(
        """
        .. .. .. .. B2 ##
        .. .. .. .. B2 B2
        .. .. .. .. .. ..
        R2 .. .. .. .. ..
        R2 .. .. .. .. ..
        ## R2 R2 .. .. ..
        """,
        [(0, 1, 0), (0, 1, 0)],
        options=PRIVATE,
    )
    assert answers(state, level) == {(2, "b2")}


def test_sub_9_the_board_says_whether_private_parks_are_on() -> None:
    for options, worth in ((PRIVATE, 3), (FULL, 0)):
        state = GAME.setup(2, options, Millis(0), Dice(b"parks")).state
        assert read_position(0, state.board, state.stash, score(state.board, 2, options)).garden == worth


def test_all_levels_but_easy_keep_parks_apart() -> None:
    options = SubdivisionOptions(timers="off", parks="parkPlacement")
    touching = {}
    for level in BOT.levels:
        boards = [park_board(of_level(level), number, options) for number in range(12)]
        touching[level] = sum(
            Features(read_position(0, *parts)).near[a] >> b & 1
            for parts in boards
            for a in parts[0].parks
            for b in parts[0].parks
        )
    assert touching["normal"] == touching["hard"] == 0 < touching["easy"]


def park_board(player: Player, number: int, options: SubdivisionOptions) -> Any:
    """The board, stash and score after the last park has been placed."""
    dice = Dice(b"parks %d" % number)
    state = GAME.setup(4, options, Millis(0), dice).state
    while state.stage.phase == "parks":
        assert state.stage.turn is not None
        prompt, move = player(state, state.stage.turn, dice)
        state = GAME.apply(state, state.stage.turn, prompt, move, Millis(0), dice).state
    return state.board, state.stash, score(state.board, 4, options)


# --- evaluation ---


@pytest.mark.parametrize("options", [FULL, PRIVATE], ids=["plain", "private parks"])
def test_3d_the_features_change_totals_as_the_rules_do(options: SubdivisionOptions) -> None:
    joins = tried = 0
    for number in range(6):
        seats = 2 + number % 3
        positions = random_play.play(GAME, seats, options, b"survey %d" % number, random_play.STYLES[0], 80)
        for step in list(positions)[number::7]:
            state, seat = step.state, step.state.stage.turn
            if seat is None:
                continue
            before = score(state.board, seats, options)
            position = read_position(seat, state.board, state.stash, before)
            features = Features(position._replace(garden=3 if options.private_parks else 0))
            for move in placements_of(state, seat):
                after = GAME.preview(state, seat, move)
                assert after is not None
                totals: Any = after.data
                gained = [
                    new.total - old.total for new, old in zip(totals.totals, before.totals, strict=True)
                ]
                assert features.score_changes(move.pips, move.square) == gained
                joins += features.count_joined(move.square, seat) > 1
                tried += 1
    assert joins
    assert tried > 500


def placements_of(state: SubdivisionState, seat: Seat) -> list[Place]:
    """Every legal placement of the seat."""
    choices = GAME.choices(state, seat)[PromptId(f"place:{state.stage.number}")]
    fields: list[Any] = [choice.fields for choice in choices]
    return [
        Place(pips, square)
        for field_set in fields
        for pips in field_set["pips"].of
        for square in field_set["square"].of
    ]


def test_sub_9_the_features_count_the_parks_that_a_piece_encloses() -> None:
    """SUB-T14: two adjacent parks; and a park whose ring consists of two groups (SUB-T13 d)."""
    twin = position_of(
        """
        .. .. .. ..
        .. .. .. ..
        R2 .. R2 ..
        ## ## R2 ..
        """,
        [(0, 1, 0)] * 2,
    )
    position = read_position(0, twin.board, twin.stash, score(twin.board, 2, PRIVATE))
    square = square_at("b2", 4)
    assert square is not None
    assert Features(position).count_enclosed_parks(square) == 2
    split = position_of(
        """
        .. .. .. ..
        R2 R2 .. ..
        ## .. R2 ..
        R2 ## R2 ..
        """,
        [(0, 1, 0)] * 2,
    )
    position = read_position(0, split.board, split.stash, score(split.board, 2, PRIVATE))
    square = square_at("b2", 4)
    assert square is not None
    assert Features(position).count_enclosed_parks(square) == 0


def test_room_matches_the_legal_placements() -> None:
    for step in random_play.play(GAME, 3, FULL, b"room", random_play.STYLES[0], 60):
        state = step.state
        if state.stage.turn is None:
            continue
        seat = state.stage.turn
        room = find_room(read_position(seat, state.board, state.stash, score(state.board, 3, FULL)), seat)
        moves = placements_of(state, seat)
        offered = {pips: to_mask(move.square for move in moves if move.pips == pips) for pips in (1, 3)}
        for pips, squares in ((1, room.ones), (3, room.threes)):
            assert offered[pips] == (squares if state.stash.left[seat][pips - 1] else 0)


def test_expected_penalties_grow_with_1s_and_with_room_for_them() -> None:
    for coming in (0, 3, 12):
        table = expect_penalties(coming, 20)
        assert [row[0] for row in table] == [penalty(ones) for ones in range(len(table))]
        assert all(one <= other for row in table for one, other in pairwise(row))
        assert all(
            low <= high <= 3 for one, other in pairwise(table) for low, high in zip(one, other, strict=True)
        )
    assert expect_penalties(20, 20)[0][8] == 3
    assert expect_penalties(5, 20)[0][1] == 0
    assert expect_penalties(5, 20)[1][1] == pytest.approx(0.25)


def test_without_room_every_piece_is_stranded() -> None:
    assert count_stranded(3, 0, 0.5) == 3
    assert count_stranded(0, 0, 0.5) == 0
    assert 3 > count_stranded(3, 4, 0.5) > count_stranded(3, 8, 0.5) > count_stranded(1, 8, 0.5) > 0


# --- stronger with each level: a few tables; docs/BOTS.md has more ---


AT_LENGTH = [pytest.param(seats, 24, marks=pytest.mark.at_length) for seats in (2, 3, 4)]


@pytest.mark.parametrize(("seats", "tables"), [(2, 20), (3, 9), (4, 8), *AT_LENGTH])
def test_3g_hard_wins_more_than_its_share_among_normal(seats: int, tables: int) -> None:
    assert win_share(of_level("hard"), of_level("normal"), seats, tables, winners).low > 1 / seats


@pytest.mark.parametrize(("level", "seats"), [("easy", 2), ("normal", 2), ("normal", 3), ("normal", 4)])
@pytest.mark.parametrize("tables", [20, pytest.param(40, marks=pytest.mark.at_length)])
def test_3g_every_level_beats_random_play(level: str, seats: int, tables: int) -> None:
    assert win_share(of_level(level), play_randomly, seats, tables, winners).low > 1 / seats


def test_3g_hard_uses_its_land_well() -> None:
    result = play_alone(of_level("hard"), 2, 24)
    assert result.total > 20
    assert result.left_over <= 0.25
