"""docs/ARCHITECTURE.md shows the path of one move as it is in the code; README and CONTRIBUTING agree.

Each row of its table names an existing file and the functions it calls, which the file mentions and the
callee defines. `test_planted` runs the check on tables with false claims.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from tests import test_imports

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "ARCHITECTURE.md").read_text()


CONTRACT: Final = "games/api.py"
"""Calls to it run in a game's rules."""


def is_rules(file: str) -> bool:
    """Whether a file implements the contract: a game's rules, or the kit's base of games with timers."""
    return re.fullmatch(r"games/(\w+/rules/\w+|kit/timed_game)\.py", file) is not None


class Call(NamedTuple):
    """An arrow in the diagram: functions a file calls in another, and the file that links the two, if any."""

    names: tuple[str, ...]
    callee: str
    tied_in: str | None


class Stop(NamedTuple):
    """One file on the path of a move, and the call that leads to the next."""

    file: str
    call: Call | None


def stops(page: str) -> list[Stop]:
    steps = []
    for line in page.splitlines():
        row = re.fullmatch(r"\| \d+ \| `([^`]+)` \| [^|]+ \| ?([^|]*) ?\|", line)
        if row is None:
            continue
        file, cell = row[1], row[2].strip()
        call = re.fullmatch(r"(.+) in `([^`]+)`(?: through `([^`]+)`)?", cell)
        assert (call is None) == (cell == ""), f"cannot read {cell!r}"
        names = tuple(re.findall(r"`(\w+)`", call[1])) if call else ()
        steps.append(Stop(file, Call(names, call[2], call[3]) if call else None))
    return steps


def lies(page: str, root: Path) -> Iterator[str]:
    """Claims in a table that the source tree contradicts."""
    for number, stop in enumerate(stops(page), 1):
        call = stop.call
        files = {stop.file, *((call.callee, call.tied_in or call.callee) if call else ())}
        absent = {file for file in files if not (root / file).exists()}
        yield from (f"{number}: no file {file}" for file in sorted(absent))
        if absent or call is None:
            continue
        caller = call.tied_in or stop.file
        for name in call.names:
            if name not in mentioned(root / caller):
                yield f"{number}: {caller} does not mention {name}"
            if name not in defined(root / call.callee):
                yield f"{number}: {call.callee} does not define {name}"


def mentioned(file: Path) -> set[str]:
    """Every name a Python file uses, and the files it names in strings."""
    tree = ast.parse(file.read_text())
    attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    plain = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    return attributes | plain | {text.removesuffix(".lua") for text in texts if isinstance(text, str)}


def defined(file: Path) -> set[str]:
    """The functions of a Python file; for a script, its own name."""
    if file.suffix != ".py":
        return {file.stem}
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {node.name for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, functions)}


def test_the_way_of_one_move() -> None:
    assert len(stops(PAGE)) == 20
    assert list(lies(PAGE, ROOT)) == []


def test_each_call_leads_to_the_next_stop() -> None:
    """Each call leads to the next stop or to an earlier one; the contract leads to rules."""
    way = stops(PAGE)
    for i, stop in enumerate(way[:-1]):
        if stop.call is not None:
            before = {earlier.file for earlier in way[:i]}
            following = way[i + 1].file
            reached = {CONTRACT} if any(map(is_rules, (*before, following))) else set()
            assert stop.call.callee in {following, *before, *reached}, stop


def test_the_drawing_names_the_stops() -> None:
    (drawing,) = re.findall(r"```text\n( browser.*?)```", PAGE, flags=re.S)
    for stop in stops(PAGE):
        name = "rules" if is_rules(stop.file) else Path(stop.file).name.replace(".py", "")
        name = name.replace("commands", "decide")
        assert name.replace("pipe", "commit pipe") in drawing or name == "room", name


def test_every_folder_is_there() -> None:
    named = [path for line in PAGE.splitlines() if line.startswith("| `") for path in cells(line)]
    assert len(named) > 12
    for path in named:
        assert (ROOT / path.replace("<game>", "almost")).exists(), path
    packages = {f"hub/{file.parent.name}/" for file in ROOT.glob("hub/*/__init__.py")}
    assert packages <= set(named)


def cells(line: str) -> list[str]:
    return re.findall(r"`([^`]+)`", line.split("|")[1])


def test_readme_goes_the_same_way() -> None:
    (part,) = re.findall(r"\*\*Look inside\.\*\*(.*?)\n\n", (ROOT / "README.md").read_text(), flags=re.S)
    files = re.findall(r"\]\(((?:hub|games)/[^)]+)\)", part)
    way = iter([file for stop in stops(PAGE) for file in (stop.file, stop.call and stop.call.tied_in)])
    assert len(files) > 6
    assert [file for file in files if file not in way] == []  # in order, since `in` consumes the iterator


def test_the_chain_of_imports_is_the_one_that_is_proved() -> None:
    chains = re.findall(r"^games.* <- .*", PAGE, flags=re.M)
    assert len(chains) == 2
    proved = " ".join((test_imports.__doc__ or "").split())
    contributing = (ROOT / "CONTRIBUTING.md").read_text()
    for chain in chains:
        assert chain in proved
        assert chain in contributing


TRUE: Final = "| 1 | `a.py` | Asks. | `f` in `b.py` |\n| 2 | `b.py` | Answers. | |"
LIES: Final = {
    "a file that is not there": TRUE.replace("`a.py`", "`c.py`"),
    "a callee that is not there": TRUE.replace("in `b.py`", "in `c.py`"),
    "a call that is not made": TRUE.replace("`f` in `b.py`", "`g` in `b.py`"),
    "a call of what is not defined": TRUE.replace("`f` in `b.py`", "`h` in `b.py`"),
    "a tie that ties nothing": TRUE.replace("`f` in `b.py`", "`f` in `b.py` through `b.py`"),
    "the wrong way round": "| 1 | `b.py` | Asks. | `f` in `a.py` |",
}


def tree(root: Path) -> Path:
    (root / "a.py").write_text("import b\n\nb.f()\nb.h\n")
    (root / "b.py").write_text("def f(): ...\ndef g(): ...\n")
    return root


def test_a_true_table_passes(tmp_path: Path) -> None:
    assert list(lies(TRUE, tree(tmp_path))) == []


@pytest.mark.parametrize("page", LIES.values(), ids=LIES)
def test_planted(tmp_path: Path, page: str) -> None:
    assert list(lies(page, tree(tmp_path)))
