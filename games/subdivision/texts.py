"""What Subdivision says: refusals, and every key the client's catalogue must hold.

In lines a square has its name, such as b1: `square` is a text, `squares` a list of them.
"""

from __future__ import annotations

from typing import Final

from games.api import Refusal, Texts
from games.kit import time_control as time_control

SEATS: Final = Refusal("SEATS", "SUB-15", {"least": 2, "most": 4})
OTHER_PROMPT: Final = Refusal("OTHER_PROMPT", "GEN-4")
OFF_BOARD: Final = Refusal("OFF_BOARD", "GEN-3")
OCCUPIED: Final = Refusal("OCCUPIED", "SUB-7")
ON_PARK: Final = Refusal("ON_PARK", "SUB-8")
NONE_LEFT: Final = Refusal("NONE_LEFT", "SUB-1")
NEAR_OWN: Final = Refusal("NEAR_OWN", "SUB-7")
"""A 3 near another 3 of its own."""
NEEDS_FOREIGN: Final = Refusal("NEEDS_FOREIGN", "SUB-16")
"""A 1 with no 1 or 3 of another colour near."""


def pattern(parks: int) -> Refusal:
    """Not as many different squares of the board as the table has parks."""
    return Refusal("PATTERN", "SUB-14", {"parks": parks})


PHRASES: Final = tuple(
    f"subdivision.say.{phrase}"
    for phrase in ("niceMove", "myStreet", "ouch", "thinking", "hurry", "wellPlayed", "thanks", "oops")
)

TEXTS: Final = Texts(
    lines={
        "subdivision.parks": ("squares",),
        "subdivision.began": ("seat",),
        "subdivision.park": ("seat", "square"),
        "subdivision.placed": ("seat", "pips", "square"),
        "subdivision.auto": ("seat",),
        "subdivision.passed": ("seat",),
        "subdivision.free": ("seat",),
        "subdivision.stuck": (),
        "subdivision.won": ("seats",),
        **time_control.LINES,
    },
    refusals={
        "SEATS": ("least", "most"),
        "PATTERN": ("parks",),
        **dict.fromkeys(
            (
                "OTHER_PROMPT",
                "OFF_BOARD",
                "OCCUPIED",
                "ON_PARK",
                "NONE_LEFT",
                "NEAR_OWN",
                "NEEDS_FOREIGN",
            ),
            (),
        ),
    },
    phrases=frozenset(PHRASES),
    prompts=frozenset({"park", "place"}) | time_control.PROMPTS,
    windows=frozenset({"park", "place"}) | time_control.WINDOWS,
    moves=frozenset({"park", "place"}) | time_control.MOVES,
)
