"""Twenty positions of So Long Sucker: allowed by the rules, proved right, and solved by a strong bot."""

from __future__ import annotations

from itertools import pairwise

import pytest

from games.api import Seat
from games.dice import Dice
from games.kit.characters import unnamed
from games.sucker.bot.bot import BOT
from games.sucker.rules.game import SUCKER
from games.sucker.rules.values import BASE, SuckerState, Taken
from games.testing import random_play
from tests.games.selfplay import answer_of
from tests.games.sucker.positions import POSITIONS, SEATS, WAIT, Position, describe
from tests.games.sucker.proof import NOW, Proof, after, asked, decided, options

STREAMS = 8
SOLVED = 18
"""The number of the twenty positions that a strong player must solve (2g), with any dice in any seat."""
TURNS = range(SEATS)

in_every_position = pytest.mark.parametrize(
    "position", POSITIONS, ids=lambda position: position.name.replace(" ", "-")
)


def test_there_are_twenty_different_positions() -> None:
    assert len(POSITIONS) == 20
    assert len({position.name for position in POSITIONS}) == 20
    assert (
        len({(position.row, position.hands, position.piles, position.lead) for position in POSITIONS}) == 20
    )


@in_every_position
@pytest.mark.parametrize("turn", TURNS)
def test_positions_are_allowed_by_the_rules(position: Position, turn: int) -> None:
    state = position.state(turn)
    conserved(state)
    stage, seat = state.stage, position.seat(turn)
    assert stage.alive[seat]
    assert decided(state, seat) is None
    assert all(sum(state.hands.chips[gone]) == 0 and not stage.alive[gone] for gone in stage.out)
    assert sorted((*stage.out, *(one for one in range(SEATS) if stage.alive[one]))) == list(TURNS)
    for pile in state.piles:
        captured = pile.id == stage.pile and stage.phase == "kill"
        chips = pile.chips[:-1] if captured else pile.chips
        assert all(low != high for low, high in pairwise(chips))
    assert stage.mover == state.trail[-1]
    if stage.phase in ("turn", "rescue"):
        assert (sum(state.hands.chips[stage.mover]) == 0) == (stage.phase == "rescue")
    assert seat == stage.mover or stage.phase == "rescue"
    assert len(state.taken) <= len(state.deck) == 6
    assert all(stage.alive[card.owner] and stage.alive[card.token] for card in held(state))
    assert all(sorted((seat_number, *row)) == list(TURNS) for seat_number, row in enumerate(state.rows))


def conserved(state: SuckerState) -> None:
    """Asserts that each colour has as many chips as at the start, wherever they are."""
    for colour in TURNS:
        hands = sum(chips[colour] for chips in state.hands.chips)
        piles = sum(pile.chips.count(colour) for pile in state.piles)
        assert hands + piles + state.hands.dead[colour] == BASE[SEATS] == state.match.chips[colour]
        assert state.hands.dead[colour] >= 0


def held(state: SuckerState) -> list[Taken]:
    return [card for card in state.taken if card.status == "held"]


@in_every_position
@pytest.mark.parametrize("turn", TURNS)
def test_right_and_wrong_moves_are_legal(position: Position, turn: int) -> None:
    legal = {describe(one.move) for one in options(position.state(turn), position.seat(turn))}
    right = position.answers(turn)
    assert right
    assert right - {WAIT} < legal


@in_every_position
def test_the_right_moves_are_those_that_force_a_win(position: Position) -> None:
    state, seat = position.state(), position.seat()
    proof = Proof(state, seat, most=5_000)
    winning = {describe(one.move) for one in options(state, seat) if proof.forces(one)}
    if not asked(state, seat) and proof.forces():
        winning.add(WAIT)
    assert winning == position.answers()


@in_every_position
@pytest.mark.parametrize("times", [8, pytest.param(20, marks=pytest.mark.at_length)])
def test_playing_on_as_proved_wins_whatever_the_others_do(position: Position, times: int) -> None:
    root, seat = position.state(), position.seat()
    proof = Proof(root, seat, most=5_000)
    first = [after(root, one) for one in options(root, seat) if describe(one.move) in position.right]
    dice = Dice(position.name.encode())
    for state in first * times:
        won = decided(state, seat)
        while won is None:
            may = [option for one in TURNS if one != seat for option in options(state, Seat(one))]
            if asked(state, seat):
                may.extend(one for one in options(state, seat) if proof.forces(one, state))
            state = after(state, may[dice.below("play", len(may))])
            won = decided(state, seat)
        assert won


# --- the bot ---


def answer(position: Position, level: str, turn: int, stream: int) -> str:
    """The bot's move in the position, with the table rotated by `turn` seats."""
    state, seat = position.state(turn), position.seat(turn)
    decision = BOT.decide(
        random_play.observation(SUCKER, state, seat, SEATS),
        unnamed(level),
        Dice(b"stream %d" % stream),
    )
    if decision is None:
        return WAIT
    assert SUCKER.check(state, seat, *answer_of(decision), NOW) is None
    return describe(answer_of(decision)[1])


@pytest.mark.parametrize("stream", range(STREAMS))
def test_2g_hard_solves_eighteen_of_the_twenty(stream: int) -> None:
    turn = stream % SEATS
    answers = {position.name: answer(position, "hard", turn, stream) for position in POSITIONS}
    missed = {
        position.name: answers[position.name]
        for position in POSITIONS
        if answers[position.name] not in position.answers(turn)
    }
    assert len(POSITIONS) - len(missed) >= SOLVED, missed
