"""Rounds of Almost played by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

TableOf = Callable[..., Any]


def bid_all(table: Any, *bids: int) -> None:
    """Waits for the bidding, and locks a bid for every seat."""
    while table.public("stage").phase != "bid":
        table.expire()
    for seat, bid in enumerate(bids):
        table.do(seat, "bid", "lock", number=bid)


def go_on(table: Any) -> None:
    number = table.public("stage").round
    for seat in range(table.seats):
        table.do(seat, "continue", "continue")
    assert table.public("stage").round == number + 1 or table.public("stage").phase == "end"
