"""Turns the last output of the bundled store's server into one sentence of advice when it has exited."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from hub.config import CannotStart, Exit


def diagnose(code: int, tail: Sequence[str], folder: Path, binary: Path) -> CannotStart:
    """The error in the server's last output, with advice; `folder` holds the tables."""
    warnings = [line.split(" # ", 1)[1] for line in tail if " # " in line and "WARNING" not in line]
    cause = (warnings or list(tail) or ["no output"])[-1]
    output = "\n".join(warnings)
    if "No space left on device" in output:
        return CannotStart(
            f"The bundled store cannot write to {folder} ({cause}): make room on the disk that holds it.",
            Exit.DATA,
        )
    if damaged := re.search(r"append only file (\S+\.incr\.aof)", output):
        file = folder / damaged[1]
        return CannotStart(
            f"The tables stored in {file} are damaged; nothing was changed: copy {folder} to a safe "
            f"place, then cut the file before the damage with: {_repair(file, binary)}",
            Exit.DATA,
        )
    if re.search(r"append only|AOF|RDB|loading the DB", output):
        return CannotStart(
            f"The tables stored in {folder} are damaged, or from a newer server than {binary} "
            f"({cause}); nothing was changed: restore the folder from a backup, or name another with "
            "--data or PARLEY_DATA.",
            Exit.DATA,
        )
    return CannotStart(f"The bundled store failed to start, with code {code} ({cause}).", Exit.STORE)


def _repair(file: Path, binary: Path) -> str:
    name = "redis-check-aof" if "redis" in binary.name else "valkey-check-aof"
    tool = shutil.which(name)
    if tool is not None:
        return f"{tool} --fix '{file}'"
    return f"bash -c \"exec -a {name} '{binary}' --fix '{file}'\""
