"""What is open to whom: asks and windows.

Made once per distinct situation and shared, for these are asked for at every command.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from games.api import Ask, AskId, Seat, Window, WindowId
from games.kit import offers as offering
from games.kit import peeks as looking
from games.kit import time_control as pacing
from games.kit.time_control import PaceAsk, Timer
from games.shares.rules import showing
from games.shares.rules.turn_flow import clock_of
from games.shares.rules.values import Bargains, SharesState


def ask_id(state: SharesState) -> AskId:
    """The ask of what is decided now; a look's is that of its window."""
    kind = state.scene.kind
    if state.look is not None:
        return AskId(state.look.window)
    if kind in ("select", "lowball"):
        return AskId(f"{kind}:{state.stage.round}")
    return AskId(f"{kind}:{state.serial}")


@lru_cache(8192)
def _main(name: AskId, kind: str, seats: tuple[Seat, ...], window: WindowId | None) -> Ask:
    return Ask(name, kind, frozenset(seats), window, None)


@lru_cache(8192)
def _asks(main: Ask, offers: Bargains, showers: frozenset[Seat], pace: PaceAsk | None) -> tuple[Ask, ...]:
    show = (Ask(showing.ASK, "show", showers, None, None),) if showers else ()
    more = () if pace is None else (pace.ask,)
    return (main, *offering.asks(offers), *show, *more)


def asks(state: SharesState) -> tuple[Ask, ...]:
    clock, kind = clock_of(state), state.scene.kind
    if state.look is not None:
        main = looking.ask(state.look, kind)
    else:
        main = _main(ask_id(state), kind, clock.concerns, None if clock.clock is None else clock.id)
    return _asks(main, state.offers, showing.open_to(state), pacing.ask(state.pace, clock))


@lru_cache(8192)
def _still(held: Timer) -> Timer:
    """A turn that stands still cannot be extended."""
    return replace(held, fixed=True)


@lru_cache(16)
def _nobody(seats: int) -> tuple[bool, ...]:
    return (False,) * seats


def done(state: SharesState) -> tuple[bool, ...]:
    """Who need not act any more while all choose."""
    match state.stage.phase:
        case "select":
            return state.selected.locked
        case "lowball":
            return state.offered.locked
        case _:
            return _nobody(len(state.hands))


@lru_cache(8192)
def _both(main: tuple[Window, ...], held: tuple[Window, ...]) -> tuple[Window, ...]:
    return (*main, *held)


def windows(state: SharesState) -> tuple[Window, ...]:
    if state.clock is None:
        return ()
    main = pacing.windows(state.pace, state.clock, done(state))
    if state.held is None:
        return main
    return _both(main, pacing.windows(state.pace, _still(state.held), _nobody(len(state.hands))))
