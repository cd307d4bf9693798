"""Forks hubs from one process that has imported everything: `python -m tests.harness.hub_nursery FD`.

A hub thus starts in a tenth of the time. Each message on the socket FD asks for one: JSON (`command`: a
module and its arguments; `environment`, `folder`, `open_files`) with two descriptors, one for what it prints
and one for two messages with its process id and its exit code. All hubs end with this process, and this
process with whoever asks.
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

import msgspec
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
    parsers = typer.main.get_command(cli.app)
    typer_main: Any = typer.main
    typer_main.get_command = lambda _app: parsers
    msgspec_json: Any = msgspec.json
    msgspec_json.schema = cache(msgspec.json.schema)
    for one in GAMES.values():
        api._describe(one)
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


def watch(hub: int, status: socket.socket) -> None:
    """Say which process the hub is, and with what it exits."""
    status.send(b"%d" % hub)
    _, code = os.waitpid(hub, 0)
    status.send(b"%d" % os.waitstatus_to_exitcode(code))


def serve(requests: socket.socket) -> None:
    warm_up()
    gc.collect()
    gc.freeze()
    requests.send(b"ready")
    while True:
        message, descriptors, _, _ = socket.recv_fds(requests, MESSAGE, 2)
        if not message:
            return
        output, status = descriptors
        if os.fork():
            os.close(output)
            os.close(status)
            continue
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        die_with_parent()
        if not (hub := os.fork()):
            become_hub(json.loads(message), output)
            return
        os.close(output)
        requests.close()
        watch(hub, socket.socket(fileno=status))
        os._exit(0)


if __name__ == "__main__":
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those that watch
    serve(socket.socket(fileno=int(sys.argv[1])))
