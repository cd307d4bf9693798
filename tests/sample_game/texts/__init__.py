"""The user interface strings of Under the Hammer; the English ones are in texts/en.json."""

from __future__ import annotations

from typing import Final

from games.api import Texts
from games.kit.texts import read_texts

TEXTS: Final[Texts] = read_texts("tests.sample_game")
