"""The names in the project's sources, with their kinds and places.

They are read from the syntax trees of the Python sources, from the TypeScript sources and from
docs/PROTOCOL.md.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PYTHON: Final = ("hub", "games", "tests", "tools", "bench")
TYPESCRIPT: Final = ("client-js/src", "client-js/tests", "client-js/build")
GENERATED: Final = "client-js/src/sdk/wire.gen.ts"
PROTOCOL: Final = "docs/PROTOCOL.md"
UNSEARCHED: Final = "tests/replaced_names.py"
"""The one file that may contain replaced names: it lists them."""


class Name(NamedTuple):
    """A name in the source, with its kind and place."""

    kind: str
    name: str
    path: str
    line: int


NAMING: Final = frozenset(
    {
        ast.ClassDef,
        ast.FunctionDef,
        ast.AsyncFunctionDef,
        ast.arg,
        ast.Name,
        ast.Attribute,
        ast.Assign,
        ast.AnnAssign,
        ast.Constant,
    }
)
"""The kinds of nodes below that name something; most nodes are of other kinds."""


def python_names(text: str, path: str) -> Iterator[Name]:
    yield Name("module", Path(path).stem, path, 1)
    tree = ast.parse(text, path)
    fields: set[ast.Name] = set()
    for statement in tree.body:
        for target in targets(statement):
            yield Name("constant", target.id, path, target.lineno)
    for node in walk(tree):
        if type(node) not in NAMING:
            continue
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


def walk(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes of a tree but loads and stores, in no order; `ast.walk` takes half as long again."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        for field in node._fields:
            value = getattr(node, field, None)
            if isinstance(value, list):
                waiting.extend([one for one in value if isinstance(one, ast.AST)])
            elif isinstance(value, ast.AST) and not isinstance(value, ast.expr_context):
                waiting.append(value)


BLOCKS: Final = ("body", "orelse", "finalbody", "handlers", "cases")
"""Where a statement has others inside."""


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """A tree and all statements in it; expressions, which are most of a tree, contain none."""
    yield tree
    for block in BLOCKS:
        inner = getattr(tree, block, ())
        for statement in inner if isinstance(inner, list) else ():
            yield from statements(statement)


def targets(node: ast.AST) -> Iterator[ast.Name]:
    """The plain names a statement assigns to."""
    match node:
        case ast.Assign():
            yield from (target for target in node.targets if isinstance(target, ast.Name))
        case ast.AnnAssign(target=ast.Name() as target):
            yield target
        case _:
            pass


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


def names(root: Path, matters: Callable[[str, str], bool] = lambda _path, _text: True) -> Iterator[Name]:
    """Every name in the tree; of the Python sources, only in those that matter, by path and text."""
    for path in source_files(root, PYTHON, (".py",)):
        text = (root / path).read_text()
        if matters(path, text):
            yield from python_names(text, path)
    for path in source_files(root, TYPESCRIPT, (".ts", ".svelte")):
        yield from typescript_names((root / path).read_text(), path)
    if (root / PROTOCOL).exists():
        yield from protocol_names((root / PROTOCOL).read_text(), PROTOCOL)


def source_files(root: Path, folders: Iterable[str], endings: tuple[str, ...]) -> Iterator[str]:
    for folder in folders:
        for file in sorted((root / folder).rglob("*")):
            path = file.relative_to(root).as_posix()
            if path.endswith(endings) and path != UNSEARCHED:
                yield path


def write_tree(root: Path, files: Mapping[str, str]) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text + "\n")
