"""The state that both versions of Share and Share Alike have, in common terms: see differential.py."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from games.api import Seat
from games.kit import timed_game
from games.shares.rules import prompts, turn_flow
from games.shares.rules.game import SHARES
from games.shares.rules.pieces import COMPANIES, HAND
from games.shares.rules.values import SharesState
from tests.games.shares import reference_table
from tests.games.shares.reference_table import Game

PHASES: Final = {"turn": "action", "peek": "spy", "take": "peek"}
"""The second version's names for some kinds of decision."""


def companies(lot: Sequence[str]) -> list[int]:
    """The number of shares of each company."""
    return [lot.count(company) for company in COMPANIES]


def marked(marks: Sequence[str]) -> list[int]:
    return ["ABCDE".index(company) for company in marks]


def first_has(state: SharesState) -> dict[str, Any]:
    scene, seats = state.scene, range(len(state.hands))
    phase = PHASES.get(scene.kind, scene.kind)
    found: dict[str, Any] = {
        "phase": phase,
        "round": state.stage.round,
        "towers": [list(tower) for tower in state.towers],
        "discards": list(state.discard),
        "actions": list(state.turns.actions),
        "out": list(state.turns.out),
        "active": state.stage.active,
        "spent": state.turns.spent,
    }
    if state.reckoning is not None:
        results = state.reckoning.seats
        return {
            **found,
            "hands": [sorted(seat.hand) for seat in results],
            "marks": [marked(seat.tracker.marks) for seat in results],
            "delta": [list(seat.tracker.traded) for seat in results],
            "holdings": [list(seat.tracker.holdings) for seat in results],
        }
    supply = SHARES.public(state)["towers"].data.supply  # type: ignore[attr-defined]
    trackers = [turn_flow.tracker_of(state, seat) for seat in seats]
    sealed = state.selected if phase == "select" else state.offered
    clock, done = timed_game.timer_of(state), prompts.done(state)
    roll = scene.roll
    waiting = [seat for seat in clock.concerns if not done[seat]] if scene.seat is None else [scene.seat]
    return {
        **found,
        "hands": [sorted(hand) for hand in state.hands],
        "deck": list(state.deck),
        "supply": dict(zip("LMS", supply, strict=True)),
        "marks": [marked(tracker.marks) for tracker in trackers],
        "delta": [list(tracker.traded) for tracker in trackers],
        "holdings": [list(tracker.holdings) for tracker in trackers],
        "drafts": [None if one is None else "ABCDE".index(one) for one in state.selected.draft],
        "offered": [lot[0] if lot else None for lot in state.offered.draft],
        "locked": [bool(sealed.locked[seat] and (phase == "select" or state.hands[seat])) for seat in seats],
        "revealed": [] if state.bids is None or not any(state.bids.cards) else [*state.bids.cards],
        "decider": scene.seat,
        "waiting": waiting,
        "resolving": [(one.card, one.seat) for one in scene.played],
        "uses": scene.uses,
        "rolled": None if roll is None else roll.rolled if roll.result is None else roll.result,
        "looking": None if state.peek is None else (state.peek.seat, state.peek.other, state.peek.what),
        "no notes": [seat for seat in seats if SHARES.talk_policy(state, Seat(seat)).notes_locked],
        "offers": [
            (one.by, one.to, tuple(companies(one.give)), tuple(companies(one.wish)))
            for one in state.offers.open
        ],
    }


def second_has(game: Game) -> dict[str, Any]:
    found: dict[str, Any] = {
        "phase": game.phase,
        "round": game.round,
        "towers": game.towers,
        "discards": game.discards,
        "actions": game.actions,
        "out": game.out,
        "active": game.active,
        "spent": game.spent,
        "hands": [sorted(hand) for hand in game.hands],
        "marks": game.marks,
        "delta": game.delta,
        "holdings": [reference_table.holdings(game, seat) for seat in range(game.seats)],
    }
    if game.phase == "over":
        return found
    uses = game.uses
    if game.phase == "draw" and game.decider is not None:
        uses = HAND - len(game.hands[game.decider])
    elif game.phase == "chance3":
        uses = game.to_draw
    peeking = game.peeking
    return {
        **found,
        "deck": game.deck,
        "supply": game.supply,
        "drafts": game.drafts,
        "offered": game.offered,
        "locked": game.locked,
        "revealed": game.revealed if any(game.revealed) else [],
        "decider": game.decider,
        "waiting": reference_table.waiting(game),
        "resolving": [(one.card, one.seat) for one in game.resolving],
        "uses": uses,
        "rolled": game.rolled,
        "looking": None if peeking is None else (peeking.viewer, peeking.target, peeking.what),
        "no notes": reference_table.notes_locked(game),
        "offers": [(one.by, one.to, one.give, one.take) for one in game.offers],
    }
