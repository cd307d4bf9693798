"""The log: one line per event, without any secrets (L1 of docs/SPEC.md)."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
import structlog

from hub.telemetry import log
from hub.wire.tickets import Signer, Ticket
from tests.harness.defaults import DEFAULTS

TICKET = Signer(bytes(32), DEFAULTS.token_days).ticket(Ticket("room", 1, "person", "Ann", 1, 1, 1))


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    root.handlers = []  # `configure` closes the handlers it replaces, and pytest's are needed
    yield
    root.handlers, root.level = handlers, level
    structlog.reset_defaults()


def said(level: log.Level = "info", pretty: bool = False) -> io.StringIO:
    stream = io.StringIO()
    log.configure(level, stream, pretty=pretty)
    return stream


def events(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_line_an_event() -> None:
    stream = said()
    structlog.get_logger("parley.test").info("room taken", room="r", epoch=3, idle=False, since=None)
    (event,) = events(stream)
    assert event.pop("timestamp").endswith("Z")
    assert event == {
        "event": "room taken",
        "level": "info",
        "logger": "parley.test",
        "room": "#454349e4",
        "epoch": 3,
        "idle": False,
        "since": None,
    }


def test_for_people() -> None:
    stream = said(pretty=True)
    structlog.get_logger("parley.test").warning("room taken", room="r", ticket=TICKET)
    assert "room taken" in stream.getvalue()
    assert "room=#454349e4" in stream.getvalue()
    assert TICKET not in stream.getvalue()


def test_levels() -> None:
    stream = said("warning")
    structlog.get_logger("parley.test").info("quiet")
    logging.getLogger("other").info("quiet")
    structlog.get_logger("parley.test").error("loud")
    assert [event["event"] for event in events(stream)] == ["loud"]


def test_the_standard_librarys_loggers_are_in_it() -> None:
    stream = said()
    logging.getLogger("uvicorn.error").warning("Invalid HTTP request received.")
    logging.getLogger("uvicorn.error").error("trouble with %s", "a socket")
    logging.getLogger("uvicorn.access").info("GET /t/BCDFGH")
    (event,) = events(stream)
    assert (event["event"], event["logger"]) == ("trouble with a socket", "uvicorn.error")


@pytest.mark.parametrize(
    "key",
    [
        *(
            "ticket",
            "token",
            "person_token",
            "secret",
            "PARLEY_SECRET",
            "seed",
            "room_seed",
            "seed_hash",
            "salts",
        ),
        *(
            "move",
            "moves",
            "text",
            "note",
            "notes",
            "state",
            "signature",
            "key",
            "public_key",
            "authorization",
        ),
        *("options", "name", "names", "person", "redis_url", "password", "cookie"),
    ],
)
@pytest.mark.parametrize("pretty", [False, True])
def test_secrets_are_not_logged(key: str, pretty: bool) -> None:
    """L1: they are recognised by the name of the field, at any depth."""
    stream = said(pretty=pretty)
    logger = structlog.get_logger("parley.test")
    logger.info("told", **{key: "SECRET-VALUE"})
    logger.info("told deeper", frame={"sections": [{key: "SECRET-VALUE", "n": 3}]})
    logger.bind(**{key: "SECRET-VALUE"}).warning("bound")
    assert "SECRET-VALUE" not in stream.getvalue()
    assert stream.getvalue().count(log.REDACTED) == 3
    assert "3" in stream.getvalue()


def test_values_that_are_no_plain_data_are_not_shown() -> None:
    """L1: the contents of a struct, a message or an exception stay hidden."""

    class Hello(msgspec.Struct):
        ticket: str

    stream = said()
    structlog.get_logger("parley.test").info(
        "told", message=Hello(TICKET), many=[Hello(TICKET)], raw=TICKET.encode(), error=ValueError(TICKET)
    )
    (event,) = events(stream)
    assert TICKET not in stream.getvalue()
    assert event["message"] == "<Hello>"
    assert event["many"] == ["<Hello>"]
    assert event["raw"] == "<bytes>"
    assert event["error"] == "ValueError"


def test_long_values_are_cut() -> None:
    stream = said()
    structlog.get_logger("parley.test").info("told", reason="x" * 100_000)
    assert len(stream.getvalue()) < 2000


def test_exceptions_tell_where_and_not_what() -> None:
    """L1: the text of an exception in the rules may be somebody's bid."""
    stream = said()
    secret = f"bid {7}"  # a traceback shows this line, but not the value

    def decide(bids: dict[int, int]) -> None:
        try:
            bids[7]
        except KeyError as missing:
            raise ExceptionGroup(secret, [ValueError(secret), TypeError(secret)]) from missing

    try:
        decide({})
    except ExceptionGroup:
        structlog.get_logger("parley.test").exception("rules failed", room="r")
        logging.getLogger("other").exception("theirs")
    for event in events(stream):
        assert secret not in json.dumps(event)
        for word in ("KeyError", "ExceptionGroup", "ValueError", "TypeError", "in decide", "test_log.py"):
            assert word in event["exception"]


def test_no_exception_where_there_is_none() -> None:
    stream = said()
    structlog.get_logger("parley.test").error("told", exc_info=True)
    structlog.get_logger("parley.test").error("told", exc_info=None)
    assert all("exception" not in event for event in events(stream))
