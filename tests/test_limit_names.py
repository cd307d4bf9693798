"""docs/OPERATIONS.md names every limit under which the hub counts refusals, and no other.

The names are read from the source with ast: those in `limited["..."]`, and those passed to a function that
uses one of its parameters there.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

import pytest

from tests.test_docs import OPERATIONS, first_cells, parts

ROOT = Path(__file__).resolve().parent.parent

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


def limit_names(source: str) -> set[str]:
    """The names in one module. Raises AssertionError for one that is neither a literal nor a parameter."""
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, Function)]
    names: set[str] = set()
    followed: set[tuple[str, int]] = set()

    def note(value: ast.expr, function: Function) -> None:
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            names.add(value.value)
            return
        parameters = [argument.arg for argument in function.args.args if argument.arg != "self"]
        assert isinstance(value, ast.Name), f"line {value.lineno}: not a literal: {ast.unparse(value)}"
        assert value.id in parameters, f"line {value.lineno}: not a parameter: {value.id}"
        place = (function.name, parameters.index(value.id))
        if place not in followed:
            followed.add(place)
            for caller in functions:
                for call in calls(caller, function.name):
                    note(call.args[place[1]], caller)

    for function in functions:
        for subscript in counted(function):
            note(subscript.slice, function)
    return names


def counted(function: Function) -> Iterator[ast.Subscript]:
    """The places where a function counts: `limited[...] += 1`."""
    for node in ast.walk(function):
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Subscript):
            counter = node.target.value
            name = counter.attr if isinstance(counter, ast.Attribute) else ast.unparse(counter)
            if name.strip("_") == "limited":
                yield node.target


def calls(function: Function, name: str) -> Iterator[ast.Call]:
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in (name, f"self.{name}"):
            yield node


def test_every_limit_is_there() -> None:
    names: set[str] = set()
    for file in sorted((ROOT / "hub").rglob("*.py")):
        names |= limit_names(file.read_text())
    assert len(names) > 20
    assert first_cells(parts(OPERATIONS, "##")["Limits"]) == names


def test_names_are_found() -> None:
    source = """
class Limits:
    def take(self, metrics):
        metrics.limited["rooms"] += 1
        self._check("places", 1)

    async def add(self):
        self._limited["people"] += 1
        self.other["nothing"] += 1

    def _check(self, name, wait):
        self._refuse(wait, name)

    def _refuse(self, wait, name):
        self.limited[name] += 1
        self._refuse(wait, "again")
"""
    assert limit_names(source) == {"rooms", "places", "people", "again"}


@pytest.mark.parametrize("name", ["NAME", "self.name", "f'{name} rooms'"])
def test_a_name_that_cannot_be_read_is_found(name: str) -> None:
    with pytest.raises(AssertionError):
        limit_names(f"def take(metrics):\n    metrics.limited[{name}] += 1\n")
