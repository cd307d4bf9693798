"""The documents, and readers for their tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROTOCOL = (ROOT / "docs" / "PROTOCOL.md").read_text()
SPEC = (ROOT / "docs" / "SPEC.md").read_text()
OPERATIONS = (ROOT / "docs" / "OPERATIONS.md").read_text()
SECURITY_MODEL = (ROOT / "docs" / "SECURITY_MODEL.md").read_text()


def parts(text: str, level: str) -> dict[str, str]:
    """The text under each heading of a level, up to the next heading of that level or above."""
    sections = {}
    for piece in re.split(rf"^(?={level} )", text, flags=re.M)[1:]:
        title, _, body = piece.partition("\n")
        above = re.search(rf"^#{{1,{len(level)}}} ", body, flags=re.M)
        sections[title.removeprefix(level).strip().strip("`")] = body[: above.start()] if above else body
    return sections


def rows(text: str) -> Iterator[list[str]]:
    """The rows of every table in some Markdown, without the header rows."""
    for line in text.splitlines():
        if line.startswith("|") and not set(line) <= set("|- "):
            yield [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def first_cells(text: str) -> set[str]:
    """The names in backticks in the first column of the tables in some Markdown."""
    return {name for row in rows(text) for name in re.findall(r"`([^`]+)`", row[0])}
