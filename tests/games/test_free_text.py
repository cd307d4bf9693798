"""What people type stays out of records: no option and no move of any game takes free text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec.inspect import StrType, StructType, multi_type_info

from games import GAMES
from games.subdivision.rules.values import SubdivisionOptions

FREE = "my name is Ann"


def strings(kind: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], StrType]]:
    """Every text in a type, with the names of the structs and fields that lead to it."""
    if isinstance(kind, StrType):
        yield path, kind
    elif isinstance(kind, StructType):
        for field in kind.fields:
            yield from strings(field.type, (*path, kind.cls.__name__, field.encode_name))
    else:
        for name in getattr(kind, "__struct_fields__", ()):
            value = getattr(kind, name)
            for part in value if isinstance(value, tuple) else (value,):
                if isinstance(part, msgspec.inspect.Type):
                    yield from strings(part, path)


@pytest.mark.parametrize("key", GAMES)
def test_no_option_and_no_move_is_free_text(key: str) -> None:
    """V8: each text is one of a list of values, or has a pattern that no sentence matches."""
    game = GAMES[key].game
    for kind in multi_type_info([game.Options, game.Move]):
        for path, text in strings(kind):
            assert text.pattern is not None, path


def test_texts_are_found() -> None:
    """Checks the helper: in nested structs, unions and tuples."""
    options, moves = multi_type_info([SubdivisionOptions, GAMES["takeover"].game.Move])
    assert [path for path, _ in strings(options)] == [("SubdivisionOptions", "pattern")]
    assert {path[0] for path, _ in strings(moves)} >= {"Merge", "Propose"}


@pytest.mark.parametrize("pattern", ["Ann lives here", FREE, "Ann", "a1-b2", "A1B2", "12", "\u0410\u0031"])
def test_sub_14_a_pattern_is_a_list_of_squares(pattern: str) -> None:
    """V8: even if the table does not use it."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"parks": "symmetric", "pattern": pattern}, SubdivisionOptions)
    assert msgspec.convert({"pattern": "a2 b1, F6\n"}, SubdivisionOptions).pattern == "a2 b1, F6\n"
