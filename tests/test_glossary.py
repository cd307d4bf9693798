"""docs/GLOSSARY.md names each term once and says where it is in the code; no old name is left in use.

The glossary is checked against the code both ways: each term is found where its row says, and every message
kind, section, table action, contract type and package has a row. Old names are searched for by kind, since a
word may be wrong as one kind of name and right as another: a game may have a move `pick`, but the contract
may have no domain of that name.

Names are read from the syntax trees of the Python sources, from the TypeScript sources and from
docs/PROTOCOL.md; `test_planted_*` checks that each rule finds a breach.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple, get_args

import pytest

import games
import games.api
from hub.wire import messages

ROOT = Path(__file__).resolve().parent.parent
PYTHON: Final = ("hub", "games", "tests", "tools", "bench")
TYPESCRIPT: Final = ("client-js/src", "client-js/tests", "client-js/build")
GENERATED: Final = "client-js/src/sdk/wire.gen.ts"
PROTOCOL: Final = "docs/PROTOCOL.md"
GLOSSARY: Final = "docs/GLOSSARY.md"


class Name(NamedTuple):
    """A name in the source, with its kind and place."""

    kind: str
    name: str
    path: str
    line: int


# --- names in Python ---


def python_names(text: str, path: str) -> Iterator[Name]:
    yield Name("module", Path(path).stem, path, 1)
    tree = ast.parse(text, path)
    fields: set[ast.Name] = set()
    for statement in tree.body:
        for target in targets(statement):
            yield Name("constant", target.id, path, target.lineno)
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef():
                yield Name("class", node.name, path, node.lineno)
                for target in chain.from_iterable(map(targets, node.body)):
                    fields.add(target)
                    yield Name("field", target.id, path, target.lineno)
                for keyword in node.keywords:
                    if keyword.arg == "tag" and isinstance(keyword.value, ast.Constant):
                        yield Name("tag", str(keyword.value.value), path, node.lineno)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield Name("function", node.name, path, node.lineno)
            case ast.arg():
                yield Name("argument", node.arg, path, node.lineno)
            case ast.Name(ctx=ast.Store()) if node not in fields:
                yield Name("variable", node.id, path, node.lineno)
            case ast.Attribute(value=ast.Name(id="self"), ctx=ast.Store()):
                yield Name("field", node.attr.removeprefix("_"), path, node.lineno)
            case ast.Assign() | ast.AnnAssign() if isinstance(node.value, ast.Dict):
                if any(target.id.lower().endswith("sections") for target in targets(node)):
                    for key in node.value.keys:
                        if isinstance(key, ast.Constant):
                            yield Name("section", str(key.value), path, key.lineno)
            case ast.Constant(value=str() as value):
                if re.fullmatch(r"parley_\w+", value):
                    yield Name("metric", value, path, node.lineno)
                elif re.fullmatch(r"[A-Z]+(_[A-Z]+)+", value):
                    yield Name("code", value, path, node.lineno)
            case _:
                pass


def targets(node: ast.AST) -> Iterator[ast.Name]:
    """The plain names a statement assigns to."""
    match node:
        case ast.Assign():
            yield from (target for target in node.targets if isinstance(target, ast.Name))
        case ast.AnnAssign(target=ast.Name() as target):
            yield target
        case _:
            pass


# --- names in TypeScript and in the protocol's page ---

TYPESCRIPT_NAMES: Final = (
    ("class", re.compile(r"^\s*(?:export )?(?:abstract )?(?:interface|type|class|enum) (\w+)", re.M)),
    ("function", re.compile(r"^\s*(?:export )?(?:async )?function (\w+)", re.M)),
    ("constant", re.compile(r"^(?:export )?(?:const|let) (\w+)", re.M)),
    ("variable", re.compile(r"^\s+(?:const|let) (\w+)", re.M)),
    ("field", re.compile(r"^\s+(?:private |public |static )*readonly (\w+)\??:", re.M)),
    ("tag", re.compile(r"^\s+readonly (?:t|do|move|type): \"(\w+)\"", re.M)),
    ("code", re.compile(r"\"([A-Z]+(?:_[A-Z]+)+)\"")),
)


def typescript_names(text: str, path: str) -> Iterator[Name]:
    yield Name("module", Path(path).name.partition(".")[0], path, 1)
    if path.endswith(".svelte"):
        return
    for kind, pattern in TYPESCRIPT_NAMES:
        for match in pattern.finditer(text):
            yield Name(kind, match[1], path, text.count("\n", 0, match.start(1)) + 1)


def protocol_names(text: str, path: str) -> Iterator[Name]:
    """Kinds are headings; fields, sections and codes are in the first column of their tables."""
    heading = ""
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#"):
            heading = line
            if kind := re.fullmatch(r"#### `(\w+)`", line):
                yield Name("tag", kind[1], path, number)
        elif line.startswith("| `"):
            first, *rest = re.split(r"(?<!\\)\|", line)[1:-1]
            for name in re.findall(r"`(\w+)`", first):
                if heading == "### Sections":
                    yield Name("section", name, path, number)
                elif name.isupper():
                    yield Name("code", name, path, number)
                else:
                    yield Name(
                        "tag" if heading == "#### `manage`" and len(rest) > 2 else "field", name, path, number
                    )
            if heading == "### Sections":
                for name in re.findall(r"`(\w+)`", "|".join(rest)):
                    yield Name("field", name, path, number)


def names(root: Path) -> Iterator[Name]:
    """Every name in the tree."""
    for path in source_files(root, PYTHON, (".py",)):
        yield from python_names((root / path).read_text(), path)
    for path in source_files(root, TYPESCRIPT, (".ts", ".svelte")):
        yield from typescript_names((root / path).read_text(), path)
    if (root / PROTOCOL).exists():
        yield from protocol_names((root / PROTOCOL).read_text(), PROTOCOL)


def source_files(root: Path, folders: Iterable[str], endings: tuple[str, ...]) -> Iterator[str]:
    for folder in folders:
        for file in sorted((root / folder).rglob("*")):
            if file.name.endswith(endings) and file.name != Path(__file__).name:
                yield file.relative_to(root).as_posix()


# --- old names ---

ANY: Final = frozenset(
    {"class", "function", "argument", "field", "variable", "constant", "tag", "section", "module"}
)
"""Every kind except codes and metrics, which are searched for by their own names."""
BORDER: Final = frozenset({"class", "field", "argument", "tag", "section", "metric"})
"""Names that cross a boundary: those of the wire, the contract, the store and the metrics."""
WIRE: Final = ("hub/wire/messages.py", GENERATED, PROTOCOL)
"""The protocol's files: a word may be wrong there and right elsewhere."""
CONTRACT: Final = ("games/api.py",)
TESTS: Final = ("tests/", "client-js/tests/")


