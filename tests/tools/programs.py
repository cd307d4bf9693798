"""Stand-ins for programs on PATH."""

from __future__ import annotations

from pathlib import Path


def write_program(path: Path, script: str = "exit 0") -> Path:
    """Writes an executable sh script and returns its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path
