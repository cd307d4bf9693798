"""Runs the project's checks: ``python -m tools.check test|soak|lint|types|coverage``.

Every check runs even if an earlier one failed. The output ends with a table of results and times; the exit
code is 1 if any check failed. Small checks run two at a time, some of them beside the tests; each one's
output is shown when it ends.
make runs this after setup, with the Python of .venv.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final, TypeAlias

from tools import chromium, engines

ROOT = Path(__file__).resolve().parent.parent
CLIENT = ROOT / "client-js"
BIN = Path(sys.executable).parent


def clean_environment(env: Mapping[str, str]) -> dict[str, str]:
    """The environment for all checks: no test reaches a real store, and Python keeps what it has compiled.

    Otherwise every hub and every worker that tests start would compile all its modules again.
    """
    left_out = "PYTHONDONTWRITEBYTECODE"
    return {name: value for name, value in env.items() if not name.startswith("PARLEY_") and name != left_out}


ENV = clean_environment(os.environ)
AT_ONCE: Final = 2
"""The number of small checks that run in parallel."""
WORKSTEAL: Final = ("--dist", "worksteal")
"""Each worker gets a contiguous slice of the tests, so that few files start their hub twice; an idle worker
takes over tests from the others."""

PURE_TESTS: Final = ("tests/wire", "tests/table", "tests/games")
"""The tests of the packages whose coverage is measured."""

Output: TypeAlias = IO[str]
"""The output of a check and its programs: a real file, since programs need a file descriptor."""


class Failed(Exception):
    """The check failed; the message, if there is one, is advice."""


class Skipped(Exception):
    """The check cannot run on this machine; the message is the reason."""


@dataclass(frozen=True)
class Check:
    """A named check; `run` may return a remark for the summary."""

    name: str
    run: Callable[[Output], str | None]


@dataclass(frozen=True)
class Result:
    """The result of a check: `outcome` is passed, FAILED or skipped."""

    name: str
    outcome: str
    seconds: float
    remark: str


def command(*words: str, cwd: Path = ROOT) -> Callable[[Output], None]:
    """A check that passes if the command exits with 0."""

    def run(out: Output) -> None:
        out.flush()  # so that it precedes the program's output
        if subprocess.run(words, cwd=cwd, env=ENV, stdout=out, stderr=subprocess.STDOUT).returncode != 0:
            raise Failed

    return run


def python(tool: str, *arguments: str) -> Callable[[Output], None]:
    return command(str(BIN / tool), *arguments)


def schema(name: str, *files: str) -> Callable[[Output], None]:
    return python("check-jsonschema", "--builtin-schema", f"vendor.{name}", *files)


def list_files(folder: str) -> list[str]:
    return sorted(str(path.relative_to(ROOT)) for path in (ROOT / folder).iterdir())


def npm(script: str) -> Callable[[Output], None]:
    return command("npm", "run", "--silent", script, cwd=CLIENT)


def lint_dockerfile(out: Output) -> None:
    if not (BIN / "hadolint").exists():
        raise Skipped("hadolint has no package for this machine")
    python("hadolint", "deploy/Dockerfile")(out)


def verify_unit(name: str) -> Callable[[Output], None]:
    """Runs systemd-analyze on a copy that starts /bin/true, since it insists on an installed program."""

    def run(out: Output) -> None:
        if shutil.which("systemd-analyze") is None:
            raise Skipped("systemd-analyze is not on this machine")
        lines = (ROOT / "deploy" / name).read_text().splitlines()
        copy = ["ExecStart=/bin/true" if line.startswith("ExecStart=") else line for line in lines]
        with tempfile.TemporaryDirectory() as folder:
            unit = Path(folder) / name
            unit.write_text("\n".join(copy) + "\n")
            result = subprocess.run(
                ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", str(unit)],
                env=ENV,
                capture_output=True,
                text=True,
            )
        # An unknown key is only a warning to systemd-analyze, and its exit code stays 0.
        if result.returncode != 0 or name in result.stderr:
            print(result.stderr, end="", file=out)
            raise Failed

    return run


def measure_coverage(out: Output) -> str:
    """Measures the coverage of the packages in pyproject.toml by their own tests; fails below its minimum."""
    # Tracing makes tests several times slower, and the limit for one test is set for runs without it.
    limit = ("--timeout", "600")
    command(str(BIN / "pytest"), *PURE_TESTS, "--cov", "-n", "2", *limit, cwd=ROOT)(out)
    report = [str(BIN / "coverage"), "report", "--format=total"]
    total = subprocess.run(report, cwd=ROOT, env=ENV, capture_output=True, text=True).stdout
    return f"{total.strip()}%"


def find_chromium(out: Output) -> None:
    try:
        program = chromium.find_or_install(os.environ, root=os.geteuid() == 0)
    except chromium.NoChromium as missing:
        raise Failed(str(missing)) from None
    print(program, file=out)
    ENV["PARLEY_CHROMIUM"] = program


def find_engine(
    find: Callable[[Mapping[str, str]], dict[str, str] | None], packages: Sequence[str], advice: str
) -> Callable[[Output], None]:
    """A check that is skipped, with advice in the summary, where there is no such browser."""

    def run(out: Output) -> None:
        try:
            settings = engines.find_or_install(find, packages, advice, os.environ, root=os.geteuid() == 0)
        except engines.NoEngine as missing:
            raise Skipped(str(missing)) from None
        print(*settings.values(), file=out)
        ENV.update(settings)

    return run


def browser_script(script: str) -> Callable[[Output], None]:
    """An npm script that needs the Chromium found by an earlier check."""

    def run(out: Output) -> None:
        if "PARLEY_CHROMIUM" not in ENV:
            raise Skipped("there is no Chromium")
        npm(script)(out)

    return run


@dataclass(frozen=True)
class Suite:
    """`parts` run one after another; the checks of an inner sequence run in parallel. The checks of `beside`
    run in parallel from the start, in the processor time that the parts leave."""

    parts: Sequence[Check | Sequence[Check]]
    beside: Sequence[Check] = ()


LINT = (
    Check("Python style", python("ruff", "check", ".")),
    Check("Python format", python("ruff", "format", "--check", ".")),
    Check("Client style", npm("lint")),
    Check("Client format", npm("format:check")),
    Check("deploy/Dockerfile", lint_dockerfile),
    Check("deploy/compose.yaml", schema("compose-spec", "deploy/compose.yaml")),
    Check("deploy/kubernetes", python("kubernetes-validate", "--strict", *list_files("deploy/kubernetes"))),
    Check(
        "GitHub workflows",
        schema(
            "github-workflows",
            ".github/workflows/audit.yml",
            ".github/workflows/ci.yml",
            ".github/workflows/nightly.yml",
        ),
    ),
    Check("Dependency updates", schema("dependabot", ".github/dependabot.yml")),
    Check(
        "Issue forms",
        schema("github-issue-forms", ".github/ISSUE_TEMPLATE/bug.yml", ".github/ISSUE_TEMPLATE/idea.yml"),
    ),
    Check("deploy/parley.service", verify_unit("parley.service")),
    Check("deploy/parley@.service", verify_unit("parley@.service")),
)

TYPES = (
    Check("Python types", python("mypy")),
    Check("Client types", npm("check")),
)

BUILD = Check("Client build", python("python", "-B", "tools/setup.py", "client"))

TEST = Suite(
    (
        (
            Check("Chromium", find_chromium),  # first, since it may have to be downloaded
            # compiles the tests once, before several workers need them
            Check("Python tests can be collected", python("pytest", "--collect-only", "-qq")),
            Check("Client unit tests", npm("test")),
            BUILD,
        ),
        # On two cores, one more worker runs while tests wait for other processes; each collects all tests.
        Check("Python tests", python("pytest", "-n", "3", *WORKSTEAL)),
        Check("Browser tests", browser_script("test:browser")),
    ),
    beside=(
        *TYPES,  # the longest first, so that no core is idle at the end
        *LINT,
        Check("Generated types", python("python", "-m", "tools.typescript", "--check")),
    ),
)

SOAK = Suite(
    (
        Check("Chromium", find_chromium),
        Check("Firefox", find_engine(engines.find_firefox, ("firefox-esr",), engines.FIREFOX_ADVICE)),
        Check(
            "WebKit", find_engine(engines.find_webkit, ("webkit2gtk-driver", "xvfb"), engines.WEBKIT_ADVICE)
        ),
        Check("Python tests at length", python("pytest", "-n", "2", *WORKSTEAL, "-m", "at_length")),
        BUILD,
        Check("Browser tests at length", browser_script("test:soak")),
    )
)
"""The long versions of tests; every other run does only a part of each."""

SUITES: Final = {
    "lint": Suite((LINT,)),
    "types": Suite((TYPES,)),
    "test": TEST,
    "soak": SOAK,
    "coverage": Suite((Check("Branch coverage", measure_coverage),)),
}


def run_all(suite: Suite) -> Iterator[Result]:
    """Runs a suite and yields each result as its check ends, those of `beside` after the parts."""
    with start(suite.beside, run_last) as beside:
        for part in suite.parts:
            if isinstance(part, Check):
                print(f"\n== {part.name}", flush=True)
                result = run_one(part, sys.stdout)
                print(result_line(result), flush=True)
                yield result
            else:
                with start(part) as parallel:
                    yield from report(parallel)
        yield from report(beside)


Running: TypeAlias = Sequence[Future[tuple[Result, str]]]
"""Checks that run in parallel, each with its result and output."""


@contextmanager
def start(checks: Sequence[Check], prepare: Callable[[], None] | None = None) -> Iterator[Running]:
    """Starts checks, AT_ONCE at a time, in threads that call `prepare` first."""
    if checks:
        print(
            f"\n== {len(checks)} checks, {AT_ONCE} at a time: {', '.join(check.name for check in checks)}",
            flush=True,
        )

    def run(check: Check) -> tuple[Result, str]:
        with tempfile.TemporaryFile("w+", errors="replace") as out:
            result = run_one(check, out)
            out.seek(0)
            return result, out.read()

    with ThreadPoolExecutor(AT_ONCE, initializer=prepare) as pool:
        try:
            yield [pool.submit(run, check) for check in checks]
        finally:
            pool.shutdown(cancel_futures=True)  # after Ctrl-C, no further check starts


def report(running: Running) -> Iterator[Result]:
    """Shows the output of each check when it ends, and yields its result."""
    for future in as_completed(running):
        result, text = future.result()
        print(f"\n== {result.name}\n{text}{result_line(result)}", flush=True)
        yield result


def run_last() -> None:
    """Gives this thread and the programs it starts the lowest priority, where threads have their own."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 19)


def run_one(check: Check, out: Output) -> Result:
    """Runs a check and times it."""
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


def result_line(result: Result) -> str:
    return f"-- {result.outcome} in {result.seconds:.1f} s" + (f": {result.remark}" if result.remark else "")


def summary(results: Sequence[Result], seconds: float) -> str:
    """The table of results and times."""

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
