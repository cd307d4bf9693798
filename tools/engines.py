"""Finds Firefox and WebKitGTK for `make soak`, or installs them with apt-get if run as root.

The settings that the browser tests read take precedence: PARLEY_FIREFOX; PARLEY_WEBKIT_DRIVER, PARLEY_WEBKIT
(its MiniBrowser) and PARLEY_XVFB (the display it needs).
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from tools.chromium import install

FIREFOXES: Final = ("firefox-esr", "firefox")
WEBKIT_DRIVER: Final = "WebKitWebDriver"
XVFB: Final = "Xvfb"
MINI_BROWSERS: Final = (
    "lib/*/webkit2gtk-4.*/MiniBrowser",
    "lib/webkit2gtk-4.*/MiniBrowser",
    "libexec/webkit2gtk-4.*/MiniBrowser",
)
"""Where distributions keep WebKitGTK's MiniBrowser, below /usr."""

FIREFOX_ADVICE: Final = (
    "no game is tried in Firefox, which was not found: install it ('apt install firefox-esr'),"
    " or set PARLEY_FIREFOX to the path of one."
)
WEBKIT_ADVICE: Final = (
    "no game is tried in WebKit: its driver, its MiniBrowser or Xvfb was not found: install them"
    " ('apt install webkit2gtk-driver xvfb'), or set PARLEY_WEBKIT_DRIVER, PARLEY_WEBKIT and PARLEY_XVFB."
)


class NoEngine(Exception):
    """A browser was not found and could not be installed; the message is advice."""


def find_firefox(env: Mapping[str, str]) -> dict[str, str] | None:
    """The setting that names a Firefox; None without one."""
    path = _find(env, "PARLEY_FIREFOX", FIREFOXES)
    return None if path is None else {"PARLEY_FIREFOX": path}


def find_webkit(env: Mapping[str, str], usr: Path = Path("/usr")) -> dict[str, str] | None:
    """The settings that name WebKitGTK's programs; None unless all are there."""
    browser = env.get("PARLEY_WEBKIT") or next(
        (str(path) for pattern in MINI_BROWSERS for path in sorted(usr.glob(pattern), reverse=True)), None
    )
    driver = _find(env, "PARLEY_WEBKIT_DRIVER", (WEBKIT_DRIVER,))
    display = _find(env, "PARLEY_XVFB", (XVFB,))
    if browser is None or driver is None or display is None:
        return None
    return {"PARLEY_WEBKIT": browser, "PARLEY_WEBKIT_DRIVER": driver, "PARLEY_XVFB": display}


def find_or_install(
    find: Callable[[Mapping[str, str]], dict[str, str] | None],
    packages: Sequence[str],
    advice: str,
    env: Mapping[str, str],
    *,
    root: bool,
) -> dict[str, str]:
    """What `find` finds, once these Debian packages are installed if need be. Raises NoEngine."""
    if settings := find(env):
        return settings
    if root and (apt := shutil.which("apt-get", path=env.get("PATH"))):
        print(f"-- Installing {' and '.join(packages)} with apt-get", flush=True)
        for number, package in enumerate(packages):
            install(apt, env, package, update=number == 0)
        if settings := find(env):
            return settings
    raise NoEngine(advice)


def _find(env: Mapping[str, str], setting: str, names: Sequence[str]) -> str | None:
    path = env.get("PATH")
    wanted = (env[setting],) if env.get(setting) else names
    return next((program for name in wanted if (program := shutil.which(name, path=path))), None)
