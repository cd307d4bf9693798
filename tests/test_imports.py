"""Imports run one way, the pure parts stay pure, and tasks and the environment have one entry point each.

games.api <- games.kit <- games.<game> <- games <- games.testing <- games.simulate; games <- hub.wire <-
hub.table <- {hub.store, hub.worker} <- hub.runtime <- hub.net <- hub.app. Inside a game, the bot imports the
rules and never the other way round. hub.config, hub.telemetry and hub.clock are leaves.

The imports are read from the source with ast; `test_planted` tests each rule on a module that breaks it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.source_names import ROOT, statements

LAYERS = (
    ("games.api", "games.dice"),
    ("games.kit",),
    ("a game",),
    ("games",),  # the registry
    ("games.testing",),
    ("games.simulate",),
    ("hub.wire",),
    ("hub.table",),
    ("hub.config", "hub.telemetry", "hub.clock"),
    ("hub.store", "hub.worker"),
    ("hub.runtime",),
    ("hub.net",),
    ("hub",),  # app and the other entry points
)
"""Lowest first; a module belongs to its longest matching name and imports from its own layer or below."""

LEAVES = ("hub.config", "hub.telemetry", "hub.clock")
"""Imported by the hub's shells; they import nothing from the hub themselves."""

PURE = ("games", "hub.wire", "hub.table")

AUTHORS_TOOLS = "games.testing"
"""Imported by games.simulate and by tests, never by a game or the hub."""

COMMANDS = {"games.testing.conformance", "games.testing.playthroughs"}
"""Commands that developers and tests run on games; they may start processes."""

NO_GAMES = {"kit", "testing", "simulate"}
"""Folders of games/ that are not games."""

POOL = "games.simulate.pool"
"""The one file of the simulation that starts processes."""

IO_LEAVES = {"hub.telemetry.tasks", "hub.telemetry.metrics", "hub.telemetry.log"}

IMPURE = {
    *("asyncio", "threading", "multiprocessing", "subprocess", "socket", "selectors", "signal"),
    *("os", "time", "datetime", "random", "secrets", "uuid", "tempfile"),
    *("logging", "structlog", "redis", "starlette", "uvicorn", "websockets", "prometheus_client"),
}
"""Modules that pure functions do not need."""

ENVIRONMENT = {"environ", "environb", "getenv", "putenv"}
DOORS = {"create_task", "ensure_future", *ENVIRONMENT}


def test_imports() -> None:
    breaches_found = list(breaches(ROOT))
    assert breaches_found == []


def breaches(root: Path) -> Iterator[str]:
    """Each place under root that breaks a rule, as one readable line."""
    modules = dict(sorted((module_name(file, root), file) for file in source_files(root)))
    assert modules, f"no source under {root}"
    games = {folder.name for folder in (root / "games").iterdir() if folder.is_dir()} - NO_GAMES
    for module, file in modules.items():
        text = file.read_text()
        tree = ast.parse(text, str(file))
        for line, target in imports(tree, module, file.name == "__init__.py", modules):
            if reason := forbidden(module, target, games):
                yield f"{file.relative_to(root)}:{line}: {module} imports {target}: {reason}"
        if any(name in text for name in DOORS):
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
    """Every module imported, including inside functions and only for types."""
    for node in statements(tree):
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
    """The reason why this module may not import that one; None if it may."""
    top = target.partition(".")[0]
    if top not in ("games", "hub"):
        return f"not in {', '.join(PURE)}" if is_pure(module) and top in IMPURE else None
    if layer(target, games) > layer(module, games):
        return "imports run one way"
    if within(target, AUTHORS_TOOLS) and not within(module, "games"):
        return "the author's tools are for games and their tests"
    if any(within(module, leaf) and within(target, "hub") and not within(target, leaf) for leaf in LEAVES):
        return "a leaf imports nothing from the hub"
    if siblings(module, target):
        return "hub.store and hub.worker do not import each other"
    if game(module, games) and part(module) == "rules" and part(target) == "bot":
        return "rules know nothing about bots"
    if within(target, "games.simulate") and not within(module, "games.simulate") and module != "hub.cli":
        return "the simulation is a command of the parley program alone"
    if game(module, games) and game(target, games) and game(module, games) != game(target, games):
        return "games do not import one another"
    return None


