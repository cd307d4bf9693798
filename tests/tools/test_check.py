"""tools/check.py runs every check, even if others fail, and its exit code and table are correct."""

from __future__ import annotations

import os
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, Event

import pytest

from tests.tools.programs import write_program
from tools import check


def passes(out: check.Output) -> None:
    print("all is well", file=out)


def fails(out: check.Output) -> None:
    raise check.Failed("do this")


def skips(out: check.Output) -> None:
    raise check.Skipped("no tool")


def run(monkeypatch: pytest.MonkeyPatch, *runs: check.Check | tuple[check.Check, ...]) -> int:
    monkeypatch.setitem(check.SUITES, "lint", check.Suite(runs))
    return check.main(["lint"])


def test_all_checks_run_even_if_the_first_fails(
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


def test_the_output_of_parallel_checks_is_not_mixed(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    met = Barrier(2, timeout=60)

    def meets(out: check.Output) -> None:
        print("before", file=out)
        met.wait()  # each waits for the other, so in sequence they would never end
        check.command("echo", "between")(out)
        print("after", file=out)

    both = check.Check("one", meets), check.Check("two", meets)
    assert run(monkeypatch, both, check.Check("three", passes)) == 0
    shown = capfd.readouterr().out
    for name in ("one", "two"):
        assert f"== {name}\nbefore\nbetween\nafter\n-- passed" in shown
    assert (
        shown.index("-- passed") < shown.index("== three\nall is well\n-- passed") < shown.index("== Summary")
    )


def test_checks_beside_run_during_the_others_and_are_shown_after_them(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    met = Barrier(2, timeout=60)

    def meets(out: check.Output) -> None:
        met.wait()  # each waits for the other, so in sequence they would never end
        print("all is well", file=out)

    suite = check.Suite(
        (check.Check("one", meets), check.Check("two", passes)), (check.Check("three", meets),)
    )
    monkeypatch.setitem(check.SUITES, "lint", suite)
    assert check.main(["lint"]) == 0
    shown = capfd.readouterr().out
    one, two, three = (shown.index(f"== {name}\nall is well\n-- passed") for name in ("one", "two", "three"))
    assert one < two < three < shown.index("== Summary")


def test_a_failing_check_beside_the_others_fails_the_suite(monkeypatch: pytest.MonkeyPatch) -> None:
    suite = check.Suite(
        (check.Check("one", passes),), (check.Check("two", fails), check.Check("three", passes))
    )
    monkeypatch.setitem(check.SUITES, "lint", suite)
    assert check.main(["lint"]) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux gives threads their own priority")
def test_checks_beside_the_others_leave_them_the_processor(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    suite = check.Suite(
        (check.Check("one", check.command("nice")),), (check.Check("two", check.command("nice")),)
    )
    monkeypatch.setitem(check.SUITES, "lint", suite)
    assert check.main(["lint"]) == 0
    shown = capfd.readouterr().out
    assert f"== one\n{os.nice(0)}\n" in shown
    assert "== two\n19\n" in shown


def test_all_parallel_checks_run_even_if_one_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    late = [check.Check(str(number), lambda out: ran.append("ran")) for number in range(3)]
    assert run(monkeypatch, (check.Check("one", fails), *late), check.Check("two", passes)) == 1
    assert ran == ["ran"] * 3


def test_no_check_starts_after_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    cancelled, ran = Event(), list[str]()

    class Pool(ThreadPoolExecutor):
        def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
            super().shutdown(wait=False, cancel_futures=cancel_futures)
            cancelled.set()
            super().shutdown(wait)

    def interrupts(out: check.Output) -> None:
        raise KeyboardInterrupt

    def stays(out: check.Output) -> None:
        assert cancelled.wait(60)

    monkeypatch.setattr(check, "ThreadPoolExecutor", Pool)
    monkeypatch.setattr(check, "AT_ONCE", 1)
    late = [check.Check(str(number), lambda out: ran.append("ran")) for number in range(3)]
    together = (check.Check("one", interrupts), check.Check("two", stays), *late)
    assert run(monkeypatch, together, *late) == 130
    assert ran == []


def test_a_skipped_check_is_not_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(monkeypatch, check.Check("one", skips), check.Check("two", passes)) == 0


def test_a_command_fails_by_its_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(monkeypatch, check.Check("true", check.command("true"))) == 0
    assert run(monkeypatch, check.Check("false", check.command("false"))) == 1


def test_a_passing_check_may_report_a_figure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, check.Check("one", lambda out: "97.5%")) == 0
    assert "one: 97.5%" in capsys.readouterr().out.partition("== Summary\n")[2]


@pytest.mark.at_length  # it starts pytest with workers twice
def test_coverage_below_the_floor_fails(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """With the real programs, on a package whose one function has two branches, only one of them tested."""
    (tmp_path / "pure").mkdir()
    (tmp_path / "pure/__init__.py").write_text(
        "def sign(x):\n    if x < 0:\n        return -1\n    return 1\n"
    )
    for folder in check.PURE_TESTS:
        (tmp_path / folder).mkdir(parents=True)
    monkeypatch.setattr(check, "ROOT", tmp_path)
    project = (
        '[tool.coverage.run]\nbranch = true\nsource = ["pure"]\n[tool.coverage.report]\nfail_under = 90\n'
    )
    (tmp_path / "pyproject.toml").write_text(project + "[tool.pytest.ini_options]\npythonpath = ['.']\n")

    def measure(test: str) -> str:
        (tmp_path / check.PURE_TESTS[0] / "test_sign.py").write_text(
            f"from pure import sign\n\ndef test():\n    {test}\n"
        )
        with (tmp_path / "out").open("w") as out:
            return check.measure_coverage(out)

    with pytest.raises(check.Failed):
        measure("assert sign(1) == 1")
    assert "Required test coverage of 90" in (tmp_path / "out").read_text()
    assert measure("assert sign(1) == 1 and sign(-1) == -1") == "100%"


def test_an_unknown_suite_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert check.main(["everything"]) == 2
    assert "lint|types|test|soak|coverage" in capsys.readouterr().err


def test_checks_do_not_see_parleys_settings() -> None:
    env = {"PATH": "/bin", "PARLEY_REDIS_URL": "redis://real", "PARLEY_PORT": "1"}
    assert check.clean_environment(env) == {"PATH": "/bin"}


def test_checks_keep_compiled_modules() -> None:
    env = {"PATH": "/bin", "PYTHONDONTWRITEBYTECODE": "1"}
    assert check.clean_environment(env) == {"PATH": "/bin"}


def test_the_browser_that_was_found_is_passed_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    browser = write_program(tmp_path / "chromium")
    monkeypatch.setenv("PARLEY_CHROMIUM", str(browser))
    monkeypatch.setattr(check, "ENV", {"PATH": str(tmp_path)})
    check.find_chromium(sys.stdout)
    assert check.ENV["PARLEY_CHROMIUM"] == str(browser)


def test_without_a_browser_the_search_fails_and_its_tests_are_skipped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PARLEY_CHROMIUM", "/nonexistent/chromium")
    monkeypatch.setattr(check, "ENV", {})
    with pytest.raises(check.Failed, match="/nonexistent/chromium"):
        check.find_chromium(sys.stdout)
    with pytest.raises(check.Skipped):
        check.browser_script("test:browser")(sys.stdout)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not on this machine")
@pytest.mark.parametrize("name", ["parley.service", "parley@.service"])
@pytest.mark.parametrize("line", ["ProtectSistem=strict", "Restart=perhaps", "Type=notfy"])
def test_a_mistake_in_a_systemd_unit_is_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, line: str
) -> None:
    unit = (check.ROOT / "deploy" / name).read_text()
    monkeypatch.setattr(check, "ROOT", tmp_path)
    (tmp_path / "deploy").mkdir()
    verify = check.verify_unit(name)
    (tmp_path / "deploy" / name).write_text(unit)
    verify(sys.stdout)
    (tmp_path / "deploy" / name).write_text(unit.replace("[Service]\n", f"[Service]\n{line}\n"))
    with pytest.raises(check.Failed):
        verify(sys.stdout)
