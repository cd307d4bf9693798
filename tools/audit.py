"""Looks for known vulnerabilities in the Python packages of uv.lock: ``python -m tools.audit``.

pip-audit asks PyPI's JSON API about every locked version. It comes from uv.lock as well (the group `audit`),
but runs in an environment of its own. It skips a package that the registry has no data about and still
succeeds, which is how a mirror without that data answers; here that is a failure.

The exit code is 0 if every package was looked up and nothing is known, 1 if a vulnerability is known, and 3
if a package could not be looked up. .github/workflows/audit.yml looks at npm packages and images.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Final

from tools import setup

ROOT: Final = Path(__file__).resolve().parent.parent
ELSEWHERE: Final = "npm packages and images were not looked up: .github/workflows/audit.yml does that."


class Exit(IntEnum):
    """The result of the command."""

    NOTHING_KNOWN = 0
    VULNERABLE = 1
    NOT_LOOKED_UP = 3


@dataclass(frozen=True)
class Report:
    """A line per vulnerability, the number of packages looked up, and the names of the others."""

    vulnerabilities: tuple[str, ...]
    looked_up: int
    skipped: tuple[str, ...]

    @property
    def exit(self) -> Exit:
        if self.vulnerabilities:
            return Exit.VULNERABLE
        return Exit.NOT_LOOKED_UP if self.skipped or not self.looked_up else Exit.NOTHING_KNOWN


def read_report(text: str) -> Report:
    """Reads what `pip-audit --format json` prints. Raises ValueError if it is anything else."""
    try:
        packages = json.loads(text)["dependencies"]
        return Report(
            tuple(line for package in packages for line in _vulnerabilities(package)),
            sum("vulns" in package for package in packages),
            tuple(package["name"] for package in packages if "skip_reason" in package),
        )
    except (KeyError, TypeError, ValueError):
        raise ValueError("not a report of pip-audit") from None


def _vulnerabilities(package: dict[str, object]) -> Iterator[str]:
    vulnerabilities = package.get("vulns", [])
    assert isinstance(vulnerabilities, list)
    for vulnerability in vulnerabilities:
        names = ", ".join([vulnerability["id"], *sorted(vulnerability["aliases"])])
        fix = " or ".join(vulnerability["fix_versions"]) or "no version yet"
        yield f"{package['name']} {package['version']}: {names}, fixed in {fix}"


def summary(report: Report) -> str:
    """The report in lines, for people."""
    lines = list(report.vulnerabilities)
    if report.skipped:
        lines.append(
            "The package registry gives no vulnerability data: ask one that does, such as PyPI itself."
            if not report.looked_up
            else f"The package registry gives no vulnerability data about {', '.join(report.skipped)}."
        )
    count = len(report.vulnerabilities)
    lines.append(f"{report.looked_up} Python packages looked up, {count} known vulnerabilities.")
    return "\n".join(lines)


def look_up(uv: str) -> str:
    """What pip-audit prints about the packages in uv.lock; empty if it cannot reach the registry."""
    with tempfile.TemporaryDirectory() as folder:
        requirements = Path(folder) / "requirements.txt"
        requirements.write_text(
            _run(uv, "export", "--quiet", "--frozen", "--all-groups", "--no-emit-project", "--no-header")
        )
        run_audit = ("run", "--quiet", "--isolated", "--frozen", "--only-group", "audit", "pip-audit")
        options = ("--disable-pip", "--require-hashes", "--progress-spinner", "off", "--format", "json")
        return _run(uv, *run_audit, *options, "-r", str(requirements))


def _run(*words: str) -> str:
    """What a program prints; its errors are shown if it prints nothing else."""
    result = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    if not result.stdout:  # an empty report would otherwise look like a clean one
        print(result.stderr, end="", file=sys.stderr)
    return result.stdout


def main() -> int:
    try:
        report = read_report(look_up(setup.uv_for(ROOT / ".venv")))
    except ValueError:
        print("The registry could not be asked about the Python packages: the lines above may say why.")
        print(ELSEWHERE)
        return Exit.NOT_LOOKED_UP
    print(summary(report))
    print(ELSEWHERE)
    return report.exit


if __name__ == "__main__":
    sys.exit(main())
