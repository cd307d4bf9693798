"""The machine: what it is, its C compiler, and which core runs what."""

from __future__ import annotations

import contextlib
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).resolve().parent
BUILD: Final = HERE / "build"


class CannotMeasure(Exception):
    """The bench cannot run here; the text is one sentence of advice."""


def cores() -> tuple[int, int]:
    """The core of the server, and that of store and load."""
    if platform.system() != "Linux":
        raise CannotMeasure("The bench pins processes to cores and reads /proc: it runs on Linux only.")
    mine = sorted(os.sched_getaffinity(0))
    if len(mine) < 2:
        raise CannotMeasure("The bench needs two cores, one for the server and one for store and load.")
    return mine[0], mine[1]


FIRST: Final = -15
"""The nice value of what is measured, where that is allowed: before whatever else the machine does."""


def pin(pid: int, core: int) -> None:
    """Puts a process on one core, before others there: every thread it has, and so all it will have.

    It must have a session of its own: the kernel weighs sessions against each other (sched(7), autogroup).
    """
    for task in Path(f"/proc/{pid}/task").iterdir():
        os.sched_setaffinity(int(task.name), {core})
        with contextlib.suppress(PermissionError):
            os.setpriority(os.PRIO_PROCESS, int(task.name), FIRST)
    with contextlib.suppress(OSError):
        Path(f"/proc/{pid}/autogroup").write_text(str(FIRST))


def children(pid: int) -> list[int]:
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        found += map(int, (task / "children").read_text().split())
    return found


def resident_kb(pid: int) -> int:
    """Memory of a process that is in use, in KB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    raise CannotMeasure(f"Process {pid} has ended.")


def compiled(name: str) -> Path:
    """`bench/<name>.c`, compiled. Raises CannotMeasure without a C compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        raise CannotMeasure("The bench needs a C compiler (cc): install gcc or clang, then run it again.")
    BUILD.mkdir(exist_ok=True)
    program = BUILD / name
    command = [compiler, "-D_GNU_SOURCE", "-O2", "-Wall", "-o", str(program), str(HERE / f"{name}.c"), "-lm"]
    told = subprocess.run(command, capture_output=True, text=True)
    if told.returncode != 0:
        raise CannotMeasure(f"{compiler} could not compile bench/{name}.c:\n{told.stderr}")
    return program


def description() -> Mapping[str, str]:
    """What the figures were measured on."""
    model = platform.processor() or platform.machine()
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.partition(":")[2].strip()
            break
    return {
        "cpu": model,
        "cores": str(os.cpu_count()),
        "kernel": platform.release(),
        "python": interpreter(),
    }


def interpreter() -> str:
    """The interpreter and how it was built: profile-guided optimisation is worth a sixth of a command."""
    configured = str(sysconfig.get_config_var("CONFIG_ARGS"))
    name = f"{platform.python_implementation()} {platform.python_version()}"
    if "--enable-optimizations" in configured:
        return f"{name}, built with profile-guided optimisation" + (
            " and link-time optimisation" if "--with-lto" in configured else ""
        )
    if package := _system_package(Path(sys.executable).resolve()):
        return f"{name}, the system's package {package} (Debian and Ubuntu build theirs profile-guided)"
    return f"{name}, built without profile-guided optimisation"


def _system_package(program: Path) -> str | None:
    """The Debian package a program belongs to, with its version."""
    try:
        owner = subprocess.run(["dpkg", "-S", program], capture_output=True, text=True)
    except FileNotFoundError:
        return None
    if owner.returncode != 0:
        return None
    package = owner.stdout.partition(":")[0]
    version = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True
    )
    return f"{package} {version.stdout}"
