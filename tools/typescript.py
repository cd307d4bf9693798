"""Generates TypeScript types for everything on the wire from the Python structs.

``python -m tools.typescript`` writes client-js/src/sdk/wire.gen.ts; with ``--check`` it only compares.
Messages and the hub's sections come from hub/wire/messages.py; each game in the registry adds its options,
moves and sections. A type without a safe form in TypeScript is an error. The keys and arguments of all
strings are written to client-js/src/app/texts/keys.gen.ts in the same way.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, NewType, Union, get_args, get_origin

import msgspec
from msgspec.structs import FieldInfo

from games import GAMES
from games.api import Argument, Domain, Game
from games.kit.texts import argument_names, read_catalogue
from games.kit.texts import messages as messages_in
from hub.table.table_change import TEXTS as TABLE_LINES
from hub.wire import messages

CLIENT: Final = Path(__file__).resolve().parent.parent / "client-js" / "src"
TARGET: Final = CLIENT / "sdk" / "wire.gen.ts"
KEYS: Final = CLIENT / "app" / "texts" / "keys.gen.ts"
SHELL: Final = CLIENT / "app" / "texts" / "en.json"
COMMAND: Final = "python -m tools.typescript"

HEADER: Final = f"""\
// Written by `{COMMAND}` from hub/wire/messages.py and the games' structs.
// Do not edit: change those and run it again.
"""

PLAIN: Final[Mapping[Any, str]] = {
    Any: "unknown",
    None: "null",
    NoneType: "null",
    bool: "boolean",
    int: "number",
    float: "number",
    str: "string",
    bytes: "Uint8Array",
}


ALIASES: Final[Mapping[Any, str]] = {messages.Act: "Act", Argument: "Argument", Domain: "Domain"}
"""Unions that are declared by name."""


class NoTypeScript(Exception):
    """A Python type on the wire has no TypeScript form; the message names it."""


class Writer:
    """Collects the declarations of structs, each under a unique name."""

    def __init__(self) -> None:
        self._declared: dict[str, tuple[type[msgspec.Struct], bool, str]] = {}
        self._aliases: dict[str, str] = {}

    def declarations(self) -> Iterator[str]:
        """The declarations so far, in the order in which their types were first used."""
        for name, union in self._aliases.items():
            yield f"export type {name} = {union}\n"
        for _, _, text in self._declared.values():
            yield text

    def expression(self, kind: Any, *, to_hub: bool) -> str:
        """The TypeScript form of a Python type; declares the structs it refers to. Raises NoTypeScript.

        `to_hub`: the client sends it and may leave out fields with defaults.
        """
        if isinstance(kind, NewType):
            return self.expression(kind.__supertype__, to_hub=to_hub)
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            return self._struct(kind, to_hub)
        if isinstance(kind, type) and issubclass(kind, Enum):
            return " | ".join(literal(member.value) for member in kind)
        if kind in PLAIN:
            return PLAIN[kind]
        if kind in ALIASES:
            name = ALIASES[kind]
            if name not in self._aliases:
                self._aliases[name] = self._compound(kind, to_hub)
            return name
        return self._compound(kind, to_hub)

    def _compound(self, kind: Any, to_hub: bool) -> str:
        arguments = get_args(kind)

        def inner(number: int) -> str:
            return self.expression(arguments[number], to_hub=to_hub)

        match get_origin(kind):
            case origin if origin is Annotated:
                return inner(0)
            case origin if origin is Literal:
                return " | ".join(literal(value) for value in arguments)
            case origin if origin is Union or origin is UnionType:
                return " | ".join(dict.fromkeys(inner(number) for number in range(len(arguments))))
            case origin if origin is tuple and Ellipsis not in arguments:
                return f"readonly [{', '.join(inner(number) for number in range(len(arguments)))}]"
            case origin if origin in (list, tuple, set, frozenset, Sequence):
                return f"readonly {parenthesize(inner(0))}[]"
            case origin if origin in (dict, Mapping):
                return f"Readonly<Record<{inner(0)}, {inner(1)}>>"
            case _:
                raise NoTypeScript(f"{kind!r} has no TypeScript form in tools/typescript.py")

    def _struct(self, cls: type[msgspec.Struct], to_hub: bool) -> str:
        name = struct_name(cls)
        declared = self._declared.get(name)
        fields = msgspec.structs.fields(cls)
        if declared is not None:
            namesake, was_to_hub, _ = declared
            if namesake is not cls:
                raise NoTypeScript(f"{namesake.__module__} and {cls.__module__} both have a struct {name}")
            if was_to_hub != to_hub and not all(field.required for field in fields):
                raise NoTypeScript(f"{name} travels both ways and has defaults: split it into two structs")
            return name
        self._declared[name] = (cls, to_hub, "")  # reserves the name, so that a struct may contain itself
        if cls.__struct_config__.array_like:
            body = self._tuple(name, fields, to_hub)
        else:
            body = self._object(name, cls, to_hub)
        self._declared[name] = (cls, to_hub, comment(cls) + body)
        return name

    def _tuple(self, name: str, fields: Iterable[FieldInfo], to_hub: bool) -> str:
        entries = (
            field.encode_name
            + (": " if field.required else "?: ")
            + self.expression(field.type, to_hub=to_hub)
            for field in fields
        )
        return f"export type {name} = readonly [{', '.join(entries)}]\n"

    def _object(self, name: str, cls: type[msgspec.Struct], to_hub: bool) -> str:
        config = cls.__struct_config__
        rows = [] if config.tag_field is None else [(config.tag_field, literal(config.tag))]
        optional = to_hub or config.omit_defaults
        for field in msgspec.structs.fields(cls):
            mark = "?" if optional and not field.required else ""
            rows.append((field.encode_name + mark, self.expression(field.type, to_hub=to_hub)))
        if not rows:
            return f"export type {name} = Readonly<Record<string, never>>\n"
        return table(name, rows)


def struct_name(cls: type[msgspec.Struct]) -> str:
    """The TypeScript name of a struct; those of a game begin with the game's name."""
    path = cls.__module__.split(".")
    if path[0] == "games" and len(path) > 2 and path[1] != "kit":
        prefix = pascal(path[1])
        return cls.__name__ if cls.__name__.startswith(prefix) else prefix + cls.__name__
    return cls.__name__


