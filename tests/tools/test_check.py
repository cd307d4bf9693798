"""tools/check.py runs every check, whatever the others did, and its exit code and table tell the truth."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.tools.programs import write_program
from tools import check


def passes() -> None:
    pass


def fails() -> None:
    raise check.Failed("do this")


def skips() -> None:
    raise check.Skipped("no tool")


def run(monkeypatch: pytest.MonkeyPatch, *runs: check.Check) -> int:
    monkeypatch.setitem(check.SUITES, "lint", runs)
    return check.main(["lint"])


def test_all_run_though_the_first_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run(
        monkeypatch, check.Check("one", fails), check.Check("two", skips), check.Check("three", passes)
    )
    assert code == 1
    table = capsys.readouterr().out.partition("== Summary\n")[2].splitlines()
    assert [line.split()[0] for line in table] == ["FAILED", "skipped", "passed", "total"]
    assert table[0].endswith("one: do this")
    assert table[1].endswith("two: no tool")
    assert table[2].endswith("three")


def test_skipping_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(monkeypatch, check.Check("one", skips), check.Check("two", passes)) == 0


def test_a_command_fails_by_its_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(monkeypatch, check.Check("true", check.command("true"))) == 0
    assert run(monkeypatch, check.Check("false", check.command("false"))) == 1


def test_an_unknown_suite_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert check.main(["everything"]) == 2
    assert "lint|types|test" in capsys.readouterr().err


def test_checks_do_not_see_our_settings() -> None:
    env = {"PATH": "/bin", "PARLEY_REDIS_URL": "redis://real", "PARLEY_PORT": "1"}
    assert check.without_settings(env) == {"PATH": "/bin"}


def test_the_browser_found_is_handed_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    browser = write_program(tmp_path / "chromium")
    monkeypatch.setenv("PARLEY_CHROMIUM", str(browser))
    monkeypatch.setattr(check, "ENV", {"PATH": str(tmp_path)})
    check.find_chromium()
    assert check.ENV["PARLEY_CHROMIUM"] == str(browser)


def test_without_a_browser_its_tests_are_skipped_and_the_search_failed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PARLEY_CHROMIUM", "/nonexistent/chromium")
    monkeypatch.setattr(check, "ENV", {})
    with pytest.raises(check.Failed, match="/nonexistent/chromium"):
        check.find_chromium()
    with pytest.raises(check.Skipped):
        check.test_in_browser()


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not on this machine")
@pytest.mark.parametrize("line", ["ProtectSistem=strict", "Restart=perhaps", "Type=notfy"])
def test_a_mistake_in_the_unit_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, line: str) -> None:
    unit = (check.ROOT / "deploy/parley.service").read_text()
    monkeypatch.setattr(check, "ROOT", tmp_path)
    (tmp_path / "deploy").mkdir()
    (tmp_path / "deploy/parley.service").write_text(unit)
    check.verify_unit()
    (tmp_path / "deploy/parley.service").write_text(unit.replace("[Service]\n", f"[Service]\n{line}\n"))
    with pytest.raises(check.Failed):
        check.verify_unit()
