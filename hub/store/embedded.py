"""The bundled store: a private Valkey on a unix socket, with its data in the hub's data folder.

    <data>/store/            0700
      appendonlydir/         the tables: an append-only file, synced every second (`fsync`: on every write)
      hub.lock               held by the hub that is using the folder
      server.lock            held by the server while it runs, so that no two servers write the same file
      store.sock             or /tmp/parley-<uid>/<hash>.sock if that path would be too long

The server exits with the hub (parent-death signal, then a clean shutdown), and is restarted if it dies. If it
cannot be restarted within a minute, the hub exits, so that its supervisor notices.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import fcntl
import hashlib
import os
import signal
import stat
import sys
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Final

import structlog

from hub.clock import Clock, LoopClock
from hub.config import Ack, CannotStart, Exit, count_replicas
from hub.store.binary import find_binary
from hub.store.data_folder import describe_unusable, unusable_folder
from hub.store.diagnosis import diagnose
from hub.store.pipe import Backoff
from hub.store.predecessor import ask, kill_server
from hub.telemetry.metrics import Metrics
from hub.telemetry.tasks import Tasks

_log = structlog.get_logger("parley.embedded")

LONGEST_SOCKET_PATH: Final = 100
"""The limit in bytes; the system's own is 107, or less on some systems."""
RUNTIME: Final = Path("/tmp")
PREDECESSOR_SECONDS: Final = 10.0
"""How long to wait for a previous hub's server to exit before killing it."""
ORPHAN_SECONDS: Final = 1.0
"""How long to wait before telling that server to exit: on some systems it does not notice that its hub is
gone."""
START_SECONDS: Final = 10.0
"""How long a starting server may be silent before it counts as hung; one that reads its file answers
LOADING."""
RESTART_SECONDS: Final = 60.0
"""How long to try to start a server that died."""
STEADY_SECONDS: Final = 10.0
"""A server that has run for this long was started successfully."""
STOP_SECONDS: Final = 10.0
"""How long a server may take to exit before it is killed."""
KILL_SECONDS: Final = 2.0
"""How long a killed server may take to end: the system may be waiting for its disk."""
POLL_SECONDS: Final = 0.01
FIRST_BACKOFF: Final = 0.1
MAX_BACKOFF: Final = 5.0
KILLED: Final = (-signal.SIGKILL, -signal.SIGTERM)
"""Exit codes of a server that was killed from outside, which does not mean that it cannot run."""