def pascal(key: str) -> str:
    return "".join(word.capitalize() for word in key.split("_"))


def literal(value: object) -> str:
    return json.dumps(value)


def parenthesize(expression: str) -> str:
    return f"({expression})" if " | " in expression or expression.startswith("readonly ") else expression


def comment(cls: type[msgspec.Struct]) -> str:
    """The first line of the struct's own docstring as a comment, if it has one."""
    text = cls.__dict__.get("__doc__") or ""
    first = text.strip().partition("\n")[0]
    return f"/** {first} */\n" if first else ""


def table(name: str, rows: Iterable[tuple[str, str]]) -> str:
    return (
        f"export interface {name} {{\n" + "".join(f"  readonly {key}: {kind}\n" for key, kind in rows) + "}\n"
    )


def constant(name: str, entries: Mapping[Any, str]) -> str:
    body = ""
    for key, text in entries.items():
        body += f"  {literal(key) if isinstance(key, str) else key}: {literal(text)},\n"
    return f"export const {name} = {{\n{body}}} as const\n"


def argument_types(texts: Mapping[str, str]) -> list[tuple[str, str]]:
    """For each key, the union of the names of the message's arguments."""
    return [
        (literal(key), " | ".join(literal(name) for name in argument_names(text)) or "never")
        for key, text in texts.items()
    ]


def game_keys(key: str) -> str:
    """The keys of one game's strings: those that the rules may send, and those of its screens."""
    catalogue = read_catalogue(f"games.{key}")
    for _ in map(argument_names, messages_in(catalogue)):
        pass  # raises if the client cannot show the message
    rows = [("lines", keys_of(catalogue["lines"])), ("phrases", keys_of(catalogue["phrases"]))]
    ui = (
        "{\n"
        + "".join(f"    readonly {name}: {kind}\n" for name, kind in argument_types(catalogue["ui"]))
        + "  }"
    )
    return table(f"{pascal(key)}Texts", [*rows, ("ui", ui)])


def keys_of(texts: Mapping[str, str]) -> str:
    return " | ".join(literal(key) for key in texts) or "never"


def generate_keys() -> str:
    """The contents of keys.gen.ts, which makes a missing string or argument a type error."""
    shell: dict[str, str] = json.loads(SHELL.read_text(encoding="utf-8"))
    return "\n".join(
        [
            f"// Written by `{COMMAND}` from games/*/texts/en.json and texts/en.json beside this file.\n"
            "// Do not edit: change those and run it again.\n",
            "/** Every UI string in the app, with the arguments it names. */\n"
            + table("AppTexts", argument_types(shell)),
            *map(game_keys, GAMES),
            "/** The UI strings of every game in the registry, by key. */\n"
            + table("TextsOf", [(key, f"{pascal(key)}Texts") for key in GAMES]),
        ]
    )


