"""Output of the `parley` command to a terminal."""

from __future__ import annotations

import sys
from typing import NoReturn

import typer

from hub.config import Exit


def stop(sentence: str, exit: Exit) -> NoReturn:
    """Ends the command with one sentence on standard error."""
    print(printable(f"parley: {sentence}"), file=sys.stderr)
    raise typer.Exit(exit)


def printable(text: str) -> str:
    """The text without control characters, with which a record or a name could manipulate the terminal."""
    text = text if len(text) <= 1000 else f"{text[:1000]}..."
    return "".join(letter if letter.isprintable() else "?" for letter in text)
