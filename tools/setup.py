"""Sets up a working copy: .venv, client-js/node_modules, and the built client in hub/_web.

tools/setup.sh calls it with the parts to set up: ``python``, ``node``, ``client`` (which includes ``node``).
A part is set up again only if its sources have changed; a stamp file in .venv/stamps holds their hash.
It uses only the standard library, since it runs before anything is installed.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

OLDEST_UV = "0.9"
"""The same bound as tool.uv.required-version in pyproject.toml."""

CLIENT_NOT_BUILT = {"node_modules", "tests", "test-results", ".svelte-check", "dist"}
"""Folders of client-js that the built client does not depend on."""

CERTIFICATE_BUNDLES = (
    "/etc/ssl/certs/ca-certificates.crt",  # Debian, Ubuntu, Arch, Alpine, NixOS
    "/etc/pki/tls/certs/ca-bundle.crt",  # Fedora, Red Hat
    "/etc/ssl/ca-bundle.pem",  # openSUSE
)
"""The files in which Linux distributions keep the certificates that the administrator trusts."""


class SetupFailed(Exception):
    """A step failed; the message is advice."""


def main(parts: list[str], root: Path) -> int:
    try:
        with_lock(root, lambda: set_up(parts, root))
    except SetupFailed as failure:
        print(f"parley: {failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def set_up(parts: list[str], root: Path) -> None:
    venv = root / ".venv"
    if "python" in parts and not runs(venv / "bin" / "python"):
        shutil.rmtree(venv, ignore_errors=True)  # first, because the stamps of all parts are in it
    packages = []
    if "python" in parts:
        packages.append(python_part)
    if "node" in parts or "client" in parts:
        packages.append(node_part)
    with ThreadPoolExecutor() as pool:  # each mostly waits for its registry
        for installing in [pool.submit(part, root) for part in packages]:
            installing.result()
    if "client" in parts:
        client_part(root)


def python_part(root: Path) -> None:
    """Installs the packages in uv.lock into .venv, and creates it if it is missing."""
    venv = root / ".venv"
    python = venv / "bin" / "python"
    if not runs(python):
        make_venv(venv)  # beside the Node packages, whose installation takes longer
    sources = [root / "pyproject.toml", root / "uv.lock"]

    def install() -> None:
        say("Installing the Python packages from uv.lock into .venv")
        step(
            [uv_for(venv), "sync", "--frozen", "--python", str(python)],
            root,
            "the Python packages could not be installed; if the lines above name a connection or a host,"
            " PyPI cannot be reached from here: check the network or proxy and run this again.",
            UV_PROJECT_ENVIRONMENT=str(venv),
        )

    run_once(venv / "stamps" / "python", digest(sources, root), install)


def make_venv(venv: Path) -> None:
    say(f"Creating .venv with Python {sys.version.split()[0]}, {sys.executable}")
    bare = ["--without-pip"] if uv_on_path() else []
    result = subprocess.run([sys.executable, "-m", "venv", *bare, str(venv)], capture_output=True, text=True)
    if result.returncode == 0:
        return
    shutil.rmtree(venv, ignore_errors=True)
    if re.search("ensurepip|No module named venv", result.stdout + result.stderr):
        raise SetupFailed(
            "this Python lacks its venv module: on Debian and Ubuntu, 'apt install python3-venv' adds it;"
            " then run this again."
        )
    raise SetupFailed(
        f"'{sys.executable} -m venv' could not create .venv: {result.stderr or result.stdout}".strip()
    )


def uv_for(venv: Path) -> str:
    """A uv that can read uv.lock: the one on the PATH if it is new enough, or one installed into .venv."""
    if uv := uv_on_path():
        return uv
    venv_uv = venv / "bin" / "uv"
    if not runs(venv_uv):
        say("Installing uv, the package installer, into .venv")
        step(
            [str(venv / "bin" / "python"), "-m", "pip", "install", "--quiet", f"uv>={OLDEST_UV}"],
            venv,
            "uv could not be installed with pip; if the lines above name a connection or a host,"
            " PyPI cannot be reached from here: check the network or proxy and run this again.",
        )
    return str(venv_uv)


def uv_on_path() -> str | None:
    uv = shutil.which("uv")
    if uv is None:
        return None
    output = subprocess.run([uv, "--version"], capture_output=True, text=True).stdout
    version = re.match(r"uv (\d+\.\d+)", output)
    return uv if version and release(version[1]) >= release(OLDEST_UV) else None


def release(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def node_part(root: Path) -> None:
    """Installs the packages in client-js/package-lock.json."""
    client = root / "client-js"
    sources = [client / "package.json", client / "package-lock.json"]

    def install() -> None:
        say("Installing the Node packages from client-js/package-lock.json")
        step(
            ["npm", "ci", "--no-audit", "--no-fund"],
            client,
            "the Node packages could not be installed; if the lines above name a connection or a host,"
            " the npm registry cannot be reached from here: check the network or proxy and run this again.",
        )

    run_once(
        root / ".venv" / "stamps" / "node",
        digest(sources, root),
        install,
        makes=client / "node_modules" / ".package-lock.json",
    )


def client_part(root: Path) -> None:
    """Builds the client into hub/_web, from which the hub serves it."""
    client = root / "client-js"

    def build() -> None:
        say("Building the client into hub/_web")
        step(["npm", "run", "build"], client, "the client could not be built: the lines above say why.")

    run_once(
        root / ".venv" / "stamps" / "client",
        digest(client_sources(root), root),
        build,
        makes=root / "hub" / "_web" / "index.html",
    )


def client_sources(root: Path) -> list[Path]:
    """The sources of the built client: client-js, and the games' pages, texts and lessons."""

    def list_files(folder: Path) -> Iterable[Path]:
        for entry in folder.iterdir():
            if entry.name.startswith(".") or entry.name in CLIENT_NOT_BUILT:
                continue
            if entry.is_dir():
                yield from list_files(entry)
            else:
                yield entry

    patterns = ("games/*/*.md", "games/*/texts/*.json", "games/*/lesson.json")
    pages = (path for pattern in patterns for path in root.glob(pattern))
    return sorted([*list_files(root / "client-js"), *pages])


