"""tools/setup.py does each part once, repeats it if its sources change, and gives advice if it fails."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tools.programs import write_program
from tools import setup

ROOT = Path(__file__).resolve().parents[2]


class Project:
    """A small working copy, with a uv and an npm that record how they were called."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "project"
        self.bin = folder / "bin"
        self.calls = folder / "calls"
        self.write("pyproject.toml", "[project]")
        self.write("uv.lock", "version = 1")
        self.write("client-js/package.json", "{}")
        self.write("client-js/package-lock.json", "{}")
        self.write("client-js/src/main.ts", "start()")
        self.program("uv", 'case "$1" in --version) echo "uv 0.13.8" ;; *) echo "uv $1" >>"$CALLS" ;; esac')
        self.program(
            "npm",
            'echo "npm $*" >>"$CALLS"\n'
            'case "$1" in\n'
            "ci) mkdir -p node_modules && touch node_modules/.package-lock.json ;;\n"
            "run) mkdir -p ../hub/_web && touch ../hub/_web/index.html ;;\n"
            "esac",
        )

    def write(self, path: str, text: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def program(self, name: str, script: str) -> None:
        write_program(self.bin / name, script)

    def setup(self, *parts: str) -> list[str]:
        """Runs the setup and returns the recorded calls."""
        self.calls.write_text("")
        assert setup.main(list(parts or ("python", "client")), self.root) == 0
        return self.calls.read_text().splitlines()


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    project = Project(tmp_path)
    monkeypatch.setenv("PATH", f"{project.bin}:{os.environ['PATH']}")
    monkeypatch.setenv("CALLS", str(project.calls))
    return project


SYNC, CI, BUILD = "uv sync", "npm ci --no-audit --no-fund", "npm run build"


def test_the_first_run_does_everything_and_the_second_nothing(
    project: Project, capfd: pytest.CaptureFixture[str]
) -> None:
    *packages, last = project.setup()
    assert (sorted(packages), last) == ([CI, SYNC], BUILD)  # packages are installed side by side
    output = capfd.readouterr().out.splitlines()
    assert len(output) == 4
    assert all(line.startswith("-- ") for line in output)
    assert project.setup() == []
    assert capfd.readouterr().out == ""


def test_the_node_part_does_not_build_the_client(project: Project) -> None:
    assert project.setup("node") == [CI]


@pytest.mark.parametrize(
    ("changed", "calls"),
    [
        ("uv.lock", [SYNC]),
        ("pyproject.toml", [SYNC]),
        ("client-js/package-lock.json", [CI, BUILD]),
        ("client-js/src/main.ts", [BUILD]),
        ("client-js/src/new.ts", [BUILD]),
        ("games/almost/RULES.md", [BUILD]),
        ("games/almost/MINUTE.md", [BUILD]),
        ("games/almost/texts/en.json", [BUILD]),
        ("games/almost/rules/game.py", []),
        ("client-js/tests/main.test.ts", []),
        ("client-js/node_modules/thing/index.js", []),
        ("README.md", []),
    ],
)
def test_only_changed_parts_are_repeated(project: Project, changed: str, calls: list[str]) -> None:
    project.setup()
    project.write(changed, "changed")
    assert project.setup() == calls
    assert project.setup() == []


def test_a_removed_source_counts_as_changed(project: Project) -> None:
    project.write("client-js/src/old.ts", "old()")
    project.setup()
    (project.root / "client-js/src/old.ts").unlink()
    assert project.setup() == [BUILD]


def test_deleted_results_are_rebuilt(project: Project) -> None:
    project.setup()
    (project.root / "hub/_web/index.html").unlink()
    assert project.setup() == [BUILD]
    (project.root / "client-js/node_modules/.package-lock.json").unlink()
    assert project.setup() == [CI]


def test_a_venv_without_its_python_is_recreated(project: Project) -> None:
    project.setup()
    python = project.root / ".venv/bin/python"
    python.unlink()
    python.symlink_to("/nonexistent/python3")
    assert SYNC in project.setup("python")


@pytest.mark.parametrize(
    ("program", "script", "advice"),
    [
        ("uv", 'case "$1" in --version) echo "uv 0.13.8" ;; *) exit 2 ;; esac', "check the network"),
        ("npm", "exit 1", "check the network"),
        ("npm", "test $1 = ci", "the client could not be built"),
    ],
)
def test_a_failing_step_gives_advice_and_is_retried(
    project: Project, capfd: pytest.CaptureFixture[str], program: str, script: str, advice: str
) -> None:
    good = (project.bin / program).read_text().removeprefix("#!/bin/sh\n")
    project.program(program, script)
    assert setup.main(["python", "client"], project.root) == 1
    output = capfd.readouterr().err
    assert output.startswith("parley: ")
    assert advice in output
    project.program(program, good)
    assert BUILD in project.setup()


def test_python_without_venv(
    project: Project, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    broken = f"mkdir -p '{project.root}/.venv'; echo 'not created: ensurepip is not available'; exit 1"
    monkeypatch.setattr(sys, "executable", str(write_program(project.bin / "python3", broken)))
    assert setup.main(["python"], project.root) == 1
    assert "apt install python3-venv" in capfd.readouterr().err
    assert not (project.root / ".venv").exists()


def test_an_old_uv_is_not_used(project: Project) -> None:
    project.program("uv", "echo 'uv 0.4.30'")
    write_program(project.root / ".venv/bin/uv", "exit 0")
    assert setup.uv_for(project.root / ".venv") == str(project.root / ".venv/bin/uv")


def test_a_second_run_waits_for_the_first(project: Project) -> None:
    """The test holds the lock, reads that the other run is waiting, releases the lock, and sees it finish."""
    folder = os.open(project.root, os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)
    start = "import pathlib, sys, tools.setup as s; sys.exit(s.main(['node'], pathlib.Path(sys.argv[1])))"
    command = [sys.executable, "-c", start, str(project.root)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline().startswith("-- Waiting")
        assert not project.calls.exists()
        os.close(folder)
        assert other.wait() == 0
    assert project.calls.read_text() == f"{CI}\n"
