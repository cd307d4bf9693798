"""tools/setup.sh reports in one sentence which tool is missing or too old, and exits with 69."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tools.programs import write_program

ROOT = Path(__file__).resolve().parents[2]


class Machine:
    """A PATH that holds only the programs a test puts there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("sh", "dirname"):
            (folder / name).symlink_to(shutil.which(name) or pytest.fail(f"no {name}"))

    def put(self, name: str, version: str) -> None:
        write_program(
            self.folder / name,
            f'case "$1" in -c | --version) echo {version} ;; *) echo "handed over: $@" ;; esac',
        )

    def setup(self, *parts: str, project: Path = ROOT, **env: str) -> subprocess.CompletedProcess[str]:
        script = str(project / "tools" / "setup.sh")
        return subprocess.run(
            [self.folder / "sh", script, *parts],
            env={"PATH": str(self.folder)} | env,
            cwd=self.folder,
            capture_output=True,
            text=True,
        )


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    machine = Machine(tmp_path)
    machine.put("python3", "3.11.0")
    machine.put("node", "v20.19.0")
    machine.put("npm", "11.0.0")
    return machine


def assert_stops(done: subprocess.CompletedProcess[str], *words: str) -> None:
    assert done.returncode == os.EX_UNAVAILABLE
    assert done.stdout == ""
    assert done.stderr.startswith("parley: ")
    assert done.stderr.count("\n") == 1
    for word in words:
        assert word in done.stderr


def test_setup_starts_if_all_tools_are_present(machine: Machine) -> None:
    done = machine.setup("python", "client")
    assert done.stdout == "handed over: -B tools/setup.py python client\n"
    assert done.returncode == 0


@pytest.mark.parametrize("version", ["2.7.18", "3.6.15", "3.10.13"])
def test_an_old_python_is_refused(machine: Machine, version: str) -> None:
    machine.put("python3", version)
    assert_stops(machine.setup("python"), "Python 3.11", f"'python3' is {version}")


@pytest.mark.parametrize("version", ["3.11.0", "3.13.1", "4.0.0"])
def test_a_new_python_is_accepted(machine: Machine, version: str) -> None:
    machine.put("python3", version)
    assert machine.setup("python").returncode == 0


def test_a_missing_python_is_reported(machine: Machine) -> None:
    (machine.folder / "python3").unlink()
    assert_stops(machine.setup("python"), "Python 3.11", "does not run")


def test_the_python_to_use_can_be_chosen(machine: Machine) -> None:
    (machine.folder / "python3").unlink()
    machine.put("python3.12", "3.12.1")
    assert machine.setup("python", PYTHON="python3.12").returncode == 0


@pytest.fixture
def other(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for the PATH, after the machine's own."""
    return tmp_path_factory.mktemp("other")


@pytest.fixture
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project that is not set up yet."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "tools").mkdir()
    shutil.copy(ROOT / "tools/setup.sh", folder / "tools")
    return folder


def put_python(folder: Path, says: str) -> None:
    write_program(folder / "python3", f'case "$1" in -c) echo {says} ;; *) echo "$0" ;; esac')


@pytest.mark.parametrize(
    ("first", "second", "chosen"),
    [
        ("3.11.0", "3.11.2 optimised", 2),
        ("3.11.0 optimised", "3.12.0 optimised", 1),
        ("3.11.0", "3.10.9 optimised", 1),
        ("3.10.9", "3.12.0 optimised", 2),
        ("3.11.0", "3.12.0", 1),
    ],
)
def test_an_optimised_python_is_preferred(
    machine: Machine, other: Path, project: Path, first: str, second: str, chosen: int
) -> None:
    put_python(machine.folder, first)
    put_python(other, second)
    path = f"{machine.folder}:/nonexistent:{other}"
    used = machine.setup("python", project=project, PATH=path).stdout.strip()
    assert used == str((machine.folder, other)[chosen - 1] / "python3")


def test_a_python_that_is_named_is_used(machine: Machine, other: Path, project: Path) -> None:
    put_python(machine.folder, "3.11.0")
    put_python(other, "3.12.0 optimised")
    path = f"{machine.folder}:{other}"
    used = machine.setup("python", project=project, PATH=path, PYTHON="python3").stdout.strip()
    assert used == str(machine.folder / "python3")


def test_a_real_python_says_how_it_was_built(project: Path) -> None:
    """All that setup.sh learns is its version, and whether it is optimised."""
    script = (project / "tools/setup.sh").read_text()
    describe = script.partition("describe='")[2].partition("'")[0]
    said = subprocess.run([sys.executable, "-c", describe], capture_output=True, text=True, check=True).stdout
    assert said.split()[0] == platform.python_version()
    assert said.split()[1:] in ([], ["optimised"])


@pytest.mark.parametrize("part", ["node", "client"])
@pytest.mark.parametrize("version", ["v12.22.12", "v18.20.4", "v20.18.3"])
def test_an_old_node_is_refused(machine: Machine, version: str, part: str) -> None:
    machine.put("node", version)
    assert_stops(machine.setup("python", part), "Node 20.19", f"'node' is {version[1:]}")


@pytest.mark.parametrize("version", ["v20.19.0", "v20.20.2", "v22.1.0"])
def test_a_new_node_is_accepted(machine: Machine, version: str) -> None:
    machine.put("node", version)
    assert machine.setup("client").returncode == 0


def test_a_missing_node_is_reported(machine: Machine) -> None:
    (machine.folder / "node").unlink()
    assert_stops(machine.setup("client"), "Node 20.19", "does not run")


def test_a_missing_npm_is_reported(machine: Machine) -> None:
    (machine.folder / "npm").unlink()
    assert_stops(machine.setup("client"), "npm")


def test_the_python_part_does_not_need_node(machine: Machine) -> None:
    (machine.folder / "node").unlink()
    assert machine.setup("python").returncode == 0
