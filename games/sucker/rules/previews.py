"""What a move would do: it is tried, and what all may see before and after is compared."""

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

NOW: Final = Millis(0)
"""Clocks of the trial are not looked at."""


def _tried(state: SuckerState, seat: Seat, move: SuckerMove) -> SuckerState | None:
    match move:
        case Place():
            return actions.place(state, seat, move, NOW).state
        case GiveMove(to=to):
            return actions.give(state, seat, Seat(to), NOW).state
        case Kill(colour=colour):
            return actions.kill(state, seat, colour, NOW).state
        case Transfer():
            return actions.transfer(state, seat, move, NOW).state
        case RescueWith():
            return actions.rescue(state, seat, move, NOW).state
        case KillPrisoners():
            return actions.kill_prisoners(state, seat, move, NOW).state
        case PlayCard():
            return actions.play_card(state, seat, move, NOW).state
        case _:
            return None


def preview(state: SuckerState, seat: Seat, move: SuckerMove) -> Preview | None:
    """Of a legal move; None for those that only answer."""
    after = _tried(state, seat, move)
    if after is None:
        return None
    stage = after.stage
    award = None if after.need is None else after.need.award
    named = stage.mover if award is not None else None
    if len(after.taken) > len(state.taken):
        named = after.taken[-1].token
    new = isinstance(move, Place)
    rescue = stage.phase == "rescue"
    concerns = () if after.timer is None else after.timer.concerns
    return Preview(
        _gains(state, after),
        tuple(now - then for now, then in zip(after.hands.dead, state.hands.dead, strict=True)),
        stage.mover if new and stage.phase == "kill" else None,
        stage.next or (() if stage.mover is None else (stage.mover,)),
        new and _forced(state, move),
        named,
        stage.mover if rescue else None,
        tuple(one for one in concerns if one != stage.mover) if rescue else (),
        turn_flow.back(after.trail, stage.alive) if rescue else None,
        stage.out[len(state.stage.out) :],
        stage.mover is None,
    )


def _gains(before: SuckerState, after: SuckerState) -> tuple[Gain, ...]:
    return tuple(
        Gain(Seat(seat), colour, now - then)
        for seat, (old, new) in enumerate(zip(before.hands.chips, after.hands.chips, strict=True))
        for colour, (then, now) in enumerate(zip(old, new, strict=True))
        if now != then
    )


def _forced(state: SuckerState, move: SuckerMove) -> bool:
    """Whether the pile placed on decides who is next."""
    if not isinstance(move, Place):
        return False
    pile = piles.find(state.piles, move.pile)
    return piles.forecast(pile.chips if pile else (), move.colour, state.stage.alive).what == "forced"
