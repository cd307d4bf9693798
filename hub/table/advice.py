"""A coach's advice to one seat about an open prompt (`Game.coach`, R31): on request, and never stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.api import Advice, Outcome, PromptId, Refusal, Seat
from hub.table.lessons import NOT_IN_LESSON
from hub.table.observation import observe
from hub.table.promises import list_seen
from hub.table.room import Room, Rules

STALE_PROMPT = Refusal("STALE_PROMPT", "GEN-4")


def advise(
    rules: Rules, room: Room, seat: Seat, prompt: str, sections: Mapping[str, Any]
) -> Advice | Refusal | None:
    """The advice for this prompt, given the sections that the seat sees; None if there is nothing to say.

    The coach gets what the seat's bot would, with the promises that the seat may know of: it cannot know more
    than the seat. In a lesson, which has texts of its own, it is refused.
    """
    if room.table.lesson is not None:
        return NOT_IN_LESSON
    position = room.position
    if position is None or isinstance(position.prompts, Outcome):
        return STALE_PROMPT
    wanted = next((one for one in position.prompts if one.id == PromptId(prompt)), None)
    if wanted is None or seat not in wanted.seats:
        return STALE_PROMPT
    return rules.coach(observe(rules, room, seat, sections, promises=list_seen(room, seat)), wanted)