class Embedded:
    """A store process that belongs to this hub. `start` returns its URL; `stop` ends it."""

    def __init__(
        self,
        data: Path,
        *,
        ack: Ack = "everysec",
        binary: Path | None = None,
        clock: Clock | None = None,
        metrics: Metrics | None = None,
    ) -> None:
        if count_replicas(ack):
            raise CannotStart(
                "PARLEY_ACK is replica, but the bundled store has no replica: set PARLEY_REDIS_URL to a "
                "replicated Redis or Valkey server, or PARLEY_ACK to fsync.",
                Exit.USAGE,
            )
        self._data = data
        self._folder = data / "store"
        self._sync = "always" if ack == "fsync" else "everysec"
        self._binary = binary
        self._clock: Clock = clock or LoopClock()
        self._socket = self._folder / "store.sock"
        self._locks: list[int] = []
        self._process: asyncio.subprocess.Process | None = None
        self._tail: deque[str] = deque(maxlen=50)
        self._reader: asyncio.Task[None] | None = None
        self._supervisor: asyncio.Task[None] | None = None
        self._stopping = False
        self._metrics = metrics or Metrics()

    @property
    def restarts(self) -> int:
        """The number of times the server died and was restarted."""
        return self._metrics.store_restarts

    @property
    def pid(self) -> int | None:
        """The server's process id, while it is running."""
        return None if self._process is None else self._process.pid

    async def start(self, tasks: Tasks) -> str:
        """Starts the store; returns its URL once it answers. Raises CannotStart without damaging anything."""
        self._binary = self._binary or await find_binary()
        try:
            try:
                if problem := describe_unusable(self._folder):
                    raise CannotStart(problem, Exit.DATA)
                self._prepare()
                await self._lock()
            except OSError as error:
                raise unusable_folder(self._data, error) from error
            try:
                await self._launch(tasks)
            except OSError as error:
                raise CannotStart(
                    f"The bundled store {self._binary} cannot be started ({error.strerror or error}).",
                    Exit.STORE,
                ) from error
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
                await _kill(process)
        if self._reader is not None:
            await asyncio.wait([self._reader], timeout=KILL_SECONDS)
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
        self._socket = _socket_path(self._folder)

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
        await self._succeed()

    async def _succeed(self) -> None:
        """Takes the server's lock, if need be by ending the server of a hub that was killed.

        The parent-death signal has told that server to exit; where there is no such signal, a command tells
        it. A hung server obeys neither.
        """
        started = self._clock.time()
        if await self._lock_server(ORPHAN_SECONDS):
            return
        while self._clock.time() - started < PREDECESSOR_SECONDS:
            await ask(self._socket, b"SHUTDOWN\r\n", self._clock)
            if await self._lock_server(ORPHAN_SECONDS):
                return
        pid = kill_server(self._socket, self._folder / "server.lock")
        if pid is not None:
            _log.warning("the store server of a previous hub hung and was killed", pid=pid)
            if await self._lock_server(KILL_SECONDS):
                return
        raise CannotStart(
            f"The store server of a previous hub is still using {self._folder}, and does not exit"
            f"{'' if pid is None else f' although it was killed (process {pid})'}: "
            "end it, or look whether the disk answers.",
            Exit.DATA,
        )

    async def _lock_server(self, seconds: float) -> bool:
        """Tries for this long to take the server's lock; returns whether it did."""
        end = self._clock.time() + seconds
        while self._try_lock("server.lock") is None:
            if self._clock.time() >= end:
                return False
            await self._clock.sleep(POLL_SECONDS)
        return True

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
        """Starts the server and waits until it answers.

        Raises CannotStart if it exits or hangs instead, and OSError if there is no room to start it.
        """
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
        answered_at = self._clock.time()
        while process.returncode is None:
            answer = await ask(self._socket, b"PING\r\n", self._clock)
            if answer.startswith(b"+PONG"):
                _log.info("bundled store ready", pid=process.pid, folder=str(self._folder))
                return
            if answer:  # LOADING: it is reading its file
                answered_at = self._clock.time()
            elif self._clock.time() - answered_at >= START_SECONDS:
                await _kill(process)
                raise CannotStart(
                    f"The bundled store was started, but answered nothing for {START_SECONDS:.0f} seconds: "
                    f"look whether the disk of {self._folder} answers.",
                    Exit.DATA,
                )
            await self._clock.sleep(POLL_SECONDS)
        await asyncio.wait([self._reader])
        raise self._diagnose(process.returncode)

    def _diagnose(self, code: int) -> CannotStart:
        assert self._binary is not None
        return diagnose(code, list(self._tail), tables_folder(self._data), self._binary)

    def _settings(self) -> list[str]:
        options = {
            "port": "0",
            "unixsocket": str(self._socket),
            "unixsocketperm": "700",
            "dir": str(self._folder),
            "appendonly": "yes",
            "appendfsync": self._sync,
            "auto-aof-rewrite-min-size": "16mb",  # what was removed leaves a small file soon, too
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
        """Restarts the server whenever it dies. Raises CannotStart if that fails for a minute."""
        backoff = Backoff(FIRST_BACKOFF, MAX_BACKOFF)
        since = started = self._clock.time()
        while self._process is not None:
            code = await self._process.wait()
            if self._stopping:
                return
            _log.error("the bundled store died", code=code, log=list(self._tail)[-10:])
            died = self._clock.time()
            if code in KILLED or died - started >= STEADY_SECONDS:
                since = died
                backoff.reset()
            problem: Exception | None = None
            while True:
                if self._clock.time() - since >= RESTART_SECONDS:
                    raise _gave_up(problem or self._diagnose(code))
                await self._clock.sleep(backoff.next_delay())
                try:
                    await self._launch(tasks)
                except (CannotStart, OSError) as error:
                    problem = error
                    _log.error("the bundled store cannot be started: trying again", reason=str(error))
                else:
                    started = self._clock.time()
                    self._metrics.store_restarts += 1
                    break


def tables_folder(data: Path) -> Path:
    """The folder of the append-only file."""
    return data / "store" / "appendonlydir"


async def find_running(data: Path) -> str | None:
    """The URL of the store that a hub is running on this data folder, if one is.

    Raises CannotStart if it runs, but does not answer.
    """
    folder = data / "store"
    socket = _socket_path(folder)
    answer = await ask(socket, b"PING\r\n", LoopClock())
    if answer:  # an error, too: opening the store gives its meaning
        return f"unix://{socket}"
    if _is_locked(folder / "hub.lock"):
        raise CannotStart(
            f"A hub uses {folder}, but the store there does not answer: look whether its disk answers and "
            "has room; if it goes on, restart the hub.",
            Exit.DATA,
        )
    return None


def _is_locked(path: Path) -> bool:
    """Whether a process holds this lock; False if there is no such file, or it may not be read."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False


def _gave_up(problem: Exception) -> CannotStart:
    """The error that ends the hub; `problem` is the server's last failure to start."""
    cause = problem if isinstance(problem, CannotStart) else f"{problem}."
    return CannotStart(
        f"The bundled store died, and could not be started again for {RESTART_SECONDS:.0f} seconds: {cause}",
        Exit.DATA,
    )


# --- the system ---


async def _kill(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(KILL_SECONDS):
            await process.wait()


def _socket_path(folder: Path) -> Path:
    """The path of the store's socket: in its folder or, if that path is too long, in a private one.

    Raises OSError if the private folder is not this user's alone.
    """
    socket = folder / "store.sock"
    if len(os.fsencode(socket)) <= LONGEST_SOCKET_PATH:
        return socket
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
