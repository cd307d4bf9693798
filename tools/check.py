"""Run the project's checks: ``python -m tools.check test|soak|lint|types|coverage``.

Every check runs even when one before it failed; a table of results and times ends the output, and the exit
code is 1 if any failed. The small ones run two at a time, each shown when it has ended. Run by make after
setup, with the Python of .venv.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final, TypeAlias

from tools import chromium

ROOT = Path(__file__).resolve().parent.parent
CLIENT = ROOT / "client-js"
BIN = Path(sys.executable).parent


def without_settings(env: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in env.items() if not name.startswith("PARLEY_")}


ENV = without_settings(os.environ)
"""What checks run with: nobody's own settings, so no test reaches a real store."""
AT_ONCE: Final = 2
"""Small checks that run side by side."""
PARALLEL: Final = ("-n", "2", "--dist", "worksteal")
"""Each worker gets half of the tests in their order, so that few files start their hub twice; an idle worker
takes some of the other's."""

PURE_TESTS: Final = ("tests/wire", "tests/table", "tests/games")
"""What tests the packages whose coverage is measured."""

Output: TypeAlias = IO[str]
"""Where a check's programs and the check itself write: a file, not just an object that can be written to."""


class Failed(Exception):
    """The check failed; the text, if any, says what to do."""


class Skipped(Exception):
    """The check cannot run on this machine; the text says why."""


@dataclass(frozen=True)
class Check:
    name: str
    run: Callable[[Output], str | None]
    """May return a remark for the summary."""


@dataclass(frozen=True)
class Result:
    name: str
    outcome: str
    seconds: float
    remark: str


def command(*words: str, cwd: Path = ROOT) -> Callable[[Output], None]:
    """A check that passes when the command exits with 0."""

    def run(out: Output) -> None:
        out.flush()  # before what the program writes
        if subprocess.run(words, cwd=cwd, env=ENV, stdout=out, stderr=subprocess.STDOUT).returncode != 0:
            raise Failed

    return run


def python(tool: str, *arguments: str) -> Callable[[Output], None]:
    return command(str(BIN / tool), *arguments)


def schema(name: str, *files: str) -> Callable[[Output], None]:
    return python("check-jsonschema", "--builtin-schema", f"vendor.{name}", *files)


def npm(script: str) -> Callable[[Output], None]:
    return command("npm", "run", "--silent", script, cwd=CLIENT)


def lint_dockerfile(out: Output) -> None:
    if not (BIN / "hadolint").exists():
        raise Skipped("hadolint has no package for this machine")
    python("hadolint", "deploy/Dockerfile")(out)


def verify_unit(out: Output) -> None:
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
        print(told.stderr, end="", file=out)
        raise Failed


def measure_coverage(out: Output) -> str:
    """Of the packages and with the floor that pyproject.toml names, by the tests of those packages alone."""
    command(str(BIN / "pytest"), *PURE_TESTS, "--cov", "-n", "2", cwd=ROOT)(out)
    report = [str(BIN / "coverage"), "report", "--format=total"]
    total = subprocess.run(report, cwd=ROOT, env=ENV, capture_output=True, text=True).stdout
    return f"{total.strip()} %"


def find_chromium(out: Output) -> None:
    try:
        found = chromium.find_or_install(os.environ, root=os.geteuid() == 0)
    except chromium.NoChromium as missing:
        raise Failed(str(missing)) from None
    print(found, file=out)
    ENV["PARLEY_CHROMIUM"] = found


def in_browser(script: str) -> Callable[[Output], None]:
    """A check that needs the Chromium that was found before."""

    def run(out: Output) -> None:
        if "PARLEY_CHROMIUM" not in ENV:
            raise Skipped("there is no Chromium")
        npm(script)(out)

    return run


Suite: TypeAlias = Sequence[Check | Sequence[Check]]
"""One after the other; those of an inner sequence side by side."""

