"""The verdicts on a batch's commands, as the metrics count them."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from games.api import Refusal
from hub.runtime.batch import HUB_CODES, NO_RESPONDER, Batch
from hub.telemetry.metrics import Metrics
from tests.table.almost_rooms import seated

HUB = Path(__file__).resolve().parents[2] / "hub"


def hub_codes() -> Iterator[str]:
    """The code of every refusal in the hub's sources, except those of tables that cannot be created."""
    for file in sorted(HUB.rglob("*.py")):
        source = file.read_text()
        if "Refusal(" not in source:
            continue
        calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
        uncreated = {argument for call in calls if name_of(call) == "BadOptions" for argument in call.args}
        for call in calls:
            if name_of(call) == "Refusal" and call not in uncreated:
                code = call.args[0]
                for value in (code.body, code.orelse) if isinstance(code, ast.IfExp) else (code,):
                    assert isinstance(value, ast.Constant), f"{file}:{call.lineno}"
                    yield str(value.value)


def name_of(call: ast.Call) -> str | None:
    return call.func.id if isinstance(call.func, ast.Name) else None


def test_the_hubs_own_codes_are_known() -> None:
    """Unknown codes would be counted as the game's."""
    codes = set(hub_codes())
    assert len(codes) > 15
    assert codes <= HUB_CODES


def test_verdicts_are_counted_by_the_hubs_codes() -> None:
    batch, metrics = Batch(seated("ann"), [""]), Metrics()
    for code in ("TABLE_LOCKED", "BAD_TICKET", "STALE_PROMPT", "NO_SUCH_CARD"):
        batch.answers.append((NO_RESPONDER, 0, Refusal(code, "GEN-13")))
    batch.answers.append((NO_RESPONDER, 0, None))
    batch.answer(metrics)
    assert metrics.refused == Counter(("TABLE_LOCKED", "BAD_TICKET", "STALE_PROMPT", "GAME"))
    assert metrics.applied == 1
