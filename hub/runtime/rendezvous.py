"""Weighted rendezvous hashing: all hubs that see the same fleet agree which of them runs a room.

A hub's share is proportional to its cores. When a hub joins, the only rooms whose answer changes are those
that become its own; when one leaves, its rooms are spread over all others. (Thaler and Ravishankar 1998;
weights as in Schindelhauer and Schomaker 2005.)
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from hashlib import sha256
from typing import Final

BITS: Final = 2**53


def choose_hub(room: str, cores: Mapping[str, int]) -> str | None:
    """The hub that is to run this room, by each one's cores; None if none has any."""
    return next(iter(rank_hubs(room, cores)), None)


def rank_hubs(room: str, cores: Mapping[str, int]) -> list[str]:
    """The hubs in the order in which they are to run this room, if those before them are gone."""
    scores = {hub: _score(hub, room, weight) for hub, weight in cores.items() if weight > 0}
    return sorted(scores, key=lambda hub: (scores[hub], hub), reverse=True)


def _score(hub: str, room: str, weight: int) -> float:
    """The largest wins. Its reciprocal is exponentially distributed with rate `weight`."""
    draw = int.from_bytes(sha256(f"{hub} {room}".encode()).digest()[:8], "big") >> 11
    return -weight / math.log((draw + 0.5) / BITS)
