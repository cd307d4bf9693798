"""The UI strings and refusals of Subdivision; the wording is in en.json.

Log lines name squares, such as b1: `square` is a name, and `squares` is a list of names.
"""

from __future__ import annotations

from typing import Final

from games.api import Refusal, Texts
from games.kit.texts import read_texts

TEXTS: Final[Texts] = read_texts("games.subdivision")

SEATS: Final = Refusal("SEATS", "SUB-15", {"least": 2, "most": 4})
OFF_BOARD: Final = Refusal("OFF_BOARD", "GEN-3")
OCCUPIED: Final = Refusal("OCCUPIED", "SUB-7")
ON_PARK: Final = Refusal("ON_PARK", "SUB-8")
NONE_LEFT: Final = Refusal("NONE_LEFT", "SUB-1")
NEAR_OWN: Final = Refusal("NEAR_OWN", "SUB-7")
"""A 3 may not be near another 3 of the same seat."""
NEEDS_FOREIGN: Final = Refusal("NEEDS_FOREIGN", "SUB-16")
"""A 1 must be near a 1 or 3 of another seat."""
ALL_NEAR_OWN: Final = Refusal("ALL_NEAR_OWN", "SUB-7")
"""No 3 fits anywhere."""
NONE_NEAR_FOREIGN: Final = Refusal("NONE_NEAR_FOREIGN", "SUB-16")
"""No 1 fits anywhere."""


def pattern(parks: int) -> Refusal:
    """The refusal of a pattern that does not name as many distinct squares as the table has parks."""
    return Refusal("PATTERN", "SUB-14", {"parks": parks})
