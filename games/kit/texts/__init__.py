"""Reads a game's UI strings: `texts/en.json` in its folder, plus the parts of the kit's that it uses.

Every string is written once, as an ICU message, in that file: the client compiles it, `GET /api/games` serves
it, and it defines the keys and argument names that the rules may use. Strings that several games share
(clocks, offers, peeks) are in games/kit/texts/en.json, in parts; a game lists the parts it uses under `kit`
and may override individual strings with its own. client-js/build/texts.ts reads the same files in the same
way. The hub formats a refusal itself, for clients without the strings.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

from games.api import Argument, Refusal, Texts

BASE: Final = "base"
"""The part of the kit's strings that every game uses."""
INTERFACE: Final = "ui"
"""The group of strings that only the game's own screens show."""
_ARGUMENT: Final = re.compile(r"\{\s*(\w+)\s*([,}])")
_KIND: Final = re.compile(r"\s*(plural|select)\s*,")
_CASE: Final = re.compile(r"\s*(=?\w+)\s*\{")


class BadMessage(ValueError):
    """Raised for a string that is not a simple ICU message as used here; names the string and the reason."""


def read_texts(package: str) -> Texts:
    """The UI strings of the game in this package, such as `games.almost`. Raises BadMessage."""
    return _texts(read_catalogue(package))


def kit_texts(part: str) -> Texts:
    """One part of the kit's strings, for a game that keeps its own elsewhere."""
    groups = ("lines", "refusals", "phrases", "prompts", "windows")
    return _texts({"title": "", **{group: {} for group in groups}, **_read("games.kit")[part]})


def _texts(catalogue: Mapping[str, Any]) -> Texts:
    return Texts(
        title=catalogue["title"],
        lines={key: argument_names(text) for key, text in catalogue["lines"].items()},
        refusals={key: argument_names(text) for key, text in catalogue["refusals"].items()},
        phrases=tuple(catalogue["phrases"]),
        prompts=frozenset(catalogue["prompts"]),
        windows=frozenset(catalogue["windows"]),
        promises={kind: argument_names(text["text"]) for kind, text in catalogue.get("promises", {}).items()},
        coach={key: argument_names(text) for key, text in catalogue.get("coach", {}).items()},
        catalogue={group: texts for group, texts in catalogue.items() if group != INTERFACE},
        remarks={key: argument_names(text) for key, text in catalogue.get("remarks", {}).items()},
    )


def read_catalogue(package: str) -> dict[str, Any]:
    """All of a game's strings by group, with the kit's after its own."""
    catalogue: dict[str, Any] = _read(package)
    kit = _read("games.kit")
    for part in (BASE, *catalogue.pop("kit")):
        for group, texts in kit[part].items():
            given = catalogue.setdefault(group, {})
            catalogue[group] = given | {key: text for key, text in texts.items() if key not in given}
    return catalogue


@cache
def _text(package: str) -> str:
    return files(package).joinpath("texts/en.json").read_text(encoding="utf-8")


def _read(package: str) -> dict[str, Any]:
    catalogue: dict[str, Any] = json.loads(_text(package))
    return catalogue


def messages(texts: Mapping[str, Any]) -> Iterator[str]:
    """Every message in a catalogue or in one of its groups, however deeply nested."""
    for value in texts.values():
        if isinstance(value, str):
            yield value
        else:
            yield from messages(value)


def argument_names(message: str) -> tuple[str, ...]:
    """The arguments an ICU message names, in order of first use. Raises BadMessage."""
    if "'" in message:
        raise BadMessage(f"an apostrophe starts a quotation in ICU messages; write ’ instead: {message}")
    names: dict[str, None] = {}
    end = _skip_text(message, 0, names)
    if end < len(message):
        raise BadMessage(f"an unmatched closing brace: {message}")
    return tuple(names)


def _skip_text(message: str, at: int, names: dict[str, None]) -> int:
    """The end of a text: the position of the brace that closes it, or the end of the message."""
    while at < len(message) and message[at] != "}":
        at = _skip_argument(message, at, names) if message[at] == "{" else at + 1
    return at


def _skip_argument(message: str, at: int, names: dict[str, None]) -> int:
    """The end of the argument that begins here: `{name}`, or `{name, plural, one {...} other {...}}`."""
    head = _ARGUMENT.match(message, at)
    if head is None:
        raise BadMessage(f"an opening brace without an argument name: {message}")
    names[head[1]] = None
    at = head.end()
    if head[2] == "}":
        return at
    while at < len(message) and message[at] != "}":
        at = _skip_text(message, at + 1, names) + 1 if message[at] == "{" else at + 1
    if at >= len(message):
        raise BadMessage(f"an unclosed brace: {message}")
    return at + 1


# --- messages as sentences ---


def refusal_text(texts: Texts, refusal: Refusal) -> str | None:
    """A refusal as the client shows it, in English; None if the game has no text for it."""
    message = texts.catalogue.get("refusals", {}).get(refusal.code)
    return None if message is None else format_message(message, refusal.args)


def format_message(message: str, args: Mapping[str, Argument]) -> str:
    """An ICU message with these arguments, in English. Raises KeyError for an argument that is missing."""
    return _format_text(message, 0, args, "#")[0]


def _format_text(message: str, at: int, args: Mapping[str, Argument], number: str) -> tuple[str, int]:
    """A text up to the brace that closes it, and that position; `number` replaces each `#`."""
    parts = []
    while at < len(message) and message[at] != "}":
        if message[at] == "{":
            part, at = _format_argument(message, at, args, number)
        else:
            part, at = number if message[at] == "#" else message[at], at + 1
        parts.append(part)
    return "".join(parts), at


def _format_argument(message: str, at: int, args: Mapping[str, Argument], number: str) -> tuple[str, int]:
    """The argument that begins at this position, and the position after it."""
    head = _ARGUMENT.match(message, at)
    if head is None:
        raise BadMessage(f"an opening brace without an argument name: {message}")
    value, at = args[head[1]], head.end()
    if head[2] == "}":
        return str(value), at
    kind = _KIND.match(message, at)
    if kind is None:
        raise BadMessage(f"an argument that is neither plural nor select: {message}")
    if kind[1] == "plural":
        number = str(value)
    cases, at = {}, kind.end()
    while case := _CASE.match(message, at):
        cases[case[1]], at = _format_text(message, case.end(), args, number)
        at += 1
    keys = (f"={value}", str(value), "one" if value == 1 else "other", "other")
    return next(cases[key] for key in keys if key in cases), message.index("}", at) + 1
