"""The test's side of `tests.harness.faulty_hub`: hubs that die at named points, and a clock."""

from __future__ import annotations

import contextlib
import itertools
import mmap
import os
import re
import signal
import socket
import struct
import threading
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Final, Self

from tests.harness.processes import ROOT, Forked, free_port, nursery

SECRET: Final = "chaos " * 8
SECONDS: Final = 30.0
"""How many seconds to wait for anything before the test gives up."""
STEP: Final = 400
"""Milliseconds on the clock between heartbeats: less than the second a hub may run without one."""

_serial = itertools.count()


class Clock:
    """The clock of all hubs in a test; it advances only when the test advances it."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "clock"
        self.path.write_bytes(struct.pack("<q", 1_000_000))
        with self.path.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), 8)

    @property
    def now(self) -> int:
        return int(struct.unpack_from("<q", self._memory)[0])

    def jump(self, milliseconds: int) -> None:
        """Let this much time pass without anybody doing anything."""
        struct.pack_into("<q", self._memory, 0, self.now + milliseconds)

    def advance(self, milliseconds: int, *hubs: FaultyHub) -> None:
        """Let this much time pass for these hubs, with heartbeats and timers, as long as they are alive."""
        end = self.now + milliseconds
        while self.now < end and all(hub.alive for hub in hubs):
            self.jump(min(STEP, end - self.now))
            for hub in hubs:
                hub.beat()


UNLIMITED_TALK: Final = dict.fromkeys(
    ("talk_per_seat", "talk_of_seats", "talk_per_watcher", "talk_of_watchers"), "100000/100000"
)


class FaultyHub:
    """A hub that dies where a test tells it to. It keeps its port, and so its URL, when restarted."""

    def __init__(
        self,
        folder: Path,
        clock: Clock | None = None,
        *,
        takes_orphans: bool = True,
        **settings: str,
    ) -> None:
        """`takes_orphans`: whether it takes the rooms of dead hubs without a visitor."""
        self.name = f"h{next(_serial)}"
        self.lines: list[str] = []
        """The lines it has printed since its last start."""
        self.defects: list[str] = []
        """Lines from any of its runs that should never have been printed."""
        self._arguments = ["serve", "--port", str(free_port()), "--data", str(folder / f"{self.name}.data")]
        self.link_url = f"wss://127.0.0.1:{free_port()}"
        """Where the other hubs reach it."""
        own = {"secret": SECRET, "rate": "100000", "hub_url": self.link_url}
        all_settings = {**own, **UNLIMITED_TALK, **settings}
        self._control = folder / f"{self.name}.control"
        self._reply_path = folder / f"{self.name}.test"
        clean = {name: value for name, value in os.environ.items() if not name.startswith("PARLEY_")}
        self.environment = clean | {f"PARLEY_{name.upper()}": value for name, value in all_settings.items()}
        self.environment["FAULTY_CONTROL"] = str(self._control)
        if clock is not None:
            self.environment["FAULTY_CLOCK"] = str(clock.path)
        if not takes_orphans:
            self.environment["FAULTY_CORES"] = "0"
        self._process: Forked | None = None
        self._reader: threading.Thread | None = None
        self._ready = threading.Event()
        self._url = ""

    @property
    def url(self) -> str:
        assert self._url, "not ready yet"
        return self._url

    # --- starting and ending it: these block ---

    def start(self) -> Self:
        """Start it and wait until it is ready. Fails with its output if it exits instead."""
        assert self._reader is None, "already started"
        self._control.unlink(missing_ok=True)
        self.lines = []
        self._ready.clear()
        self._url = ""
        self._process = nursery().bear(["tests.harness.faulty_hub", *self._arguments], self.environment, ROOT)
        self._reader = threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True)
        self._reader.start()
        self._ready.wait(SECONDS)
        if not self._url:
            self.kill()
            raise AssertionError("\n".join(["the hub did not become ready:", *self.lines]))
        return self

    def kill(self) -> None:
        """Kill it with SIGKILL and wait until it is gone."""
        self.signal(signal.SIGKILL)
        self.ended()

    def ended(self) -> None:
        """Wait until it has exited, by itself or on request."""
        if self._reader is not None:
            self._reader.join(SECONDS)
            assert not self._reader.is_alive(), "\n".join(["the hub did not exit:", *self.lines])
            self._reader = None
            assert self._process is not None
            self._process.wait(SECONDS)

    def freeze(self) -> None:
        """Send SIGSTOP and wait until the process has stopped."""
        self.signal(signal.SIGSTOP)
        assert self._process is not None
        self._process.wait_until_stopped()

    def thaw(self) -> None:
        self.signal(signal.SIGCONT)

    def signal(self, number: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(number)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()
        if error is None:
            assert self.defects == []

    def _read(self, output: BinaryIO) -> None:
        with output:
            for raw in output:
                line = raw.decode("utf-8", "replace").rstrip()
                self.lines.append(line)
                if "Traceback" in line or '"exception"' in line:
                    self.defects.append(line)
                if match := re.match(r"Parley is ready: (\S+)$", line):
                    self._url = match[1]
                    self._ready.set()
        self._ready.set()

    # --- requests to it ---

    def arm(self, point: str, passing: int = 1) -> None:
        """Make it die the nth time that it passes this point from now on."""
        self._say(f"arm {passing} {point}")

    def disarm(self) -> None:
        self._say("disarm")

    def beat(self) -> None:
        """Make it send a heartbeat and fire the timers that are due by the shared clock."""
        self._say("beat")

    @property
    def alive(self) -> bool:
        return self._reader is not None and self._reader.is_alive()

    def _say(self, text: str) -> None:
        """Send it a request and wait until the request is done or the hub is dead."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            sender.settimeout(0.05)
            self._reply_path.unlink(missing_ok=True)
            sender.bind(str(self._reply_path))
            with contextlib.suppress(ConnectionRefusedError):
                sender.sendto(text.encode(), str(self._control))
                while self.alive:
                    with contextlib.suppress(TimeoutError):
                        assert sender.recv(16) == b"done"
                        return
