"""`make audit` reports what it looked up, and never a clean result when it looked up nothing."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.tools.programs import write_program
from tools import audit, setup

ROOT = Path(__file__).resolve().parents[2]
ANSWERS = Path(__file__).parent / "pip_audit"
"""What pip-audit 2.10.1 printed: for PyPI's entries about Flask 0.5, and for a mirror without any."""


def uv_that_prints(folder: Path, output: str) -> str:
    """A uv that exports no packages, and whose pip-audit prints `output`."""
    case = f'case "$1" in run) printf %s {shlex.quote(output)};; *) echo "{{}}";; esac'
    return str(write_program(folder / "uv", case))


def run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], uv: str
) -> tuple[int, list[str]]:
    monkeypatch.setattr(setup, "uv_for", lambda venv: uv)
    code = audit.main()
    lines = capsys.readouterr().out.splitlines()
    assert lines.pop() == audit.ELSEWHERE
    return code, lines


def test_a_vulnerability_is_shown_with_its_fix(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    uv = uv_that_prints(tmp_path, (ANSWERS / "vulnerable.json").read_text())
    assert run(monkeypatch, capsys, uv) == (
        audit.Exit.VULNERABLE,
        [
            "flask 0.5: PYSEC-2019-179, CVE-2019-1010083, GHSA-5wv5-4vpf-pj6m, fixed in 1.0",
            "flask 0.5: PYSEC-2018-66, CVE-2018-1000656, GHSA-562c-5r94-xh97, fixed in 0.12.3",
            "2 Python packages looked up, 2 known vulnerabilities.",
        ],
    )


def test_a_mirror_without_data_is_a_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """pip-audit itself succeeds and says that nothing is known."""
    uv = uv_that_prints(tmp_path, (ANSWERS / "skipped.json").read_text())
    code, lines = run(monkeypatch, capsys, uv)
    assert code == audit.Exit.NOT_LOOKED_UP
    assert lines[0].startswith("The package registry gives no vulnerability data:")


@pytest.mark.parametrize("output", ["", "Traceback", "[]", '{"dependencies": [{}]}'])
def test_no_report_is_a_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, output: str
) -> None:
    code, lines = run(monkeypatch, capsys, uv_that_prints(tmp_path, output))
    assert code == audit.Exit.NOT_LOOKED_UP
    assert lines


def test_one_package_without_data_is_a_failure() -> None:
    text = '{"dependencies": [{"name": "a", "version": "1", "vulns": []}, {"name": "b", "skip_reason": "-"}]}'
    report = audit.read_report(text)
    assert report.exit == audit.Exit.NOT_LOOKED_UP
    assert audit.summary(report).startswith(
        "The package registry gives no vulnerability data about b.\n1 Python"
    )


def test_packages_without_vulnerabilities() -> None:
    report = audit.read_report('{"dependencies": [{"name": "a", "version": "1", "vulns": []}]}')
    assert report.exit == audit.Exit.NOTHING_KNOWN


DIGEST = "sha256:" + "1" * 64


@pytest.mark.parametrize(
    ("image", "code", "words"),
    [
        ("valkey:8", 0, f"::warning::valkey:8 is not pinned: it names valkey:8@{DIGEST}"),
        (f"valkey:8@{DIGEST}", 0, "valkey:8 is pinned to what it names"),
        ("valkey:8@sha256:2", 1, f"::error::valkey:8@sha256:2 is pinned, but the tag now names {DIGEST}"),
    ],
)
def test_the_workflow_compares_digests(tmp_path: Path, image: str, code: int, words: str) -> None:
    write_program(tmp_path / "bin" / "docker", f"echo {DIGEST}")
    compose = tmp_path / "compose.yaml"
    compose.write_text(f"services:\n  store:\n    image: {image}\n")
    result = subprocess.run(
        ["sh", str(ROOT / ".github" / "image_digests.sh"), str(compose)],
        env=os.environ | {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
    )
    assert (result.returncode, result.stdout.strip()) == (code, words), result.stderr
