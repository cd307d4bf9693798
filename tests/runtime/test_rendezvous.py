"""Which hub is to run a room: weighted rendezvous hashing (R32)."""

from __future__ import annotations

from collections import Counter
from typing import Final

from hub.runtime.rendezvous import choose_hub

ROOMS: Final = [f"room {number}" for number in range(6000)]


def shares(cores: dict[str, int]) -> Counter[str | None]:
    return Counter(choose_hub(room, cores) for room in ROOMS)


def test_shares_are_proportional_to_cores() -> None:
    """Within five standard deviations, which these fixed names keep for good."""
    counts = shares({"a": 1, "b": 1, "c": 4})
    assert abs(counts["a"] - 1000) < 150
    assert abs(counts["b"] - 1000) < 150
    assert abs(counts["c"] - 4000) < 190


def test_only_a_newcomers_share_moves() -> None:
    before = {room: choose_hub(room, {"a": 2, "b": 2}) for room in ROOMS}
    after = {room: choose_hub(room, {"a": 2, "b": 2, "c": 2}) for room in ROOMS}
    moved = [room for room in ROOMS if before[room] != after[room]]
    assert {after[room] for room in moved} == {"c"}
    assert abs(len(moved) - 2000) < 190


def test_the_rooms_of_one_that_is_gone_fall_to_all_others() -> None:
    before = {room: choose_hub(room, {"a": 2, "b": 2, "c": 2}) for room in ROOMS}
    after = {room: choose_hub(room, {"a": 2, "b": 2}) for room in ROOMS}
    assert all(after[room] == hub for room, hub in before.items() if hub != "c")
    counts = Counter(after[room] for room, hub in before.items() if hub == "c")
    assert abs(counts["a"] - counts["b"]) < 250


def test_a_hub_without_cores_gets_none() -> None:
    assert set(shares({"a": 1, "b": 0})) == {"a"}
    assert choose_hub("room", {"a": 0}) is None
    assert choose_hub("room", {}) is None