def siblings(module: str, target: str) -> bool:
    return any(
        within(module, one) and within(target, other)
        for one, other in (("hub.store", "hub.worker"), ("hub.worker", "hub.store"))
    )


def part(module: str) -> str:
    """`rules` or `bot` for a game's module; empty for others."""
    return ".".join(module.split(".")[2:3])


def is_pure(module: str) -> bool:
    return module not in {*COMMANDS, POOL} and any(within(module, package) for package in PURE)


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
    """Tasks started outside hub/telemetry/tasks.py, and reads of the environment outside hub/config.py.

    ruff bans the plain names; only this finds ``loop.create_task`` and checks the files that ruff skips. A
    TaskGroup's create_task is allowed, so a receiver counts only if its name says it is a loop.
    """
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute) or node.attr not in DOORS:
            continue
        owner = ast.unparse(node.value)
        starts_task = node.attr == "ensure_future" or (
            node.attr == "create_task" and (owner == "asyncio" or "loop" in owner.lower())
        )
        if starts_task and module != "hub.telemetry.tasks":
            yield node.lineno, f"{owner}.{node.attr}: only hub/telemetry/tasks.py and TaskGroups start tasks"
        if owner == "os" and node.attr in ENVIRONMENT and module != "hub.config":
            yield node.lineno, f"os.{node.attr}: only hub/config.py reads the environment"


PLANTED = {
    "api imports the kit": ("games/api.py", "import games.kit.offers"),
    "api imports the registry": ("games/api.py", "import games"),
    "kit imports a game": ("games/kit/offers.py", "from games.almost.rules.game import Almost"),
    "kit imports a game, relatively": ("games/kit/offers.py", "from ..almost import rules"),
    "game imports another": ("games/almost/rules/game.py", "from games.takeover.rules import game"),
    "game imports the registry": ("games/almost/rules/game.py", "import games"),
    "game imports the hub": ("games/almost/rules/game.py", "from hub.wire import messages"),
    "game imports the hub, lazily": ("games/almost/bot/bot.py", "def think():\n    import hub.runtime.actor"),
    "game imports the hub for a type": (
        "games/almost/bot/bot.py",
        "if TYPE_CHECKING:\n    from hub.runtime import actor",
    ),
    "game reads the clock": ("games/almost/rules/game.py", "from time import monotonic"),
    "game draws by itself": ("games/almost/rules/game.py", "import random"),
    "game reads the environment": ("games/almost/rules/game.py", "import os"),
    "game waits": ("games/almost/rules/game.py", "import asyncio"),
    "game imports what works on all": (
        "games/almost/rules/game.py",
        "from games.testing.random_play import play",
    ),
    "game imports conformance": ("games/almost/rules/game.py", "from games.testing import conformance"),
    "the registry reads the clock": ("games/testing/random_play.py", "import time"),
    "the table imports conformance": ("hub/table/room.py", "import games.testing.conformance"),
    "app imports conformance": ("hub/app.py", "from games.testing.conformance import conform"),
    "the registry imports the simulation": ("games/__init__.py", "from games.simulate import plan"),
    "app imports the simulation": ("hub/app.py", "from games.simulate.figures import report"),
    "the simulation imports the hub": ("games/simulate/pool.py", "from hub.config import Exit"),
    "the simulation starts a process": ("games/simulate/figures.py", "import multiprocessing"),
    "conformance imports the hub": ("games/testing/conformance.py", "from hub.table import room"),
    "the wire imports the store": ("hub/wire/limits.py", "from hub.store.store import Store"),
    "the wire imports the store, relatively": ("hub/wire/limits.py", "from ..store import store"),
    "the wire imports the table": ("hub/wire/limits.py", "import hub.table.room"),
    "the table imports the actor": ("hub/table/room.py", "import hub.runtime.actor"),
    "the table reads the configuration": ("hub/table/room.py", "from hub.config import Config"),
    "the table counts": ("hub/table/room.py", "from hub.telemetry.metrics import Metrics"),
    "the table waits": ("hub/table/room.py", "from asyncio import Queue"),
    "the table reads the environment": ("hub/table/room.py", "from os import path"),
    "the table reads the clock": ("hub/table/room.py", "import time as clock"),
    "the table logs": ("hub/table/room.py", "import structlog"),
    "the table logs, plainly": ("hub/table/room.py", "import logging.config"),
    "the store imports the worker": ("hub/store/lease.py", "from hub.worker.bot_executor import BotTask"),
    "the worker imports the store": ("hub/worker/process.py", "from hub.store import store"),
    "the store imports the actor": ("hub/store/lease.py", "from hub.runtime.actor import Room"),
    "the runtime imports a socket": ("hub/runtime/actor.py", "from hub.net import connection"),
    "telemetry reads the configuration": ("hub/telemetry/log.py", "from hub.config import Config"),
    "the configuration imports the store": ("hub/config.py", "from hub.store import store"),
    "rules import their bot": ("games/almost/rules/game.py", "from games.almost.bot import bot"),
    "the registry imports the author's tools": ("games/__init__.py", "from games.testing import positions"),
    "actor imports app": ("hub/runtime/actor.py", "from hub import app"),
    "a bare task": ("hub/runtime/actor.py", "asyncio.create_task(run())"),
    "a task of the loop": ("hub/store/lease.py", "asyncio.get_running_loop().create_task(run())"),
    "a task of the config": ("hub/config.py", "asyncio.ensure_future(run())"),
    "the environment in tasks": ("hub/telemetry/tasks.py", "os.environ['PARLEY_HOST']"),
    "the environment in app": ("hub/app.py", "os.getenv('PARLEY_HOST')"),
}

