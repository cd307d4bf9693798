"""docs/PROTOCOL.md lists every code that the hub sends, and no other: close codes, errors, refusals.

The codes are read from the source with ast, in the calls that send them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from http import HTTPStatus
from typing import Any, Final

from hub.net import websocket
from hub.net.http import errors
from hub.runtime.verdicts import ADVICE
from hub.wire import codec
from hub.wire import messages as m
from tests.documents import PROTOCOL, ROOT, parts, rows

SOCKET: Final = parts(PROTOCOL, "###")

CLOSING: Final = ("close", "close_all", "refuse", "_begin_close", "_fail")
"""The functions that close a socket with a code."""
ANSWERING: Final = ("ApiError", "error_response", "later_error", "_error")
"""The functions that take the status and the code of an HTTP error."""


@cache
def module_calls() -> Mapping[str, Sequence[tuple[str, ast.Call]]]:
    """The calls in each of the hub's modules, by path, with the last part of the function's name.

    Those of the operators' API are left out: it has a page and a command.
    """
    files = [*sorted((ROOT / "hub").rglob("*.py")), ROOT / "games/kit/promises.py"]
    paths = {str(file.relative_to(ROOT)): file for file in files if not file.name.startswith("admin")}
    return {path: list(named_calls(ast.parse(file.read_text()))) for path, file in paths.items()}


def named_calls(tree: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                yield name, node
            case _:
                pass


def calls(*names: str, folder: str = "hub/") -> Iterator[ast.Call]:
    """The calls of functions with these names, in the modules under a folder."""
    for path, every_call in module_calls().items():
        for name, call in every_call if path.startswith(folder) else ():
            if name in names:
                yield call


def literals(call: ast.Call, position: int) -> Iterator[Any]:
    """The values that an argument may have, as far as they are literals."""
    argument = call.args[position] if position < len(call.args) else None
    for value in (argument.body, argument.orelse) if isinstance(argument, ast.IfExp) else (argument,):
        if isinstance(value, ast.Constant):
            yield value.value


def documented_codes(section: str) -> dict[str, str]:
    """The codes in the first column of a table, with the second column."""
    return {row[0].strip("`"): row[1] for row in rows(SOCKET[section]) if row[0].startswith("`")}


def fatal_errors() -> dict[str, int]:
    """The errors with which a connection closes its socket, with the close codes."""
    failures = [(call, 0) for call in calls("_fail", folder="hub/net/")]
    failures += [(call, 1) for call in calls("_refuse_entry", folder="hub/net/")]
    return {
        code: close for call, i in failures for close in literals(call, i) for code in literals(call, i + 1)
    }


def refusals() -> set[str]:
    """The codes in the calls that refuse a command or a place."""
    refused = (*calls("Refusal"), *calls("Refusal", folder="games/kit/promises.py"))
    sent = {code for call in refused for code in literals(call, 0)}
    return sent | {code for call in calls("_refuse", folder="hub/net/conn") for code in literals(call, 1)}


def bad_options() -> set[str]:
    """The codes with which a table that cannot be created is refused."""
    refused = [call.args[0] for call in calls("BadOptions")]
    return {code for call in refused if isinstance(call, ast.Call) for code in literals(call, 0)}


def test_close_codes() -> None:
    documented = {int(row[0]): row[1] for row in rows(SOCKET["Close codes"]) if row[0].isdigit()}
    assert documented == dict(m.CLOSE_CODES)


def test_every_close_code_is_sent() -> None:
    """As a number or a constant in a call that closes, or as the close code of a bad frame."""
    closing = [*calls(*CLOSING, folder="hub/net/"), *calls(*CLOSING, folder="hub/runtime/")]
    sent = {code for call in closing for position in (0, 1) for code in literals(call, position)}
    names = {argument.id for call in closing for argument in call.args if isinstance(argument, ast.Name)}
    sent |= {getattr(websocket, name, None) for name in names} | set(codec.BAD_FRAMES.values())
    sent.discard(websocket.ABNORMAL_CLOSURE)  # of a connection that was lost: nothing is sent
    assert {code for code in sent if isinstance(code, int)} == set(m.CLOSE_CODES)


def test_refusals() -> None:
    documented = documented_codes("Refusals")
    assert documented == dict(m.HUB_REFUSALS)
    over_http = {*ADVICE, *bad_options(), "BAD_TICKET"}  # and the last one closes the socket
    assert set(documented) <= refusals() <= {*documented, *over_http}


def test_errors() -> None:
    """The codec's errors with their close codes, and those that a connection sends."""
    expected = {**codec.BAD_FRAMES, **fatal_errors()}
    documented = documented_codes("Errors")
    assert {code: int(close) if close else None for code, close in documented.items()} == expected
    assert {close for close in expected.values() if close is not None} <= set(m.CLOSE_CODES)


def test_every_http_error_is_there() -> None:
    table = parts(PROTOCOL, "###")["Errors over HTTP"]
    documented = {
        (int(row[0]), code)
        for row in rows(table)
        if row[0].isdigit()
        for code in re.findall(r"`([A-Z_]+)`", row[1])
    }
    answered = {
        (status, code)
        for call in calls(*ANSWERING, folder="hub/net/")
        for status in literals(call, 0)
        for code in literals(call, 1)
    }
    answered |= {(401, code) for call in calls("authentication_error") for code in literals(call, 0)}
    answered |= {(HTTPStatus(status), HTTPStatus(status).name) for status in errors.ADVICE}
    answered |= {(422, code) for code in bad_options()}
    places = {code for call in calls("RefusedPlace") for code in literals(call, 0)}
    places |= {*ADVICE}
    answered |= {(404 if code == "NO_SUCH_SEAT" else 409, code) for code in places}
    assert documented == answered
