"""The machine: its description, its C compiler, and pinning processes to cores."""

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

BENCH: Final = Path(__file__).resolve().parent
BUILD: Final = BENCH / "build"


class CannotMeasure(Exception):
    """The bench cannot run on this machine; the message is one sentence of advice."""


def cores() -> tuple[int, int]:
    """The server's core, and the core of the store and the load. Raises CannotMeasure."""
    if platform.system() != "Linux":
        raise CannotMeasure("The bench pins processes to cores and reads /proc: it runs on Linux only.")
    usable = sorted(os.sched_getaffinity(0))
    if len(usable) < 2:
        raise CannotMeasure("The bench needs two cores: one for the server, one for the store and the load.")
    return usable[0], usable[1]


PRIORITY: Final = -15
"""The nice value of measured processes, if allowed, so that they run before other programs."""


def pin(pid: int, core: int) -> None:
    """Pins every thread of a process to one core and raises its priority; threads started later inherit both.

    The process must have its own session: the kernel schedules sessions as groups (sched(7), autogroup).
    """
    for task in Path(f"/proc/{pid}/task").iterdir():
        os.sched_setaffinity(int(task.name), {core})
        with contextlib.suppress(PermissionError):
            os.setpriority(os.PRIO_PROCESS, int(task.name), PRIORITY)
    with contextlib.suppress(OSError):
        Path(f"/proc/{pid}/autogroup").write_text(str(PRIORITY))


def children(pid: int) -> list[int]:
    """The child processes of a process."""
    pids: list[int] = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        pids += map(int, (task / "children").read_text().split())
    return pids


def resident_kb(pid: int) -> int:
    """The resident memory of a process, in KB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    raise CannotMeasure(f"Process {pid} has exited.")


def read_cpu_seconds(pid: int) -> float:
    """The processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def read_wait_seconds(pid: int) -> float:
    """Seconds that a process's main thread was ready to run but had no core (/proc/<pid>/schedstat)."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) / 1e9


def compile_program(name: str) -> Path:
    """Compiles `bench/<name>.c` and returns the program's path. Raises CannotMeasure if it cannot."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        raise CannotMeasure("The bench needs a C compiler (cc): install gcc or clang, then run it again.")
    BUILD.mkdir(exist_ok=True)
    program = BUILD / name
    command = [compiler, "-D_GNU_SOURCE", "-O2", "-Wall", "-o", str(program), str(BENCH / f"{name}.c"), "-lm"]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        raise CannotMeasure(f"{compiler} could not compile bench/{name}.c:\n{result.stderr}")
    return program


def description() -> Mapping[str, str]:
    """The processor, cores, kernel and interpreter of this machine."""
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
    """The interpreter and how it was built; profile-guided optimisation saves a sixth of a command's CPU."""
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
