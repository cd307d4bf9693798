"""Redraws what a viewer cannot know: other seats' rows, the stack, and cards that do not concern it."""

from __future__ import annotations

from msgspec.structs import replace

from games.api import Dice, Seat
from games.sucker.rules import blackmail
from games.sucker.rules.values import SuckerState


def resample(state: SuckerState, viewer: Seat | None, dice: Dice) -> SuckerState:
    """Returns a state that the viewer cannot distinguish from this one.

    The viewer's own row and the cards whose kind it knows stay: those played, those it holds and those that
    name it. The kinds of all other cards are shuffled, including those in the stack.
    """
    rows = tuple(
        row if seat == viewer else dice.shuffle("resample", sorted(row))
        for seat, row in enumerate(state.rows)
    )
    free = [
        number
        for number in range(len(state.deck))
        if number >= len(state.taken) or not blackmail.knows(state, viewer, number)
    ]
    kinds = dice.shuffle("resample", [state.deck[number] for number in free])
    deck = list(state.deck)
    for number, kind in zip(free, kinds, strict=True):
        deck[number] = kind
    return replace(state, rows=rows, deck=tuple(deck))
