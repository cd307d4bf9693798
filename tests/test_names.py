"""No replaced name is left in use, and no variable is named after a pronoun.

Old names are searched for by kind, since a word may be wrong as one kind of name and right as another: a game
may have a move `pick`, but the contract may have no domain of that name. `test_planted_*` check that each
rule finds a breach.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.replaced_names import ANY, GONE, GONE_PREFIXES, Gone
from tests.source_names import GENERATED, PROTOCOL, ROOT, Name, names, write_tree

PRONOUNS: Final = frozenset({"now", "here", "where", "found", "told", "mine", "own", "made", "taken"})
"""Words that say nothing about what a thing is: no variable or argument may have such a name."""

PRONOUN_FREE: Final = ("hub/", "games/", "tools/", "bench/")
"""Folders in which no name may be a pronoun."""

OLD_PREFIXES: Final = tuple(old for old, _new, _kind in GONE_PREFIXES)


def pronouns(all_names: Iterable[Name], free: tuple[str, ...] = PRONOUN_FREE) -> Iterator[str]:
    for name in all_names:
        if name.kind in ("argument", "variable") and name.name in PRONOUNS and name.path.startswith(free):
            yield f"{name.path}:{name.line}: {name.kind} {name.name} is a pronoun"


def left_over(all_names: Iterable[Name]) -> Iterator[str]:
    """Each old name still in use as its kind, as one readable line; a metric is searched for word by word."""
    rules: dict[str, list[Gone]] = {}
    for rule in GONE:
        rules.setdefault(rule.old, []).append(rule)
    for name in all_names:
        for word in name.name.split("_") if name.kind == "metric" else (name.name,):
            for rule in rules.get(word, ()):
                if name.kind in rule.kinds and name.path.startswith(rule.where):
                    yield f"{name.path}:{name.line}: {name.kind} {name.name}: {word} is called {rule.new} now"
        for old, new, kind in GONE_PREFIXES:
            if name.kind == kind and name.name.startswith(old):
                yield f"{name.path}:{name.line}: {kind} {name.name}: {old} is called {new} now"


QUOTED: Final = r"(?:\"{3}(?:[^\\]|\\.)*?\"{3}|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')"
NO_CODE: Final = re.compile(rf"(\b(?:[fF][rR]?|[rR][fF]){QUOTED})|{QUOTED}|#[^\n]*", re.DOTALL)
"""Strings, and comments; most words in them are plain English. Only an f-string (group 1) has code inside."""


def may_breach(path: str, text: str) -> bool:
    """Whether a file has any word that a rule forbids there, in code or as a whole string.

    Most files have none, and need not be parsed.
    """
    module = Path(path).stem
    words = {*re.findall(r"\w+", NO_CODE.sub(r"\1 ", text)), *re.findall(r"[\"'](\w+)[\"']", text)}
    words.update([word.removeprefix("_") for word in words])
    words.update(*[word.split("_") for word in words if word.startswith("parley_")])
    return (
        any(
            (rule.old == module or (rule.old in words and rule.kinds != {"module"}))
            and path.startswith(rule.where)
            for rule in GONE
        )
        or any(word.startswith(OLD_PREFIXES) for word in (module, *words))
        or (path.startswith(PRONOUN_FREE) and not words.isdisjoint(PRONOUNS))
    )


def test_no_old_name_is_left() -> None:
    every_name = list(names(ROOT, may_breach))
    assert {name.kind for name in every_name} == {*ANY, "code", "metric"}
    assert list(left_over(every_name)) == []
    assert list(pronouns(every_name)) == []


PLANTED_NAMES: Final = {
    "a class": ("hub/runtime/bots.py", "class Thinker:\n    pass"),
    "a domain": ("games/api.py", "class Bag(Struct, frozen=True):\n    pass"),
    "a domain's tag": ("games/api.py", "class OneOf(Struct, frozen=True, tag='pick'):\n    pass"),
    "a struct's field": ("games/api.py", "class Window:\n    shows: tuple[str, ...] = ()"),
    "an attribute": ("hub/runtime/actor.py", "class Room:\n    def f(self):\n        self._keeper = 1"),
    "a field of the wire": ("hub/wire/messages.py", "class Do:\n    attach: int"),
    "a kind of the wire": ("hub/wire/messages.py", "class Ask(In, tag='prompt'):\n    pass"),
    "a section of the hub": ("hub/wire/messages.py", "HUB_SECTIONS = {'manners': 1}"),
    "a section of a game": ("games/almost/rules/game.py", "class Almost:\n    sections = {'lights': 1}"),
    "a method": ("hub/store/lease.py", "class Lease:\n    def stands(self):\n        pass"),
    "a coroutine": ("hub/runtime/registry.py", "async def prove():\n    pass"),
    "an argument": ("tests/toy.py", "def view(manners):\n    pass"),
    "a variable": ("games/kit/time_control.py", "def f():\n    autos = 1"),
    "a constant": ("hub/runtime/actor.py", "EMPTY = 60_000"),
    "a limit": ("hub/store/policy.py", "MOST_ENTRIES = 9"),
    "a refusal": ("hub/table/room.py", "f('STALE_ASK')"),
    "a module": ("games/almost/rules/openings.py", ""),
    "a module of the tests": ("tests/games/slow_market.py", ""),
    "a metric": ("hub/telemetry/metrics.py", "gauge('parley_attaches_total')"),
    "a generated type": (GENERATED, "export interface Manners {\n}"),
    "a generated field": (GENERATED, "export interface Welcome {\n  readonly run: string\n}"),
    "a generated section": (GENERATED, "export interface Sections {\n  readonly lights?: Readiness\n}"),
    "a client's module": ("client-js/src/games/almost/picking.svelte.ts", ""),
    "a client's class": ("client-js/src/app/state.ts", "export class Picking {\n}"),
    "a client's constant": ("client-js/src/sdk/socket.ts", "const PENANCE = 4"),
    "a message in the protocol": (PROTOCOL, "#### `attach`"),
    "a field in the protocol": (PROTOCOL, "#### `welcome`\n\n| `run` | text | |"),
    "a section in the protocol": (PROTOCOL, "### Sections\n\n| `manners` | `mode` |"),
    "a section's field in the protocol": (PROTOCOL, "### Sections\n\n| `presence` | `here` |"),
    "a refusal in the protocol": (PROTOCOL, "### Refusals\n\n| `STALE_ASK` | not open |"),
}

ALLOWED_NAMES: Final = {
    "games/api.py": "class Window:\n    sections: tuple[str, ...] = ()",
    "games/takeover/rules/values.py": "class Pick(MoveBase, tag='pick'):\n    seat: int",
    "hub/runtime/actor.py": "class Actor:\n    def run(self):\n        return 'Ask whoever looks here'",
    "hub/telemetry/metrics.py": "gauge('parley_commands_total')",
    "client-js/src/app/look.ts": "// a pick of what was said here\nexport function look() {}",
    PROTOCOL: "#### `welcome`\n\nAsk, look, run.\n\n| field |\n|---|\n| `epoch` | `run` |",
}


def test_allowed_names_pass(tmp_path: Path) -> None:
    write_tree(tmp_path, ALLOWED_NAMES)
    assert list(left_over(names(tmp_path))) == []


@pytest.mark.parametrize(("path", "text"), PLANTED_NAMES.values(), ids=PLANTED_NAMES)
def test_planted_old_names_are_found(tmp_path: Path, path: str, text: str) -> None:
    write_tree(tmp_path, ALLOWED_NAMES)
    write_tree(tmp_path, {path: text})
    breaches = list(left_over(names(tmp_path, may_breach)))
    assert breaches
    assert all(line.startswith(f"{path}:") for line in breaches)


@pytest.mark.parametrize("rule", GONE, ids=lambda rule: f"{rule.old} as {min(rule.kinds)}")
def test_each_rule_finds_its_name(rule: Gone) -> None:
    planted = [Name(kind, rule.old, rule.where[0], 1) for kind in rule.kinds]
    assert len(list(left_over(planted))) >= len(planted)


@pytest.mark.parametrize(
    "text", ["def f(here):\n    pass", "def f():\n    found = 1", "for mine in ():\n    pass"]
)
def test_planted_pronouns_are_found(tmp_path: Path, text: str) -> None:
    write_tree(tmp_path, {**ALLOWED_NAMES, "hub/wire/codec.py": text})
    assert len(list(pronouns(names(tmp_path, may_breach), ("hub/",)))) == 1
    assert list(pronouns(names(tmp_path), ("hub/table/",))) == []
