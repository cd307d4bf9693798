"""Reads the marks of a state's fields: `Public`, `OwnerOnly` or `Secret` of games.api."""

from __future__ import annotations

import typing
from collections.abc import Iterator
from types import UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

import msgspec

Visibility = Literal["public", "owner", "hidden"]


class Field(NamedTuple):
    """A field of the state or of a struct nested in it, with its visibility."""

    path: tuple[str, ...]
    visibility: Visibility

    @property
    def name(self) -> str:
        return ".".join(self.path)

    def read(self, state: Any) -> Any:
        """The field's value in a state; None if the struct that contains it is absent or has another type."""
        for name in self.path:
            state = getattr(state, name, None)
        return state


class Unmarked(TypeError):
    """A field has no mark, contradicts the mark of its struct, or can be changed in place."""


def fields(state: type[msgspec.Struct]) -> tuple[Field, ...]:
    """All fields of a state type, with those of nested structs listed one by one. Raises Unmarked."""
    return tuple(_fields(state, (), None))


def _fields(kind: Any, path: tuple[str, ...], outer: Visibility | None) -> Iterator[Field]:
    struct = get_origin(kind) or kind
    if not struct.__struct_config__.frozen:
        raise Unmarked(f"{struct.__name__} is not frozen")
    names = {field.name for field in msgspec.structs.fields(struct)}
    for name, hint in typing.get_type_hints(struct, include_extras=True).items():
        if name not in names:
            continue
        field_path = (*path, name)
        dotted = ".".join(field_path)
        if _mutable(hint):
            raise Unmarked(f"{dotted} can be changed in place")
        mark = _mark(hint) or outer
        if outer == "public" and mark != "public":
            raise Unmarked(f"{dotted} is hidden inside a public field")
        nested = list(_structs(hint))
        inner = (
            [field for nested_kind in nested for field in _fields(nested_kind, field_path, mark)]
            if mark != "hidden"
            else []
        )
        if mark is not None:
            yield Field(field_path, mark)
        elif nested:
            yield from inner
        else:
            raise Unmarked(f"{dotted} is marked neither Public, OwnerOnly nor Secret")


def _mark(hint: Any) -> Visibility | None:
    """The outermost mark of a type."""
    for meta in reversed(get_args(hint)[1:] if get_origin(hint) is Annotated else ()):
        if isinstance(meta, msgspec.Meta) and meta.extra and "seen" in meta.extra:
            visibility: Visibility = meta.extra["seen"]
            return visibility
    return None


def _parts(hint: Any) -> tuple[Any, ...]:
    args = get_args(hint)
    return args[:1] if get_origin(hint) is Annotated else args


def _structs(hint: Any) -> Iterator[Any]:
    """The structs a field may hold; structs inside tuples are plain values without marks."""
    origin = get_origin(hint) or hint
    if isinstance(origin, type) and issubclass(origin, msgspec.Struct):
        yield hint
    elif origin in (Annotated, Union, UnionType):
        for part in _parts(hint):
            yield from _structs(part)


def _mutable(hint: Any) -> bool:
    origin = get_origin(hint) or hint
    return origin in (list, dict, set, bytearray) or any(map(_mutable, _parts(hint)))
