"""Programs under test, which can be started, killed and frozen; a line of output shows when each is ready."""

from __future__ import annotations

import atexit
import ctypes
import itertools
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Final, Self, TypeAlias
from urllib.parse import quote

from redis.asyncio import Redis

ROOT: Final = Path(__file__).resolve().parents[2]
READY_SECONDS: Final = 30.0
LOADED_WITH: Final = (
    "LD_PRELOAD",
    "FAKETIME_TIMESTAMP_FILE",
    "FAKETIME_CACHE_DURATION",
    "FAKETIME_DONT_FAKE_MONOTONIC",
)
"""Variables that a program must have when it is loaded."""
END_SECONDS: Final = 30.0


class Process:
    """A program that prints a line matching `ready` once it can be used. `start` and the others block."""

    def __init__(
        self,
        command: Sequence[str | Path],
        *,
        ready: str,
        environment: Mapping[str, str] | None = None,
        folder: Path | None = None,
    ) -> None:
        self.command = [str(part) for part in command]
        self.environment = dict(os.environ if environment is None else environment)
        self.folder = folder
        self.is_told_of_limits = True
        """Whether SIGXFSZ kills it when a file may not grow; otherwise it sees an error."""
        self.lines: list[str] = []
        """The lines it has printed since its last start, including errors."""
        self._pattern = re.compile(ready)
        self._ready_match: re.Match[str] | None = None
        self._spoken = threading.Event()
        self._process: Running | None = None
        self._reader: threading.Thread | None = None

    @property
    def pid(self) -> int:
        return self._running().pid

    @property
    def has_ended(self) -> bool:
        """Whether it has exited, and nobody has waited for it."""
        process = self._running()
        return isinstance(process, subprocess.Popen) and process.poll() is not None

    @property
    def ready(self) -> re.Match[str]:
        """The line that said it was ready."""
        assert self._ready_match is not None, "not ready yet"
        return self._ready_match

    def start(self) -> Self:
        """Start it and wait until it is ready. Fails with its output if it exits instead."""
        self.launch()
        self.until_ready()
        return self

    def until_ready(self) -> None:
        """Wait until it is ready, once it is launched. Fails with its output if it exits instead."""
        self._spoken.wait(READY_SECONDS)
        if self._ready_match is None:
            self.kill()
            raise AssertionError("\n".join([f"{self.command[0]} did not become ready:", *self.lines]))

    def launch(self) -> None:
        """Start it without waiting."""
        assert self._process is None, "already started"
        self.lines = []
        self._ready_match = None
        self._spoken.clear()
        self._process = self._begin()
        self._reader = threading.Thread(target=self._read, args=(self._process,), daemon=True)
        self._reader.start()

    def _begin(self) -> Running:
        return subprocess.Popen(
            self.command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=self.environment,
            cwd=self.folder,
            start_new_session=True,
            restore_signals=self.is_told_of_limits,  # Python ignores SIGXFSZ
            preexec_fn=_die_with_tests(),
        )

    def kill(self) -> None:
        """Kill it with SIGKILL and wait until it is gone."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Send SIGTERM, wait until it is gone, and return its exit code."""
        return self._end(signal.SIGTERM)

    def wait(self) -> int:
        """Wait until it exits by itself, and return its exit code."""
        return self._end(None)

    def freeze(self) -> None:
        """Send SIGSTOP and wait until the process has stopped."""
        os.kill(self.pid, signal.SIGSTOP)
        if isinstance(self._process, Forked):
            self._process.wait_until_stopped()
        else:
            os.waitid(os.P_PID, self.pid, os.WSTOPPED)

    def thaw(self) -> None:
        """Send SIGCONT and wait until the process is running."""
        os.kill(self.pid, signal.SIGCONT)
        if not isinstance(self._process, Forked):
            os.waitid(os.P_PID, self.pid, os.WCONTINUED)

    def restart(self) -> Self:
        """Kill it with SIGKILL and start it again."""
        self.kill()
        return self.start()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            self.kill()

    def _running(self) -> Running:
        assert self._process is not None, "not started"
        return self._process

    def _end(self, how: signal.Signals | None) -> int:
        process = self._running()
        if how is not None:
            process.send_signal(how)
        code = process.wait(END_SECONDS)
        assert self._reader is not None
        self._reader.join(1.0)  # one of its children may hold the pipe a little longer
        self._process = None
        return code

    def _read(self, process: Running) -> None:
        assert process.stdout is not None
        with process.stdout:
            for raw in process.stdout:
                line = raw.decode("utf-8", "replace").rstrip()
                self.lines.append(line)
                if self._ready_match is None and (match := self._pattern.search(line)):
                    self._ready_match = match
                    self._spoken.set()
        self._spoken.set()


