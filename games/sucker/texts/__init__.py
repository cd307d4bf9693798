"""What So Long Sucker says, and its refusals: the words are in texts/en.json."""

from __future__ import annotations

from typing import Final

from games.api import Refusal, Texts
from games.kit.texts import read_texts

TEXTS: Final[Texts] = read_texts("games.sucker")
PHRASES: Final = TEXTS.phrases

# --- refusals: each depends on what its seat may see alone (GEN-3) ---

SEATS: Final = Refusal("SEATS", "2a", {"least": 4, "most": 6})
OTHER_PROMPT: Final = Refusal("OTHER_PROMPT", "GEN-4")
NO_CHIP: Final = Refusal("NO_CHIP", "2b")
"""No chip of this colour, or not so many, in one's own hand."""
NO_PILE: Final = Refusal("NO_PILE", "SLS-29")
NO_CAPTURE: Final = Refusal("NO_CAPTURE", "SLS-26")
"""A capture card captures: the chip below must have the colour, and it must be the one the card names."""
OWN_COLOUR: Final = Refusal("OWN_COLOUR", "SLS-13")
"""Own chips are never given away, killed in the hand, or used by a capture card (SLS-26)."""
NOT_YOUR_CARD: Final = Refusal("NOT_YOUR_CARD", "3")
OTHER_CARD: Final = Refusal("OTHER_CARD", "2b")
"""This card is not played so: one of capture with the placing, the others before it."""
NO_EFFECT: Final = Refusal("NO_EFFECT", "SLS-24")
"""It would move no chip."""
NAME_A_COLOUR: Final = Refusal("NAME_A_COLOUR", "2b")
"""Tribute names a colour, return none."""
NOT_NEXT: Final = Refusal("NOT_NEXT", "SLS-4")
"""That seat is defeated, or its colour is in the pile."""
NOT_IN_PILE: Final = Refusal("NOT_IN_PILE", "SLS-9")
DEFEATED: Final = Refusal("DEFEATED", "SLS-12")
"""A defeated seat takes nothing."""
TO_YOURSELF: Final = Refusal("TO_YOURSELF", "2b")
MUST_PLACE: Final = Refusal("MUST_PLACE", "SLS-36")
"""Who was rescued must keep a chip to place."""
ALREADY_REFUSED: Final = Refusal("ALREADY_REFUSED", "SLS-15")
NOT_REFUSED: Final = Refusal("NOT_REFUSED", "SLS-15")
ALREADY_READY: Final = Refusal("ALREADY_READY", "GEN-6")
