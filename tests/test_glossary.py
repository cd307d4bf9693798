"""docs/GLOSSARY.md names each term once and says where it is in the code.

It is checked against the code both ways: each term is found where its row says, and every message kind,
section, table action, contract type and package has a row. `test_planted_faults_are_found` checks the check.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple, get_args

import pytest

import games
import games.api
from hub.wire import messages
from tests.replaced_names import GONE
from tests.source_names import ROOT, python_names, typescript_names, write_tree

GLOSSARY: Final = "docs/GLOSSARY.md"


class Row(NamedTuple):
    """A term with its names, one sentence, and the files and names that define it."""

    terms: tuple[str, ...]
    meaning: str
    files: tuple[str, ...]
    names: tuple[str, ...]


def glossary_rows(text: str) -> list[Row]:
    rows = []
    for line in text.splitlines():
        if not line.startswith("|") or set(line) <= set("|- ") or line.startswith("| term "):
            continue
        term, meaning, place = (cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1])
        ticked = re.findall(r"`([^`]+)`", place)
        files = tuple(name for name in ticked if "/" in name)
        coded = tuple(re.findall(r"`([^`]+)`", term))
        terms = tuple(part.strip().strip("`") for part in term.split(","))
        rows.append(Row(terms, meaning, files, (*coded, *(name for name in ticked if "/" not in name))))
    return rows


def faults(text: str, root: Path, required: Iterable[str], packages: Iterable[str]) -> Iterator[str]:
    """The faults of a glossary, as readable lines."""
    rows = glossary_rows(text)
    for term, count in Counter(chain.from_iterable(row.terms for row in rows)).items():
        if count > 1:
            yield f"{term}: {count} rows"
    for row in rows:
        term = row.terms[0]
        if not row.meaning.endswith(".") or re.search(r"[.;:] [A-Z]", row.meaning):
            yield f"{term}: not one sentence"
        if not row.files:
            yield f"{term}: no file"
        known: set[str] = set()
        for file in row.files:
            if not (root / file).exists():
                yield f"{term}: no file {file}"
            elif file.endswith("/"):
                known.add(Path(file).name)
            else:
                known |= known_names((root / file).read_text(), file)
        if not row.names and not any(file.endswith("/") for file in row.files):
            yield f"{term}: no name in the code"
        for name in row.names:
            if name not in known:
                yield f"{term}: no {name} in {', '.join(row.files)}"
    every_term = set(chain.from_iterable(row.terms for row in rows))
    yield from (
        f"{name}: no row, and it is a name on the wire, in the contract or of sections in three games"
        for name in required
        if name not in every_term
    )
    every_file = set(chain.from_iterable(row.files for row in rows))
    yield from (f"{package}: no row" for package in packages if package not in every_file)


@cache
def known_names(text: str, path: str) -> frozenset[str]:
    """The names a file defines; for one of the store's scripts or a page, its words.

    Many rows name the same file.
    """
    if path.endswith(".py"):
        attributes = (node.attr for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Attribute))
        return frozenset(chain((name.name for name in python_names(text, path)), attributes))
    if path.endswith((".ts", ".svelte")):
        return frozenset(name.name for name in typescript_names(text, path))
    return frozenset(re.findall(r"\w+", text))


BASES: Final = ("Struct", "MoveBase")
"""Classes in the contract that only serve as bases of others."""


def required_terms() -> Iterator[str]:
    """The terms that need a row: every name on the wire or in the contract."""
    kinds = (*get_args(messages.ToHub), *get_args(messages.ToClient), *get_args(messages.Act))
    yield from (kind.__struct_config__.tag for kind in kinds)
    yield from messages.HUB_SECTIONS
    shared = Counter(section for entry in games.GAMES.values() for section in entry.game.sections)
    yield from (section for section, count in shared.items() if count >= 3)
    for name, value in vars(games.api).items():
        if isinstance(value, type) and value.__module__ == games.api.__name__ and name not in BASES:
            yield name


def packages(root: Path) -> Iterator[str]:
    """The hub's folders, and the folders in games/ that are not games."""
    for file in sorted([*root.glob("hub/*/__init__.py"), *root.glob("games/*/__init__.py")]):
        if file.parent.name not in {entry.bot.__module__.split(".")[1] for entry in games.GAMES.values()}:
            yield f"{file.parent.relative_to(root).as_posix()}/"


def test_the_glossary_and_the_code_agree() -> None:
    text = (ROOT / GLOSSARY).read_text()
    assert list(faults(text, ROOT, required_terms(), packages(ROOT))) == []


def test_no_term_of_the_glossary_is_an_old_name() -> None:
    rows = glossary_rows((ROOT / GLOSSARY).read_text())
    old = {rule.old for rule in GONE if rule.where == ("",)}
    assert {term for row in rows for term in row.terms} & old == set()


GOOD: Final = (
    "| seat, `Seat` | A place. | `games/api.py` |\n"
    "| `hello` | The first. | `hub/wire/` `hub/wire/messages.py` |"
)

PLANTED_GLOSSARIES: Final = {
    "a term twice": f"{GOOD}\n| seat | Another sense. | `games/api.py` `Seat` |",
    "two sentences": GOOD.replace("A place.", "A place. It has a number."),
    "no full stop": GOOD.replace("A place.", "A place"),
    "a name that is not there": GOOD.replace("`Seat`", "`Chair`"),
    "a name that is elsewhere": f"{GOOD}\n| table | What it says. | `games/api.py` `Table` |",
    "a file that is not there": GOOD.replace("games/api.py", "games/contract.py"),
    "no place": GOOD.replace("`games/api.py`", ""),
    "no name": GOOD.replace("seat, `Seat`", "seat"),
    "a term without a row": GOOD.replace("`hello` |", "greeting |"),
    "a package without a row": GOOD.replace("`hub/wire/` ", ""),
}


def test_a_good_glossary_passes(tmp_path: Path) -> None:
    assert list(faults(GOOD, glossary_tree(tmp_path), ["hello"], ["hub/wire/"])) == []


@pytest.mark.parametrize("text", PLANTED_GLOSSARIES.values(), ids=PLANTED_GLOSSARIES)
def test_planted_faults_are_found(tmp_path: Path, text: str) -> None:
    assert list(faults(text, glossary_tree(tmp_path), ["hello"], ["hub/wire/"]))


def glossary_tree(root: Path) -> Path:
    write_tree(
        root,
        {"games/api.py": "Seat = int", "hub/wire/messages.py": "class Hello(In, tag='hello'):\n    pass"},
    )
    return root
