"""The hub's secret: PARLEY_SECRET, or one that is generated once and kept in the data folder."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
import tempfile
from pathlib import Path
from typing import Final

import structlog

from hub.config import CannotStart, Config, Exit
from hub.store.data_folder import describe_unusable, unusable_folder

_log = structlog.get_logger("parley.config")

SECRET_BYTES: Final = 32


def signing_secret(config: Config) -> bytes:
    """The key for all signatures: PARLEY_SECRET, or else one generated once and stored in the data folder.

    Raises CannotStart if PARLEY_SECRET is missing although other hubs may share the store (exit 2), or if the
    data folder or the file in it cannot be used (exit 4).
    """
    if config.secret is not None:
        return config.secret.get_secret_value().encode()
    if config.redis_url is not None:
        raise CannotStart(
            "PARLEY_REDIS_URL is set, but PARLEY_SECRET is not: hubs that share a store must share a secret, "
            "or tickets issued by one are void on another; set it to the output of `openssl rand -hex 32` "
            "on every hub.",
            Exit.USAGE,
        )
    return _load_secret(config.data)


def secret_path(folder: Path) -> Path:
    """The file of the generated secret."""
    return folder / "secret"


def _load_secret(folder: Path) -> bytes:
    path = secret_path(folder)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not path.exists():
            _warn_if_lost(folder)
            _write_once(path, secrets.token_hex(SECRET_BYTES).encode("ascii") + b"\n")
        if problem := describe_unusable(path):
            raise CannotStart(problem, Exit.DATA)
        _tighten(path)
        stored = path.read_bytes()
    except OSError as error:
        raise unusable_folder(folder, error) from error
    try:
        secret = bytes.fromhex(stored.decode("ascii"))
    except ValueError:
        secret = b""
    if len(secret) != SECRET_BYTES:
        raise CannotStart(
            f"{path} is damaged: restore it from a backup, or delete it so that the hub generates a new one "
            "(which voids every ticket issued so far).",
            Exit.DATA,
        )
    return secret


def _warn_if_lost(folder: Path) -> None:
    """Warns about a secret that is missing although there are tables.

    A hub does not refuse to start: deleting the secret is how an operator changes it, and nothing is lost for
    good, since every token is valid again once the old secret is back.
    """
    if (folder / "store" / "appendonlydir").exists():
        _log.warning(
            "the secret is gone, so a new one was generated: every token and ticket is void; to make them "
            "valid again, stop the hub and put the old secret back",
            file=str(folder / "secret"),
        )


def _tighten(path: Path) -> None:
    """Makes the secret readable by its owner only. Raises CannotStart if others can read it all the same."""
    mode = stat.S_IMODE(path.stat().st_mode)
    if not mode & 0o077:
        return
    try:
        path.chmod(0o600)
        failed = stat.S_IMODE(path.stat().st_mode) & 0o077  # some file systems ignore it
    except OSError:
        failed = True
    if failed:
        raise CannotStart(
            f"Other users of this machine can read {path} (mode {mode:04o}), and with it take any seat: run "
            f"`chmod 600 {path}` as its owner, or put the data folder on a file system with permissions.",
            Exit.DATA,
        )
    _log.warning("other users could read the secret: now only its owner can", mode=f"{mode:04o}")


def _write_once(path: Path, content: bytes) -> None:
    """Writes the file atomically, readable by its owner only, unless it already exists."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".secret-")  # 0600
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(name, path)
    finally:
        os.unlink(name)
