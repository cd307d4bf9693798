"""The UI strings and refusals of So Long Sucker; the wording is in en.json."""

from __future__ import annotations

from typing import Final

from games.api import Refusal, Texts
from games.kit.texts import read_texts

TEXTS: Final[Texts] = read_texts("games.sucker")

# --- refusals: each depends only on what its seat may see (GEN-3) ---

SEATS: Final = Refusal("SEATS", "SLS-2", {"least": 4, "most": 6})
NO_CHIP: Final = Refusal("NO_CHIP", "GEN-3")
"""The seat has no chips of this colour, or not that many."""
NO_PILE: Final = Refusal("NO_PILE", "SLS-29")
NO_CAPTURE: Final = Refusal("NO_CAPTURE", "SLS-26")
"""A capture card must capture: the chip and the one below must have the colour that the card names."""
OWN_COLOUR: Final = Refusal("OWN_COLOUR", "SLS-13")
"""No seat may give away its own chips, kill them in its hand, or use them to capture with a card (SLS-26)."""
NOT_YOUR_CARD: Final = Refusal("NOT_YOUR_CARD", "GEN-3")
OTHER_CARD: Final = Refusal("OTHER_CARD", "SLS-22")
"""A capture card is played along with a placement, and any other card before it."""
NO_EFFECT: Final = Refusal("NO_EFFECT", "SLS-24")
"""The card would not move any chips."""
NAME_A_COLOUR: Final = Refusal("NAME_A_COLOUR", "SLS-23")
"""A tribute card needs a colour; a return card takes none."""
NOT_NEXT: Final = Refusal("NOT_NEXT", "SLS-4")
"""The seat's colour is in the pile."""
OUT_ALREADY: Final = Refusal("OUT_ALREADY", "SLS-4")
"""A defeated seat gets no turn."""
GIVE_FIRST: Final = Refusal("GIVE_FIRST", "SLS-4")
KILL_FIRST: Final = Refusal("KILL_FIRST", "SLS-9")
ANSWER_FIRST: Final = Refusal("ANSWER_FIRST", "SLS-15")
"""A chip is placed only on a turn: something else has to be decided before."""
NOT_IN_PILE: Final = Refusal("NOT_IN_PILE", "SLS-9")
DEFEATED: Final = Refusal("DEFEATED", "SLS-12")
"""A defeated seat receives nothing."""
TO_YOURSELF: Final = Refusal("TO_YOURSELF", "SLS-10")
MUST_PLACE: Final = Refusal("MUST_PLACE", "SLS-36")
"""A rescued seat must keep a chip to place."""
ALREADY_REFUSED: Final = Refusal("ALREADY_REFUSED", "SLS-15")
NOT_REFUSED: Final = Refusal("NOT_REFUSED", "SLS-15")
ALREADY_READY: Final = Refusal("ALREADY_READY", "GEN-6")
