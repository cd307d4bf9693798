"""The log: one event a line, JSON for machines, coloured text on a terminal; never a secret.

`configure` is called once, by the command line. Modules say `structlog.get_logger("parley.<part>")`, name an
event in a few fixed words, and give everything that varies as fields.
"""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Mapping
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
"""Words that make a field secret. It is one when any part of its name between underscores is such a word."""
REDACTED: Final = "[not logged]"
LONGEST: Final = 1000
"""Characters of one field."""

Level = Literal["debug", "info", "warning", "error"]


def configure(level: Level = "info", stream: TextIO | None = None, *, pretty: bool | None = None) -> None:
    """Sends everything, the standard library's loggers included, to `stream` (standard error by default).

    `pretty`: for people; None: when the stream is a terminal.
    """
    stream = sys.stderr if stream is None else stream
    pretty = stream.isatty() if pretty is None else pretty
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        tell_exception,
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
    # Uvicorn says a line per request and socket, with its path: ours says what matters.
    for chatty in ("uvicorn.access", "websockets.server"):
        logging.getLogger(chatty).setLevel(logging.CRITICAL)


def redact(logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
    """The event without secrets: fields whose name says so, at any depth, and whatever is no plain value."""
    return {
        key: value if key in KEPT else REDACTED if _is_secret(key) else _plain(value)
        for key, value in event.items()
    }


def tell_exception(logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
    """Puts where an exception came from in place of `exc_info`: frames and types.

    Not its text: that of a KeyError in the rules is somebody's bid.
    """
    error = event.pop("exc_info", None)
    if error is True:
        error = sys.exc_info()
    if isinstance(error, tuple):
        error = error[1]
    if isinstance(error, BaseException):
        event["exception"] = _story(error)
    return event


def _story(error: BaseException) -> str:
    frames = "".join(traceback.format_tb(error.__traceback__))
    story = f"{frames}{type(error).__module__}.{type(error).__qualname__}"
    parts = error.exceptions if isinstance(error, BaseExceptionGroup) else ()
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    stories = [*([f"{_story(before)}\n\nwhich led to\n"] if before else []), story, *map(_story, parts)]
    return "\n".join(stories)


KEPT: Final = frozenset({"event", "level", "logger", "timestamp", "exception", "_record", "_from_structlog"})
"""What structlog itself puts there, and what `tell_exception` tells. Events are fixed words."""


def _is_secret(key: str) -> bool:
    return any(part in SECRET for part in key.lower().split("_"))


def _plain(value: Any) -> Any:
    """The value if it is simple, else its simple parts, else only its type: a struct may hold anything."""
    match value:
        case None | bool() | int() | float():
            return value
        case str():
            return value if len(value) <= LONGEST else f"{value[:LONGEST]}…"
        case Mapping():
            return {
                str(key): REDACTED if _is_secret(str(key)) else _plain(part) for key, part in value.items()
            }
        case list() | tuple() | set() | frozenset():
            return [_plain(part) for part in value]
        case BaseException():
            return type(value).__name__
        case _:
            return f"<{type(value).__name__}>"
