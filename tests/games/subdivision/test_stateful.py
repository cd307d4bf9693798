"""Subdivision against a simple model: in every style of play, the two agree on every position."""

from __future__ import annotations

import random
from functools import lru_cache
from typing import Any, Final, get_args

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from games.api import Millis, Outcome, Running, Seat
from games.dice import Dice
from games.kit.moves import convert_move
from games.subdivision.rules.board import GROUNDS, name_of
from games.subdivision.rules.game import SUBDIVISION
from games.subdivision.rules.values import Parks, Set, SubdivisionOptions
from games.testing import random_play
from games.testing.positions import encode_everything
from tests.games.examples import examples
from tests.games.subdivision.reference import Pieces, reference_near, reference_score

Legal = list[tuple[int, int]]
STYLES = ("any", "twos", "threes last", "ones last", "crowd", "hide", "stack")

near = lru_cache(None)(reference_near)
"""The squares near each square, from the reference version and cached."""


def drawn(kind: Any, seats: int, chance: random.Random) -> str:
    """A pattern for the host to enter, written in one of many ways."""
    one = GROUNDS[kind, seats]
    names = [name_of(square, one.size) for square in chance.sample(range(one.size**2), one.parks)]
    return chance.choice([" ", ",", ", "]).join(chance.choice([name, name.upper()]) for name in names)


OPTIONS = st.fixed_dictionaries(
    {
        "set": st.sampled_from(get_args(Set)),
        "parks": st.sampled_from(get_args(Parks)),
        "private_parks": st.booleans(),
        "park_ring": st.sampled_from(["group", "player"]),
        "stuck": st.sampled_from(["pass", "anywhere"]),
        "timers": st.sampled_from(["off", "normal", "fast"]),
    }
)


class Model:
    """The simple model: the pieces on the board, the pieces left, whose turn it is, who had to pass."""

    def __init__(self, seats: int, options: SubdivisionOptions, state: Any) -> None:
        one = GROUNDS[options.set, seats]
        self.seats, self.options, self.size = seats, options, one.size
        self.parks = set(state.board.parks)
        self.to_set = one.parks - len(self.parks)
        assert self.to_set in (0, one.parks if options.parks == "parkPlacement" else 0)
        self.pieces: Pieces = {}
        self.left = [[one.per_size] * 3 for _ in range(seats)]
        self.turn: int | None = state.stage.turn
        self.passed: list[int] = []
        self.free = False
        self.number = 0

    def legal(self, seat: int, anywhere: bool = False) -> Legal:
        """Every legal (pips, square) pair for the seat (3b)."""
        placements = []
        for square in range(self.size**2):
            if square in self.parks or square in self.pieces:
                continue
            around = [self.pieces[other] for other in near(self.size, square) if other in self.pieces]
            fits = {
                1: any(owner != seat and pips != 2 for owner, pips in around),
                2: True,
                3: (seat, 3) not in around,
            }
            placements += [(p, square) for p in (1, 2, 3) if self.left[seat][p - 1] and (fits[p] or anywhere)]
        return placements

    def legal_now(self) -> Legal:
        assert self.turn is not None
        return self.legal(self.turn, self.free)

    def park(self, square: int) -> None:
        assert self.turn is not None
        self.parks.add(square)
        self.to_set -= 1
        self.number += 1
        self.turn = (self.turn + 1) % self.seats

    def place(self, pips: int, square: int) -> None:
        seat = self.turn
        assert seat is not None
        self.pieces[square] = (seat, pips)
        self.left[seat][pips - 1] -= 1
        self.passed, self.free, self.turn = [], False, None
        self.number += 1
        for step in range(1, self.seats + 1):
            other = (seat + step) % self.seats
            if not sum(self.left[other]):
                continue
            if self.legal(other):
                self.turn = other
                return
            if self.options.stuck == "anywhere":
                self.turn, self.free = other, True
                return
            self.passed.append(other)
            self.number += 1

    def agree(self, state: Any) -> None:
        """Asserts that the state agrees with the model."""
        stage = state.stage
        assert set(state.board.parks) == self.parks
        assert list(state.board.parks) == sorted(self.parks)
        choices = {
            square: (piece.seat, piece.pips)
            for square, piece in enumerate(state.board.squares)
            if piece is not None
        }
        assert choices == self.pieces
        assert [list(sizes) for sizes in state.stash.left] == self.left
        phase = "end" if self.turn is None else "parks" if self.to_set else "place"
        assert (stage.phase, stage.turn, stage.parks_left) == (phase, self.turn, self.to_set)
        assert (list(stage.passed), stage.free, stage.number) == (self.passed, self.free, self.number)

    def totals(self) -> list[int]:
        ring, private = self.options.park_ring, self.options.private_parks
        return reference_score(self.size, self.parks, self.pieces, self.seats, private, ring)


