"""The Lua scripts in lua/, each of which the store runs as one step."""

from __future__ import annotations

from pathlib import Path


def load_script(*names: str) -> str:
    """The script of the last name, after the functions that it uses: those of the names before.

    Its keys, arguments and answers are listed at its top.
    """
    folder = Path(__file__).parent / "lua"
    return "\n".join((folder / f"{name}.lua").read_text("utf-8") for name in names)
