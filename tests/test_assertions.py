"""Every test asserts something, in its own body or in a helper that it calls."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

import pytest

from tests.source_names import ROOT, statements, walk

HELPERS = ("tests", "games/testing")
BY_A_MACHINE = {"run_state_machine_as_test"}
"""From hypothesis: runs the assertions of a state machine's rules."""

Node: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


class Function(NamedTuple):
    """What a function says about assertions; a file's tree is not kept."""

    name: str
    asserts: bool
    """Whether it has a statement that can fail: `assert`, `raise`, or `pytest.raises`."""
    called: frozenset[str] = frozenset()
    """If it does not assert: the functions it calls, by name; for methods, the last part of the name."""


def functions(tree: ast.AST) -> Iterator[Function]:
    """All functions, also those inside others."""
    return (describe(node) for node in statements(tree) if isinstance(node, Node))


def describe(function: Node) -> Function:
    called = set()
    for node in walk(function):
        match node:
            case ast.Assert() | ast.Raise() | ast.Attribute(attr="raises"):
                return Function(function.name, asserts=True)
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                called.add(name)
            case _:
                pass
    return Function(function.name, asserts=False, called=frozenset(called))


def asserting(helpers: Iterable[Function]) -> set[str]:
    """The names of helpers that assert, directly or through other helpers."""
    names = {helper.name for helper in helpers if helper.asserts} | BY_A_MACHINE
    while more := {helper.name for helper in helpers if helper.called & names} - names:
        names |= more
    return names


def without_assertion(file_functions: Iterable[Function], helpers: set[str]) -> list[str]:
    """The tests of a file that cannot fail."""
    tests = [function for function in file_functions if function.name.startswith("test_")]
    return [test.name for test in tests if not test.asserts and not test.called & helpers]


def test_every_test_asserts() -> None:
    files = {
        path: list(functions(ast.parse(path.read_text())))
        for top in HELPERS
        for path in sorted((ROOT / top).rglob("*.py"))
    }
    every = [function for file_functions in files.values() for function in file_functions]
    helpers = asserting([function for function in every if not function.name.startswith("test_")])
    missing = {
        f"{path.relative_to(ROOT)}: {name}"
        for path, file_functions in files.items()
        for name in without_assertion(file_functions, helpers)
    }
    assert missing == set()


@pytest.mark.parametrize(
    ("body", "without"),
    [
        ("assert game.over", []),
        ("with pytest.raises(ValueError): game.move()", []),
        ("conform(game)", []),
        ("while not game.over: pass", ["test_game"]),
        ("game.move()", ["test_game"]),
    ],
)
def test_a_test_without_an_assertion_is_found(body: str, without: list[str]) -> None:
    tree = ast.parse(f"def test_game():\n    {body}\n")
    assert without_assertion(functions(tree), {"conform"}) == without