def choose(model: Model, style: str, chance: random.Random) -> tuple[int, int]:
    """A legal placement in this style; some styles try to make the game go wrong."""
    legal = model.legal_now()
    own_squares: set[int] = set()
    others: set[int] = set()
    for square, (seat, _) in model.pieces.items():
        (own_squares if seat == model.turn else others).update(near(model.size, square))
    chance.shuffle(legal)
    match style:
        case "twos":
            return min(legal, key=lambda one: one[0] != 2)
        case "threes last":
            return min(legal, key=lambda one: one[0])
        case "ones last":
            return max(legal, key=lambda one: one[0])
        case "crowd":  # in the way of others
            return max(legal, key=lambda one: (one[1] in others, one[0] == 1))
        case "hide":  # far from everything, so that 1s find nothing near
            return min(legal, key=lambda one: (one[1] in own_squares | others, one[0] != 2))
        case "stack":
            return min(legal, key=lambda one: one[1])
        case _:
            return legal[0]


class Playing(RuleBasedStateMachine):
    """A game with its own record, in which legal and illegal moves are tried."""

    @initialize(seats=st.integers(2, 4), options=OPTIONS, seed=st.integers(0, 2**32))
    def sit_down(self, seats: int, options: dict[str, Any], seed: int) -> None:
        self.chance = random.Random(seed)
        pattern = drawn(options["set"], seats, self.chance)
        self.options = SubdivisionOptions(**options, pattern=pattern)
        assert SUBDIVISION.refuse_options(seats, self.options) is None
        self.dice = Dice(b"%d" % seed)
        self.at = Millis(0)
        self.state = SUBDIVISION.setup(seats, self.options, self.at, self.dice).state
        self.model = Model(seats, self.options, self.state)

    def _over(self) -> bool:
        return self.model.turn is None

    def _move(self, seat: int, kind: str, raw: dict[str, Any]) -> bool:
        """Makes the move if the rules allow it, and returns whether they do; refusals must change nothing."""
        prompts = SUBDIVISION.prompts(self.state)
        assert not isinstance(prompts, Outcome)
        (prompt,) = [one for one in prompts if one.kind == kind]
        assert seat in prompt.seats
        move = convert_move(raw, SUBDIVISION.Move)
        before = msgspec.msgpack.encode(self.state)
        refused = SUBDIVISION.check(self.state, Seat(seat), prompt.id, move, self.at)
        assert msgspec.msgpack.encode(self.state) == before
        if refused is not None:
            return False
        self.state = SUBDIVISION.apply(self.state, Seat(seat), prompt.id, move, self.at, self.dice).state
        return True

    def _place(self, pips: int, square: int) -> bool:
        assert self.model.turn is not None
        return self._move(self.model.turn, "place", {"move": "place", "pips": pips, "square": square})

    @precondition(lambda self: not self._over() and self.model.to_set)
    @rule(square=st.integers(0, 63))
    def set_a_park(self, square: int) -> None:
        seat = self.model.turn
        assert seat is not None
        fits = square < self.model.size**2 and square not in self.model.parks
        assert self._move(seat, "park", {"move": "park", "square": square}) == fits
        if fits:
            self.model.park(square)

    @precondition(lambda self: not self._over() and not self.model.to_set)
    @rule(pips=st.integers(1, 3), square=st.integers(0, 63))
    def try_to_place(self, pips: int, square: int) -> None:
        fits = (pips, square) in self.model.legal_now()
        assert self._place(pips, square) == fits
        if fits:
            self.model.place(pips, square)

    @precondition(lambda self: not self._over() and not self.model.to_set)
    @rule(style=st.sampled_from(STYLES), turns=st.integers(1, 12))
    def play_on(self, style: str, turns: int) -> None:
        for _ in range(turns):
            if self.model.turn is None:
                return
            pips, square = choose(self.model, style, self.chance)
            assert self._place(pips, square)
            self.model.place(pips, square)
            self.model.agree(self.state)

    @precondition(lambda self: not self._over() and bool(SUBDIVISION.windows(self.state)))
    @rule()
    def wait(self) -> None:
        """Lets time pass until the window ends: a legal move is made for the seat, and the game continues."""
        due = random_play.first_due(SUBDIVISION.windows(self.state))
        assert due is not None
        window, self.at = due
        if self.model.to_set:
            self.state = SUBDIVISION.expire(self.state, window.id, self.at, self.dice).state
            (square,) = set(self.state.board.parks) - self.model.parks
            self.model.park(square)
            return
        legal = self.model.legal_now()
        self.state = SUBDIVISION.expire(self.state, window.id, self.at, self.dice).state
        square = self.state.board.last or 0
        piece = self.state.board.squares[square]
        assert piece is not None
        assert (piece.pips, square) in legal
        assert piece.pips == 2 or not any(pips == 2 for pips, _ in legal)
        self.model.place(piece.pips, square)

    @precondition(lambda self: not self._over() and self.options.timers != "off")
    @rule()
    def take_a_minute(self) -> None:
        seat = self.model.turn
        assert seat is not None
        if self.state.time_control.extensions[seat]:
            (window,) = {one.id for one in SUBDIVISION.windows(self.state) if one.extend is not None}
            assert self._move(seat, "extend", {"move": "extend"})
            assert window in {one.id for one in SUBDIVISION.windows(self.state)}

    @precondition(lambda self: not self._over() and self.state.timer.clock is None)
    @rule(seat=st.integers(0, 3))
    def call(self, seat: int) -> None:
        assert self._move(seat % self.model.seats, "lastCall", {"move": "lastCall"})

    @precondition(lambda self: self._over())
    @rule()
    def rest(self) -> None:
        """Checks that nothing is offered or timed once the game is over."""
        assert SUBDIVISION.windows(self.state) == ()
        assert not any(SUBDIVISION.choices(self.state, Seat(seat)) for seat in range(self.model.seats))

    @invariant()
    def the_books_agree(self) -> None:
        model, state = self.model, self.state
        model.agree(state)
        prompts = SUBDIVISION.prompts(state)
        if model.turn is None:
            totals = model.totals()
            best = max(totals)
            winners = tuple(Seat(seat) for seat, total in enumerate(totals) if total == best)
            assert prompts == Outcome(winners, tuple(totals))
            if self.options.stuck == "anywhere":
                assert not any(map(sum, model.left))
            assert not any(model.legal(seat) for seat in range(model.seats))
            return
        assert not isinstance(prompts, Outcome)
        assert any(prompt.seats for prompt in prompts)
        running = [one for one in SUBDIVISION.windows(state) if isinstance(one.clock, Running)]
        assert running or any(prompt.kind == "lastCall" for prompt in prompts)

    @invariant()
    def what_is_offered_is_what_is_legal(self) -> None:
        model = self.model
        if model.turn is None or model.to_set:
            return
        for seat in range(model.seats):
            offered = SUBDIVISION.choices(self.state, Seat(seat))
            legal = {
                (pips, square)
                for choices in offered.values()
                for choice in choices
                if choice.move == "place"
                for pips in choice.fields["pips"].of  # type: ignore[union-attr]
                for square in choice.fields["square"].of  # type: ignore[union-attr]
            }
            assert legal == (set(model.legal_now()) if seat == model.turn else set())

    @invariant()
    def seats_and_spectators_have_the_same_boards(self) -> None:
        """3c: no section is private."""
        assert all(SUBDIVISION.private(self.state, Seat(seat)) == {} for seat in range(self.model.seats))
        again = msgspec.msgpack.decode(msgspec.msgpack.encode(self.state), type=SUBDIVISION.State)
        assert encode_everything(SUBDIVISION, again, None) == encode_everything(SUBDIVISION, self.state, None)