def game_parts(writer: Writer, key: str, game: Game[Any, Any, Any]) -> tuple[list[str], str]:
    """One game's part: its named types, and its entry in the table of games."""
    prefix = pascal(key)
    options = writer.expression(game.Options, to_hub=True)
    move = writer.expression(game.Move, to_hub=True)
    sections = [(name, writer.expression(cls, to_hub=False)) for name, cls in game.sections.items()]
    parts = [
        f"/** Every move of {game.title}. */\nexport type {prefix}Move = {move}\n",
        table(f"{prefix}Sections", sections),
    ]
    row = {"options": options} | {kind: prefix + kind.capitalize() for kind in ("move", "sections")}
    return parts, "{ " + "; ".join(f"readonly {kind}: {name}" for kind, name in row.items()) + " }"


def game_ranges(game: Game[Any, Any, Any]) -> dict[str, list[int]]:
    """The least and the most seats and minutes of a game."""
    return {"seats": [game.seats[0], game.seats[-1]], "minutes": list(game.minutes)}


def generate() -> str:
    """The contents of wire.gen.ts."""
    writer = Writer()
    to_hub = writer.expression(messages.ToHub, to_hub=True)
    to_client = writer.expression(messages.ToClient, to_hub=False)
    hub_sections = [
        (name, writer.expression(cls, to_hub=False)) for name, cls in messages.HUB_SECTIONS.items()
    ]
    game_types: list[str] = []
    games: list[tuple[str, str]] = []
    for key, entry in GAMES.items():
        parts, row = game_parts(writer, key, entry.game)
        game_types += parts
        games.append((key, row))
    return "\n".join(
        [
            HEADER,
            f"export const SUBPROTOCOL = {literal(messages.SUBPROTOCOL)}\n"
            f"export const MAX_FRAME = {messages.MAX_FRAME}\n",
            "/** Why a socket closes. */\n" + constant("CLOSE_CODES", messages.CLOSE_CODES),
            "/** Why the hub itself refuses a command; games add codes of their own. */\n"
            + constant("HUB_REFUSALS", messages.HUB_REFUSALS),
            "/** Keys of the lines that the hub itself logs about a table. */\n"
            f"export type TableLine = {' | '.join(literal(key) for key in sorted(TABLE_LINES))}\n",
            f"export type ToHub = {to_hub}\n",
            f"export type ToClient = {to_client}\n",
            *writer.declarations(),
            "/** The hub's own sections in every view. */\n" + table("HubSections", hub_sections),
            *game_types,
            "/** Every game in the registry, by key. */\n" + table("Games", games),
            "/** The hub's own sections that watchers never get. */\n"
            f"export const HUB_PRIVATE_SECTIONS: readonly string[] = {literal(messages.PRIVATE_SECTIONS)}\n",
            "/** The sections of each game that are for one seat alone. */\n"
            + "export const PRIVATE_SECTIONS: Readonly<Record<string, readonly string[]>> = {\n"
            + "".join(
                f"  {literal(key)}: {literal(sorted(entry.game.private_sections))},\n"
                for key, entry in GAMES.items()
            )
            + "}\n",
            "/** How many seats each game has and how many minutes it takes, from the least to the most. */\n"
            + "export const GAME_RANGES: Readonly<\n"
            + "  Record<keyof Games, Readonly<Record<'seats' | 'minutes', readonly [number, number]>>>\n"
            + "> = {\n"
            + "".join(
                f"  {literal(key)}: {literal(game_ranges(entry.game))},\n" for key, entry in GAMES.items()
            )
            + "}\n",
        ]
    )


def main(arguments: list[str]) -> int:
    files = {TARGET: generate(), KEYS: generate_keys()}
    if arguments == ["--check"]:
        stale = [
            path.name for path, text in files.items() if not path.is_file() or path.read_text("utf-8") != text
        ]
        if stale:
            print(
                f"{', '.join(stale)}: does not match the Python structs and texts: run `{COMMAND}`",
                file=sys.stderr,
            )
        return 1 if stale else 0
    if arguments:
        print(f"usage: {COMMAND} [--check]", file=sys.stderr)
        return 2
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