class Gone(NamedTuple):
    """A replaced name, the kinds of names that may not use it again, and where (default: everywhere)."""

    old: str
    new: str
    kinds: frozenset[str]
    where: tuple[str, ...] = ("",)


def gone(pairs: Mapping[str, str], *kinds: str, where: tuple[str, ...] = ("",)) -> list[Gone]:
    return [Gone(old, new, frozenset(kinds) or ANY, where) for old, new in pairs.items()]


GONE: Final = (
    # terms that cross a boundary
    *gone({"Ask": "Prompt", "ask": "prompt", "asks": "prompts"}, *BORDER),
    *gone({"asks": "prompts"}, "function"),
    *gone({"STALE_ASK": "STALE_PROMPT"}, "code"),
    *gone({"Manners": "TalkPolicy", "manners": "talk_policy"}),
    *gone({"looks": "peeks", "Look": "Peek"}, "module", "class", "metric"),
    *gone({"look": "peek"}, "field", "section", where=(*CONTRACT, *WIRE)),
    *gone(
        {"Sight": "Observation", "sight": "observation"},
        *ANY - {"module"},
        where=("hub/", "games/", "tests/"),
    ),
    *gone({"touched": "affected_seats"}, "field", "argument"),
    *gone({"shows": "sections"}, "field", where=(*CONTRACT, "hub/", PROTOCOL)),
    *gone({"Pick": "OneOf", "Each": "PerSeat", "Bag": "Multiset"}, "class", where=CONTRACT),
    *gone({"pick": "one_of", "each": "per_seat", "bag": "multiset"}, "tag", where=CONTRACT),
    *gone(
        {"Line": "LogLine", "Entry": "Registration"}, "class", where=("hub/", "games/", "tests/", GENERATED)
    ),
    *gone({"Pace": "TimeControl", "pace": "time_control"}, *BORDER, "module", where=("games/", *WIRE)),
    *gone(
        {"autos": "missed_in_a_row", "LEAST": "MIN_TIMER", "AUTOS": "MISSES_BEFORE_AWAY"}, where=("games/",)
    ),
    *gone({"attach": "session", "attaches": "sessions"}, *BORDER - {"argument"}),
    *gone({"run": "epoch"}, "field", where=WIRE),
    *gone({"keeper": "substitute", "grant": "seat_generation"}, *BORDER),
    *gone(
        {"here": "connected", "said": "message"},
        "field",
        where=("hub/", "games/", "client-js/src/", PROTOCOL),
    ),
    *gone({"Lights": "Readiness", "lights": "readiness"}),
    # terms inside the hub
    *gone({"Asker": "Responder"}, "class"),
    *gone({"asker": "responder"}, "argument", "field"),
    *gone({"lost": "abandoned"}, "function", where=("hub/runtime/ports.py", "hub/net/")),
    *gone({"Deed": "InternalCommand, TableAction"}, "class", "constant", where=("hub/", "tests/")),
    *gone(
        {"Taken": "RoomCheckout, Ownership", "Kept": "TalkHistory", "Told": "NumberedLine"},
        "class",
        where=("hub/",),
    ),
    *gone(
        {"Doorway": "ConnectionContext", "Wires": "KeepaliveWheel", "_Careful": "_GeneralProtocol"}, "class"
    ),
    *gone({"SPOKES": "SLOTS", "TOGETHER": "MAX_COALESCED_BYTES"}, "constant"),
    *gone({"Minds": "BotExecutor", "Thought": "BotTask"}, "class"),
    *gone({"Moment": "PendingDecision", "Thinker": "BotScheduler"}, "class", where=("hub/",)),
    *gone({"stands": "is_frozen", "prove": "verify_ownership"}, "function", where=("hub/", "tests/")),
    *gone(
        {"SHARE": "MAX_PENDING_PER_SEAT", "ABSENT": "ABSENCE_TIMEOUT_MS", "EMPTY": "EMPTY_TIMEOUT_MS"},
        "constant",
        where=("hub/",),
    ),
    *gone({"Front": "SecurityHeadersMiddleware"}, "class"),
    *gone(
        {"Setting": "ReplayConfig", "Played": "ReplayedEntry", "Unplayable": "ReplayError"},
        "class",
        where=("hub/",),
    ),
    # terms inside the games
    *gone(
        {
            "openings": "prompts",
            "habits": "policy",
            "scene": "search_state",
            "course": "turn_flow",
            "survey": "features",
            "judging": "evaluation",
            "outlook": "evaluation",
            "reading": "observation",
            "unseen": "determinization",
            "minds": "bot_executor",
            "tabletime": "table_time",
        },
        "module",
    ),
    *gone({"Heart": "Allegiance", "Temper": "SkillLevel", "Taste": "EvaluationWeights"}, "class"),
    *gone({"Scales": "TradeEvaluator", "Idea": "Proposal"}, "class"),
    *gone({"Lens": "EvaluationOptions", "Mind": "BotContext"}, "class"),
    # the client and the tests
    *gone({"said": "format", "sight": "selectors", "picking": "selection"}, "module", where=("client-js/",)),
    *gone({"Picking": "Selection"}, "class"),
    *gone({"PENANCE": "RATE_LIMIT_BACKOFF"}, "constant"),
    *gone(
        {"rig": "in_process_hub", "house": "live_hub", "hand_clock": "manual_clock"}, "module", where=TESTS
    ),
    *gone({"HandClock": "ManualClock", "HandTime": "ManualClock"}, "class"),
)

