"""Peeks and markets, the windows whose length the rules fix, each just before a move opens it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from games.shares.rules.values import SharesState
from tests.games.shares.table import Table, position

Fixed: TypeAlias = Literal["hand", "tracker", "taken", "market"]
"""A peek with a club at a hand or tracker, a Chance 1 peek at a hand to take a card, or a market."""

FIXED: Final[Mapping[Fixed, int]] = {"hand": 30_000, "tracker": 30_000, "taken": 20_000, "market": 30_000}
"""How many milliseconds each window stays open (1b, 1c), whatever the `timers` option says (GEN-6)."""
PEEKS: Final[tuple[Fixed, ...]] = ("hand", "tracker", "taken")
ENDED_BY: Final[Mapping[Fixed, Mapping[str, Any]]] = {
    "hand": {"move": "stopPeeking"},
    "tracker": {"move": "stopPeeking"},
    "taken": {"move": "take", "place": 0},
    "market": {"move": "closeMarket"},
}
"""The move with which seat 0 may end each window early."""


class Opening(NamedTuple):
    """Seat 0 opens a window on seat 1 with this move; `state` is the state at table time `at`."""

    state: SharesState
    at: int
    prompt: str
    move: Mapping[str, Any]


def opening(what: Fixed, hand: str = "2H KH QH", marks: str = "DEDDB", **options: Any) -> Opening:
    """`hand` and `marks` are seat 1's. The state is seat 0's turn in round 5, after it played its card."""
    ways: Mapping[Fixed, tuple[str, str | None, Mapping[str, Any]]] = {
        "hand": ("clubs", "AC", {"move": "spy", "seat": 1, "what": "hand"}),
        "tracker": ("clubs", "AC", {"move": "spy", "seat": 1, "what": "tracker"}),
        "taken": ("chance1", "2D", {"move": "target", "seat": 1}),
        "market": ("turn", None, {"move": "openMarket", "card": "KS"}),
    }
    kind, card, move = ways[what]
    where = position(
        "AC KS 2D 3D", hand, "4S 5S", "6S 7S", marks={1: marks}, round=5, openMarket=True, **options
    )
    table = Table(state=where)
    table.dice.roll(1)
    if card is not None:
        table.play(0, card)
    return Opening(table.state, table.at, table.prompt(kind, 0), move)
