"""Imports run one way, the pure parts stay pure, and tasks and the environment have one door each.

games/api <- games/kit <- games/<game> <- hub/core <- hub/io <- hub/ports <- hub/audiences, hub/batch
<- hub/actor, hub/bots <- hub/connection, hub/rooms <- hub/app

The rules are read from the source with ast; `test_planted` feeds them modules that break each one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

LAYERS = (
    ("games.api", "games.dice"),
    ("games.kit",),
    ("a game",),
    ("games",),  # the registry, and what works on every game: records of them, conformance, playthrough
    ("hub.core",),
    ("hub.config",),
    ("hub.io",),
    ("hub.ports",),
    ("hub.audiences", "hub.batch"),
    ("hub.actor", "hub.bots"),
    ("hub.connection", "hub.rooms"),
    ("hub",),  # app and the other ways in
)
"""Lowest first; a module belongs to its longest matching name and imports from its own layer or below."""

COMMANDS = {"games.conformance", "games.playthrough"}
"""Run by developers and tests, on games; they may start processes. No game and no hub imports them."""

NO_GAMES = {"kit", "simulate"}
"""Folders of games/ that are none: what several share, and the simulation of any."""

POOL = "games.simulate.pool"
"""The one file of the simulation that starts processes."""

IO_LEAVES = {"hub.io.tasks", "hub.io.metrics", "hub.io.log"}

IMPURE = {
    *("asyncio", "threading", "multiprocessing", "subprocess", "socket", "selectors", "signal"),
    *("os", "time", "datetime", "random", "secrets", "uuid", "tempfile"),
    *("logging", "structlog", "redis", "starlette", "uvicorn", "websockets", "prometheus_client"),
}
"""What a function of values to values has no use for."""

ENVIRONMENT = {"environ", "environb", "getenv", "putenv"}


def test_imports() -> None:
    found = list(breaches(ROOT))
    assert found == []


def breaches(root: Path) -> Iterator[str]:
    """Each place under root that breaks a rule, as one readable line."""
    modules = dict(sorted((module_name(file, root), file) for file in source_files(root)))
    assert modules, f"no source under {root}"
    games = {folder.name for folder in (root / "games").iterdir() if folder.is_dir()} - NO_GAMES
    for module, file in modules.items():
        tree = ast.parse(file.read_text(), str(file))
        for line, target in imports(tree, module, file.name == "__init__.py", modules):
            if reason := forbidden(module, target, games):
                yield f"{file.relative_to(root)}:{line}: {module} imports {target}: {reason}"
        for line, reason in doors(tree, module):
            yield f"{file.relative_to(root)}:{line}: {reason}"


def source_files(root: Path) -> Iterator[Path]:
    for package in ("games", "hub"):
        yield from (root / package).rglob("*.py")


def module_name(file: Path, root: Path) -> str:
    parts = file.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(
    tree: ast.AST, module: str, is_package: bool, modules: dict[str, Path]
) -> Iterator[tuple[int, str]]:
    """Every module imported, wherever the statement stands: lazily, or for types alone, counts too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = absolute(node, module, is_package)
            for alias in node.names:
                submodule = f"{base}.{alias.name}"
                yield node.lineno, submodule if submodule in modules else base


def absolute(node: ast.ImportFrom, module: str, is_package: bool) -> str:
    if node.level == 0:
        return node.module or ""
    package = module.split(".") if is_package else module.split(".")[:-1]
    package = package[: len(package) - node.level + 1]
    return ".".join([*package, node.module] if node.module else package)


