"""The documents name every limit, and no other: its numbers, and the name under which refusals are counted.

The names are read from the source with ast: those in `limited["..."]`, and those passed to a function that
uses one of its parameters there.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

import pytest

from hub.net.command_budget import COMMANDS_PER_TURN, QUESTION_COST, QUESTIONS, QUESTIONS_PER_TURN
from hub.runtime.log_shares import ACTIONS, MAX_LOGGED
from hub.runtime.mailbox import MAX_PENDING_PER_SEAT
from hub.runtime.reporting import ReportDesk
from hub.telemetry.metrics import Metrics
from hub.wire.limits import Limiter
from tests.documents import OPERATIONS, PROTOCOL, ROOT, first_cells, parts, rows
from tests.harness.defaults import DEFAULTS, make_request_limits
from tests.harness.manual_clock import ManualClock

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


def limit_names(source: str) -> set[str]:
    """The names in one module. Raises AssertionError for one that is neither a literal nor a parameter.

    Only a module that has the counter at all is parsed.
    """
    if "limited" not in source:
        return set()
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, Function)]
    names: set[str] = set()
    followed: set[tuple[str, int]] = set()

    def note(value: ast.expr, function: Function) -> None:
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            names.add(value.value)
            return
        parameters = [argument.arg for argument in function.args.args if argument.arg != "self"]
        assert isinstance(value, ast.Name), f"line {value.lineno}: not a literal: {ast.unparse(value)}"
        assert value.id in parameters, f"line {value.lineno}: not a parameter: {value.id}"
        place = (function.name, parameters.index(value.id))
        if place not in followed:
            followed.add(place)
            for caller in functions:
                for call in calls(caller, function.name):
                    note(call.args[place[1]], caller)

    for function in functions:
        for subscript in counted(function):
            note(subscript.slice, function)
    return names


def counted(function: Function) -> Iterator[ast.Subscript]:
    """The places where a function counts: `limited[...] += 1`."""
    for node in ast.walk(function):
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Subscript):
            counter = node.target.value
            name = counter.attr if isinstance(counter, ast.Attribute) else ast.unparse(counter)
            if name.strip("_") == "limited":
                yield node.target


def calls(function: Function, name: str) -> Iterator[ast.Call]:
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in (name, f"self.{name}"):
            yield node


def test_every_limit_is_there() -> None:
    names: set[str] = set()
    for file in sorted((ROOT / "hub").rglob("*.py")):
        names |= limit_names(file.read_text())
    assert len(names) > 20
    assert first_cells(parts(OPERATIONS, "##")["Limits"]) == names


def test_names_are_found() -> None:
    source = """
class Limits:
    def take(self, metrics):
        metrics.limited["rooms"] += 1
        self._check("places", 1)

    async def add(self):
        self._limited["people"] += 1
        self.other["nothing"] += 1

    def _check(self, name, wait):
        self._refuse(wait, name)

    def _refuse(self, wait, name):
        self.limited[name] += 1
        self._refuse(wait, "again")
"""
    assert limit_names(source) == {"rooms", "places", "people", "again"}


@pytest.mark.parametrize("name", ["NAME", "self.name", "f'{name} rooms'"])
def test_a_name_that_cannot_be_read_is_found(name: str) -> None:
    with pytest.raises(AssertionError):
        limit_names(f"def take(metrics):\n    metrics.limited[{name}] += 1\n")


# --- numbers ---

REQUESTS: Final[Mapping[str, tuple[str, str]]] = {
    "_requests": ("network", "all"),
    "_people": ("network", "new person"),
    "_places": ("person", "taking a seat"),
    "_seats": ("person", "sitting down"),
    "_tables": ("person", "new table"),
    "_network_tables": ("network", "new table"),
    "_subscriptions": ("person", "subscribing"),
    "_reports": ("person", "report"),
    "_site_reports": ("site", "report"),
    "_hub_reports": ("hub", "report"),
    "_transfers": ("person", "transfer"),
    "_site_transfers": ("site", "transfer"),
    "_hub_transfers": ("hub", "transfer"),
    "_network_wrong_codes": ("network", "wrong code"),
    "_site_wrong_codes": ("site", "wrong private code"),
    "_wrong_codes": ("hub", "wrong private code"),
}
"""The row for each limit on requests: what it is for, and how the requests' description begins."""

NUMBERS: Final = {"a": 1, "one": 1, "two": 2, "five": 5, "ten": 10, "twenty": 20, "a hundred": 100}
SECONDS: Final = {"second": 1, "minute": 60, "hour": 3600}
RATE: Final = re.compile(r"(a hundred|\w+) (?:an?|every (\w+)) (second|minute|hour)s?\b")


def per_second(text: str) -> float:
    """The rate that a text begins with: "5 an hour", "one every two seconds"."""
    rate = RATE.match(text)
    assert rate, text
    count, every, unit = rate.groups()
    return (NUMBERS.get(count) or int(count)) / NUMBERS[every or "one"] / SECONDS[unit]


def test_limits_on_requests() -> None:
    limits = {
        REQUESTS[name]: limiter
        for name, limiter in vars(make_request_limits(lambda: 0)).items()
        if isinstance(limiter, Limiter)
    }
    limits["table", "report"] = ReportDesk(ManualClock(), Metrics())._tables
    documented = {}
    for subject, requests, rate, burst in rows(parts(PROTOCOL, "###")["Limits"]):
        if subject != "for each":
            start = re.match(
                "all|new person|new table|taking a seat|sitting down|wrong code|wrong private code|report"
                "|transfer|subscribing",
                requests,
            )
            assert start, requests
            documented[subject, start[0]] = (per_second(rate), float(burst))
    assert documented == {row: (limiter._rate, limiter._burst) for row, limiter in limits.items()}


def test_limits_of_sockets_and_talk() -> None:
    """The numbers in each row, in their order; a row is named by how it begins."""
    table = parts(PROTOCOL, "###")["Limits of sockets and talk"]
    documented = {
        row[0]: [int(n) for n in re.findall(r"\d+", row[1].replace(",", ""))] for row in rows(table)
    }
    del documented["for each"]
    limits = {
        "socket": (DEFAULTS.rate, 2 * DEFAULTS.rate),
        "site, all sockets": (DEFAULTS.site_rate, 2 * DEFAULTS.site_rate, QUESTION_COST),
        "seat, waiting for the store": (MAX_PENDING_PER_SEAT,),
        "all sockets of a hub": (COMMANDS_PER_TURN, QUESTIONS_PER_TURN),
        "person, questions": QUESTIONS,
        "person, for one seat": (DEFAULTS.sockets_per_place,),
        "person, on one hub": (DEFAULTS.sockets_per_person,),
        "table": (DEFAULTS.watchers_per_table,),
        "seat, talk to everybody": DEFAULTS.talk_per_seat,
        "seat, whispers": DEFAULTS.talk_per_seat,
        "all seats": DEFAULTS.talk_of_seats,
        "person, talk among watchers": DEFAULTS.talk_per_watcher,
        "all watchers": DEFAULTS.talk_of_watchers,
        "seat, table actions": (1, 1 / ACTIONS.rate, ACTIONS.burst),
        "seat, everything": (MAX_LOGGED,),
    }
    for subject, numbers in documented.items():
        (start,) = [start for start in limits if subject.startswith(start)]
        assert numbers == [*limits.pop(start)], subject
    assert limits == {}, "not documented"