ALLOWED = {
    "games/api.py": "from games.dice import Dice\nimport msgspec",
    "games/dice.py": "import hashlib",
    "games/__init__.py": "from games.almost import rules",
    "games/testing/random_play.py": "import games\nfrom games.api import Game",
    "games/testing/conformance.py": "import subprocess\nfrom games.testing import random_play",
    "games/testing/playthroughs.py": "from games.testing.conformance import conform",
    "games/simulate/figures.py": "from games import GAMES\nfrom games.testing import random_play",
    "games/simulate/pool.py": "import multiprocessing\nfrom games.simulate import figures",
    "hub/cli.py": "from games.simulate import figures, pool",
    "games/kit/__init__.py": "from games.api import Seat",
    "games/kit/offers.py": "from games.api import Seat",
    "games/almost/__init__.py": "from .rules import Almost",
    "games/almost/rules/game.py": "from games.kit import offers\nfrom games import api",
    "games/almost/bot/bot.py": "from games.almost.rules import game",
    "games/takeover/rules/game.py": "from games import dice",
    "hub/wire/messages.py": "from games.api import Seat",
    "hub/wire/limits.py": "from hub.wire.messages import ToHub",
    "hub/table/room.py": "import games",
    "hub/config.py": "import os\nHOST = os.environ['PARLEY_HOST']",
    "hub/store/store.py": "from hub.table import room\nimport hub.config\nfrom . import lease",
    "hub/store/lease.py": "from hub.telemetry.tasks import start",
    "hub/telemetry/tasks.py": "import asyncio\nstart = asyncio.create_task",
    "hub/telemetry/log.py": "import structlog",
    "hub/telemetry/metrics.py": "import prometheus_client",
    "hub/runtime/actor.py": "async def f(group):\n    group.create_task(run())\nfrom hub.store import lease",
    "hub/app.py": "from hub.runtime.actor import Room\nfrom hub.store import store",
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
    breaches_found = list(breaches(tmp_path))
    assert len(breaches_found) == 1
    assert breaches_found[0].startswith(f"{path}:")
