"""Functions are named by verbs, not by past participles: `number_lines`, not `numbered`.

A participle says what has happened to a value, so it is left to values: variables, fields and properties.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parent.parent
SOURCES: Final = ("hub", "games", "bench", "tools")

EXEMPT: Final[Mapping[str, str]] = {
    "abandoned": "a callback of the hub's ports: the connection or the room was given up",
    "closed": "a callback of the WebSocket listener: the socket is closed",
    "done": "part of the games' kit: by seat, whether it is done",
    "done_of": "looks up `done`",
    "unnamed": "an adjective: a bot without a character's name",
    "_unsupported_upgrade_warning": "overrides a method of uvicorn's",
}
"""The functions that may be named by a participle, and why."""

NOT_PARTICIPLES: Final = frozenset(["embed", "exceed", "feed", "need", "proceed", "seed", "speed", "succeed"])
"""Words that only end like a participle."""

IRREGULAR: Final = frozenset(
    re.findall(
        r"\w+",
        """
    begun bent bound bought broken brought built caught chosen dealt done drawn driven drunk eaten
    fallen felt fought forbidden forgotten found frozen given gone grown heard held hidden kept known
    laid led left lent lost made meant met paid risen said seen sent shaken shown sold sought spent
    spoken spun stolen stood struck stuck sunk sworn taken taught thought thrown told torn understood
    unseen unwound withdrawn woken won worn wound woven written
        """,
    )
)
"""Participles not in -ed; without those that are also the verb, such as `put`, `read`, `run` and `set`."""


def is_participle(word: str) -> bool:
    return word in IRREGULAR or (word.endswith("ed") and word not in NOT_PARTICIPLES)


def is_property(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(ast.unparse(decorator).endswith("property") for decorator in function.decorator_list)


def begins_with_participle(name: str) -> bool:
    return is_participle(name.strip("_").split("_")[0])


def participles(source: str) -> Iterator[str]:
    """The functions in a source, in any scope, whose name is or begins with a past participle.

    Only a source that seems to have one is parsed.
    """
    if not any(map(begins_with_participle, re.findall(r"\bdef\s+(\w+)", source))):
        return
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            and begins_with_participle(node.name)
            and not is_property(node)
        ):
            yield node.name


def test_functions_are_named_by_verbs() -> None:
    names = {
        f"{path.relative_to(ROOT)}: {name}": name
        for top in SOURCES
        for path in sorted((ROOT / top).rglob("*.py"))
        for name in participles(path.read_text())
    }
    assert {place for place, name in names.items() if name not in EXEMPT} == set()
    assert set(EXEMPT) == set(names.values()), "an exemption is not needed"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def numbered(): ...", ["numbered"]),
        ("def _seen_section(): ...", ["_seen_section"]),
        ("async def told(): ...", ["told"]),
        ("class Draft:\n    def taken(self): ...", ["taken"]),
        ("def run():\n    def failed(): ...", ["failed"]),
        ("def number_lines(): ...\ndef read_table(): ...\ndef set_seed(): ...\ndef _need(): ...", []),
        ("def list_known(): ...", []),
        ("class Batch:\n    @property\n    def spent(self): ...", []),
    ],
)
def test_a_participle_is_found(source: str, expected: list[str]) -> None:
    assert list(participles(source)) == expected