def run_once(stamp: Path, source_hash: str, work: Callable[[], None], makes: Path | None = None) -> None:
    """Does the work unless the stamp holds this hash and the output is still there."""
    if stamp.is_file() and stamp.read_text() == source_hash and (makes is None or makes.exists()):
        return
    stamp.unlink(missing_ok=True)
    work()
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.write_text(source_hash)


def digest(files: Iterable[Path], root: Path) -> str:
    """A hash of the files' names and contents."""
    total = hashlib.sha256()
    for file in files:
        total.update(f"{file.relative_to(root)}\0{hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode())
    return total.hexdigest()


def step(command: list[str], cwd: Path, advice: str, **settings: str) -> None:
    """Runs a command with its output shown. Raises SetupFailed with the advice if it fails."""
    env = certificate_settings(os.environ) | os.environ | settings
    if subprocess.run(command, cwd=cwd, env=env).returncode != 0:
        raise SetupFailed(advice)


def certificate_settings(
    env: Mapping[str, str], platform: str = sys.platform, bundles: Iterable[str] = CERTIFICATE_BUNDLES
) -> dict[str, str]:
    """Variables that make uv, pip and npm trust the system's certificates, such as a company's own.

    By default, each of the three trusts only the certificates it ships with. Variables in `env` take
    precedence. On a system without certificates, the result is empty.
    """
    bundle = env.get("SSL_CERT_FILE") or next(filter(os.path.exists, bundles), None)
    if bundle is None and platform != "darwin":
        return {}
    settings = {
        "UV_SYSTEM_CERTS": env.get("UV_NATIVE_TLS", "1"),
        "UV_NATIVE_TLS": "1",  # its name before uv 0.11
        "NODE_USE_SYSTEM_CA": "1",  # Node 22.19, 24.6 and newer
    }
    if bundle is not None:
        settings["NODE_EXTRA_CA_CERTS"] = bundle  # any Node
        settings["REQUESTS_CA_BUNDLE"] = env.get(
            "CURL_CA_BUNDLE", bundle
        )  # pip; its configuration takes precedence over this
    return settings


def runs(program: Path) -> bool:
    """Whether the program exists and works; a .venv stops working when its Python is removed."""
    try:
        return subprocess.run([program, "--version"], capture_output=True).returncode == 0
    except OSError:
        return False


def with_lock(root: Path, work: Callable[[], None]) -> None:
    """Does the work while holding a lock, so that two runs of make do not set up at the same time."""
    folder = os.open(root, os.O_RDONLY)
    try:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("Waiting for a setup that is running elsewhere in this folder")
            fcntl.flock(folder, fcntl.LOCK_EX)
        work()
    finally:
        os.close(folder)


def say(text: str) -> None:
    print(f"-- {text}\n", end="", flush=True)  # in one write: two parts may speak at once


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], Path(__file__).resolve().parent.parent))
