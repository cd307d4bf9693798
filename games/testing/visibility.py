"""The marks of a state: how far each field may be seen (`Public`, `OwnerOnly`, `Secret` of games.api)."""

from __future__ import annotations

import typing
from collections.abc import Iterator
from types import UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

import msgspec

Seen = Literal["public", "owner", "hidden"]


class Field(NamedTuple):
    """A field of the state, or of a struct in it, with its mark."""

    path: tuple[str, ...]
    seen: Seen

    @property
    def name(self) -> str:
        return ".".join(self.path)

    def of(self, state: Any) -> Any:
        """The field's value; None where the struct it is in is absent, or another."""
        for name in self.path:
            state = getattr(state, name, None)
        return state


class Unmarked(TypeError):
    """A field without a mark, with a mark that contradicts another, or that could be changed in place."""


def fields(state: type[msgspec.Struct]) -> tuple[Field, ...]:
    """All fields of a state type, those of structs in it one by one. Raises Unmarked."""
    return tuple(_fields(state, (), None))


def _fields(kind: Any, path: tuple[str, ...], outer: Seen | None) -> Iterator[Field]:
    struct = get_origin(kind) or kind
    if not struct.__struct_config__.frozen:
        raise Unmarked(f"{struct.__name__} is not frozen")
    own = {field.name for field in msgspec.structs.fields(struct)}
    for name, hint in typing.get_type_hints(struct, include_extras=True).items():
        if name not in own:
            continue
        here = (*path, name)
        if _mutable(hint):
            raise Unmarked(f"{'.'.join(here)} can be changed in place")
        seen = _mark(hint) or outer
        if outer == "public" and seen != "public":
            raise Unmarked(f"{'.'.join(here)} is hidden inside a public field")
        nested = list(_structs(hint))
        inner = [field for one in nested for field in _fields(one, here, seen)] if seen != "hidden" else []
        if seen is not None:
            yield Field(here, seen)
        elif nested:
            yield from inner
        else:
            raise Unmarked(f"{'.'.join(here)} is marked neither Public, OwnerOnly nor Secret")


def _mark(hint: Any) -> Seen | None:
    """The outermost mark of a type."""
    for meta in reversed(get_args(hint)[1:] if get_origin(hint) is Annotated else ()):
        if isinstance(meta, msgspec.Meta) and meta.extra and "seen" in meta.extra:
            seen: Seen = meta.extra["seen"]
            return seen
    return None


def _parts(hint: Any) -> tuple[Any, ...]:
    args = get_args(hint)
    return args[:1] if get_origin(hint) is Annotated else args


def _structs(hint: Any) -> Iterator[Any]:
    """The structs a field may hold; those inside tuples are values, and have no marks to look for."""
    origin = get_origin(hint) or hint
    if isinstance(origin, type) and issubclass(origin, msgspec.Struct):
        yield hint
    elif origin in (Annotated, Union, UnionType):
        for part in _parts(hint):
            yield from _structs(part)


def _mutable(hint: Any) -> bool:
    origin = get_origin(hint) or hint
    return origin in (list, dict, set, bytearray) or any(map(_mutable, _parts(hint)))
