"""How the characters sound: one tone for each of a level's three, and plain words that suit everybody.

A wording whose number is marked `r` suits the reliable characters, who are polite, `s` the shrewd ones, who
count what they get, and `f` the fickle ones, who tease, as in `subdivision.bot.askLeave.r1`.
"""

from __future__ import annotations

from typing import Final

from games.api import Character
from games.kit.wordings import Wordings
from games.subdivision.texts import TEXTS

WORDINGS: Final = Wordings(TEXTS)
TONES: Final = ("r", "s", "f")
RELIABLE: Final = 85
SHREWD: Final = 55
"""From this honesty, in percent, a character sounds reliable or shrewd."""


def find_tone(character: Character) -> str:
    """The tone of a character; empty for a substitute, who has only plain words."""
    if character.is_substitute:
        return ""
    honesty = character.temper.honesty
    return "r" if honesty >= RELIABLE else "s" if honesty >= SHREWD else "f"


def read_tone(key: str) -> str:
    """The tone of a wording; empty for plain words."""
    return key.rpartition(".")[2].rstrip("0123456789")


def _select(tone: str) -> Wordings:
    return Wordings(TEXTS, suits=lambda key: read_tone(key) in ("", tone))


VOICES: Final = {tone: _select(tone) for tone in ("", *TONES)}
"""By tone, the wordings that suit it."""
