"""Run the project's checks: ``python -m tools.check test|lint|types``.

Every check runs even when one before it failed; a table of results and times ends the output, and the exit
code is 1 if any failed. Run by make after setup, with the Python of .venv.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools import chromium

ROOT = Path(__file__).resolve().parent.parent
CLIENT = ROOT / "client-js"
BIN = Path(sys.executable).parent


def without_settings(env: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in env.items() if not name.startswith("PARLEY_")}


ENV = without_settings(os.environ)
"""What checks run with: nobody's own settings, so no test reaches a real store."""


class Failed(Exception):
    """The check failed; the text, if any, says what to do."""


class Skipped(Exception):
    """The check cannot run on this machine; the text says why."""


@dataclass(frozen=True)
class Check:
    name: str
    run: Callable[[], None]


@dataclass(frozen=True)
class Result:
    name: str
    outcome: str
    seconds: float
    remark: str


def command(*words: str, cwd: Path = ROOT) -> Callable[[], None]:
    """A check that passes when the command exits with 0."""

    def run() -> None:
        if subprocess.run(words, cwd=cwd, env=ENV).returncode != 0:
            raise Failed

    return run


def python(tool: str, *arguments: str) -> Callable[[], None]:
    return command(str(BIN / tool), *arguments)


def npm(script: str) -> Callable[[], None]:
    return command("npm", "run", "--silent", script, cwd=CLIENT)


def lint_dockerfile() -> None:
    if not (BIN / "hadolint").exists():
        raise Skipped("hadolint has no package for this machine")
    python("hadolint", "deploy/Dockerfile")()


def verify_unit() -> None:
    """systemd-analyze on a copy that starts /bin/true: it insists that the program named is installed."""
    if shutil.which("systemd-analyze") is None:
        raise Skipped("systemd-analyze is not on this machine")
    lines = (ROOT / "deploy" / "parley.service").read_text().splitlines()
    copy = ["ExecStart=/bin/true" if line.startswith("ExecStart=") else line for line in lines]
    with tempfile.TemporaryDirectory() as folder:
        unit = Path(folder) / "parley.service"
        unit.write_text("\n".join(copy) + "\n")
        told = subprocess.run(
            ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", str(unit)],
            env=ENV,
            capture_output=True,
            text=True,
        )
    # An unknown key is only a warning to systemd-analyze, and its exit code stays 0.
    if told.returncode != 0 or "parley.service" in told.stderr:
        print(told.stderr, end="", flush=True)
        raise Failed


def find_chromium() -> None:
    try:
        found = chromium.find_or_install(os.environ, root=os.geteuid() == 0)
    except chromium.NoChromium as missing:
        raise Failed(str(missing)) from None
    print(found, flush=True)
    ENV["PARLEY_CHROMIUM"] = found


def test_in_browser() -> None:
    if "PARLEY_CHROMIUM" not in ENV:
        raise Skipped("there is no Chromium")
    npm("test:browser")()


LINT = (
    Check("Python style", python("ruff", "check", ".")),
    Check("Python format", python("ruff", "format", "--check", ".")),
    Check("Client style", npm("lint")),
    Check("deploy/Dockerfile", lint_dockerfile),
    Check(
        "deploy/compose.yaml",
        python("check-jsonschema", "--builtin-schema", "vendor.compose-spec", "deploy/compose.yaml"),
    ),
    Check("deploy/parley.service", verify_unit),
)

TYPES = (
    Check("Python types", python("mypy")),
    Check("Client types", npm("check")),
)

TEST = (
    Check("Chromium", find_chromium),
    *LINT,
    *TYPES,
    Check("Client build", python("python", "-B", "tools/setup.py", "client")),
    Check("Python tests", python("pytest", "-n", "2")),
    Check("Generated types", python("python", "-m", "hub.typescript", "--check")),
    Check("Client unit tests", npm("test")),
    Check("Browser tests", test_in_browser),
)

SUITES = {"lint": LINT, "types": TYPES, "test": TEST}


def run_all(checks: Sequence[Check]) -> list[Result]:
    return [run_one(check) for check in checks]


def run_one(check: Check) -> Result:
    print(f"\n== {check.name}", flush=True)
    start = time.monotonic()
    outcome, remark = "passed", ""
    try:
        check.run()
    except Failed as failure:
        outcome, remark = "FAILED", str(failure)
    except Skipped as skip:
        outcome, remark = "skipped", str(skip)
    seconds = time.monotonic() - start
    print(f"-- {outcome} in {seconds:.1f} s" + (f": {remark}" if remark else ""), flush=True)
    return Result(check.name, outcome, seconds, remark)


def summary(results: Sequence[Result]) -> str:
    def row(outcome: str, seconds: float, *words: str) -> str:
        return f"  {outcome:<8}{seconds:>7.1f} s  {': '.join(word for word in words if word)}".rstrip()

    rows = [row(result.outcome, result.seconds, result.name, result.remark) for result in results]
    return "\n".join(["", "== Summary", *rows, row("total", sum(result.seconds for result in results))])


def main(arguments: Sequence[str]) -> int:
    suite = SUITES.get(arguments[0]) if len(arguments) == 1 else None
    if suite is None:
        print(f"usage: python -m tools.check {'|'.join(SUITES)}", file=sys.stderr)
        return 2
    try:
        results = run_all(suite)
    except KeyboardInterrupt:
        return 130
    print(summary(results), flush=True)
    return int(any(result.outcome == "FAILED" for result in results))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
