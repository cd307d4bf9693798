"""Tests with generated examples: a few in every run, all of them in `make soak`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis.strategies import SearchStrategy


def examples(
    always: int, at_length: int, *strategies: SearchStrategy[Any]
) -> Callable[[Callable[..., None]], Callable[[int], None]]:
    """Makes a test of a function of generated values: `always` examples, or `at_length` in `make soak`."""

    def make_test(function: Callable[..., None]) -> Callable[[int], None]:
        counts = [
            pytest.param(always, id="some"),
            pytest.param(at_length, id="all", marks=pytest.mark.at_length),
        ]

        @pytest.mark.parametrize("count", counts)
        def test(count: int) -> None:
            settings(max_examples=count, deadline=None)(given(*strategies)(function))()

        for name in ("__module__", "__name__", "__qualname__", "__doc__"):
            setattr(test, name, getattr(function, name))
        return test

    return make_test
