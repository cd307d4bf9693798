"""A game's options as a client sends them: read, or refused with the values that are permitted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct, ValidationError, inspect

from games.api import Game
from hub.wire.advice import shorten


def read_options(rules: Game[Any, Any, Any], raw: Mapping[str, Any], *, open: bool = True) -> Struct | str:
    """The game's options, or a sentence that says what is wrong with them.

    At a table that is not open, an option that is left out has the `private` value from its metadata, if it
    has one (GEN-6), like in the form for a new table.
    """
    try:
        options = msgspec.convert(raw if open else {**_private_values(rules.Options), **raw}, rules.Options)
    except ValidationError:
        return _problem(rules, raw)
    assert isinstance(options, Struct)
    return options


def _private_values(options: type[Struct]) -> Mapping[str, Any]:
    """The values at a private table that differ from the defaults."""
    return {
        field.encode_name: metadata["private"]
        for field in msgspec.structs.fields(options)
        for metadata in _metadata(inspect.type_info(field.type))
        if "private" in metadata
    }


def _metadata(kind: inspect.Type) -> Iterator[Mapping[str, Any]]:
    """The metadata of an option, which may be on the members of a union."""
    match kind:
        case inspect.Metadata(type=inner, extra_json_schema=extra):
            yield from _metadata(inner)
            yield extra or {}
        case inspect.UnionType(types=types):
            for member in types:
                yield from _metadata(member)
        case _:
            pass


def _problem(rules: Game[Any, Any, Any], raw: Mapping[str, Any]) -> str:
    kinds = {field.encode_name: field.type for field in msgspec.structs.fields(rules.Options)}
    for name, value in raw.items():
        if name not in kinds:
            return f"{rules.title} has no option {shorten(name)}: it has {', '.join(kinds)}."
        try:
            msgspec.convert(value, kinds[name])
        except ValidationError:
            return f"The option {name} must be {_describe_values(inspect.type_info(kinds[name]))}."
    return f"The options of {rules.title} do not go together: see GET /api/games."


def _describe_values(kind: inspect.Type) -> str:
    """The values of a type, as JSON."""
    match kind:
        case inspect.Metadata(type=inner):
            return _describe_values(inner)
        case inspect.UnionType(types=types):
            return " or ".join(map(_describe_values, types))
        case inspect.LiteralType(values=values):
            return "one of " + ", ".join(msgspec.json.encode(value).decode() for value in values)
        case inspect.IntType(ge=int(least), le=int(most)):
            return f"a whole number, {least}-{most}"
        case inspect.StrType(max_length=int(most)):
            return f"text of at most {most} characters"
        case inspect.BoolType():
            return "true or false"
        case inspect.NoneType():
            return "null"
        case _:
            return "as its JSON schema says: see GET /api/games"
