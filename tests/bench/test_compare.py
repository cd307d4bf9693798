"""The arithmetic of comparing two versions, and whether the C programs compile."""

from __future__ import annotations

import math
import shutil

import pytest

from bench.compare import interval
from bench.machine import CannotMeasure, compile_program, interpreter


def test_equal_ratios_have_an_interval_of_width_zero() -> None:
    assert interval([4.0, 5.0, 6.0], [2.0, 2.5, 3.0]) == pytest.approx((0.5, 0.5, 0.5))


def test_the_interval_is_students_t_over_the_logarithms() -> None:
    # Logarithms 0.0 and 0.2: mean 0.1, standard error 0.1, t(0.975; 1) = 12.706.
    ratio, low, high = interval([1.0, 1.0], [1.0, math.exp(0.2)])

    assert ratio == pytest.approx(math.exp(0.1))
    assert low == pytest.approx(math.exp(0.1 - 1.2706))
    assert high == pytest.approx(math.exp(0.1 + 1.2706))


def test_the_interpreter_is_named_with_its_build() -> None:
    assert "profile-guided" in interpreter()


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler here")
@pytest.mark.parametrize("name", ["load", "floor"])
def test_the_programs_in_c_compile(name: str) -> None:
    try:
        program = compile_program(name)
    except CannotMeasure as problem:
        pytest.fail(str(problem))

    assert program.exists()