SOME: Final = settings(
    max_examples=12, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
)
Playing.TestCase.settings = SOME
TestPlaying = Playing.TestCase


class PlayingAtLength(Playing):
    """The same with more examples."""


PlayingAtLength.TestCase.settings = settings(SOME, max_examples=150)
TestPlayingAtLength = pytest.mark.at_length(PlayingAtLength.TestCase)


@examples(
    70,
    200,
    st.sampled_from(["pass", "anywhere"]),
    st.integers(2, 4),
    OPTIONS,
    st.lists(st.sampled_from(STYLES), min_size=4, max_size=4),
    st.integers(0, 2**32),
)
def test_every_manner_of_playing_comes_to_an_end(
    stuck: Any, seats: int, options: dict[str, Any], styles: list[str], seed: int
) -> None:
    chance = random.Random(seed)
    pattern = drawn(options["set"], seats, chance)
    chosen = SubdivisionOptions(**{**options, "stuck": stuck, "pattern": pattern})
    dice = Dice(b"%d" % seed)
    state = SUBDIVISION.setup(seats, chosen, Millis(0), dice).state
    model = Model(seats, chosen, state)
    one = GROUNDS[chosen.set, seats]
    for _ in range(one.parks + seats * 3 * one.per_size + 1):
        model.agree(state)
        if model.turn is None:
            break
        if model.to_set:
            square = chance.choice([at for at in range(one.size**2) if at not in model.parks])
            raw: dict[str, Any] = {"move": "park", "square": square}
            model.park(square)
        else:
            pips, square = choose(model, styles[model.turn], chance)
            raw = {"move": "place", "pips": pips, "square": square}
            model.place(pips, square)
        prompts = SUBDIVISION.prompts(state)
        assert not isinstance(prompts, Outcome)
        prompt, seat = prompts[0].id, state.stage.turn
        assert seat is not None
        move = convert_move(raw, SUBDIVISION.Move)
        assert SUBDIVISION.check(state, seat, prompt, move, Millis(0)) is None
        state = SUBDIVISION.apply(state, seat, prompt, move, Millis(0), dice).state
    outcome = SUBDIVISION.prompts(state)
    assert isinstance(outcome, Outcome)
    assert list(outcome.scores) == model.totals()
    assert max(outcome.scores) <= 6 * one.per_size - 1 + 3 * one.parks * chosen.private_parks
    if stuck == "anywhere":
        assert len(model.pieces) == seats * 3 * one.per_size
