"""The server that an earlier hub started for this folder: sends it commands, and kills it if it hangs."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import struct
import sys
from pathlib import Path
from typing import Final

from hub.clock import Clock

ANSWER_SECONDS: Final = 1.0
"""How long to wait for the answer to a command: a stopped server accepts connections, but never answers."""


async def ask(path: Path, command: bytes, clock: Clock) -> bytes:
    """Sends one command to the server at this socket; returns the answer, or b"" if there is none in time."""
    try:
        reader, writer = await asyncio.open_unix_connection(str(path))
    except OSError:
        return b""
    timer = clock.call_later(ANSWER_SECONDS, writer.transport.abort)
    try:
        writer.write(command)
        return await reader.readline()
    except OSError:
        return b""
    finally:
        timer.cancel()
        writer.transport.abort()


def kill_server(path: Path, lock: Path) -> int | None:
    """Kills a hung server at this socket if an earlier hub provably started it for this folder.

    The proof: it listens on the socket in the private folder, runs as this user, and has the folder's
    `server.lock` open, which it can only have inherited from its hub. Returns its process id, or None.
    """
    if sys.platform != "linux":
        return None
    try:
        with socket.socket(socket.AF_UNIX) as probe:
            probe.setblocking(False)
            probe.connect(str(path))
            credentials = probe.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
        pid, user, _ = struct.unpack("3i", credentials)
        if pid <= 0 or pid == os.getpid() or user != os.getuid():
            return None
        handle = os.pidfd_open(pid)  # before the last check, so that no other process can take this id
        try:
            if not _has_open(pid, lock):
                return None
            signal.pidfd_send_signal(handle, signal.SIGKILL)
        finally:
            os.close(handle)
    except OSError:
        return None
    return int(pid)


def _has_open(pid: int, path: Path) -> bool:
    """Whether the process has this file open. Raises OSError if that cannot be seen."""
    folder = Path(f"/proc/{pid}/fd")
    return any(handle.exists() and handle.samefile(path) for handle in folder.iterdir())
