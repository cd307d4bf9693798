"""Prompts and windows.

They are needed for every command, so they are built once per distinct situation and shared.
"""

from __future__ import annotations

from msgspec.structs import replace

from games.api import Prompt, PromptId, Seat, Window, WindowId
from games.kit import offers as offering
from games.kit import peeks as peeks
from games.kit import time_control as time_control
from games.kit.memo import memoize
from games.kit.time_control import Timer, TimerPrompt
from games.kit.timed_game import timer_of
from games.shares.rules import showing
from games.shares.rules.values import Bargains, SharesState


def prompt_id(state: SharesState) -> PromptId:
    """The id of the prompt for the current decision; a peek's prompt has the id of its window."""
    kind = state.scene.kind
    if state.peek is not None:
        return PromptId(state.peek.window)
    if kind in ("select", "lowball"):
        return PromptId(f"{kind}:{state.stage.round}")
    return PromptId(f"{kind}:{state.serial}")


@memoize
def _main(name: PromptId, kind: str, seats: tuple[Seat, ...], window: WindowId | None) -> Prompt:
    return Prompt(name, kind, frozenset(seats), window, None)


@memoize
def _prompts(
    main: Prompt, offers: Bargains, showers: frozenset[Seat], control: TimerPrompt | None
) -> tuple[Prompt, ...]:
    show = (Prompt(showing.PROMPT, "show", showers, None, None),) if showers else ()
    more = () if control is None else (control.prompt,)
    return (main, *offering.prompts(offers), *show, *more)


def prompts(state: SharesState) -> tuple[Prompt, ...]:
    clock, kind = timer_of(state), state.scene.kind
    if state.peek is not None:
        main = peeks.prompt(state.peek, kind)
    else:
        main = _main(prompt_id(state), kind, clock.concerns, None if clock.clock is None else clock.id)
    return _prompts(
        main, state.offers, showing.open_to(state), time_control.prompt(state.time_control, clock)
    )


@memoize
def _fix_timer(held: Timer) -> Timer:
    """The timer of a paused turn, which cannot be extended."""
    return replace(held, fixed=True)


@memoize
def _none_done(seats: int) -> tuple[bool, ...]:
    return (False,) * seats


def done(state: SharesState) -> tuple[bool, ...]:
    """By seat, whether it has locked its choice, in the phases in which all seats choose."""
    match state.stage.phase:
        case "select":
            return state.selected.locked
        case "lowball":
            return state.offered.locked
        case _:
            return _none_done(len(state.hands))


@memoize
def _join_windows(main: tuple[Window, ...], held: tuple[Window, ...]) -> tuple[Window, ...]:
    return (*main, *held)


def windows(state: SharesState) -> tuple[Window, ...]:
    if state.timer is None:
        return ()
    main = time_control.windows(state.time_control, state.timer, done(state))
    if state.held is None:
        return main
    return _join_windows(
        main, time_control.windows(state.time_control, _fix_timer(state.held), _none_done(len(state.hands)))
    )