def forbidden(module: str, target: str, games: set[str]) -> str | None:
    """Why this module may not import that one; None if it may."""
    top = target.partition(".")[0]
    if top not in ("games", "hub"):
        return "not in games or hub/core" if is_pure(module) and top in IMPURE else None
    if layer(target, games) > layer(module, games):
        return "imports run one way"
    if target in COMMANDS and module not in COMMANDS:
        return "it is a command, for developers and tests"
    if within(target, "games.simulate") and not within(module, "games.simulate") and module != "hub.cli":
        return "the simulation is a command of the parley program alone"
    if game(module, games) and game(target, games) and game(module, games) != game(target, games):
        return "games do not import one another"
    both_io = module.startswith("hub.io.") and target.startswith("hub.io.")
    if both_io and target not in IO_LEAVES:
        return "files of hub/io import only its leaves: tasks, metrics, log"
    return None


def is_pure(module: str) -> bool:
    return (within(module, "games") and module not in {*COMMANDS, POOL}) or within(module, "hub.core")


def layer(module: str, games: set[str]) -> int:
    if game(module, games):
        return LAYERS.index(("a game",))
    names = [(name, height) for height, layer in enumerate(LAYERS) for name in layer]
    return max((len(name), height) for name, height in names if within(module, name))[1]


def game(module: str, games: set[str]) -> str | None:
    """The game a module belongs to."""
    parts = module.split(".")
    return parts[1] if parts[0] == "games" and len(parts) > 1 and parts[1] in games else None


def within(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def doors(tree: ast.AST, module: str) -> Iterator[tuple[int, str]]:
    """Tasks started outside hub/io/tasks.py and the environment read outside hub/config.py.

    ruff bans the plain names; only this sees ``loop.create_task`` and the files that ruff lets off. A
    TaskGroup's create_task is the right way, so a receiver counts when its name says it is a loop.
    """
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute):
            continue
        owner = ast.unparse(node.value)
        starts_task = node.attr == "ensure_future" or (
            node.attr == "create_task" and (owner == "asyncio" or "loop" in owner.lower())
        )
        if starts_task and module != "hub.io.tasks":
            yield node.lineno, f"{owner}.{node.attr}: only hub/io/tasks.py and TaskGroups start tasks"
        if owner == "os" and node.attr in ENVIRONMENT and module != "hub.config":
            yield node.lineno, f"os.{node.attr}: only hub/config.py reads the environment"


PLANTED = {
    "api imports the kit": ("games/api.py", "import games.kit.offers"),
    "api imports the registry": ("games/api.py", "import games"),
    "kit imports a game": ("games/kit/offers.py", "from games.almost.rules import Almost"),
    "kit imports a game, relatively": ("games/kit/offers.py", "from ..almost import rules"),
    "game imports another": ("games/almost/rules.py", "from games.takeover import rules"),
    "game imports the registry": ("games/almost/rules.py", "import games"),
    "game imports the hub": ("games/almost/rules.py", "from hub.core import messages"),
    "game imports the hub, lazily": ("games/almost/bot.py", "def think():\n    import hub.actor"),
    "game imports the hub for a type": (
        "games/almost/bot.py",
        "if TYPE_CHECKING:\n    from hub import actor",
    ),
    "game reads the clock": ("games/almost/rules.py", "from time import monotonic"),
    "game draws by itself": ("games/almost/rules.py", "import random"),
    "game reads the environment": ("games/almost/rules.py", "import os"),
    "game waits": ("games/almost/rules.py", "import asyncio"),
    "game imports what works on all": ("games/almost/rules.py", "from games.trials import play"),
    "game imports conformance": ("games/almost/rules.py", "from games import conformance"),
    "the registry reads the clock": ("games/trials.py", "import time"),
    "core imports conformance": ("hub/core/room.py", "import games.conformance"),
    "app imports conformance": ("hub/app.py", "from games.conformance import conform"),
    "the registry imports the simulation": ("games/__init__.py", "from games.simulate import plan"),
    "app imports the simulation": ("hub/app.py", "from games.simulate.figures import report"),
    "the simulation imports the hub": ("games/simulate/pool.py", "from hub.config import Exit"),
    "the simulation starts a process": ("games/simulate/figures.py", "import multiprocessing"),
    "conformance imports the hub": ("games/conformance.py", "from hub.core import room"),
    "core imports io": ("hub/core/session.py", "from hub.io.store import Store"),
    "core imports io, relatively": ("hub/core/session.py", "from ..io import store"),
    "core imports the actor": ("hub/core/session.py", "import hub.actor"),
    "core reads the configuration": ("hub/core/session.py", "from hub.config import Config"),
    "core waits": ("hub/core/room.py", "from asyncio import Queue"),
    "core reads the environment": ("hub/core/room.py", "from os import path"),
    "core reads the clock": ("hub/core/room.py", "import time as clock"),
    "core logs": ("hub/core/room.py", "import structlog"),
    "core logs, plainly": ("hub/core/room.py", "import logging.config"),
    "io imports io": ("hub/io/lease.py", "from hub.io.store import Store"),
    "io imports io, relatively": ("hub/io/lease.py", "from . import store"),
    "io imports the actor": ("hub/io/lease.py", "from hub.actor import Room"),
    "actor imports app": ("hub/actor.py", "from hub import app"),
    "a bare task": ("hub/actor.py", "asyncio.create_task(run())"),
    "a task of the loop": ("hub/io/lease.py", "asyncio.get_running_loop().create_task(run())"),
    "a task of the config": ("hub/config.py", "asyncio.ensure_future(run())"),
    "the environment in tasks": ("hub/io/tasks.py", "os.environ['PARLEY_HOST']"),
    "the environment in app": ("hub/app.py", "os.getenv('PARLEY_HOST')"),
}

