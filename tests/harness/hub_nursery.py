"""Forks hubs from one process that has imported everything: `python -m tests.harness.hub_nursery FD|PATH`.

A hub thus starts in a tenth of the time. A request for one is JSON (`command`: a module and its arguments;
`environment`, `folder`, `open_files`); two messages answer it: `pid N`, and `exit CODE` once the hub has
ended. All hubs end with this process, and this process with whoever has started it.

FD: a socket. Each message on it is a request, with two descriptors: one for what the hub prints, one for the
two messages.
PATH: where to listen (unix), for those who cannot pass descriptors; a line is printed when it does. Each
connection is one request in a line; it then carries what the hub prints, and the two messages as lines.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import json
import os
import resource
import runpy
import signal
import socket
import sys
from functools import cache
from typing import Any, Final

import typer

import hub.app  # noqa: F401 - `serve` would import it
from games import GAMES
from hub import cli
from hub.net.http import api, static
from tests.harness import manual_clock, routed_loop  # noqa: F401 - `faulty_hub` would import the clock

LIBC: Final = ctypes.CDLL(None)
MESSAGE: Final = 1 << 20
OPEN_FILES: Final = 256
"""More descriptors than this process has."""
LATE_IMPORTS: Final = (
    *("cryptography.hazmat.backends.openssl.backend", "encodings.idna", "uvicorn.lifespan.off"),
    *("typer._adapters", "typer._click.decorators"),
)
"""Modules that a hub imports only while it starts."""


def warm_up() -> None:
    """Do once what each hub would otherwise do first; what is kept is the same in all hubs."""
    for module in LATE_IMPORTS:
        importlib.import_module(module)
    command_line: Any = cli
    command_line.app = typer.main.get_command(cli.app)  # runs like the app, with its parsers made
    games: Any = api
    games._describe = cache(api._describe)
    for registration in GAMES.values():
        games._describe(registration)
    files: Any = static
    files._read = cache(static._read)
    static.Site()


def die_with_parent() -> None:
    LIBC.prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def become_hub(wanted: dict[str, Any], output: int) -> None:
    """Be a new hub from start to end."""
    os.setsid()
    die_with_parent()
    for descriptor in (1, 2):
        os.dup2(output, descriptor)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.closerange(3, OPEN_FILES)
    os.chdir(wanted["folder"])
    os.environ.clear()
    os.environ.update(wanted["environment"])
    if routes := os.environ.pop(routed_loop.VARIABLE, ""):
        routed_loop.route_connections(routed_loop.read_routes(routes))
    if limits := wanted["open_files"]:
        resource.setrlimit(resource.RLIMIT_NOFILE, tuple(limits))
    module, *arguments = wanted["command"]
    sys.argv = ["parley", *arguments]
    if module == "hub":
        cli.main()
    else:
        runpy.run_module(module, run_name="__main__", alter_sys=True)


def fork_hub(request: bytes, output: int, status: int, requests: socket.socket) -> None:
    """Start a hub and a process that sends `status` the two messages; return in this process alone.

    `requests`: what neither of the two keeps open.
    """
    if os.fork():
        return
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    die_with_parent()
    if not (hub := os.fork()):
        become_hub(json.loads(request), output)
        sys.exit()
    requests.close()
    if output != status:
        os.close(output)
    os.write(status, b"pid %d\n" % hub)
    _, code = os.waitpid(hub, 0)
    os.write(status, b"exit %d\n" % os.waitstatus_to_exitcode(code))
    os._exit(0)


def serve_socket(requests: socket.socket) -> None:
    requests.send(b"ready")
    while True:
        request, descriptors, _, _ = socket.recv_fds(requests, MESSAGE, 2)
        if not request:
            return
        output, status = descriptors
        fork_hub(request, output, status, requests)
        os.close(output)
        os.close(status)


def serve_path(path: str) -> None:
    die_with_parent()
    requests = socket.socket(socket.AF_UNIX)
    requests.bind(path)
    requests.listen()
    print("ready", flush=True)
    while True:
        connection, _ = requests.accept()
        with connection.makefile("rb") as lines:
            request = lines.readline()
        fork_hub(request, connection.fileno(), connection.fileno(), requests)
        connection.close()


if __name__ == "__main__":
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those that send the two messages
    warm_up()
    gc.collect()
    gc.freeze()
    if sys.argv[1].isdigit():
        serve_socket(socket.socket(fileno=int(sys.argv[1])))
    else:
        serve_path(sys.argv[1])
