"""tools/engines.py finds Firefox and WebKitGTK, installs them as root, or says what is not tried."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.tools.programs import write_program
from tools import check, engines

APT = 'PATH=/usr/bin:/bin\necho "$@" >>"{bin}/asked"\n'


@pytest.fixture
def bin(tmp_path: Path) -> Path:
    folder = tmp_path / "bin"
    folder.mkdir()
    return folder


def test_firefox(bin: Path) -> None:
    """The setting first, then Debian's, then any other."""
    env = {"PATH": str(bin)}
    assert engines.find_firefox(env) is None
    for name in ("firefox", "firefox-esr", "mine"):
        path = str(write_program(bin / name))
        if name == "mine":
            env["PARLEY_FIREFOX"] = path
        assert engines.find_firefox(env) == {"PARLEY_FIREFOX": path}


def test_webkit_needs_three_programs(bin: Path, tmp_path: Path) -> None:
    env = {"PATH": str(bin)}
    driver, display = str(write_program(bin / "WebKitWebDriver")), bin / "Xvfb"
    assert engines.find_webkit(env, tmp_path) is None
    browser = write_program(tmp_path / "lib" / "x86_64-linux-gnu" / "webkit2gtk-4.1" / "MiniBrowser")
    assert engines.find_webkit(env, tmp_path) is None
    write_program(display)
    found = {"PARLEY_WEBKIT": str(browser), "PARLEY_WEBKIT_DRIVER": driver, "PARLEY_XVFB": str(display)}
    assert engines.find_webkit(env, tmp_path) == found
    assert engines.find_webkit({**env, "PARLEY_WEBKIT": "/mine"}, tmp_path) == {
        **found,
        "PARLEY_WEBKIT": "/mine",
    }


def test_root_installs_what_is_missing(bin: Path) -> None:
    write_program(
        bin / "apt-get", APT.format(bin=bin) + f'[ "$2" = -y ] && cp /bin/true "{bin}/firefox-esr"\n'
    )
    env = {"PATH": str(bin)}
    with pytest.raises(engines.NoEngine, match="apt install firefox-esr"):
        engines.find_or_install(
            engines.find_firefox, ["firefox-esr"], engines.FIREFOX_ADVICE, env, root=False
        )
    assert not (bin / "asked").exists()
    found = engines.find_or_install(
        engines.find_firefox, ["firefox-esr"], engines.FIREFOX_ADVICE, env, root=True
    )
    assert found == {"PARLEY_FIREFOX": str(bin / "firefox-esr")}
    update, install = (bin / "asked").read_text().splitlines()
    assert update.endswith("update")
    assert "install" in install
    assert "firefox-esr" in install


def test_a_browser_that_is_missing_is_said_in_the_summary(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    monkeypatch.delenv("PARLEY_FIREFOX", raising=False)
    find = check.find_engine(engines.find_firefox, ["firefox-esr"], engines.FIREFOX_ADVICE)
    result = check.run_one(check.Check("Firefox", find), sys.stdout)
    assert (result.outcome, "no game is tried in Firefox" in result.remark) == ("skipped", True)
