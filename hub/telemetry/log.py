"""The log: one event per line, as JSON or as coloured text on a terminal. It never contains secrets.

The command line calls `configure` once. Modules use `_log = structlog.get_logger("parley.<part>")`, name each
event in a few fixed words, and pass everything that varies as fields.
"""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final, Literal, TextIO

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

SECRET: Final = frozenset(
    {
        *(
            "authorization",
            "cookie",
            "key",
            "password",
            "secret",
            "seed",
            "signature",
            "ticket",
            "tickets",
            "token",
        ),
        *("move", "moves", "note", "notes", "options", "salt", "salts", "state", "text"),
        *("name", "names", "person", "url"),
    }
)
"""Words that mark a field as secret if its name, split at underscores, contains them."""
REDACTED: Final = "[not logged]"
ROOM: Final = "room"
"""The field that holds a room's id; its fingerprint is logged."""
LONGEST: Final = 1000
"""The maximum number of characters in one field."""

Level = Literal["debug", "info", "warning", "error"]


def configure(level: Level = "info", stream: TextIO | None = None, *, pretty: bool | None = None) -> None:
    """Sends all logs, including those of the standard library, to `stream` (standard error by default).

    `pretty` formats them for people; None: only if the stream is a terminal.
    """
    stream = sys.stderr if stream is None else stream
    pretty = stream.isatty() if pretty is None else pretty
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        format_exception,
        redact,
    ]
    last: Processor = (
        structlog.dev.ConsoleRenderer(colors=stream.isatty())
        if pretty
        else structlog.processors.JSONRenderer()
    )
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, last],
        )
    )
    root = logging.getLogger()
    for other in root.handlers:
        other.close()
    root.handlers = [handler]
    root.setLevel(level.upper())
    # uvicorn logs each request and socket with the client's address and the path, which holds a room's id,
    # and warns of each request that it cannot read. The metrics count them instead.
    for chatty in ("uvicorn.access", "websockets.server"):
        logging.getLogger(chatty).setLevel(logging.CRITICAL)
    logging.getLogger("uvicorn.error").setLevel(max(logging.ERROR, root.level))


def redact(logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
    """Removes secrets: fields with secret names, at any depth, and everything except plain values."""
    return {key: value if key in PLAIN else _redact(key, value) for key, value in event.items()}


def _redact(key: str, value: Any) -> Any:
    if key == ROOM:
        return fingerprint(str(value))
    return REDACTED if _is_secret(key) else _simplify(value)


def fingerprint(room: str) -> str:
    """A short name for a room in the log, because anyone who knows a room's id may enter it."""
    return f"#{sha256(room.encode()).hexdigest()[:8]}"


def format_exception(logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
    """Replaces `exc_info` with the frames and types of the exception.

    Its text is left out: the text of a KeyError in the rules may be somebody's bid.
    """
    error = event.pop("exc_info", None)
    if error is True:
        error = sys.exc_info()
    if isinstance(error, tuple):
        error = error[1]
    if isinstance(error, BaseException):
        event["exception"] = _describe(error)
    return event


def _describe(error: BaseException) -> str:
    frames = "".join(traceback.format_tb(error.__traceback__))
    summary = f"{frames}{type(error).__module__}.{type(error).__qualname__}"
    parts = error.exceptions if isinstance(error, BaseExceptionGroup) else ()
    earlier = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    described = [*([f"{_describe(earlier)}\n\nwhich led to\n"] if earlier else []), summary]
    return "\n".join([*described, *map(_describe, parts)])


PLAIN: Final = frozenset({"event", "level", "logger", "timestamp", "exception", "_record", "_from_structlog"})
"""Fields that structlog and `format_exception` set. Events are fixed words."""


def _is_secret(key: str) -> bool:
    return any(part in SECRET for part in key.lower().split("_"))


def _simplify(value: Any) -> Any:
    """A simple value unchanged, a collection with its items treated the same way, or the value's type."""
    match value:
        case None | bool() | int() | float():
            return value
        case str():
            return value if len(value) <= LONGEST else f"{value[:LONGEST]}…"
        case Mapping():
            return {
                str(key): REDACTED if _is_secret(str(key)) else _simplify(part) for key, part in value.items()
            }
        case list() | tuple() | set() | frozenset():
            return [_simplify(part) for part in value]
        case BaseException():
            return type(value).__name__
        case _:
            return f"<{type(value).__name__}>"
