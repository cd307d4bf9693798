"""Previews: a move is applied to the state, and the public facts before and after are compared."""

from __future__ import annotations

from typing import Final

from games.api import Millis, Seat
from games.sucker.rules import actions, piles, turn_flow
from games.sucker.rules.values import (
    GiveMove,
    Kill,
    KillPrisoners,
    Place,
    PlayCard,
    RescueWith,
    SuckerMove,
    SuckerState,
    Transfer,
)
from games.sucker.rules.views import Gain, Preview

TRIAL_TIME: Final = Millis(0)
"""The table time of the trial; its clocks are discarded."""


def _try(state: SuckerState, seat: Seat, move: SuckerMove) -> SuckerState | None:
    """The state after the move; None for moves that only answer a prompt."""
    match move:
        case Place():
            return actions.place(state, seat, move, TRIAL_TIME).state
        case GiveMove(to=to):
            return actions.give(state, seat, Seat(to), TRIAL_TIME).state
        case Kill(colour=colour):
            return actions.kill(state, seat, colour, TRIAL_TIME).state
        case Transfer():
            return actions.transfer(state, seat, move, TRIAL_TIME).state
        case RescueWith():
            return actions.rescue(state, seat, move, TRIAL_TIME).state
        case KillPrisoners():
            return actions.kill_prisoners(state, seat, move, TRIAL_TIME).state
        case PlayCard():
            return actions.play_card(state, seat, move, TRIAL_TIME).state
        case _:
            return None


def preview(state: SuckerState, seat: Seat, move: SuckerMove) -> Preview | None:
    """The preview of a legal move; None for moves that only answer a prompt."""
    after = _try(state, seat, move)
    if after is None:
        return None
    stage = after.stage
    award = None if after.need is None else after.need.award
    card = stage.mover if award is not None else None
    if len(after.taken) > len(state.taken):
        card = after.taken[-1].token
    places = isinstance(move, Place)
    rescue = stage.phase == "rescue"
    concerns = () if after.timer is None else after.timer.concerns
    return Preview(
        _gains(state, after),
        tuple(new - old for new, old in zip(after.hands.dead, state.hands.dead, strict=True)),
        stage.mover if places and stage.phase == "kill" else None,
        stage.next or (() if stage.mover is None else (stage.mover,)),
        places and _is_forced(state, move),
        card,
        stage.mover if rescue else None,
        tuple(rescuer for rescuer in concerns if rescuer != stage.mover) if rescue else (),
        turn_flow.find_next_mover(after.trail, stage.alive) if rescue else None,
        stage.out[len(state.stage.out) :],
        stage.mover is None,
    )


def _gains(before: SuckerState, after: SuckerState) -> tuple[Gain, ...]:
    return tuple(
        Gain(Seat(seat), colour, new - old)
        for seat, hands in enumerate(zip(before.hands.chips, after.hands.chips, strict=True))
        for colour, (old, new) in enumerate(zip(*hands, strict=True))
        if new != old
    )


def _is_forced(state: SuckerState, move: SuckerMove) -> bool:
    """Whether the move fills a pile, which then decides who is next."""
    if not isinstance(move, Place):
        return False
    pile = piles.find(state.piles, move.pile)
    return piles.forecast(pile.chips if pile else (), move.colour, state.stage.alive).what == "forced"