class StoreProcess(Process):
    """A Valkey or Redis server with an append-only file in `folder`, on a unix socket or a port if given."""

    def __init__(self, binary: Path, folder: Path, *, port: int = 0, **settings: str) -> None:
        self.socket = folder / "s.sock"
        self.port = port
        server_options = {
            "port": str(port),
            "bind": "127.0.0.1",
            "unixsocket": str(self.socket),
            "dir": str(folder),
            "appendonly": "yes",
            "save": "",
            **{name.replace("_", "-"): value for name, value in settings.items()},
        }
        self.password = settings.get("requirepass")
        options = [part for name, value in server_options.items() for part in (f"--{name}", value)]
        super().__init__([binary, *options], ready="eady to accept connections")

    @property
    def url(self) -> str:
        login = "" if self.password is None else f":{quote(self.password)}@"
        return f"unix://{login}{self.socket}"

    async def synced(self) -> None:
        """Wait until everything written is on disk: under load a store writes up to two seconds late."""
        async with Redis.from_url(self.url) as redis:
            await redis.set("synced", 1)
            assert await redis.waitaof(1, 0, 10_000) == [1, 0]


class HubProcess(Process):
    """A hub: `python -m hub serve` on a free port on this machine, with its data in `data`."""

    def __init__(self, data: Path, *, port: int = 0, **settings: str) -> None:
        """`settings`: PARLEY_* variables, without the prefix and in lower case."""
        clean = {name: value for name, value in os.environ.items() if not name.startswith("PARLEY_")}
        environment = {f"PARLEY_{name.upper()}": value for name, value in settings.items()}
        super().__init__(
            [sys.executable, "-m", "hub", "serve", "--port", str(port)],
            ready=r"Parley is ready: (\S+)",
            environment=clean | {"PARLEY_DATA": str(data)} | environment,
            folder=ROOT,
        )
        self.open_files: tuple[int, int] | None = None
        """Its soft and hard limits on descriptors, unless they are those of the tests."""

    @property
    def url(self) -> str:
        return self.ready[1]

    def _begin(self) -> Running:
        """Fork it from the nursery, unless a test has changed the command to more than another module."""
        if sys.platform != "linux" or self.command[:2] != [sys.executable, "-m"]:
            return super()._begin()
        loaded = tuple((name, self.environment[name]) for name in LOADED_WITH if name in self.environment)
        return nursery(loaded).bear(self.command[2:], self.environment, ROOT, self.open_files)


class Forked:
    """A hub that the nursery has forked; it has what tests use of `subprocess.Popen`."""

    def __init__(self, output: int, status: socket.socket) -> None:
        self.stdout: Final = os.fdopen(output, "rb")
        self.returncode: int | None = None
        self._status = status
        status.settimeout(END_SECONDS)
        self.pid: Final = self._read_number("pid")

    def send_signal(self, number: int) -> None:
        with suppress(ProcessLookupError):
            if self.returncode is None:
                os.kill(self.pid, number)

    def wait(self, timeout: float) -> int:
        if self.returncode is None:
            self._status.settimeout(timeout)
            self.returncode = self._read_number("exit")
            self._status.close()
        return self.returncode

    def _read_number(self, kind: str) -> int:
        word, number = self._status.recv(32).decode().split()
        assert word == kind
        return int(number)

    def wait_until_stopped(self) -> None:
        while (state := read_state(self.pid)) != "T":
            assert state != "Z", "it has ended by itself"


def read_state(pid: int) -> str:
    """The letter of a process's state: T if it is stopped, Z or X once it has ended."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


Running: TypeAlias = subprocess.Popen[bytes] | Forked


class Nursery:
    """The process from which this worker's hubs are forked: `tests.harness.hub_nursery`."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        """`variables`: what it needs in its environment, because its hubs do."""
        self._requests, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with other:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.harness.hub_nursery", str(other.fileno())],
                stdin=subprocess.DEVNULL,
                cwd=ROOT,
                env=os.environ | dict(variables),
                pass_fds=[other.fileno()],
                start_new_session=True,
            )
        self._requests.recv(8)  # it has imported everything, which is no part of any hub's start

    def bear(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        folder: Path,
        open_files: tuple[int, int] | None = None,
    ) -> Forked:
        """`command`: a module, such as `hub`, and its arguments."""
        request = {
            "command": command,
            "environment": environment,
            "folder": str(folder),
            "open_files": open_files,
        }
        output, written = os.pipe()
        status, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with other:
            socket.send_fds(self._requests, [json.dumps(request).encode()], [written, other.fileno()])
        os.close(written)
        return Forked(output, status)

    def close(self) -> None:
        self._requests.close()
        self._process.wait(END_SECONDS)


@cache
def nursery(variables: tuple[tuple[str, str], ...] = ()) -> Nursery:
    """This worker's own for hubs with these variables; it ends with the worker."""
    own = Nursery(dict(variables))
    atexit.register(own.close)
    return own


def _die_with_tests() -> Callable[[], None] | None:
    """Kill the child when the tests are killed. (The signal is sent when the starting thread ends.)"""
    if sys.platform != "linux" or threading.current_thread() is not threading.main_thread():
        return None
    libc = ctypes.CDLL(None)
    return lambda: libc.prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


_PORTS: Final = range(10_000, 32_000)
"""Below the ports of outgoing connections, one of which could take the port before the test does."""
_ports = (_PORTS[(os.getpid() * 97 + number) % len(_PORTS)] for number in itertools.count())
"""Each process begins elsewhere."""


def free_port() -> int:
    """A port that nobody is listening on."""
    for port in _ports:
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError("no port is free")