GONE_PREFIXES: Final = (("slow_", "reference_", "module"), ("test_slow", "test_reference", "module"))
"""(prefix of the old name, prefix of the new one, kind)"""


PRONOUNS: Final = frozenset({"now", "here", "where", "found", "told", "mine", "own", "made", "taken"})
"""Words that say nothing about what a thing is: no variable or argument may have such a name."""

PRONOUN_FREE: Final = ("hub/", "games/", "tools/", "bench/")
"""Folders in which no name may be a pronoun."""


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


def test_no_old_name_is_left() -> None:
    every_name = list(names(ROOT))
    assert {name.kind for name in every_name} == {*ANY, "code", "metric"}
    assert list(left_over(every_name)) == []
    assert list(pronouns(every_name)) == []


# --- the glossary ---


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


def known_names(text: str, path: str) -> set[str]:
    """The names a file defines; for one of the store's scripts or a page, its words."""
    if path.endswith(".py"):
        known = {name.name for name in python_names(text, path)}
        return known | {node.attr for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Attribute)}
    if path.endswith((".ts", ".svelte")):
        return {name.name for name in typescript_names(text, path)}
    return set(re.findall(r"\w+", text))


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


# --- the rules catch what they should ---

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


def write_tree(root: Path, files: Mapping[str, str]) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text + "\n")


