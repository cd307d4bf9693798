"""Tuples with one entry replaced: states are frozen, and most of their values are indexed by seat."""

from __future__ import annotations

from typing import TypeVar

V = TypeVar("V")


def replace_at(values: tuple[V, ...], index: int, value: V) -> tuple[V, ...]:
    """The same values, with `value` at `index`."""
    return (*values[:index], value, *values[index + 1 :])
