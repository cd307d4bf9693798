"""So Long Sucker starting mid-round: everybody has prisoners, and few have chips of their own.

Nobody has an extension left: when a table changes hubs, seats that are slow to reconnect would spend theirs.
"""

from __future__ import annotations

import random
from typing import Final

import pytest
from msgspec.structs import replace

from games.api import Dice, Millis, Seat, Step
from games.sucker.rules import turn_flow
from games.sucker.rules.turn_flow import Lines
from games.sucker.rules.values import Counts, Hands, Pile, SuckerState, Taken
from tests.games.sucker.differential import options_of
from tests.games.sucker.reference_table import Card, Game, start

OWN, HELD, PILED = 0.12, 0.55, 0.85
"""Upper bounds on a chip's random number: below them it is in its owner's hand, in another hand or in a pile,
respectively; otherwise it is dead."""


def begin_midway(patch: pytest.MonkeyPatch) -> None:
    """Make all rounds begin and replay this way, with random chips from the room's dice, until undone."""
    begin_round: Final = turn_flow.begin_round

    def begin(
        state: SuckerState, first: Seat, chips: Counts, at: Millis, lines: Lines, dice: Dice
    ) -> Step[SuckerState]:
        fate = random.Random(dice.below("midway", 2**64))
        begun = begin_round(state, first, chips, at, lines, dice)
        return Step(_midway(begun.state, fate), begun.lines)

    patch.setattr(turn_flow, "begin_round", begin)


def _midway(state: SuckerState, fate: random.Random) -> SuckerState:
    first, seats = state.stage.first, len(state.stage.alive)
    hands = [[0] * seats for _ in range(seats)]
    dead, loose = [0] * seats, []
    for colour, count in enumerate(state.match.chips):
        others = [seat for seat in range(seats) if seat != colour]
        for _ in range(count):
            lot = fate.random()
            if lot < HELD:
                hands[colour if lot < OWN else fate.choice(others)][colour] += 1
            elif lot < PILED:
                loose.append(colour)
            else:
                dead[colour] += 1
    if not any(hands[first]):
        giver = next(seat for seat in range(seats) if any(hands[seat]))
        colour = next(colour for colour in range(seats) if hands[giver][colour])
        hands[giver][colour] -= 1
        hands[first][colour] += 1
    fate.shuffle(loose)
    piles: list[list[int]] = []
    for chip in loose:
        if piles and piles[-1][-1] != chip and fate.random() < 0.7:
            piles[-1].append(chip)
        else:
            piles.append([chip])
    cards = [fate.sample(range(seats), 2) for _ in range(fate.randint(0, 5))] if state.deck else []
    return replace(
        state,
        hands=Hands(tuple(map(tuple, hands)), tuple(dead)),
        piles=tuple(Pile(number, tuple(pile)) for number, pile in enumerate(piles)),
        laid=len(piles),
        trail=(*(Seat(fate.randrange(seats)) for _ in range(fate.randint(0, 4))), first),
        taken=tuple(Taken(Seat(owner), Seat(token)) for owner, token in cards),
        time_control=replace(state.time_control, extensions=(0,) * seats),
    )


def reference_midway(state: SuckerState) -> Game:
    """The reference version of this start, with all its random results."""
    rows = [list(row) for row in state.rows]
    deck: list[str] = [*state.deck]
    game = start(len(rows), options_of(state.options), rows, deck, state.stage.first)
    game.chips = [list(chips) for chips in state.hands.chips]
    game.killed = list(state.hands.dead)
    game.piles = [list(pile.chips) for pile in state.piles]
    game.stack = list(state.trail)
    game.cards = [Card(number, deck[number], one.owner, one.token) for number, one in enumerate(state.taken)]
    game.deck = deck[len(state.taken) :]
    game.taken = len(state.taken)
    return game
