"""Find a Chromium for the browser tests: PARLEY_CHROMIUM, a headless shell, any other; apt when root.

A headless shell is Chromium without its window, which Playwright takes where nobody looks on: the tests'
pages cost a fifth less of the processor in it.

``python -m tools.chromium`` prints its path.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

SHELLS = ("chromium-headless-shell", "chrome-headless-shell")
WHOLE = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

PLAYWRIGHT_SHELLS = (
    "chromium_headless_shell-*/chrome-*/headless_shell",
    "chromium_headless_shell-*/chrome-headless-shell-*/chrome-headless-shell",
)
PLAYWRIGHT_WHOLE = (
    "chromium-*/chrome-linux*/chrome",
    "chromium-*/chrome-mac*/Chromium.app/Contents/MacOS/Chromium",
)

ADVICE = (
    "the browser tests need Chromium and none was found: install it ('apt install chromium', or Chrome),"
    " or set PARLEY_CHROMIUM to the path of one."
)


class NoChromium(Exception):
    """There is none and none could be installed; the text tells what to do."""


def find_or_install(env: Mapping[str, str], *, root: bool) -> str:
    """Path of a Chromium; raises NoChromium."""
    if found := find(env, SHELLS, PLAYWRIGHT_SHELLS):
        return found
    whole = find(env, WHOLE, PLAYWRIGHT_WHOLE)
    if root and (apt := shutil.which("apt-get", path=env.get("PATH"))):
        print("-- Installing Chromium's headless shell with apt-get", flush=True)
        install(apt, env, SHELLS[0], update=whole is None)
        if found := find(env, SHELLS, PLAYWRIGHT_SHELLS):
            return found
        if whole is None:
            install(apt, env, WHOLE[0])
            whole = find(env, WHOLE, PLAYWRIGHT_WHOLE)
    if whole is None:
        raise NoChromium(ADVICE)
    return whole


def find(env: Mapping[str, str], names: Sequence[str], playwrights: Sequence[str]) -> str | None:
    """What PARLEY_CHROMIUM names, or one of these on the PATH or among Playwright's; raises NoChromium."""
    if named := env.get("PARLEY_CHROMIUM"):
        if found := shutil.which(named, path=env.get("PATH")):
            return found
        raise NoChromium(f"PARLEY_CHROMIUM is '{named}', which cannot be run: correct or unset it.")
    for name in names:
        if found := shutil.which(name, path=env.get("PATH")):
            return found
    return find_playwrights(env, playwrights)


def find_playwrights(env: Mapping[str, str], patterns: Sequence[str]) -> str | None:
    """The newest Chromium that Playwright downloaded, if any."""
    home = Path(env.get("HOME") or "/nonexistent")
    folders = [home / ".cache" / "ms-playwright", home / "Library" / "Caches" / "ms-playwright"]
    if named := env.get("PLAYWRIGHT_BROWSERS_PATH"):
        folders = [Path(named)]
    for pattern in patterns:
        for folder in folders:
            programs = [path for path in folder.glob(pattern) if os.access(path, os.X_OK)]
            if programs:
                return str(max(programs, key=lambda path: revision(path.relative_to(folder))))
    return None


def revision(path: Path) -> int:
    """1187 of ``chromium-1187/chrome-linux/chrome``."""
    number = path.parts[0].rpartition("-")[2]
    return int(number) if number.isdecimal() else 0


def install(apt: str, env: Mapping[str, str], package: str, *, update: bool = True) -> None:
    """Install this package of Debian's, and one family of fonts, since pages without a font show no text."""
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
