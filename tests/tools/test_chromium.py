"""tools/chromium.py tries PARLEY_CHROMIUM, PATH and Playwright's downloads, then runs apt or gives advice."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.tools.programs import write_program
from tools import chromium


class Machine:
    """An environment whose PATH and HOME are empty folders."""

    def __init__(self, folder: Path) -> None:
        self.bin = folder / "bin"
        self.home = folder / "home"
        self.bin.mkdir()
        self.env = {"PATH": str(self.bin), "HOME": str(self.home)}

    def put(self, name: str) -> str:
        return str(write_program(self.bin / name))

    def put_playwrights(self, path: str) -> str:
        return str(write_program(self.home / ".cache/ms-playwright" / path))

    def put_apt(self, script: str) -> Path:
        """An apt-get that records its arguments, then runs the script."""
        asked = self.bin / "asked"
        tools = "/usr/bin:/bin"
        write_program(self.bin / "apt-get", f'PATH={tools}\necho "$@" >>"{asked}"\n{script}')
        return asked


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_browsers_are_searched_in_order(machine: Machine) -> None:
    machine.put_apt("exit 1")
    lowest_first = [
        machine.put_playwrights("chromium-1187/chrome-linux/chrome"),
        machine.put("google-chrome"),
        machine.put("chromium-browser"),
        machine.put("chromium"),
        machine.put_playwrights("chromium_headless_shell-1187/chrome-linux/headless_shell"),
        machine.put("chromium-headless-shell"),
        machine.put("mine"),
    ]
    machine.env["PARLEY_CHROMIUM"] = lowest_first[-1]
    for program in reversed(lowest_first):
        assert chromium.find_or_install(machine.env, root=True) == program
        Path(program).unlink()
        machine.env.pop("PARLEY_CHROMIUM", None)
    with pytest.raises(chromium.NoChromium):
        chromium.find_or_install(machine.env, root=True)


def test_apt_is_not_run_if_a_shell_is_present_or_without_root(machine: Machine) -> None:
    asked = machine.put_apt("exit 0")
    whole = machine.put("chromium")
    assert chromium.find_or_install(machine.env, root=False) == whole
    shell = machine.put("chromium-headless-shell")
    assert chromium.find_or_install(machine.env, root=True) == shell
    assert not asked.exists()


def test_a_wrong_setting_is_an_error(machine: Machine) -> None:
    machine.put("chromium")
    machine.env["PARLEY_CHROMIUM"] = "/nonexistent/chromium"
    with pytest.raises(chromium.NoChromium, match="/nonexistent/chromium"):
        chromium.find_or_install(machine.env, root=True)


def test_playwrights_newest_browser_is_used(machine: Machine) -> None:
    machine.put_playwrights("chromium-997/chrome-linux/chrome")
    newest = machine.put_playwrights("chromium-1208/chrome-linux64/chrome")
    machine.put_playwrights("chromium-1187/chrome-linux/chrome")
    assert chromium.find_or_install(machine.env, root=False) == newest


def test_playwrights_headless_shell_is_used(machine: Machine) -> None:
    shell = machine.put_playwrights("chromium_headless_shell-1187/chrome-linux/headless_shell")
    assert chromium.find_or_install(machine.env, root=False) == shell


def test_playwrights_folder_can_be_set(machine: Machine, tmp_path: Path) -> None:
    machine.put_playwrights("chromium-1187/chrome-linux/chrome")
    elsewhere = write_program(tmp_path / "browsers/chromium-1100/chrome-linux/chrome")
    machine.env["PLAYWRIGHT_BROWSERS_PATH"] = str(tmp_path / "browsers")
    assert chromium.find_or_install(machine.env, root=False) == str(elsewhere)


def test_a_file_that_is_not_executable_is_ignored(machine: Machine) -> None:
    Path(machine.put("chromium")).chmod(0o644)
    Path(machine.put_playwrights("chromium-1187/chrome-linux/chrome")).chmod(0o644)
    with pytest.raises(chromium.NoChromium):
        chromium.find_or_install(machine.env, root=False)


@pytest.mark.parametrize("package", ["chromium-headless-shell", "chromium"])
def test_root_installs_a_headless_shell_or_else_chromium(machine: Machine, package: str) -> None:
    installed = machine.bin / package
    sleeping = write_program(machine.home / "chromium.deb")
    asked = machine.put_apt(f'case "$*" in *install*" {package} "*) cp "{sleeping}" "{installed}" ;; esac')
    assert chromium.find_or_install(machine.env, root=True) == str(installed)
    assert "update" in asked.read_text().splitlines()[0]


def test_root_installs_a_headless_shell_even_if_chromium_is_present(machine: Machine) -> None:
    machine.put("chromium")
    installed = machine.bin / "chromium-headless-shell"
    sleeping = write_program(machine.home / "shell.deb")
    asked = machine.put_apt(f'cp "{sleeping}" "{installed}"')
    assert chromium.find_or_install(machine.env, root=True) == str(installed)
    (install,) = asked.read_text().splitlines()
    assert "install" in install


def test_users_without_root_get_advice(machine: Machine) -> None:
    asked = machine.put_apt("exit 0")
    with pytest.raises(chromium.NoChromium, match="PARLEY_CHROMIUM"):
        chromium.find_or_install(machine.env, root=False)
    assert not asked.exists()


def test_root_without_apt_gets_advice(machine: Machine) -> None:
    assert shutil.which("apt-get", path=machine.env["PATH"]) is None
    with pytest.raises(chromium.NoChromium, match="apt install chromium"):
        chromium.find_or_install(machine.env, root=True)
