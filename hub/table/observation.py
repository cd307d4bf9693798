"""What a seat observes of a running game: what its bot decides from, and what a coach advises on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.api import Observation, Outcome, Seat
from hub.table.room import Room, Rules
from hub.table.speech import talk_policy


def observe(rules: Rules, room: Room, seat: Seat, sections: Mapping[str, Any], **memory: Any) -> Observation:
    """The observation of a seat that sees these sections. `memory`: its other fields (games/api.py).

    Raises ValueError if no game is running.
    """
    position = room.position
    if position is None or isinstance(position.prompts, Outcome):
        raise ValueError("no game is running")
    return Observation(
        seat=seat,
        seats=len(room.table.seats),
        prompts=tuple(prompt for prompt in position.prompts if prompt.to is None or seat in prompt.to),
        choices=rules.choices(position.state, seat),
        sections=sections,
        talk_policy=talk_policy(rules, room, seat),
        people=tuple(
            Seat(number) for number, held in enumerate(room.table.seats) if not held.is_played_by_bot
        ),
        **memory,
    )