LINT = (
    Check("Python style", python("ruff", "check", ".")),
    Check("Python format", python("ruff", "format", "--check", ".")),
    Check("Client style", npm("lint")),
    Check("Client format", npm("format:check")),
    Check("deploy/Dockerfile", lint_dockerfile),
    Check("deploy/compose.yaml", schema("compose-spec", "deploy/compose.yaml")),
    Check("GitHub workflow", schema("github-workflows", ".github/workflows/ci.yml")),
    Check("Dependency updates", schema("dependabot", ".github/dependabot.yml")),
    Check(
        "Issue forms",
        schema("github-issue-forms", ".github/ISSUE_TEMPLATE/bug.yml", ".github/ISSUE_TEMPLATE/idea.yml"),
    ),
    Check("deploy/parley.service", verify_unit),
)

TYPES = (
    Check("Python types", python("mypy")),
    Check("Client types", npm("check")),
)

BUILD = Check("Client build", python("python", "-B", "tools/setup.py", "client"))

TEST = (
    Check("Chromium", find_chromium),
    (
        *TYPES,  # the longest first, so that neither core waits for the other in the end
        Check("Client unit tests", npm("test")),
        *LINT,
        BUILD,
        Check("Generated types", python("python", "-m", "tools.typescript", "--check")),
    ),
    Check("Python tests", python("pytest", *PARALLEL)),
    Check("Browser tests", in_browser("test:browser")),
)

SOAK = (
    Check("Chromium", find_chromium),
    Check("Python tests at length", python("pytest", *PARALLEL, "-m", "at_length")),
    BUILD,
    Check("Browser tests at length", in_browser("test:soak")),
)
"""What is long by nature: more of what every run of the tests plays a part of."""

COVERAGE = (Check("Branch coverage", measure_coverage),)

SUITES: dict[str, Suite] = {
    "lint": (LINT,),
    "types": (TYPES,),
    "test": TEST,
    "soak": SOAK,
    "coverage": COVERAGE,
}


def run_all(suite: Suite) -> Iterator[Result]:
    for part in suite:
        if isinstance(part, Check):
            print(f"\n== {part.name}", flush=True)
            result = run_one(part, sys.stdout)
            print(told(result), flush=True)
            yield result
        else:
            yield from run_together(part)


def run_together(checks: Sequence[Check]) -> Iterator[Result]:
    """Side by side, each shown whole when it has ended."""
    print(
        f"\n== {len(checks)} checks, {AT_ONCE} at a time: {', '.join(check.name for check in checks)}",
        flush=True,
    )

    def run(check: Check) -> tuple[Result, str]:
        with tempfile.TemporaryFile("w+", errors="replace") as out:
            result = run_one(check, out)
            out.seek(0)
            return result, out.read()

    with ThreadPoolExecutor(AT_ONCE) as pool:
        try:
            for done in as_completed([pool.submit(run, check) for check in checks]):
                result, text = done.result()
                print(f"\n== {result.name}\n{text}{told(result)}", flush=True)
                yield result
        finally:
            pool.shutdown(cancel_futures=True)  # after Ctrl-C nothing more is begun


def run_one(check: Check, out: Output) -> Result:
    start = time.monotonic()
    outcome, remark = "passed", ""
    try:
        remark = check.run(out) or ""
    except Failed as failure:
        outcome, remark = "FAILED", str(failure)
    except Skipped as skip:
        outcome, remark = "skipped", str(skip)
    out.flush()
    return Result(check.name, outcome, time.monotonic() - start, remark)


def told(result: Result) -> str:
    return f"-- {result.outcome} in {result.seconds:.1f} s" + (f": {result.remark}" if result.remark else "")


def summary(results: Sequence[Result], seconds: float) -> str:
    def row(outcome: str, seconds: float, *words: str) -> str:
        return f"  {outcome:<8}{seconds:>7.1f} s  {': '.join(word for word in words if word)}".rstrip()

    rows = [row(result.outcome, result.seconds, result.name, result.remark) for result in results]
    return "\n".join(["", "== Summary", *rows, row("total", seconds)])


def main(arguments: Sequence[str]) -> int:
    suite = SUITES.get(arguments[0]) if len(arguments) == 1 else None
    if suite is None:
        print(f"usage: python -m tools.check {'|'.join(SUITES)}", file=sys.stderr)
        return 2
    start = time.monotonic()
    try:
        results = [*run_all(suite)]
    except KeyboardInterrupt:
        return 130
    print(summary(results, time.monotonic() - start), flush=True)
    return int(any(result.outcome == "FAILED" for result in results))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
