"""A real store for every test that needs one."""

from __future__ import annotations

import asyncio
import gc
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
import typer.testing

from hub.store.binary import find_binary
from tests.harness.processes import StoreProcess

os.environ.pop("PARLEY_CHROMIUM", None)  # only our tools use it, and the hub refuses unknown settings

modules: dict[str, Any] = sys.modules
modules.setdefault("sniffio", None)  # httpcore would look for it on disk four times in each request

typer_testing: Any = typer.testing
# making a command's parsers takes 20 ms; should typer rename this, tests only take longer
typer_testing._get_command = cache(typer.main.get_command)

BUNDLED: Final = asyncio.run(find_binary())

gc.disable()  # until the tests are collected: what is imported and collected stays


def servers() -> list[Path]:
    """The bundled store, and Redis 7 or later, if it is on PATH."""
    path = shutil.which("redis-server")
    if path is None or path == str(BUNDLED):
        return [BUNDLED]
    version = subprocess.run([path, "--version"], capture_output=True, check=True, text=True).stdout
    number = re.search(r"v=(\d+)", version)
    return [BUNDLED, Path(path)] if number and int(number[1]) >= 7 else [BUNDLED]


@pytest.fixture(scope="session", params=servers(), ids=lambda path: path.name)
def store_process(request: pytest.FixtureRequest) -> Iterator[StoreProcess]:
    """A store shared by all tests of this worker: no test stops it, and each uses its own prefix."""
    with (
        tempfile.TemporaryDirectory(prefix="parley-") as folder,
        StoreProcess(request.param, Path(folder)) as store,
    ):
        yield store


@pytest.fixture
def own_store(short_path: Path) -> Iterator[StoreProcess]:
    """A store for one test, which may kill it or change its settings."""
    with StoreProcess(BUNDLED, short_path) as store:
        yield store


@pytest.fixture
def short_path() -> Iterator[Path]:
    """A folder with a path short enough for sockets."""
    with tempfile.TemporaryDirectory(prefix="parley-") as folder:
        yield Path(folder)


_prefixes = itertools.count()


@pytest.fixture
def prefix() -> str:
    """A key prefix that no other test uses."""
    return f"t{next(_prefixes)}:"


LONGEST: Final = (
    *("chaos/test_worker.py", "chaos/test_storm.py", "hostile/test_http.py"),
    *("chaos/", "hostile/", "operators/"),
)
"""Tests that wait most, the longest first: if they began last, all other workers would wait for them."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    def order(item: pytest.Item) -> int:
        name = item.nodeid.removeprefix("tests/")
        return next((place for place, start in enumerate(LONGEST) if name.startswith(start)), len(LONGEST))

    items.sort(key=order)


def pytest_collection_finish() -> None:
    """Keeps what was imported out of later garbage collections, which otherwise read all of it again."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Leaves out keywords, which only skips are reported by: they are most of what workers send."""
    report = yield
    if report.passed:
        report.keywords = {}
    return report
