"""`parley verify`: checks the record of a finished game offline."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from pathlib import Path
from typing import Annotated, Final

import typer

from games import GAMES
from games.api import Outcome
from hub.config import Exit
from hub.table import records
from hub.terminal import printable, stop

HUB_SECONDS: Final = 10.0
"""How long `verify --hub` waits for the hub's public key."""


def verify(
    record: Annotated[Path, typer.Argument(help="The record of a finished game, as downloaded.")],
    key: Annotated[str | None, typer.Option(help="The hub's public key, in hex, if you know it.")] = None,
    hub: Annotated[str | None, typer.Option(help="The hub's address, to ask for its key.")] = None,
) -> None:
    """Check a record offline: recompute every draw, state and score, then check the chain and the signature.

    Without --key or --hub this shows which key signed the record, but not whether it is your hub's.
    Exits with 6 if the signature is right but nothing could be recomputed.
    """
    if key is not None and hub is not None:
        stop("Give --key or --hub, not both.", Exit.USAGE)
    try:
        with record.open("rb") as file:
            data = file.read(records.LARGEST + 1)
    except OSError as error:
        stop(f"{record} cannot be read ({error.strerror}).", Exit.USAGE)
    expected = _public_key(key, "--key") if key is not None else None if hub is None else _key_of(hub)
    report = records.verify(data, GAMES, expected)
    if isinstance(report, records.Rejected):
        stop(f"not genuine: {report}.", Exit.REFUSED)
    _print_report(report)
    if count_recomputed(report) == 0:
        raise typer.Exit(Exit.SIGNED_ONLY)


def _print_report(report: records.Verified) -> None:
    print(_describe_entries(report))
    version = report.version
    for crossing in report.crossings:
        print(
            f"After entry {crossing.after}, version {crossing.version} of the rules replaced "
            f"version {version}."
        )
        version = crossing.version
    for part in report.not_recomputed:
        print(
            f"Not recomputed: entries {part.first} to {part.last}, which version {part.version} of the rules "
            "played. Only the signature vouches for them."
        )
    if report.outcome is None:
        print("Abandoned: the table ended this game early, so it has no result and no winner.")
    for seat, name in enumerate(report.names):
        shown = "(removed)" if name is None else name
        print(printable(f"  seat {seat}  {shown}{_score(report.outcome, seat)}"))
    for place, name in report.latecomers:
        shown = "(removed)" if name is None else name
        print(printable(f"  seat {place.seat} was taken over by {shown} after entry {place.after}"))
    salted = ", ".join(str(seat) for seat, salt in enumerate(report.salts) if salt)
    print(f"Seats that added salts to the hub's seed: {salted or 'none, so the hub alone chose the dice'}.")
    if report.restarts:
        times = "once" if report.restarts == 1 else f"{report.restarts} times"
        print(f"The start was repeated {times}, because somebody did not reveal a salt.")
    print(f"Signed with the key {report.public_key.hex()},")
    if report.key_given:
        print("which is the one you asked for.")
    else:
        print(
            "which anybody may own: compare it with your hub's (--key or --hub) to know who vouches for it."
        )


def count_recomputed(report: records.Verified) -> int:
    """The number of entries that this version of the rules recomputed."""
    return report.entries - sum(part.last - part.first + 1 for part in report.not_recomputed)


def _describe_entries(report: records.Verified) -> str:
    if not report.not_recomputed:
        count = f"{report.entries} entries and {report.draws} draws"
        return f"Genuine: {report.title}, {count}, all as the rules require."
    recomputed = count_recomputed(report)
    if recomputed == 0:
        return f"Signed: {report.title}, {report.entries} entries, none of which could be recomputed."
    count = f"{recomputed} of {report.entries} entries, and {report.draws} draws"
    return f"Genuine: {report.title}, {count}, as the rules require."


def _score(outcome: Outcome | None, seat: int) -> str:
    if outcome is None:
        return ""
    over = "" if outcome.over == 1 else f"/{outcome.over}"
    return f": {outcome.scores[seat]}{over}{', winner' if seat in outcome.winners else ''}"


def _public_key(text: str, source: str) -> bytes:
    try:
        value = bytes.fromhex(text)
    except ValueError:
        value = b""
    if len(value) != 32:
        stop(f"{source} must be 64 hexadecimal digits.", Exit.USAGE)
    return value


def _key_of(hub: str) -> bytes:
    """The public key that a hub serves."""
    url = hub.rstrip("/") + "/api/key"
    if not url.startswith(("http://", "https://")):
        stop("--hub must be an address such as https://play.example.org.", Exit.USAGE)
    try:
        with urllib.request.urlopen(url, timeout=HUB_SECONDS) as answer:
            served = json.loads(answer.read(10_000))
        return _public_key(str(served["key"]), f"The key served by {url}")
    except (OSError, ValueError, KeyError, TypeError, urllib.error.URLError):
        stop(f"{url} did not answer with a key: is that a Parley hub, and is it running?", Exit.USAGE)