def test_allowed_names(tmp_path: Path) -> None:
    write_tree(tmp_path, ALLOWED_NAMES)
    assert list(left_over(names(tmp_path))) == []


@pytest.mark.parametrize(("path", "text"), PLANTED_NAMES.values(), ids=PLANTED_NAMES)
def test_planted_names(tmp_path: Path, path: str, text: str) -> None:
    write_tree(tmp_path, ALLOWED_NAMES)
    write_tree(tmp_path, {path: text})
    breaches = list(left_over(names(tmp_path)))
    assert breaches
    assert all(line.startswith(f"{path}:") for line in breaches)


@pytest.mark.parametrize("rule", GONE, ids=lambda rule: f"{rule.old} as {min(rule.kinds)}")
def test_each_rule_finds_its_name(rule: Gone) -> None:
    planted = [Name(kind, rule.old, rule.where[0], 1) for kind in rule.kinds]
    assert len(list(left_over(planted))) >= len(planted)


@pytest.mark.parametrize(
    "text", ["def f(here):\n    pass", "def f():\n    found = 1", "for mine in ():\n    pass"]
)
def test_planted_pronouns(tmp_path: Path, text: str) -> None:
    write_tree(tmp_path, {**ALLOWED_NAMES, "hub/wire/codec.py": text})
    assert len(list(pronouns(names(tmp_path), ("hub/",)))) == 1
    assert list(pronouns(names(tmp_path), ("hub/table/",))) == []


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
def test_planted_glossaries(tmp_path: Path, text: str) -> None:
    assert list(faults(text, glossary_tree(tmp_path), ["hello"], ["hub/wire/"]))


def glossary_tree(root: Path) -> Path:
    write_tree(
        root,
        {"games/api.py": "Seat = int", "hub/wire/messages.py": "class Hello(In, tag='hello'):\n    pass"},
    )
    return root
