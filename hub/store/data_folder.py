"""What is wrong with the data folder or a file in it, as advice to the operator."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from hub.config import CannotStart, Exit


def unusable_folder(folder: Path, error: OSError) -> CannotStart:
    """The error for a data folder in which the system refuses something."""
    remedy = "make room on its disk" if error.errno in (errno.ENOSPC, errno.EDQUOT) else "make it writable"
    return CannotStart(
        f"The data folder {folder} cannot be used ({error.strerror or error}): {remedy}, or name another "
        "with --data or PARLEY_DATA.",
        Exit.DATA,
    )


def describe_unusable(path: Path) -> str | None:
    """Why this user cannot use the hub's file or folder at this path, as one sentence; None if it can.

    Raises OSError if the folder around it cannot be used.
    """
    if not path.exists():
        return None
    needed = os.R_OK | os.W_OK | os.X_OK if path.is_dir() else os.R_OK
    if os.access(path, needed, effective_ids=os.access in os.supports_effective_ids):
        return None
    user = os.geteuid()
    return (
        f"This user ({user}) cannot use {path}, which belongs to user {path.stat().st_uid}: run "
        f"`chown -R {user} {path}` as root, or run this as the owner."
    )
