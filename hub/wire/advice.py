"""Advice: the sentence in an error that tells the author of a client what to do."""

from __future__ import annotations

from typing import Final

MAX_ECHO: Final = 60
"""The most characters of a client's own text that advice repeats."""


def shorten(text: str, most: int = MAX_ECHO) -> str:
    """The text, cut to `most` characters, of which the last is then an ellipsis."""
    return text if len(text) <= most else text[: most - 1] + "…"