ALLOWED = {
    "games/api.py": "from games.dice import Dice\nimport msgspec",
    "games/dice.py": "import hashlib",
    "games/__init__.py": "from games.almost import rules",
    "games/trials.py": "import games\nfrom games.api import Game",
    "games/conformance.py": "import subprocess\nfrom games import trials",
    "games/playthrough.py": "from games.conformance import conform",
    "games/simulate/figures.py": "from games import GAMES, trials\nfrom games.kit import pace",
    "games/simulate/pool.py": "import multiprocessing\nfrom games.simulate import figures",
    "hub/cli.py": "from games.simulate import figures, pool",
    "games/kit/__init__.py": "from games.api import Seat",
    "games/kit/offers.py": "from games.api import Seat",
    "games/almost/__init__.py": "from .rules import Almost",
    "games/almost/rules.py": "from games.kit import offers\nfrom games import api",
    "games/almost/bot.py": "from games.almost import rules",
    "games/takeover/rules.py": "from games import dice",
    "hub/core/messages.py": "from games.api import Seat",
    "hub/core/session.py": "from hub.core.messages import ToHub",
    "hub/core/room.py": "import games",
    "hub/config.py": "import os\nHOST = os.environ['PARLEY_HOST']",
    "hub/io/store.py": "from hub.core import room\nimport hub.config\nfrom hub.io import log, metrics",
    "hub/io/lease.py": "from hub.io.tasks import start",
    "hub/io/tasks.py": "import asyncio\nstart = asyncio.create_task",
    "hub/io/log.py": "import structlog",
    "hub/io/metrics.py": "import prometheus_client",
    "hub/actor.py": "async def f(group):\n    group.create_task(run())\nfrom hub.io import store, lease",
    "hub/app.py": "from hub.actor import Room\nfrom hub.io import store",
}


def write_tree(root: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text + "\n")


def test_a_good_tree_passes(tmp_path: Path) -> None:
    write_tree(tmp_path, ALLOWED)
    assert list(breaches(tmp_path)) == []


@pytest.mark.parametrize(("path", "text"), PLANTED.values(), ids=PLANTED)
def test_planted(tmp_path: Path, path: str, text: str) -> None:
    write_tree(tmp_path, ALLOWED)
    write_tree(tmp_path, {path: text})
    found = list(breaches(tmp_path))
    assert len(found) == 1
    assert found[0].startswith(f"{path}:")
