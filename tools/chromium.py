"""Finds a Chromium for the browser tests, or installs one with apt-get if run as root.

PARLEY_CHROMIUM takes precedence, then a headless shell, then any other Chromium. A headless shell is a
windowless build of Chromium, Playwright's default; the tests use a fifth less CPU with it.

``python -m tools.chromium`` prints the path.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

SHELLS = ("chromium-headless-shell", "chrome-headless-shell")
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

PLAYWRIGHT_SHELLS = (
    "chromium_headless_shell-*/chrome-*/headless_shell",
    "chromium_headless_shell-*/chrome-headless-shell-*/chrome-headless-shell",
)
PLAYWRIGHT_BROWSERS = (
    "chromium-*/chrome-linux*/chrome",
    "chromium-*/chrome-mac*/Chromium.app/Contents/MacOS/Chromium",
)

ADVICE = (
    "the browser tests need Chromium and none was found: install it ('apt install chromium', or Chrome),"
    " or set PARLEY_CHROMIUM to the path of one."
)


class NoChromium(Exception):
    """No Chromium was found and none could be installed; the message is advice."""


def find_or_install(env: Mapping[str, str], *, root: bool) -> str:
    """The path of a Chromium. Raises NoChromium."""
    if shell := find(env, SHELLS, PLAYWRIGHT_SHELLS):
        return shell
    browser = find(env, BROWSERS, PLAYWRIGHT_BROWSERS)
    if root and (apt := shutil.which("apt-get", path=env.get("PATH"))):
        print("-- Installing Chromium's headless shell with apt-get", flush=True)
        install(apt, env, SHELLS[0], update=browser is None)
        if shell := find(env, SHELLS, PLAYWRIGHT_SHELLS):
            return shell
        if browser is None:
            install(apt, env, BROWSERS[0])
            browser = find(env, BROWSERS, PLAYWRIGHT_BROWSERS)
    if browser is None:
        raise NoChromium(ADVICE)
    return browser


def find(env: Mapping[str, str], names: Sequence[str], playwrights: Sequence[str]) -> str | None:
    """The program named by PARLEY_CHROMIUM, or else one of `names` on the PATH, or else one of Playwright's.

    Raises NoChromium if PARLEY_CHROMIUM does not name a program.
    """
    if setting := env.get("PARLEY_CHROMIUM"):
        if program := shutil.which(setting, path=env.get("PATH")):
            return program
        raise NoChromium(f"PARLEY_CHROMIUM is '{setting}', which cannot be run: correct or unset it.")
    for name in names:
        if program := shutil.which(name, path=env.get("PATH")):
            return program
    return find_playwrights(env, playwrights)


def find_playwrights(env: Mapping[str, str], patterns: Sequence[str]) -> str | None:
    """The newest Chromium that Playwright downloaded, if any."""
    home = Path(env.get("HOME") or "/nonexistent")
    folders = [home / ".cache" / "ms-playwright", home / "Library" / "Caches" / "ms-playwright"]
    if setting := env.get("PLAYWRIGHT_BROWSERS_PATH"):
        folders = [Path(setting)]
    for pattern in patterns:
        for folder in folders:
            programs = [path for path in folder.glob(pattern) if os.access(path, os.X_OK)]
            if programs:
                return str(max(programs, key=lambda path: revision(path.relative_to(folder))))
    return None


def revision(path: Path) -> int:
    """The revision in a path: 1187 in ``chromium-1187/chrome-linux/chrome``, or 0."""
    number = path.parts[0].rpartition("-")[2]
    return int(number) if number.isdecimal() else 0


def install(apt: str, env: Mapping[str, str], package: str, *, update: bool = True) -> None:
    """Installs a Debian package and a font family, since pages show no text if no font is installed."""
    quiet = {**env, "DEBIAN_FRONTEND": "noninteractive"}
    packages = ("--no-install-recommends", package, "fonts-liberation")
    if update:
        subprocess.run([apt, "-qq", "update"], env=quiet, stdin=subprocess.DEVNULL)
    subprocess.run([apt, "-qq", "-y", "install", *packages], env=quiet, stdin=subprocess.DEVNULL)


if __name__ == "__main__":
    try:
        print(find_or_install(os.environ, root=os.geteuid() == 0))
    except NoChromium as missing:
        sys.exit(f"parley: {missing}")
